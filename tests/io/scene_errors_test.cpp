// Every class of mistake in a scene: message with file:line:column, what is wrong, what to do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/scene/scene_reader.hpp"
#include "io/text/nearest.hpp"

namespace unbarred {
namespace {

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "s.yaml", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

struct Lines {
  std::string time = "time: {step: 0.01, end: 1.0}";
  std::string materials = "materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3}}";
  std::string bodies = "bodies: {ball: {mesh: {ball: {radius: 0.5, cells: 4}}, material: rubber}}";
  std::string rest{};
  std::string text() const { return time + "\n" + materials + "\n" + bodies + "\n" + rest + "\n"; }
};

std::string with_time(const std::string& line) { return error_of(Lines{.time = line}.text()); }
std::string with_materials(const std::string& line) { return error_of(Lines{.materials = line}.text()); }
std::string with_bodies(const std::string& line) { return error_of(Lines{.bodies = line}.text()); }
std::string with_rest(const std::string& lines) { return error_of(Lines{.rest = lines}.text()); }
std::string with_material(const std::string& values) { return with_materials("materials: {rubber: {" + values + "}}"); }

TEST(SceneErrors, YamlItself) {
  EXPECT_EQ(with_rest("gravity: [0, 0"), "s.yaml:5:1: this is no YAML: end of sequence flow not found");
  EXPECT_EQ(with_rest("time: {step: 1}"),
            "s.yaml:4:1: duplicated key `time`: first given in line 1; remove one of them");
  EXPECT_EQ(with_time("time: {step: 0.01, end: 1.0, step: 2}"),
            "s.yaml:1:30: duplicated key `step`: first given in line 1; remove one of them");
  EXPECT_EQ(with_time("time: &t {step: 0.01, end: 1.0}"),
            "s.yaml:1:7: anchors (&) and aliases (*) are not supported: write the value out, or use `parameters`");
  EXPECT_EQ(with_time("time: {step: !!float 0.01, end: 1.0}"),
            "s.yaml:1:14: YAML tags (tag:yaml.org,2002:float) are not supported: remove it");
  EXPECT_EQ(with_rest("? [a]\n: b"), "s.yaml:4:3: a key must be a plain word");
  EXPECT_NE(with_rest("---\nname: b").find("a second document"), std::string::npos);
  EXPECT_EQ(error_of("- a"), "s.yaml:1:1: a scene must be a map of keys and values");
  EXPECT_EQ(error_of("hello"), "s.yaml:1:1: a scene must be a map of keys and values");
  EXPECT_EQ(error_of(""), "s.yaml:1:1: missing `time.step`: time step (s)");
  EXPECT_NE(error_of(std::string(100000, '[')).find("s.yaml:1"), std::string::npos);
}

TEST(SceneErrors, UnknownKeysNameTheNearest) {
  EXPECT_EQ(with_time("tiem: {step: 0.01, end: 1.0}"), "s.yaml:1:1: unknown key `tiem`, did you mean `time`?");
  EXPECT_EQ(with_time("time: {stpe: 0.01, end: 1.0}"), "s.yaml:1:8: unknown key `time.stpe`, did you mean `step`?");
  EXPECT_EQ(with_material("density: 1, young: 1, poison: 0.3"),
            "s.yaml:2:44: unknown key `materials.rubber.poison`, did you mean `poisson`?");
  EXPECT_EQ(with_rest("accuracy: 1.0e-3"), "s.yaml:4:1: unknown key `accuracy`, did you mean `solver.accuracy`?");
  EXPECT_EQ(with_time("time: {step: 0.01, end: 1.0, qqqqqq: 1}"),
            "s.yaml:1:30: unknown key `time.qqqqqq`; known here: step, end");
  EXPECT_EQ(with_rest("materials.rubber.young: 3").substr(0, 38), "s.yaml:4:1: unknown key `materials.rub");
}

TEST(SceneErrors, MissingEntriesAreNamed) {
  EXPECT_EQ(with_time("time: {step: 0.01}"), "s.yaml:1:7: missing `time.end`: end of the simulation (s)");
  EXPECT_EQ(with_time(""), "s.yaml:2:1: missing `time.step`: time step (s)");
  EXPECT_EQ(with_materials(""), "s.yaml:1:1: missing `materials`: materials by name");
  EXPECT_EQ(with_materials("materials: {}"), "s.yaml:2:12: `materials` is empty: at least one is needed");
  EXPECT_EQ(with_material("density: 1, young: 1"), "s.yaml:2:21: missing `materials.rubber.poisson`: Poisson's ratio");
  EXPECT_EQ(with_bodies("bodies: {ball: {material: rubber}}"),
            "s.yaml:3:16: missing `bodies.ball.mesh`: tetrahedra: a mesh file, or a generator (centered at the "
            "origin)");
  EXPECT_EQ(with_bodies("bodies: {ball: {mesh: {ball: {radius: 1}}, material: rubber}}"),
            "s.yaml:3:30: missing `bodies.ball.mesh.ball.cells`: cells across the diameter");
  EXPECT_EQ(with_bodies("bodies: {ball: {mesh: {scale: 2}, material: rubber}}"),
            "s.yaml:3:23: `bodies.ball.mesh` needs one of file, box, ball, rod, cylinder, torus, "
            "plate_with_hole, arch");
  EXPECT_EQ(with_rest("motions: {a: {body: ball}}"), "s.yaml:4:14: missing `motions.a.move`: motion of the selection");
}

TEST(SceneErrors, Numbers) {
  EXPECT_EQ(with_time("time:\n  step: 0,01\n  end: 1"),
            "s.yaml:2:9: `time.step`: `0,01` is not a number: write a decimal point, not a comma");
  EXPECT_EQ(with_time("time: {step: 0,01, end: 1}"),
            "s.yaml:1:16: unknown key `time.01`: if this is a decimal comma, write a point");
  EXPECT_EQ(with_time("time: {step: nan, end: 1}"), "s.yaml:1:14: `time.step`: `nan` is not a finite number");
  EXPECT_EQ(with_time("time: {step: .inf, end: 1}"), "s.yaml:1:14: `time.step`: `.inf` is not a number");
  EXPECT_EQ(with_time("time: {step: 1e999, end: 1}"),
            "s.yaml:1:14: `time.step`: `1e999` is out of the range of numbers");
  EXPECT_EQ(with_time("time: {step: 0, end: 1}"), "s.yaml:1:14: `time.step` must be > 0 (s), not 0");
  EXPECT_EQ(with_time("time: {step: , end: 1}"), "s.yaml:1:14: `time.step` must be a number (s)");
  EXPECT_EQ(with_time("time: {step: [1], end: 1}"), "s.yaml:1:14: `time.step` must be a number (s)");
  EXPECT_EQ(with_time("time: 3"), "s.yaml:1:7: `time` must be a map: simulated time");
  EXPECT_EQ(with_material("density: -1, young: 1, poisson: 0.3"),
            "s.yaml:2:31: `materials.rubber.density` must be > 0 (kg/m^3), not -1");
  EXPECT_EQ(with_material("density: 1, young: 1, poisson: 0.5"),
            "s.yaml:2:53: `materials.rubber.poisson` must be > -1 and < 0.5, not 0.5");
  EXPECT_EQ(with_material("density: 1, young: 1, poisson: 0.6"),
            "s.yaml:2:53: `materials.rubber.poisson` must be > -1 and < 0.5, not 0.6");
  EXPECT_EQ(with_material("density: 1, young: 1, poisson: -1"),
            "s.yaml:2:53: `materials.rubber.poisson` must be > -1 and < 0.5, not -1");
  EXPECT_EQ(with_bodies("bodies: {ball: {mesh: {ball: {radius: 1, cells: 4.5}}, material: rubber}}"),
            "s.yaml:3:49: `bodies.ball.mesh.ball.cells` must be a whole number, not 4.5");
  EXPECT_EQ(with_bodies("bodies: {ball: {mesh: {ball: {radius: 1, cells: 1.0e10}}, material: rubber}}"),
            "s.yaml:3:49: `bodies.ball.mesh.ball.cells` must be not so large, not 1.0e10");
  EXPECT_EQ(with_bodies("bodies: {b: {mesh: {box: {size: [1, 1, 1], cells: [1, 2]}}, material: rubber}}"),
            "s.yaml:3:51: `bodies.b.mesh.box.cells` must be a whole number or a list of 3 whole numbers");
  EXPECT_EQ(with_rest("gravity: [0, 1]"), "s.yaml:4:10: `gravity` must be a list of 3 numbers (m/s^2)");
  EXPECT_EQ(with_rest("gravity: 9.81"), "s.yaml:4:10: `gravity` must be a list of 3 numbers (m/s^2)");
  EXPECT_EQ(with_rest("gravity: [0, -9,81, 0]"), "s.yaml:4:10: `gravity` must be a list of 3 numbers (m/s^2)");
  EXPECT_EQ(with_rest("gravity: [0, [1], 0]"), "s.yaml:4:14: `gravity` must be a list of 3 numbers (m/s^2)");
}

TEST(SceneErrors, Expressions) {
  EXPECT_EQ(with_time("time: {step: $(1/n), end: 1}"),
            "s.yaml:1:18: in `$(1/n)`: unknown parameter or function `n`; parameters are defined under "
            "`parameters`, above their use");
  EXPECT_EQ(with_time("time: {step: \"$(1+)\", end: 1}"), "s.yaml:1:19: in `$(1+)`: the expression ends too early");
  EXPECT_EQ(with_rest("parameters: {a: $(b), b: 1}").substr(0, 62),
            "s.yaml:4:19: in `$(b)`: unknown parameter or function `b`; par");
  EXPECT_EQ(with_rest("parameters: {unused: 1}"), "s.yaml:4:14: the parameter `unused` is used nowhere: remove it");
  EXPECT_EQ(with_rest("parameters: {pi: 3}"), "s.yaml:4:14: `pi` cannot be the name of a parameter: choose another");
  EXPECT_EQ(with_rest("parameters: {a: word}"), "s.yaml:4:17: `parameters.a`: `word` is not a number");
  EXPECT_EQ(with_rest("parameters: 3"), "s.yaml:4:13: `parameters` must be a map of names");
}

TEST(SceneErrors, WordsAndReferences) {
  EXPECT_EQ(with_material("model: neo_hokean, density: 1, young: 1, poisson: 0"),
            "s.yaml:2:29: unknown value `neo_hokean` for `materials.rubber.model`, did you mean `neo_hookean`?");
  EXPECT_EQ(with_bodies("bodies: {ball: {mesh: {ball: {radius: 0.5, cells: 4}}, material: ruber}}"),
            "s.yaml:3:66: unknown material `ruber`, did you mean `rubber`?");
  EXPECT_EQ(with_rest("motions: {a: {body: wheel, move: fixed}}"), "s.yaml:4:21: unknown body `wheel`; known: ball");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: fixd}}"),
            "s.yaml:4:33: `motions.a.move` must be a map: motion of the selection");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: {fixed: 3}}}"),
            "s.yaml:4:41: `motions.a.move.fixed` takes no value");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: {velocity: [1, 0, 0], scale: {factor_per_second: 1}}}}"),
            "s.yaml:4:33: `motions.a.move` has `velocity` and `scale`: give only one of fixed, velocity, "
            "rotate, scale, table, expression");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, axes: [x, w], move: fixed}}"),
            "s.yaml:4:37: unknown value `w` for `motions.a.axes`; known: x, y, z");
  EXPECT_EQ(with_bodies("bodies: {\"a b\": {}}"), "s.yaml:3:10: the name `a b` may have letters, digits, _ and - only");
  EXPECT_EQ(with_bodies("bodies: [a]"), "s.yaml:3:9: `bodies` must be a map of names");
  EXPECT_EQ(with_rest("name: a/b"),
            "s.yaml:4:7: the scene's name `a/b` becomes part of file names: use letters, "
            "digits, _ - . (`name: my_scene`)");
}

TEST(SceneErrors, ValuesThatContradict) {
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: fixed, from: 2, to: 1}}"),
            "s.yaml:4:14: the motion `a`: `from` must be before `to`");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: {rotate: {axis: [0, 0, 0], degrees_per_second: 1}}}}"),
            "s.yaml:4:49: `axis` has no direction: it must not be zero");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: fixed, select: {box: {lower: [0, 1, 0], upper: [0, 0, 0]}}}}"),
            "s.yaml:4:54: `lower` must not be above `upper`");
  EXPECT_EQ(with_rest("motions: {a: {body: ball, move: {scale: {factor_per_second: -2}}, from: 0.25}}"),
            "s.yaml:4:14: the motion `a` scales to nothing at t = 0.75 s: end it with `to` before");
  EXPECT_EQ(with_bodies("bodies: {b: {mesh: {ball: {radius: 1, cells: 4}}, material: rubber, "
                        "repeat: {count: [2000, 2000, 2000]}}}"),
            "s.yaml:3:85: body `b`: more than 2^31 bodies; lower repeat.count");
  EXPECT_EQ(with_rest("solver: {minimum_iterations: 7, maximum_iterations: 6}"),
            "s.yaml:4:30: `minimum_iterations` must not be above `maximum_iterations`");
}

TEST(SceneErrors, WhatIsNotSupportedYetIsRefusedByName) {
  for (const std::string key : {"shells", "rigid_bodies", "joints", "sensitivity", "remeshing"})
    EXPECT_EQ(with_rest(key + ": {}"), "s.yaml:4:1: `" + key + "` is not supported yet: remove it");
  EXPECT_EQ(with_rest("output: {format: vtkhdf}"), "s.yaml:4:18: `vtkhdf` for `output.format` is not supported yet");
  EXPECT_EQ(with_bodies("bodies: {t: {mesh: {shell_grid: {}}, material: rubber}}"),
            "s.yaml:3:21: `bodies.t.mesh.shell_grid` is not supported yet: remove it");
}

/// What the reader keeps and `run` refuses: "line:column key".
std::vector<std::string> kept(const std::string& rest, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> items;
  for (const NotYet& item : parse_scene(Lines{.rest = rest}.text(), "s.yaml", overrides).not_yet)
    items.push_back(to_string(item.place).substr(7) + " " + item.key);
  return items;
}

TEST(SceneErrors, WhatIsUnderstoodButNotCarriedOutIsNoted) {
  using Items = std::vector<std::string>;
  for (const std::string filter : {"planar", "isotropic", "project"})
    EXPECT_EQ(kept("solver: {step_filter: " + filter + "}"), Items{"4:23 solver.step_filter: " + filter});
  EXPECT_EQ(kept("solver: {linear: {preconditioner: two_level}}"), Items{});
  EXPECT_EQ(kept("solver: {linear: {precision: single}}"), Items{"4:30 solver.linear.precision: single"});
  EXPECT_EQ(kept("solver: {preset: published, epsilon: 0.01, step_filter: global, lagging_fraction: 0.1, audit: 10, "
                 "linear: {preconditioner: block_jacobi, precision: double}, contact: {decay: 0.5}}\n"
                 "obstacles: {f: {mesh: {plane: {size: [1, 1]}}}}\ncontact: {offset: 1.0e-3}\n"
                 "output: {contacts: true, fields: [gap, contact_force, friction_force, contact_pressure]}"),
            Items{});
}

TEST(SceneErrors, ConstantsOfTheContactSolver) {
  const auto with = [](const std::string& entry) { return with_rest("solver: {contact: {" + entry + "}}"); };
  const std::string at = "s.yaml:4:20: ", key = "`solver.contact.";
  EXPECT_EQ(with("decey: 1"), at + "unknown key " + key + "decey`, did you mean `decay`?");
  EXPECT_EQ(with("warm_start: filterd"),
            "s.yaml:4:32: unknown value `filterd` for " + key + "warm_start`, did you mean `filtered`?");
  EXPECT_EQ(with("rehit: never"), "s.yaml:4:27: unknown value `never` for " + key + "rehit`; known: keep, restore");
  EXPECT_EQ(with("offset_ramp: off"), "s.yaml:4:33: " + key + "offset_ramp`: `off` is not a number, nor `none`");
  EXPECT_EQ(with("offset_ramp: -0.1"),
            "s.yaml:4:33: " + key + "offset_ramp` must be >= 0 or none (contact offsets), not -0.1");
  EXPECT_EQ(with("offset_ramp: [1, 2]"),
            "s.yaml:4:33: " + key + "offset_ramp` must be a number or none (contact offsets)");
  EXPECT_EQ(with("decay: none"), "s.yaml:4:27: " + key + "decay`: `none` is not a number");
  EXPECT_EQ(with("decay: 1.1"), "s.yaml:4:27: " + key + "decay` must be >= 0 and <= 1, not 1.1");
  EXPECT_EQ(with("gap: 0").substr(13), key + "gap` must be > 0 and < 1 (contact offsets), not 0");
  EXPECT_EQ(with("ccd_slack: 1").substr(13), key + "ccd_slack` must be > 0 and < 1, not 1");
  EXPECT_EQ(with("ccd_largest_slack: 0").substr(13),
            key + "ccd_largest_slack` must be > 0 or none (contact offsets), not 0");
  EXPECT_EQ(with("penalty_factor: 0").substr(13), key + "penalty_factor` must be > 0, not 0");
  EXPECT_EQ(with("stall_iterations: 0").substr(13), key + "stall_iterations` must be >= 1, not 0");
  EXPECT_EQ(with_rest("solver: {preset: acurate}"),
            "s.yaml:4:18: unknown value `acurate` for `solver.preset`, did you mean `accurate`?");
}

TEST(SceneErrors, ARunThatWouldNeverEnd) {
  EXPECT_THROW(parse_scene(Lines{}.text(), "s.yaml", {"time.end=1e300"}), Error);
  EXPECT_THROW(parse_scene(Lines{}.text(), "s.yaml", {"time.step=1e-300"}), Error);
}

TEST(SceneErrors, Loads) {
  EXPECT_EQ(with_rest("pressures: {p: {body: bal, pressure: 1}}"),
            "s.yaml:4:23: unknown body `bal`, did you mean `ball`?");
  EXPECT_EQ(with_rest("pressures: {p: {body: ball}}"),
            "s.yaml:4:16: missing `pressures.p.pressure`: > 0 pushes inwards (Pa)");
  EXPECT_EQ(with_rest("pressures: {p: {body: ball, pressure: 1, from: 2, to: 2}}"),
            "s.yaml:4:16: the pressure `p`: `from` must be before `to`");
  EXPECT_EQ(with_rest("pressures: {p: {body: ball, pressure: 1, select: {box: {lower: [0, 0, 0]}}}}"),
            "s.yaml:4:56: missing `pressures.p.select.box.upper`: opposite corner (m)");
  EXPECT_EQ(with_rest("springs: {s: {body: ball, stiffness: -1}}"),
            "s.yaml:4:38: `springs.s.stiffness` must be > 0 (N/m), not -1");
  EXPECT_EQ(with_rest("springs: {s: {body: ball, stiffness: 1, rest: {point: [0, 0]}}}"),
            "s.yaml:4:55: `springs.s.rest.point` must be a list of 3 numbers (m)");
  EXPECT_EQ(with_rest("body_force: [0, 1, 0]"),
            "s.yaml:4:1: unknown key `body_force`, did you mean `bodies.*.body_force`?");
  EXPECT_EQ(with_rest("pressure: {}"), "s.yaml:4:1: unknown key `pressure`, did you mean `pressures`?");
}

TEST(SceneErrors, Obstacles) {
  EXPECT_EQ(with_rest("obstacles: {ball: {mesh: {plane: {size: [1, 1]}}}}"),
            "s.yaml:4:19: the obstacle `ball` has the name of a body: choose another");
  EXPECT_EQ(with_rest("obstacles: {f: {mesh: {plane: {size: 1}}}}"),
            "s.yaml:4:38: `obstacles.f.mesh.plane.size` must be a list of 2 numbers (m)");
  EXPECT_EQ(with_rest("obstacles: {f: {mesh: {file: a.obj}, material: rubber}}").substr(0, 56),
            "s.yaml:4:38: unknown key `obstacles.f.material`, did you");
  const std::string floor = "obstacles: {floor: {mesh: {file: a.obj}}}\n";
  EXPECT_EQ(with_rest(floor + "motions: {a: {body: flor, move: fixed}}"),
            "s.yaml:5:21: unknown body or obstacle `flor`, did you mean `floor`?");
  EXPECT_EQ(with_rest(floor + "motions: {a: {body: floor, select: {region: a}, move: fixed}}"),
            "s.yaml:5:36: `floor` is an obstacle: it has no regions");
}

TEST(SceneErrors, Expressions_OfTime) {
  const auto with = [](const std::string& list, const std::string& rest = "") {
    return with_rest("motions: {a: {body: ball, move: {expression: " + list + "}}}" + rest);
  };
  EXPECT_EQ(with("[t, 0]"), "s.yaml:4:46: `motions.a.move.expression` must be a list of 3 expressions of t (m)");
  EXPECT_EQ(with("t"), "s.yaml:4:46: `motions.a.move.expression` must be a list of 3 expressions of t (m)");
  EXPECT_EQ(with("[0, 2*tt, 0]").substr(0, 61), "s.yaml:4:52: in `$(2*tt)`: unknown parameter or function `tt`");
  EXPECT_EQ(with("[0, \"sin(t\", 0]"), "s.yaml:4:56: in `$(sin(t)`: `)` expected here");
  EXPECT_EQ(with("[t, 0, 0]", "\nparameters: {t: 1}"),
            "s.yaml:4:47: `t` is the time in this expression: give the parameter `t` another name");
}

TEST(SceneErrors, Contact) {
  EXPECT_EQ(with_rest("contact: {}"), "s.yaml:4:10: missing `contact.offset`: distance that surfaces keep (m)");
  EXPECT_EQ(with_rest("contact: {offset: 1, friction: -0.1}"),
            "s.yaml:4:32: `contact.friction` must be >= 0, not -0.1");
  EXPECT_EQ(with_rest("contact: {offset: 1, pairs: {rubber-steel: {friction: 1}}}"),
            "s.yaml:4:44: `rubber-steel` is no pair of materials or obstacles, as rubber-steel; known: rubber");
  EXPECT_EQ(with_rest("contact: {offset: 1, pairs: {none: [[ball, bell]]}}"),
            "s.yaml:4:36: unknown body or obstacle `bell`, did you mean `ball`?");
  EXPECT_EQ(with_rest("contact: {offset: 1, pairs: {none: [ball]}}"),
            "s.yaml:4:37: `contact.pairs.none` must be a list of pairs of names, as [[ball, floor]]");
  EXPECT_EQ(with_rest("solver: {linear: {preconditioner: petsc}}"),
            "s.yaml:4:35: the preconditioner `petsc` needs `method: ksp`");
}

TEST(SceneErrors, Overrides) {
  const auto with = [](const std::string& assignment) { return error_of(Lines{}.text(), {assignment}); };
  EXPECT_EQ(with("time.stpe=1"), "command line `time.stpe=1`: unknown key `stpe`, did you mean `step`?");
  EXPECT_EQ(with("bodies.bal.velocity=[0, 0, 1]"),
            "command line `bodies.bal.velocity=[0, 0, 1]`: the scene has no `bodies.bal`, did you mean `ball`?");
  EXPECT_EQ(with("materials.steel.young=1"),
            "command line `materials.steel.young=1`: the scene has no `materials.steel`; it has `rubber`");
  EXPECT_EQ(with("parameters.n=1"), "command line `parameters.n=1`: the scene has no `parameters.n`");
  EXPECT_EQ(with("time.step=0,5"),
            "command line `time.step=0,5`: `time.step`: `0,5` is not a number: write a decimal "
            "point, not a comma");
  EXPECT_EQ(with("time.step"),
            "command line `time.step`: an override is written key=value, for example "
            "time.step=0.005");
  EXPECT_EQ(with("=3"), "command line `=3`: an override is written key=value, for example time.step=0.005");
  EXPECT_EQ(with("joints.a=1"), "command line `joints.a=1`: `joints` is not supported yet");
  EXPECT_EQ(with("contact.ofset=1"), "command line `contact.ofset=1`: unknown key `ofset`, did you mean `offset`?");
  EXPECT_EQ(with("time..step=1").substr(0, 42), "command line `time..step=1`: unknown key `");
  EXPECT_EQ(with("gravity.1=3"),
            "command line `gravity.1=3`: the scene has no `gravity.1`: `gravity` is a list of 0 "
            "that counts from 0");
  EXPECT_EQ(with("bodies.*.velocity=1"),
            "command line `bodies.*.velocity=1`: the scene has no `bodies.*`; it has `ball`");
  EXPECT_EQ(with("bodies.ball.mesh.box.size=[1, 1, 1]").substr(0, 16), "command line `bo");
  EXPECT_EQ(with("time.step=[1").substr(0, 27), "command line `time.step=[1`");
}

TEST(SceneErrors, FilesThatCannotBeRead) {
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      read_scene(file, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("no/such.yaml"), "no/such.yaml: cannot read this file: check the path and its permissions");
  EXPECT_EQ(message("."), ".: this is a folder, not a scene file");
}

TEST(SceneErrors, EveryCutOffSceneIsAnErrorOrAScene) {
  const std::string text = read_text(UNBARRED_SOURCE_DIR "/scenes/quickstart.yaml");
  int errors = 0;
  for (std::size_t length = 0; length < text.size(); length += 7) {
    try {
      parse_scene(text.substr(0, length), "s.yaml", {});
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 7), "s.yaml:");
      ++errors;
    }
  }
  EXPECT_GT(errors, 50);
}

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("tiem", "time"), 1);
  EXPECT_EQ(nearest("yung", {"density", "young", "poisson"}), "young");
  EXPECT_EQ(nearest("zzz", {"density", "young"}), "");
}

}  // namespace
}  // namespace unbarred
