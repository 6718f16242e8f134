#pragma once
// The pairs that the solver holds apart. Every rank keeps a copy of each pair of which it owns a vertex; copies are
// evaluated from the same operands in the same order, so multipliers need no message (architecture, "Who owns what").
#include <functional>
#include <vector>

#include "contact/active_pair.hpp"
#include "contact/constraint_kernels.hpp"
#include "partitioning/field.hpp"
#include "partitioning/vertex_exchange.hpp"

namespace unbarred {

/// A pair that collision detection found, as its holders need to know it.
struct FoundPair {
  PairKey key;
  std::int32_t owner[4];  ///< rank of each vertex
  std::int32_t body[2];   ///< of side A and side B
};

class ActiveSet {
 public:
  /// friction(a, b): coefficient between two bodies, symmetric. Keeps references to the first three.
  ActiveSet(const Communicator& communicator, const IndexMap& map, Transport& transport,
            std::function<Real(std::int32_t, std::int32_t)> friction);

  /// Takes in the pairs that any rank found (each on one rank): unknown ones start with lambda = 0 and gamma = 1,
  /// known ones keep what they have, or get gamma = 1 when `restore_decay`. Returns how many are new over all ranks.
  /// Their offsets follow from set_step_start(). @note Collective
  GlobalIndex add(const std::vector<FoundPair>& found, bool restore_decay);
  /// Drops pairs whose decay fell below `least`. @note Collective
  void drop_faded(Real least);

  /// Values at foreign vertices follow their owners. @note Collective over neighbours
  VertexValues start(const Field& x) { return update(x, start_); }
  VertexValues feasible(const Field& x) { return update(x, feasible_); }
  VertexValues iterate(const Field& x) { return update(x, iterate_); }
  VertexValues direction(const Field& x) { return update(x, direction_); }

  std::int64_t size() const { return pairs_.size(); }
  View<ActivePair> pairs() { return pairs_.view(); }
  View<const ActivePair> pairs() const { return pairs_.view(); }
  View<PairTerms> terms() { return terms_.view(); }
  View<Vec3> images() { return images_.view(); }
  PairsOfVertices around() const { return {vertices_.view(), offsets_.view(), entries_.view()}; }
  /// Keys and foreign ids, for output and checkpoints: host copies in key order.
  const std::vector<PairKey>& keys() const { return keys_; }
  std::vector<ActivePair> to_host() const { return pairs_.to_host(); }

 private:
  struct Holder {
    std::int32_t owner[4];
  };
  VertexValues update(const Field& x, DeviceArray<Vec3>& foreign);
  void renumber(std::vector<ActivePair>& pairs);
  void list_pairs_of_vertices(const std::vector<ActivePair>& pairs);

  const Communicator& communicator_;
  const IndexMap& map_;
  std::function<Real(std::int32_t, std::int32_t)> friction_;
  VertexExchange exchange_;
  std::vector<PairKey> keys_;      // ascending
  std::vector<Holder> owners_;     // of the vertices of each pair
  DeviceArray<ActivePair> pairs_;  // in key order
  DeviceArray<PairTerms> terms_;
  DeviceArray<Vec3> images_;
  DeviceArray<Index> vertices_, offsets_, entries_;
  std::int64_t foreign_count_ = 0;
  DeviceArray<Vec3> start_, feasible_, iterate_, direction_;
};

}  // namespace unbarred
