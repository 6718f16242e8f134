#pragma once
// A mesh file as rank 0 reads it: batch after batch, never the whole of it in memory.
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace unbarred {

/// Vertex numbers count from 0 in the order of the file.
struct FileTetrahedron {
  GlobalIndex v[4];
  GlobalIndex id;  ///< as the file calls it
};

struct MeshBatch {
  enum class Kind : int { vertices, tetrahedra, end } kind = Kind::end;
  GlobalIndex total = 0;            ///< vertices of the file; for tetrahedra an upper bound (elements of all types)
  GlobalIndex first = 0;            ///< number of the batch's first vertex
  std::vector<Vec3> positions;      ///< vertices
  std::vector<FileTetrahedron> tetrahedra;
  std::vector<GlobalIndex> ordinals;  ///< of the tetrahedra among all elements, ascending over the file
};

class MeshStream {
 public:
  virtual ~MeshStream() = default;
  /// Next batch, never empty unless it is the end; all vertices come before the first tetrahedron.
  /// Throws Error(bad_input) with file and line.
  virtual void next(MeshBatch& batch) = 0;
  /// Elements of other types met so far, which are ignored.
  virtual GlobalIndex ignored_elements() const = 0;
};

}  // namespace unbarred
