#include "io/mesh/msh_writer.hpp"

#include <algorithm>

#include "io/text/expression.hpp"
#include "io/text/files.hpp"

namespace unbarred {

namespace {

/// Numbers one after another, as text or as they lie in memory.
class Output {
 public:
  explicit Output(bool binary) : binary_(binary) {}

  Output& integer(GlobalIndex value) { return put<std::int32_t>(value); }
  Output& size(GlobalIndex value) { return put<std::int64_t>(value); }
  Output& number(Real value) {
    if (binary_) return bytes(value);
    separate();
    text_ += write_number(value);
    return *this;
  }
  /// Ends a line of a text file.
  void end() {
    if (!binary_) text_ += '\n';
  }
  /// A line of text, in binary files, too.
  void line(const std::string& words) {
    if (binary_ && words.starts_with("$End")) text_ += '\n';
    text_ += words + '\n';
  }
  const std::string& text() const { return text_; }

  bool binary() const { return binary_; }
  Output& raw_one() { return bytes(std::int32_t{1}); }

 private:
  template <class T>
  Output& put(GlobalIndex value) {
    if (binary_) return bytes(static_cast<T>(value));
    separate();
    text_ += std::to_string(value);
    return *this;
  }
  template <class T>
  Output& bytes(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  void separate() {
    if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  }

  bool binary_;
  std::string text_;
};

/// One entity a region, the last for elements in none: all of one dimension.
class MshWriter {
 public:
  MshWriter(const MeshData& mesh, bool binary)
      : mesh_(mesh), out_(binary), dimension_(mesh.kind == ElementKind::tetrahedra ? 3 : 2) {
    by_entity_.resize(mesh.region_names.size() + 1);
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const std::int32_t region = mesh.elements[e].region;
      by_entity_[region < 0 ? mesh.region_names.size() : static_cast<std::size_t>(region)].push_back(e);
    }
  }

  const std::string& text() {
    out_.line("$MeshFormat");
    out_.line(out_.binary() ? "4.1 1 8" : "4.1 0 8");
    if (out_.binary()) out_.raw_one();
    out_.line("$EndMeshFormat");
    if (!mesh_.region_names.empty()) add_regions();
    add_nodes();
    add_elements();
    return out_.text();
  }

 private:
  void add_regions() {
    out_.line("$PhysicalNames");
    out_.line(std::to_string(mesh_.region_names.size()));
    for (std::size_t r = 0; r < mesh_.region_names.size(); ++r)
      out_.line(std::to_string(dimension_) + ' ' + std::to_string(r + 1) + " \"" + mesh_.region_names[r] + '"');
    out_.line("$EndPhysicalNames");
    out_.line("$Entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      out_.size(dimension == dimension_ ? static_cast<GlobalIndex>(by_entity_.size()) : 0);
    out_.end();
    const auto [lower, upper] = box();
    for (std::size_t entity = 0; entity < by_entity_.size(); ++entity) {
      out_.integer(static_cast<GlobalIndex>(entity) + 1);
      for (const Vec3& corner : {lower, upper})
        for (const Real x : corner.x) out_.number(x);
      const bool has_group = entity < mesh_.region_names.size();
      out_.size(has_group);
      if (has_group) out_.integer(static_cast<GlobalIndex>(entity) + 1);
      out_.size(0);
      out_.end();
    }
    out_.line("$EndEntities");
  }

  std::pair<Vec3, Vec3> box() const {
    Vec3 lower = mesh_.positions.at(0), upper = lower;
    for (const Vec3& x : mesh_.positions)
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = std::min(lower[axis], x[axis]);
        upper[axis] = std::max(upper[axis], x[axis]);
      }
    return {lower, upper};
  }

  void add_nodes() {
    const auto vertices = static_cast<GlobalIndex>(mesh_.positions.size());
    out_.line("$Nodes");
    out_.size(1).size(vertices).size(1).size(vertices).end();
    out_.integer(dimension_).integer(1).integer(0).size(vertices).end();
    for (GlobalIndex tag = 1; tag <= vertices; ++tag) out_.size(tag).end();
    for (const Vec3& x : mesh_.positions) out_.number(x[0]).number(x[1]).number(x[2]).end();
    out_.line("$EndNodes");
  }

  void add_elements() {
    const auto elements = static_cast<GlobalIndex>(mesh_.elements.size());
    const auto blocks =
        std::count_if(by_entity_.begin(), by_entity_.end(), [](const auto& list) { return !list.empty(); });
    out_.line("$Elements");
    out_.size(blocks).size(elements).size(1).size(elements).end();
    GlobalIndex number = 0;
    for (std::size_t entity = 0; entity < by_entity_.size(); ++entity) {
      if (by_entity_[entity].empty()) continue;
      out_.integer(dimension_).integer(static_cast<GlobalIndex>(entity) + 1).integer(dimension_ == 3 ? 4 : 2);
      out_.size(static_cast<GlobalIndex>(by_entity_[entity].size())).end();
      for (const std::size_t e : by_entity_[entity]) {
        out_.size(++number);
        for (int i = 0; i < corners_of(mesh_.kind); ++i) out_.size(mesh_.elements[e].v[i] + 1);
        out_.end();
      }
    }
    out_.line("$EndElements");
  }

  const MeshData& mesh_;
  Output out_;
  const int dimension_;
  std::vector<std::vector<std::size_t>> by_entity_;
};

}  // namespace

void write_msh(const std::filesystem::path& file, const MeshData& mesh, bool binary) {
  write_file(file, MshWriter(mesh, binary).text());
}

void write_msh(const std::filesystem::path& file, std::span<const Vec3> positions,
               std::span<const GlobalTetrahedron> tetrahedra) {
  MeshData mesh;
  mesh.positions.assign(positions.begin(), positions.end());
  for (const GlobalTetrahedron& t : tetrahedra) mesh.elements.push_back({{t.v[0], t.v[1], t.v[2], t.v[3]}, 0, -1});
  write_msh(file, mesh);
}

}  // namespace unbarred
