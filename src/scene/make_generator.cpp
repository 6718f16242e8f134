#include "scene/cell_grid.hpp"
#include "scene/surface_grid.hpp"

namespace unbarred {

namespace {

template <class Source>
struct Generator {
  const char* name;
  std::unique_ptr<Source> (*make)(const MeshSpec&);
};

constexpr Generator<TetrahedraSource> volumes[] = {
    {"box", make_box},           {"ball", make_ball},   {"rod", make_rod},
    {"cylinder", make_cylinder}, {"torus", make_torus}, {"plate_with_hole", make_plate_with_hole}};

constexpr Generator<SurfaceSource> surfaces[] = {
    {"plane", make_plane}, {"box", make_box_surface}, {"plate", make_plate}, {"sphere", make_sphere},
    {"bowl", make_bowl},   {"tube", make_tube},       {"funnel", make_funnel}};

template <class Source, std::size_t n>
std::unique_ptr<Source> make_one_of(const Generator<Source> (&generators)[n], const MeshSpec& spec) {
  std::string known;
  for (const auto& generator : generators) {
    if (spec.generator == generator.name) return generator.make(spec);
    known += (known.empty() ? "" : ", ") + std::string(generator.name);
  }
  throw bad_input(spec.place, "unknown mesh generator `" + spec.generator + "`; known: " + known);
}

}  // namespace

std::unique_ptr<TetrahedraSource> make_generator(const MeshSpec& spec) { return make_one_of(volumes, spec); }

std::unique_ptr<SurfaceSource> make_surface_generator(const MeshSpec& spec) { return make_one_of(surfaces, spec); }

}  // namespace unbarred
