// The presets of the contact solver: what each constant is in both, that it can be set, and that used_scene.yaml
// says it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "io/scene/scene_reader.hpp"

namespace unbarred {
namespace {

const std::string scene_start = R"yaml(
time: {step: 0.01, end: 1.0}
materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3}, steel: {density: 1000, young: 1.0e6, poisson: 0.3}}
bodies: {ball: {mesh: {ball: {radius: 0.5, cells: 4}}, material: rubber}}
)yaml";

constexpr Real none = std::numeric_limits<Real>::infinity();

/// As the scene language writes it, and as a number: of words the number of their enumerator.
struct Value {
  std::string text;
  Real number;
};

struct Constant {
  std::string key;
  std::function<Real(const Scene&)> of;
  Value accurate, published, other;
};

template <class T>
Constant contact(const std::string& key, T ContactConstants::*member, Value accurate, Value published, Value other) {
  return {"solver.contact." + key, [=](const Scene& scene) { return static_cast<Real>(scene.solver.contact.*member); },
          accurate, published, other};
}

/// Keys of docs/method.md. The other values are not those of `published`.
std::vector<Constant> constants() {
  using Solver = ContactConstants;
  const auto filter = [](const Scene& scene) { return static_cast<Real>(scene.solver.step_filter); };
  const auto lagging = [](const Scene& scene) { return static_cast<Real>(scene.contact->friction_lagging); };
  const auto hessian = [](const Scene& scene) { return static_cast<Real>(scene.solver.hessian); };
  const auto accuracy = [](const Scene& scene) { return scene.solver.accuracy; };
  const auto step_end = [](const Scene& scene) { return static_cast<Real>(scene.solver.step_end); };
  const auto epsilon = [](const Scene& scene) { return scene.solver.epsilon; };
  const auto tolerance = [](const Scene& scene) { return scene.solver.linear.tolerance; };
  const auto least = [](const Scene& scene) { return static_cast<Real>(scene.solver.minimum_iterations); };
  return {
      contact("warm_start", &Solver::warm_start, {"filtered", 0}, {"start", 1}, {"filtered", 0}),
      contact("multiplier_update", &Solver::multiplier_update, {"active", 0}, {"all", 1}, {"active", 0}),
      contact("multiplier_share", &Solver::multiplier_share, {"search", 0}, {"whole", 1}, {"search", 0}),
      contact("inactive_pairs", &Solver::inactive_pairs, {"predict", 0}, {"weigh", 1}, {"predict", 0}),
      contact("rehit", &Solver::rehit, {"keep", 0}, {"restore", 1}, {"keep", 0}),
      contact("slide_off", &Solver::slide_off, {"hand_over", 0}, {"keep", 1}, {"keep", 1}),
      contact("line_search", &Solver::line_search, {"island", 0}, {"scene", 1}, {"island", 0}),
      contact("translation", &Solver::translation, {"exact", 0}, {"solved", 1}, {"exact", 0}),
      contact("rotation", &Solver::rotation, {"turn", 0}, {"tangent", 1}, {"turn", 0}),
      contact("friction_stiffness", &Solver::friction_stiffness, {"secant", 0}, {"tangent", 1}, {"secant", 0}),
      contact("small_gaps", &Solver::small_gaps, {"halve", 0}, {"keep", 1}, {"halve", 0}),
      contact("offset_ramp", &Solver::offset_ramp, {"0.1", 0.1}, {"none", none}, {"0.25", 0.25}),
      contact("penalty_factor", &Solver::penalty_factor, {"1", 1}, {"1", 1}, {"2.5", 2.5}),
      contact("decay", &Solver::decay, {"0.9", 0.9}, {"0.9", 0.9}, {"1", 1}),
      contact("least_decay", &Solver::least_decay, {"0.01", 0.01}, {"0.01", 0.01}, {"0", 0}),
      contact("gap", &Solver::gap, {"0.01", 0.01}, {"0.01", 0.01}, {"0.02", 0.02}),
      contact("ccd_slack", &Solver::ccd_slack, {"0.1", 0.1}, {"0.1", 0.1}, {"0.02", 0.02}),
      contact("reach", &Solver::reach, {"0.5", 0.5}, {"0", 0}, {"0.3", 0.3}),
      contact("ccd_largest_slack", &Solver::ccd_largest_slack, {"0.1", 0.1}, {"none", none}, {"3", 3}),
      contact("exact_iterations", &Solver::exact_iterations, {"6", 6}, {"6", 6}, {"0", 0}),
      contact("link_iterations", &Solver::link_iterations, {"6", 6}, {"6", 6}, {"8", 8}),
      contact("link_growth", &Solver::link_growth, {"0.15", 0.15}, {"0.15", 0.15}, {"0", 0}),
      contact("most_link_iterations", &Solver::most_link_iterations, {"50", 50}, {"50", 50}, {"20", 20}),
      contact("friction_follow", &Solver::friction_follow, {"0.5", 0.5}, {"1", 1}, {"0.25", 0.25}),
      contact("swing_iterations", &Solver::swing_iterations, {"8", 8}, {"8", 8}, {"12", 12}),
      contact("squeeze_iterations", &Solver::squeeze_iterations, {"20", 20}, {"20", 20}, {"10", 10}),
      contact("squeeze_factor", &Solver::squeeze_factor, {"10", 10}, {"10", 10}, {"4", 4}),
      contact("squeeze_limit", &Solver::squeeze_limit, {"10000", 1e4}, {"10000", 1e4}, {"100", 100}),
      contact("blocked_iterations", &Solver::blocked_iterations, {"4", 4}, {"4", 4}, {"9", 9}),
      contact("blocked_fraction", &Solver::blocked_fraction, {"0.01", 0.01}, {"0.01", 0.01}, {"0.125", 0.125}),
      contact("fallback_iterations", &Solver::fallback_iterations, {"5", 5}, {"5", 5}, {"7", 7}),
      contact("fallback_share", &Solver::fallback_share, {"0.1", 0.1}, {"0.1", 0.1}, {"0.5", 0.5}),
      contact("patience", &Solver::patience, {"100", 100}, {"100", 100}, {"40", 40}),
      contact("stall_factor", &Solver::stall_factor, {"2", 2}, {"2", 2}, {"4", 4}),
      contact("stall_iterations", &Solver::stall_iterations, {"50", 50}, {"50", 50}, {"7", 7}),
      contact("stall_fraction", &Solver::stall_fraction, {"1e-04", 1e-4}, {"1e-04", 1e-4}, {"0.125", 0.125}),
      {"solver.accuracy", accuracy, {"0.02", 0.02}, {"0.02", 0.02}, {"0.001", 0.001}},
      {"solver.step_end", step_end, {"balance", 0}, {"motion", 1}, {"balance", 0}},
      {"solver.hessian", hessian, {"exact", 0}, {"projected", 1}, {"exact", 0}},
      {"solver.epsilon", epsilon, {"0.001", 1e-3}, {"0.001", 1e-3}, {"0.01", 0.01}},
      {"solver.linear.tolerance", tolerance, {"1e-04", 1e-4}, {"0.01", 1e-2}, {"0.5", 0.5}},
      {"solver.step_filter", filter, {"lazy", 0}, {"global", 1}, {"lazy", 0}},
      {"solver.minimum_iterations", least, {"1", 1}, {"2", 2}, {"4", 4}},
      {"contact.friction_lagging", lagging, {"iteration", 0}, {"step", 1}, {"iteration", 0}},
  };
}

/// With contact, and the overrides; also checks that used_scene.yaml reads back and says the same.
Scene read(const std::vector<std::string>& overrides) {
  const Scene scene = parse_scene(scene_start + "contact: {offset: 1.0e-3}\n", "s.yaml", overrides);
  EXPECT_EQ(parse_scene(scene.resolved_yaml, "used_scene.yaml", {}).resolved_yaml, scene.resolved_yaml);
  return scene;
}

/// `value` is what the scene has, what used_scene.yaml says, and what is read from that.
void expect(const Constant& constant, const Scene& scene, const Value& value) {
  EXPECT_EQ(constant.of(scene), value.number) << constant.key;
  EXPECT_EQ(constant.of(parse_scene(scene.resolved_yaml, "used_scene.yaml", {})), value.number) << constant.key;
  const std::string line = " " + constant.key.substr(constant.key.rfind('.') + 1) + ": " + value.text;
  const std::size_t at = scene.resolved_yaml.find(line);
  ASSERT_NE(at, std::string::npos) << line << "\n" << scene.resolved_yaml;
  const char after = scene.resolved_yaml[at + line.size()];
  EXPECT_TRUE(after == '\n' || after == ' ') << line << "\n" << scene.resolved_yaml;
}

TEST(Presets, HaveTheirConstants) {
  const Scene usual = read({}), accurate = read({"solver.preset=accurate"}),
              published = read({"solver.preset=published"});
  for (const Constant& constant : constants()) {
    expect(constant, usual, constant.accurate);
    expect(constant, accurate, constant.accurate);
    expect(constant, published, constant.published);
  }
  EXPECT_EQ(accurate.solver.preset, Preset::accurate);
  EXPECT_EQ(published.solver.preset, Preset::published);
  EXPECT_EQ(usual.resolved_yaml, accurate.resolved_yaml);
}

TEST(Presets, EveryConstantIsSetOnItsOwn) {
  for (const Constant& constant : constants()) {
    const std::string key = constant.key + "=";
    expect(constant, read({"solver.preset=accurate", key + constant.published.text}), constant.published);
    expect(constant, read({"solver.preset=accurate", key + constant.other.text}), constant.other);
    const Scene changed = read({"solver.preset=published", key + constant.other.text});
    expect(constant, changed, constant.other);
    for (const Constant& another : constants()) {
      if (another.key == constant.key) continue;
      EXPECT_EQ(another.of(changed), another.published.number) << key << " changes " << another.key;
    }
  }
}

TEST(Presets, AConstantGivenBeforeThePresetIsKept) {
  const std::string text = scene_start + "contact: {friction_lagging: iteration, offset: 1.0e-3}\n" +
                           "solver: {step_filter: lazy, linear: {tolerance: 1.0e-3}, preset: published}\n";
  const Scene scene = parse_scene(text, "s.yaml", {});
  EXPECT_EQ(scene.contact->friction_lagging, ContactSpec::Lagging::iteration);
  EXPECT_EQ(scene.solver.step_filter, StepFilterKind::lazy);
  EXPECT_EQ(scene.solver.linear.tolerance, 1e-3);
  EXPECT_EQ(scene.solver.contact.offset_ramp, none);
}

// A step that ends in balance takes what it needs.
TEST(Presets, FrictionAsksForMoreIterationsWhereMotionEndsAStep) {
  const auto least = [&](std::vector<std::string> overrides) { return read(overrides).solver.minimum_iterations; };
  const std::string published = "solver.preset=published";
  EXPECT_EQ(least({}), 1);
  EXPECT_EQ(least({"contact.friction=0.1"}), 1);
  EXPECT_EQ(least({"contact.friction=0.1", "solver.step_end=motion"}), 6);
  EXPECT_EQ(least({published}), 2);
  EXPECT_EQ(least({published, "contact.friction=0.1"}), 6);
  EXPECT_EQ(least({published, "contact.pairs={rubber-steel: {friction: 0.1}}"}), 6);
  EXPECT_EQ(least({published, "contact.pairs={rubber-steel: {friction: 0}, none: [[ball, ball]]}"}), 2);
  EXPECT_EQ(least({published, "contact.friction=0.1", "solver.minimum_iterations=3"}), 3);
  EXPECT_EQ(least({published, "contact.friction=0.1", "solver.maximum_iterations=4"}), 4);
}

TEST(Presets, WithoutContactTheSolverHasItsUsualDefaults) {
  const Scene scene = parse_scene(scene_start, "s.yaml", {});
  EXPECT_FALSE(scene.contact);
  EXPECT_EQ(scene.solver.minimum_iterations, 1);
  EXPECT_EQ(scene.resolved_yaml.find("friction_lagging"), std::string::npos);
  EXPECT_TRUE(scene.not_yet.empty());
}

}  // namespace
}  // namespace unbarred
