// `unbarred filter`: the safe part of a motion that somebody else computed.
#include <fmt/core.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/start_audit.hpp"
#include "contact/filter/filter_motion.hpp"
#include "core/device.hpp"
#include "core/timer.hpp"
#include "dynamics/elastic/inversion_guard.hpp"
#include "io/frames/vtu.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/mesh/point_mesh.hpp"
#include "io/run/log.hpp"
#include "io/text/files.hpp"
#include "partitioning/distinct_devices.hpp"

namespace unbarred {

namespace {

/// The MSH reader deals its mesh out over the ranks; here rank 0 needs all of it, for the output file.
PointMesh load_msh(const std::filesystem::path& file, const Communicator& world) {
  MeshSpec spec;
  spec.file = file;
  MeshReport report;
  const auto source = open_mesh_file(spec, world, &report);
  if (report.dropped_vertices > 0)
    throw bad_input({file.string(), 0, 0},
                    "displacements belong to vertices by their order, but " + std::to_string(report.dropped_vertices) +
                        " vertices of this file belong to no tetrahedron: remove them from the file");
  const GlobalIndex vertices = source->vertex_count(), tetrahedra = source->tetrahedron_count();
  PointMesh mesh;
  mesh.points = source->vertices(world, world.is_root() ? 0 : vertices, vertices);
  mesh.tetrahedra = source->tetrahedra(world, world.is_root() ? 0 : tetrahedra, tetrahedra);
  return mesh;
}

/// On rank 0; empty elsewhere. @note Collective
PointMesh load_point_mesh(const std::filesystem::path& file, const Communicator& world) {
  if (file.extension() == ".msh") return load_msh(file, world);
  PointMesh mesh;
  world.agree([&] {
    if (world.is_root()) mesh = read_point_mesh(file);
  });
  return mesh;
}

/// A guard with the elements that it watches. Their material has no say in it.
class GuardOfAllElements final : public InversionGuard {
 public:
  explicit GuardOfAllElements(const LocalMesh& mesh)
      : elements_(mesh, {MaterialSpec{.name = "any", .density = 1, .young = 1, .poisson = 0.3}}),
        guard_(elements_, ElementGuard::Scope::everywhere) {}
  Real uniform_fraction(View<const Vec3> start, View<const Vec3> target) const override {
    return guard_.uniform_fraction(start, target);
  }
  bool sweep(View<const Vec3> start, View<const Vec3> target, View<const Real> before, View<const Real> fraction,
             View<Real> lowered) const override {
    return guard_.sweep(start, target, before, fraction, lowered);
  }

 private:
  ElasticMesh elements_;
  ElementGuard guard_;
};

std::vector<std::string> body_names(const PointMesh& mesh) {
  std::int32_t last = 0;
  for (const std::int32_t body : mesh.body) last = std::max(last, body);
  std::vector<std::string> names;
  for (std::int32_t body = 0; body <= last; ++body)
    names.push_back(mesh.body.empty() ? "the mesh" : "body " + std::to_string(body));
  return names;
}

template <std::size_t corners, class Element>
std::vector<std::array<Index, corners>> cells_of(const std::vector<Element>& elements) {
  std::vector<std::array<Index, corners>> cells;
  for (const Element& element : elements) {
    std::array<Index, corners>& cell = cells.emplace_back();
    for (std::size_t i = 0; i < corners; ++i) cell[i] = static_cast<Index>(element.v[i]);
  }
  return cells;
}

void write_result(const std::filesystem::path& file, const PointMesh& mesh, const MotionFilter::Result& result) {
  FramePiece piece;
  piece.points = mesh.points;
  piece.tetrahedra = cells_of<4>(mesh.tetrahedra);
  piece.triangles = cells_of<3>(mesh.triangles);
  piece.point_arrays = {{"displacement", 3, flatten(result.displacements), {}}, {"fraction", 1, result.fractions, {}}};
  if (!mesh.body.empty()) piece.point_arrays.push_back({"body", 1, mesh.body, {}});
  write_file(file, vtu_text(piece));
}

struct Seconds {
  double audits = 0, filter = 0;
};

void print_result(const CommandLine& line, const MotionFilter& filter, const MotionFilter::Result& result,
                  const Seconds& seconds) {
  const SurfaceCounts& counts = filter.counts();
  const FilterReport& report = result.report;
  fmt::print("{}: {} filter, gap {:.4g} m\n", line.target, line.filter, filter.gap());
  fmt::print("  surface      {} triangles, {} edges, {} vertices", counts.triangles, counts.edges, counts.vertices);
  if (counts.border_edges > 0) fmt::print("; {} edges at a border", counts.border_edges);
  if (counts.non_manifold_edges > 0) fmt::print("; {} edges of three or more triangles", counts.non_manifold_edges);
  fmt::print("\n  candidates   {}, hits {}, planes {}, passes {}{}\n", report.candidates, report.hits, report.planes,
             report.passes, report.fell_back ? ", then one fraction for all" : "");
  fmt::print("  fraction     mean {:.6g}, least {:.6g}, of surface vertices\n", report.mean_fraction,
             report.least_fraction);
  fmt::print("  motion       {:.4g} % retained\n", 100 * result.retained);
  fmt::print("  audit        nothing crosses or touches, before and after\n");
  if (!line.output.empty()) fmt::print("  written      {}\n", line.output);
  fmt::print("  time         {:.3g} s for both audits, {:.3g} s for the filter\n", seconds.audits, seconds.filter);
}

std::vector<Vec3> moved(const std::vector<Vec3>& points, const std::vector<Vec3>& displacements) {
  std::vector<Vec3> result = points;
  for (std::size_t v = 0; v < result.size(); ++v) result[v] += displacements[v];
  return result;
}

}  // namespace

void filter_file(const Communicator& world, const CommandLine& line) {
  start_log(world);
  DeviceInfo device;
  world.agree([&] { device = choose_device(world.node_rank(), world.node_size()); });
  require_distinct_devices(world, device);
  const PointMesh mesh = load_point_mesh(line.target, world);
  std::vector<Vec3> wanted;
  world.agree([&] {
    if (!world.is_root()) return;
    if (!line.output.empty() && std::filesystem::path(line.output).extension() != ".vtu")
      throw bad_input({line.output, 0, 0}, "is not named .vtu, the format that is written");
    if (line.no_inversion && mesh.tetrahedra.empty())
      throw bad_input({line.target, 0, 0}, "has no tetrahedra for --no-inversion");
    wanted = read_displacements(line.displacement, mesh.points.size());
  });
  MotionFilter::Options options;
  options.kind = *choice_of<StepFilterKind>(line.filter, step_filter_words);
  options.gap = line.gap;
  if (line.no_inversion)
    options.make_guard = [](const LocalMesh& part) { return std::make_unique<GuardOfAllElements>(part); };
  MotionFilter filter({mesh.points, mesh.triangles, mesh.tetrahedra, mesh.body}, world, options);

  const std::filesystem::path output = line.output;
  const double begin = wall_seconds();
  require_clean_start(filter.audit(mesh.points), body_names(mesh), output.parent_path() / "diagnostics" / "start.vtu",
                      "move the surfaces apart", Vec3{{0, 0, 0}}, world);
  const double audited = wall_seconds();
  const MotionFilter::Result result = filter.filter(mesh.points, wanted);
  const double filtered = wall_seconds();
  const DistributedAuditReport after = filter.audit(moved(mesh.points, result.displacements));
  const Seconds seconds{.audits = audited - begin + wall_seconds() - filtered, .filter = filtered - audited};
  world.agree([&] {
    if (after.intersects())
      throw Error(ExitCode::internal, "the filtered motion is not safe" +
                                          (world.is_root() ? ": " + describe(after, body_names(mesh)) : std::string()));
    if (world.is_root() && !output.empty()) write_result(output, mesh, result);
  });
  if (world.is_root()) print_result(line, filter, result, seconds);
}

}  // namespace unbarred
