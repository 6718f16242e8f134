#pragma once
// Whole meshes on one rank, for comparisons.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "partitioning/range_exchange.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred::test {

struct WholeMesh {
  std::vector<Vec3> positions;
  std::vector<GlobalTetrahedron> tetrahedra;
};

/// Everything of the source, on every rank, asked for in blocks. @note Collective
inline WholeMesh whole(const TetrahedraSource& source, const Communicator& communicator) {
  const BlockDistribution v{source.vertex_count(), communicator.size()};
  const BlockDistribution t{source.tetrahedron_count(), communicator.size()};
  const int rank = communicator.rank();
  return {gather_range(communicator, source.vertices(communicator, v.begin(rank), v.end(rank)), 0, v.size),
          gather_range(communicator, source.tetrahedra(communicator, t.begin(rank), t.end(rank)), 0, t.size)};
}

/// The bar that the scenes share: scenes/meshes/bar.msh.
inline MeshSpec bar_spec() {
  MeshSpec spec;
  spec.generator = "box";
  spec.parameters = {{"size", {1, 0.1, 0.1}}, {"cells", {30, 3, 3}}};
  return spec;
}

inline bool same(const Vec3& a, const Vec3& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }
inline bool same(const GlobalTetrahedron& a, const GlobalTetrahedron& b) {
  return a.v[0] == b.v[0] && a.v[1] == b.v[1] && a.v[2] == b.v[2] && a.v[3] == b.v[3];
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

/// A file of this process that goes away with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(std::hash<std::string>()(name + text)) + name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace unbarred::test
