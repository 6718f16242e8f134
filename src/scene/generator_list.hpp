#pragma once
// The generators by name, for help and for the command line.
#include <string>
#include <vector>

namespace unbarred {

struct GeneratorKeys {
  std::string name;
  std::string keys;  ///< parameters, those with a default as key=value
};

/// What make_generator() and make_surface_generator() know.
std::vector<GeneratorKeys> volume_generators();
std::vector<GeneratorKeys> surface_generators();

}  // namespace unbarred
