#pragma once
// A YAML text as a tree of plain values that remember their place. Only document.cpp includes yaml-cpp.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace unbarred {

struct Node {
  enum class Kind { null, scalar, list, map } kind = Kind::null;
  Place place{};
  bool quoted = false;  ///< scalar written in quotes: its text starts one column after the place
  std::string text{};   ///< scalar
  struct Entry;
  std::vector<Node> items{};     ///< list
  std::vector<Entry> entries{};  ///< map, in the order of the text, keys unique

  Node* find(std::string_view key);
  const Node* find(std::string_view key) const;
};

struct Node::Entry {
  std::string key;
  Place place;  ///< of the key
  Node value;
};

/// The single document in `text`; `file` appears in places. Throws Error(bad_input) for what is no YAML, for
/// duplicated keys, anchors, tags and several documents.
Node parse_document(const std::string& text, const std::string& file);

/// As parse_document, for a value given on the command line: every place is `where`, without line and column.
Node parse_value(const std::string& text, const std::string& where);

}  // namespace unbarred
