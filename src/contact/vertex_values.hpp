#pragma once
// Values at the vertices of pairs: local vertices from a field, the rest from a small array of foreign ones.
#include "core/vec3.hpp"
#include "core/view.hpp"

namespace unbarred {

struct VertexValues {
  View<const Vec3> local, foreign;
  UNBARRED_FUNCTION Vec3 operator[](Index v) const {
    const std::int64_t n = local.size();
    return v < n ? local[v] : foreign[v - n];
  }
};

}  // namespace unbarred
