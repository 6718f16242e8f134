// ParaView itself opens and draws the frames. Only where pvbatch and Xvfb are installed.
#ifdef UNBARRED_HAS_PARAVIEW
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>

#include "io/frames/frame_writer.hpp"
#include "io/text/files.hpp"
#include "support/frame_samples.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

/// Runs a script of scripts/ without the variables of this process's MPI; its output goes to `output`.
int run_script(const std::string& arguments, const std::filesystem::path& output) {
  const std::string command =
      "env -u PMIX_RANK -u PMIX_NAMESPACE -u PMIX_SERVER_URI2 -u PMIX_SERVER_URI21 "
      "-u DISPLAY python3 '" UNBARRED_SOURCE_DIR "/scripts/" +
      arguments + " > '" + output.string() + "' 2>&1";
  return std::system(command.c_str());
}

void write_series(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "frames");
  FrameWriter writer(folder / "frames", "row", test::world());
  writer.write(0, 0, test::cube_frame({0, 1, 2}, 0, 0));
  writer.write(10, 1.0 / 3, test::cube_frame({0, 1, 2, 3}, 0, 1.0 / 3));
}

TEST(ParaView, OpensTheSeriesWithTheSameTimesVolumesAndArrays) {
  const test::TemporaryFolder folder(test::world());
  write_series(folder.path());
  const auto output = folder.path() / "seen.json";
  ASSERT_EQ(run_script("check_frames.py' '" + folder.path().string() + "' --density 1000 500", output), 0)
      << read_file(output);
  const YAML::Node frames = YAML::LoadFile(output)["frames"];
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0]["time"].as<double>(), 0);
  EXPECT_EQ(frames[1]["time"].as<double>(), 1.0 / 3);
  EXPECT_EQ(frames[0]["cells"].as<int>(), 15);
  EXPECT_EQ(frames[1]["cells"].as<int>(), 20);
  EXPECT_EQ(frames[1]["points"].as<int>(), 32);
  EXPECT_NEAR(frames[1]["volume"].as<double>(), 4, 1e-12);
  EXPECT_GT(frames[1]["smallest_volume"].as<double>(), 0.1);
  EXPECT_NEAR(frames[0]["mass"].as<double>(), 2500, 1e-9);  // materials 0, 1, 0 at J = 1
  EXPECT_EQ(frames[1]["point_arrays"].size(), 4u);
  EXPECT_EQ(frames[1]["cell_arrays"].size(), 5u);
  EXPECT_EQ(frames[1]["cell_arrays"]["von_mises"][1].as<double>(), std::sqrt(19 + 1.0 / 3));
}

TEST(ParaView, OpensTheSeriesOfContactPairs) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter writer(folder.path(), "row_contacts", test::world(), std::nullopt, FrameFormat::lines);
  writer.write(0, 0, test::line_frame({}));
  writer.write(10, 0.5, test::line_frame({1, 2, 7}));
  const auto output = folder.path() / "seen.json";
  ASSERT_EQ(run_script("check_frames.py' '" + (folder.path() / "row_contacts.pvd").string() + "'", output), 0)
      << read_file(output);
  const YAML::Node frames = YAML::LoadFile(output)["frames"];
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0]["cells"].as<int>(), 0);
  EXPECT_EQ(frames[1]["time"].as<double>(), 0.5);
  EXPECT_EQ(frames[1]["cells"].as<int>(), 3);
  EXPECT_EQ(frames[1]["length"].as<double>(), 1.5);
  EXPECT_EQ(frames[1]["cell_arrays"]["gap"][1].as<double>(), 3);
  EXPECT_EQ(frames[1]["cell_arrays"]["state"][0].as<double>(), 0);
}

TEST(ParaView, DrawsAFrameToAPngWithoutADisplay) {
  const test::TemporaryFolder folder(test::world());
  write_series(folder.path());
  const auto picture = folder.path() / "picture.png", output = folder.path() / "said.txt";
  ASSERT_EQ(run_script("render.py' '" + folder.path().string() + "' --size 640 400 --output '" + picture.string() + "'",
                       output),
            0)
      << read_file(output);
  const std::string png = read_file(picture);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_GT(png.size(), 10000u);  // without the cubes it is 5 kB
}

TEST(ParaView, AnArrayThatIsNotThereIsNamedWithThoseThatAre) {
  const test::TemporaryFolder folder(test::world());
  write_series(folder.path());
  const auto output = folder.path() / "said.txt";
  EXPECT_NE(run_script("render.py' '" + folder.path().string() + "' --color presure", output), 0);
  EXPECT_NE(read_file(output).find("no array 'presure'"), std::string::npos) << read_file(output);
  EXPECT_NE(read_file(output).find("von_mises"), std::string::npos) << read_file(output);
}

}  // namespace
}  // namespace unbarred
#endif
