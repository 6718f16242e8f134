#include "scene/placement.hpp"

#include <cmath>

namespace unbarred {

Mat3 rotation(const Placement& place) {
  const Vec3 k = (1 / std::sqrt(squared_norm(place.axis))) * place.axis;
  const Real angle = place.degrees * (M_PI / 180), s = std::sin(angle), t = 1 - std::cos(angle);
  const Mat3 cross_k{{{0, -k[2], k[1]}, {k[2], 0, -k[0]}, {-k[1], k[0], 0}}};
  return diagonal<Real>(1, 1, 1) + s * cross_k + t * (cross_k * cross_k);
}

}  // namespace unbarred
