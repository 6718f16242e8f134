// Damaged mesh files of every format are read or refused, never more: bytes changed, lines exchanged, ends cut off.
// 200 a format; UNBARRED_NIGHTLY=1: 10,000.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "io/mesh/mesh_quality.hpp"
#include "io/mesh/msh_writer.hpp"
#include "io/mesh/surface_file.hpp"
#include "support/captured_log.hpp"
#include "support/mesh_variants.hpp"
#include "support/test_meshes.hpp"
#include "support/world.hpp"

namespace unbarred {
namespace {

constexpr unsigned first_seed = 20240;

std::size_t pick(std::mt19937& random, std::size_t below) {
  return below == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

std::string lines_exchanged(const std::string& text, std::mt19937& random) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  if (lines.empty()) return text;
  std::swap(lines[pick(random, lines.size())], lines[pick(random, lines.size())]);
  std::string joined;
  for (const std::string& line : lines) joined += line;
  return joined;
}

std::string mutated(std::string text, std::mt19937& random) {
  switch (pick(random, 4)) {
    case 0:
      return text.substr(0, pick(random, text.size()));
    case 1:
      return lines_exchanged(text, random);
    case 2:
      return text.erase(pick(random, text.size()), 1 + pick(random, 8));
    default:
      for (std::size_t flips = 1 + pick(random, 4); flips > 0; --flips)
        text[pick(random, text.size())] = static_cast<char>(pick(random, 256));
      return text;
  }
}

/// "" for a file that is read or refused as bad input.
std::string outcome(const std::filesystem::path& file, bool surface) {
  MeshSpec spec;
  spec.file = file;
  try {
    if (surface) {
      const auto source = open_surface_file(spec, test::world());
      return source->vertices(test::world(), 0, source->vertex_count()).empty() ? "no vertices" : "";
    }
    const auto mesh = test::whole(*open_mesh_file(spec, test::world()), test::world());
    for (const GlobalTetrahedron& t : mesh.tetrahedra)
      for (const GlobalIndex v : t.v)
        if (v < 0 || v >= static_cast<GlobalIndex>(mesh.positions.size())) return "a corner that does not exist";
    return "";
  } catch (const Error& error) {
    return error.code() == ExitCode::bad_input ? "" : error.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

void expect_survival(const std::string& suffix, const std::string& text, bool surface) {
  const test::CapturedLog log;  // of files that lost their $MeshFormat
  const int count = std::getenv("UNBARRED_NIGHTLY") ? 10000 : 200;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("mutated_" + std::to_string(getpid()) + suffix);
  for (unsigned seed = first_seed; seed < first_seed + static_cast<unsigned>(count); ++seed) {
    std::mt19937 random(seed);
    std::ofstream(file, std::ios::binary) << mutated(text, random);
    ASSERT_EQ(outcome(file, surface), "") << suffix << ", seed " << seed;
  }
  std::filesystem::remove(file);
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MeshMutations, MshText22) { expect_survival(".msh", test::msh22({}, true, true), false); }
TEST(MeshMutations, MshText41) { expect_survival(".msh", test::msh41({}, true, true), false); }
TEST(MeshMutations, MshBinary22) { expect_survival(".msh", test::msh22({true, false}, true, true), false); }
TEST(MeshMutations, MshBinary41) { expect_survival(".msh", test::msh41({true, true}, false, true), false); }
TEST(MeshMutations, MshSurface) { expect_survival(".msh", test::msh41({}, true, true), true); }
TEST(MeshMutations, VtkText) { expect_survival(".vtk", test::vtk_legacy(false, 3), false); }
TEST(MeshMutations, VtkBinary) { expect_survival(".vtk", test::vtk_legacy(true, 5), false); }
TEST(MeshMutations, Obj) { expect_survival(".obj", test::obj_surface(), true); }
TEST(MeshMutations, StlText) { expect_survival(".stl", test::stl_surface(false), true); }
TEST(MeshMutations, StlBinary) { expect_survival(".stl", test::stl_surface(true), true); }
TEST(MeshMutations, PlyText) { expect_survival(".ply", test::ply_surface(false, false), true); }
TEST(MeshMutations, PlyBinary) { expect_survival(".ply", test::ply_surface(true, true), true); }

TEST(MeshMutations, VtuText) { expect_survival(".vtu", test::vtu_text(), false); }

TEST(MeshMutations, VtuBinary) {
  const test::TemporaryFile msh("_vtu_" + std::to_string(getpid()) + ".msh", test::msh41({}, false));
  const test::TemporaryFile vtu("_vtu_" + std::to_string(getpid()) + ".vtu", "");
  write_mesh(vtu.path(), read_mesh_data(msh.path()), false);
  expect_survival(".vtu", content_of(vtu.path()), false);
}

}  // namespace
}  // namespace unbarred
