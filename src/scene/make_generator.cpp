#include "scene/cell_grid.hpp"

namespace unbarred {

std::unique_ptr<TetrahedraSource> make_generator(const MeshSpec& spec) {
  if (spec.generator == "box") return make_box(spec);
  if (spec.generator == "ball") return make_ball(spec);
  if (spec.generator == "rod") return make_rod(spec);
  throw bad_input(spec.place, "unknown mesh generator `" + spec.generator + "`: use box, ball or rod");
}

std::unique_ptr<SurfaceSource> make_surface_generator(const MeshSpec& spec) {
  throw bad_input(spec.place, "unknown surface generator `" + spec.generator + "`");
}

}  // namespace unbarred
