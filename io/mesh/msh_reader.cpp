#include "io/mesh/msh_reader.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/log.hpp"
#include "io/mesh/msh_elements.hpp"
#include "io/mesh/msh_format.hpp"
#include "io/mesh/msh_regions.hpp"
#include "io/mesh/vertex_tags.hpp"

namespace unbarred {

namespace {

class MshReader final : public MeshStream {
 public:
  MshReader(const std::filesystem::path& file, ElementKind wanted)
      : wanted_(wanted), numbers_(file), regions_(wanted == ElementKind::tetrahedra ? 3 : 2) {
    next_name_ = numbers_.text().word();
    if (!next_name_.starts_with("$"))
      throw bad_input(numbers_.place(), "this is no Gmsh MSH file: it does not start with $MeshFormat");
    if (next_name_ == "$MeshFormat") read_format();
  }

  void next(MeshBatch& batch) override {
    batch = {};
    while (batch.positions.empty() && batch.elements.empty()) {
      if (section_ == Section::nodes) read_nodes(batch);
      else if (section_ == Section::elements) read_elements(batch);
      else if (!enter_section()) break;
    }
    if (batch.positions.empty() && batch.elements.empty()) batch.kind = MeshBatch::Kind::end;
  }

  GlobalIndex ignored_elements() const override { return ignored_; }
  std::vector<GlobalIndex> vertex_ids() const override { return tags_.all(); }
  const std::vector<std::string>& region_names() const override { return regions_.names(); }

 private:
  enum class Section { none, nodes, elements };

  void read_format() {
    read_msh_format(numbers_, format_);
    next_name_.clear();
  }

  void end_of_section(std::string_view end) {
    const std::string found(numbers_.text().word());
    if (found == end) return;
    const std::string expected(end);
    throw bad_input(numbers_.place(), found.empty() ? "the file ends before " + expected + ": it is truncated"
                                                    : expected + " expected here, not `" + printable(found) + "`");
  }

  /// False at the end of the file.
  bool enter_section() {
    const std::string name = next_name_.empty() ? std::string(numbers_.text().word()) : next_name_;
    next_name_.clear();
    if (name.empty()) {
      if (!has_elements_)
        throw bad_input(numbers_.place(), std::string("the file has no ") + (has_nodes_ ? "$Elements" : "$Nodes") +
                                              " section: it is truncated or empty");
      return false;
    }
    if (name[0] != '$' || name.starts_with("$End"))
      throw bad_input(numbers_.place(),
                      "a section ($Nodes, $Elements, ...) expected here, not `" + printable(name) + "`");
    if (name == "$MeshFormat") read_format();
    else if (name == "$Nodes") start_nodes();
    else if (name == "$Elements") start_elements();
    else if (name == "$PhysicalNames") regions_.read_physical_names(numbers_), end_of_section("$EndPhysicalNames");
    else if (name == "$Entities" && (format_.blocks || !format_.known))
      regions_.read_entities(numbers_), end_of_section("$EndEntities");
    else skip_msh_section(numbers_.text(), name);
    return true;
  }

  void start_nodes() {
    if (has_nodes_) throw bad_input(numbers_.place(), "a second $Nodes section: join the parts of the mesh first");
    if (!format_.known) guess_msh_format(numbers_, format_);
    has_nodes_ = true;
    section_ = Section::nodes;
    open_blocks("number of nodes");
  }

  void start_elements() {
    if (!has_nodes_) throw bad_input(numbers_.place(), "$Elements stands before $Nodes: exchange the sections");
    if (has_elements_)
      throw bad_input(numbers_.place(), "a second $Elements section: join the parts of the mesh first");
    has_elements_ = true;
    section_ = Section::elements;
    open_blocks("number of elements");
  }

  /// 4.1 has entity blocks; the nodes and the elements of 2.2 are read as one block (binary elements: as many as there
  /// are heads).
  void open_blocks(const char* what) {
    done_ = in_block_ = 0;
    if (!format_.blocks) {
      blocks_left_ = 1;
      total_ = numbers_.text_count(what);
      numbers_.start_binary();
      return;
    }
    numbers_.start_binary();
    blocks_left_ = numbers_.count("number of blocks");
    total_ = numbers_.count(what);
    numbers_.size("smallest tag");
    numbers_.size("largest tag");
  }

  /// True when a block with entries is open. After the last one: checks the total and the section's end.
  template <class Header>
  bool open_block(const char* end, const Header& header) {
    while (in_block_ == 0) {
      const bool more_heads = !format_.blocks && numbers_.binary() && done_ < total_;
      if (blocks_left_ == 0 && !more_heads) {
        if (done_ != total_)
          throw bad_input(numbers_.place(), "the blocks have " + std::to_string(done_) + " entries, the head says " +
                                                std::to_string(total_));
        end_of_section(end);
        section_ = Section::none;
        return false;
      }
      if (blocks_left_ > 0) --blocks_left_;
      header();
    }
    return true;
  }

  void node_block() {
    if (!format_.blocks) {
      in_block_ = total_;
      return;
    }
    const GlobalIndex dimension = numbers_.integer("dimension");
    numbers_.integer("entity tag");
    const bool parametric = numbers_.integer("parametric") != 0;
    coordinates_to_skip_ = parametric ? static_cast<int>(std::clamp<GlobalIndex>(dimension, 0, 3)) : 0;
    in_block_ = numbers_.count("number of nodes in the block");
    if (in_block_ > total_ - tags_.size()) throw bad_input(numbers_.place(), "more nodes than the head says");
    for (GlobalIndex i = 0; i < in_block_; ++i) tags_.add(numbers_.tag("node tag"));
  }

  void read_nodes(MeshBatch& batch) {
    batch.kind = MeshBatch::Kind::vertices;
    batch.total = total_;
    batch.first = done_;
    while (batch.positions.size() < mesh_batch_size) {
      if (!open_block("$EndNodes", [&] { node_block(); })) {
        check_tags();
        return;
      }
      if (!format_.blocks) tags_.add(numbers_.integer_tag("node tag"));
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis) x[axis] = numbers_.number("coordinate");
      for (int i = 0; i < coordinates_to_skip_; ++i) numbers_.number("parametric coordinate");
      batch.positions.push_back(x);
      --in_block_;
      ++done_;
    }
  }

  void check_tags() {
    GlobalIndex duplicate = 0;
    if (!tags_.finish(duplicate))
      throw bad_input(numbers_.place(), "the node tag " + std::to_string(duplicate) + " occurs twice in $Nodes");
  }

  void element_block() {
    if (!format_.blocks && !numbers_.binary()) {
      in_block_ = total_;
    } else if (!format_.blocks) {
      element_ = msh_element(numbers_.integer("element type"), wanted_, numbers_.place());
      in_block_ = numbers_.integer_count("number of elements in the block");
      if (in_block_ == 0) throw bad_input(numbers_.place(), "a block of no elements");
      element_tags_ = numbers_.integer_count("number of tags");
    } else {
      const GlobalIndex dimension = numbers_.integer("dimension");
      const GlobalIndex entity = numbers_.integer_tag("entity tag");
      element_ = msh_element(numbers_.integer("element type"), wanted_, numbers_.place());
      region_ = element_.wanted ? regions_.of_entity(dimension, entity) : -1;
      in_block_ = numbers_.count("number of elements in the block");
    }
    if (in_block_ > total_ - done_) throw bad_input(numbers_.place(), "more elements than the head says");
  }

  /// What stands before the nodes of an element in 2.2: type and tags, the first of which is the physical group.
  void element_head() {
    if (!numbers_.binary()) {
      element_ = msh_element(numbers_.integer("element type"), wanted_, numbers_.place());
      element_tags_ = numbers_.integer_count("number of tags");
    }
    region_ = -1;
    for (GlobalIndex i = 0; i < element_tags_; ++i) {
      const GlobalIndex tag = numbers_.integer_tag("element tag");
      if (i == 0 && element_.wanted) region_ = regions_.of_physical(tag);
    }
  }

  void read_elements(MeshBatch& batch) {
    batch.kind = MeshBatch::Kind::elements;
    batch.total = total_;
    while (batch.elements.size() < mesh_batch_size) {
      if (!open_block("$EndElements", [&] { element_block(); })) break;
      const GlobalIndex id = format_.blocks ? numbers_.tag("element number") : numbers_.integer_tag("element number");
      if (!format_.blocks) element_head();
      read_element(id, batch);
      --in_block_;
      ++done_;
    }
  }

  void read_element(GlobalIndex id, MeshBatch& batch) {
    GlobalIndex v[4] = {-1, -1, -1, -1};
    for (int i = 0; i < element_.nodes; ++i) {
      const GlobalIndex tag = format_.blocks ? numbers_.tag("node tag") : numbers_.integer_tag("node tag");
      if (element_.wanted) v[i] = find_vertex(tag, id);
    }
    if (!element_.wanted) {
      ++ignored_;
    } else if (wanted_ == ElementKind::tetrahedra) {
      add({{v[0], v[1], v[2], v[3]}, id, region_}, batch);
    } else {
      add({{v[0], v[1], v[2], -1}, id, region_}, batch);
      if (element_.nodes == 4) add({{v[0], v[2], v[3], -1}, id, region_}, batch);
    }
  }

  void add(const FileElement& element, MeshBatch& batch) const {
    batch.elements.push_back(element);
    batch.ordinals.push_back(done_);
  }

  GlobalIndex find_vertex(GlobalIndex tag, GlobalIndex element) const {
    const GlobalIndex number = tags_.find(tag);
    if (number < 0)
      throw bad_input(numbers_.place(), "element " + std::to_string(element) + " uses the node " + std::to_string(tag) +
                                            ", which $Nodes does not have");
    return number;
  }

  const ElementKind wanted_;
  MshNumbers numbers_;
  MshFormat format_;
  std::string next_name_;  // of a section whose name is read already
  MshRegions regions_;
  VertexTags tags_;
  Section section_ = Section::none;
  bool has_nodes_ = false, has_elements_ = false;
  GlobalIndex blocks_left_ = 0, total_ = 0, done_ = 0, in_block_ = 0;
  int coordinates_to_skip_ = 0;
  MshElement element_;
  GlobalIndex element_tags_ = 0;
  std::int32_t region_ = -1;
  GlobalIndex ignored_ = 0;
};

}  // namespace

std::unique_ptr<MeshStream> open_msh(const std::filesystem::path& file, ElementKind wanted) {
  return std::make_unique<MshReader>(file, wanted);
}

}  // namespace unbarred
