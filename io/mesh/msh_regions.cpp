#include "io/mesh/msh_regions.hpp"

#include <cstdlib>

namespace unbarred {

/// Always text, in binary files, too: dimension, tag, "name".
void MshRegions::read_physical_names(MshNumbers& from) {
  TextScanner& text = from.text();
  const GlobalIndex count = text.integer("number of physical names");
  for (GlobalIndex i = 0; i < count; ++i) {
    const GlobalIndex dimension = text.integer("dimension");
    const GlobalIndex tag = text.integer("physical tag");
    std::string name = text.line();
    if (name.size() < 2 || name.front() != '"' || name.back() != '"')
      throw bad_input(from.place(), "a name in \" expected after the tag of the physical group");
    name = name.substr(1, name.size() - 2);
    if (dimension != dimension_) continue;
    if (!numbers_.emplace(tag, static_cast<std::int32_t>(names_.size())).second)
      throw bad_input(from.place(), "the physical group " + std::to_string(tag) + " has two names");
    names_.push_back(name);
  }
}

void MshRegions::read_entities(MshNumbers& from) {
  from.start_binary();
  GlobalIndex counts[4];
  for (GlobalIndex& count : counts) count = from.count("number of entities");
  for (int dimension = 0; dimension < 4; ++dimension)
    for (GlobalIndex i = 0; i < counts[dimension]; ++i) read_entity(from, dimension);
}

/// Tag, a point or a box, physical tags, and (but for points) tags of the boundary.
void MshRegions::read_entity(MshNumbers& from, int dimension) {
  const GlobalIndex tag = from.integer_tag("entity tag");
  for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) from.number("coordinate of an entity");
  const GlobalIndex groups = from.count("number of physical tags");
  for (GlobalIndex i = 0; i < groups; ++i) {
    const GlobalIndex group = from.integer_tag("physical tag");
    if (i == 0 && dimension == dimension_) first_groups_[tag] = group;
  }
  if (dimension == 0) return;
  const GlobalIndex boundary = from.count("number of bounding entities");
  for (GlobalIndex i = 0; i < boundary; ++i) from.integer_tag("bounding entity");
}

std::int32_t MshRegions::of_physical(GlobalIndex tag) {
  if (tag == 0) return -1;
  const auto [found, is_new] = numbers_.emplace(tag, static_cast<std::int32_t>(names_.size()));
  if (is_new) names_.push_back(std::to_string(tag));
  return found->second;
}

std::int32_t MshRegions::of_entity(GlobalIndex dimension, GlobalIndex tag) {
  const auto found = first_groups_.find(tag);
  // The sign of a physical tag says how the entity is oriented in its group.
  return dimension != dimension_ || found == first_groups_.end() ? -1 : of_physical(std::abs(found->second));
}

}  // namespace unbarred
