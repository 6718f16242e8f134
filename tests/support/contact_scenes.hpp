#pragma once
// Scenes with contact, for the program, and what its steps must show.
#include "support/run_results.hpp"

namespace unbarred::test {

inline const std::string contact_head = R"(time: {step: 0.01, end: 0.2}
materials:
  rubber: {model: stable_neo_hookean, density: 1000, young: 1.0e6, poisson: 0.3}
contact: {offset: 1.0e-3}
solver: {audit: 1}
output: {directory: run, every: 0}
)";

/// Two identical cubes on top of each other over a floor, at distances of `gap`.
inline const std::string stacked_cubes = "name: stack\nparameters: {gap: 1.0e-3, n: 2}\n" + contact_head +
                                         R"(gravity: [0, -9.81, 0]
bodies:
  lower:
    mesh: {box: {size: [0.2, 0.2, 0.2], cells: $(n)}}
    material: rubber
    place: {translate: [0, $(0.1+gap), 0]}
  upper:
    mesh: {box: {size: [0.2, 0.2, 0.2], cells: $(n)}}
    material: rubber
    place: {translate: [0, $(0.3+2*gap), 0]}
obstacles:
  floor: {mesh: {plane: {size: [1, 1]}}}
)";

struct ContactSteps {
  int count = 0;
  int most_iterations = 0;
  int all_iterations = 0;
  int in_contact = 0;        ///< steps that end with pairs
  std::vector<int> pairs;    ///< of every step
  double last_kinetic = 0;   ///< J
  std::vector<double> gaps;  ///< of the steps in contact, m
};

/// Of a run that was audited: no step intersects, and every gap is above zero.
inline ContactSteps expect_sound_steps(const std::filesystem::path& run) {
  ContactSteps result;
  for (const YAML::Node& step : steps_of(run)) {
    ++result.count;
    EXPECT_EQ(step["intersections"].as<int>(), 0) << "step " << result.count;
    const int iterations = step["outer_iterations"].as<int>();
    result.most_iterations = std::max(result.most_iterations, iterations);
    result.all_iterations += iterations;
    result.pairs.push_back(step["pairs"].as<int>());
    result.last_kinetic = step["energy"]["kinetic"].as<double>();
    if (result.pairs.back() == 0) continue;
    ++result.in_contact;
    result.gaps.push_back(step["gap_min"].as<double>());
    EXPECT_GT(result.gaps.back(), 0) << "step " << result.count;
  }
  return result;
}

/// Runs the scene to its end without a stall.
inline ContactSteps expect_runs_through(const Scratch& scratch, const std::string& file,
                                        const std::vector<std::string>& overrides = {}, int ranks = 1) {
  std::vector<std::string> words{"run", file, "--overwrite"};
  words.insert(words.end(), overrides.begin(), overrides.end());
  const Outcome outcome = run_program(scratch, words, {.ranks = ranks, .seconds = 120});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_FALSE(holds(outcome.out + outcome.err, "stalled")) << outcome.said();
  return expect_sound_steps(scratch / "run");
}

}  // namespace unbarred::test
