#include "io/frames/frame_writer.hpp"

#include <gtest/gtest.h>

#include "io/text/files.hpp"
#include "support/file_size_limit.hpp"
#include "support/frame_reader.hpp"
#include "support/frame_samples.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

template <class T>
void expect_same_bits(const FrameArray& written, vtkDataSetAttributes* read) {
  vtkDataArray* array = read->GetArray(written.name.c_str());
  ASSERT_NE(array, nullptr) << written.name;
  const auto& values = std::get<std::vector<T>>(written.values);
  ASSERT_EQ(array->GetNumberOfComponents(), written.components) << written.name;
  ASSERT_EQ(static_cast<std::size_t>(array->GetNumberOfValues()), values.size()) << written.name;
  ASSERT_EQ(static_cast<std::size_t>(array->GetElementComponentSize()), sizeof(T)) << written.name;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(static_cast<T>(array->GetComponent(static_cast<vtkIdType>(i) / written.components,
                                                 static_cast<int>(i) % written.components)),
              values[i])
        << written.name << " value " << i;
}

void expect_same_bits(const std::vector<FrameArray>& written, vtkDataSetAttributes* read) {
  ASSERT_EQ(static_cast<std::size_t>(read->GetNumberOfArrays()), written.size());
  for (const FrameArray& array : written) {
    if (array.values.index() == 0) expect_same_bits<Real>(array, read);
    if (array.values.index() == 1) expect_same_bits<std::int32_t>(array, read);
    if (array.values.index() == 2) expect_same_bits<std::int64_t>(array, read);
  }
}

TEST(FrameWriter, VtkReadsBackEveryBit) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter writer(folder.path(), "drop", test::world());
  const FramePiece piece = test::cube_frame({0, 1, 2}, 0, 0.3);
  EXPECT_GT(writer.write(5, 0.3, piece), 1000);

  const auto grid = test::read_pvtu(folder.path() / "drop_000005.pvtu");
  ASSERT_NE(grid, nullptr);
  ASSERT_EQ(grid->GetNumberOfCells(), 15);
  ASSERT_EQ(grid->GetNumberOfPoints(), 24);
  EXPECT_NEAR(test::volume(grid), 3, 1e-12);
  for (vtkIdType p = 0; p < 24; ++p)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(grid->GetPoint(p)[k], piece.points[static_cast<std::size_t>(p)][k]);
  expect_same_bits(piece.point_arrays, grid->GetPointData());
  expect_same_bits(piece.cell_arrays, grid->GetCellData());
  EXPECT_STREQ(grid->GetCellData()->GetArray("cauchy_stress")->GetComponentName(4), "YZ");
}

TEST(FrameWriter, LinesAreReadBackFromASeriesOfTheirOwn) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter cells(folder.path(), "drop", test::world());
  cells.write(5, 0.3, test::cube_frame({0}, 0, 0.3));
  FrameWriter lines(folder.path(), "drop_contacts", test::world(), std::nullopt, FrameFormat::lines);
  lines.write(0, 0, test::line_frame({}));
  const FramePiece piece = test::line_frame({1, 4, 9});
  lines.write(5, 0.3, piece);
  const auto none = test::read_pvtp(folder.path() / "drop_contacts_000000.pvtp");
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(none->GetNumberOfCells(), 0);
  EXPECT_NE(none->GetCellData()->GetArray("gap"), nullptr);
  const auto read = test::read_pvtp(folder.path() / "drop_contacts_000005.pvtp");
  ASSERT_NE(read, nullptr);
  ASSERT_EQ(read->GetNumberOfLines(), 3);
  ASSERT_EQ(read->GetNumberOfCells(), 3);
  for (int line = 0; line < 3; ++line)
    for (int end = 0; end < 2; ++end)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(read->GetPoint(read->GetCell(line)->GetPointId(end))[k],
                  piece.points[static_cast<std::size_t>(2 * line + end)][k]);
  expect_same_bits(piece.cell_arrays, read->GetCellData());

  // A run that goes on after step 3 drops the later frame of lines and keeps that of cells, which is another series.
  FrameWriter resumed(folder.path(), "drop_contacts", test::world(), 3, FrameFormat::lines);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "drop_contacts_000005.pvtp"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "drop_contacts_000005_0.vtp"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "drop_contacts_000000.pvtp"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "drop_000005.pvtu"));
}

TEST(FrameWriter, AFrameWithoutCellsIsValidAndKeepsItsArrays) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter writer(folder.path(), "empty", test::world());
  writer.write(0, 0, test::cube_frame({}, 0, 0));
  const auto grid = test::read_pvtu(folder.path() / "empty_000000.pvtu");
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(grid->GetNumberOfCells(), 0);
  EXPECT_EQ(grid->GetNumberOfPoints(), 0);
  EXPECT_NE(grid->GetCellData()->GetArray("von_mises"), nullptr);
}

TEST(FrameWriter, ReservedCharactersInTheNameAreEscaped) {
  const test::TemporaryFolder folder(test::world());
  const std::string name = "a&b <c>";
  FrameWriter(folder.path(), name, test::world()).write(1, 0.5, test::cube_frame({0}, 0, 0));
  FrameWriter resumed(folder.path(), name, test::world(), 1);
  resumed.write(2, 1.0, test::cube_frame({0}, 0, 0));
  const auto grid = test::read_pvtu(folder.path() / (name + "_000001.pvtu"));
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(grid->GetNumberOfCells(), 5);
  EXPECT_EQ(FrameSeries::reopen(folder.path() / (name + ".pvd"), 9).entries().size(), 2u);
}

TEST(FrameWriter, AnArrayOfTheWrongLengthIsAnInternalError) {
  const test::TemporaryFolder folder(test::world());
  FramePiece piece = test::cube_frame({0}, 0, 0);
  std::get<std::vector<Real>>(piece.cell_arrays[1].values).pop_back();
  try {
    FrameWriter(folder.path(), "bad", test::world()).write(0, 0, piece);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
    EXPECT_NE(std::string(error.what()).find("von_mises"), std::string::npos);
  }
}

TEST(FrameSeries, ResumingKeepsReplacesAndDrops) {
  const test::TemporaryFolder folder(test::world());
  const std::filesystem::path pvd = folder.path() / "drop.pvd";
  {
    FrameWriter writer(folder.path(), "drop", test::world());
    for (int step = 0; step <= 50; step += 10) writer.write(step, 0.1 * step / 3, test::cube_frame({0}, 0, 0));
  }
  FrameWriter writer(folder.path(), "drop", test::world(), 35);
  EXPECT_EQ(FrameSeries::reopen(pvd, 1000).entries().size(), 4u);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "drop_000040.pvtu"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "drop_000050_0.vtu"));
  writer.write(30, 0.1 * 30 / 3, test::cube_frame({0, 1}, 0, 0));
  writer.write(40, 0.1 * 40 / 3, test::cube_frame({0, 1}, 0, 0));

  const FrameSeries series = FrameSeries::reopen(pvd, 1000);
  std::vector<Real> times;
  for (const auto& [step, entry] : series.entries()) times.push_back(entry.time);
  EXPECT_EQ(times, (std::vector<Real>{0, 0.1 * 10 / 3, 0.1 * 20 / 3, 0.1 * 30 / 3, 0.1 * 40 / 3}));
  EXPECT_EQ(test::read_pvtu(folder.path() / series.entries().at(30).frame)->GetNumberOfCells(), 10);
  EXPECT_EQ(test::read_pvtu(folder.path() / series.entries().at(20).frame)->GetNumberOfCells(), 5);
}

TEST(FrameSeries, OnlyFramesOfTheNameHaveAStep) {
  EXPECT_EQ(frame_step("drop", "drop_000012.pvtu"), 12);
  EXPECT_EQ(frame_step("drop", "drop_1234567_3.vtu"), 1234567);
  EXPECT_EQ(frame_step("drop", "drop_12.pvtu"), std::nullopt);
  EXPECT_EQ(frame_step("drop", "droplet_000012.pvtu"), std::nullopt);
  EXPECT_EQ(frame_step("drop", "drop_contacts_000012.pvtp"), std::nullopt);
  EXPECT_EQ(frame_step("drop", "drop.pvd"), std::nullopt);
}

TEST(FrameWriter, AFullDiskNamesPathAndBytesAndKeepsTheSeries) {
  const test::TemporaryFolder folder(test::world());
  FrameWriter writer(folder.path(), "drop", test::world());
  writer.write(0, 0, test::cube_frame({0}, 0, 0));
  const std::string before = read_file(folder.path() / "drop.pvd");
  try {
    const test::FileSizeLimit limit(1000);
    writer.write(1, 0.1, test::cube_frame({0, 1, 2, 3}, 0, 0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::io_failed);
    EXPECT_NE(std::string(error.what()).find("drop_000001_0.vtu: writing "), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_file(folder.path() / "drop.pvd"), before);
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(file.path().filename().string().find(".tmp"), std::string::npos);
  writer.write(1, 0.1, test::cube_frame({0}, 0, 0));
  EXPECT_EQ(FrameSeries::reopen(folder.path() / "drop.pvd", 9).entries().size(), 2u);
}

}  // namespace
}  // namespace unbarred
