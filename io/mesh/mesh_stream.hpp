#pragma once
// A mesh file as rank 0 reads it, batch after batch.
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred {

/// What is wanted of a file: a body's volume or an obstacle's surface. Elements of other kinds are ignored.
enum class ElementKind { tetrahedra, triangles };

/// A tetrahedron or a triangle (v[3] = -1). Vertex numbers count from 0 in the order of the file.
struct FileElement {
  GlobalIndex v[4];
  GlobalIndex id;            ///< as the file calls it
  std::int32_t region = -1;  ///< number in region_names(); -1: in none
};

struct MeshBatch {
  enum class Kind : int { vertices, elements, end } kind = Kind::end;
  GlobalIndex total = 0;  ///< vertices of the file; for elements an upper bound (those of all types)
  GlobalIndex first = 0;  ///< number of the batch's first vertex
  std::vector<Vec3> positions;
  std::vector<FileElement> elements;
  std::vector<GlobalIndex> ordinals;  ///< of the elements among all of the file, ascending over the file
};

/// Items of a batch, about.
inline constexpr std::size_t mesh_batch_size = std::size_t{1} << 16;

class MeshStream {
 public:
  virtual ~MeshStream() = default;
  /// Next batch, never empty unless it is the end; all vertices come before the first element. Coordinates are
  /// finite, vertex numbers exist. Throws Error(bad_input) with file and line.
  virtual void next(MeshBatch& batch) = 0;
  /// Elements met so far that are not of the wanted kind.
  virtual GlobalIndex ignored_elements() const = 0;
  /// What the file calls its vertices, once all are read.
  virtual std::vector<GlobalIndex> vertex_ids() const = 0;
  /// Physical groups of the wanted dimension: the name, or the number as text. Complete at the end of the file.
  virtual const std::vector<std::string>& region_names() const = 0;
};

}  // namespace unbarred
