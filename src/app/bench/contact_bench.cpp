// `unbarred bench contact`: trees, searches, narrow phase and whole step filters on spheres that press on each other.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "app/bench/bench.hpp"
#include "app/bench/bench_surface.hpp"
#include "contact/filter/step_filter.hpp"
#include "contact/search/box_kernels.hpp"
#include "contact/search/broad_phase.hpp"
#include "contact/search/bvh.hpp"
#include "contact/search/exclusion.hpp"
#include "contact/search/pair_search.hpp"

namespace unbarred {

namespace {

constexpr int spheres_a_side = 3;
constexpr int spheres = spheres_a_side * spheres_a_side * spheres_a_side;
constexpr Real offset = 1e-3, gap = 0.5 * offset, minimum_gap = 0.01 * offset;

/// Spheres of diameter 1 in a cubic lattice, half a contact offset apart: `rings` circles of 2 rings vertices between
/// two poles, 4 rings^2 triangles. Every vertex and triangle follows from its number.
struct SphereLattice {
  GlobalIndex rings;

  GlobalIndex around() const { return 2 * rings; }
  GlobalIndex vertices_each() const { return rings * around() + 2; }
  GlobalIndex triangles_each() const { return 2 * around() + 2 * (rings - 1) * around(); }

  Vec3 center(GlobalIndex sphere) const {
    const GlobalIndex n = spheres_a_side;
    return (1 + gap) * Vec3{{Real(sphere % n), Real(sphere / n % n), Real(sphere / (n * n))}};
  }
  Vec3 position(GlobalIndex vertex) const {
    const GlobalIndex sphere = vertex / vertices_each(), v = vertex % vertices_each();
    Vec3 x{{0, 0, v == vertices_each() - 1 ? -0.5 : 0.5}};
    if (v < rings * around()) {
      const Real latitude = std::numbers::pi * Real(v / around() + 1) / Real(rings + 1);
      const Real longitude = std::numbers::pi * Real(v % around()) / Real(rings);
      x = 0.5 * Vec3{{std::sin(latitude) * std::cos(longitude), std::sin(latitude) * std::sin(longitude),
                      std::cos(latitude)}};
    }
    return center(sphere) + x;
  }
  GlobalTriangle triangle(GlobalIndex number) const {
    const GlobalIndex first = number / triangles_each() * vertices_each(), t = number % triangles_each();
    const auto vertex = [&](GlobalIndex ring, GlobalIndex k) { return first + ring * around() + k % around(); };
    const GlobalIndex top = first + rings * around(), caps = 2 * around();
    if (t < around()) return {{top, vertex(0, t), vertex(0, t + 1)}};
    if (t < caps) return {{top + 1, vertex(rings - 1, t + 1), vertex(rings - 1, t)}};
    const GlobalIndex quad = (t - caps) / 2, ring = quad / around(), k = quad % around();
    if (t % 2 == 0) return {{vertex(ring, k), vertex(ring + 1, k), vertex(ring + 1, k + 1)}};
    return {{vertex(ring, k), vertex(ring + 1, k + 1), vertex(ring, k + 1)}};
  }

  BlockMesh blocks(const Communicator& world) const {
    BlockMesh mesh;
    mesh.vertices = {spheres * vertices_each(), world.size()};
    mesh.tetrahedra = {0, world.size()};
    mesh.triangles = {spheres * triangles_each(), world.size()};
    for (GlobalIndex v = mesh.vertices.begin(world.rank()); v < mesh.vertices.end(world.rank()); ++v) {
      mesh.positions.push_back(position(v));
      mesh.vertex_body.push_back(static_cast<std::int32_t>(v / vertices_each()));
    }
    for (GlobalIndex t = mesh.triangles.begin(world.rank()); t < mesh.triangles.end(world.rank()); ++t)
      mesh.surface.push_back(triangle(t));
    return mesh;
  }
};

/// Everything shrinks towards the middle by two contact offsets a sphere, which presses each into its neighbors, and
/// vertices jitter by a tenth of an offset.
Vec3 pressed(const Vec3& x, GlobalIndex id, const SphereLattice& lattice) {
  const Vec3 middle = 0.5 * (lattice.center(0) + lattice.center(spheres - 1));
  const Vec3 jitter{{noise(id, 0), noise(id, 1), noise(id, 2)}};
  const Vec3 center = lattice.center(id / lattice.vertices_each());
  return x - 2 * offset * (center - middle) + 0.1 * offset * jitter;
}

/// Trees of one rank's primitives, without anybody else.
struct LocalTrees {
  const CollisionMesh& mesh;
  DeviceArray<Box> boxes[3];
  Bvh vertices, edges, triangles;
  PairSearch search;

  explicit LocalTrees(const CollisionMesh& collision_mesh) : mesh(collision_mesh) {}
  template <int N>
  void make_boxes(const DeviceArray<Primitive<N>>& primitives) {
    boxes[N - 1].resize_discard(primitives.size());
    swept_boxes<N>(primitives.view(), mesh.start(), mesh.target(), {{0, 0, 0}}, 0.75 * minimum_gap,
                   boxes[N - 1].view());
  }
  void make_boxes() {
    make_boxes(mesh.own().vertices);
    make_boxes(mesh.own().edges);
    make_boxes(mesh.own().triangles);
  }
  void build() {
    vertices.build(boxes[0].view());
    edges.build(boxes[1].view());
    triangles.build(boxes[2].view());
  }
  void refit() {
    vertices.refit(boxes[0].view());
    edges.refit(boxes[1].view());
    triangles.refit(boxes[2].view());
  }
  std::int64_t query() {
    const PairRules rules{.body = mesh.body(), .excluded = {}, .prescribed = mesh.prescribed()};
    const auto& set = mesh.own();
    const AdmitsVertexTriangle apart{.first = set.vertices.view(), .second = set.triangles.view(), .rules = rules};
    const AdmitsEdges edges_apart{.first = set.edges.view(), .second = set.edges.view(), .rules = rules};
    const std::int64_t found = search.between(vertices, triangles, apart).size();
    return found + search.within(edges, edges_apart).size();
  }
};

struct Printer {
  bool root;
  void line(const char* what, double seconds, double count, const char* unit) const {
    if (root) fmt::print("{:<30} {:>10.3f} ms  {:>10.2f} M {}/s\n", what, 1e3 * seconds, count / seconds / 1e6, unit);
  }
};

void bench_trees(const Communicator& world, const CollisionMesh& mesh, const Printer& print) {
  LocalTrees trees(mesh);
  const double boxes = seconds_of(world, [&] { trees.make_boxes(); });
  const double build = seconds_of(world, [&] { trees.build(); });
  const double refit = seconds_of(world, [&] { trees.refit(); });
  std::int64_t found = 0;
  const double query = seconds_of(world, [&] { found = trees.query(); });
  const auto& set = mesh.own();
  const double count = static_cast<double>(world.sum(set.vertices.size() + set.edges.size() + set.triangles.size()));
  const double queries = static_cast<double>(world.sum(set.vertices.size() + set.edges.size()));
  const double pairs = static_cast<double>(world.sum(found));
  print.line("swept boxes", boxes, count, "boxes");
  print.line("build", build, count, "boxes");
  print.line("refit", refit, count, "boxes");
  print.line("query, within ranks", query, queries, "boxes");
  print.line("query, within ranks", query, pairs, "pairs");
}

void bench_filters(const Communicator& world, CollisionMesh& mesh, const BenchSurface::Place& start,
                   const BenchSurface::Place& target, BenchSurface& surface, const Printer& print) {
  const auto broad_phase = make_broad_phase({});
  // Each search starts from a mesh without received primitives, as in a run; that is not timed.
  double find = 0;
  const double with_reset = seconds_of(world, [&] {
    surface.set_motion(start, target);
    world.barrier();
    const double begin = wall_seconds();
    broad_phase->find(mesh, 0.75 * minimum_gap);
    memory::synchronize("bench");
    find = wall_seconds() - begin;
  });
  (void)with_reset;
  find = world.max(find);
  const Traffic traffic = mesh.traffic();
  const double candidates = static_cast<double>(world.sum(broad_phase->candidates().size()));
  print.line("broad phase, all ranks", find, candidates, "pairs");
  DeviceArray<Real> times(broad_phase->candidates().size());
  DeviceArray<CandidateState> states(times.size());
  const PairMotion motion{mesh.start(), mesh.target(), minimum_gap, 0.1, 1e300};
  const double narrow = seconds_of(world, [&] {
    first_impacts(broad_phase->candidates().view(), broad_phase->sieve(), motion, times.view(), states.view());
  });
  print.line("narrow phase", narrow, candidates, "queries");
  const auto held = mesh.exchange().held(), asked = mesh.exchange().asked_for();
  for (const auto& filter : {make_global_filter(), make_lazy_filter()}) {
    surface.set_motion(start, target);
    world.barrier();
    const double begin = wall_seconds();
    const FilterReport report = filter->filter(mesh, *broad_phase, {.minimum_gap = minimum_gap});
    const double seconds = world.max(wall_seconds() - begin);
    if (print.root)
      fmt::print("{:<30} {:>10.3f} ms  {} candidates, {} hits, {} planes, {} passes, fractions {:.3g} mean {:.4f}\n",
                 std::string(filter->name()) + " filter", 1e3 * seconds, report.candidates, report.hits, report.planes,
                 report.passes, report.least_fraction, report.mean_fraction);
  }
  const std::int64_t messages = world.sum(traffic.messages), bytes = world.sum(traffic.bytes);
  const std::int64_t sent = world.sum(traffic.primitives);
  const std::int64_t pass_messages = world.sum(held.peers + asked.peers);
  const std::int64_t pass_bytes = 8 * world.sum(held.vertices + asked.vertices);
  if (print.root)
    fmt::print("messages: broad phase {} ({} bytes, {} primitives), lazy pass {} ({} bytes), all ranks together\n",
               messages, bytes, sent, pass_messages, pass_bytes);
}

}  // namespace

void bench_contact(const Communicator& world, std::int64_t triangles) {
  const SphereLattice lattice{std::max<GlobalIndex>(
      2, static_cast<GlobalIndex>(std::lround(std::sqrt(static_cast<Real>(triangles) / (4.0 * spheres)))))};
  BenchSurface surface(lattice.blocks(world), world);
  const BenchSurface::Place start = [](const Vec3& x, GlobalIndex) { return x; };
  const BenchSurface::Place target = [&](const Vec3& x, GlobalIndex id) { return pressed(x, id, lattice); };
  surface.set_motion(start, target);
  const Printer print{world.is_root()};
  if (print.root)
    fmt::print("{}{} triangles, {} edges, {} vertices, {} spheres, median of {}\n",
               bench_heading("contact", world.size()), surface.counts().triangles, surface.counts().edges,
               surface.counts().vertices, spheres, bench_repetitions);
  bench_trees(world, surface.collision_mesh(), print);
  bench_filters(world, surface.collision_mesh(), start, target, surface, print);
}

}  // namespace unbarred
