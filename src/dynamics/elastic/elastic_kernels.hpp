#pragma once
// Launches over tetrahedra: forces and Hessian blocks, energies, stresses, the inversion-free step.
#include <span>

#include "dynamics/elastic/assembly_plan.hpp"
#include "dynamics/elastic/elastic_mesh.hpp"
#include "linear/block_matrix.hpp"
#include "model/cauchy_stress.hpp"

namespace unbarred {

/// Forces and blocks of one tile, a slot a tetrahedron (AssemblyPlan).
struct AssemblyWindow {
  static constexpr int block_reals = 54;  ///< six 3x3 blocks
  static constexpr int force_reals = 12;
  explicit AssemblyWindow(Index slots)
      : blocks(static_cast<std::int64_t>(slots) * block_reals),
        forces(static_cast<std::int64_t>(slots) * force_reals) {}
  DeviceArray<Real> blocks, forces;
};

/// With E(y) = 1/2 (y - predicted)^T M (y - predicted) + h^2 sum V psi(F(y)) (M1):
/// matrix = M + h^2 K, downhill = -grad E, owned rows. K adds up the second derivatives of the tetrahedra, projected
/// (their negative eigenvalues raised to zero) of those with projected[tetrahedron] != 0, the exact ones of the others;
/// projected may be empty: all are. x: local vertices, ghosts up to date.
void assemble(const ElasticMesh& mesh, const AssemblyPlan& plan, Real time_step, View<const Vec3> x,
              View<const Vec3> predicted, View<const std::uint8_t> projected, AssemblyWindow& window,
              BlockMatrix& matrix, View<Vec3> downhill);

/// gradient = grad E in the rows of those tiles of the plan, with the bits of -downhill above; other rows stay.
void elastic_gradient(const ElasticMesh& mesh, const AssemblyPlan& plan, std::span<const Index> tiles, Real time_step,
                      View<const Vec3> x, View<const Vec3> predicted, AssemblyWindow& window, View<Vec3> gradient);

/// sum V psi over the tetrahedra that this rank counts, J; infinite when one of a material without inversion inverts.
Real elastic_energy(const ElasticMesh& mesh, View<const Vec3> x);

/// V psi of every tetrahedron of the rank, J; 0 of those that it does not count.
void elastic_energies(const ElasticMesh& mesh, View<const Vec3> x, View<Real> energies);

/// Largest t in (0, 1] for which every tetrahedron of a material that must not invert keeps at least 0.1 of its
/// volume at x on the way to x + t p; over the tetrahedra of this rank. x, p: local vertices.
Real inversion_free_step(const ElasticMesh& mesh, View<const Vec3> x, View<const Vec3> p);

/// What is written a cell.
struct CellState {
  SymmetricTensor<Real> stress;  ///< Cauchy, Pa
  Real von_mises;                ///< Pa
  Real jacobian;                 ///< det F
};
/// For every tetrahedron of the rank.
void cell_states(const ElasticMesh& mesh, View<const Vec3> x, View<CellState> states);

}  // namespace unbarred
