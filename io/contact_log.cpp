#include "io/contact_log.hpp"

#include <charconv>

#include "io/files.hpp"
#include "io/json.hpp"

namespace unbarred {

namespace {

constexpr std::string_view head =
    "step,time,body_a,body_b,normal_x,normal_y,normal_z,friction_x,friction_y,friction_z\n";

/// The head and the lines of steps up to `last_step`, without a line that was cut off.
std::string lines_until(const std::string& text, std::int64_t last_step) {
  std::string kept(head);
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(text.data() + begin, end + 1 - begin);
    std::int64_t step = 0;
    const auto [rest, problem] = std::from_chars(line.data(), line.data() + line.size(), step);
    if (problem == std::errc() && *rest == ',' && step <= last_step) kept += line;
  }
  return kept;
}

std::string line_of(std::int64_t step, Real time, const BodyForce& force) {
  std::string line = std::to_string(step) + "," + number_text(time) + "," + std::to_string(force.body_a) + "," +
                     std::to_string(force.body_b);
  for (const Vec3& vector : {force.normal, force.friction})
    for (int k = 0; k < 3; ++k) line += "," + number_text(vector[k]);
  return line + "\n";
}

}  // namespace

ContactLog::ContactLog(std::filesystem::path file, const Communicator& communicator,
                       std::optional<std::int64_t> resumed_step)
    : file_(std::move(file)), communicator_(communicator) {
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    const bool continues = resumed_step && std::filesystem::exists(file_);
    write_file(file_, continues ? lines_until(read_file(file_), *resumed_step) : std::string(head));
  });
}

void ContactLog::append(std::int64_t step, Real time, const std::vector<BodyForce>& forces) const {
  communicator_.agree([&] {
    std::string text;
    for (const BodyForce& force : forces) text += line_of(step, time, force);
    if (!text.empty()) append_to_file(file_, text);
  });
}

}  // namespace unbarred
