#include "io/scene/document.hpp"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace unbarred {

Node* Node::find(std::string_view key) {
  for (Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

const Node* Node::find(std::string_view key) const { return const_cast<Node*>(this)->find(key); }

namespace {

/// Builds the tree from yaml-cpp's events, which (unlike its own tree) keep duplicated keys and every place.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(std::string file) : file_(std::move(file)) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add({.place = place(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { refuse_anchor(mark, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    add({.kind = Node::Kind::scalar, .place = place(mark), .quoted = tag == "!", .text = value});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open({.kind = Node::Kind::list, .place = place(mark)});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open({.kind = Node::Kind::map, .place = place(mark)});
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map that is being filled; a map waits for a key or for the value of the last key.
  struct Open {
    Node node;
    bool waits_for_value = false;
  };

  Place place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor)
      throw bad_input(place(mark),
                      "anchors (&) and aliases (*) are not supported: write the value out, or use "
                      "`parameters`");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw bad_input(place(mark), "YAML tags (" + tag + ") are not supported: remove it");
  }

  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.waits_for_value) {
      parent.node.entries.back().value = std::move(node);
      parent.waits_for_value = false;
    } else {
      add_key(parent, node);
    }
  }

  static void add_key(Open& map, const Node& key) {
    if (key.kind != Node::Kind::scalar) throw bad_input(key.place, "a key must be a plain word");
    for (const Node::Entry& entry : map.node.entries)
      if (entry.key == key.text)
        throw bad_input(key.place, "duplicated key `" + key.text + "`: first given in line " +
                                       std::to_string(entry.place.line) + "; remove one of them");
    map.node.entries.push_back({key.text, key.place, {.place = key.place}});
    map.waits_for_value = true;
  }

  void open(Node node) {
    if (!open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().waits_for_value)
      throw bad_input(node.place, "a key must be a plain word");
    open_.push_back({std::move(node), false});
  }
  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  std::string file_;
  Node root_;
  std::vector<Open> open_;
};

void forget_line(Node& node, const std::string& where) {
  node.place = {where, 0, 0};
  for (Node& item : node.items) forget_line(item, where);
  for (Node::Entry& entry : node.entries) {
    entry.place = node.place;
    forget_line(entry.value, where);
  }
}

}  // namespace

Node parse_document(const std::string& text, const std::string& file) {
  Builder builder(file);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {.place = {file, 1, 1}};
    Node root = builder.take_root();
    Builder rest(file);
    if (parser.HandleNextDocument(rest))
      throw bad_input(rest.take_root().place, "a second document: one file holds one document, remove the `---`");
    return root;
  } catch (const YAML::Exception& error) {
    throw bad_input({file, error.mark.line + 1, error.mark.column + 1}, "this is no YAML: " + error.msg);
  }
}

Node parse_value(const std::string& text, const std::string& where) {
  try {
    Node value = parse_document(text, where);
    forget_line(value, where);
    return value;
  } catch (const Error& error) {
    throw Error(error.code(), error.what());
  }
}

}  // namespace unbarred
