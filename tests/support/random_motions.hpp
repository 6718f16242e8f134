#pragma once
// Seeded motions of pairs: collisions, near misses, sliding, spinning, tiny gaps, huge moves.
#include "support/random_pairs.hpp"

namespace unbarred::test {

/// Straight paths x + t move.
struct PairMotion : PairSample {
  Vec3 move[4];
};

inline std::string describe(const PairMotion& motion) {
  PairSample moves{motion.kind, {motion.move[0], motion.move[1], motion.move[2], motion.move[3]}};
  return describe(static_cast<const PairSample&>(motion)) + " moves " + describe(moves);
}

class RandomMotions : public RandomPairs {
 public:
  using RandomPairs::RandomPairs;

  static constexpr int kinds = 8;
  static const char* name(int kind) {
    const char* names[kinds] = {"anywhere", "collision", "near miss", "sliding",
                                "spinning", "small gap", "integers",  "far"};
    return names[kind];
  }

  PairMotion any(int kind) {
    const PairKind pair = chance(0.5) ? PairKind::vertex_triangle : PairKind::edge_edge;
    switch (kind) {
      case 0:
        return moving(anywhere(pair), logarithmic(1e-3, 1e3));
      case 1:
        return meeting(pair, 0);
      case 2:
        return meeting(pair, logarithmic(1e-6, 1));
      case 3:
        return sliding(near(pair, logarithmic(1e-6, 1)), logarithmic(1e-1, 1e3));
      case 4:
        return spinning(near(pair, logarithmic(1e-3, 1)));
      case 5:
        return moving(near(pair, logarithmic(1e-12, 1e-5)), logarithmic(1e-9, 1));
      case 6:
        return integer_motion(pair);
      default:
        return far_away(meeting(pair, chance(0.5) ? 0 : logarithmic(1e-4, 1)));
    }
  }

  PairMotion scaled(PairMotion motion, Real scale) {
    for (int k = 0; k < 4; ++k) {
      motion.x[k] = scale * motion.x[k];
      motion.move[k] = scale * motion.move[k];
    }
    return motion;
  }

 private:
  PairSample near(PairKind pair, Real gap) {
    return pair == PairKind::edge_edge ? edges(logarithmic(1e-3, 1), gap)
                                       : vertex_over_triangle(logarithmic(1e-2, 1), gap);
  }

  PairMotion moving(const PairSample& pair, Real size) {
    PairMotion motion{pair, {}};
    for (Vec3& move : motion.move) move = size * vector();
    return motion;
  }

  /// The closest points are `gap` apart at a time within the move.
  PairMotion meeting(PairKind pair, Real gap) {
    PairMotion motion = moving(anywhere(pair), logarithmic(1e-1, 1e2));
    const int side_a = side_a_size(pair);
    const Real a = uniform(-0.1, 1.1), b = uniform(-0.1, 1.1), c = uniform(-0.1, 1.1);
    const Vec3 on_a = side_a == 1 ? motion.x[0] : motion.x[0] + a * (motion.x[1] - motion.x[0]);
    const Vec3 on_b = side_a == 1
                          ? motion.x[1] + b * (motion.x[2] - motion.x[1]) + (1 - b) * c * (motion.x[3] - motion.x[1])
                          : motion.x[2] + b * (motion.x[3] - motion.x[2]);
    const Vec3 shift = on_b + gap * direction() - on_a;
    for (int k = 0; k < side_a; ++k) motion.x[k] += shift;
    const Real time = uniform(0, 1.2);
    for (int k = 0; k < 4; ++k) motion.x[k] -= time * motion.move[k];
    return motion;
  }

  /// Both sides move in their common plane, the sides in themselves rigid; some sink a little.
  PairMotion sliding(const PairSample& pair, Real size) {
    PairMotion motion{pair, {}};
    const Vec3 normal = cross(pair.x[2] - pair.x[1], pair.x[3] - pair.x[1]);
    const Vec3 tangent = cross(normal, direction());
    const Vec3 slide = (size / std::sqrt(squared_norm(tangent))) * tangent;
    const Vec3 sink = (chance(0.5) ? 0 : uniform(-1e-3, 1e-3)) * vector();
    for (int k = 0; k < side_a_size(pair.kind); ++k) motion.move[k] = slide + sink;
    for (int k = side_a_size(pair.kind); k < 4; ++k) motion.move[k] = {{0, 0, 0}};
    return motion;
  }

  /// Chords of rotations of each side about its own center.
  PairMotion spinning(const PairSample& pair) {
    PairMotion motion{pair, {}};
    const int side_a = side_a_size(pair.kind);
    for (const auto& [from, to] : {std::pair{0, side_a}, std::pair{side_a, 4}}) {
      Vec3 center{{0, 0, 0}};
      for (int k = from; k < to; ++k) center += (1.0 / (to - from)) * pair.x[k];
      const Mat3 turn = rotation();
      const Vec3 drift = 0.1 * vector();
      for (int k = from; k < to; ++k) motion.move[k] = turn * (pair.x[k] - center) - (pair.x[k] - center) + drift;
    }
    return motion;
  }

  PairMotion integer_motion(PairKind pair) {
    PairMotion motion{integers(pair), {}};
    for (Vec3& move : motion.move)
      for (int i = 0; i < 3; ++i) move[i] = std::floor(uniform(-2, 3));
    return motion;
  }

  PairMotion far_away(PairMotion motion) {
    const Vec3 place = logarithmic(1e2, 1e6) * vector(), drift = logarithmic(1, 1e3) * vector();
    for (int k = 0; k < 4; ++k) {
      motion.x[k] += place;
      motion.move[k] += drift;
    }
    return motion;
  }
};

}  // namespace unbarred::test
