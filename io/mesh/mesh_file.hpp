#pragma once
// Mesh files on many ranks: rank 0 reads in batches and sends every block to the rank that holds it.
#include <memory>
#include <string>
#include <vector>

#include "scene/tetrahedra_source.hpp"

namespace unbarred {

/// What was read, and what was changed on the way. The same on every rank.
struct MeshReport {
  GlobalIndex vertices = 0, tetrahedra = 0;  ///< kept
  GlobalIndex reoriented = 0;                ///< mirrored tetrahedra, turned round
  GlobalIndex dropped_vertices = 0;          ///< that no element uses
  GlobalIndex ignored_elements = 0;          ///< points, lines, and surfaces beside tetrahedra
  GlobalIndex triangles = 0;                 ///< kept of a surface
};

/// One line for the log: "bar.msh: 496 vertices, 1620 tetrahedra; 3 tetrahedra reoriented, ...".
std::string to_string(const MeshReport& report, const std::filesystem::path& file);

/// A flatter tetrahedron than this, 6 V / (longest edge)^3, has no volume; a flatter triangle, 2 A / (longest edge)^2,
/// has no area.
inline constexpr Real flat_element = 1e-12;

class MeshFileSource : public TetrahedraSource {
 public:
  /// Physical groups of volumes, by name or by their number as text; the same on every rank.
  virtual std::vector<std::string> region_names() const = 0;
  /// Of the tetrahedra [begin, end): numbers in region_names(), -1 for those in no group. @note Collective
  virtual std::vector<std::int32_t> regions(const Communicator& communicator, GlobalIndex begin,
                                            GlobalIndex end) const = 0;
};

/// The tetrahedra of spec.file, coordinates times spec.scale: MSH, streamed, so that each rank keeps about its share
/// of the file and rank 0 beside that a batch and at most 16 bytes a vertex of the file (nothing when vertex tags
/// count up by one); VTK and VTU, which rank 0 holds whole while it reads. Mirrored tetrahedra are turned round,
/// vertices that no tetrahedron uses dropped, both counted. Throws the same Error on every rank: bad_input with file
/// and line or element, also for tetrahedra without volume and for vertices or tetrahedra that occur twice. The log
/// gets to_string() of the report.
/// @note Collective
std::unique_ptr<MeshFileSource> open_mesh_file(const MeshSpec& spec, const Communicator& communicator,
                                               MeshReport* report = nullptr);

}  // namespace unbarred
