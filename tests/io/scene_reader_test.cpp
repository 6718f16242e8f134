// Scenes are read as written, defaults filled in; used_scene.yaml reads back as the same scene.
#include "io/scene/scene_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace unbarred {
namespace {

const char* const minimal = R"yaml(
time: {step: 0.01, end: 1.0}
materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3}}
bodies: {ball: {mesh: {ball: {radius: 0.5, cells: 4}}, material: rubber}}
)yaml";

const char* const full = R"yaml(
name: drop.2
parameters: {n: 8, half: $(n/2)}
time: {step: $(1/3), end: 1.0}
gravity: [0, -9.81, 0]
materials:
  steel: {model: neo_hookean, density: 7800, young: 2.0e11, poisson: 0.3}
  rubber: {model: corotated, density: 1000, young: 1.0e6, poisson: -0.25}
bodies:
  ball:
    mesh: {ball: {radius: 0.5, cells: "$(n)"}, scale: 0.01}
    material: rubber
    place: {rotate: {axis: [0, 1, 0], degrees: 30}, translate: [0, $(half), 0.1]}
    velocity: [0, -1, 0]
    repeat: {count: [4, $(half), 2], spacing: [1.1, 1.2, 1.3], jitter: 0.02, seed: 7}
    components: true
  block:
    mesh: {box: {size: [1, 2, 3], cells: [1, 2, 3]}}
    material: steel
  plate:
    mesh: {box: {size: [1, 2, 3], cells: 2}}
    material: steel
  rod: {mesh: {rod: {radius: 0.1, length: 2, cells: 4}}, material: rubber}
  bar: {mesh: {file: "meshes/../bar \"1\".msh", scale: 2}, material: steel}
motions:
  a: {body: block, select: {box: {lower: [0, 0, 0], upper: [1, 1, 1]}}, axes: [x, z], move: fixed, to: 0.5}
  b:
    body: ball
    select: {sphere: {center: [0, 1.5, 0], radius: 0.1}}
    axes: y
    move: {velocity: [0, 0.2, 0]}
    from: 0.1
  c:
    body: rod
    select: {plane: {center: [1, 0, 0], normal: [0, 1, 0]}}
    move: {rotate: {center: [0, 0, 1], degrees_per_second: 90}}
  d:
    body: rod
    select: {cylinder: {center: [1, 0, 0], axis: [0, 2, 0], radius: 3}}
    move: {scale: {factor_per_second: -0.1}}
  e: {body: bar, move: fixed}
solver:
  minimum_iterations: 3
  maximum_iterations: 50
  accuracy: 1.0e-8
  linear: {method: ksp, tolerance: 1.0e-6, maximum_iterations: 77, options: "-pc_type gamg -ksp_view"}
output: {directory: out/here, every: 5, format: pvtu, fields: [displacement, von_mises], checkpoint: {steps: 9}}
)yaml";

void expect_equal(const Vec3& a, const Vec3& b) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(a[axis], b[axis]);
}

void expect_same_bodies(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const BodySpec &p = a.bodies[i], &q = b.bodies[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.mesh.file, q.mesh.file);
    EXPECT_EQ(p.mesh.scale, q.mesh.scale);
    EXPECT_EQ(p.mesh.generator, q.mesh.generator);
    EXPECT_EQ(p.mesh.parameters, q.mesh.parameters);
    EXPECT_EQ(p.material, q.material);
    expect_equal(p.place.axis, q.place.axis);
    EXPECT_EQ(p.place.degrees, q.place.degrees);
    expect_equal(p.place.translate, q.place.translate);
    expect_equal(p.velocity, q.velocity);
    EXPECT_EQ(p.repeat.count, q.repeat.count);
    expect_equal(p.repeat.spacing, q.repeat.spacing);
    EXPECT_EQ(p.repeat.jitter, q.repeat.jitter);
    EXPECT_EQ(p.repeat.seed, q.repeat.seed);
    EXPECT_EQ(p.components, q.components);
  }
}

void expect_same_motions(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t i = 0; i < a.motions.size(); ++i) {
    const MotionSpec &p = a.motions[i], &q = b.motions[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.body, q.body);
    EXPECT_EQ(p.select.shape, q.select.shape);
    expect_equal(p.select.lower, q.select.lower);
    expect_equal(p.select.upper, q.select.upper);
    expect_equal(p.select.center, q.select.center);
    expect_equal(p.select.direction, q.select.direction);
    EXPECT_EQ(p.select.radius, q.select.radius);
    EXPECT_EQ(p.axes, q.axes);
    EXPECT_EQ(p.move.kind, q.move.kind);
    expect_equal(p.move.velocity, q.move.velocity);
    expect_equal(p.move.axis, q.move.axis);
    expect_equal(p.move.center, q.move.center);
    EXPECT_EQ(p.move.rate, q.move.rate);
    EXPECT_EQ(p.move.file, q.move.file);
    EXPECT_EQ(p.from, q.from);
    EXPECT_EQ(p.to, q.to);
  }
}

void expect_same_contact_solver(const SolverSpec& a, const SolverSpec& b) {
  EXPECT_EQ(a.preset, b.preset);
  EXPECT_EQ(a.hessian, b.hessian);
  EXPECT_EQ(a.step_end, b.step_end);
  EXPECT_EQ(a.epsilon, b.epsilon);
  EXPECT_EQ(a.step_filter, b.step_filter);
  EXPECT_EQ(a.lagging_fraction, b.lagging_fraction);
  const ContactConstants &p = a.contact, &q = b.contact;
  EXPECT_EQ(p.warm_start, q.warm_start);
  EXPECT_EQ(p.multiplier_update, q.multiplier_update);
  EXPECT_EQ(p.inactive_pairs, q.inactive_pairs);
  EXPECT_EQ(p.rehit, q.rehit);
  EXPECT_EQ(p.slide_off, q.slide_off);
  EXPECT_EQ(p.offset_ramp, q.offset_ramp);
  EXPECT_EQ(p.penalty_factor, q.penalty_factor);
  EXPECT_EQ(p.decay, q.decay);
  EXPECT_EQ(p.least_decay, q.least_decay);
  EXPECT_EQ(p.gap, q.gap);
  EXPECT_EQ(p.ccd_slack, q.ccd_slack);
  EXPECT_EQ(p.ccd_largest_slack, q.ccd_largest_slack);
  EXPECT_EQ(p.reach, q.reach);
  EXPECT_EQ(p.stall_iterations, q.stall_iterations);
  EXPECT_EQ(p.stall_fraction, q.stall_fraction);
}

void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.time_step, b.time_step);
  EXPECT_EQ(a.end_time, b.end_time);
  expect_equal(a.gravity, b.gravity);
  ASSERT_EQ(a.materials.size(), b.materials.size());
  for (std::size_t i = 0; i < a.materials.size(); ++i) {
    EXPECT_EQ(a.materials[i].name, b.materials[i].name);
    EXPECT_EQ(a.materials[i].model, b.materials[i].model);
    EXPECT_EQ(a.materials[i].density, b.materials[i].density);
    EXPECT_EQ(a.materials[i].young, b.materials[i].young);
    EXPECT_EQ(a.materials[i].poisson, b.materials[i].poisson);
  }
  expect_same_bodies(a, b);
  expect_same_motions(a, b);
  EXPECT_EQ(a.solver.minimum_iterations, b.solver.minimum_iterations);
  EXPECT_EQ(a.solver.maximum_iterations, b.solver.maximum_iterations);
  EXPECT_EQ(a.solver.accuracy, b.solver.accuracy);
  EXPECT_EQ(a.solver.linear.method, b.solver.linear.method);
  EXPECT_EQ(a.solver.linear.tolerance, b.solver.linear.tolerance);
  EXPECT_EQ(a.solver.linear.maximum_iterations, b.solver.linear.maximum_iterations);
  EXPECT_EQ(a.solver.linear.options, b.solver.linear.options);
  expect_same_contact_solver(a.solver, b.solver);
  EXPECT_EQ(a.output.directory, b.output.directory);
  EXPECT_EQ(a.output.every, b.output.every);
  EXPECT_EQ(a.output.fields, b.output.fields);
  EXPECT_EQ(a.output.checkpoint_steps, b.output.checkpoint_steps);
}

TEST(SceneReader, DefaultsOfTheTableAreThoseOfTheTypes) {
  const Scene scene = parse_scene(minimal, "folder/minimal.yaml", {});
  EXPECT_EQ(scene.name, "minimal");
  EXPECT_EQ(scene.output.directory, "runs/minimal");
  Scene plain;
  plain.name = "minimal";
  plain.time_step = 0.01;
  plain.end_time = 1;
  plain.materials.push_back({"rubber", MaterialModel::stable_neo_hookean, 1000, 1e6, 0.3});
  BodySpec body;
  body.name = "ball";
  body.mesh.generator = "ball";
  body.mesh.parameters = {{"radius", {0.5}}, {"cells", {4}}};
  plain.bodies.push_back(body);
  plain.output.directory = "runs/minimal";
  expect_same(scene, plain);
}

TEST(SceneReader, ReadsEveryKey) {
  const Scene scene = parse_scene(full, "/data/scenes/full.yaml", {});
  EXPECT_EQ(scene.name, "drop.2");
  EXPECT_EQ(scene.time_step, 1.0 / 3);
  EXPECT_EQ(scene.gravity[1], -9.81);
  EXPECT_EQ(scene.materials[0].model, MaterialModel::neo_hookean);
  EXPECT_EQ(scene.materials[1].model, MaterialModel::corotated);
  EXPECT_EQ(scene.materials[1].poisson, -0.25);
  const BodySpec& ball = scene.bodies[0];
  EXPECT_EQ(ball.mesh.parameters.at("cells"), std::vector<Real>{8});
  EXPECT_EQ(ball.mesh.scale, 0.01);
  EXPECT_EQ(ball.mesh.place.line, 11);
  EXPECT_EQ(ball.material, 1);
  EXPECT_EQ(ball.place.degrees, 30);
  EXPECT_EQ(ball.place.axis[1], 1);
  EXPECT_EQ(ball.place.translate[1], 4);
  EXPECT_EQ(ball.velocity[1], -1);
  EXPECT_EQ(ball.repeat.count, (std::array<int, 3>{4, 4, 2}));
  EXPECT_EQ(ball.repeat.spacing[2], 1.3);
  EXPECT_EQ(ball.repeat.jitter, 0.02);
  EXPECT_EQ(ball.repeat.seed, 7u);
  EXPECT_TRUE(ball.components);
  EXPECT_EQ(scene.bodies[1].mesh.parameters.at("cells"), (std::vector<Real>{1, 2, 3}));
  EXPECT_EQ(scene.bodies[2].mesh.parameters.at("cells"), std::vector<Real>{2});
  EXPECT_EQ(scene.bodies[3].mesh.parameters.at("cells_along"), std::vector<Real>{0});
  EXPECT_EQ(scene.bodies[4].mesh.file, "/data/scenes/bar \"1\".msh");
  EXPECT_EQ(scene.bodies[4].mesh.scale, 2);
  EXPECT_EQ(scene.solver.linear.method, LinearSpec::Method::ksp);
  EXPECT_EQ(scene.solver.linear.options, "-pc_type gamg -ksp_view");
  EXPECT_EQ(scene.output.directory, "out/here");
  EXPECT_EQ(scene.output.fields, (std::vector<std::string>{"displacement", "von_mises"}));
  EXPECT_EQ(scene.output.checkpoint_steps, 9);
}

TEST(SceneReader, ReadsMotions) {
  const auto motions = parse_scene(full, "full.yaml", {}).motions;
  ASSERT_EQ(motions.size(), 5u);
  EXPECT_EQ(motions[0].body, 1);
  EXPECT_EQ(motions[0].select.shape, Selection::Shape::box);
  EXPECT_EQ(motions[0].axes, (std::array<bool, 3>{true, false, true}));
  EXPECT_EQ(motions[0].move.kind, MoveSpec::Kind::fixed);
  EXPECT_EQ(motions[0].to, 0.5);
  EXPECT_EQ(motions[1].select.shape, Selection::Shape::sphere);
  EXPECT_EQ(motions[1].select.radius, 0.1);
  EXPECT_EQ(motions[1].axes, (std::array<bool, 3>{false, true, false}));
  EXPECT_EQ(motions[1].move.kind, MoveSpec::Kind::velocity);
  EXPECT_EQ(motions[1].move.velocity[1], 0.2);
  EXPECT_EQ(motions[1].from, 0.1);
  EXPECT_EQ(motions[2].select.shape, Selection::Shape::plane);
  EXPECT_EQ(motions[2].select.direction[1], 1);
  EXPECT_EQ(motions[2].move.kind, MoveSpec::Kind::rotate);
  EXPECT_EQ(motions[2].move.rate, 90);
  EXPECT_EQ(motions[2].move.center[2], 1);
  EXPECT_EQ(motions[3].select.shape, Selection::Shape::cylinder);
  EXPECT_EQ(motions[3].select.direction[1], 2);
  EXPECT_EQ(motions[3].move.kind, MoveSpec::Kind::scale);
  EXPECT_EQ(motions[3].move.rate, -0.1);
  EXPECT_EQ(motions[4].select.shape, Selection::Shape::all);
}

TEST(SceneReader, UsedSceneReadsBackAsTheSameScene) {
  for (const char* text : {minimal, full}) {
    const Scene first = parse_scene(text, "/data/scenes/full.yaml", {});
    const Scene second = parse_scene(first.resolved_yaml, "/elsewhere/used_scene.yaml", {});
    expect_same(first, second);
    EXPECT_EQ(first.resolved_yaml, second.resolved_yaml);
  }
}

TEST(SceneReader, OverridesReachEveryEntry) {
  const Scene scene = parse_scene(
      full, "full.yaml",
      {"parameters.n=16", "time.step=$(half/100)", "bodies.ball.velocity=[1, 2, 3]", "bodies.ball.place.translate.2=7",
       "bodies.rod.mesh.rod.cells_along=5", "motions.e.move.velocity=[1, 0, 0]", "output.every=0",
       "materials.steel.young=1e9", "solver={maximum_iterations: 9}"});
  EXPECT_EQ(scene.bodies[0].mesh.parameters.at("cells"), std::vector<Real>{16});
  EXPECT_EQ(scene.time_step, 0.08);
  EXPECT_EQ(scene.bodies[0].velocity[2], 3);
  EXPECT_EQ(scene.bodies[0].place.translate[2], 7);
  EXPECT_EQ(scene.bodies[0].place.translate[1], 8);
  EXPECT_EQ(scene.bodies[3].mesh.parameters.at("cells_along"), std::vector<Real>{5});
  EXPECT_EQ(scene.motions[4].move.kind, MoveSpec::Kind::velocity);
  EXPECT_EQ(scene.output.every, 0);
  EXPECT_EQ(scene.materials[0].young, 1e9);
  EXPECT_EQ(scene.solver.maximum_iterations, 9);
  EXPECT_EQ(scene.solver.linear.method, LinearSpec::Method::pcg);
  const Scene made = parse_scene(minimal, "minimal.yaml", {"solver.linear.options=-ksp_view", "name=other"});
  EXPECT_EQ(made.solver.linear.options, "-ksp_view");
  EXPECT_EQ(made.output.directory, "runs/other");
}

TEST(SceneReader, FrictionVelocityMayBeLeftOpen) {
  const std::string open = std::string(minimal) + "\ncontact: {offset: 1.0e-3}\n";
  const Scene scene = parse_scene(open, "scene.yaml", {});
  EXPECT_FALSE(scene.contact->friction_velocity);
  EXPECT_EQ(scene.resolved_yaml.find("friction_velocity"), std::string::npos);
  EXPECT_FALSE(parse_scene(scene.resolved_yaml, "used_scene.yaml", {}).contact->friction_velocity);
  const Scene given = parse_scene(open, "scene.yaml", {"contact.friction_velocity=0.25"});
  EXPECT_EQ(given.contact->friction_velocity, 0.25);
  EXPECT_EQ(parse_scene(given.resolved_yaml, "used_scene.yaml", {}).contact->friction_velocity, 0.25);
}

TEST(SceneReader, DescriptionHasEveryKeyOfTheTable) {
  const std::string text = describe_scene_schema();
  EXPECT_NE(text.find("    number, m/s, > 0, default 1e-3/s of the diagonal of the bodies' box at the start\n"),
            std::string::npos);
  EXPECT_NE(text.find("  step: time step\n      number, s, > 0, required\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    poisson: Poisson's ratio\n        number, > -1 and < 0.5, required\n"), std::string::npos);
  EXPECT_NE(text.find("        number or none, contact offsets, >= 0, default 0.1, with preset published none\n"),
            std::string::npos);
  EXPECT_NE(text.find("shells: cloth and shells (not supported yet)\n"), std::string::npos);
  EXPECT_NE(text.find("      region: name in the mesh file: vertices of its tetrahedra\n"), std::string::npos);
  EXPECT_NE(text.find("    stiffness: of all springs together; each vertex has the share that it has in their mass\n"
                      "        number, N/m, > 0, required\n"),
            std::string::npos);
  for (const SchemaEntry& entry : scene_schema()) {
    if (last_key(entry.path) == "*") continue;
    const std::string line = std::string(last_key(entry.path)) + ": " + std::string(entry.description);
    EXPECT_NE(text.find(line), std::string::npos) << entry.path;
  }
}

TEST(SceneReader, ReadsTheScenesOfTheRepository) {
  int count = 0;
  for (const auto& item : std::filesystem::directory_iterator(UNBARRED_SOURCE_DIR "/scenes")) {
    if (item.path().extension() != ".yaml") continue;
    const Scene scene = read_scene(item.path(), {});
    EXPECT_EQ(scene.name, item.path().stem());
    for (const BodySpec& body : scene.bodies) {
      EXPECT_TRUE(body.mesh.file.empty() || std::filesystem::exists(body.mesh.file)) << body.mesh.file;
    }
    ++count;
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace unbarred
