#pragma once
// A row of unit cubes, five tetrahedra each, dealt out to ranks: frames whose volume and values are known.
#include <cmath>
#include <vector>

#include "io/frames/frame_piece.hpp"

namespace unbarred::test {

inline std::int64_t cube_corner_id(GlobalIndex cube, int corner) { return 8 * cube + corner; }

/// Every array of a frame, values that need all their bits. Cube c occupies [2c, 2c+1] x [0,1] x [0,1], m.
inline FramePiece cube_frame(const std::vector<GlobalIndex>& cubes, int rank, Real time) {
  constexpr Index corners[5][4] = {{0, 1, 3, 5}, {0, 3, 2, 6}, {0, 4, 5, 6}, {3, 6, 5, 7}, {0, 3, 6, 5}};
  FramePiece piece;
  std::vector<Real> displacement, velocity, stress, von_mises, jacobian;
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> body, material, ranks;
  for (const GlobalIndex cube : cubes) {
    const auto first = static_cast<Index>(piece.points.size());
    for (int corner = 0; corner < 8; ++corner) {
      piece.points.push_back(
          {{2.0 * static_cast<Real>(cube) + (corner & 1), Real(corner >> 1 & 1), Real(corner >> 2)}});
      ids.push_back(cube_corner_id(cube, corner));
      body.push_back(static_cast<std::int32_t>(cube));
      for (int axis = 0; axis < 3; ++axis) {
        displacement.push_back(std::sin(static_cast<Real>(3 * ids.back() + axis) + time));
        velocity.push_back(std::cos(static_cast<Real>(3 * ids.back() + axis) + time) / 3);
      }
    }
    for (int t = 0; t < 5; ++t) {
      const Index* v = corners[t];
      piece.tetrahedra.push_back({first + v[0], first + v[1], first + v[2], first + v[3]});
      for (int c = 0; c < 6; ++c) stress.push_back(std::exp(static_cast<Real>(c)) * static_cast<Real>(5 * cube + t));
      von_mises.push_back(std::sqrt(static_cast<Real>(5 * cube + t) + time));
      jacobian.push_back(1 + time / 7);
      material.push_back(static_cast<std::int32_t>(cube % 2));
      ranks.push_back(rank);
    }
  }
  piece.point_arrays = {{"displacement", 3, displacement, {}},
                        {"velocity", 3, velocity, {}},
                        {"global_id", 1, ids, {}},
                        {"body", 1, body, {}}};
  piece.cell_arrays = {{"cauchy_stress", 6, stress, symmetric_tensor_components},
                       {"von_mises", 1, von_mises, {}},
                       {"deformation_jacobian", 1, jacobian, {}},
                       {"material", 1, material, {}},
                       {"rank", 1, ranks, {}}};
  return piece;
}

/// A line of length 1/2 for each number, with a value that needs all its bits.
inline FramePiece line_frame(const std::vector<GlobalIndex>& numbers) {
  FramePiece piece;
  std::vector<Real> gap;
  std::vector<std::int32_t> state;
  for (const GlobalIndex number : numbers) {
    const auto first = static_cast<Index>(piece.points.size());
    piece.lines.push_back({first, first + 1});
    piece.points.push_back({{Real(number), 0, 1}});
    piece.points.push_back({{Real(number), 0.5, 1}});
    gap.push_back(std::sqrt(Real(number + 2)));
    state.push_back(static_cast<std::int32_t>(number % 2));
  }
  piece.cell_arrays = {{"gap", 1, gap, {}}, {"state", 1, state, {}}};
  return piece;
}

}  // namespace unbarred::test
