#include "dynamics/elastic/hessian_choice.hpp"

#include <algorithm>

#include "dynamics/bodies/body_kernels.hpp"
#include "linear/linear_kernels.hpp"

namespace unbarred {

static std::vector<std::int32_t> bodies_of_owned(const LocalMesh& mesh) {
  return {mesh.vertex_body.begin(), mesh.vertex_body.begin() + mesh.map.owned()};
}

static std::vector<std::int32_t> bodies_of_tetrahedra(const LocalMesh& mesh) {
  std::vector<std::int32_t> bodies;
  bodies.reserve(mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) bodies.push_back(mesh.vertex_body[static_cast<std::size_t>(t[0])]);
  return bodies;
}

HessianChoice::HessianChoice(const Communicator& communicator, const LocalMesh& mesh)
    : communicator_(communicator),
      bodies_(mesh.scene_body.size()),
      vertices_(bodies_of_owned(mesh), bodies_),
      projected_(bodies_, 0),
      flags_(DeviceArray<std::uint8_t>::zeros(static_cast<std::int64_t>(mesh.tetrahedra.size()))),
      of_vertex_(mesh.map.owned()),
      image_(mesh.map.owned()) {
  tetrahedron_body_.assign_host(bodies_of_tetrahedra(mesh));
}

void HessianChoice::begin_iteration(View<const AxisMask> fixed) {
  fixed_ = fixed;
  failures_ = 0;
  if (!some_) return;
  some_ = false;
  std::ranges::fill(projected_, 0);
  marks_.assign_host(projected_);
  spread_marks(tetrahedron_body_.view(), marks_.view(), flags_.view());
}

bool HessianChoice::project(const std::vector<std::uint8_t>& bodies) {
  bool more = false;
  for (std::size_t b = 0; b < bodies_; ++b) {
    more |= bodies[b] != 0 && projected_[b] == 0;
    projected_[b] |= bodies[b];
  }
  if (!more) return false;
  some_ = true;
  marks_.assign_host(projected_);
  spread_marks(tetrahedron_body_.view(), marks_.view(), flags_.view());
  return true;
}

bool HessianChoice::project_bad_blocks(const BlockMatrix& matrix) {
  const Real bad = communicator_.sum(mark_indefinite_blocks(matrix, fixed_, of_vertex_.view()));
  if (bad == 0) return false;
  std::vector<Real> counts = vertices_.of(of_vertex_.view());
  communicator_.sum(std::span<Real>(counts));
  std::vector<std::uint8_t> bodies;
  for (const Real count : counts) bodies.push_back(count > 0 ? 1 : 0);
  return project(bodies);
}

// Contact adds nothing negative, and no element joins two bodies: so some body bends down by itself.
std::vector<std::uint8_t> HessianChoice::bent_down(const Field& d, const BlockMatrix& matrix) {
  multiply_and_dot(matrix, fixed_, 0, matrix.rows(), d.local(), image_.view());
  free_products(fixed_, d.owned(), image_.view(), of_vertex_.view());
  std::vector<Real> curvatures = vertices_.of(of_vertex_.view());
  communicator_.sum(std::span<Real>(curvatures));
  std::vector<std::uint8_t> bodies;
  for (const Real curvature : curvatures) bodies.push_back(curvature < 0 ? 1 : 0);
  return bodies;
}

bool HessianChoice::project_after(const SolveReport& report, const BlockMatrix& matrix) {
  constexpr int most_failures = 2;
  if (report.reason == SolveReason::converged || report.reason == SolveReason::iteration_limit) {
    failures_ = 0;
    return false;
  }
  ++failures_;
  if (report.negative && failures_ <= most_failures && project(bent_down(*report.negative, matrix))) return true;
  return project(std::vector<std::uint8_t>(bodies_, 1));
}

}  // namespace unbarred
