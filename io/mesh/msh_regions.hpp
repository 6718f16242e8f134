#pragma once
// The physical groups of an MSH file as regions 0, 1, 2, ...: named groups first, in the order of the file.
#include <map>
#include <string>
#include <vector>

#include "io/mesh/msh_numbers.hpp"

namespace unbarred {

class MshRegions {
 public:
  /// dimension: of the wanted elements; groups of other dimensions are passed over.
  explicit MshRegions(int dimension) : dimension_(dimension) {}

  /// The sections behind their first line; throw Error(bad_input) with the line.
  void read_physical_names(MshNumbers& from);
  void read_entities(MshNumbers& from);

  /// Region of a physical tag (format 2); 0 is none: -1. A group without a name is called by its number.
  std::int32_t of_physical(GlobalIndex tag);
  /// Region of an entity (format 4): its first physical group.
  std::int32_t of_entity(GlobalIndex dimension, GlobalIndex tag);

  const std::vector<std::string>& names() const { return names_; }

 private:
  void read_entity(MshNumbers& from, int dimension);

  int dimension_;
  std::vector<std::string> names_;
  std::map<GlobalIndex, std::int32_t> numbers_;      // by physical tag
  std::map<GlobalIndex, GlobalIndex> first_groups_;  // physical tag by entity
};

}  // namespace unbarred
