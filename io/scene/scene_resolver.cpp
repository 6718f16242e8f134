#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/scene/scene_value.hpp"
#include "io/text/expression.hpp"
#include "io/text/nearest.hpp"

namespace unbarred {

const SceneValue* SceneValue::find(std::string_view key) const {
  for (const auto& [name, child] : children)
    if (name == key) return &child;
  return nullptr;
}

SceneValue* SceneValue::find(std::string_view key) {
  return const_cast<SceneValue*>(static_cast<const SceneValue*>(this)->find(key));
}

const SceneValue& SceneValue::at(std::string_view key) const {
  const SceneValue* child = find(key);
  if (!child) throw Error(ExitCode::internal, place, "the scene schema has no `" + std::string(key) + "` here");
  return *child;
}

Vec3 SceneValue::vector(std::string_view key) const {
  const auto& x = at(key).numbers;
  return {{x[0], x[1], x[2]}};
}

const std::pair<std::string, SceneValue>* SceneValue::alternative() const {
  for (const auto& child : children)
    if (child.second.entry->alternative) return &child;
  return nullptr;
}

namespace {

std::string ticked(std::string_view text) { return std::string("`").append(text).append("`"); }

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

class Resolver {
 public:
  explicit Resolver(std::vector<NotYet>& not_yet) : not_yet_(not_yet) {}

  SceneValue scene(const Node& document) {
    const Node* solver = document.find("solver");
    const Node* preset = solver ? solver->find("preset") : nullptr;
    published_ = preset && preset->text == "published";
    if (const Node* parameters = document.find("parameters")) read_parameters(*parameters);
    SceneValue result = section(*find_in_schema(""), "", document);
    if (const Node* parameters = document.find("parameters")) refuse_unused(*parameters);
    return result;
  }

 private:
  /// `path` is what the user knows ("bodies.ball"); entry.path the one of the table ("bodies.*").
  SceneValue value(const SchemaEntry& entry, const std::string& path, const Node& node) {
    switch (entry.type) {
      case ValueType::section:
        return section(entry, path, node);
      case ValueType::named:
        return named(entry, path, node);
      case ValueType::bare:
        return bare(entry, path, node);
      default:
        return leaf(entry, path, node);
    }
  }

  SceneValue section(const SchemaEntry& entry, const std::string& path, const Node& node) {
    const Node map = as_map(entry, path, node);
    refuse_unknown(entry, path, map);
    SceneValue result{.entry = &entry, .place = node.place};
    for (const SchemaEntry* child : children_in_schema(entry.path)) {
      if (!child->supported || child->path == "parameters") continue;
      const std::string key(last_key(child->path)), child_path = join_path(path, key);
      if (const Node* given = map.find(key)) {
        result.children.emplace_back(key, value(*child, child_path, *given));
      } else if (!child->alternative && !child->optional) {
        result.children.emplace_back(key, fallback(*child, child_path, node.place));
      }
    }
    check_alternatives(entry, path, result);
    return result;
  }

  SceneValue named(const SchemaEntry& entry, const std::string& path, const Node& node) {
    if (node.kind != Node::Kind::map && node.kind != Node::Kind::null)
      throw bad_input(node.place, ticked(path) + " must be a map of names");
    if (!entry.fallback && node.entries.empty())
      throw bad_input(node.place, ticked(path) + " is empty: at least one is needed");
    SceneValue result{.entry = &entry, .place = node.place};
    for (const Node::Entry& item : node.entries) {
      check_name(item);
      const SchemaEntry& child = *entry_of_name(entry, item.key);
      result.children.emplace_back(item.key, value(child, join_path(path, item.key), item.value));
    }
    return result;
  }

  static SceneValue bare(const SchemaEntry& entry, const std::string& path, const Node& node) {
    if (node.kind != Node::Kind::null) throw bad_input(node.place, ticked(path) + " takes no value");
    return {.entry = &entry, .place = node.place};
  }

  SceneValue leaf(const SchemaEntry& entry, const std::string& path, const Node& node) {
    if (entry.type == ValueType::pairs) return name_pairs(entry, path, node);
    SceneValue result{.entry = &entry, .place = node.place};
    const bool is_list = node.kind == Node::Kind::list;
    const auto size = static_cast<int>(is_list ? node.items.size() : 1);
    const bool numeric = entry.type == ValueType::number || entry.type == ValueType::integer;
    const bool fits = numeric ? size == entry.least || size == entry.most : size >= entry.least && size <= entry.most;
    if (node.kind == Node::Kind::map || node.kind == Node::Kind::null || (is_list && entry.most == 1) || !fits)
      throw bad_input(node.place, ticked(path) + " must be " + expectation(entry));
    if (!is_list) add_item(entry, path, node, result);
    for (const Node& item : node.items) add_item(entry, path, item, result);
    return result;
  }

  static SceneValue name_pairs(const SchemaEntry& entry, const std::string& path, const Node& node) {
    SceneValue result{.entry = &entry, .place = node.place};
    const auto refuse = [&](const Node& at) {
      throw bad_input(at.place, ticked(path) + " must be a list of pairs of names, as [[ball, floor]]");
    };
    if (node.kind != Node::Kind::list) refuse(node);
    for (const Node& pair : node.items) {
      if (pair.kind != Node::Kind::list || pair.items.size() != 2) refuse(pair);
      for (const Node& name : pair.items) {
        if (name.kind != Node::Kind::scalar) refuse(name);
        result.words.push_back(name.text);
      }
    }
    return result;
  }

  void add_item(const SchemaEntry& entry, const std::string& path, const Node& node, SceneValue& result) {
    if (node.kind != Node::Kind::scalar) throw bad_input(node.place, ticked(path) + " must be " + expectation(entry));
    if (entry.type == ValueType::number || entry.type == ValueType::integer) {
      result.numbers.push_back(checked(entry, path, node));
    } else {
      if (entry.type == ValueType::word) check_word(entry, path, node);
      result.words.push_back(entry.type == ValueType::formula ? formula(node) : node.text);
    }
  }

  Real checked(const SchemaEntry& entry, const std::string& path, const Node& node) {
    if (entry.may_be_none && node.text == "none") return std::numeric_limits<Real>::infinity();
    const Real x = number(entry, path, node);
    if (entry.type == ValueType::integer && x != std::floor(x))
      throw bad_input(node.place, ticked(path) + " must be a whole number, not " + node.text);
    if (!entry.range.contains(x)) {
      std::string limits = to_string(entry.range);
      if (x > entry.range.upper && limits.find('<') == std::string::npos) limits = "not so large";
      if (entry.may_be_none) limits += " or none";
      throw bad_input(node.place, ticked(path) + " must be " + limits + unit_of(entry) + ", not " + node.text);
    }
    return x;
  }

  Real number(const SchemaEntry& entry, const std::string& path, const Node& node) {
    const std::string& text = node.text;
    if (text.size() >= 3 && text.starts_with("$(") && text.ends_with(")")) {
      Place start = node.place;
      if (start.column > 0) start.column += node.quoted ? 3 : 2;
      return evaluate_expression(std::string_view(text).substr(2, text.size() - 3), parameters_, start, used_);
    }
    try {
      return parse_number(text, {});
    } catch (const Error& error) {
      throw bad_input(node.place, ticked(path) + ": " + error.what() + (entry.may_be_none ? ", nor `none`" : ""));
    }
  }

  /// With or without the $( ) of other expressions.
  std::string formula(const Node& node) {
    std::string_view text = node.text;
    Place start = node.place;
    const bool wrapped = text.starts_with("$(") && text.ends_with(")");
    if (start.column > 0) start.column += (node.quoted ? 1 : 0) + (wrapped ? 2 : 0);
    if (wrapped) text = text.substr(2, text.size() - 3);
    return formula_of_time(text, parameters_, start, used_);
  }

  void check_word(const SchemaEntry& entry, const std::string& path, const Node& node) {
    std::vector<std::string> known;
    std::string list;
    for (std::size_t at = 0; at <= entry.words.size();) {
      const std::size_t end = std::min(entry.words.find('|', at), entry.words.size());
      std::string word(entry.words.substr(at, end - at));
      at = end + 1;
      if (word == node.text) return;
      if (word == "?" + node.text) return not_yet_.push_back({node.place, path + ": " + node.text});
      if (word == "!" + node.text)
        throw bad_input(node.place, ticked(node.text) + " for " + ticked(path) + " is not supported yet");
      if (word[0] == '!') continue;
      if (word[0] == '?') word.erase(0, 1);
      list += (list.empty() ? "" : ", ") + word;
      known.push_back(std::move(word));
    }
    const std::string near = suggestion(node.text, known);
    throw bad_input(node.place, "unknown value " + ticked(node.text) + " for " + ticked(path) +
                                    (near.empty() ? "; known: " + list : near));
  }

  SceneValue fallback(const SchemaEntry& entry, const std::string& path, const Place& place) {
    if (!entry.fallback)
      throw bad_input(place, "missing " + ticked(path) + ": " + std::string(entry.description) + unit_of(entry));
    const std::string_view text = published_ && entry.published ? *entry.published : *entry.fallback;
    Node node = parse_value(std::string(text), "default of " + path);
    node.place = place;
    return value(entry, path, node);
  }

  static std::string unit_of(const SchemaEntry& entry) {
    return entry.unit.empty() ? "" : " (" + std::string(entry.unit) + ")";
  }

  static std::string expectation(const SchemaEntry& entry) {
    static constexpr std::string_view one[] = {"", "", "", "a number", "a whole number", "a word", "a text", "", ""};
    static constexpr std::string_view many[] = {
        "", "", "", "numbers", "whole numbers", "words", "texts", "expressions of t", ""};
    const auto type = static_cast<std::size_t>(entry.type);
    if (entry.most == 1) return std::string(one[type]) + (entry.may_be_none ? " or none" : "") + unit_of(entry);
    if (entry.type == ValueType::word) return "a list of words";
    const std::string list = "a list of " + std::to_string(entry.most) + " " + std::string(many[type]);
    return (entry.least == 1 ? std::string(one[type]) + " or " : "") + list + unit_of(entry);
  }

  /// A word may stand for the alternative that has no value: `move: fixed`.
  static Node as_map(const SchemaEntry& entry, const std::string& path, const Node& node) {
    if (node.kind == Node::Kind::map || node.kind == Node::Kind::null) return node;
    const SchemaEntry* child =
        node.kind == Node::Kind::scalar ? find_in_schema(join_path(entry.path, node.text)) : nullptr;
    if (!child || child->type != ValueType::bare)
      throw bad_input(node.place, path.empty() ? "a scene must be a map of keys and values"
                                               : ticked(path) + " must be a map: " + std::string(entry.description));
    Node map{.kind = Node::Kind::map, .place = node.place};
    map.entries.push_back({node.text, node.place, {.place = node.place}});
    return map;
  }

  static void refuse_unknown(const SchemaEntry& entry, const std::string& path, const Node& map) {
    for (const Node::Entry& item : map.entries) {
      const SchemaEntry* child = find_in_schema(join_path(entry.path, item.key));
      if (child && !child->supported)
        throw bad_input(item.place, ticked(join_path(path, item.key)) + " is not supported yet: remove it");
      if (child && item.key != "*") continue;
      const bool digits = item.key.find_first_not_of("0123456789") == std::string::npos;
      throw bad_input(item.place, "unknown key " + ticked(join_path(path, item.key)) +
                                      (digits ? ": if this is a decimal comma, write a point"
                                              : key_suggestion(entry.path, item.key)));
    }
  }

  static void check_alternatives(const SchemaEntry& entry, const std::string& path, const SceneValue& section) {
    std::string all, given;
    int count = 0;
    for (const SchemaEntry* child : children_in_schema(entry.path))
      if (child->alternative) all += (all.empty() ? "" : ", ") + std::string(last_key(child->path));
    for (const auto& [key, child] : section.children)
      if (child.entry->alternative) given += (count++ == 0 ? "" : " and ") + ticked(key);
    if (count > 1) throw bad_input(section.place, ticked(path) + " has " + given + ": give only one of " + all);
    if (count == 0 && !entry.fallback) throw bad_input(section.place, ticked(path) + " needs one of " + all);
  }

  static void check_name(const Node::Entry& item) {
    if (!is_name(item.key))
      throw bad_input(item.place, "the name " + ticked(item.key) + " may have letters, digits, _ and - only");
  }

  void read_parameters(const Node& node) {
    if (node.kind == Node::Kind::null) return;
    if (node.kind != Node::Kind::map) throw bad_input(node.place, "`parameters` must be a map of names");
    for (const Node::Entry& item : node.entries) {
      check_name(item);
      if (is_expression_word(item.key) || item.key.find('-') != std::string::npos || item.key[0] <= '9')
        throw bad_input(item.place, ticked(item.key) + " cannot be the name of a parameter: choose another");
      const std::string path = "parameters." + item.key;
      const SceneValue parameter = leaf(*find_in_schema("parameters.*"), path, item.value);
      parameters_[item.key] = parameter.numbers[0];
    }
  }

  void refuse_unused(const Node& node) const {
    for (const Node::Entry& item : node.entries)
      if (!used_.contains(item.key))
        throw bad_input(item.place, "the parameter " + ticked(item.key) + " is used nowhere: remove it");
  }

  std::vector<NotYet>& not_yet_;
  bool published_ = false;  // the preset, which decides on defaults
  Parameters parameters_;
  std::set<std::string> used_;
};

}  // namespace

SceneValue resolve_scene(const Node& document, std::vector<NotYet>& not_yet) {
  return Resolver(not_yet).scene(document);
}

}  // namespace unbarred
