#pragma once
// Tables of prescribed motions: CSV files of time (s), dx, dy, dz (m).
#include <string>

#include "partitioning/communicator.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Lines of four numbers, separated by commas, semicolons, tabs or spaces; times ascend. Empty lines, lines that start
/// with #, and one line of headings are skipped. Throws Error(bad_input) with file, line and column.
MotionTable parse_motion_table(const std::string& text, const std::string& file);

/// Rank 0 reads every table of the scene; all ranks parse the same text. @note Collective
void read_motion_tables(Scene& scene, const Communicator& communicator);

}  // namespace unbarred
