#include "io/msh_writer.hpp"

#include <fstream>

#include "io/expression.hpp"

namespace unbarred {

void write_msh(const std::filesystem::path& file, std::span<const Vec3> positions,
               std::span<const GlobalTetrahedron> tetrahedra) {
  const std::string vertices = std::to_string(positions.size()), elements = std::to_string(tetrahedra.size());
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n";
  text += "1 " + vertices + " 1 " + vertices + "\n3 1 0 " + vertices + "\n";
  for (std::size_t i = 1; i <= positions.size(); ++i) text += std::to_string(i) + "\n";
  for (const Vec3& x : positions) {
    for (int axis = 0; axis < 3; ++axis) {
      text += write_number(x[axis]);
      text += axis < 2 ? ' ' : '\n';
    }
  }
  text += "$EndNodes\n$Elements\n1 " + elements + " 1 " + elements + "\n3 1 4 " + elements + "\n";
  for (std::size_t e = 0; e < tetrahedra.size(); ++e) {
    text += std::to_string(e + 1);
    for (const GlobalIndex v : tetrahedra[e].v) text += ' ' + std::to_string(v + 1);
    text += '\n';
  }
  text += "$EndElements\n";
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw Error(ExitCode::io_failed, "cannot write " + file.string() + ": check the folder and the disk");
}

}  // namespace unbarred
