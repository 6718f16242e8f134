#include "contact/search/box_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

template <int N>
struct SweepBoxes {
  View<const Primitive<N>> primitives;
  View<const Vec3> start, end;
  Vec3 origin;
  Real margin;
  View<Box> boxes;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    boxes[i] = swept_box(primitives[i], start, end, origin, margin);
  }
};

template <int N>
void swept_boxes(View<const Primitive<N>> primitives, View<const Vec3> start, View<const Vec3> end, const Vec3& origin,
                 Real margin, View<Box> boxes) {
  for_each_index(
      "swept boxes", primitives.size(),
      SweepBoxes<N>{
          .primitives = primitives, .start = start, .end = end, .origin = origin, .margin = margin, .boxes = boxes});
}

template void swept_boxes(View<const SurfaceVertex>, View<const Vec3>, View<const Vec3>, const Vec3&, Real, View<Box>);
template void swept_boxes(View<const Edge>, View<const Vec3>, View<const Vec3>, const Vec3&, Real, View<Box>);
template void swept_boxes(View<const Triangle>, View<const Vec3>, View<const Vec3>, const Vec3&, Real, View<Box>);

}  // namespace unbarred
