// No scene that we ship ever intersects: small versions of all that have contact, on 1, 2 and 4 ranks, audited by exact
// predicates after every step, for twenty steps after the first contact and more.
#include <map>

#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::Outcome;
using test::run_program;
using test::Scratch;

struct SmallVersion {
  int steps;
  std::vector<std::string> overrides;
};

/// By the stem of the file. A scene that is added needs an entry.
const std::map<std::string, SmallVersion>& small_versions() {
  static const std::map<std::string, SmallVersion> versions{
      {"arch", {22, {"parameters.blocks=5"}}},
      {"chain_rings", {26, {"parameters.n=2"}}},
      {"drop", {40, {"parameters.n=1", "bodies.ball.repeat.count=[2, 2, 2]"}}},
      {"fine_sphere", {36, {"parameters.n=3"}}},
      {"frictional_collision", {25, {"parameters.n=3"}}},
      {"near_rigid", {25, {"parameters.n=2", "bodies.cubes.repeat.count=[1, 3, 2]"}}},
      {"pile",
       {25,
        {"parameters.n=1", "bodies.balls.repeat.count=[3, 1, 3]", "bodies.boxes.repeat.count=[3, 1, 3]",
         "bodies.rings.repeat.count=[3, 1, 3]", "bodies.cylinders.repeat.count=[3, 1, 3]"}}},
      {"shrinking_box", {40, {"parameters.n=2"}}},
      {"slope", {23, {"parameters.n=1"}}},
      {"slope_fine", {23, {"parameters.n=2"}}},
      {"sphere_compression", {40, {"parameters.n=3"}}},
      {"thin_plate", {22, {"parameters.n=2"}}},
      {"twisting_rods", {36, {"parameters.n=1"}}},
      {"two_spheres", {25, {"parameters.n=3"}}},
  };
  return versions;
}

std::vector<std::string> contact_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(UNBARRED_SOURCE_DIR) + "/scenes"))
    if (entry.path().extension() == ".yaml" && test::holds(test::text_of(entry.path()), "\ncontact:"))
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class ContactScene : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shipped, ContactScene, testing::ValuesIn(contact_scenes()),
                         [](const auto& info) { return info.param; });

void expect_no_intersection(const std::filesystem::path& run, int steps, const std::string& where) {
  int with_pairs = 0, stepped = 0;
  for (const YAML::Node& step : test::steps_of(run)) {
    ++stepped;
    EXPECT_EQ(step["intersections"].as<int>(), 0) << where << ", step " << stepped;
    if (step["pairs"].as<int>() == 0 && with_pairs == 0) continue;
    ++with_pairs;
    if (!step["gap_min"].IsNull()) {
      EXPECT_GT(step["gap_min"].as<double>(), 0) << where << ", step " << stepped;
    }
  }
  EXPECT_EQ(stepped, steps) << where;
  EXPECT_GE(with_pairs, 20) << where << ": steps since the first contact";
}

TEST_P(ContactScene, NeverIntersects) {
  const std::string file = std::string(UNBARRED_SOURCE_DIR) + "/scenes/" + GetParam() + ".yaml";
  const auto version = small_versions().find(GetParam());
  ASSERT_NE(version, small_versions().end()) << "no small version of " << file;
  const auto& [steps, overrides] = version->second;
  for (const int ranks : {1, 2, 4}) {
    const Scratch scratch;
    std::vector<std::string> words{
        "run", file, "--steps", std::to_string(steps), "output.directory=run", "output.every=0", "solver.audit=1"};
    words.insert(words.end(), overrides.begin(), overrides.end());
    const Outcome outcome = run_program(scratch, words, {.ranks = ranks, .seconds = 180});
    const std::string where = GetParam() + " on " + std::to_string(ranks) + " ranks";
    ASSERT_EQ(outcome.code, 0) << where << "\n" << outcome.said();
    expect_no_intersection(scratch / "run", steps, where);
  }
}

}  // namespace
}  // namespace unbarred
