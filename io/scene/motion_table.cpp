#include "io/scene/motion_table.hpp"

#include <algorithm>

#include "io/scene/scene_reader.hpp"
#include "io/text/expression.hpp"

namespace unbarred {

namespace {

bool separates(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r'; }

struct Cell {
  std::string text;
  int column;
};

/// Spaces around one comma or semicolon separate once; an empty cell between two commas stays.
std::vector<Cell> cells_of(const std::string& line) {
  std::vector<Cell> cells;
  bool expected = false;  // a comma promised one more cell
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ',' || line[at] == ';') {
      if (expected || cells.empty()) cells.push_back({"", static_cast<int>(at) + 1});
      expected = true;
      ++at;
    } else if (separates(line[at])) {
      ++at;
    } else {
      const std::size_t begin = at;
      while (at < line.size() && !separates(line[at])) ++at;
      cells.push_back({line.substr(begin, at - begin), static_cast<int>(begin) + 1});
      expected = false;
    }
  }
  return cells;
}

bool is_heading(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](const Cell& cell) { return cell.text.find_first_of("0123456789") == std::string::npos; });
}

void add_row(MotionTable& table, const std::vector<Cell>& cells, const Place& place) {
  if (cells.size() != 4)
    throw bad_input(place, "a line of the table has time, dx, dy, dz: 4 numbers, not " + std::to_string(cells.size()));
  Real x[4];
  for (std::size_t i = 0; i < 4; ++i) x[i] = parse_number(cells[i].text, {place.file, place.line, cells[i].column});
  if (!table.times.empty() && !(x[0] > table.times.back()))
    throw bad_input(
        place, "times must ascend: " + cells[0].text + " s comes after " + write_number(table.times.back()) + " s");
  table.times.push_back(x[0]);
  table.displacements.push_back({{x[1], x[2], x[3]}});
}

}  // namespace

MotionTable parse_motion_table(const std::string& text, const std::string& file) {
  MotionTable table;
  bool first = true;
  int line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<Cell> cells = cells_of(text.substr(at, end - at));
    at = end + 1;
    ++line;
    if (cells.empty() || cells[0].text.starts_with('#')) continue;
    if (!first || !is_heading(cells)) add_row(table, cells, {file, line, 1});
    first = false;
  }
  if (table.times.empty()) throw bad_input({file, 0, 0}, "the table has no line of numbers: time, dx, dy, dz");
  return table;
}

void read_motion_tables(Scene& scene, const Communicator& communicator) {
  for (MotionSpec& motion : scene.motions) {
    if (motion.move.kind != MoveSpec::Kind::table) continue;
    std::string text;
    communicator.agree([&] {
      if (communicator.is_root()) text = read_text(motion.move.file);
    });
    text = communicator.broadcast(text, 0);
    communicator.agree([&] { motion.move.table = parse_motion_table(text, motion.move.file.string()); });
  }
}

}  // namespace unbarred
