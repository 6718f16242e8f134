#pragma once
// Candidates: all pairs of primitives, on any ranks, whose swept boxes come within a margin of each other.
//
// Distributed: a tree a rank over what it owns, and a list of a few dozen boxes of every rank that all ranks know.
// What meets another rank's boxes is sent there. Of two ranks one handles their pairs, so each pair is found on
// exactly one rank, whatever the partition; boxes depend on positions alone, so the set of pairs does not depend on
// it either.
#include "contact/bvh.hpp"
#include "contact/collision_mesh.hpp"
#include "contact/find_pairs.hpp"
#include "contact/pair.hpp"
#include "contact/pair_filter.hpp"

namespace unbarred {

class BroadPhase {
 public:
  struct Options {
    /// Pairs of bodies that never touch each other: body_pair_key, ascending.
    std::vector<std::uint64_t> excluded_bodies;
    bool keep_prescribed = false;  ///< keep pairs of which every vertex is prescribed
  };
  explicit BroadPhase(const Options& options);

  /// Candidates of the mesh's motion; each box is enlarged by `margin` (m), so primitives that come closer than twice
  /// that are found. Vertices of a pair are extended numbers in canonical order. Received primitives are in `mesh`
  /// afterwards. The order is the same for any number of threads. @note Collective
  const DeviceArray<ContactPair>& find(CollisionMesh& mesh, Real margin);
  const DeviceArray<ContactPair>& candidates() const { return candidates_; }

 private:
  struct Trees {
    Bvh vertices, edges, triangles;
  };
  PairRules rules(const CollisionMesh& mesh) const;
  void vertex_triangle(const CollisionMesh& mesh, const PrimitiveSet& a, const Trees& a_trees, const PrimitiveSet& b,
                       const Trees& b_trees);
  void edge_edge(const CollisionMesh& mesh);
  template <int A, int B>
  void append(const CollisionMesh& mesh, const DeviceArray<IndexPair>& found, View<const Primitive<A>> first,
              View<const Primitive<B>> second);

  DeviceArray<std::uint64_t> excluded_;
  bool keep_prescribed_;
  DeviceArray<Box> boxes_;
  Trees own_, received_;
  PairSearch search_;
  DeviceArray<ContactPair> candidates_;
};

}  // namespace unbarred
