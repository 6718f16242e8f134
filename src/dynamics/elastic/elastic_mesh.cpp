#include "dynamics/elastic/elastic_mesh.hpp"

namespace unbarred {

Material make_material(const MaterialSpec& spec) {
#define UNBARRED_CHOOSE(Type, name) \
  if (spec.model == MaterialModel::name) return Type::from(spec.young, spec.poisson);
  UNBARRED_MATERIALS(UNBARRED_CHOOSE)
#undef UNBARRED_CHOOSE
  throw Error(ExitCode::internal, "unknown material model");
}

bool allows_inversion(const Material& material) {
  return std::visit([](const auto& of) { return of.allows_inversion; }, material);
}

static std::vector<MaterialRun> runs_of(const std::vector<std::int32_t>& material) {
  std::vector<MaterialRun> runs;
  for (Index e = 0; e < static_cast<Index>(material.size()); ++e) {
    if (runs.empty() || runs.back().material != material[e]) runs.push_back({material[e], e, e});
    runs.back().end = e + 1;
  }
  return runs;
}

static std::vector<Tetrahedron> connectivity(const LocalMesh& mesh) {
  std::vector<Tetrahedron> tetrahedra;
  tetrahedra.reserve(mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) tetrahedra.push_back({{t[0], t[1], t[2], t[3]}});
  return tetrahedra;
}

// Row-complete: owned vertices miss nothing.
std::vector<Real> lumped(const LocalMesh& mesh, const std::vector<Real>& density) {
  std::vector<Real> mass(static_cast<std::size_t>(mesh.map.owned()), 0);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto& t = mesh.tetrahedra[e];
    const Vec3 origin = mesh.rest_positions[t[0]];
    const Vec3 a = mesh.rest_positions[t[1]] - origin, b = mesh.rest_positions[t[2]] - origin,
               c = mesh.rest_positions[t[3]] - origin;
    const Real volume = dot(a, cross(b, c)) / 6;
    for (Index v : t)
      if (v < mesh.map.owned()) mass[v] += volume / 4 * density[mesh.material[e]];
  }
  return mass;
}

std::vector<Real> lumped_mass(const LocalMesh& mesh, const std::vector<MaterialSpec>& specs) {
  std::vector<Real> density;
  for (const MaterialSpec& spec : specs) density.push_back(spec.density);
  return lumped(mesh, density);
}

ElasticMesh::ElasticMesh(const LocalMesh& mesh, const std::vector<MaterialSpec>& specs)
    : runs(runs_of(mesh.material)),
      rest_positions(mesh.rest_positions),
      tetrahedra(connectivity(mesh)),
      counted(mesh.counted),
      mass(lumped_mass(mesh, specs)) {
  for (const MaterialSpec& spec : specs) materials.push_back(make_material(spec));
  for (const MaterialRun& run : runs) may_not_invert |= !allows_inversion(materials[run.material]);
}

}  // namespace unbarred
