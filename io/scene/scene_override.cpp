// `key=value` on the command line: a dotted path into the scene, names included (bodies.ball.mesh.ball.cells=12).
#include "io/scene/scene_value.hpp"
#include "io/text/nearest.hpp"

namespace unbarred {

namespace {

/// The node of `key` below a section of the schema, made when the document leaves it out.
Node& child_of_section(Node& node, const SchemaEntry& entry, const std::string& key, const Place& place) {
  const SchemaEntry* child = find_in_schema(join_path(entry.path, key));
  if (!child || key == "*") throw bad_input(place, "unknown key `" + key + "`" + key_suggestion(entry.path, key));
  if (!child->supported) throw bad_input(place, "`" + key + "` is not supported yet");
  if (node.kind != Node::Kind::map) node = {.kind = Node::Kind::map, .place = node.place};
  if (Node* found = node.find(key)) return *found;
  return node.entries.emplace_back(Node::Entry{key, place, {.place = place}}).value;
}

/// The node of a name that the user chose: it must be there already.
Node& child_of_names(Node& node, const std::string& path, const std::string& name, const Place& place) {
  if (Node* found = node.find(name)) return *found;
  std::vector<std::string> known;
  std::string list;
  for (const Node::Entry& entry : node.entries) {
    known.push_back(entry.key);
    list += (list.empty() ? " `" : ", `") + entry.key + "`";
  }
  const std::string near = suggestion(name, known);
  throw bad_input(place, "the scene has no `" + path + "." + name + "`" +
                             (near.empty() ? (list.empty() ? "" : "; it has" + list) : near));
}

Node& child_of_list(Node& node, const std::string& path, const std::string& index, const Place& place) {
  std::size_t i = node.items.size();
  if (index.size() < 4 && index.find_first_not_of("0123456789") == std::string::npos && !index.empty())
    i = static_cast<std::size_t>(std::stoi(index));
  if (i >= node.items.size())
    throw bad_input(place, "the scene has no `" + path + "." + index + "`: `" + path + "` is a list of " +
                               std::to_string(node.items.size()) + " that counts from 0");
  return node.items[i];
}

}  // namespace

void apply_override(Node& document, const std::string& assignment) {
  const Place place{"command line `" + assignment + "`", 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw bad_input(place, "an override is written key=value, for example time.step=0.005");
  const std::string keys = assignment.substr(0, equals);
  Node* node = &document;
  std::string schema_path, path;
  for (std::size_t at = 0; at <= keys.size();) {
    const std::size_t end = std::min(keys.find('.', at), keys.size());
    const std::string key = keys.substr(at, end - at);
    at = end + 1;
    const SchemaEntry& entry = *find_in_schema(schema_path);
    if (entry.type == ValueType::section) {
      node = &child_of_section(*node, entry, key, place);
      schema_path = join_path(schema_path, key);
    } else if (entry.type == ValueType::named) {
      node = &child_of_names(*node, path, key, place);
      schema_path = std::string(entry_of_name(entry, key)->path);
    } else {
      node = &child_of_list(*node, path, key, place);
    }
    path = join_path(path, key);
  }
  *node = parse_value(assignment.substr(equals + 1), place.file);
}

}  // namespace unbarred
