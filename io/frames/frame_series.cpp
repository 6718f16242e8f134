#include "io/frames/frame_series.hpp"

#include <charconv>

#include "io/frames/vtu.hpp"
#include "io/text/files.hpp"
#include "io/text/json.hpp"

namespace unbarred {

/// The text of name="..." in an XML element, as it stands there; "" without it.
static std::string attribute(const std::string& element, const std::string& name) {
  const std::string start = name + "=\"";
  const std::size_t at = element.find(start);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + start.size();
  return element.substr(begin, element.find('"', begin) - begin);
}

FrameSeries FrameSeries::reopen(const std::filesystem::path& file, std::int64_t last_step) {
  FrameSeries series(file);
  if (!std::filesystem::exists(file)) return series;
  const std::string text = read_file(file);
  for (std::size_t at = 0; (at = text.find("<DataSet ", at)) != std::string::npos; ++at) {
    const std::string element = text.substr(at, text.find("/>", at) - at);
    const std::string time_text = attribute(element, "timestep"), frame = attribute(element, "file");
    Real time = 0;
    std::from_chars(time_text.data(), time_text.data() + time_text.size(), time);
    const std::optional<std::int64_t> step = frame_step(xml_escaped(file.stem().string()), frame);
    if (step && *step <= last_step) series.entries_[*step] = {time, frame};
  }
  return series;
}

void FrameSeries::set(std::int64_t step, Real time, const std::string& frame) {
  std::erase_if(entries_, [&](const auto& item) { return item.second.time == time; });
  entries_[step] = {time, xml_escaped(frame)};
}

void FrameSeries::save() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [step, entry] : entries_)
    text += "    <DataSet timestep=\"" + number_text(entry.time) + "\" group=\"\" part=\"0\" file=\"" + entry.frame +
            "\"/>\n";
  write_file(file_, text + "  </Collection>\n</VTKFile>\n");
}

std::optional<std::int64_t> frame_step(const std::string& name, const std::string& file) {
  if (file.size() <= name.size() + 1 || file.compare(0, name.size(), name) != 0 || file[name.size()] != '_')
    return std::nullopt;
  const char* const begin = file.data() + name.size() + 1;
  const char* const end = file.data() + file.size();
  std::int64_t step = 0;
  const auto [rest, problem] = std::from_chars(begin, end, step);
  const bool is_frame = problem == std::errc() && rest - begin >= 6 && rest != end && (*rest == '.' || *rest == '_');
  return is_frame ? std::optional(step) : std::nullopt;
}

}  // namespace unbarred
