#pragma once
// What a surface is made of, by local vertex numbers.
#include "core/types.hpp"

namespace unbarred {

template <int N>
struct Primitive {
  static constexpr int size = N;
  Index v[N];
};

using SurfaceVertex = Primitive<1>;
using Edge = Primitive<2>;
using Triangle = Primitive<3>;

}  // namespace unbarred
