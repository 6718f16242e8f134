#include "contact/surface/packet_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct PackVertex {
  View<const Index> chosen;
  VertexData data;
  View<SentVertex> packed;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const Index v = chosen[i];
    packed[i] = {data.ids[v], data.start[v], data.target[v], data.owner[v], data.body[v], data.prescribed[v], 0};
  }
};

void pack_vertices(View<const Index> chosen, const VertexData& data, View<SentVertex> packed) {
  for_each_index("pack vertices", chosen.size(), PackVertex{.chosen = chosen, .data = data, .packed = packed});
}

template <int N>
struct GatherPrimitive {
  View<const Index> chosen;
  View<const Primitive<N>> primitives;
  View<Primitive<N>> gathered;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { gathered[i] = primitives[chosen[i]]; }
};

template <int N>
void gather_primitives(View<const Index> chosen, View<const Primitive<N>> primitives, View<Primitive<N>> gathered) {
  for_each_index("gather primitives", chosen.size(),
                 GatherPrimitive<N>{.chosen = chosen, .primitives = primitives, .gathered = gathered});
}

template void gather_primitives(View<const Index>, View<const Primitive<1>>, View<Primitive<1>>);
template void gather_primitives(View<const Index>, View<const Primitive<2>>, View<Primitive<2>>);
template void gather_primitives(View<const Index>, View<const Primitive<3>>, View<Primitive<3>>);

}  // namespace unbarred
