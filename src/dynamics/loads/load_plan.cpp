#include "dynamics/loads/load_plan.hpp"

#include <algorithm>

#include "dynamics/elastic/elastic_mesh.hpp"
#include "dynamics/motions/selection.hpp"

namespace unbarred {

namespace {

class Planner {
 public:
  Planner(const Scene& scene, const LocalMesh& mesh, const std::vector<int>& scene_body,
          const Communicator& communicator)
      : scene_(scene), mesh_(mesh), scene_body_(scene_body), communicator_(communicator) {}

  LoadPlan plan() const {
    LoadPlan result;
    result.has_body_force = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                                        [](const BodySpec& body) { return squared_norm(body.body_force) > 0; });
    if (result.has_body_force) result.body_force = body_forces();
    std::vector<BoundaryFace> boundary;
    if (!scene_.pressures.empty()) boundary = boundary_faces(mesh_);
    for (const PressureSpec& spec : scene_.pressures) result.pressures.push_back(pressure(spec, boundary));
    std::vector<Real> mass;
    if (!scene_.springs.empty()) mass = lumped_mass(mesh_, scene_.materials);
    for (const SpringSpec& spec : scene_.springs) result.springs.push_back(springs(spec, mass));
    return result;
  }

 private:
  std::vector<Vec3> body_forces() const {
    const std::vector<Real> volume = lumped(mesh_, std::vector<Real>(scene_.materials.size(), 1));
    std::vector<Vec3> force(volume.size(), Vec3{{0, 0, 0}});
    for (std::size_t v = 0; v < force.size(); ++v) {
      const auto body = static_cast<std::size_t>(scene_body_[mesh_.vertex_body[v]]);
      if (body < scene_.bodies.size()) force[v] = volume[v] * scene_.bodies[body].body_force;
    }
    return force;
  }

  PressurePlan pressure(const PressureSpec& spec, const std::vector<BoundaryFace>& boundary) const {
    PressurePlan plan;
    plan.pressure = spec.pressure;
    plan.from = spec.from;
    plan.to = spec.to;
    plan.closed = spec.select.shape == Selection::Shape::all;
    std::vector<std::uint8_t> chosen(mesh_.rest_positions.size(), 0);
    for (const Index v : selected_vertices(spec.select, spec.body, spec.place, mesh_, scene_body_)) chosen[v] = 1;
    std::vector<BoundaryFace> faces;
    for (const BoundaryFace& face : boundary)
      if (chosen[face[0]] && chosen[face[1]] && chosen[face[2]]) faces.push_back(face);
    const auto middle = std::stable_partition(faces.begin(), faces.end(),
                                              [&](const BoundaryFace& face) { return counts_here(face, mesh_.map); });
    plan.counted = static_cast<Index>(middle - faces.begin());
    if (communicator_.sum(static_cast<GlobalIndex>(plan.counted)) == 0)
      throw bad_input(spec.place, "pressure `" + spec.name +
                                      "` selects no triangle of the boundary; the selection is compared with the "
                                      "positions at the start, and must hold all three vertices");
    add_triangles(faces, plan);
    return plan;
  }

  void add_triangles(const std::vector<BoundaryFace>& faces, PressurePlan& plan) const {
    std::vector<std::pair<Index, Index>> uses;  // vertex, triangle
    for (const BoundaryFace& face : faces) {
      for (const Index v : face)
        if (v < mesh_.map.owned()) uses.emplace_back(v, static_cast<Index>(plan.triangles.size()));
      plan.triangles.push_back({{face[0], face[1], face[2]}});
    }
    std::sort(uses.begin(), uses.end());
    for (const auto& [vertex, triangle] : uses) {
      if (plan.vertices.empty() || plan.vertices.back() != vertex) {
        plan.vertices.push_back(vertex);
        plan.offsets.push_back(static_cast<Index>(plan.around.size()));
      }
      plan.around.push_back(triangle);
    }
    plan.offsets.push_back(static_cast<Index>(plan.around.size()));
  }

  std::vector<VertexSpring> springs(const SpringSpec& spec, const std::vector<Real>& mass) const {
    std::vector<Index> vertices = selected_vertices(spec.select, spec.body, spec.place, mesh_, scene_body_);
    std::erase_if(vertices, [&](Index v) { return v >= mesh_.map.owned(); });
    Real total = 0;
    for (const Index v : vertices) total += mass[v];
    total = communicator_.sum(total);
    if (!(total > 0))
      throw bad_input(spec.place, "springs `" + spec.name +
                                      "` select no vertex of their body; the selection is compared with the "
                                      "positions at the start");
    std::vector<VertexSpring> result;
    for (const Index v : vertices)
      result.push_back({v, spec.stiffness * (mass[v] / total), spec.point.value_or(mesh_.rest_positions[v])});
    return result;
  }

  const Scene& scene_;
  const LocalMesh& mesh_;
  const std::vector<int>& scene_body_;
  const Communicator& communicator_;
};

}  // namespace

LoadPlan plan_loads(const Scene& scene, const LocalMesh& mesh, const std::vector<int>& scene_body,
                    const Communicator& communicator) {
  return Planner(scene, mesh, scene_body, communicator).plan();
}

}  // namespace unbarred
