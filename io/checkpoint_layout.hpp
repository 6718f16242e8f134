#pragma once
// Names inside a checkpoint file, shared by its writer and its reader.
//
//   /                attributes: format, format_version, step, time, time_step, scene_hash, mesh_hash, vertex_count,
//                    tetrahedron_count, checksum
//   /numbers /texts  groups whose attributes are the further global state; origin_x, origin_y, origin_z is the point to
//                    which the positions are relative
//   /ids             int64 [rows]
//   /positions /velocities   float64 [rows][3]
//   /fields/<name>   float64 [rows][components]
#include <cstdint>

namespace unbarred::checkpoint_layout {

inline constexpr const char* format = "unbarred checkpoint";
inline constexpr std::int64_t version = 1;

}  // namespace unbarred::checkpoint_layout
