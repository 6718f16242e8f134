#pragma once
// A scene after the schema has been applied: every key there, defaults filled in, types and ranges checked.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"
#include "io/scene/document.hpp"
#include "io/scene/scene_schema.hpp"
#include "scene/scene.hpp"

namespace unbarred {

struct SceneValue {
  const SchemaEntry* entry = nullptr;
  Place place{};
  std::vector<Real> numbers{};                                 ///< number, integer; infinite: `none`
  std::vector<std::string> words{};                            ///< word, text, formula; pairs: two after two
  std::vector<std::pair<std::string, SceneValue>> children{};  ///< section: in schema order; named: as written

  const SceneValue* find(std::string_view key) const;
  SceneValue* find(std::string_view key);
  /// Child that the schema guarantees.
  const SceneValue& at(std::string_view key) const;
  Real number(std::string_view key) const { return at(key).numbers[0]; }
  int integer(std::string_view key) const { return static_cast<int>(number(key)); }
  Vec3 vector(std::string_view key) const;
  const std::string& word(std::string_view key) const { return at(key).words[0]; }
  /// The one alternative that was given; nullptr when none was.
  const std::pair<std::string, SceneValue>* alternative() const;
};

/// Applies the schema to a document. Throws Error(bad_input) for unknown, missing, misplaced and unsupported keys,
/// wrong types, numbers out of range, faulty expressions and parameters that nothing uses.
/// `not_yet` gets what was understood but is not carried out yet (`?` in SchemaEntry::words).
SceneValue resolve_scene(const Node& document, std::vector<NotYet>& not_yet);

/// Sets `path=value` in the document. Throws Error(bad_input) for an unknown key, or a name that the document
/// does not have.
void apply_override(Node& document, const std::string& assignment);

/// YAML that reads back as the same values.
std::string write_scene(const SceneValue& scene);

}  // namespace unbarred
