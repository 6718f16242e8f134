#pragma once
// An active set of random pairs between few vertices, dealt out to ranks at will.
#include <algorithm>
#include <set>
#include <vector>

#include "contact/pairs/pair_values.hpp"
#include "dynamics/contact/contact_kernels.hpp"
#include "partitioning/transport.hpp"
#include "support/random_pairs.hpp"

namespace unbarred::test {

/// What every rank knows.
struct RandomContact {
  /// feasible -> iterate are moves of some 0.1, as the offsets and the slip length are. `touching`: every pair is
  /// active, with room for small changes.
  RandomContact(std::uint64_t seed, bool touching, Real friction) : coefficient(friction) {
    RandomPairs random(seed);
    for (std::size_t v = 0; v < vertices; ++v) {
      feasible.push_back(random.vector());
      iterate.push_back(feasible.back() + 0.1 * random.vector());
      start.push_back(feasible.back() + 0.1 * random.vector());
    }
    std::set<PairKey> known;
    while (pairs.size() < 60) {
      SavedPair pair{random_key(random), {{0, 0, 0, 0}, {0, 1}}, {}};
      if (!known.insert(pair.key).second) continue;
      pair.state.pair.kind = pair.key.kind;
      pair.state.multiplier = touching ? 1000 : random.chance(0.3) ? 0 : random.logarithmic(5, 500);
      pair.state.decay = random.logarithmic(0.02, 1);
      pair.state.offset = random.uniform(0.05, 0.1);
      pair.state.penalty = penalty;
      pair.state.adapted = 1;
      pairs.push_back(pair);
    }
  }

  static constexpr std::size_t vertices = 30;
  static constexpr Real penalty = 50;
  std::vector<Vec3> feasible, iterate, start;
  std::vector<SavedPair> pairs;
  Real coefficient;
  ConstraintSettings settings{.offset = 0.1, .weigh_inactive = true, .slip_length = 0.2};

 private:
  static PairKey random_key(RandomPairs& random) {
    GlobalIndex id[4];
    do
      for (GlobalIndex& i : id) i = static_cast<GlobalIndex>(random.uniform(0, vertices));
    while (std::set<GlobalIndex>(id, id + 4).size() < 4);
    PairKey key{random.chance(0.5) ? PairKind::vertex_triangle : PairKind::edge_edge, {}};
    if (key.kind == PairKind::vertex_triangle) {
      std::sort(id + 1, id + 4);
    } else {
      if (id[1] < id[0]) std::swap(id[0], id[1]);
      if (id[3] < id[2]) std::swap(id[2], id[3]);
      if (id[2] < id[0]) std::swap_ranges(id, id + 2, id + 2);
    }
    std::copy(id, id + 4, key.id);
    return key;
  }
};

inline IndexMap map_without_ghosts(const std::vector<int>& owners, const Communicator& communicator) {
  std::vector<GlobalIndex> owned;
  for (std::size_t v = 0; v < owners.size(); ++v)
    if (owners[v] == communicator.rank()) owned.push_back(static_cast<GlobalIndex>(v));
  const auto interior = static_cast<Index>(owned.size());
  return IndexMap(static_cast<GlobalIndex>(owners.size()), std::move(owned), interior, {}, {});
}

/// The part of one rank. All vectors are by global vertex, zero where a vertex is owned elsewhere.
class ContactPart {
 public:
  /// @note Collective
  ContactPart(const RandomContact& contact, const std::vector<int>& owners, const Communicator& communicator)
      : settings(contact.settings),
        map_(map_without_ghosts(owners, communicator)),
        transport_(make_transport(communicator)),
        set(communicator, map_, *transport_, [mu = contact.coefficient](std::int32_t, std::int32_t) { return mu; }),
        feasible_(map_),
        start_(map_),
        other_(map_) {
    std::vector<SavedPair> mine;
    for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
      if (static_cast<int>(i) % communicator.size() != communicator.rank()) continue;
      mine.push_back(contact.pairs[i]);
      for (int k = 0; k < 4; ++k)
        mine.back().holders.owner[k] = owners[static_cast<std::size_t>(mine.back().key.id[k])];
    }
    set.restore(mine);
    write(feasible_, contact.feasible);
    write(start_, contact.start);
    feasible_values_.receive(feasible_);
    start_values_.receive(start_);
    linearize(set.pairs(), feasible_values_.values(), false);
    evaluate(set.pairs(), feasible_values_.values(), at(contact.iterate), settings, true);
    linearize_terms(contact.iterate);
  }

  /// Terms at y; activity, weights and friction multipliers stay those of the iterate. @note Collective
  void linearize_terms(const std::vector<Vec3>& y) {
    pair_terms(set.pairs(), feasible_values_.values(), at(y), start_values_.values(), settings, set.terms());
  }
  /// Of the pairs that this rank counts. @note Collective
  Real energy(const std::vector<Vec3>& y) {
    DeviceArray<Real> energies(set.size());
    constraint_energies(set.pairs(), feasible_values_.values(), at(y), start_values_.values(), settings,
                        energies.view());
    Real sum = 0;
    for (const Real e : energies.to_host()) sum += e;
    return sum;
  }
  std::vector<Vec3> forces() {
    Field sum(map_);
    add_forces(set.around(), set.terms(), sum.write_owned());
    return read(sum);
  }
  struct Product {
    std::vector<Vec3> y;
    Real dot;  ///< x . y
  };
  /// masks: of owned vertices of this rank; empty: nothing is fixed. @note Collective
  Product product(const std::vector<Vec3>& x, std::vector<AxisMask> masks = {}) {
    if (masks.empty()) masks.assign(static_cast<std::size_t>(map_.owned()), 0);
    const DeviceArray<AxisMask> fixed(masks);
    const VertexValues values = at(x);
    pair_images(set.pairs(), set.terms(), values, set.images());
    Field sum(map_);
    const Real dot =
        add_pair_images(set.around(), set.terms(), set.images(), fixed.view(), other_.owned(), sum.write_owned());
    return {read(sum), dot};
  }
  std::vector<SymmetricBlock> diagonal() {
    DeviceArray<SymmetricBlock> blocks = DeviceArray<SymmetricBlock>::zeros(map_.owned());
    add_pair_diagonal(set.around(), set.terms(), blocks.view());
    return blocks.to_host();
  }
  const IndexMap& map() const { return map_; }

  const ConstraintSettings settings;

 private:
  IndexMap map_;
  std::unique_ptr<Transport> transport_;

 public:
  ActiveSet set;

 private:
  void write(Field& field, const std::vector<Vec3>& all) const {
    std::vector<Vec3> owned;
    for (const GlobalIndex id : map_.global_ids()) owned.push_back(all[static_cast<std::size_t>(id)]);
    const View<Vec3> values = field.write_local();
    if (!owned.empty()) memory::copy_to_device(values.data(), owned.data(), owned.size() * sizeof(Vec3));
  }
  std::vector<Vec3> read(const Field& field) const {
    std::vector<Vec3> all(static_cast<std::size_t>(map_.global_size()), Vec3{{0, 0, 0}});
    const std::vector<Vec3> local = field.to_host();
    for (Index v = 0; v < map_.owned(); ++v) all[static_cast<std::size_t>(map_.to_global(v))] = local[v];
    return all;
  }
  VertexValues at(const std::vector<Vec3>& y) {
    write(other_, y);
    return other_values_.receive(other_);
  }

  Field feasible_, start_, other_;
  PairValues feasible_values_{set}, start_values_{set}, other_values_{set};
};

}  // namespace unbarred::test
