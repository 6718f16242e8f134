#pragma once
// Small mesh files in every variant of every format, written here by hand: what other programs write.
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/text/byte_order.hpp"

namespace unbarred::test {

/// Numbers as text, or as they lie in memory in either byte order.
struct NumberFormat {
  bool binary = false, swapped = false;
};

class NumberText {
 public:
  explicit NumberText(NumberFormat format) : format_(format) {}
  template <class T>
  NumberText& add(T value) {
    if (!format_.binary) {
      text_ += std::to_string(value) + ' ';
      return *this;
    }
    if (format_.swapped) value = byte_swapped(value);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  NumberText& add(const Vec3& x) { return add(x[0]).add(x[1]).add(x[2]); }
  NumberText& end() {
    if (!format_.binary) text_ += '\n';
    return *this;
  }
  NumberText& line(const std::string& words) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += words + '\n';
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  NumberFormat format_;
  std::string text_;
};

/// Two tetrahedra in two regions, "left" and 7; a triangle in the region "skin".
struct Sample {
  std::vector<Vec3> x{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{1, 1, 1.5}}};
  std::vector<std::vector<int>> tetrahedra{{0, 1, 2, 3}, {1, 2, 3, 4}};
};

/// Tag of a node: sparse and descending, or counting from 1.
inline std::int64_t tag_of(int v, bool sparse) { return sparse ? 1000 - 7 * v : v + 1; }

inline std::string msh22(NumberFormat format, bool sparse, bool extra_sections = false) {
  const Sample s;
  NumberText out(format);
  out.line("$MeshFormat").line(format.binary ? "2.2 1 8" : "2.2 0 8");
  if (format.binary) out.add(std::int32_t{1});
  out.line("$EndMeshFormat").line("$PhysicalNames").line("2").line("2 5 \"skin\"").line("3 9 \"left\"");
  out.line("$EndPhysicalNames");
  if (extra_sections) out.line("$Comments").line("$Nodes are below").line("$EndComments");
  out.line("$Nodes").line("5");
  for (int v = 0; v < 5; ++v)
    out.add(static_cast<std::int32_t>(tag_of(v, sparse))).add(s.x[static_cast<std::size_t>(v)]).end();
  out.line("$EndNodes").line("$Elements").line("3");
  const auto element = [&](int type, int id, int physical, const std::vector<int>& corners) {
    if (format.binary) out.add(std::int32_t{type}).add(std::int32_t{1}).add(std::int32_t{2}).add(std::int32_t{id});
    else out.add(std::int32_t{id}).add(std::int32_t{type}).add(std::int32_t{2});
    out.add(std::int32_t{physical}).add(std::int32_t{1});
    for (const int v : corners) out.add(static_cast<std::int32_t>(tag_of(v, sparse)));
    out.end();
  };
  element(2, 1, 5, {0, 1, 2});
  element(4, 2, 9, s.tetrahedra[0]);
  element(4, 3, 7, s.tetrahedra[1]);
  out.line("$EndElements");
  if (extra_sections) out.line("$Surface").line("1").line("1 2 3").line("$EndSurface");
  return out.text();
}

inline std::string msh41(NumberFormat format, bool sparse, bool extra_sections = false) {
  using I = std::int32_t;
  using S = std::int64_t;
  const Sample s;
  NumberText out(format);
  out.line("$MeshFormat").line(format.binary ? "4.1 1 8" : "4.1 0 8");
  if (format.binary) out.add(I{1});
  out.line("$EndMeshFormat").line("$PhysicalNames").line("2").line("2 5 \"skin\"").line("3 9 \"left\"");
  out.line("$EndPhysicalNames").line("$Entities");
  out.add(S{1}).add(S{0}).add(S{1}).add(S{2}).end();
  out.add(I{1}).add(0.0).add(0.0).add(0.0).add(S{0}).end();
  const auto entity = [&](int tag, int physical, int bounds) {
    out.add(I{tag});
    for (int i = 0; i < 6; ++i) out.add(0.5 * i);
    out.add(S{1}).add(I{physical}).add(S{bounds});
    for (int i = 0; i < bounds; ++i) out.add(I{1});
    out.end();
  };
  entity(4, 5, 0);
  entity(2, 9, 1);
  entity(3, 7, 1);
  out.line("$EndEntities");
  if (extra_sections) out.line("$PartitionedEntities").line("0 ").line("$EndPartitionedEntities");
  out.line("$Nodes").add(S{2}).add(S{5}).add(S{1}).add(S{1000}).end();
  out.add(I{3}).add(I{2}).add(I{0}).add(S{3}).end();
  for (int v = 0; v < 3; ++v) out.add(S{tag_of(v, sparse)}).end();
  for (std::size_t v = 0; v < 3; ++v) out.add(s.x[v]).end();
  out.add(I{2}).add(I{4}).add(I{1}).add(S{2}).end();  // parametric: two more coordinates
  for (int v = 3; v < 5; ++v) out.add(S{tag_of(v, sparse)}).end();
  for (std::size_t v = 3; v < 5; ++v) out.add(s.x[v]).add(0.25).add(0.75).end();
  out.line("$EndNodes").line("$Elements").add(S{3}).add(S{3}).add(S{1}).add(S{3}).end();
  const auto block = [&](int dimension, int tag, int type, int id, const std::vector<int>& corners) {
    out.add(I{dimension}).add(I{tag}).add(I{type}).add(S{1}).end().add(S{id});
    for (const int v : corners) out.add(S{tag_of(v, sparse)});
    out.end();
  };
  block(2, 4, 2, 1, {0, 1, 2});
  block(3, 2, 4, 2, s.tetrahedra[0]);
  block(3, 3, 4, 3, s.tetrahedra[1]);
  out.line("$EndElements");
  if (extra_sections) out.line("$Surface").line("1").line("1 2 3").line("$EndSurface");
  return out.text();
}

/// version 5 has offsets; binary is always high byte first.
inline std::string vtk_legacy(bool binary, int version) {
  const Sample s;
  NumberText out({binary, std::endian::native == std::endian::little});
  out.line("# vtk DataFile Version " + std::to_string(version) + ".0").line("two tetrahedra");
  out.line(binary ? "BINARY" : "ASCII").line("DATASET UNSTRUCTURED_GRID");
  out.line("FIELD FieldData 1").line("TIME 1 1 double").add(0.5).line("POINTS 5 double");
  for (const Vec3& x : s.x) out.add(x).end();
  out.line("METADATA").line("INFORMATION 0").line("");
  const std::vector<std::vector<int>> cells{s.tetrahedra[0], {0, 1, 2}, s.tetrahedra[1]};
  if (version < 5) {
    out.line("CELLS 3 14");
    for (const auto& cell : cells) {
      out.add(static_cast<std::int32_t>(cell.size()));
      for (const int v : cell) out.add(std::int32_t{v});
      out.end();
    }
  } else {
    out.line("CELLS 4 11").line("OFFSETS vtktypeint64");
    for (const std::int64_t offset : {0, 4, 7, 11}) out.add(offset);
    out.line("CONNECTIVITY vtktypeint64");
    for (const auto& cell : cells)
      for (const int v : cell) out.add(std::int64_t{v});
  }
  out.line("CELL_TYPES 3").add(std::int32_t{10}).add(std::int32_t{5}).add(std::int32_t{10});
  return out.line("CELL_DATA 3").text();
}

/// ASCII.
inline std::string vtu_text() {
  const Sample s;
  NumberText out({});
  out.line("<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><!-- by hand -->");
  out.line("<UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">");
  out.line("<Points><DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">");
  for (const Vec3& x : s.x) out.add(x);
  out.line("</DataArray></Points><Cells>");
  out.line("<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 5 10</DataArray>");
  out.line("<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\"> 4 7 11 </DataArray>");
  out.line("<DataArray type=\"Int32\" Name=\"connectivity\"").line("  format=\"ascii\" >");
  out.line("0 1 2 3 0 1 2 1 2 3 4").line("</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>");
  return out.text();
}

/// The faces of one tetrahedron, outwards: a closed surface.
inline const std::vector<std::vector<int>> tetrahedron_faces{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline std::string obj_surface() {
  return "# a tetrahedron\nmtllib a.mtl\no it\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\n"
         "g side\ns off\nf 2/1/1 3/1/1 4/1/1\nf 1//1 4//1 3//1\nf -4 -3 -1\nf 1 3 2 # the last\nl 1 2\n";
}

inline std::string stl_surface(bool binary) {
  const Sample s;
  NumberText out({binary, std::endian::native == std::endian::big});
  if (!binary) out.line("solid it");
  std::string text = binary ? std::string("solid of a program that says so in binary").append(39, ' ') : out.text();
  NumberText facets({binary, std::endian::native == std::endian::big});
  if (binary) facets.add(std::uint32_t{4});
  for (const auto& face : tetrahedron_faces) {
    if (binary) facets.add(0.0f).add(0.0f).add(1.0f);
    else facets.line("facet normal 0 0 1").line("outer loop");
    for (const int v : face) {
      const Vec3& x = s.x[static_cast<std::size_t>(v)];
      if (binary) facets.add(static_cast<float>(x[0])).add(static_cast<float>(x[1])).add(static_cast<float>(x[2]));
      else facets.line("vertex " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]));
    }
    if (binary) facets.add(std::uint16_t{0});
    else facets.line("endloop").line("endfacet");
  }
  return text + facets.text() + (binary ? "" : "endsolid it\n");
}

/// Vertices with a color, faces with a quality, edges: all of which is passed over.
inline std::string ply_surface(bool binary, bool big) {
  const Sample s;
  NumberText out({binary, big != big_endian});
  out.line("ply").line(!binary ? "format ascii 1.0"
                       : big   ? "format binary_big_endian 1.0"
                               : "format binary_little_endian 1.0");
  out.line("comment by hand").line("element vertex 4").line("property double x").line("property uchar red");
  out.line("property double y").line("property double z").line("element edge 1").line("property int vertex1");
  out.line("element face 4").line("property float quality").line("property list uchar int vertex_indices");
  out.line("end_header");
  for (std::size_t v = 0; v < 4; ++v) out.add(s.x[v][0]).add(std::uint8_t{200}).add(s.x[v][1]).add(s.x[v][2]).end();
  out.add(std::int32_t{2}).end();
  for (const auto& face : tetrahedron_faces) {
    out.add(0.5f).add(std::uint8_t{3});
    for (const int v : face) out.add(std::int32_t{v});
    out.end();
  }
  return out.text();
}

}  // namespace unbarred::test
