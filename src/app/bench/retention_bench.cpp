// `unbarred bench retention`: how much of a motion the lazy filter keeps, against one fraction for all.
//
// Clouds of separate triangles and motions as in the table of the divide-and-truncate paper (10 x 3,000 triangles,
// random displacements without and with rotations); the paper does not tell its density and speeds, so ours are
// printed.
#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <random>

#include "app/bench/bench.hpp"
#include "app/bench/bench_surface.hpp"
#include "audit/triangle_intersection.hpp"
#include "contact/filter/step_filter.hpp"
#include "contact/search/broad_phase.hpp"

namespace unbarred {

namespace {

constexpr int meshes = 10, triangles = 3000;
constexpr Real edge = 0.05;  ///< largest coordinate difference of a corner from its triangle's center, m
constexpr Real speed = 0.1;  ///< largest displacement along an axis, m
constexpr Real minimum_gap = 1e-6;

using Cloud = std::vector<exact::Corners>;

/// In the unit cube; no triangle meets another one. The same on every rank.
Cloud random_cloud(int seed) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
  const auto vector = [&](Real low, Real high) {
    std::uniform_real_distribution<Real> any(low, high);
    Vec3 v;
    for (int k = 0; k < 3; ++k) v[k] = any(engine);
    return v;
  };
  Cloud cloud;
  while (static_cast<int>(cloud.size()) < triangles) {
    const Vec3 center = vector(0, 1);
    exact::Corners corners;
    for (Vec3& corner : corners) corner = center + vector(-edge, edge);
    const auto meets = [&](const exact::Corners& other) {
      return squared_norm(corners[0] - other[0]) < 50 * edge * edge &&
             exact::triangle_triangle(corners, other, 0) != exact::Relation::apart;
    };
    if (std::none_of(cloud.begin(), cloud.end(), meets)) cloud.push_back(corners);
  }
  return cloud;
}

BlockMesh blocks_of(const Cloud& cloud, const Communicator& world) {
  BlockMesh mesh;
  mesh.vertices = {3 * triangles, world.size()};
  mesh.tetrahedra = {0, world.size()};
  mesh.triangles = {triangles, world.size()};
  for (GlobalIndex v = mesh.vertices.begin(world.rank()); v < mesh.vertices.end(world.rank()); ++v) {
    mesh.positions.push_back(cloud[static_cast<std::size_t>(v / 3)][static_cast<std::size_t>(v % 3)]);
    mesh.vertex_body.push_back(static_cast<std::int32_t>(v / 3));
  }
  for (GlobalIndex t = mesh.triangles.begin(world.rank()); t < mesh.triangles.end(world.rank()); ++t)
    mesh.surface.push_back({{3 * t, 3 * t + 1, 3 * t + 2}});
  return mesh;
}

/// Rotation of v about a random axis through a random angle (Rodrigues).
Vec3 turned(const Vec3& v, GlobalIndex triangle, int draw) {
  Vec3 axis{{noise(triangle, 7 * draw + 3), noise(triangle, 7 * draw + 4), noise(triangle, 7 * draw + 5)}};
  axis = (1 / std::sqrt(squared_norm(axis) + 1e-30)) * axis;
  const Real angle = std::numbers::pi * noise(triangle, 7 * draw + 6);
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + (1 - std::cos(angle)) * dot(axis, v) * axis;
}

Vec3 moved(const Cloud& cloud, const Vec3& x, GlobalIndex id, int draw, bool rotating) {
  const GlobalIndex triangle = id / 3;
  const auto& corners = cloud[static_cast<std::size_t>(triangle)];
  const Vec3 center = (1.0 / 3) * (corners[0] + corners[1] + corners[2]);
  const Vec3 shift{{noise(triangle, 7 * draw), noise(triangle, 7 * draw + 1), noise(triangle, 7 * draw + 2)}};
  return (rotating ? center + turned(x - center, triangle, draw) : x) + speed * shift;
}

/// Of every vertex and draw on this rank.
struct Retained {
  std::vector<Real> lazy, ratio;
  Real global = 0;  ///< sum over draws
  std::int64_t draws = 0, fallbacks = 0, passes = 0;
};

void add_draw(BenchSurface& surface, Real largest_slack, Retained& retained) {
  const auto broad_phase = make_broad_phase({});
  const auto global = make_global_filter(), lazy = make_lazy_filter();
  const FilterOptions options{.minimum_gap = minimum_gap, .largest_slack = largest_slack};
  const Real one = global->filter(surface.collision_mesh(), *broad_phase, options).least_fraction;
  const FilterReport report = lazy->filter(surface.collision_mesh(), *broad_phase, options);
  const auto owned = static_cast<std::size_t>(surface.map().owned());
  std::vector<Real> fractions(owned);
  if (owned > 0) memory::copy_to_host(fractions.data(), lazy->fractions().data(), owned * sizeof(Real));
  for (const Real fraction : fractions) {
    retained.lazy.push_back(fraction);
    retained.ratio.push_back(one > 0 ? fraction / one : 1e300);
  }
  retained.global += one;
  retained.fallbacks += report.fell_back;
  retained.passes += report.passes;
  ++retained.draws;
}

struct Statistics {
  Real mean, median, high;
};

/// Over all ranks, on the root. @note Collective
Statistics statistics(const Communicator& world, const std::vector<Real>& values) {
  std::vector<int> counts(static_cast<std::size_t>(world.size()), 0);
  counts[0] = static_cast<int>(values.size());
  std::vector<Real> all = world.exchange<Real>(values, counts);
  if (all.empty()) return {};
  Real sum = 0;
  for (const Real value : all) sum += value;
  std::sort(all.begin(), all.end());
  return {sum / static_cast<Real>(all.size()), all[all.size() / 2], all[all.size() * 9 / 10]};
}

void print_motion(const Communicator& world, const char* motion, const Retained& retained) {
  const Statistics lazy = statistics(world, retained.lazy), ratio = statistics(world, retained.ratio);
  if (!world.is_root()) return;
  const Real draws = static_cast<Real>(retained.draws);
  fmt::print("{:<18} lazy keeps    mean {:.4f}  median {:.4f}  90th percentile {:.4f}; {:.2f} passes, {} fallbacks\n",
             motion, lazy.mean, lazy.median, lazy.high, static_cast<Real>(retained.passes) / draws, retained.fallbacks);
  fmt::print("{:<18} lazy / global mean {:.1f}  median {:.1f}  90th percentile {:.1f}; global keeps mean {:.5f}\n", "",
             ratio.mean, ratio.median, ratio.high, retained.global / draws);
}

}  // namespace

void bench_retention(const Communicator& world, int draws) {
  if (world.is_root())
    fmt::print(
        "{}{} clouds of {} triangles in the unit cube, corners within {} m of a center, displacements within {} m "
        "along each axis, {} draws each\n",
        bench_heading("retention", world.size()), meshes, triangles, edge, speed, draws);
  constexpr Real unlimited = 1e300, tenth_of_offset = 10 * minimum_gap;
  Retained retained[2], limited[2];
  for (int mesh = 0; mesh < meshes; ++mesh) {
    const Cloud cloud = random_cloud(mesh);
    BenchSurface surface(blocks_of(cloud, world), world);
    for (int draw = 0; draw < draws; ++draw)
      for (const bool rotating : {false, true}) {
        surface.set_motion([](const Vec3& x, GlobalIndex) { return x; },
                           [&](const Vec3& x, GlobalIndex id) { return moved(cloud, x, id, draw, rotating); });
        add_draw(surface, unlimited, retained[rotating]);
        add_draw(surface, tenth_of_offset, limited[rotating]);
      }
  }
  print_motion(world, "linear", retained[0]);
  print_motion(world, "rotation + linear", retained[1]);
  if (world.is_root()) fmt::print("with the slack of CCD limited to a tenth of the contact offset:\n");
  print_motion(world, "linear", limited[0]);
  print_motion(world, "rotation + linear", limited[1]);
}

}  // namespace unbarred
