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
//   /pairs/keys      int64 [pairs][5]: kind (0 vertex-triangle, 1 edge-edge), four global vertex numbers
//   /pairs/fields/<name>     float64 [pairs][components]
//
// Version 1 has no /pairs; a run without contact still writes it.
#include <cstdint>

namespace unbarred::checkpoint_layout {

inline constexpr const char* format = "unbarred checkpoint";
inline constexpr std::int64_t version_without_pairs = 1, version_with_pairs = 2;

}  // namespace unbarred::checkpoint_layout
