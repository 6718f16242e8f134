// Frames written on 1 to 4 ranks, some of them without cells, hold the same whole.
#include <gtest/gtest.h>

#include <set>

#include "io/frames/frame_writer.hpp"
#include "support/file_size_limit.hpp"
#include "support/frame_reader.hpp"
#include "support/frame_samples.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

/// Cubes 0..count-1 dealt to the ranks of `group` that `has_cells` names.
std::vector<GlobalIndex> dealt(const Communicator& group, int count, const std::vector<int>& with_cells) {
  std::vector<GlobalIndex> mine;
  for (int cube = 0; cube < count; ++cube)
    if (with_cells[static_cast<std::size_t>(cube) % with_cells.size()] % group.size() == group.rank())
      mine.push_back(cube);
  return mine;
}

void expect_whole(const std::filesystem::path& pvtu, int cubes, Real time) {
  const auto grid = test::read_pvtu(pvtu);
  ASSERT_NE(grid, nullptr);
  ASSERT_EQ(grid->GetNumberOfCells(), 5 * cubes);
  ASSERT_EQ(grid->GetNumberOfPoints(), 8 * cubes);
  EXPECT_NEAR(test::volume(grid), cubes, 1e-9);
  std::set<double> ids;
  vtkDataArray* id = grid->GetPointData()->GetArray("global_id");
  vtkDataArray* displacement = grid->GetPointData()->GetArray("displacement");
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    ids.insert(id->GetComponent(p, 0));
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(displacement->GetComponent(p, axis), std::sin(3 * id->GetComponent(p, 0) + axis + time));
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(8 * cubes));
}

TEST(DistributedFrames, TheSameWholeOnAnyNumberOfRanks) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const Communicator group = test::group(ranks);
    if (!test::works_in(ranks)) continue;
    for (const std::vector<int>& with_cells : {std::vector<int>{0, 1, 2, 3}, {3}, {1, 2}}) {
      const test::TemporaryFolder folder(group);
      FrameWriter writer(folder.path(), "row", group);
      writer.write(0, 0.25, test::cube_frame(dealt(group, 7, with_cells), group.rank(), 0.25));
      writer.write(1, 0.5, test::cube_frame({}, group.rank(), 0.5));
      group.barrier();
      expect_whole(folder.path() / "row_000000.pvtu", 7, 0.25);
      const auto empty = test::read_pvtu(folder.path() / "row_000001.pvtu");
      ASSERT_NE(empty, nullptr);
      EXPECT_EQ(empty->GetNumberOfCells(), 0);
      EXPECT_EQ(FrameSeries::reopen(folder.path() / "row.pvd", 99).entries().size(), 2u);
    }
  }
}

TEST(DistributedFrames, ResumedOnFewerRanksTheSeriesStaysOne) {
  const test::TemporaryFolder folder(test::world());
  {
    FrameWriter writer(folder.path(), "row", test::world());
    for (int step = 0; step < 4; ++step)
      writer.write(step, step, test::cube_frame({test::world().rank()}, test::world().rank(), step));
  }
  const Communicator group = test::group(2);
  if (test::works_in(2)) {
    FrameWriter writer(folder.path(), "row", group, 1);
    for (int step = 2; step < 5; ++step)
      writer.write(step, step, test::cube_frame({2 * group.rank(), 2 * group.rank() + 1}, group.rank(), step));
  }
  test::world().barrier();
  const FrameSeries series = FrameSeries::reopen(folder.path() / "row.pvd", 99);
  ASSERT_EQ(series.entries().size(), 5u);
  for (const auto& [step, entry] : series.entries()) expect_whole(folder.path() / entry.frame, 4, entry.time);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "row_000002_3.vtu"));
}

TEST(DistributedFrames, OneRankWithoutDiskFailsAllWithItsPath) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter writer(folder.path(), "row", test::world());
  const int rank = test::world().rank();
  std::string message;
  {
    const test::FileSizeLimit limit(rank == 2 ? 100 : RLIM_INFINITY);
    try {
      writer.write(0, 0, test::cube_frame({rank}, rank, 0));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::io_failed);
      message = error.what();
    }
  }
  EXPECT_NE(message.find("row_000000_2.vtu: writing "), std::string::npos) << message;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "row.pvd"));
}

}  // namespace
}  // namespace unbarred
