// Damaged scenes and tables: a scene or an Error(bad_input), never anything else, and never a hang.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>

#include "io/scene/motion_table.hpp"
#include "io/scene/scene_reader.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string mutated(std::string text, Random& random) {
  for (std::size_t n = 1 + below(random, 4); n > 0 && !text.empty(); --n) {
    std::vector<std::string> lines = lines_of(text);
    const std::size_t at = below(random, text.size()), line = below(random, lines.size());
    static constexpr char likely[] = "{}[]:,-#\"'$()&*!|>%@`0123456789eE.+ \t\n\0nan";
    switch (below(random, 8)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text[at] = likely[below(random, sizeof likely)];
        break;
      case 3:
        text.insert(at, 1 + below(random, 3), likely[below(random, sizeof likely)]);
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.erase(at, 1 + below(random, 10));
        break;
      case 6:
        std::swap(lines[line], lines[below(random, lines.size())]), text = joined(lines);
        break;
      default:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(line), lines[below(random, lines.size())]);
        text = joined(lines);
    }
  }
  return text;
}

int mutations() {
  const char* nightly = std::getenv("UNBARRED_NIGHTLY");
  return nightly && std::string(nightly) == "1" ? 10000 : 200;
}

struct Outcomes {
  int good = 0, refused = 0;
};

/// Runs `read` on mutations of the texts in turn. Seeds count from 1: the printed one repeats the failure.
Outcomes survive(const std::vector<std::string>& texts, const std::function<void(const std::string&)>& read) {
  Outcomes outcomes;
  for (int seed = 1; seed <= mutations(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::string text = mutated(texts[static_cast<std::size_t>(seed) % texts.size()], random);
    const auto start = std::chrono::steady_clock::now();
    try {
      read(text);
      ++outcomes.good;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input) << "seed " << seed << ": " << error.what();
      ++outcomes.refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n" << text;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_LT(seconds.count(), 10) << "seed " << seed;
  }
  return outcomes;
}

const char* const everything = R"yaml(
parameters: {n: 4, amp: $(n/8)}
time: {step: 0.01, end: 1.0}
gravity: [0, -9.81, 0]
materials:
  rubber: {model: neo_hookean, density: 1000, young: 1.0e6, poisson: 0.3}
bodies:
  ball:
    mesh: {ball: {radius: 0.5, cells: "$(n)"}, scale: 0.01}
    material: rubber
    place: {rotate: {axis: [0, 0, 1], degrees: 30}, translate: [0, 1, 0]}
    repeat: {count: [4, $(n), 2], spacing: [1.1, 1.1, 1.1], jitter: 0.02, seed: 7}
  box: {mesh: {box: {size: [1, 2, 3], cells: [1, 2, 3]}}, material: rubber, body_force: [0, 1, 0]}
obstacles:
  floor: {mesh: {plane: {size: [10, 10]}}}
motions:
  wave: {body: ball, move: {expression: ["amp*sin(2*pi*t)", $(t^2), 0]}, axes: [x, z], from: 0.5}
  grip: {body: box, select: {sphere: {center: [0, 1.5, 0], radius: 0.1}}, move: {rotate: {degrees_per_second: 9}}}
pressures: {inside: {body: ball, pressure: 1.0e3}}
springs: {tether: {body: ball, stiffness: 12, rest: {point: [0, 0, 0]}}}
contact: {offset: 1.0e-3, friction: 0.3, pairs: {rubber-rubber: {friction: 0.5}, none: [[ball, floor]]}}
solver: {linear: {method: pcg, tolerance: 1.0e-4}, maximum_iterations: 500}
output: {every: 5, fields: [displacement, von_mises], checkpoint: {steps: 100, wall: 600}}
)yaml";

TEST(Mutations, OfScenesAreReadOrRefused) {
  const std::vector<std::string> texts{everything, read_text(UNBARRED_SOURCE_DIR "/scenes/quickstart.yaml"),
                                       read_text(UNBARRED_SOURCE_DIR "/scenes/twisting_beam.yaml")};
  const Outcomes outcomes = survive(texts, [](const std::string& text) {
    const Scene scene = parse_scene(text, "s.yaml", {});
    parse_scene(scene.resolved_yaml, "used.yaml", {});  // what was accepted must run again as it is
    for (const BodySpec& body : scene.bodies)
      if (body.mesh.file.empty()) make_generator(body.mesh);
    for (const MotionSpec& motion : scene.motions)
      if (motion.move.kind == MoveSpec::Kind::expression) motion.move.expression[0](0.5);
  });
  EXPECT_GT(outcomes.good, mutations() / 50);
  EXPECT_GT(outcomes.refused, mutations() / 3);
}

TEST(Mutations, OfMotionTablesAreReadOrRefused) {
  const Outcomes outcomes = survive({"time, dx, dy, dz\n0, 0, 0, 0\n0.5, 1e-3, 0, -2.5\n1, 2, 3, 4\n"},
                                    [](const std::string& text) { parse_motion_table(text, "way.csv"); });
  EXPECT_GT(outcomes.good, mutations() / 20);
  EXPECT_GT(outcomes.refused, mutations() / 5);
}

TEST(Mutations, OfOverridesAreReadOrRefused) {
  const std::vector<std::string> texts{"bodies.ball.mesh.ball.cells=12", "time.step=$(amp/100)", "gravity.1=-1.62",
                                       "contact.pairs.none=[[ball, box]]", "motions.wave.move.expression=[t, 0, 0]"};
  const Outcomes outcomes = survive(texts, [](const std::string& text) { parse_scene(everything, "s.yaml", {text}); });
  EXPECT_GT(outcomes.refused, mutations() / 3);
}

}  // namespace
}  // namespace unbarred
