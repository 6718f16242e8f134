#include "io/mesh/msh_format.hpp"

#include <sstream>

#include "core/log.hpp"
#include "io/text/byte_order.hpp"

namespace unbarred {

/// The integer 1 behind the line of the version tells the byte order.
static bool is_swapped(TextScanner& text) {
  text.skip_line();
  std::int32_t one = 0;
  text.bytes(&one, sizeof one, "the number 1 of the byte order");
  if (one != 1 && byte_swapped(one) != 1)
    throw bad_input(text.place(), "the number that tells the byte order is " + std::to_string(one) + ", not 1");
  return one != 1;
}

void read_msh_format(MshNumbers& from, MshFormat& format) {
  TextScanner& text = from.text();
  if (format.known) throw bad_input(text.place(), "a second $MeshFormat section");
  const std::string version(text.word());
  if (version != "4.1" && !version.starts_with("2.") && version != "2")
    throw bad_input(text.place(), "MSH version `" + printable(version) + "` is not read: save as 4.1 or 2.2");
  format = {.known = true, .blocks = version == "4.1"};
  const GlobalIndex type = text.integer("file type");
  if (type != 0 && type != 1)
    throw bad_input(text.place(), "the file type is 0 (ASCII) or 1 (binary), not " + std::to_string(type));
  const GlobalIndex size = text.integer("data size");
  if (type == 1 && size != 8 && !(size == 4 && format.blocks))
    throw bad_input(text.place(), "binary MSH with a data size of " + std::to_string(size) + " is not read: use 8");
  if (type == 1) from.set_binary(is_swapped(text), static_cast<int>(size));
  const std::string end(text.word());
  if (end != "$EndMeshFormat")
    throw bad_input(text.place(), end.empty() ? "the file ends before $EndMeshFormat: it is truncated"
                                              : "$EndMeshFormat expected here, not `" + printable(end) + "`");
}

void guess_msh_format(MshNumbers& from, MshFormat& format) {
  std::istringstream line(from.text().peek_next_line());
  GlobalIndex number = 0, count = 0;
  while (line >> number) ++count;
  if (!line.eof() || (count != 1 && count != 4))
    throw bad_input(from.place(),
                    "the file has no $MeshFormat, and its $Nodes are neither those of MSH 2.2 nor of 4.1");
  format = {.known = true, .blocks = count == 4};
  log_warning(to_string(from.place()) + ": the file has no $MeshFormat: read as MSH " + (count == 4 ? "4.1" : "2.2") +
              " ASCII");
}

void skip_msh_section(TextScanner& text, const std::string& name) {
  const std::string end = "$End" + name.substr(1);
  text.skip_line();
  if (!text.skip_past_line(end))
    throw bad_input(text.place(), "the file ends before " + printable(end) + ": it is truncated");
}

}  // namespace unbarred
