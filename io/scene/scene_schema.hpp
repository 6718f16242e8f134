#pragma once
// The language of scene files as one table. Reading, defaults, ranges, the text of `--describe`, the nearest known
// key of an unknown one and used_scene.yaml all come from it.
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace unbarred {

enum class ValueType {
  section,  ///< map with fixed keys
  named,    ///< map whose keys the user chooses; the table calls each `*`
  bare,     ///< alternative without a value, written as a word: `move: fixed`
  number,
  integer,
  word,  ///< one of a few
  text,
  formula,  ///< expressions of the time t
  pairs,    ///< list of pairs of names: [[a, b], [c, d]]
};

struct NumberRange {
  Real lower = -std::numeric_limits<Real>::infinity(), upper = std::numeric_limits<Real>::infinity();
  bool lower_open = true, upper_open = true;
  bool contains(Real x) const { return (lower_open ? x > lower : x >= lower) && (upper_open ? x < upper : x <= upper); }
};

struct SchemaEntry {
  std::string_view path;  ///< "bodies.*.velocity"
  ValueType type = ValueType::section;
  int least = 1, most = 1;  ///< values: exactly one is written plainly, otherwise as a list (one of many may be plain)
  std::string_view unit{};
  std::optional<std::string_view> fallback{};   ///< default as YAML; none: required (sections: their keys decide)
  std::optional<std::string_view> published{};  ///< the default with `solver.preset: published`, where it is another
  NumberRange range{};
  std::string_view words{};  ///< of ValueType::word: "a|?b|!c"; ! marks what is refused, ? what Scene::not_yet gets
  std::string_view description{};
  bool alternative = false;  ///< exactly one of the alternatives of a section is given
  bool supported = true;     ///< false: known, refused by name
  bool optional = false;     ///< stays away when it is not given; the fallback of a number is then words for people
  bool may_be_none = false;  ///< a number, or the word `none`: infinity, no limit
};

/// Every key, parents before children, in the order in which used_scene.yaml writes them.
const std::vector<SchemaEntry>& scene_schema();

/// Entry of a path such as "bodies.*.velocity"; the empty path is the whole scene. nullptr: no such key.
const SchemaEntry* find_in_schema(std::string_view path);
/// What a name below a map of names stands for: a fixed key of the table if there is one, else its `*`.
const SchemaEntry* entry_of_name(const SchemaEntry& names, std::string_view name);
/// Entries one level below `path`.
std::vector<const SchemaEntry*> children_in_schema(std::string_view path);
/// Last part of a path.
std::string_view last_key(std::string_view path);
/// `parent.key`, or `key` at the top.
std::string join_path(std::string_view parent, std::string_view key);

std::string to_string(const NumberRange& range);

/// ", did you mean `x`?": the nearest key below `path`, else a key of that name elsewhere; and what is known there.
std::string key_suggestion(std::string_view path, std::string_view unknown);

/// The table for people: every key with type, unit, default, range and meaning.
std::string describe_scene_schema();

}  // namespace unbarred
