// Obstacles, loads, motions by table and expression, contact and solver settings.
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <locale>
#include <map>

#include "io/scene/motion_table.hpp"
#include "io/scene/scene_reader.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

const char* const scene_text = R"yaml(
parameters: {amp: 0.25, period: 2}
time: {step: 0.01, end: 1.0}
materials:
  soft-rubber: {density: 1000, young: 1.0e6, poisson: 0.3}
  steel: {density: 7800, young: 2.0e11, poisson: 0.3}
bodies:
  ball: {mesh: {ball: {radius: 0.5, cells: 4}}, material: soft-rubber, body_force: [0, $(amp), 1]}
  bar: {mesh: {file: bar.msh}, material: steel}
obstacles:
  floor:
    mesh: {plane: {size: [10, 20], cells: 3}}
    place: {rotate: {axis: [1, 0, 0], degrees: 90}, translate: [0, 1, 0]}
  stamp: {mesh: {file: parts/stamp.obj, scale: 2}}
motions:
  wave: {body: ball, move: {expression: ["amp*sin(2*pi*t/period)", $(1e2*t), 0]}, from: 0.5}
  table: {body: stamp, move: {table: tables/way.csv}}
  left: {body: bar, select: {region: left end}, move: fixed}
pressures:
  inside: {body: ball, pressure: -5.0e3, from: 0.1, to: 0.2}
  patch: {body: bar, select: {box: {lower: [0, 0, 0], upper: [1, 1, 1]}}, pressure: 7}
springs:
  own: {body: ball, stiffness: 12}
  point: {body: bar, select: {region: right}, stiffness: 3, rest: {point: [1, 2, 3]}}
contact:
  offset: 2.0e-3
  friction: 0.3
  friction_velocity: 1.0e-2
  friction_lagging: step
  pairs: {soft-rubber-steel: {friction: 0.5}, steel-floor: {friction: 0}, none: [[ball, floor], [bar, ball]]}
solver:
  preset: published
  epsilon: 0.01
  step_filter: planar
  lagging_fraction: 0.02
  audit: 5
  linear: {method: ksp, preconditioner: petsc, precision: single}
output: {contacts: true, fields: [gap, velocity], checkpoint: {steps: 0, wall: 600, time: 0.25}}
)yaml";

void expect_equal(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a[k], b[k]);
}

void expect_obstacles_and_loads(const Scene& scene) {
  expect_equal(scene.bodies[0].body_force, {{0, 0.25, 1}});
  ASSERT_EQ(scene.obstacles.size(), 2u);
  EXPECT_EQ(scene.obstacles[0].mesh.generator, "plane");
  EXPECT_EQ(scene.obstacles[0].mesh.parameters.at("size"), (std::vector<Real>{10, 20}));
  EXPECT_EQ(scene.obstacles[0].place.degrees, 90);
  EXPECT_EQ(scene.obstacles[1].mesh.file, "/data/parts/stamp.obj");
  EXPECT_EQ(scene.obstacles[1].mesh.scale, 2);
  ASSERT_EQ(scene.pressures.size(), 2u);
  EXPECT_EQ(scene.pressures[0].pressure, -5000);
  EXPECT_EQ(scene.pressures[0].from, 0.1);
  EXPECT_EQ(scene.pressures[0].to, 0.2);
  EXPECT_EQ(scene.pressures[0].select.shape, Selection::Shape::all);
  EXPECT_EQ(scene.pressures[1].body, 1);
  EXPECT_EQ(scene.pressures[1].select.shape, Selection::Shape::box);
  ASSERT_EQ(scene.springs.size(), 2u);
  EXPECT_EQ(scene.springs[0].stiffness, 12);
  EXPECT_FALSE(scene.springs[0].point);
  expect_equal(scene.springs[1].point.value(), {{1, 2, 3}});
  EXPECT_EQ(scene.springs[1].select.region, "right");
}

void expect_motions(const Scene& scene) {
  ASSERT_EQ(scene.motions.size(), 3u);
  EXPECT_EQ(scene.motions[0].move.kind, MoveSpec::Kind::expression);
  EXPECT_EQ(scene.motions[0].move.expression[0](0.25), 0.25 * std::sin(2 * M_PI * 0.25 / 2));
  EXPECT_EQ(scene.motions[0].move.expression[1](0.25), 25);
  EXPECT_EQ(scene.motions[0].move.expression[2](0.25), 0);
  EXPECT_EQ(scene.motions[1].body, 3);  // the second obstacle, after two bodies
  EXPECT_EQ(scene.motions[1].move.kind, MoveSpec::Kind::table);
  EXPECT_EQ(scene.motions[1].move.file, "/data/tables/way.csv");
  EXPECT_EQ(scene.motions[2].select.shape, Selection::Shape::region);
  EXPECT_EQ(scene.motions[2].select.region, "left end");
}

void expect_settings(const Scene& scene) {
  const ContactSpec& contact = scene.contact.value();
  EXPECT_EQ(contact.offset, 2e-3);
  EXPECT_EQ(contact.friction, 0.3);
  EXPECT_EQ(contact.friction_velocity, 1e-2);
  EXPECT_EQ(contact.friction_lagging, ContactSpec::Lagging::step);
  ASSERT_EQ(contact.pairs.size(), 2u);
  EXPECT_EQ(contact.pairs[0].a, 0);
  EXPECT_EQ(contact.pairs[0].b, 1);
  EXPECT_EQ(contact.pairs[0].friction, 0.5);
  EXPECT_EQ(contact.pairs[1].b, 2);  // the first obstacle, after two materials
  EXPECT_EQ(contact.none, (std::vector<std::array<int, 2>>{{0, 2}, {1, 0}}));
  EXPECT_EQ(scene.solver.preset, Preset::published);
  EXPECT_EQ(scene.solver.epsilon, 0.01);
  EXPECT_EQ(scene.solver.lagging_fraction, 0.02);
  EXPECT_EQ(scene.solver.audit, 5);
  EXPECT_EQ(scene.solver.linear.preconditioner, PreconditionerKind::petsc);
  EXPECT_TRUE(scene.output.contacts);
  EXPECT_EQ(scene.output.checkpoint_steps, 0);
  EXPECT_EQ(scene.output.checkpoint_wall, 600);
  EXPECT_EQ(scene.output.checkpoint_time, 0.25);
  EXPECT_EQ(scene.not_yet.size(), 2u);  // planar and single
}

TEST(SceneLoads, AreReadAndSoIsTheUsedScene) {
  const Scene first = parse_scene(scene_text, "/data/loads.yaml", {});
  const Scene second = parse_scene(first.resolved_yaml, "/elsewhere/used_scene.yaml", {});
  for (const Scene* scene : {&first, &second}) {
    expect_obstacles_and_loads(*scene);
    expect_motions(*scene);
    expect_settings(*scene);
  }
  EXPECT_EQ(first.resolved_yaml, second.resolved_yaml);
}

TEST(SceneLoads, OverridesReachThem) {
  const Scene scene = parse_scene(
      scene_text, "/data/loads.yaml",
      {"parameters.amp=2", "contact.pairs.none=[]", "springs.own.rest.point=[0, 0, 1]", "pressures.inside.pressure=3",
       "contact.pairs.steel-floor.friction=0.1", "motions.wave.move.expression.1=t^2"});
  EXPECT_TRUE(scene.contact->none.empty());
  EXPECT_EQ(scene.contact->pairs[1].friction, 0.1);
  EXPECT_EQ(scene.springs[0].point.value()[2], 1);
  EXPECT_EQ(scene.pressures[0].pressure, 3);
  EXPECT_EQ(scene.motions[0].move.expression[1](3), 9);
  EXPECT_EQ(scene.bodies[0].body_force[1], 2);
}

TEST(SceneLoads, ObstaclesHaveTheirOwnGenerators) {
  const auto parameters = [](const std::string& mesh) {
    return parse_scene(scene_text, "/data/loads.yaml", {"obstacles.floor.mesh={" + mesh + "}"})
        .obstacles[0]
        .mesh.parameters;
  };
  using Values = std::map<std::string, std::vector<Real>>;
  EXPECT_EQ(parameters("box: {size: [1, 2, 3]}"), (Values{{"size", {1, 2, 3}}, {"cells", {1}}}));
  EXPECT_EQ(parameters("plate: {size: [1, 2, 3], cells: [4, 5]}"), (Values{{"size", {1, 2, 3}}, {"cells", {4, 5}}}));
  EXPECT_EQ(parameters("sphere: {radius: 1, cells: 4}"), (Values{{"radius", {1}}, {"cells", {4}}}));
  EXPECT_EQ(parameters("bowl: {radius: 1, cells: 4}"), (Values{{"radius", {1}}, {"degrees", {90}}, {"cells", {4}}}));
  EXPECT_EQ(parameters("tube: {radius: 1, height: 2, cells_around: 8}"),
            (Values{{"radius", {1}}, {"height", {2}}, {"cells_around", {8}}, {"cells_along", {0}}}));
  EXPECT_EQ(parameters("funnel: {radius: 1, height: 2, spout_radius: 0.1, spout_height: 0.5, cells_around: 8}").size(),
            6u);
}

TEST(SceneLoads, AnExpressionThatIsNotFiniteSaysWhen) {
  const Scene scene =
      parse_scene(scene_text, "/data/loads.yaml", {"motions.wave.move.expression=[1/(t-1), amp, period]"});
  EXPECT_EQ(scene.motions[0].move.expression[0](0), -1);
  try {
    scene.motions[0].move.expression[0](1);
    FAIL() << "1/0 is no number";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("`1/(t-1)` is not a finite number at t = 1 s"), std::string::npos)
        << error.what();
  }
}

TEST(MotionTables, AreLinesOfFourNumbers) {
  const MotionTable table =
      parse_motion_table("# way\ntime [s], dx, dy, dz\n0, 0, 0, 0\r\n\n1;2;3;4\n 1.5\t-2 0 1e3", "t");
  EXPECT_EQ(table.times, (std::vector<Real>{0, 1, 1.5}));
  expect_equal(table.displacements[1], {{2, 3, 4}});
  expect_equal(table.displacements[2], {{-2, 0, 1000}});
}

TEST(MotionTables, ErrorsNameLineAndColumn) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      parse_motion_table(text, "way.csv");
    } catch (const Error& found) {
      EXPECT_EQ(found.code(), ExitCode::bad_input);
      return found.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("0, 0, 0, 0\n1, 2, x3, 4"), "way.csv:2:7: `x3` is not a number");
  EXPECT_EQ(error("0, 0, 0, 0\n1, 2, 3"), "way.csv:2:1: a line of the table has time, dx, dy, dz: 4 numbers, not 3");
  EXPECT_EQ(error("0, 0, , 0"), "way.csv:1:7: `` is not a number");
  EXPECT_EQ(error("1, 0, 0, 0\n1, 0, 0, 0"), "way.csv:2:1: times must ascend: 1 s comes after 1 s");
  EXPECT_EQ(error("0, 0, 0, nan"), "way.csv:1:10: `nan` is not a finite number");
  EXPECT_EQ(error("time, dx, dy, dz\n"), "way.csv: the table has no line of numbers: time, dx, dy, dz");
  EXPECT_EQ(error(""), "way.csv: the table has no line of numbers: time, dx, dy, dz");
}

TEST(MotionTables, AreReadBesideTheScene) {
  const test::TemporaryFile file("way.csv", "0, 0, 0, 0\n2, 1, 0, 0\n");
  Scene scene = parse_scene(scene_text, "/data/loads.yaml", {"motions.table.move.table=" + file.path().string()});
  read_motion_tables(scene, test::world());
  EXPECT_EQ(scene.motions[1].move.table.times, (std::vector<Real>{0, 2}));
  scene.motions[1].move.file = "/no/such/way.csv";
  EXPECT_THROW(read_motion_tables(scene, test::world()), Error);
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Locale, WithADecimalCommaChangesNothing) {
  const Scene before = parse_scene(scene_text, "/data/loads.yaml", {});
  const std::locale usual = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  // Streams follow the locale made here; the C library one of these, where it is installed.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_NUMERIC, name)) break;
  const Scene after = parse_scene(scene_text, "/data/loads.yaml", {});
  const MotionTable table = parse_motion_table("0.5, 0.25, 0, 0", "t");
  std::setlocale(LC_ALL, "C");
  std::locale::global(usual);
  EXPECT_EQ(before.resolved_yaml, after.resolved_yaml);
  EXPECT_EQ(table.times[0], 0.5);
}

}  // namespace
}  // namespace unbarred
