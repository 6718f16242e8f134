#pragma once
// Two boxes that never meet, of two materials: what a step decides body by body, against formulas.
#include <functional>

#include "support/scenes.hpp"
#include "support/world.hpp"

namespace unbarred::test {

/// The first one may invert, the second one may not; the cut into tetrahedra has no symmetry.
inline Scene two_boxes() {
  Scene scene = box_scene({{1, 0.4, 0.3}}, {{4, 3, 2}}, material(MaterialModel::stable_neo_hookean, 1e5, 0.3, 1000));
  scene.materials.push_back(material(MaterialModel::neo_hookean, 2e5, 0.4, 500));
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].material = 1;
  scene.bodies[1].place.translate = {{0.2, 2, 0.1}};
  return scene;
}

/// Before its first step. Functions of vertices take the position at rest and the body, so that ranks agree.
struct TwoBoxes {
  explicit TwoBoxes(const Communicator& communicator, const Scene& scene = two_boxes())
      : part(communicator),
        simulation(scene, communicator),
        predicted(simulation.map()),
        fixed(DeviceArray<AxisMask>::zeros(simulation.map().local())) {
    begin([](const Vec3& x, int) { return x; });
  }

  using OfVertex = std::function<Vec3(const Vec3& x, int body)>;
  Field field(const OfVertex& f) const {
    std::vector<Vec3> values;
    for (std::size_t v = 0; v < mesh().rest_positions.size(); ++v)
      values.push_back(f(mesh().rest_positions[v], mesh().vertex_body[v]));
    Field result(simulation.map());
    const View<Vec3> into = result.write_local();
    if (!values.empty()) memory::copy_to_device(into.data(), values.data(), values.size() * sizeof(Vec3));
    return result;
  }
  /// Begins a step towards that state, with these prescribed coordinates. @note Collective
  void begin(const OfVertex& f, const std::function<AxisMask(const Vec3& x, int body)>& mask = nullptr) {
    std::vector<AxisMask> masks;
    for (std::size_t v = 0; v < mesh().rest_positions.size(); ++v)
      masks.push_back(mask ? mask(mesh().rest_positions[v], mesh().vertex_body[v]) : 0);
    fixed.assign_host(masks);
    predicted.assign(field(f));
    energy().begin_step(simulation.scene().time_step, fixed.view(), predicted);
  }

  /// Sums over the owned vertices of all ranks, one a body. @note Collective
  std::vector<Real> sums(const std::function<Real(Index v, const Vec3& x, Real mass)>& f) const {
    std::vector<Real> sums(2, 0);
    const std::vector<Real> mass = simulation.elastic().mass.to_host();
    for (Index i = 0; i < simulation.map().owned(); ++i) {
      const auto v = static_cast<std::size_t>(i);
      sums[static_cast<std::size_t>(mesh().vertex_body[v])] += f(i, mesh().rest_positions[v], mass[v]);
    }
    part.sum(std::span<Real>(sums));
    return sums;
  }
  /// Center of mass of a body at rest, relative to the local origin. @note Collective
  Vec3 center(std::size_t body) const {
    Vec3 center{{0, 0, 0}};
    for (int axis = 0; axis < 3; ++axis)
      center[axis] = sums([&](Index, const Vec3& x, Real m) { return m * x[axis]; })[body] /
                     sums([](Index, const Vec3&, Real m) { return m; })[body];
    return center;
  }

  const LocalMesh& mesh() const { return simulation.mesh(); }
  StepEnergy& energy() { return simulation.energy(); }
  Real time_step() const { return simulation.scene().time_step; }

  const Communicator& part;
  Simulation simulation;
  Field predicted;
  DeviceArray<AxisMask> fixed;
};

inline constexpr Real volume_of_box = 1 * 0.4 * 0.3;
inline constexpr Real masses_of_boxes[2] = {1000 * volume_of_box, 500 * volume_of_box};

/// f(part) on 1, 2, 3 and 4 ranks.
inline void on_any_ranks(const std::function<void(const Communicator& part)>& f) {
  for (int ranks = 1; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    f(part);
  }
}

}  // namespace unbarred::test
