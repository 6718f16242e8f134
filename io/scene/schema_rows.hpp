#pragma once
// The words in which the table of the scene language is written: one function a kind of row, and the usual ranges.
#include "io/scene/scene_schema.hpp"

namespace unbarred {

namespace schema_rows {

using enum ValueType;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real largest_integer = 2147483647;
constexpr Real largest_exact = 9007199254740992.0;  // 2^53: beyond it a double skips integers

constexpr NumberRange anything{};
constexpr NumberRange positive{0, infinity, true, true};
constexpr NumberRange not_negative{0, infinity, false, true};
constexpr NumberRange fraction{0, 1, true, true};
constexpr NumberRange share{0, 1, false, true};
constexpr NumberRange factor{0, 1, false, false};
constexpr NumberRange count_from_0{0, largest_integer, false, false};
constexpr NumberRange count_from_1{1, largest_integer, false, false};
constexpr NumberRange seed_range{0, largest_exact, false, false};
constexpr NumberRange half_turn{0, 180, true, true};
constexpr NumberRange full_turn{0, 360, true, false};
constexpr NumberRange poisson_range{-1, 0.5, true, true};

using Default = std::optional<std::string_view>;
constexpr Default required = std::nullopt;

constexpr SchemaEntry keys(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = "", .description = description};
}
/// A section of which exactly one alternative must be given.
constexpr SchemaEntry choice(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = required, .description = description};
}
constexpr SchemaEntry names(std::string_view path, Default fallback, std::string_view description) {
  return {.path = path, .type = named, .fallback = fallback, .description = description};
}
constexpr SchemaEntry real(std::string_view path, std::string_view unit, Default fallback, NumberRange range,
                           std::string_view description) {
  return {.path = path, .type = number, .unit = unit, .fallback = fallback, .range = range, .description = description};
}
constexpr SchemaEntry vector(std::string_view path, std::string_view unit, Default fallback, NumberRange range,
                             std::string_view description) {
  SchemaEntry entry = real(path, unit, fallback, range, description);
  entry.least = entry.most = 3;
  return entry;
}
constexpr SchemaEntry pair(std::string_view path, std::string_view unit, Default fallback, NumberRange range,
                           std::string_view description) {
  SchemaEntry entry = real(path, unit, fallback, range, description);
  entry.least = entry.most = 2;
  return entry;
}
constexpr SchemaEntry whole(std::string_view path, Default fallback, NumberRange range, std::string_view description,
                            int least = 1, int most = 1) {
  SchemaEntry entry = real(path, "", fallback, range, description);
  entry.type = integer;
  entry.least = least;
  entry.most = most;
  return entry;
}
constexpr SchemaEntry one_of(std::string_view path, std::string_view words, Default fallback,
                             std::string_view description, int least = 1, int most = 1) {
  return {.path = path,
          .type = word,
          .least = least,
          .most = most,
          .fallback = fallback,
          .words = words,
          .description = description};
}
constexpr SchemaEntry string(std::string_view path, Default fallback, std::string_view description) {
  return {.path = path, .type = text, .fallback = fallback, .description = description};
}
constexpr SchemaEntry flag(std::string_view path, std::string_view description) {
  return {.path = path, .type = bare, .description = description};
}
constexpr SchemaEntry alternative(SchemaEntry entry) {
  entry.alternative = true;
  return entry;
}
/// With the preset `published` the default is another.
constexpr SchemaEntry published(std::string_view fallback, SchemaEntry entry) {
  entry.published = fallback;
  return entry;
}
/// A number, or the word `none` for no limit.
constexpr SchemaEntry or_none(SchemaEntry entry) {
  entry.may_be_none = true;
  return entry;
}
constexpr SchemaEntry optional(SchemaEntry entry) {
  entry.optional = true;
  return entry;
}
constexpr SchemaEntry formulas(std::string_view path, std::string_view unit, std::string_view description) {
  return {.path = path, .type = formula, .least = 3, .most = 3, .unit = unit, .description = description};
}
constexpr SchemaEntry name_pairs(std::string_view path, Default fallback, std::string_view description) {
  return {.path = path, .type = pairs, .fallback = fallback, .description = description};
}
constexpr SchemaEntry later(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = "", .description = description, .supported = false};
}

}  // namespace schema_rows

/// Parts of the table, each with parents before children.
std::vector<SchemaEntry> motion_entries();
std::vector<SchemaEntry> load_entries();
std::vector<SchemaEntry> run_entries();

}  // namespace unbarred
