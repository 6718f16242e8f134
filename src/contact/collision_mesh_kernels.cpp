#include "contact/collision_mesh_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

template <int N>
struct PackPrimitive {
  View<const Index> chosen;
  View<const Primitive<N>> primitives;
  VertexData data;
  View<SentPrimitive<N>> packed;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Primitive<N> primitive = primitives[chosen[i]];
    for (int k = 0; k < N; ++k) {
      const Index v = primitive.v[k];
      packed[i].v[k] = {data.ids[v],   data.start[v], data.target[v],
                        data.owner[v], data.body[v],  static_cast<std::int32_t>(data.prescribed[v])};
    }
  }
};

template <int N>
void pack_primitives(View<const Index> chosen, View<const Primitive<N>> primitives, const VertexData& data,
                     View<SentPrimitive<N>> packed) {
  for_each_index("pack primitives", chosen.size(),
                 PackPrimitive<N>{.chosen = chosen, .primitives = primitives, .data = data, .packed = packed});
}

template void pack_primitives(View<const Index>, View<const Primitive<1>>, const VertexData&, View<SentPrimitive<1>>);
template void pack_primitives(View<const Index>, View<const Primitive<2>>, const VertexData&, View<SentPrimitive<2>>);
template void pack_primitives(View<const Index>, View<const Primitive<3>>, const VertexData&, View<SentPrimitive<3>>);

}  // namespace unbarred
