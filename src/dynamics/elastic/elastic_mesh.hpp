#pragma once
// The tetrahedra of one rank where kernels run: constant for the whole run.
#include <variant>
#include <vector>

#include "core/device_array.hpp"
#include "core/vec3.hpp"
#include "model/materials.hpp"
#include "partitioning/local_mesh.hpp"
#include "scene/scene.hpp"

namespace unbarred {

struct Tetrahedron {
  Index v[4];  ///< local vertex numbers, positively oriented at rest
};

/// A variant of all that UNBARRED_MATERIALS lists, in its order.
template <class Skipped, class... Materials>
struct VariantOf {
  using type = std::variant<Materials...>;
};
#define UNBARRED_TYPE(Type, name) , Type
using Material = VariantOf<void UNBARRED_MATERIALS(UNBARRED_TYPE)>::type;
#undef UNBARRED_TYPE
Material make_material(const MaterialSpec& spec);
/// Whether its energy stays finite where an element inverts; otherwise steps must be cut before.
bool allows_inversion(const Material& material);

/// Consecutive tetrahedra of one material.
struct MaterialRun {
  int material;
  Index begin, end;
};

/// A quarter of every tetrahedron's volume at rest times density[its material], to each of its owned vertices.
std::vector<Real> lumped(const LocalMesh& mesh, const std::vector<Real>& density);
/// kg
std::vector<Real> lumped_mass(const LocalMesh& mesh, const std::vector<MaterialSpec>& specs);

struct ElasticMesh {
  ElasticMesh(const LocalMesh& mesh, const std::vector<MaterialSpec>& specs);

  Index tetrahedron_count() const { return static_cast<Index>(tetrahedra.size()); }

  std::vector<Material> materials;
  std::vector<MaterialRun> runs;        ///< over `tetrahedra`, ascending
  DeviceArray<Vec3> rest_positions;     ///< local vertices, m
  DeviceArray<Tetrahedron> tetrahedra;  ///< all that touch an owned vertex
  DeviceArray<std::uint8_t> counted;    ///< per tetrahedron: 1 on the one rank that adds it to energies and output
  DeviceArray<Real> mass;               ///< owned vertices, lumped, kg
  bool may_not_invert = false;          ///< some material forbids inversion (on this rank)
};

}  // namespace unbarred
