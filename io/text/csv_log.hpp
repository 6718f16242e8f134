#pragma once
// A CSV file that grows with a run: a head, then lines that begin with the number of their step.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/vec3.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// A text as one field on one line: quoted when it holds a comma or a quote; line ends become blanks.
std::string csv_text(std::string_view text);
/// "2,0.02": what every line begins with. time: s.
std::string csv_step(std::int64_t step, Real time);
/// ",x,y,z"
std::string csv_vector(const Vec3& vector);

class CsvLog {
 public:
  /// head: with its line end. resumed_step: keep what `file` says up to this step; later lines, and a line that was cut
  /// off, go. Without it the file starts with its head alone. The communicator must outlive this. @note Collective
  CsvLog(std::filesystem::path file, std::string_view head, const Communicator& communicator,
         std::optional<std::int64_t> resumed_step);

  /// Of rank 0, whole lines; the others' are ignored. They are in the file when this returns. Throws Error(io_failed)
  /// on all ranks. @note Collective
  void append(const std::string& lines) const;

 private:
  std::filesystem::path file_;
  const Communicator& communicator_;
};

}  // namespace unbarred
