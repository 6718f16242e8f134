#include "io/mesh_file.hpp"

#include <algorithm>
#include <cmath>

#include "io/id_set.hpp"
#include "io/mesh_stream.hpp"
#include "io/msh_reader.hpp"
#include "partitioning/range_exchange.hpp"

namespace unbarred {

namespace {

/// A flatter tetrahedron than this, 6 V / (longest edge)^3, has no volume.
constexpr Real flat = 1e-12;

struct DistributedMesh final : TetrahedraSource {
  GlobalIndex vertex_count() const override { return vertex_count_; }
  GlobalIndex tetrahedron_count() const override { return tetrahedron_count_; }
  std::vector<Vec3> vertices(const Communicator& communicator, GlobalIndex begin, GlobalIndex end) const override {
    return gather_range(communicator, positions_, begin, end);
  }
  std::vector<GlobalTetrahedron> tetrahedra(const Communicator& communicator, GlobalIndex begin,
                                            GlobalIndex end) const override {
    return gather_range(communicator, connectivity_, begin, end);
  }

  GlobalIndex vertex_count_ = 0, tetrahedron_count_ = 0;
  std::vector<Vec3> positions_;  ///< this rank's blocks, in rank order
  std::vector<GlobalTetrahedron> connectivity_;
};

std::unique_ptr<MeshStream> open_stream(const MeshSpec& spec) {
  std::string suffix = spec.file.extension().string();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (suffix != ".msh")
    throw bad_input(spec.place,
                    "mesh files `" + suffix + "` are not supported yet: use Gmsh MSH 2.2 or 4.1 ASCII (.msh)");
  try {
    return open_msh(spec.file);
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
    std::unique_ptr<MeshStream> stream;
    communicator_.agree([&] {
      if (communicator_.is_root()) stream = open_stream(spec_);
    });
    MeshBatch batch;
    for (;;) {
      communicator_.agree([&] {
        if (stream) stream->next(batch);
      });
      std::vector<Head> head{{static_cast<int>(batch.kind), batch.first,
                              static_cast<GlobalIndex>(batch.positions.size()), batch.total}};
      communicator_.broadcast(head, 0);
      const auto kind = static_cast<MeshBatch::Kind>(head[0].kind);
      if (kind == MeshBatch::Kind::end) break;
      const BlockDistribution blocks{head[0].total, communicator_.size()};
      if (kind == MeshBatch::Kind::vertices) {
        file_vertices_ = blocks;
        receive(batch.positions, mesh_->positions_, [&](std::size_t i) {
          return blocks.part_of(batch.first + static_cast<GlobalIndex>(i));
        });
      } else {
        receive(batch.tetrahedra, elements_, [&](std::size_t i) { return blocks.part_of(batch.ordinals[i]); });
      }
    }
    std::vector<GlobalIndex> ignored{stream ? stream->ignored_elements() : 0};
    communicator_.broadcast(ignored, 0);
    report.ignored_elements = ignored[0];
    for (Vec3& x : mesh_->positions_) x = spec_.scale * x;
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
    for (const FileTetrahedron& element : elements_) corners.insert(corners.end(), element.v, element.v + 4);
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
      if (numbers[i] >= 0) positions[to++] = positions[i];
    positions.resize(to);
    report.vertices = communicator_.sum(kept);
    report.dropped_vertices = file_vertices_.size - report.vertices;
  }

  void finish_tetrahedra(MeshReport& report) {
    GlobalIndex reoriented = 0;
    mesh_->connectivity_.reserve(elements_.size());
    communicator_.agree([&] {
      for (const FileTetrahedron& element : elements_) add_tetrahedron(element, reoriented);
    });
    report.reoriented = communicator_.sum(reoriented);
    report.tetrahedra = communicator_.sum(static_cast<GlobalIndex>(elements_.size()));
    if (report.tetrahedra == 0) throw bad_input({spec_.file.string(), 0, 0}, "the file has no tetrahedra");
  }

  void add_tetrahedron(const FileTetrahedron& element, GlobalIndex& reoriented) {
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
    if (!(std::abs(volume) > flat * longest * std::sqrt(longest)))
      throw bad_input({spec_.file.string(), 0, 0}, "element " + std::to_string(element.id) +
                                                       " has no volume: remove it, or repair the mesh");
    if (volume < 0) {
      std::swap(result.v[2], result.v[3]);
      ++reoriented;
    }
    mesh_->connectivity_.push_back(result);
  }

  const MeshSpec& spec_;
  const Communicator& communicator_;
  std::unique_ptr<DistributedMesh> mesh_ = std::make_unique<DistributedMesh>();
  BlockDistribution file_vertices_;
  std::vector<FileTetrahedron> elements_;
  IdSet used_{{}};                 // by the own tetrahedra: numbers in the file
  std::vector<Vertex> vertices_;   // of used_
};

}  // namespace

std::string to_string(const MeshReport& report, const std::filesystem::path& file) {
  std::string text = file.filename().string() + ": " + std::to_string(report.vertices) + " vertices, " +
                     std::to_string(report.tetrahedra) + " tetrahedra";
  if (report.reoriented > 0) text += "; " + std::to_string(report.reoriented) + " mirrored tetrahedra reoriented";
  if (report.dropped_vertices > 0) text += "; " + std::to_string(report.dropped_vertices) + " unused vertices dropped";
  if (report.ignored_elements > 0)
    text += "; " + std::to_string(report.ignored_elements) + " points, lines or surfaces ignored";
  return text;
}

std::unique_ptr<TetrahedraSource> open_mesh_file(const MeshSpec& spec, const Communicator& communicator,
                                                 MeshReport* report) {
  MeshReport local;
  return MeshLoader(spec, communicator).load(report ? *report : local);
}

}  // namespace unbarred
