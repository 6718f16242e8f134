#include "io/mesh/mesh_formats.hpp"

#include "core/error.hpp"
#include "io/mesh/mesh_data.hpp"
#include "io/mesh/msh_reader.hpp"
#include "io/mesh/surface_readers.hpp"
#include "io/mesh/vtk_reader.hpp"

namespace unbarred {

std::string lower_suffix(const std::filesystem::path& file) {
  std::string suffix = file.extension().string();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return suffix;
}

bool is_surface_format(const std::filesystem::path& file) {
  const std::string suffix = lower_suffix(file);
  return suffix == ".obj" || suffix == ".stl" || suffix == ".ply";
}

std::unique_ptr<MeshStream> open_mesh_stream(const std::filesystem::path& file, ElementKind wanted) {
  const std::string suffix = lower_suffix(file);
  if (wanted == ElementKind::tetrahedra && is_surface_format(file))
    throw bad_input({file.string(), 0, 0}, "`" + suffix +
                                               "` files hold surfaces only: fill the volume with tetrahedra "
                                               "first (gmsh, fTetWild, ...), or use it as an obstacle");
  if (suffix == ".msh") return open_msh(file, wanted);
  if (suffix == ".vtk") return make_mesh_stream(read_vtk_legacy(file, wanted));
  if (suffix == ".vtu") return make_mesh_stream(read_vtu(file, wanted));
  if (suffix == ".obj") return make_mesh_stream(read_obj(file));
  if (suffix == ".stl") return make_mesh_stream(read_stl(file));
  if (suffix == ".ply") return make_mesh_stream(read_ply(file));
  throw bad_input({file.string(), 0, 0}, "mesh files `" + suffix +
                                             "` are not read: use Gmsh MSH 2.2 or 4.1 (.msh), "
                                             "VTK (.vtk, .vtu); for surfaces also OBJ, STL, PLY");
}

}  // namespace unbarred
