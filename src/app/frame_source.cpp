#include "app/frame_source.hpp"

#include <algorithm>

#include "dynamics/elastic/elastic_kernels.hpp"

namespace unbarred {

FrameSource::FrameSource(const Simulation& simulation, std::vector<std::string> fields, const ContactOutput* contact)
    : simulation_(simulation),
      fields_(std::move(fields)),
      bodies_(select_tetrahedra(simulation.mesh())),
      obstacles_(select_triangles(simulation.mesh())),
      contact_(contact) {}

bool FrameSource::wanted(const std::string& name) const {
  return fields_.empty() || std::find(fields_.begin(), fields_.end(), name) != fields_.end();
}

void FrameSource::update() {
  const auto any = {"contact_force", "friction_force", "contact_pressure", "gap"};
  if (contact_ && std::any_of(any.begin(), any.end(), [&](const char* name) { return wanted(name); }))
    vertex_contact_ = contact_->at_vertices();
}

FramePiece FrameSource::piece(int rank) const {
  FramePiece piece;
  add_points(piece, bodies_.vertices);
  piece.tetrahedra = bodies_.elements;
  add_cell_states(piece);
  if (wanted("material"))
    piece.cell_arrays.push_back({"material", 1, gather(simulation_.mesh().material, bodies_.cells), {}});
  add_rank(piece, rank);
  return piece;
}

FramePiece FrameSource::obstacle_piece(int rank) const {
  FramePiece piece;
  add_points(piece, obstacles_.vertices);
  piece.triangles = obstacles_.elements;
  add_rank(piece, rank);
  return piece;
}

FramePiece FrameSource::contact_piece() const {
  FramePiece piece;
  std::vector<Real> gap, multiplier;
  std::vector<std::int32_t> state, body_a, body_b;
  for (const ContactLine& line : contact_->lines()) {
    const auto first = static_cast<Index>(piece.points.size());
    piece.lines.push_back({first, first + 1});
    for (const Vec3& end : {line.a, line.b}) piece.points.push_back(end + simulation_.scene().origin);
    gap.push_back(line.gap);
    multiplier.push_back(line.multiplier);
    state.push_back(line.active ? 1 : 0);
    body_a.push_back(line.body_a);
    body_b.push_back(line.body_b);
  }
  piece.cell_arrays = {{"gap", 1, std::move(gap), {}},
                       {"multiplier", 1, std::move(multiplier), {}},
                       {"state", 1, std::move(state), {}},
                       {"body_a", 1, std::move(body_a), {}},
                       {"body_b", 1, std::move(body_b), {}}};
  return piece;
}

void FrameSource::add_points(FramePiece& piece, const std::vector<Index>& vertices) const {
  piece.points = gather(simulation_.state().x.to_host(), vertices);
  if (wanted("displacement")) {
    std::vector<Vec3> displacement = gather(simulation_.elastic().rest_positions.to_host(), vertices);
    for (std::size_t i = 0; i < displacement.size(); ++i) displacement[i] = piece.points[i] - displacement[i];
    piece.point_arrays.push_back({"displacement", 3, flatten(displacement), {}});
  }
  if (wanted("velocity"))
    piece.point_arrays.push_back({"velocity", 3, flatten(gather(simulation_.state().v.to_host(), vertices)), {}});
  if (wanted("global_id"))
    piece.point_arrays.push_back({"global_id", 1, gather(simulation_.map().global_ids(), vertices), {}});
  if (wanted("body")) piece.point_arrays.push_back({"body", 1, gather(simulation_.mesh().vertex_body, vertices), {}});
  if (contact_) add_contact(piece, vertices);
  for (Vec3& x : piece.points) x += simulation_.scene().origin;
}

void FrameSource::add_contact(FramePiece& piece, const std::vector<Index>& vertices) const {
  const auto add_vectors = [&](const char* name, const std::vector<Vec3>& values) {
    if (wanted(name)) piece.point_arrays.push_back({name, 3, flatten(gather(values, vertices)), {}});
  };
  const auto add_numbers = [&](const char* name, const std::vector<Real>& values) {
    if (wanted(name)) piece.point_arrays.push_back({name, 1, gather(values, vertices), {}});
  };
  add_vectors("contact_force", vertex_contact_.normal);
  add_vectors("friction_force", vertex_contact_.friction);
  add_numbers("contact_pressure", vertex_contact_.pressure);
  add_numbers("gap", vertex_contact_.gap);
}

void FrameSource::add_cell_states(FramePiece& piece) const {
  if (wanted("cauchy_stress") || wanted("von_mises") || wanted("deformation_jacobian")) {
    DeviceArray<CellState> on_device(simulation_.elastic().tetrahedron_count());
    cell_states(simulation_.elastic(), simulation_.state().x.local(), on_device.view());
    const std::vector<CellState> states = gather(on_device.to_host(), bodies_.cells);
    std::vector<Real> stress, von_mises, jacobian;
    for (const CellState& state : states) {
      const SymmetricTensor<Real>& s = state.stress;
      stress.insert(stress.end(), {s.xx, s.yy, s.zz, s.xy, s.yz, s.xz});
      von_mises.push_back(state.von_mises);
      jacobian.push_back(state.jacobian);
    }
    if (wanted("cauchy_stress"))
      piece.cell_arrays.push_back({"cauchy_stress", 6, std::move(stress), symmetric_tensor_components});
    if (wanted("von_mises")) piece.cell_arrays.push_back({"von_mises", 1, std::move(von_mises), {}});
    if (wanted("deformation_jacobian"))
      piece.cell_arrays.push_back({"deformation_jacobian", 1, std::move(jacobian), {}});
  }
}

void FrameSource::add_rank(FramePiece& piece, int rank) const {
  if (wanted("rank")) piece.cell_arrays.push_back({"rank", 1, std::vector<std::int32_t>(piece.cells(), rank), {}});
}

}  // namespace unbarred
