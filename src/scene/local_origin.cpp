#include "scene/local_origin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/placement.hpp"

namespace unbarred {

namespace {

void move(Selection& select, const Vec3& origin) {
  select.center -= origin;
  select.lower -= origin;
  select.upper -= origin;
}

struct Box {
  Vec3 lower, upper;
};

/// Of the body in its own frame; minima and maxima are exact in any order.
Box box_of(const TetrahedraSource& source, const Communicator& communicator) {
  const BlockDistribution blocks{source.vertex_count(), communicator.size()};
  const int rank = communicator.rank();
  Real ends[6];  // lower, -upper
  std::fill(ends, ends + 6, std::numeric_limits<Real>::max());
  for (const Vec3& x : source.vertices(communicator, blocks.begin(rank), blocks.end(rank)))
    for (int k = 0; k < 3; ++k) {
      ends[k] = std::min(ends[k], x[k]);
      ends[3 + k] = std::min(ends[3 + k], -x[k]);
    }
  communicator.min(std::span<Real>(ends));
  return {{{ends[0], ends[1], ends[2]}}, {{-ends[3], -ends[4], -ends[5]}}};
}

}  // namespace

Vec3 scene_origin(const Scene& scene, const TetrahedraSource& first, const Communicator& communicator) {
  const BodySpec& body = scene.bodies.front();
  const Box box = box_of(first, communicator);
  const Vec3 center = Real(0.5) * (box.lower + box.upper);
  if (squared_norm(center) < 256 * squared_norm(box.upper - box.lower)) return body.place.translate;
  return rotation(body.place) * center + body.place.translate;
}

void move_to_local_origin(Scene& scene, const Vec3& origin) {
  scene.origin += origin;
  for (BodySpec& body : scene.bodies) body.place.translate -= origin;
  for (ObstacleSpec& obstacle : scene.obstacles) obstacle.place.translate -= origin;
  for (MotionSpec& motion : scene.motions) {
    move(motion.select, origin);
    motion.move.center -= origin;
  }
  for (PressureSpec& pressure : scene.pressures) move(pressure.select, origin);
  for (SpringSpec& spring : scene.springs) {
    move(spring.select, origin);
    if (spring.point) *spring.point -= origin;
  }
}

}  // namespace unbarred
