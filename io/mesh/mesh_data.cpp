#include "io/mesh/mesh_data.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "io/mesh/mesh_formats.hpp"

namespace unbarred {

namespace {

class WholeMeshStream final : public MeshStream {
 public:
  explicit WholeMeshStream(MeshData data) : data_(std::move(data)) {}

  void next(MeshBatch& batch) override {
    batch = {};
    if (vertices_ < data_.positions.size()) {
      batch.kind = MeshBatch::Kind::vertices;
      batch.total = static_cast<GlobalIndex>(data_.positions.size());
      batch.first = static_cast<GlobalIndex>(vertices_);
      take(data_.positions, vertices_, batch.positions);
    } else if (elements_ < data_.elements.size()) {
      batch.kind = MeshBatch::Kind::elements;
      batch.total = static_cast<GlobalIndex>(data_.elements.size());
      auto ordinal = static_cast<GlobalIndex>(elements_);
      take(data_.elements, elements_, batch.elements);
      for (std::size_t i = 0; i < batch.elements.size(); ++i) batch.ordinals.push_back(ordinal++);
    }
  }
  GlobalIndex ignored_elements() const override { return data_.ignored_elements; }
  std::vector<GlobalIndex> vertex_ids() const override { return data_.vertex_ids; }
  const std::vector<std::string>& region_names() const override { return data_.region_names; }

 private:
  template <class T>
  static void take(const std::vector<T>& from, std::size_t& begin, std::vector<T>& into) {
    const std::size_t end = std::min(from.size(), begin + mesh_batch_size);
    into.assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }

  MeshData data_;
  std::size_t vertices_ = 0, elements_ = 0;
};

}  // namespace

void count_vertices_from(GlobalIndex first, MeshData& data) {
  data.vertex_ids.resize(data.positions.size());
  std::iota(data.vertex_ids.begin(), data.vertex_ids.end(), first);
}

std::unique_ptr<MeshStream> make_mesh_stream(MeshData data) {
  return std::make_unique<WholeMeshStream>(std::move(data));
}

MeshData read_whole(MeshStream& stream, ElementKind kind) {
  MeshData data;
  data.kind = kind;
  MeshBatch batch;
  for (stream.next(batch); batch.kind != MeshBatch::Kind::end; stream.next(batch)) {
    data.positions.insert(data.positions.end(), batch.positions.begin(), batch.positions.end());
    data.elements.insert(data.elements.end(), batch.elements.begin(), batch.elements.end());
  }
  data.vertex_ids = stream.vertex_ids();
  data.region_names = stream.region_names();
  data.ignored_elements = stream.ignored_elements();
  return data;
}

MeshData read_mesh_data(const std::filesystem::path& file) {
  if (!is_surface_format(file)) {
    MeshData volume = read_whole(*open_mesh_stream(file, ElementKind::tetrahedra), ElementKind::tetrahedra);
    if (!volume.elements.empty()) return volume;
  }
  MeshData surface = read_whole(*open_mesh_stream(file, ElementKind::triangles), ElementKind::triangles);
  if (surface.elements.empty()) throw bad_input({file.string(), 0, 0}, "the file has neither tetrahedra nor triangles");
  return surface;
}

}  // namespace unbarred
