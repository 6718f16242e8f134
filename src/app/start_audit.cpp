#include "app/start_audit.hpp"

#include <algorithm>
#include <set>

#include "io/frames/vtu.hpp"
#include "io/text/files.hpp"

namespace unbarred {

static AuditOptions options_of(const Scene& scene, const LocalMesh& mesh) {
  AuditOptions options;
  if (scene.contact) options.excluded_bodies = mesh_body_pairs(scene.contact->none, scene, mesh.scene_body);
  return options;
}

SceneAudit::SceneAudit(const Scene& scene, const LocalMesh& mesh, const Communicator& communicator)
    : communicator_(communicator),
      counts_(build_surface(mesh, communicator).counts),
      audit_(mesh, communicator, options_of(scene, mesh)),
      body_names_(mesh_body_names(scene, mesh.scene_body)) {}

std::string SceneAudit::unusual() const {
  const GlobalIndex edges = counts_.non_manifold_edges;
  if (edges == 0) return "";
  return "; " + std::to_string(edges) + (edges == 1 ? " edge" : " edges") + " of three or more triangles";
}

static std::string vertices_of(const AuditedTriangle& triangle) {
  const auto& v = triangle.vertices;
  return std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]);
}

static std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string describe(const DistributedAuditReport& report, const std::vector<std::string>& body_names) {
  constexpr std::size_t most_examples = 5;
  const auto name = [&](std::int32_t body) { return "`" + body_names[static_cast<std::size_t>(body)] + "`"; };
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (report.crossing > 0) add(counted(report.crossing, "pair of triangles crosses", "pairs of triangles cross"));
  if (report.touching > 0) add(counted(report.touching, "pair of triangles touches", "pairs of triangles touch"));
  if (report.zero_area > 0) add(counted(report.zero_area, "triangle has no area", "triangles have no area"));
  if (report.not_finite > 0)
    add(counted(report.not_finite, "triangle has a coordinate", "triangles have coordinates") +
        " that is not a finite number");
  std::vector<std::string> examples;
  std::set<std::pair<std::int32_t, std::int32_t>> told;
  for (const AuditedPair& pair : report.pairs) {
    if (!told.insert(std::minmax(pair.a.body, pair.b.body)).second) continue;
    examples.push_back(name(pair.a.body) + (pair.relation == exact::Relation::crossing ? " crosses " : " touches ") +
                       (pair.a.body == pair.b.body ? "itself" : name(pair.b.body)) + " (triangles " +
                       vertices_of(pair.a) + " and " + vertices_of(pair.b) + ")");
  }
  for (const auto* triangles : {&report.zero_area_triangles, &report.not_finite_triangles})
    if (!triangles->empty())
      examples.push_back("triangle " + vertices_of(triangles->front()) + " of " + name(triangles->front().body));
  for (std::size_t i = 0; i < examples.size() && i < most_examples; ++i) text += (i == 0 ? ": " : "; ") + examples[i];
  return text + (examples.size() > most_examples ? "; ..." : "");
}

static FramePiece piece_of(const DistributedAuditReport& report, const Vec3& origin) {
  FramePiece piece;
  std::vector<GlobalIndex> ids;
  std::vector<std::int32_t> pair, crossing, body;
  const auto add = [&](const AuditedTriangle& triangle, std::int32_t number, bool crosses) {
    const auto first = static_cast<Index>(piece.points.size());
    piece.triangles.push_back({first, first + 1, first + 2});
    for (const Vec3& corner : triangle.corners) piece.points.push_back(origin + corner);
    ids.insert(ids.end(), triangle.vertices.begin(), triangle.vertices.end());
    pair.push_back(number);
    crossing.push_back(crosses ? 1 : 0);
    body.push_back(triangle.body);
  };
  std::int32_t number = 0;
  for (const AuditedPair& found : report.pairs) {
    const bool crosses = found.relation == exact::Relation::crossing;
    add(found.a, number, crosses);
    add(found.b, number++, crosses);
  }
  for (const AuditedTriangle& triangle : report.zero_area_triangles) add(triangle, -1, false);
  piece.point_arrays = {{"global_id", 1, ids, {}}};
  piece.cell_arrays = {{"pair", 1, pair, {}}, {"crossing", 1, crossing, {}}, {"body", 1, body, {}}};
  return piece;
}

void require_clean_start(const DistributedAuditReport& report, const std::vector<std::string>& body_names,
                         const std::filesystem::path& diagnostics, const std::string& remedy, const Vec3& origin,
                         const Communicator& communicator) {
  if (report.clean()) return;
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    std::error_code failure;
    if (diagnostics.has_parent_path()) std::filesystem::create_directories(diagnostics.parent_path(), failure);
    if (failure) throw write_failure(diagnostics, 0, failure.value());
    write_file(diagnostics, vtu_text(piece_of(report, origin)));
    throw Error(ExitCode::bad_start_state, "bad start: " + describe(report, body_names) + ". The triangles are in " +
                                               diagnostics.string() + "; " + remedy);
  });
}

void SceneAudit::require_clean_start(const DistributedAuditReport& report, const Scene& scene) const {
  unbarred::require_clean_start(
      report, body_names_, scene.output.directory / "diagnostics" / "start.vtu",
      "move the bodies apart, or list those that may pass through each other in contact.pairs.none", scene.origin,
      communicator_);
}

}  // namespace unbarred
