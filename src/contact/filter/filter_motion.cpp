#include "contact/filter/filter_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/search/exclusion.hpp"
#include "partitioning/partitioner.hpp"
#include "partitioning/range_exchange.hpp"

namespace unbarred {

namespace {

constexpr Real gap_of_diagonal = 1e-6;

/// Also far from overflow: differences and products of coordinates must be finite, too.
bool is_finite(const Vec3& x) {
  constexpr Real most = 1e100;
  return std::abs(x[0]) < most && std::abs(x[1]) < most && std::abs(x[2]) < most;
}

Error wrong(const std::string& message) { return bad_input({}, "motion filter: " + message); }

void check_finite(std::span<const Vec3> vectors, const char* what) {
  const auto bad = std::find_if_not(vectors.begin(), vectors.end(), is_finite);
  if (bad != vectors.end())
    throw wrong(std::string(what) + " " + std::to_string(bad - vectors.begin()) + " is not finite, or beyond 1e100");
}

template <class Element>
void check_corners(std::span<const Element> elements, GlobalIndex vertices, const std::string& what) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    auto v = std::to_array(elements[e].v);
    std::sort(v.begin(), v.end());
    if (v.front() < 0 || v.back() >= vertices)
      throw wrong(what + " " + std::to_string(e) + " has a vertex that is not there");
    if (std::adjacent_find(v.begin(), v.end()) != v.end())
      throw wrong(what + " " + std::to_string(e) + " has a vertex twice");
  }
}

/// Parts of any size, in rank order, as blocks over the ranks.
template <class T>
std::vector<T> in_blocks(std::span<const T> part, BlockDistribution& blocks, const Communicator& communicator) {
  blocks = {communicator.sum(static_cast<GlobalIndex>(part.size())), communicator.size()};
  return gather_range(communicator, std::vector<T>(part.begin(), part.end()), blocks.begin(communicator.rank()),
                      blocks.end(communicator.rank()));
}

LocalMesh distributed(const MotionMesh& mesh, const Communicator& communicator) {
  const GlobalIndex vertices = communicator.sum(static_cast<GlobalIndex>(mesh.positions.size()));
  communicator.agree([&] {
    if (!mesh.vertex_body.empty() && mesh.vertex_body.size() != mesh.positions.size())
      throw wrong(std::to_string(mesh.vertex_body.size()) + " bodies for " + std::to_string(mesh.positions.size()) +
                  " vertices");
    check_finite(mesh.positions, "position");
    check_corners(mesh.triangles, vertices, "triangle");
    check_corners(mesh.tetrahedra, vertices, "tetrahedron");
  });
  std::vector<std::int32_t> body(mesh.vertex_body.begin(), mesh.vertex_body.end());
  body.resize(mesh.positions.size(), 0);
  BlockMesh blocks;
  blocks.positions = in_blocks(mesh.positions, blocks.vertices, communicator);
  blocks.vertex_body = in_blocks(std::span<const std::int32_t>(body), blocks.vertices, communicator);
  blocks.connectivity = in_blocks(mesh.tetrahedra, blocks.tetrahedra, communicator);
  blocks.material.assign(blocks.connectivity.size(), 0);
  blocks.surface = in_blocks(mesh.triangles, blocks.triangles, communicator);
  const std::vector<int> owners = make_graph_partitioner()->owners(communicator, blocks);
  return distribute(std::move(blocks), owners, communicator);
}

Real diagonal_of_box(std::span<const Vec3> positions, const Communicator& communicator) {
  constexpr Real most = std::numeric_limits<Real>::max();
  std::array<Real, 3> lower{most, most, most}, upper{-most, -most, -most};
  for (const Vec3& x : positions)
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], x[static_cast<int>(i)]);
      upper[i] = std::max(upper[i], x[static_cast<int>(i)]);
    }
  communicator.min(std::span<Real>(lower));
  communicator.max(std::span<Real>(upper));
  if (lower[0] > upper[0]) return 0;  // no vertices
  return std::hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
}

Real length(const Vec3& x) { return std::hypot(x[0], x[1], x[2]); }

void set_local(Field& field, const std::vector<Vec3>& values) {
  memory::copy_to_device(field.write_local().data(), values.data(), values.size() * sizeof(Vec3));
}

}  // namespace

MotionFilter::MotionFilter(const MotionMesh& mesh, const Communicator& communicator, const Options& options)
    : communicator_(communicator),
      options_(options),
      part_ids_(mesh.positions.size()),
      mesh_(distributed(mesh, communicator)),
      surface_(build_surface(mesh_, communicator)),
      gap_(options.gap.value_or(gap_of_diagonal * diagonal_of_box(mesh.positions, communicator))),
      transport_(make_transport(communicator)),
      filter_(make_step_filter(options.kind)),
      start_(mesh_.map),
      target_(mesh_.map) {
  std::iota(part_ids_.begin(), part_ids_.end(), communicator.exclusive_sum(static_cast<GlobalIndex>(part_ids_.size())));
  communicator_.agree([&] {
    if (!(gap_ >= 0 && std::isfinite(gap_))) throw wrong("the gap must be a finite length of at least 0");
  });
  BroadPhaseOptions search;
  for (const auto& [a, b] : options.excluded_bodies) search.excluded_bodies.push_back(body_pair_key(a, b));
  std::sort(search.excluded_bodies.begin(), search.excluded_bodies.end());
  broad_phase_ = make_broad_phase(search);
  collision_ = std::make_unique<CollisionMesh>(communicator_, mesh_.map, *transport_, surface_,
                                               std::vector<std::uint8_t>(mesh_.rest_positions.size(), 0));
  if (options.make_guard) guard_ = options.make_guard(mesh_);
}

std::vector<Vec3> MotionFilter::to_local(std::span<const Vec3> part, const char* what) const {
  communicator_.agree([&] {
    if (part.size() != part_ids_.size())
      throw wrong(std::to_string(part.size()) + " " + what + "s for " + std::to_string(part_ids_.size()) + " vertices");
    check_finite(part, what);
  });
  std::vector<Real> rows;
  rows.reserve(3 * part.size());
  for (const Vec3& x : part) rows.insert(rows.end(), x.x, x.x + 3);
  const std::vector<Real> fetched =
      fetch_rows(communicator_, mesh_.map.global_size(), part_ids_, rows, 3, mesh_.map.global_ids());
  std::vector<Vec3> local(mesh_.rest_positions.size());
  for (std::size_t v = 0; v < local.size(); ++v) local[v] = {{fetched[3 * v], fetched[3 * v + 1], fetched[3 * v + 2]}};
  return local;
}

std::vector<Real> MotionFilter::to_part(const std::vector<Real>& owned) const {
  const std::vector<GlobalIndex>& ids = mesh_.map.global_ids();
  return fetch_rows(communicator_, mesh_.map.global_size(), {ids.begin(), ids.begin() + mesh_.map.owned()}, owned, 1,
                    part_ids_);
}

MotionFilter::Result MotionFilter::filter(std::span<const Vec3> positions, std::span<const Vec3> displacements) {
  const std::vector<Vec3> start = to_local(positions, "position");
  std::vector<Vec3> target = to_local(displacements, "displacement");
  for (std::size_t v = 0; v < target.size(); ++v) target[v] = start[v] + target[v];
  communicator_.agree([&] { check_finite(target, "position plus displacement of vertex"); });
  set_local(start_, start);
  set_local(target_, target);
  collision_->set_motion(start_, target_);
  broad_phase_->begin_step();

  Result result;
  FilterOptions options;
  options.minimum_gap = gap_;
  options.guard = guard_.get();
  result.report = filter_->filter(*collision_, *broad_phase_, options);
  std::vector<Real> owned(static_cast<std::size_t>(mesh_.map.owned()));
  if (!owned.empty()) memory::copy_to_host(owned.data(), filter_->fractions().data(), owned.size() * sizeof(Real));
  result.fractions = to_part(owned);
  Real wanted = 0, kept = 0;
  for (std::size_t v = 0; v < displacements.size(); ++v) {
    result.displacements.push_back(result.fractions[v] * displacements[v]);
    wanted += length(displacements[v]);
    kept += length(result.displacements[v]);
  }
  wanted = communicator_.sum(wanted);
  kept = communicator_.sum(kept);
  result.retained = wanted > 0 ? kept / wanted : 1;
  return result;
}

DistributedAuditReport MotionFilter::audit(std::span<const Vec3> positions) const {
  AuditOptions options;
  options.excluded_bodies = options_.excluded_bodies;
  return MeshAudit(mesh_, communicator_, options).of(to_local(positions, "position"));
}

}  // namespace unbarred
