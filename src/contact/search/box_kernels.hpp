#pragma once
// Boxes of all primitives of a surface.
#include "contact/search/box.hpp"

namespace unbarred {

/// boxes[i] = swept_box(primitives[i], ...). N = 1, 2, 3: surface vertices, edges, triangles.
template <int N>
void swept_boxes(View<const Primitive<N>> primitives, View<const Vec3> start, View<const Vec3> end, const Vec3& origin,
                 Real margin, View<Box> boxes);

}  // namespace unbarred
