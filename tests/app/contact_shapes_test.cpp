// Shapes, speeds and numbers of ranks that are hard on contact.
#include "support/contact_scenes.hpp"

namespace unbarred {
namespace {

using test::ContactSteps;
using test::expect_runs_through;
using test::Scratch;

/// Two boxes on their edges, the lower one held, exactly above each other.
const std::string edge_on_edge = "name: edges\nparameters: {n: 3, m: 3, gap: 1.0e-3}\n" + test::contact_head +
                                 R"(gravity: [0, -9.81, 0]
bodies:
  lower:
    mesh: {box: {size: [0.2, 0.2, 0.2], cells: $(n)}}
    material: rubber
    place: {rotate: {axis: [0, 0, 1], degrees: 45}, translate: [0, $(0.1*sqrt(2)), 0]}
  upper:
    mesh: {box: {size: [0.2, 0.2, 0.2], cells: $(m)}}
    material: rubber
    place: {rotate: {axis: [0, 0, 1], degrees: 45}, translate: [0, $(0.3*sqrt(2)+gap), 0]}
motions:
  base: {body: lower, select: {plane: {center: [0, 0.1, 0], normal: [0, 1, 0]}}, move: fixed}
)";

// Identical meshes face to face have every vertex over a vertex and every edge along an edge.
TEST(ContactShapes, StacksOfAlignedCubesStand) {
  const Scratch scratch;
  scratch.file("scene.yaml", test::stacked_cubes);
  for (const char* cells : {"1", "3"}) {
    const ContactSteps steps =
        expect_runs_through(scratch, "scene.yaml", {std::string("parameters.n=") + cells, "time.end=0.4"}, 2);
    EXPECT_EQ(steps.count, 40);
    EXPECT_GE(steps.in_contact, 35);
    EXPECT_LE(steps.most_iterations, 20);
  }
}

// Parallel and collinear edges, with vertices that coincide and that do not.
TEST(ContactShapes, ParallelEdgesMeet) {
  const Scratch scratch;
  scratch.file("scene.yaml", edge_on_edge);
  for (const char* cells : {"parameters.m=3", "parameters.m=4"})
    for (const char* gap : {"parameters.gap=1.0e-3", "parameters.gap=1.0e-9"}) {
      const ContactSteps steps = expect_runs_through(scratch, "scene.yaml", {cells, gap});
      EXPECT_GE(steps.in_contact, 15) << cells << gap;
      EXPECT_LE(steps.most_iterations, 20) << cells << gap;
    }
}

// 2 m a step: the ball is on one side of the plate before, and would be on the other side after the first step.
TEST(ContactShapes, NothingTunnelsThroughASingleLayerOfTriangles) {
  const Scratch scratch;
  const std::string scene = std::string(UNBARRED_SOURCE_DIR) + "/scenes/thin_plate.yaml";
  for (const int ranks : {1, 3}) {
    const ContactSteps steps = expect_runs_through(
        scratch, scene, {"parameters.n=3", "--steps", "10", "output.directory=run", "solver.audit=1"}, ranks);
    EXPECT_EQ(steps.count, 10);
    const test::SavedState state = test::last_state(scratch / "run");
    const double plate = state.positions[state.positions.size() - 2];  // obstacles come last
    int below = 0;
    for (std::size_t i = 0; i < state.positions.size(); i += 3) below += state.positions[i + 1] < plate ? 1 : 0;
    EXPECT_LE(below, 8) << "the inner vertices of the ball, which are no surface";
  }
}

// A splinter lies on the floor with a handful of pairs when a slab of 41 x 41 vertices arrives all at once.
TEST(ContactShapes, PairsMayGrowAHundredfoldInAStep) {
  const Scratch scratch;
  scratch.file("scene.yaml", "name: slab\nparameters: {n: 40}\n" + test::contact_head + R"(gravity: [0, -9.81, 0]
bodies:
  splinter:
    mesh: {box: {size: [0.02, 0.02, 0.02], cells: 1}}
    material: rubber
    place: {rotate: {axis: [1, 0, 1], degrees: 40}, translate: [1, 0.018, 0]}
  slab:
    mesh: {box: {size: [0.8, 0.1, 0.8], cells: [$(n), 2, $(n)]}}
    material: rubber
    place: {translate: [0, 0.1, 0]}
obstacles:
  floor: {mesh: {plane: {size: [4, 4], cells: 8}}}
)");
  for (const int ranks : {1, 2}) {
    // Only what would collide joins, so that few know each other before.
    const ContactSteps steps =
        expect_runs_through(scratch, "scene.yaml", {"time.end=0.14", "solver.contact.reach=0"}, ranks);
    EXPECT_EQ(steps.count, 14);
    int growth = 0;
    for (std::size_t i = 1; i < steps.pairs.size(); ++i)
      if (steps.pairs[i - 1] > 0) growth = std::max(growth, steps.pairs[i] / steps.pairs[i - 1]);
    EXPECT_GE(growth, 100);
  }
}

// More ranks than tetrahedra: some own nothing, most own a vertex or two of one body or of the floor.
TEST(ContactShapes, MoreRanksThanElementsGiveTheSame) {
  const Scratch scratch;
  std::string askew = test::with(test::stacked_cubes, "translate: [0, $(0.1+gap), 0]",
                                 "rotate: {axis: [1, 2, 3], degrees: 7}, translate: [0, 0.12, 0]");
  askew = test::with(askew, "translate: [0, $(0.3+2*gap), 0]",
                     "rotate: {axis: [3, 2, 1], degrees: 9}, translate: [0.02, 0.36, 0.01]");
  scratch.file("scene.yaml", test::with(askew, "gap: 1.0e-3, ", ""));
  const std::vector<std::string> overrides{"parameters.n=1", "time.end=0.12", "solver.linear.tolerance=1.0e-12"};
  EXPECT_GE(expect_runs_through(scratch, "scene.yaml", overrides, 1).in_contact, 4);
  const test::SavedState alone = test::last_state(scratch / "run");
  EXPECT_GE(expect_runs_through(scratch, "scene.yaml", overrides, 15).in_contact, 4);
  EXPECT_LT(test::difference(test::last_state(scratch / "run").positions, alone.positions), 1e-9);
  EXPECT_TRUE(test::holds(test::text_of(scratch / "run/log.txt"), "more ranks than the mesh has work for"));
}

// 26 materials with friction of their own against each other, on 16 ranks.
TEST(ContactShapes, ManyMaterialsOnManyRanks) {
  const Scratch scratch;
  std::string materials, bodies, pairs;
  const std::vector<std::string> models{"stable_neo_hookean", "neo_hookean", "corotated"};
  for (int i = 0; i < 26; ++i) {
    const std::string n = std::to_string(i);
    materials += "  m" + n + ": {model: " + models[i % 3] + ", density: 1000, young: 1.0e5, poisson: 0.3}\n";
    bodies += "  b" + n + ": {mesh: {box: {size: [0.1, 0.1, 0.1], cells: 1}}, material: m" + n +
              ", place: {translate: [$(0.102*" + std::to_string(i / 2) + "), $(0.052+0.101*" + std::to_string(i % 2) +
              "), 0]}}\n";
    if (i % 2 == 1)
      pairs += (pairs.empty() ? "" : ", ") + std::string("m") + std::to_string(i - 1) + "-m" + n +
               ": {friction: $(0.02*" + n + ")}";
  }
  scratch.file("scene.yaml", "name: many\ntime: {step: 0.01, end: 0.06}\ngravity: [0, -9.81, 0]\nmaterials:\n" +
                                 materials + "bodies:\n" + bodies +
                                 "obstacles:\n  floor: {mesh: {plane: {size: [4, 4]}}}\n"
                                 "contact: {offset: 1.0e-3, friction: 0.1, pairs: {" +
                                 pairs + "}}\nsolver: {audit: 1}\noutput: {directory: run, every: 0}\n");
  const ContactSteps steps = expect_runs_through(scratch, "scene.yaml", {}, 16);
  EXPECT_EQ(steps.count, 6);
  EXPECT_GE(steps.in_contact, 4);
}

}  // namespace
}  // namespace unbarred
