// Where a vertex goes that has left its triangle.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "contact/pairs/hand_over_kernels.hpp"
#include "core/device_array.hpp"

namespace unbarred {
namespace {

/// A vertex at (along, height, 0) held by a triangle to the left of an edge (the z axis), with another one to its right
/// that ends at (1, rise, 0).
Successor successor_of(Real along, Real height, Real rise, Vec3 left = {{-1, 0, 0}}) {
  const std::vector<Vec3> positions{left, {{0, 0, -1}}, {{0, 0, 1}}, {{1, rise, 0}}, {{along, height, 0}}};
  const std::vector<GlobalIndex> ids{0, 1, 2, 3, 4};
  const Triangle own{{0, 1, 2}}, next{{1, 2, 3}};
  const std::vector<Triangle> triangles{own, own, next, own, next, next};
  const std::vector<Index> offsets{0, 1, 3, 5, 6, 6};
  ActivePair pair{};
  pair.pair = {PairKind::vertex_triangle, {4, 0, 1, 2}};
  pair.active = 1;
  pair.multiplier = 1;
  const Vec3 corners[4] = {positions[4], positions[0], positions[1], positions[2]};
  pair.link = pair_distance(PairKind::vertex_triangle, corners);
  DeviceArray<Vec3> x;
  DeviceArray<GlobalIndex> id;
  DeviceArray<Triangle> around;
  DeviceArray<Index> first;
  DeviceArray<ActivePair> pairs;
  DeviceArray<Successor> found(1);
  x.assign_host(positions);
  id.assign_host(ids);
  around.assign_host(triangles);
  first.assign_host(offsets);
  pairs.assign_host(std::vector<ActivePair>{pair});
  find_successors({.pairs = pairs.view(),
                   .positions = {x.view(), {}},
                   .around = {first.view(), around.view()},
                   .ids = id.view(),
                   .owned = 5},
                  found.view());
  return found.to_host().front();
}

TEST(HandOver, to_the_next_triangle_across_a_flat_edge) {
  const Successor next = successor_of(0.02, 0.01, 0);
  EXPECT_EQ(next.slot, 0);
  EXPECT_EQ(next.triangle.v[2], 3);
  EXPECT_EQ(next.valley, 0);
}

TEST(HandOver, both_triangles_of_a_valley_hold) {
  for (const Real rise : {0.01, 0.2, 1.0}) {
    const Successor next = successor_of(0.02, 0.02 * rise + 0.01, rise);
    EXPECT_EQ(next.slot, 0) << rise;
    EXPECT_EQ(next.valley, 1) << rise;
  }
}

TEST(HandOver, to_the_next_triangle_across_a_ridge) {
  const Successor next = successor_of(0.02, 0.01, -0.2);
  EXPECT_EQ(next.slot, 0);
  EXPECT_EQ(next.valley, 0);
}

TEST(HandOver, what_has_gone_far_is_not_held_by_a_plane) {
  const Successor next = successor_of(0.4, 0.09, 0.2);
  EXPECT_EQ(next.slot, 0);
  EXPECT_EQ(next.valley, 0);
}

// A corner over a front face, next to the edge to a side face whose plane it is a little beyond: no valley, though the
// front rises to the corner's side of that plane.
TEST(HandOver, a_side_face_is_no_valley) {
  for (const Real height : {1e-3, -1e-3}) {
    const Successor next = successor_of(height, 1e-2, 1e-3, {{0, -1, 0}});
    EXPECT_EQ(next.slot, height > 0 ? 0 : -1) << height;
    EXPECT_EQ(next.valley, 0) << height;
  }
}

TEST(HandOver, nobody_while_the_foot_is_inside) { EXPECT_EQ(successor_of(-0.1, 0.01, 0.2).slot, -1); }

}  // namespace
}  // namespace unbarred
