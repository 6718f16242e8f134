#include "io/msh_reader.hpp"

#include <algorithm>

#include "io/text_scanner.hpp"
#include "io/vertex_tags.hpp"

namespace unbarred {

namespace {

constexpr std::size_t batch_size = std::size_t{1} << 16;
constexpr GlobalIndex tetrahedron_type = 4;

struct ElementType {
  int type, nodes;
};
/// Points, lines and surfaces, which may stand beside the tetrahedra and are ignored.
constexpr ElementType ignored_types[] = {{15, 1}, {1, 2},   {8, 3},   {26, 4},  {27, 5},  {28, 6}, {2, 3},  {9, 6},
                                         {20, 9}, {21, 10}, {22, 12}, {23, 15}, {24, 15}, {25, 21}, {3, 4}, {10, 9},
                                         {16, 8}};

/// Nodes of an element type; throws for what is neither a tetrahedron nor to be ignored.
int nodes_of(GlobalIndex type, const Place& place) {
  if (type == tetrahedron_type) return 4;
  const auto* found = std::find_if(std::begin(ignored_types), std::end(ignored_types),
                                   [&](const ElementType& known) { return known.type == type; });
  if (found != std::end(ignored_types)) return found->nodes;
  const char* hint = ": only linear tetrahedra are read";
  if (type == 5 || type == 12 || type == 17)
    hint = " (hexahedra) is not supported: mesh the volume with tetrahedra, or split the hexahedra "
           "(gmsh: no recombination)";
  if (type == 6 || type == 7) hint = " (prisms, pyramids) is not supported: mesh the volume with tetrahedra";
  if (type == 11 || type == 29) hint = " (tetrahedra of higher order) is not supported: save the mesh with order 1";
  throw bad_input(place, "element type " + std::to_string(type) + hint);
}

class MshReader final : public MeshStream {
 public:
  explicit MshReader(const std::filesystem::path& file) : text_(file) { read_format(); }

  void next(MeshBatch& batch) override {
    batch = {};
    while (batch.positions.empty() && batch.tetrahedra.empty()) {
      if (section_ == Section::nodes) read_nodes(batch);
      else if (section_ == Section::elements) read_elements(batch);
      else if (!enter_section()) break;
    }
    if (batch.positions.empty() && batch.tetrahedra.empty()) batch.kind = MeshBatch::Kind::end;
  }

  GlobalIndex ignored_elements() const override { return ignored_; }

 private:
  enum class Section { none, nodes, elements };

  void read_format() {
    const std::string first(text_.word());
    if (first != "$MeshFormat")
      throw bad_input(text_.place(), "this is no Gmsh MSH file of version 2 or 4: it does not start with $MeshFormat");
    const std::string version(text_.word());
    if (version != "4.1" && version.substr(0, 2) != "2." && version != "2")
      throw bad_input(text_.place(), "MSH version `" + version.substr(0, 20) + "` is not read: save as 4.1 or 2.2");
    blocks_ = version == "4.1";
    if (text_.integer("file type") != 0)
      throw bad_input(text_.place(), "binary MSH is not supported yet: save it as ASCII");
    text_.integer("data size");
    end_of_section("$EndMeshFormat");
  }

  void end_of_section(std::string_view end) {
    const std::string found(text_.word());
    if (found == end) return;
    const std::string expected(end);
    throw bad_input(text_.place(), found.empty() ? "the file ends before " + expected + ": it is truncated"
                                                 : expected + " expected here, not `" + found.substr(0, 40) + "`");
  }

  /// False at the end of the file.
  bool enter_section() {
    const std::string name(text_.word());
    if (name.empty()) {
      if (!has_elements_)
        throw bad_input(text_.place(), std::string("the file has no ") + (has_nodes_ ? "$Elements" : "$Nodes") +
                                           " section: it is truncated or empty");
      return false;
    }
    if (name[0] != '$' || name.starts_with("$End"))
      throw bad_input(text_.place(),
                      "a section ($Nodes, $Elements, ...) expected here, not `" + name.substr(0, 40) + "`");
    if (name == "$Nodes") start_nodes();
    else if (name == "$Elements") start_elements();
    else skip_section("$End" + name.substr(1));
    return true;
  }

  void skip_section(const std::string& end) {
    for (;;) {
      const std::string_view word = text_.word();
      if (word == end) return;
      if (word.empty()) throw bad_input(text_.place(), "the file ends before " + end + ": it is truncated");
      text_.skip_line();
    }
  }

  GlobalIndex count(const char* what) {
    const GlobalIndex value = text_.integer(what);
    constexpr GlobalIndex limit = GlobalIndex{1} << 50;
    if (value < 0 || value > limit) throw bad_input(text_.place(), std::string(what) + " is out of range");
    return value;
  }

  void start_nodes() {
    if (has_nodes_) throw bad_input(text_.place(), "a second $Nodes section: join the parts of the mesh first");
    has_nodes_ = true;
    section_ = Section::nodes;
    open_blocks("number of nodes");
  }

  void start_elements() {
    if (!has_nodes_) throw bad_input(text_.place(), "$Elements stands before $Nodes: exchange the sections");
    if (has_elements_) throw bad_input(text_.place(), "a second $Elements section: join the parts of the mesh first");
    has_elements_ = true;
    section_ = Section::elements;
    open_blocks("number of elements");
  }

  /// 4.1 has entity blocks; 2.2 is read as one block.
  void open_blocks(const char* what) {
    blocks_left_ = blocks_ ? count("number of blocks") : 1;
    total_ = count(what);
    done_ = in_block_ = 0;
    if (blocks_) {
      text_.integer("smallest tag");
      text_.integer("largest tag");
    }
  }

  /// True when a block with entries is open. After the last one: checks the total and the section's end.
  template <class Header>
  bool open_block(const char* end, const Header& header) {
    while (in_block_ == 0) {
      if (blocks_left_ == 0) {
        if (done_ != total_)
          throw bad_input(text_.place(), "the blocks have " + std::to_string(done_) + " entries, the head says " +
                                             std::to_string(total_));
        end_of_section(end);
        section_ = Section::none;
        return false;
      }
      --blocks_left_;
      header();
    }
    return true;
  }

  void node_block() {
    if (!blocks_) {
      in_block_ = total_;
      return;
    }
    const GlobalIndex dimension = text_.integer("dimension");
    text_.integer("entity tag");
    const bool parametric = text_.integer("parametric") != 0;
    coordinates_to_skip_ = parametric ? static_cast<int>(std::clamp<GlobalIndex>(dimension, 0, 3)) : 0;
    in_block_ = count("number of nodes in the block");
    for (GlobalIndex i = 0; i < in_block_; ++i) add_tag();
  }

  void add_tag() {
    if (tags_.size() == total_) throw bad_input(text_.place(), "more nodes than the head says");
    tags_.add(text_.integer("node tag"));
  }

  void read_nodes(MeshBatch& batch) {
    batch.kind = MeshBatch::Kind::vertices;
    batch.total = total_;
    batch.first = done_;
    while (batch.positions.size() < batch_size) {
      if (!open_block("$EndNodes", [&] { node_block(); })) {
        check_tags();
        return;
      }
      if (!blocks_) add_tag();
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis) x[axis] = text_.number("coordinate");
      for (int i = 0; i < coordinates_to_skip_; ++i) text_.number("parametric coordinate");
      batch.positions.push_back(x);
      --in_block_;
      ++done_;
    }
  }

  void check_tags() {
    GlobalIndex duplicate = 0;
    if (!tags_.finish(duplicate))
      throw bad_input(text_.place(), "the node tag " + std::to_string(duplicate) + " occurs twice in $Nodes");
  }

  void element_block() {
    if (!blocks_) {
      in_block_ = total_;
      return;
    }
    text_.integer("dimension");
    text_.integer("entity tag");
    const GlobalIndex type = text_.integer("element type");
    nodes_ = nodes_of(type, text_.place());
    is_tetrahedron_ = type == tetrahedron_type;
    in_block_ = count("number of elements in the block");
  }

  /// The head of an element in 2.2: type, tags.
  void element_head() {
    const GlobalIndex type = text_.integer("element type");
    nodes_ = nodes_of(type, text_.place());
    is_tetrahedron_ = type == tetrahedron_type;
    const GlobalIndex tags = count("number of tags");
    for (GlobalIndex i = 0; i < tags; ++i) text_.integer("element tag");
  }

  void read_elements(MeshBatch& batch) {
    batch.kind = MeshBatch::Kind::tetrahedra;
    batch.total = total_;
    while (batch.tetrahedra.size() < batch_size) {
      if (!open_block("$EndElements", [&] { element_block(); })) break;
      FileTetrahedron element{};
      element.id = text_.integer("element number");
      if (!blocks_) element_head();
      for (int i = 0; i < nodes_; ++i) {
        const GlobalIndex tag = text_.integer("node tag");
        if (is_tetrahedron_) element.v[i] = find_vertex(tag, element.id);
      }
      if (is_tetrahedron_) {
        batch.tetrahedra.push_back(element);
        batch.ordinals.push_back(done_);
      } else {
        ++ignored_;
      }
      --in_block_;
      ++done_;
    }
  }

  GlobalIndex find_vertex(GlobalIndex tag, GlobalIndex element) const {
    const GlobalIndex number = tags_.find(tag);
    if (number < 0)
      throw bad_input(text_.place(), "element " + std::to_string(element) + " uses the node " + std::to_string(tag) +
                                         ", which $Nodes does not have");
    return number;
  }

  TextScanner text_;
  VertexTags tags_;
  Section section_ = Section::none;
  bool blocks_ = false, has_nodes_ = false, has_elements_ = false;
  GlobalIndex blocks_left_ = 0, total_ = 0, done_ = 0, in_block_ = 0;
  int coordinates_to_skip_ = 0;
  int nodes_ = 0;
  bool is_tetrahedron_ = false;
  GlobalIndex ignored_ = 0;
};

}  // namespace

std::unique_ptr<MeshStream> open_msh(const std::filesystem::path& file) { return std::make_unique<MshReader>(file); }

}  // namespace unbarred
