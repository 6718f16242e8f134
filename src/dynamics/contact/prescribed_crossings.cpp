#include "dynamics/contact/prescribed_crossings.hpp"

#include <algorithm>
#include <cstdio>

#include "dynamics/contact/contact_kernels.hpp"

namespace unbarred {

PrescribedCrossings::PrescribedCrossings(const Communicator& communicator, const IndexMap& map, Transport& transport,
                                         const BroadPhaseOptions& search)
    : communicator_(communicator), map_(map), transport_(transport), search_(make_broad_phase(search)) {}

template <int N>
static DeviceArray<Primitive<N>> all_marked(const DeviceArray<Primitive<N>>& primitives,
                                            const std::vector<std::uint8_t>& marks) {
  std::vector<Primitive<N>> chosen;
  for (const Primitive<N>& primitive : primitives.to_host())
    if (std::ranges::all_of(primitive.v, [&](Index v) { return marks[static_cast<std::size_t>(v)] != 0; }))
      chosen.push_back(primitive);
  return DeviceArray<Primitive<N>>(chosen);
}

void PrescribedCrossings::set(const CollisionMesh& mesh, const std::vector<std::uint8_t>& prescribed) {
  Surface surface;
  surface.owned_vertices = all_marked(mesh.own().vertices, prescribed);
  surface.owned_edges = all_marked(mesh.own().edges, prescribed);
  surface.owned_triangles = all_marked(mesh.own().triangles, prescribed);
  surface.body = DeviceArray<std::int32_t>(to_host(mesh.body().part(0, map_.local())));
  // None of its vertices counts as prescribed: their pairs are what is looked for.
  mesh_ = std::make_unique<CollisionMesh>(communicator_, map_, transport_, surface,
                                          std::vector<std::uint8_t>(map_.local(), 0));
}

void PrescribedCrossings::refuse(const Field& x, const Field& target, Real time,
                                 const std::vector<std::string>& body_names) {
  if (!mesh_) return;
  mesh_->set_motion(x, target);
  search_->begin_step();
  const std::optional<BodyPair> local =
      prescribed_crossing(search_->find(*mesh_, 0).view(), mesh_->body(), mesh_->start(), mesh_->target());
  communicator_.agree([&] {
    if (!local) return;
    char at[32];
    std::snprintf(at, sizeof at, "%.6g", time);
    throw Error(ExitCode::bad_input, "in the step after t = " + std::string(at) + " s, prescribed vertices of `" +
                                         body_names.at(local->a) + "` cross prescribed ones of `" +
                                         body_names.at(local->b) +
                                         "`: contact cannot hold what motions move; change the motions, or let the "
                                         "two pass through each other with contact.pairs.none");
  });
}

}  // namespace unbarred
