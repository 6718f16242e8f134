#pragma once
// Random boxes of awkward kinds, and searches of them as sorted lists.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "contact/search/box_kernels.hpp"
#include "contact/search/brute_force.hpp"
#include "contact/search/pair_search.hpp"
#include "support/random_matrices.hpp"

namespace unbarred::test {

struct Soup {
  std::string name;
  std::vector<Vec3> start, end;
  std::vector<Edge> edges;
  Real margin = 0;
};

inline const std::vector<std::string>& soup_kinds() {
  static const std::vector<std::string> kinds = {"uniform", "clustered", "identical", "points", "collinear", "huge",
                                                 "tiny",    "far",       "nested",    "fast",   "overflow",  "grid"};
  return kinds;
}

/// n edges between 2 n vertices in motion. About ten boxes meet each box, all of them where that is the kind.
inline Soup draw_soup(const std::string& kind, int n, std::uint64_t seed) {
  RandomMatrices random(seed);
  Soup soup;
  soup.name = kind + ", " + std::to_string(n) + " edges, seed " + std::to_string(seed);
  const Real spacing = 1 / std::cbrt(std::max(1, n));
  const Vec3 direction = random.vector();
  Real scale = 1, shift = 0, motion = 0.3 * spacing;
  if (kind == "huge") scale = 1e30;
  if (kind == "tiny") scale = 1e-42;
  if (kind == "far") shift = 1e8;
  if (kind == "overflow") scale = 1e45;
  if (kind == "fast") motion = 3 * spacing;
  for (int i = 0; i < n; ++i) {
    Vec3 center;
    for (int axis = 0; axis < 3; ++axis) center[axis] = random.uniform(-1, 1);
    if (kind == "clustered") center = std::pow(10, -random.uniform(0, 12)) * center;
    if (kind == "identical" || kind == "points") center = {{0.25, 0.5, -0.75}};
    if (kind == "collinear") center = center[0] * direction;
    if (kind == "grid")
      for (int axis = 0; axis < 3; ++axis) center[axis] = spacing * std::floor(center[axis] / spacing);
    const Real size = kind == "nested" ? std::pow(2, -random.uniform(0, 20)) : spacing;
    for (int k = 0; k < 2; ++k) {
      Vec3 offset = size * random.vector(), step = motion * random.vector();
      if (kind == "identical") offset = k == 0 ? Vec3{{0, 0, 0}} : Vec3{{0.5, 0.5, 0.5}};
      if (kind == "points" || kind == "identical") step = {{0, 0, 0}};
      if (kind == "points") offset = {{0, 0, 0}};
      if (kind == "grid") offset = k == 0 ? Vec3{{0, 0, 0}} : Vec3{{spacing, spacing, spacing}}, step = {{0, 0, 0}};
      const Vec3 at = scale * (center + offset) + Vec3{{shift, -shift, shift}};
      soup.start.push_back(at);
      soup.end.push_back(at + scale * step);
    }
    soup.edges.push_back({{static_cast<Index>(2 * i), static_cast<Index>(2 * i + 1)}});
  }
  return soup;
}

template <int N>
DeviceArray<Box> boxes_of(const std::vector<Primitive<N>>& primitives, const std::vector<Vec3>& start,
                          const std::vector<Vec3>& end, Real margin, const Vec3& origin = {{0, 0, 0}}) {
  const DeviceArray<Primitive<N>> p(primitives);
  const DeviceArray<Vec3> from(start), to(end);
  DeviceArray<Box> boxes(p.size());
  swept_boxes<N>(p.view(), from.view(), to.view(), origin, margin, boxes.view());
  return boxes;
}
inline DeviceArray<Box> boxes_of(const Soup& soup) { return boxes_of(soup.edges, soup.start, soup.end, soup.margin); }

using PairList = std::vector<std::pair<Index, Index>>;

inline PairList in_order(const DeviceArray<IndexPair>& pairs) {
  PairList list;
  for (const IndexPair& pair : pairs.to_host()) list.push_back({pair.first, pair.second});
  return list;
}
inline PairList sorted(const DeviceArray<IndexPair>& pairs) {
  PairList list = in_order(pairs);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace unbarred::test
