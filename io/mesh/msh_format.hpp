#pragma once
// Which MSH it is, and the sections that are passed over.
#include <string>

#include "io/mesh/msh_numbers.hpp"

namespace unbarred {

struct MshFormat {
  bool known = false;
  bool blocks = false;  ///< 4.1: nodes and elements in blocks, one or more an entity; else 2.x
};

/// $MeshFormat behind its first line: version, binary or not, byte order. Throws Error(bad_input) with the line.
void read_msh_format(MshNumbers& from, MshFormat& format);

/// For a file without $MeshFormat, after `$Nodes`: one number a line down is 2.x, four are 4.1; with a warning in the
/// log. Throws Error(bad_input).
void guess_msh_format(MshNumbers& from, MshFormat& format);

/// From behind `name`, "$Something", past the line "$EndSomething". Throws Error(bad_input) when the file ends first.
void skip_msh_section(TextScanner& text, const std::string& name);

}  // namespace unbarred
