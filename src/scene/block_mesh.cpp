// All bodies and obstacles of a scene as one block-distributed mesh. Each source is read once, in blocks over the
// ranks; a second exchange hands out the copies, so that a body repeated a thousand times costs one reading.
#include <cmath>
#include <limits>

#include "scene/placement.hpp"
#include "scene/tetrahedra_source.hpp"

namespace unbarred {

namespace {

/// Where the copies of one body, or one obstacle, lie in the global numbers.
struct BodyRange {
  std::int32_t first_body = 0;  ///< body number of the first copy
  GlobalIndex copies = 1;
  GlobalIndex first_vertex = 0, vertices = 0;   ///< vertices: of one copy
  GlobalIndex first_element = 0, elements = 0;  ///< tetrahedra of bodies, triangles of obstacles; of one copy
};

struct Range {
  GlobalIndex begin = 0, end = 0;
  GlobalIndex size() const { return end > begin ? end - begin : 0; }
};

Range intersection(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// Calls visit(copy, range of items inside the copy) for the copies that `wanted` (items of the body, counted
/// through all copies) meets, restricted to `held`.
template <class Visit>
void for_each_piece(const Range& wanted, const Range& held, GlobalIndex size, Visit&& visit) {
  if (wanted.size() == 0 || held.size() == 0) return;
  for (GlobalIndex copy = wanted.begin / size; copy * size < wanted.end; ++copy) {
    const Range piece = intersection({wanted.begin - copy * size, wanted.end - copy * size}, held);
    if (piece.size() > 0) visit(copy, piece);
  }
}

/// Splitmix64's finalizer: every bit of the input changes about half of the output's.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Uniform in [-1, 1), a function of its arguments alone: the same on any rank.
Real random_unit(std::uint64_t seed, GlobalIndex copy, int axis) {
  const std::uint64_t bits = mixed(mixed(mixed(seed) + static_cast<std::uint64_t>(copy)) + static_cast<unsigned>(axis));
  return static_cast<Real>(bits >> 11) * 0x1.0p-52 - 1;
}

Vec3 shift_of_copy(const Placement& place, const RepeatSpec& repeat, GlobalIndex copy) {
  Vec3 shift = place.translate;
  GlobalIndex rest = copy;
  for (int axis = 0; axis < 3; ++axis) {
    const int count = repeat.count[static_cast<std::size_t>(axis)];
    shift[axis] += static_cast<Real>(rest % count) * repeat.spacing[axis];
    shift[axis] += repeat.jitter * random_unit(repeat.seed, copy, axis);
    rest /= count;
  }
  return shift;
}

/// Of the body's items (all copies in a row), this rank wants `wanted` and holds `items`, the block of the first
/// copy that BlockDistribution gives it. place(copy, number in the copy, index in wanted, item) gets every one.
/// @note Collective
template <class T, class Put>
void hand_out_copies(const Communicator& communicator, const std::vector<T>& items, GlobalIndex size,
                     const Range& wanted, Put&& put) {
  const BlockDistribution blocks{size, communicator.size()};
  const auto held_by = [&](int rank) { return Range{blocks.begin(rank), blocks.end(rank)}; };
  const Range held = held_by(communicator.rank());
  const std::vector<Range> everybody = communicator.all_gather(wanted);
  std::vector<T> outgoing;
  std::vector<int> counts(static_cast<std::size_t>(communicator.size()), 0);
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const std::size_t before = outgoing.size();
    for_each_piece(everybody[rank], held, size, [&](GlobalIndex, const Range& piece) {
      outgoing.insert(outgoing.end(), items.begin() + (piece.begin - held.begin),
                      items.begin() + (piece.end - held.begin));
    });
    counts[rank] = static_cast<int>(outgoing.size() - before);
  }
  const std::vector<T> arrived = communicator.exchange<T>(outgoing, counts);
  auto next = arrived.begin();
  for (int rank = 0; rank < communicator.size(); ++rank)
    for_each_piece(wanted, held_by(rank), size, [&](GlobalIndex copy, const Range& piece) {
      for (GlobalIndex i = piece.begin; i < piece.end; ++i)
        put(copy, static_cast<std::size_t>(copy * size + i - wanted.begin), *next++);
    });
}

/// What the bodies and obstacles laid out so far take.
struct Totals {
  GlobalIndex bodies = 0, vertices = 0, tetrahedra = 0, triangles = 0;

  /// The next range, `elements` counted in `total`; throws when bodies can no longer be numbered.
  BodyRange add(const std::string& what, const MeshSpec& spec, GlobalIndex copies, GlobalIndex of_vertices,
                GlobalIndex elements, GlobalIndex& total) {
    const BodyRange range{static_cast<std::int32_t>(bodies), copies, vertices, of_vertices, total, elements};
    bodies += copies;
    vertices += copies * of_vertices;
    total += copies * elements;
    if (bodies > std::numeric_limits<std::int32_t>::max())
      throw bad_input(spec.place, what + ": more than 2^31 bodies; lower repeat.count");
    return range;
  }
};

void append_vertices(const BodyRange& range, const Placement& place, const RepeatSpec& repeat,
                     const VertexSource& source, const Communicator& communicator, BlockMesh& mesh) {
  const int rank = communicator.rank();
  const BlockDistribution blocks{range.vertices, communicator.size()};
  const std::vector<Vec3> own = source.vertices(communicator, blocks.begin(rank), blocks.end(rank));
  const Range all{0, range.copies * range.vertices};
  const Range wanted =
      intersection({mesh.vertices.begin(rank) - range.first_vertex, mesh.vertices.end(rank) - range.first_vertex}, all);
  const std::size_t at = mesh.positions.size();
  mesh.positions.resize(at + static_cast<std::size_t>(wanted.size()));
  mesh.vertex_body.resize(mesh.positions.size());
  const Mat3 turn = rotation(place);
  GlobalIndex current = -1;
  Vec3 shift{};
  hand_out_copies(communicator, own, range.vertices, wanted, [&](GlobalIndex copy, std::size_t i, const Vec3& x) {
    if (copy != current) shift = shift_of_copy(place, repeat, current = copy);
    mesh.positions[at + i] = turn * x + shift;
    mesh.vertex_body[at + i] = range.first_body + static_cast<std::int32_t>(copy);
  });
}

/// ask(begin, end) gives elements of the source; `elements` is the part of this rank's block that is there already.
template <class Element, class Ask>
void append_elements(const BodyRange& range, const BlockDistribution& block, Ask&& ask,
                     const Communicator& communicator, std::vector<Element>& elements) {
  const int rank = communicator.rank();
  const BlockDistribution blocks{range.elements, communicator.size()};
  const std::vector<Element> own = ask(blocks.begin(rank), blocks.end(rank));
  const Range all{0, range.copies * range.elements};
  const Range wanted =
      intersection({block.begin(rank) - range.first_element, block.end(rank) - range.first_element}, all);
  const std::size_t at = elements.size();
  elements.resize(at + static_cast<std::size_t>(wanted.size()));
  hand_out_copies(communicator, own, range.elements, wanted, [&](GlobalIndex copy, std::size_t i, Element element) {
    for (GlobalIndex& v : element.v) v += range.first_vertex + copy * range.vertices;
    elements[at + i] = element;
  });
}

}  // namespace

BlockMesh make_block_mesh(const Scene& scene, const std::vector<std::unique_ptr<TetrahedraSource>>& bodies,
                          const std::vector<std::unique_ptr<SurfaceSource>>& obstacles,
                          const Communicator& communicator) {
  Totals totals;
  std::vector<BodyRange> body_ranges, obstacle_ranges;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    const auto& count = body.repeat.count;
    const GlobalIndex copies = GlobalIndex{1} * count[0] * count[1] * count[2];
    body_ranges.push_back(totals.add("body `" + body.name + "`", body.mesh, copies, bodies[b]->vertex_count(),
                                     bodies[b]->tetrahedron_count(), totals.tetrahedra));
  }
  for (std::size_t o = 0; o < obstacles.size(); ++o)
    obstacle_ranges.push_back(totals.add("obstacle `" + scene.obstacles[o].name + "`", scene.obstacles[o].mesh, 1,
                                         obstacles[o]->vertex_count(), obstacles[o]->triangle_count(),
                                         totals.triangles));
  BlockMesh mesh;
  mesh.vertices = {totals.vertices, communicator.size()};
  mesh.tetrahedra = {totals.tetrahedra, communicator.size()};
  mesh.triangles = {totals.triangles, communicator.size()};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    append_vertices(body_ranges[b], body.place, body.repeat, *bodies[b], communicator, mesh);
    append_elements(
        body_ranges[b], mesh.tetrahedra,
        [&](GlobalIndex begin, GlobalIndex end) { return bodies[b]->tetrahedra(communicator, begin, end); },
        communicator, mesh.connectivity);
    mesh.material.resize(mesh.connectivity.size(), static_cast<std::int32_t>(body.material));
  }
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    append_vertices(obstacle_ranges[o], scene.obstacles[o].place, RepeatSpec{}, *obstacles[o], communicator, mesh);
    append_elements(
        obstacle_ranges[o], mesh.triangles,
        [&](GlobalIndex begin, GlobalIndex end) { return obstacles[o]->triangles(communicator, begin, end); },
        communicator, mesh.surface);
  }
  return mesh;
}

}  // namespace unbarred
