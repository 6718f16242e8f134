#include "dynamics/loads.hpp"

#include <algorithm>

#include "dynamics/elastic_mesh.hpp"
#include "dynamics/load_kernels.hpp"
#include "dynamics/selection.hpp"

namespace unbarred {

namespace {

/// Faces of one body whose vertices are all selected; those that this rank counts come first.
std::vector<BoundaryFace> selected_faces(const PressureSpec& spec, const std::vector<BoundaryFace>& boundary,
                                         const LocalMesh& mesh, const std::vector<int>& scene_body, Index& counted) {
  std::vector<std::uint8_t> chosen(mesh.rest_positions.size(), 0);
  for (const Index v : selected_vertices(spec.select, spec.body, spec.place, mesh, scene_body)) chosen[v] = 1;
  std::vector<BoundaryFace> faces;
  for (const BoundaryFace& face : boundary)
    if (chosen[face[0]] && chosen[face[1]] && chosen[face[2]]) faces.push_back(face);
  const auto middle = std::stable_partition(faces.begin(), faces.end(),
                                            [&](const BoundaryFace& face) { return counts_here(face, mesh.map); });
  counted = static_cast<Index>(middle - faces.begin());
  return faces;
}

/// Fills the triangles and the table of triangles around owned vertices.
void fill(PressureSurface& surface, const std::vector<BoundaryFace>& faces, Index owned) {
  std::vector<std::pair<Index, Index>> uses;  // vertex, triangle
  std::vector<SurfaceTriangle> triangles;
  for (const BoundaryFace& face : faces) {
    for (const Index v : face)
      if (v < owned) uses.emplace_back(v, static_cast<Index>(triangles.size()));
    triangles.push_back({{face[0], face[1], face[2]}});
  }
  std::sort(uses.begin(), uses.end());
  std::vector<Index> vertices, offsets, around;
  for (const auto& [vertex, triangle] : uses) {
    if (vertices.empty() || vertices.back() != vertex) {
      vertices.push_back(vertex);
      offsets.push_back(static_cast<Index>(around.size()));
    }
    around.push_back(triangle);
  }
  offsets.push_back(static_cast<Index>(around.size()));
  surface.triangles = DeviceArray<SurfaceTriangle>(triangles);
  surface.vertices = DeviceArray<Index>(vertices);
  surface.offsets = DeviceArray<Index>(offsets);
  surface.around = DeviceArray<Index>(around);
}

}  // namespace

Loads::Loads(const Scene& scene, const LocalMesh& mesh, const std::vector<int>& scene_body,
             const Communicator& communicator)
    : time_step_(scene.time_step) {
  add_body_forces(scene, mesh, scene_body);
  std::vector<BoundaryFace> boundary;
  if (!scene.pressures.empty()) boundary = boundary_faces(mesh);
  for (const PressureSpec& spec : scene.pressures) add_pressure(spec, boundary, mesh, scene_body, communicator);
  for (const SpringSpec& spec : scene.springs) add_spring(spec, scene, mesh, scene_body, communicator);
}

void Loads::add_body_forces(const Scene& scene, const LocalMesh& mesh, const std::vector<int>& scene_body) {
  const bool any = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                               [](const BodySpec& body) { return squared_norm(body.body_force) > 0; });
  if (!any) return;
  in_prediction_ = true;
  const std::vector<Real> volume = lumped(mesh, std::vector<Real>(scene.materials.size(), 1));
  std::vector<Vec3> force(volume.size(), Vec3{{0, 0, 0}});
  for (std::size_t v = 0; v < force.size(); ++v) {
    const auto body = static_cast<std::size_t>(scene_body[mesh.vertex_body[v]]);
    if (body < scene.bodies.size()) force[v] = volume[v] * scene.bodies[body].body_force;
  }
  body_force_ = DeviceArray<Vec3>(force);
}

void Loads::add_pressure(const PressureSpec& spec, const std::vector<BoundaryFace>& boundary, const LocalMesh& mesh,
                         const std::vector<int>& scene_body, const Communicator& communicator) {
  PressureSurface surface;
  const std::vector<BoundaryFace> faces = selected_faces(spec, boundary, mesh, scene_body, surface.counted);
  if (communicator.sum(static_cast<GlobalIndex>(surface.counted)) == 0)
    throw bad_input(spec.place, "pressure `" + spec.name +
                                    "` selects no triangle of the boundary; the selection is compared with the "
                                    "positions at the start, and must hold all three vertices");
  surface.pressure = spec.pressure;
  surface.from = spec.from;
  surface.to = spec.to;
  surface.closed = spec.select.shape == Selection::Shape::all;
  fill(surface, faces, mesh.map.owned());
  (surface.closed ? in_system_ : in_prediction_) = true;
  pressures_.push_back(std::move(surface));
}

void Loads::add_spring(const SpringSpec& spec, const Scene& scene, const LocalMesh& mesh,
                       const std::vector<int>& scene_body, const Communicator& communicator) {
  const std::vector<Real> mass = lumped_mass(mesh, scene.materials);
  std::vector<Index> vertices = selected_vertices(spec.select, spec.body, spec.place, mesh, scene_body);
  std::erase_if(vertices, [&](Index v) { return v >= mesh.map.owned(); });
  Real total = 0;
  for (const Index v : vertices) total += mass[v];
  total = communicator.sum(total);
  if (!(total > 0))
    throw bad_input(spec.place, "springs `" + spec.name +
                                    "`: they select no vertex of their body; the selection is compared with the "
                                    "positions at the start");
  std::vector<VertexSpring> springs;
  for (const Index v : vertices)
    springs.push_back({v, spec.stiffness * (mass[v] / total), spec.point.value_or(mesh.rest_positions[v])});
  springs_.emplace_back(springs);
  in_system_ = true;
}

// A millionth of a step is rounding, as in the windows of motions.
bool Loads::acts(const PressureSurface& surface, Real end_time) const {
  const Real slack = 1e-6 * time_step_;
  return end_time > surface.from + slack && end_time <= surface.to + slack;
}

void Loads::add_to_prediction(Real end_time, View<const Real> mass, View<const Vec3> x, View<Vec3> predicted) const {
  const Real scale = time_step_ * time_step_;
  accelerate(scale, body_force_.view(), mass, predicted);
  for (const PressureSurface& surface : pressures_)
    if (!surface.closed && acts(surface, end_time)) accelerate_by_pressure(surface, scale, mass, x, predicted);
}

void Loads::add_to_system(Real end_time, View<const Vec3> x, BlockMatrix& matrix, View<Vec3> downhill,
                          View<Vec3> gradient) const {
  const Real scale = time_step_ * time_step_;
  memory::zero(gradient.data(), static_cast<std::size_t>(gradient.size()) * sizeof(Vec3));
  for (const PressureSurface& surface : pressures_)
    if (surface.closed && acts(surface, end_time)) add_pressure_gradient(surface, scale, x, downhill, gradient);
  for (const DeviceArray<VertexSpring>& springs : springs_)
    add_springs(springs.view(), scale, x, matrix, downhill, gradient);
}

Real Loads::energy(Real time, View<const Vec3> x) const {
  Real sum = 0;
  for (const PressureSurface& surface : pressures_)
    if (surface.closed && acts(surface, time)) sum += pressure_energy(surface, x);
  for (const DeviceArray<VertexSpring>& springs : springs_) sum += spring_energy(springs.view(), x);
  return sum;
}

Real Loads::body_force_energy(const Vec3& origin, View<const Vec3> x) const {
  return force_energy(body_force_.view(), origin, x);
}

}  // namespace unbarred
