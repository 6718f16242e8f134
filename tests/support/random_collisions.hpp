#pragma once
// Seeded scenes in which one body surely hits another one, or a fixed obstacle, within a few steps; and their text, for
// the program to run.
#include <cstdlib>
#include <optional>
#include <sstream>

#include "audit/distributed_audit.hpp"
#include "support/collisions.hpp"
#include "support/random_scenes.hpp"

namespace unbarred::test {

/// How far body 0 goes along the unit vector `way` before it meets another body or an obstacle, m; starts 0.7 m back.
inline std::optional<Real> way_to_impact(Scene scene, const Vec3& way) {
  const LocalMesh mesh = load_mesh(scene, world());
  const Surface surface = build_surface(mesh, world());
  const std::vector<std::int32_t> body = surface.body.to_host();
  std::vector<std::array<Index, 3>> moving, fixed;
  for (const Triangle& t : surface.owned_triangles.to_host())
    (body[static_cast<std::size_t>(t.v[0])] == 0 ? moving : fixed).push_back({t.v[0], t.v[1], t.v[2]});
  const std::vector<Vec3> rest(mesh.rest_positions.begin(), mesh.rest_positions.end());
  const auto meets = [&](Real s) {
    std::vector<Vec3> moved = rest;
    for (Vec3& x : moved) x += s * way;
    const AuditReport report = audit_between({moved, moving, {}, {}}, {rest, fixed, {}, {}});
    return report.crossing + report.touching > 0;
  };
  const Real step = 0.004;  // m: less than the thinnest body
  Real s = -0.7;
  if (meets(s)) return {};
  while (!meets(s + step))
    if ((s += step) > 0.3) return {};
  Real apart = s, together = s + step;
  for (int i = 0; i < 20; ++i) {
    const Real middle = 0.5 * (apart + together);
    (meets(middle) ? together : apart) = middle;
  }
  return apart;
}

/// From `first` on: a few, many with UNBARRED_NIGHTLY, the one that UNBARRED_SEED names.
struct Seeds {
  std::uint64_t first;
  int count;
};
inline Seeds seeds_to_run(std::uint64_t first, int usual, int nightly) {
  if (const char* seed = std::getenv("UNBARRED_SEED")) return {std::stoull(seed), 1};
  return {first, std::getenv("UNBARRED_NIGHTLY") ? nightly : usual};
}

class RandomCollisions {
 public:
  explicit RandomCollisions(std::uint64_t seed) : random_(seed), name_("hit" + std::to_string(seed)) {}

  Scene free_bodies() {
    for (;;) {
      Scene scene = common();
      const Vec3 way = random_.direction();
      const bool both = random_.chance(0.5);
      scene.bodies = {body("a", 0, (both ? 0.5 : 1) * speed_ * way), body("b", 1, (both ? -0.5 : 0) * speed_ * way)};
      scene.bodies[0].place.translate = 0.05 * random_.vector();
      if (place(scene, way)) return scene;
    }
  }

  /// One body at rest, and numbers to go on with.
  Scene alone() {
    Scene scene = common();
    scene.bodies = {body("a", 0, {{0, 0, 0}})};
    return scene;
  }
  Real uniform(Real low, Real high) { return random_.uniform(low, high); }
  Real logarithmic(Real low, Real high) { return random_.logarithmic(low, high); }

  Scene on_obstacle() {
    for (;;) {
      Scene scene = common();
      Vec3 way{{random_.uniform(-0.5, 0.5), -1, random_.uniform(-0.5, 0.5)}};
      way = (1 / length(way)) * way;
      scene.gravity = {{0, -9.81, 0}};
      scene.bodies = {body("a", 0, speed_ * way)};
      ObstacleSpec obstacle;
      obstacle.name = "o";
      if (random_.chance(0.6)) {
        obstacle.mesh.generator = "plane";
        obstacle.mesh.parameters = {{"size", {20, 20}}, {"cells", {random_.chance(0.5) ? 1.0 : 9.0}}};
        obstacle.place.axis = {{random_.uniform(-1, 1), 0, 1}};
        obstacle.place.degrees = random_.chance(0.5) ? 0 : random_.uniform(0, 25);
      } else {
        obstacle.mesh.generator = "sphere";
        obstacle.mesh.parameters = {{"radius", {0.18}}, {"cells", {5}}};
        scene.bodies[0].place.translate = 0.05 * random_.vector();
      }
      scene.obstacles = {obstacle};
      if (place(scene, way)) return scene;
    }
  }

 private:
  Scene common() {
    Scene scene;
    scene.name = name_;
    scene.time_step = random_.logarithmic(1e-3, 1e-2);
    scene.end_time = 24 * scene.time_step;
    speed_ = random_.logarithmic(0.1, 30);
    for (const char* name : {"p", "q"}) {
      const MaterialModel models[] = {MaterialModel::stable_neo_hookean, MaterialModel::neo_hookean,
                                      MaterialModel::corotated};
      const Real poisson[] = {0.2, 0.3, 0.4, 0.45};
      scene.materials.push_back({name, models[random_.whole(0, 2)], random_.logarithmic(300, 1e4),
                                 random_.logarithmic(1e5, 2e11), poisson[random_.whole(0, 3)]});
    }
    scene.contact = ContactSpec{};
    scene.contact->offset = random_.logarithmic(3e-4, 2e-3);
    scene.contact->friction = random_.chance(0.5) ? 0 : 0.3;
    scene.output.every = 0;
    scene.resolved_yaml = "none";
    return scene;
  }

  BodySpec body(const char* name, int material, const Vec3& velocity) {
    const MeshSpec shapes[] = {shape("box", {{"size", {0.2, 0.2, 0.2}}, {"cells", {3, 3, 3}}}),
                               shape("box", {{"size", {0.3, 0.02, 0.3}}, {"cells", {6, 1, 6}}}),
                               shape("ball", {{"radius", {0.1}}, {"cells", {4}}}),
                               shape("cylinder", {{"radius", {0.07}}, {"height", {0.2}}, {"cells", {3}}}),
                               shape("torus", {{"radius", {0.09}}, {"tube_radius", {0.03}}, {"cells", {2}}}),
                               shape("rod", {{"radius", {0.03}}, {"length", {0.3}}, {"cells", {2}}})};
    BodySpec spec;
    spec.name = name;
    spec.mesh = shapes[random_.whole(0, 5)];
    spec.material = material;
    spec.velocity = velocity;
    spec.place.axis = random_.direction();
    spec.place.degrees = random_.uniform(0, 180);
    return spec;
  }

  static MeshSpec shape(const char* generator, std::map<std::string, std::vector<Real>> parameters) {
    MeshSpec mesh;
    mesh.generator = generator;
    mesh.parameters = std::move(parameters);
    return mesh;
  }

  /// Body 0 comes along `way` and has up to four steps before it hits; false when it would miss.
  bool place(Scene& scene, const Vec3& way) {
    const std::optional<Real> impact = way_to_impact(scene, way);
    if (!impact) return false;
    const Real before = 2 * scene.contact->offset + random_.uniform(0.3, 4) * speed_ * scene.time_step;
    scene.bodies[0].place.translate += (*impact - before) * way;
    return true;
  }

  RandomScenes random_;
  std::string name_;
  Real speed_ = 0;  // at which bodies approach, m/s
};

namespace scene_text {

inline std::string list(const Vec3& v) {
  std::ostringstream text;
  text.precision(17);
  text << "[" << v[0] << ", " << v[1] << ", " << v[2] << "]";
  return text.str();
}

inline void mesh(std::ostream& text, const MeshSpec& mesh) {
  text << "mesh: {" << mesh.generator << ": {";
  const char* comma = "";
  for (const auto& [key, values] : mesh.parameters) {
    text << std::exchange(comma, ", ") << key << ": ";
    for (std::size_t i = 0; i < values.size(); ++i) text << (i > 0 ? ", " : values.size() > 1 ? "[" : "") << values[i];
    text << (values.size() > 1 ? "]" : "");
  }
  text << "}}";
}

inline void place(std::ostream& text, const Placement& place) {
  text << ", place: {rotate: {axis: " << list(place.axis) << ", degrees: " << place.degrees
       << "}, translate: " << list(place.translate) << "}}";
}

}  // namespace scene_text

/// The scene file of a scene of bodies, obstacles and contact that leaves the solver as it is.
inline std::string text_of(const Scene& scene) {
  const char* models[] = {"stable_neo_hookean", "neo_hookean", "corotated"};
  std::ostringstream text;
  text.precision(17);
  text << "name: " << scene.name << "\ntime: {step: " << scene.time_step << ", end: " << scene.end_time
       << "}\ngravity: " << scene_text::list(scene.gravity) << "\nmaterials:\n";
  for (const MaterialSpec& m : scene.materials)
    text << "  " << m.name << ": {model: " << models[static_cast<int>(m.model)] << ", density: " << m.density
         << ", young: " << m.young << ", poisson: " << m.poisson << "}\n";
  text << "bodies:\n";
  for (const BodySpec& b : scene.bodies) {
    scene_text::mesh(text << "  " << b.name << ": {", b.mesh);
    text << ", material: " << scene.materials[static_cast<std::size_t>(b.material)].name
         << ", velocity: " << scene_text::list(b.velocity);
    scene_text::place(text, b.place);
    text << "\n";
  }
  if (!scene.obstacles.empty()) text << "obstacles:\n";
  for (const ObstacleSpec& o : scene.obstacles) {
    scene_text::mesh(text << "  " << o.name << ": {", o.mesh);
    scene_text::place(text, o.place);
    text << "\n";
  }
  text << "contact: {offset: " << scene.contact->offset << ", friction: " << scene.contact->friction
       << "}\noutput: {every: 0, checkpoint: {steps: 0}}\n";
  return text.str();
}

}  // namespace unbarred::test
