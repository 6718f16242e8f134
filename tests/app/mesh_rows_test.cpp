// What users' meshes hold, through the program on 1 and on 3 ranks: refused with code, file and place, or mended and
// said.
#include "support/run_results.hpp"

namespace unbarred {
namespace {

using test::holds;
using test::Outcome;
using test::run_program;
using test::Scratch;

const std::string header = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";

/// Two tetrahedra on one face; a case replaces a part of this text.
const std::string sound = header +
                          "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
                          "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n$EndElements\n";

const std::string scene = R"(name: rows
time: {step: 0.01, end: 0.02}
materials: {rubber: {model: neo_hookean, density: 1000, young: 1.0e5, poisson: 0.3}}
bodies: {a: {mesh: {file: a.msh}, material: rubber}}
output: {directory: run}
)";

void expect(const std::string& mesh, int code, const std::vector<std::string>& said) {
  const Scratch scratch;
  scratch.file("scene.yaml", scene);
  scratch.file("a.msh", mesh);
  for (const std::string command : {"check", "run"})
    for (const int ranks : {1, 3}) {
      std::vector<std::string> words{command, "scene.yaml"};
      if (command == "run") words.push_back("--overwrite");
      const Outcome outcome = run_program(scratch, words, {.ranks = ranks});
      EXPECT_EQ(outcome.code, code) << command << " on " << ranks << outcome.said();
      for (const std::string& text : said)
        EXPECT_TRUE(holds(outcome.out + outcome.err, text)) << command << " on " << ranks << outcome.said();
      if (code != 0) {
        EXPECT_EQ(test::count(outcome.err, "unbarred: "), 1u) << outcome.said();
      }
    }
}

TEST(MeshRows, ASoundMeshRuns) { expect(sound, 0, {}); }

TEST(MeshRows, DuplicateVerticesNameTheRemedy) {
  expect(test::with(sound, "5 1 1 1", "5 0 0 0"), 2, {"a.msh", "1 and 5", "unbarred mesh weld"});
}

TEST(MeshRows, ADuplicateElementIsRefused) {
  expect(test::with(sound, "2 4 2 0 1 2 3 4 5", "2 4 2 0 1 1 2 3 4"), 2,
         {"a.msh", "tetrahedra 1 and 2 have the same corners", "unbarred mesh weld"});
}

TEST(MeshRows, ANodeThatIsNoNumberNamesItsLine) { expect(test::with(sound, "4 0 0 1", "4 0 0 nan"), 2, {"a.msh:9"}); }

TEST(MeshRows, AFlatTetrahedronIsNamed) { expect(test::with(sound, "4 0 0 1", "4 0.5 0.5 0"), 2, {"a.msh", "volume"}); }

TEST(MeshRows, ATruncatedFileNamesItsLine) { expect(sound.substr(0, sound.size() - 30), 2, {"a.msh:"}); }

TEST(MeshRows, HexahedraGetAHint) {
  expect(test::with(sound, "2 4 2 0 1 2 3 4 5", "2 5 2 0 1 1 2 3 4 5 1 2 3"), 2, {"a.msh", "hexahed"});
}

TEST(MeshRows, MirroredTetrahedraUnusedVerticesAndOtherElementsAreCounted) {
  std::string mesh = test::with(sound, "1 4 2 0 1 1 2 3 4", "1 4 2 0 1 2 1 3 4");
  mesh = test::with(test::with(mesh, "$Nodes\n5", "$Nodes\n6"), "5 1 1 1\n", "5 1 1 1\n6 9 9 9\n");
  mesh = test::with(test::with(mesh, "$Elements\n2", "$Elements\n3"), "$EndElements", "3 2 2 0 1 1 2 3\n$EndElements");
  expect(mesh, 0, {"reoriented", "dropped", "ignored"});
}

TEST(MeshRows, UnknownSectionsAreSkipped) { expect(sound + "$Surface\n1\n1 2 3\n$EndSurface\n", 0, {}); }

// More materials than ranks: every rank has several, some ranks none of some.
TEST(MeshRows, ManyMaterialsOnManyRanks) {
  const Scratch scratch;
  std::string materials = "materials:\n", bodies = "bodies:\n";
  const std::vector<std::string> models{"stable_neo_hookean", "neo_hookean", "corotated"};
  for (int i = 0; i < 26; ++i) {
    const std::string n = std::to_string(i);
    materials += "  m" + n + ": {model: " + models[i % 3] + ", density: 1000, young: 1.0e5, poisson: 0.3}\n";
    bodies += "  b" + n + ": {mesh: {box: {size: [0.1, 0.1, 0.1], cells: 1}}, material: m" + n +
              ", place: {translate: [" + n + ", 0, 0]}}\n";
  }
  scratch.file("scene.yaml", "name: many\ntime: {step: 0.01, end: 0.02}\ngravity: [0, -9.81, 0]\n" + materials +
                                 bodies + "output: {directory: run}\n");
  const Outcome outcome = run_program(scratch, {"run", "scene.yaml"}, {.ranks = 16});
  EXPECT_EQ(outcome.code, 0) << outcome.said();
  EXPECT_TRUE(holds(outcome.out, "156 tetrahedra, 208 vertices")) << outcome.out;
}

}  // namespace
}  // namespace unbarred
