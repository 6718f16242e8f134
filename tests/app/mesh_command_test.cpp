// `unbarred mesh` and `unbarred info` as the user starts them: exit codes and what is printed.
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/mesh/mesh_data.hpp"
#include "io/mesh/mesh_file.hpp"
#include "support/mesh_variants.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

struct Outcome {
  int code;
  std::string output, errors;
};

class MeshCommand : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "unbarred");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome{run_program(test::world(), static_cast<int>(arguments.size()), arguments.data()), {}, {}};
    std::fflush(stdout);
    outcome.output = testing::internal::GetCapturedStdout();
    outcome.errors = testing::internal::GetCapturedStderr();
    return outcome;
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  test::TemporaryFolder folder_{test::world()};
};

TEST_F(MeshCommand, MakesConvertsAndReports) {
  EXPECT_TRUE(has(run({"mesh", "make"}).output, "plate_with_hole  size radius cells"));
  Outcome done = run({"mesh", "make", "ball", "radius=0.5", "cells=4", "-o", path("ball.msh"), "--binary"});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_TRUE(has(done.output, "ball.msh: 125 vertices, 384 tetrahedra"));
  EXPECT_EQ(run({"mesh", "convert", path("ball.msh"), path("ball.vtu")}).code, 0);
  done = run({"mesh", "report", path("ball.vtu")});
  EXPECT_EQ(done.code, 0);
  EXPECT_TRUE(has(done.output, "192 triangles, 0 open and 0 non-manifold edges, Euler characteristic 2"))
      << done.output;
  EXPECT_TRUE(has(run({"info", path("ball.vtu")}).output, "mesh of 125 vertices, 384 tetrahedra"));
  EXPECT_EQ(run({"mesh", "make", "box", "size=[1, 2, 3]", "cells=1", "--surface", "-o", path("box.msh")}).code, 0);
  EXPECT_EQ(read_mesh_data(path("box.msh")).elements.size(), 2u * 22);
}

TEST_F(MeshCommand, WeldMakesATornMeshReadable) {
  const std::string torn = write("torn.msh",
                                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                                 "4 0 0 1\n5 1 1 1\n6 1 0 0\n$EndNodes\n$Elements\n2\n1 4 0 1 3 2 4\n"
                                 "2 4 0 6 3 4 5\n$EndElements\n");
  MeshSpec spec;
  spec.file = torn;
  EXPECT_THROW(open_mesh_file(spec, test::world()), Error);
  const Outcome done = run({"mesh", "weld", torn, path("welded.msh")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_TRUE(has(done.output, "1 vertices merged; 0 collapsed and 0 duplicate elements dropped"));
  spec.file = path("welded.msh");
  MeshReport report;
  EXPECT_EQ(open_mesh_file(spec, test::world(), &report)->vertex_count(), 5);
  EXPECT_EQ(report.reoriented, 1);
  EXPECT_TRUE(has(run({"mesh", "orient", path("welded.msh"), path("oriented.msh")}).output, "1 of 2 elements turned"));
  spec.file = path("oriented.msh");
  open_mesh_file(spec, test::world(), &report);
  EXPECT_EQ(report.reoriented, 0);
}

TEST_F(MeshCommand, MistakesEndWithCode2) {
  const auto error = [&](std::vector<std::string> words) {
    const Outcome done = run(std::move(words));
    EXPECT_EQ(done.code, 2);
    return done.errors;
  };
  EXPECT_TRUE(has(error({"mesh", "make", "ball", "radius=1", "cells=2"}), "where to? Give a file: -o mesh.msh"));
  EXPECT_TRUE(has(error({"mesh", "make", "ball", "radius", "-o", path("a.msh")}), "parameters are key=value"));
  EXPECT_TRUE(has(error({"mesh", "make", "ball", "radius=x", "-o", path("a.msh")}), "numbers expected after `=`"));
  EXPECT_TRUE(has(error({"mesh", "make", "ball", "radius=1", "cells=2.5", "-o", path("a.msh")}), "is a whole number"));
  EXPECT_TRUE(has(error({"mesh", "make", "bell", "-o", path("a.msh")}), "unknown mesh generator `bell`"));
  EXPECT_TRUE(has(error({"mesh", "make", "ball", "radius=1", "cells=2", "-o", path("a.stl")}), "not `.stl`"));
  EXPECT_TRUE(has(error({"mesh", "report", path("no.msh")}), "no.msh: cannot open this file"));
  EXPECT_TRUE(has(error({"info", path("no.h5.msh")}), "cannot open this file"));
  EXPECT_TRUE(has(error({"info", folder_.path().string()}), "this folder holds no run"));
  EXPECT_EQ(run({"mesh"}).code, 2);
}

TEST_F(MeshCommand, InfoTellsOfScenesMeshesAndCheckpoints) {
  const std::string scene = write("s.yaml",
                                  "time: {step: 0.01, end: 1}\nmaterials: {m: {density: 1, young: 1, poisson: 0}}\n"
                                  "bodies: {b: {mesh: {box: {size: [1, 1, 1], cells: 2}}, material: m,\n"
                                  "             repeat: {count: [2, 3, 1], spacing: [2, 2, 2]}}}\n");
  Outcome done = run({"info", scene});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_TRUE(has(done.output, "b: box, 6 copies of 27 vertices, 48 tetrahedra")) << done.output;
  EXPECT_TRUE(has(run({"info", write("a.msh", test::msh41({}, false))}).output, "region      `left`"));
  CheckpointData data;
  data.step = 7;
  data.time = 0.25;
  data.scene_hash = "abc";
  data.ids = {0};
  data.vertex_count = 1;
  data.positions = data.velocities = {0, 0, 0};
  write_checkpoint(path("step_000007.h5"), data, test::world());
  done = run({"info", path("step_000007.h5")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_TRUE(has(done.output, "checkpoint of step 7, time 0.25 s")) << done.output;
  EXPECT_EQ(run({"info", write("broken.h5", "no")}).code, 6);
}

TEST_F(MeshCommand, InfoTellsOfARunFolder) {
  const std::string scene = write("s.yaml",
                                  "time: {step: 0.01, end: 0.02}\nmaterials: {m: {density: 1, young: 1e3, "
                                  "poisson: 0}}\nbodies: {b: {mesh: {box: {size: [1, 1, 1], cells: 1}}, "
                                  "material: m}}\n");
  Outcome done = run({"run", scene, "output.directory=" + path("run")});
  ASSERT_EQ(done.code, 0) << done.errors;
  done = run({"info", path("run")});
  EXPECT_EQ(done.code, 0) << done.errors;
  for (const char* part : {"state       done", "checkpoint  step 2", "last good   step 2: `unbarred resume", "3 frames",
                           "times       0 .. 0.02 s, steps 0 .. 2"})
    EXPECT_TRUE(has(done.output, part)) << part << "\n" << done.output;
  for (const auto& entry : std::filesystem::directory_iterator(path("run/frames")))
    if (entry.path().extension() == ".vtu") {
      const Outcome piece = run({"info", entry.path().string()});
      EXPECT_TRUE(has(piece.output, "arrays      displacement")) << piece.output;
    }
}

}  // namespace
}  // namespace unbarred
