// used_scene.yaml: the resolved values, every default included, in the order of the schema.
#include <cmath>
#include <cstdio>

#include "io/scene/scene_value.hpp"
#include "io/text/expression.hpp"

namespace unbarred {

namespace {

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string pairs_text(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i + 1 < names.size(); i += 2)
    list += (list.empty() ? "[" : ", [") + quoted_text(names[i]) + ", " + quoted_text(names[i + 1]) + "]";
  return "[" + list + "]\n";
}

std::string leaf_text(const SceneValue& value) {
  if (value.entry->type == ValueType::pairs) return pairs_text(value.words);
  std::string list;
  for (const Real x : value.numbers)
    list += (list.empty() ? "" : ", ") + (std::isinf(x) ? std::string("none") : write_number(x));
  for (const std::string& word : value.words)
    list += (list.empty() ? "" : ", ") + (value.entry->type == ValueType::word ? word : quoted_text(word));
  const bool plain = value.entry->most == 1;
  const std::string unit = value.entry->unit.empty() ? "" : "  # " + std::string(value.entry->unit);
  return (plain ? list : "[" + list + "]") + unit + "\n";
}

void write(const std::string& key, const SceneValue& value, const std::string& indent, std::string& out) {
  const bool is_map = value.entry->type == ValueType::section || value.entry->type == ValueType::named;
  if (!is_map) {
    out += indent + key + ": " + leaf_text(value);
    return;
  }
  if (value.children.empty()) return;
  const auto* alternative = value.alternative();
  if (alternative && alternative->second.entry->type == ValueType::bare) {
    out += indent + key + ": " + alternative->first + "\n";
    return;
  }
  out += indent + key + ":\n";
  for (const auto& [name, child] : value.children) write(name, child, indent + "  ", out);
}

}  // namespace

std::string write_scene(const SceneValue& scene) {
  std::string out;
  for (const auto& [key, child] : scene.children) write(key, child, "", out);
  return out;
}

}  // namespace unbarred
