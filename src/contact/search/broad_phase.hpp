#pragma once
// Candidates: all pairs of primitives, on any ranks, whose swept boxes come within a margin of each other.
//
// Distributed: a tree a rank over what it owns, and a list of a few dozen boxes of every rank that all ranks know.
// What meets another rank's boxes is sent there. Of two ranks one handles their pairs, so each pair is found on
// exactly one rank, whatever the partition; boxes depend on positions alone, so the set of pairs does not depend on
// it either.
#include <memory>

#include "contact/pair.hpp"
#include "contact/search/sieve.hpp"
#include "contact/surface/collision_mesh.hpp"

namespace unbarred {

struct BroadPhaseOptions {
  enum class Search { tree, brute_force };
  /// Pairs of bodies that never touch each other: body_pair_key, ascending.
  std::vector<std::uint64_t> excluded_bodies;
  Search search = Search::tree;  ///< brute_force compares all boxes of a rank: for tests
};

class BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  /// The next find() searches; that of every eighth step sorts the trees of owned primitives anew, all others only
  /// refit them, which is right for any motion and fast where primitives near each other stay so.
  virtual void begin_step() = 0;

  /// Candidates of the mesh's motion; each box is enlarged by `margin` (m), so primitives that come closer than twice
  /// that are found. Vertices of a pair are extended numbers in canonical order. Received primitives are in `mesh`
  /// afterwards. The order is the same for any number of threads. @note Collective
  virtual const DeviceArray<ContactPair>& find(CollisionMesh& mesh, Real margin) = 0;
  virtual const DeviceArray<ContactPair>& candidates() const = 0;
  /// Of the last find().
  virtual Sieve sieve() const { return {}; }
};

std::unique_ptr<BroadPhase> make_broad_phase(const BroadPhaseOptions& options);

}  // namespace unbarred
