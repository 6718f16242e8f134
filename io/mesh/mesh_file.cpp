#include "io/mesh/mesh_file.hpp"

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "io/mesh/duplicates.hpp"
#include "io/mesh/id_set.hpp"
#include "io/mesh/mesh_formats.hpp"
#include "partitioning/range_exchange.hpp"

namespace unbarred {

namespace {

struct DistributedMesh final : MeshFileSource {
  GlobalIndex vertex_count() const override { return vertex_count_; }
  GlobalIndex tetrahedron_count() const override { return tetrahedron_count_; }
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override {
    return gather_range(communicator, positions_, begin, end);
  }
  std::vector<GlobalTetrahedron> tetrahedra(const Communicator& communicator, GlobalIndex begin,
                                            GlobalIndex end) const override {
    return gather_range(communicator, connectivity_, begin, end);
  }
  std::vector<std::string> region_names() const override { return region_names_; }
  std::vector<std::int32_t> regions(const Communicator& communicator, GlobalIndex begin,
                                    GlobalIndex end) const override {
    return gather_range(communicator, regions_, begin, end);
  }

  GlobalIndex vertex_count_ = 0, tetrahedron_count_ = 0;
  std::vector<Vec3> positions_;  ///< this rank's blocks, in rank order
  std::vector<GlobalTetrahedron> connectivity_;
  std::vector<std::int32_t> regions_;
  std::vector<std::string> region_names_;
};

/// What is wrong with the file as such is said at the place of the scene that names it.
std::unique_ptr<MeshStream> open_stream(const MeshSpec& spec) {
  try {
    return open_mesh_stream(spec.file, ElementKind::tetrahedra);
  } catch (const Error& error) {
    throw bad_input(spec.place, error.what());
  }
}

class MeshLoader {
 public:
  MeshLoader(const MeshSpec& spec, const Communicator& communicator) : spec_(spec), communicator_(communicator) {}

  std::unique_ptr<DistributedMesh> load(MeshReport& report) {
    read_file(report);
    number_vertices(report);
    finish_tetrahedra(report);
    refuse_duplicates();
    mesh_->vertex_count_ = report.vertices;
    mesh_->tetrahedron_count_ = report.tetrahedra;
    return std::move(mesh_);
  }

 private:
  struct Vertex {
    Vec3 x;
    GlobalIndex number;  ///< without the unused ones
  };
  struct Head {
    int kind;
    GlobalIndex first, count, total;
  };

  /// Vertices go to the block of their number in the file, tetrahedra to the block of their number among all
  /// elements: both are known before the last one is read.
  void read_file(MeshReport& report) {
    communicator_.agree([&] {
      if (communicator_.is_root()) stream_ = open_stream(spec_);
    });
    MeshBatch batch;
    for (;;) {
      communicator_.agree([&] {
        if (stream_) stream_->next(batch);
      });
      std::vector<Head> head{
          {static_cast<int>(batch.kind), batch.first, static_cast<GlobalIndex>(batch.positions.size()), batch.total}};
      communicator_.broadcast(head, 0);
      const auto kind = static_cast<MeshBatch::Kind>(head[0].kind);
      if (kind == MeshBatch::Kind::end) break;
      const BlockDistribution blocks{head[0].total, communicator_.size()};
      if (kind == MeshBatch::Kind::vertices) {
        file_vertices_ = blocks;
        receive(batch.positions, mesh_->positions_,
                [&](std::size_t i) { return blocks.part_of(batch.first + static_cast<GlobalIndex>(i)); });
      } else {
        receive(batch.elements, elements_, [&](std::size_t i) { return blocks.part_of(batch.ordinals[i]); });
      }
    }
    std::vector<GlobalIndex> ignored{stream_ ? stream_->ignored_elements() : 0};
    communicator_.broadcast(ignored, 0);
    report.ignored_elements = ignored[0];
    share_region_names();
    for (Vec3& x : mesh_->positions_) x = spec_.scale * x;
  }

  void share_region_names() {
    std::vector<GlobalIndex> count{stream_ ? static_cast<GlobalIndex>(stream_->region_names().size()) : 0};
    communicator_.broadcast(count, 0);
    for (GlobalIndex i = 0; i < count[0]; ++i)
      mesh_->region_names_.push_back(
          communicator_.broadcast(stream_ ? stream_->region_names()[static_cast<std::size_t>(i)] : std::string(), 0));
  }

  /// Sends the batch of rank 0 (nothing elsewhere), whose items go to ascending ranks, and appends what arrives.
  template <class T, class RankOf>
  void receive(const std::vector<T>& batch, std::vector<T>& into, const RankOf& rank_of) const {
    std::vector<int> counts(static_cast<std::size_t>(communicator_.size()), 0);
    for (std::size_t i = 0; i < batch.size(); ++i) ++counts[static_cast<std::size_t>(rank_of(i))];
    const std::vector<T> arrived = communicator_.exchange<T>(batch, counts);
    into.insert(into.end(), arrived.begin(), arrived.end());
  }

  /// Asks the holders for every vertex that an own tetrahedron uses: so they learn which are used at all.
  void number_vertices(MeshReport& report) {
    std::vector<GlobalIndex> corners;
    corners.reserve(4 * elements_.size());
    for (const FileElement& element : elements_) corners.insert(corners.end(), element.v, element.v + 4);
    used_ = IdSet(std::move(corners));
    std::vector<int> counts(static_cast<std::size_t>(communicator_.size()), 0), asked;
    for (const GlobalIndex v : used_.ids()) ++counts[static_cast<std::size_t>(file_vertices_.part_of(v))];
    const std::vector<GlobalIndex> requests = communicator_.exchange<GlobalIndex>(used_.ids(), counts, &asked);

    auto& positions = mesh_->positions_;
    const GlobalIndex begin = file_vertices_.begin(communicator_.rank());
    std::vector<GlobalIndex> numbers(positions.size(), -1);
    for (const GlobalIndex v : requests) numbers[static_cast<std::size_t>(v - begin)] = 0;
    const auto kept = static_cast<GlobalIndex>(numbers.size()) - std::count(numbers.begin(), numbers.end(), -1);
    GlobalIndex next = communicator_.exclusive_sum(kept);
    for (GlobalIndex& number : numbers)
      if (number == 0) number = next++;
    std::vector<Vertex> answers;
    answers.reserve(requests.size());
    for (const GlobalIndex v : requests) {
      const auto i = static_cast<std::size_t>(v - begin);
      answers.push_back({positions[i], numbers[i]});
    }
    vertices_ = communicator_.exchange<Vertex>(answers, asked);

    std::size_t to = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (numbers[i] >= 0) {
        file_numbers_.push_back(begin + static_cast<GlobalIndex>(i));
        positions[to++] = positions[i];
      }
    positions.resize(to);
    report.vertices = communicator_.sum(kept);
    report.dropped_vertices = file_vertices_.size - report.vertices;
  }

  void finish_tetrahedra(MeshReport& report) {
    GlobalIndex reoriented = 0;
    mesh_->connectivity_.reserve(elements_.size());
    mesh_->regions_.reserve(elements_.size());
    communicator_.agree([&] {
      for (const FileElement& element : elements_) add_tetrahedron(element, reoriented);
    });
    report.reoriented = communicator_.sum(reoriented);
    report.tetrahedra = communicator_.sum(static_cast<GlobalIndex>(elements_.size()));
    if (report.tetrahedra == 0) throw bad_input({spec_.file.string(), 0, 0}, "the file has no tetrahedra");
  }

  void add_tetrahedron(const FileElement& element, GlobalIndex& reoriented) {
    GlobalTetrahedron result;
    Vec3 x[4];
    for (int i = 0; i < 4; ++i) {
      const Vertex& vertex = vertices_[used_.find(element.v[i])];
      x[i] = vertex.x;
      result.v[i] = vertex.number;
    }
    Real longest = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) longest = std::max(longest, squared_norm(x[i] - x[j]));
    const Real volume = dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
    if (!(std::abs(volume) > flat_element * longest * std::sqrt(longest)))
      throw bad_input({spec_.file.string(), 0, 0},
                      "element " + std::to_string(element.id) + " has no volume: remove it, or repair the mesh");
    if (volume < 0) {
      std::swap(result.v[2], result.v[3]);
      ++reoriented;
    }
    mesh_->connectivity_.push_back(result);
    mesh_->regions_.push_back(element.region);
  }

  void refuse_duplicates() const {
    std::vector<KeyedItem> items;
    items.reserve(file_numbers_.size());
    for (std::size_t i = 0; i < file_numbers_.size(); ++i)
      items.push_back({place_key(mesh_->positions_[i]), file_numbers_[i]});
    const Duplicates vertices = find_duplicates(items, communicator_);
    communicator_.agree([&] {
      if (vertices.count == 0 || !stream_) return;
      const std::vector<GlobalIndex> ids = stream_->vertex_ids();
      refuse(vertices, "vertices", "lie at the same place",
             [&](GlobalIndex v) { return ids[static_cast<std::size_t>(v)]; });
    });
    items.clear();
    for (const FileElement& element : elements_) items.push_back({corner_key(element.v), element.id});
    const Duplicates elements = find_duplicates(items, communicator_);
    communicator_.agree([&] {
      if (elements.count > 0)
        refuse(elements, "tetrahedra", "have the same corners", [](GlobalIndex id) { return id; });
    });
  }

  template <class IdOf>
  void refuse(const Duplicates& found, const char* what, const char* trouble, const IdOf& id_of) const {
    throw bad_input({spec_.file.string(), 0, 0}, std::string(what) + " " + std::to_string(id_of(found.first)) +
                                                     " and " + std::to_string(id_of(found.second)) + " " + trouble +
                                                     " (" + std::to_string(found.count) +
                                                     " such in the file): merge them with `unbarred mesh weld`");
  }

  const MeshSpec& spec_;
  const Communicator& communicator_;
  std::unique_ptr<MeshStream> stream_;  // on rank 0
  std::unique_ptr<DistributedMesh> mesh_ = std::make_unique<DistributedMesh>();
  BlockDistribution file_vertices_;
  std::vector<FileElement> elements_;
  IdSet used_{{}};                         // by the own tetrahedra: numbers in the file
  std::vector<Vertex> vertices_;           // of used_
  std::vector<GlobalIndex> file_numbers_;  // of the kept vertices
};

}  // namespace

std::string to_string(const MeshReport& report, const std::filesystem::path& file) {
  std::string text = file.filename().string() + ": " + std::to_string(report.vertices) + " vertices, " +
                     (report.triangles > 0 ? std::to_string(report.triangles) + " triangles"
                                           : std::to_string(report.tetrahedra) + " tetrahedra");
  if (report.reoriented > 0) text += "; " + std::to_string(report.reoriented) + " mirrored tetrahedra reoriented";
  if (report.dropped_vertices > 0) text += "; " + std::to_string(report.dropped_vertices) + " unused vertices dropped";
  if (report.ignored_elements > 0)
    text += "; " + std::to_string(report.ignored_elements) +
            (report.triangles > 0 ? " elements of other kinds ignored" : " points, lines or surfaces ignored");
  return text;
}

std::unique_ptr<MeshFileSource> open_mesh_file(const MeshSpec& spec, const Communicator& communicator,
                                               MeshReport* report) {
  MeshReport found;
  auto source = MeshLoader(spec, communicator).load(found);
  if (communicator.is_root()) log_info(to_string(found, spec.file));
  if (report) *report = found;
  return source;
}

}  // namespace unbarred
