#pragma once
// Scene files (YAML) into Scene. Runs on one rank; the others get the text by broadcast and parse it themselves.
#include <filesystem>
#include <string>
#include <vector>

#include "io/scene/scene_schema.hpp"
#include "scene/scene.hpp"

namespace unbarred {

/// Reads and checks a scene; `overrides` are key=value with dotted keys, applied in order to the text's values.
/// Throws Error(bad_input) with file:line:column, what is wrong and what to do.
Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// As read_scene, of a text that is here already; `file` names it in messages, gives the default name of the scene,
/// and its folder is where mesh files are looked for.
Scene parse_scene(const std::string& text, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides);

/// The whole content of a file; throws Error(bad_input) when it cannot be read.
std::string read_text(const std::filesystem::path& file);

}  // namespace unbarred
