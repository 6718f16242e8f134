#pragma once
// The pairs that the solver holds apart. Every rank keeps a copy of each pair of which it owns a vertex; copies are
// evaluated from the same operands in the same order, so multipliers need no message (docs/architecture.md,
// "Who owns what").
#include <functional>
#include <vector>

#include "contact/found_pair.hpp"
#include "contact/pairs/active_pair.hpp"
#include "contact/pairs/constraint_kernels.hpp"
#include "partitioning/field.hpp"
#include "partitioning/vertex_exchange.hpp"

namespace unbarred {

/// A pair with all that outlives an iteration.
struct SavedPair {
  PairKey key;
  PairHolders holders;
  ActivePair state;  ///< its vertex numbers mean nothing
};

struct UpdateRule {
  Real least_decay = 0;
  bool restore_decay = false;  ///< known pairs that are hit again get gamma = 1
  Real adapt = 1;              ///< their penalty is multiplied by it, their offset divided
};

class ActiveSet {
 public:
  /// friction(a, b): coefficient between two bodies, symmetric. Keeps references to the first three.
  ActiveSet(const Communicator& communicator, const IndexMap& map, Transport& transport,
            std::function<Real(std::int32_t, std::int32_t)> friction);

  /// Drops pairs whose decay fell below the least and takes in those that any rank found, each on one rank:
  /// unknown ones start with lambda = 0 and gamma = 1, known ones are linked anew, and what else the rule says.
  /// A pair that leaves (HandOver) goes unless another pair hands it something. Offsets, links and penalties of new
  /// pairs are still to be set. Returns how many are new over all ranks.
  /// @note Collective
  GlobalIndex update(const std::vector<FoundPair>& found, const UpdateRule& rule);
  bool contains(const PairKey& key) const;
  /// Puts back what a checkpoint or another partition held: `saved` are pairs with their keys and owners, each on one
  /// rank. What was there is forgotten. @note Collective
  void restore(const std::vector<SavedPair>& saved);
  /// The pairs that this rank counts, as restore() takes them.
  std::vector<SavedPair> saved() const;

  /// x at the vertices of pairs that other ranks own, from their owners (PairValues). @note Collective over neighbours
  void receive(const Field& x, DeviceArray<Vec3>& foreign);

  /// Another number, the same on every rank, whenever pairs came or went.
  std::int64_t version() const { return version_; }
  std::int64_t size() const { return pairs_.size(); }
  View<ActivePair> pairs() { return pairs_.view(); }
  View<const ActivePair> pairs() const { return pairs_.view(); }
  View<PairTerms> terms() { return terms_.view(); }
  View<const PairTerms> terms() const { return terms_.view(); }
  View<Vec3> images() { return images_.view(); }
  PairsOfVertices around() const { return {vertices_.view(), offsets_.view(), entries_.view()}; }
  /// In key order, as pairs().
  const std::vector<PairKey>& keys() const { return keys_; }
  const std::vector<PairHolders>& holders() const { return holders_; }
  std::vector<ActivePair> to_host() const { return pairs_.to_host(); }
  /// 1 for the pairs that this rank counts.
  const std::vector<std::uint8_t>& counted() const { return counted_; }

  /// Throws Error(internal) when two copies of a pair differ in any bit of multiplier, decay, offset or penalty: a
  /// check for tests and checked builds. @note Collective
  void require_equal_copies() const;

 private:
  void renumber(std::vector<ActivePair>& pairs);
  void list_pairs_of_vertices(const std::vector<ActivePair>& pairs);

  const Communicator& communicator_;
  const IndexMap& map_;
  std::function<Real(std::int32_t, std::int32_t)> friction_;
  VertexExchange exchange_;
  std::vector<PairKey> keys_;         // ascending
  std::vector<PairHolders> holders_;  // of the vertices of each pair
  std::vector<std::uint8_t> counted_;
  DeviceArray<ActivePair> pairs_;  // in key order
  DeviceArray<PairTerms> terms_;
  DeviceArray<Vec3> images_;
  DeviceArray<Index> vertices_, offsets_, entries_;
  std::int64_t foreign_count_ = 0, version_ = 0;
};

}  // namespace unbarred
