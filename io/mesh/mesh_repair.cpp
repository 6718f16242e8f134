#include "io/mesh/mesh_repair.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "io/mesh/duplicates.hpp"
#include "io/mesh/mesh_edges.hpp"
#include "io/mesh/mesh_faces.hpp"

namespace unbarred {

namespace {

struct KeyHash {
  std::size_t operator()(const std::array<GlobalIndex, 4>& key) const {
    std::uint64_t h = 0;
    for (const GlobalIndex k : key) h = (h ^ static_cast<std::uint64_t>(k) ^ (h >> 29)) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
  }
};

/// Vertices that stay, in cells as wide as the distance within which others go into them.
class Welder {
 public:
  Welder(const std::vector<Vec3>& positions, Real distance) : positions_(positions), distance_(distance) {}

  /// The vertex that v becomes: an earlier one, or itself.
  GlobalIndex vertex(GlobalIndex v) {
    const Vec3& x = positions_[static_cast<std::size_t>(v)];
    if (distance_ == 0) return cells_.try_emplace(place_key(x), std::vector{v}).first->second.front();
    const std::array<GlobalIndex, 4> home = cell_of(x);
    for (int neighbor = 0; neighbor < 27; ++neighbor) {
      const auto found =
          cells_.find({home[0] + neighbor % 3 - 1, home[1] + neighbor / 3 % 3 - 1, home[2] + neighbor / 9 - 1, 0});
      if (found == cells_.end()) continue;
      for (const GlobalIndex other : found->second)
        if (squared_norm(positions_[static_cast<std::size_t>(other)] - x) <= distance_ * distance_) return other;
    }
    cells_[home].push_back(v);
    return v;
  }

 private:
  std::array<GlobalIndex, 4> cell_of(const Vec3& x) const {
    std::array<GlobalIndex, 4> cell{};
    for (int axis = 0; axis < 3; ++axis)
      cell[static_cast<std::size_t>(axis)] =
          static_cast<GlobalIndex>(std::floor((x[axis] - positions_[0][axis]) / distance_));
    return cell;
  }

  const std::vector<Vec3>& positions_;
  const Real distance_;
  std::unordered_map<std::array<GlobalIndex, 4>, std::vector<GlobalIndex>, KeyHash> cells_;
};

/// Turns the parts of a surface, walking from triangle to triangle over edges that two share.
class SurfaceOrienter {
 public:
  explicit SurfaceOrienter(MeshData& mesh)
      : mesh_(mesh), neighbors_(mesh.elements.size()), visited_(mesh.elements.size()), turn_(mesh.elements.size()) {
    for_each_run(sorted_edges(mesh), [&](const Edge* begin, const Edge* end) {
      if (end - begin != 2) {
        for (const Edge* e = begin; e < end; ++e) open_.insert(e->element);
        return;
      }
      const bool alike = begin[0].forward != begin[1].forward;
      neighbors_[begin[0].element].push_back({begin[1].element, alike});
      neighbors_[begin[1].element].push_back({begin[0].element, alike});
    });
  }

  OrientReport orient() {
    OrientReport report;
    for (std::size_t t = 0; t < mesh_.elements.size(); ++t)
      if (!visited_[t]) orient_part(t, report);
    report.conflicts /= 2;  // each was met from both sides
    for (std::size_t t = 0; t < turn_.size(); ++t)
      if (turn_[t]) std::swap(mesh_.elements[t].v[1], mesh_.elements[t].v[2]), ++report.turned;
    return report;
  }

 private:
  struct Neighbor {
    std::size_t element;
    bool alike;
  };

  void orient_part(std::size_t first, OrientReport& report) {
    std::vector<std::size_t> part{first};
    visited_[first] = true;
    bool closed = true;
    for (std::size_t next = 0; next < part.size(); ++next) {
      const std::size_t t = part[next];
      closed = closed && !open_.contains(t);
      for (const Neighbor& other : neighbors_[t]) {
        const bool turn = other.alike ? turn_[t] : !turn_[t];
        if (visited_[other.element]) {
          if (turn_[other.element] != turn) ++report.conflicts, closed = false;
          continue;
        }
        visited_[other.element] = true;
        turn_[other.element] = turn;
        part.push_back(other.element);
      }
    }
    if (closed && volume_of(part) < 0)
      for (const std::size_t t : part) turn_[t] = !turn_[t];
  }

  Real volume_of(const std::vector<std::size_t>& part) const {
    Real sum = 0;
    const Vec3 origin = mesh_.positions[static_cast<std::size_t>(mesh_.elements[part[0]].v[0])];
    for (const std::size_t t : part) {
      Vec3 x[3];
      for (int i = 0; i < 3; ++i) x[i] = mesh_.positions[static_cast<std::size_t>(mesh_.elements[t].v[i])] - origin;
      const Real volume = dot(x[0], cross(x[1], x[2]));
      sum += turn_[t] ? -volume : volume;
    }
    return sum;
  }

  MeshData& mesh_;
  std::vector<std::vector<Neighbor>> neighbors_;
  std::vector<bool> visited_, turn_;
  std::set<std::size_t> open_;  // with an edge that not exactly two triangles share
};

}  // namespace

Real diagonal_of(const std::vector<Vec3>& positions) {
  if (positions.empty()) return 0;
  Vec3 lower = positions[0], upper = positions[0];
  for (const Vec3& x : positions)
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], x[axis]);
      upper[axis] = std::max(upper[axis], x[axis]);
    }
  return std::sqrt(squared_norm(upper - lower));
}

GlobalIndex drop_unused_vertices(MeshData& mesh) {
  std::vector<GlobalIndex> numbers(mesh.positions.size(), -1);
  const int corners = corners_of(mesh.kind);
  for (const FileElement& element : mesh.elements)
    for (int i = 0; i < corners; ++i) numbers[static_cast<std::size_t>(element.v[i])] = 0;
  GlobalIndex next = 0;
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    if (numbers[v] < 0) continue;
    mesh.positions[static_cast<std::size_t>(next)] = mesh.positions[v];
    mesh.vertex_ids[static_cast<std::size_t>(next)] = mesh.vertex_ids[v];
    numbers[v] = next++;
  }
  const GlobalIndex dropped = static_cast<GlobalIndex>(numbers.size()) - next;
  mesh.positions.resize(static_cast<std::size_t>(next));
  mesh.vertex_ids.resize(static_cast<std::size_t>(next));
  for (FileElement& element : mesh.elements)
    for (int i = 0; i < corners; ++i) element.v[i] = numbers[static_cast<std::size_t>(element.v[i])];
  return dropped;
}

WeldReport weld(MeshData& mesh, Real tolerance) {
  WeldReport report;
  report.unused_vertices = drop_unused_vertices(mesh);
  Welder welder(mesh.positions, tolerance * diagonal_of(mesh.positions));
  std::vector<GlobalIndex> becomes;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) becomes.push_back(welder.vertex(static_cast<GlobalIndex>(v)));
  const int corners = corners_of(mesh.kind);
  std::set<std::array<GlobalIndex, 4>> seen;
  std::erase_if(mesh.elements, [&](FileElement& element) {
    for (int i = 0; i < corners; ++i) element.v[i] = becomes[static_cast<std::size_t>(element.v[i])];
    const std::array<GlobalIndex, 4> key = corner_key(element.v);
    if (std::adjacent_find(key.begin(), key.end()) != key.end()) {
      ++report.collapsed_elements;
      return true;
    }
    const bool duplicate = !seen.insert(key).second;
    report.duplicate_elements += duplicate;
    return duplicate;
  });
  for (std::size_t v = 0; v < becomes.size(); ++v) report.merged_vertices += becomes[v] != static_cast<GlobalIndex>(v);
  report.unused_vertices += drop_unused_vertices(mesh) - report.merged_vertices;
  return report;
}

OrientReport orient(MeshData& mesh) {
  if (mesh.kind == ElementKind::triangles) return SurfaceOrienter(mesh).orient();
  OrientReport report;
  for (FileElement& element : mesh.elements)
    if (six_volumes(mesh, element) < 0) std::swap(element.v[2], element.v[3]), ++report.turned;
  return report;
}

}  // namespace unbarred
