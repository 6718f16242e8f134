#include "dynamics/elastic/elastic_kernels.hpp"

#include "core/parallel.hpp"
#include "dynamics/elastic/element_geometry.hpp"
#include "model/inversion_step.hpp"
#include "model/principal_hessian.hpp"

namespace unbarred {

namespace {

/// Number of the tetrahedron in lane l of a pack of slots.
struct SlotNumber {
  View<const Index> slots;
  std::int64_t first;
  UNBARRED_FUNCTION Index operator()(int l) const { return slots[first + l]; }
};

/// Consecutive tetrahedra, the last one repeated past the end.
struct RunNumber {
  Index first, last;
  UNBARRED_FUNCTION Index operator()(int l) const { return first + l < last ? first + l : last - 1; }
};

std::int64_t packs(std::int64_t n) { return (n + lanes<KernelReal> - 1) / lanes<KernelReal>; }

}  // namespace

/// ~2 kflop a tetrahedron in, 66 Reals out.
template <class M>
struct ComputeElements {
  M material;
  Real scale;  // h^2
  Index first_slot;
  View<const Index> slots;
  View<const Tetrahedron> tetrahedra;
  View<const std::uint8_t> projected;
  View<const Vec3> rest, x;
  View<Real> blocks, forces;

  UNBARRED_FUNCTION void operator()(std::int64_t pack) const {
    using T = KernelReal;
    const std::int64_t slot = first_slot + pack * lanes<T>;
    const SlotNumber number{slots, slot};
    const ElementGeometry<T> g =
        element_geometry(edge_matrix<T>(tetrahedra, rest, number), edge_matrix<T>(tetrahedra, x, number));
    PrincipalState<T> state = principal_state<Definiteness::exact>(material, g.F);
    clamp_modes(state, lanes_projected<T>(number) > T(0));
    const T weight = T(scale) * g.volume;
    store_forces(slot, weight * first_piola(state), g);
    Vec3T<T> w[4];
    for (int a = 0; a < 4; ++a) w[a] = principal_gradient(state, g.gradient[a]);
    for (int edge = 0; edge < 6; ++edge) {
      const int a = tetrahedron_edge(edge, 0), b = tetrahedron_edge(edge, 1);
      const Mat3T<T> block = weight * hessian_block(state, w[a], w[b]);
      for (int l = 0; l < lanes<T>; ++l)
        for (int k = 0; k < 9; ++k)
          blocks[(slot + l) * AssemblyWindow::block_reals + edge * 9 + k] = lane(block(k / 3, k % 3), l);
    }
  }

  /// 1 in the lanes of tetrahedra that are projected, 0 in the others.
  template <class T>
  UNBARRED_FUNCTION T lanes_projected(const SlotNumber& number) const {
    T flags(1);
    if (projected.size() > 0)
      for (int l = 0; l < lanes<T>; ++l) set_lane(flags, l, projected[number(l)] != 0 ? 1 : 0);
    return flags;
  }

  template <class T>
  UNBARRED_FUNCTION void store_forces(std::int64_t slot, const Mat3T<T>& stress, const ElementGeometry<T>& g) const {
    for (int a = 0; a < 4; ++a) {
      const Vec3T<T> force = stress * g.gradient[a];
      for (int l = 0; l < lanes<T>; ++l)
        for (int k = 0; k < 3; ++k) forces[(slot + l) * AssemblyWindow::force_reals + a * 3 + k] = lane(force[k], l);
    }
  }
};

/// The forces alone.
template <class M>
struct ComputeForces {
  ComputeElements<M> of;

  UNBARRED_FUNCTION void operator()(std::int64_t pack) const {
    using T = KernelReal;
    const std::int64_t slot = of.first_slot + pack * lanes<T>;
    const SlotNumber number{of.slots, slot};
    const ElementGeometry<T> g =
        element_geometry(edge_matrix<T>(of.tetrahedra, of.rest, number), edge_matrix<T>(of.tetrahedra, of.x, number));
    of.store_forces(slot, T(of.scale) * g.volume * first_piola(principal_state(of.material, g.F)), g);
  }
};

/// Adds in slot order: the same bits on any number of threads.
struct GatherGradient {
  Index row_begin;
  View<const Index> force_offsets, force_sources;
  View<const Real> forces, mass;
  View<const Vec3> x, predicted;
  View<Vec3> gradient;

  UNBARRED_FUNCTION Vec3 of_row(Index i) const {
    Vec3 force = mass[i] * (x[i] - predicted[i]);
    for (Index s = force_offsets[i]; s < force_offsets[i + 1]; ++s) {
      const Real* f = &forces[std::int64_t{3} * force_sources[s]];
      force += Vec3{{f[0], f[1], f[2]}};
    }
    return force;
  }
  UNBARRED_FUNCTION void operator()(std::int64_t k) const {
    const Index i = row_begin + static_cast<Index>(k);
    gradient[i] = of_row(i);
  }
};

/// Likewise in slot order.
struct GatherRow {
  Index row_begin;
  View<const Index> offsets, diagonal, block_offsets, block_sources;
  View<const Real> blocks;
  GatherGradient gradient;
  View<Block> values;
  View<Vec3> downhill;

  UNBARRED_FUNCTION void operator()(std::int64_t k) const {
    const Index i = row_begin + static_cast<Index>(k);
    const Real mass = gradient.mass[i];
    Mat3 sum = diagonal_block(mass, mass, mass);
    const Index here = diagonal[i];
    for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
      if (e == here) continue;
      const Mat3 block = gathered_block(e);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) values[e](r, c) = block(r, c);
      // Half of the block and of its transpose: the diagonal block is symmetric to the bit.
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum(r, c) -= 0.5 * (block(r, c) + block(c, r));
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) values[here](r, c) = sum(r, c);
    const Vec3 force = gradient.of_row(i);
    downhill[i] = Vec3{{-force[0], -force[1], -force[2]}};
  }

  static UNBARRED_FUNCTION Mat3 diagonal_block(Real a, Real b, Real c) { return unbarred::diagonal(a, b, c); }

  UNBARRED_FUNCTION Mat3 gathered_block(Index e) const {
    Mat3 block = unbarred::diagonal<Real>(0, 0, 0);
    for (Index s = block_offsets[e]; s < block_offsets[e + 1]; ++s) {
      const Index source = block_sources[s];
      const Real* b = &blocks[std::int64_t{source >> 4} * AssemblyWindow::block_reals + (source >> 1 & 7) * 9];
      if (source & 1) {
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) block(r, c) += b[3 * c + r];
      } else {
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) block(r, c) += b[3 * r + c];
      }
    }
    return block;
  }
};

static void compute_tile(const ElasticMesh& mesh, const AssemblyPlan& plan, const AssemblyTile& tile, Real scale,
                         View<const Vec3> x, View<const std::uint8_t> projected, AssemblyWindow& window) {
  const View<const Index> slots = plan.slot_tetrahedra.view().part(tile.first_slot, tile.slots());
  for (const MaterialRun& run : tile.runs)
    std::visit(
        [&](const auto& material) {
          for_each_index("compute elements", packs(run.end - run.begin),
                         ComputeElements<std::decay_t<decltype(material)>>{.material = material,
                                                                           .scale = scale,
                                                                           .first_slot = run.begin,
                                                                           .slots = slots,
                                                                           .tetrahedra = mesh.tetrahedra.view(),
                                                                           .projected = projected,
                                                                           .rest = mesh.rest_positions.view(),
                                                                           .x = x,
                                                                           .blocks = window.blocks.view(),
                                                                           .forces = window.forces.view()});
        },
        mesh.materials[run.material]);
}

static GatherGradient gather_gradient(const ElasticMesh& mesh, const AssemblyPlan& plan, const AssemblyTile& tile,
                                      View<const Vec3> x, View<const Vec3> predicted, const AssemblyWindow& window) {
  return {.row_begin = tile.row_begin,
          .force_offsets = plan.force_offsets.view(),
          .force_sources = plan.force_sources.view(),
          .forces = window.forces.view(),
          .mass = mesh.mass.view(),
          .x = x,
          .predicted = predicted,
          .gradient = {}};
}

void assemble(const ElasticMesh& mesh, const AssemblyPlan& plan, Real time_step, View<const Vec3> x,
              View<const Vec3> predicted, View<const std::uint8_t> projected, AssemblyWindow& window,
              BlockMatrix& matrix, View<Vec3> downhill) {
  for (const AssemblyTile& tile : plan.tiles) {
    compute_tile(mesh, plan, tile, time_step * time_step, x, projected, window);
    for_each_index("gather rows", tile.row_end - tile.row_begin,
                   GatherRow{.row_begin = tile.row_begin,
                             .offsets = matrix.offsets.view(),
                             .diagonal = matrix.diagonal.view(),
                             .block_offsets = plan.block_offsets.view(),
                             .block_sources = plan.block_sources.view(),
                             .blocks = window.blocks.view(),
                             .gradient = gather_gradient(mesh, plan, tile, x, predicted, window),
                             .values = matrix.values(),
                             .downhill = downhill});
  }
}

static void compute_tile_forces(const ElasticMesh& mesh, const AssemblyPlan& plan, const AssemblyTile& tile, Real scale,
                                View<const Vec3> x, AssemblyWindow& window) {
  const View<const Index> slots = plan.slot_tetrahedra.view().part(tile.first_slot, tile.slots());
  for (const MaterialRun& run : tile.runs)
    std::visit(
        [&](const auto& material) {
          using M = std::decay_t<decltype(material)>;
          for_each_index("compute forces", packs(run.end - run.begin),
                         ComputeForces<M>{.of = {.material = material,
                                                 .scale = scale,
                                                 .first_slot = run.begin,
                                                 .slots = slots,
                                                 .tetrahedra = mesh.tetrahedra.view(),
                                                 .projected = {},
                                                 .rest = mesh.rest_positions.view(),
                                                 .x = x,
                                                 .blocks = {},
                                                 .forces = window.forces.view()}});
        },
        mesh.materials[run.material]);
}

void elastic_gradient(const ElasticMesh& mesh, const AssemblyPlan& plan, std::span<const Index> tiles, Real time_step,
                      View<const Vec3> x, View<const Vec3> predicted, AssemblyWindow& window, View<Vec3> gradient) {
  for (const Index t : tiles) {
    const AssemblyTile& tile = plan.tiles[static_cast<std::size_t>(t)];
    compute_tile_forces(mesh, plan, tile, time_step * time_step, x, window);
    GatherGradient gather = gather_gradient(mesh, plan, tile, x, predicted, window);
    gather.gradient = gradient;
    for_each_index("gather gradient", tile.row_end - tile.row_begin, gather);
  }
}

template <class M>
struct ElasticEnergy {
  M material;
  Index begin, end;
  View<const Tetrahedron> tetrahedra;
  View<const std::uint8_t> counted;
  View<const Vec3> rest, x;
  UNBARRED_FUNCTION Index first_of(std::int64_t pack) const {
    return begin + static_cast<Index>(pack) * lanes<KernelReal>;
  }
  UNBARRED_FUNCTION KernelReal pack_energy(std::int64_t pack) const {
    using T = KernelReal;
    const RunNumber number{first_of(pack), end};
    const ElementGeometry<T> g =
        element_geometry(edge_matrix<T>(tetrahedra, rest, number), edge_matrix<T>(tetrahedra, x, number));
    return g.volume * material.energy(g.F);
  }
  UNBARRED_FUNCTION void operator()(std::int64_t pack, Real (&terms)[1]) const {
    const KernelReal energy = pack_energy(pack);
    const Index first = first_of(pack);
    terms[0] = 0;
    for (int l = 0; l < lanes<KernelReal>; ++l)
      if (first + l < end && counted[first + l]) terms[0] += lane(energy, l);
  }
};

Real elastic_energy(const ElasticMesh& mesh, View<const Vec3> x) {
  Real total = 0;
  for (const MaterialRun& run : mesh.runs)
    std::visit(
        [&](const auto& material) {
          total += sums<1>("elastic energy", packs(run.end - run.begin),
                           ElasticEnergy<std::decay_t<decltype(material)>>{.material = material,
                                                                           .begin = run.begin,
                                                                           .end = run.end,
                                                                           .tetrahedra = mesh.tetrahedra.view(),
                                                                           .counted = mesh.counted.view(),
                                                                           .rest = mesh.rest_positions.view(),
                                                                           .x = x})[0];
        },
        mesh.materials[run.material]);
  return total;
}

template <class M>
struct ElasticEnergies {
  ElasticEnergy<M> of;
  View<Real> energies;
  UNBARRED_FUNCTION void operator()(std::int64_t pack) const {
    const auto energy = of.pack_energy(pack);
    const Index first = of.first_of(pack);
    for (int l = 0; l < lanes<KernelReal>; ++l)
      if (first + l < of.end) energies[first + l] = of.counted[first + l] ? lane(energy, l) : 0;
  }
};

void elastic_energies(const ElasticMesh& mesh, View<const Vec3> x, View<Real> energies) {
  for (const MaterialRun& run : mesh.runs)
    std::visit(
        [&](const auto& material) {
          using M = std::decay_t<decltype(material)>;
          for_each_index("elastic energies", packs(run.end - run.begin),
                         ElasticEnergies<M>{.of = {.material = material,
                                                   .begin = run.begin,
                                                   .end = run.end,
                                                   .tetrahedra = mesh.tetrahedra.view(),
                                                   .counted = mesh.counted.view(),
                                                   .rest = mesh.rest_positions.view(),
                                                   .x = x},
                                            .energies = energies});
        },
        mesh.materials[run.material]);
}

struct InversionFreeStep {
  Index begin;
  View<const Tetrahedron> tetrahedra;
  View<const Vec3> x, p;
  UNBARRED_FUNCTION void operator()(std::int64_t k, Real (&terms)[1]) const {
    const RunNumber number{begin + static_cast<Index>(k), begin + static_cast<Index>(k) + 1};
    terms[0] = inversion_step(edge_matrix<Real>(tetrahedra, x, number), edge_matrix<Real>(tetrahedra, p, number), 0.1);
  }
};

Real inversion_free_step(const ElasticMesh& mesh, View<const Vec3> x, View<const Vec3> p) {
  Real step = 1;
  for (const MaterialRun& run : mesh.runs) {
    if (allows_inversion(mesh.materials[run.material])) continue;
    const Real least_of_run =
        least<1>("inversion-free step", run.end - run.begin,
                 InversionFreeStep{.begin = run.begin, .tetrahedra = mesh.tetrahedra.view(), .x = x, .p = p})[0];
    step = least_of_run < step ? least_of_run : step;
  }
  return step;
}

template <class M>
struct ComputeCellStates {
  M material;
  Index begin;
  View<const Tetrahedron> tetrahedra;
  View<const Vec3> rest, x;
  View<CellState> states;
  UNBARRED_FUNCTION void operator()(std::int64_t k) const {
    const Index e = begin + static_cast<Index>(k);
    const RunNumber number{e, e + 1};
    const ElementGeometry<Real> g =
        element_geometry(edge_matrix<Real>(tetrahedra, rest, number), edge_matrix<Real>(tetrahedra, x, number));
    CellState state;
    state.jacobian = determinant(g.F);
    state.stress = cauchy_stress(material, g.F);
    state.von_mises = von_mises(state.stress);
    states[e] = state;
  }
};

void cell_states(const ElasticMesh& mesh, View<const Vec3> x, View<CellState> states) {
  for (const MaterialRun& run : mesh.runs)
    std::visit(
        [&](const auto& material) {
          for_each_index("cell states", run.end - run.begin,
                         ComputeCellStates<std::decay_t<decltype(material)>>{.material = material,
                                                                             .begin = run.begin,
                                                                             .tetrahedra = mesh.tetrahedra.view(),
                                                                             .rest = mesh.rest_positions.view(),
                                                                             .x = x,
                                                                             .states = states});
        },
        mesh.materials[run.material]);
}

}  // namespace unbarred
