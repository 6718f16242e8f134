// Loads on 1, 2, 3 and 4 ranks; a run with loads that is stopped, resumed and the same to the last bit.
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/text/files.hpp"
#include "support/gather.hpp"
#include "support/loaded_scene.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred::test {
namespace {

struct Result {
  std::vector<Vec3> x, v;
  EnergyRecord energy;
};

Result run(const Scene& scene, const Communicator& communicator) {
  Simulation simulation(scene, communicator);
  Result result;
  for (int i = 0; i < 5; ++i) result.energy = simulation.advance().energy;
  result.x = gather(communicator, simulation.map(), simulation.state().x);
  result.v = gather(communicator, simulation.map(), simulation.state().v);
  return result;
}

TEST(Loads, AreTheSameOnAnyNumberOfRanks) {
  Scene scene = loaded_scene();
  tighten(scene);
  scene.solver.accuracy = 1e-12;
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone);
  for (int ranks = 2; ranks <= world().size(); ++ranks) {
    const Communicator part = group(ranks);
    if (!works_in(ranks)) continue;
    const Result result = run(scene, part);
    EXPECT_LT(relative_difference(result.x, reference.x), 1e-10);
    EXPECT_LT(relative_difference(result.v, reference.v), 1e-10);
    EXPECT_NEAR(result.energy.loads, reference.energy.loads, 1e-10 * std::abs(reference.energy.loads));
    EXPECT_NEAR(result.energy.gravity, reference.energy.gravity, 1e-10 * std::abs(reference.energy.gravity));
  }
}

TEST(Loads, ManyMaterialsOnFewVertices) {
  Scene scene = box_scene({{1, 1, 1}}, {{1, 1, 1}}, material(MaterialModel::corotated));
  for (int m = 1; m < 26; ++m) {
    scene.materials.push_back(material(MaterialModel::stable_neo_hookean, 1e5 + 1e3 * m));
    scene.bodies.push_back(scene.bodies[0]);
    scene.bodies.back().material = m;
    scene.bodies.back().place.translate = {{2.0 * m, 0, 0}};
  }
  scene.gravity = {{0, -9.81, 0}};
  SpringSpec spring;
  spring.body = 25;
  spring.stiffness = 1000;
  scene.springs = {spring};
  tighten(scene);
  const Communicator alone = world().split(world().rank());
  const Result reference = run(scene, alone), result = run(scene, world());
  EXPECT_LT(relative_difference(result.x, reference.x), 1e-10);
}

const char* const resumed_scene = R"yaml(
time: {step: 0.01, end: 0.08}
gravity: [0, -9.81, 0]
materials: {rubber: {density: 1000, young: 1.0e5, poisson: 0.3}}
bodies:
  a: {mesh: {box: {size: [1, 0.5, 0.5], cells: [4, 2, 2]}}, material: rubber, place: {translate: [1000, 0, 0]},
      body_force: [100, 0, 0]}
motions:
  grip: {body: a, select: {plane: {center: [999.5, 0, 0], normal: [1, 0, 0]}},
         move: {expression: [0, 0.1*sin(9*t), t^2]}}
pressures: {inside: {body: a, pressure: -2.0e3}, top: {body: a, pressure: 1.0e3, from: 0.03, select:
  {plane: {center: [1000, 0.25, 0], normal: [0, -1, 0]}}}}
springs: {tether: {body: a, stiffness: 900, rest: {point: [1001, 1, 0]}}}
output: {every: 4, checkpoint: {steps: 0, time: 0.03}}
)yaml";

int program(const Communicator& part, std::vector<std::string> words) {
  words.insert(words.begin(), "unbarred");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return run_program(part, static_cast<int>(argv.size()), argv.data());
}

TEST(Loads, ResumeToTheLastBit) {
  const TemporaryFolder folder(world());
  const auto file = folder.path() / "loads.yaml";
  if (world().is_root()) write_file(file, resumed_scene);
  world().barrier();
  const auto whole = folder.path() / "whole", parts = folder.path() / "parts";
  EXPECT_EQ(program(world(), {"run", file.string(), "output.directory=" + whole.string()}), 0);
  EXPECT_EQ(program(world(), {"run", file.string(), "output.directory=" + parts.string(), "--steps", "4"}), 0);
  EXPECT_EQ(program(world(), {"resume", parts.string()}), 0);
  const CheckpointData a = read_newest_checkpoint(whole / "checkpoints", world());
  const CheckpointData b = read_newest_checkpoint(parts / "checkpoints", world());
  EXPECT_EQ(a.step, 8);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
  EXPECT_EQ(a.numbers.at("origin_x"), 1000);
  // By simulated time: 0.03 and 0.06, and the end; the last two are kept.
  EXPECT_TRUE(std::filesystem::exists(whole / "checkpoints/step_000006.h5"));
  EXPECT_FALSE(std::filesystem::exists(whole / "checkpoints/step_000005.h5"));
  const auto often = folder.path() / "often";  // every nanosecond of the clock, that is after every step
  EXPECT_EQ(program(world(), {"run", file.string(), "output.directory=" + often.string(),
                              "output.checkpoint={steps: 0, wall: 1.0e-9}"}),
            0);
  EXPECT_TRUE(std::filesystem::exists(often / "checkpoints/step_000007.h5"));
  EXPECT_TRUE(std::filesystem::exists(often / "checkpoints/step_000008.h5"));
  EXPECT_EQ(program(world(), {"resume", parts.string(), "bodies.a.place.translate.0=1001", "pressures.top.from=0",
                              "motions.grip.select.plane.center.0=1000.5", "time.end=0.1"}),
            7);
}

}  // namespace
}  // namespace unbarred::test
