#include <set>
#include <sstream>

#include "scene/cell_grid.hpp"
#include "scene/generator_list.hpp"
#include "scene/surface_grid.hpp"

namespace unbarred {

namespace {

template <class Source>
struct Generator {
  const char* name;
  std::unique_ptr<Source> (*make)(const MeshSpec&);
  const char* keys;  ///< parameters, those with a default as key=value
};

constexpr Generator<TetrahedraSource> volumes[] = {
    {"box", make_box, "size cells"},
    {"ball", make_ball, "radius cells"},
    {"rod", make_rod, "radius length cells cells_along=0"},
    {"cylinder", make_cylinder, "radius height cells cells_along=0"},
    {"torus", make_torus, "radius tube_radius cells cells_around=0"},
    {"plate_with_hole", make_plate_with_hole, "size radius cells cells_radial=0 cells_through=0"},
    {"arch", make_arch, "radius thickness width degrees=180 blocks gap cells=1"}};

constexpr Generator<SurfaceSource> surfaces[] = {
    {"plane", make_plane, "size cells=1"},
    {"box", make_box_surface, "size cells=1"},
    {"plate", make_plate, "size cells=1"},
    {"sphere", make_sphere, "radius cells"},
    {"bowl", make_bowl, "radius cells degrees=90"},
    {"tube", make_tube, "radius height cells_around cells_along=0"},
    {"funnel", make_funnel, "radius height spout_radius spout_height cells_around cells_along=0"}};

/// With the defaults of what is missing; throws for a parameter that the generator does not have.
MeshSpec completed(MeshSpec spec, const std::string& keys) {
  std::set<std::string> known;
  std::string list;
  std::istringstream words(keys);
  for (std::string word; words >> word;) {
    const auto equal = word.find('=');
    const std::string key = word.substr(0, equal);
    known.insert(key);
    list += (list.empty() ? "" : ", ") + key;
    if (equal != std::string::npos)
      spec.parameters.try_emplace(key, std::vector<Real>{std::stod(word.substr(equal + 1))});
  }
  for (const auto& [key, values] : spec.parameters)
    if (!known.contains(key))
      throw bad_input(spec.place, "`" + spec.generator + "` has no parameter `" + key + "`; it has: " + list);
  return spec;
}

template <class Source, std::size_t n>
std::vector<GeneratorKeys> list_of(const Generator<Source> (&generators)[n]) {
  std::vector<GeneratorKeys> list;
  for (const auto& generator : generators) list.push_back({generator.name, generator.keys});
  return list;
}

template <class Source, std::size_t n>
std::unique_ptr<Source> make_one_of(const Generator<Source> (&generators)[n], const MeshSpec& spec) {
  std::string known;
  for (const auto& generator : generators) {
    if (spec.generator == generator.name) return generator.make(completed(spec, generator.keys));
    known += (known.empty() ? "" : ", ") + std::string(generator.name);
  }
  throw bad_input(spec.place, "unknown mesh generator `" + spec.generator + "`; known: " + known);
}

}  // namespace

std::vector<GeneratorKeys> volume_generators() { return list_of(volumes); }
std::vector<GeneratorKeys> surface_generators() { return list_of(surfaces); }

std::unique_ptr<TetrahedraSource> make_generator(const MeshSpec& spec) { return make_one_of(volumes, spec); }

std::unique_ptr<SurfaceSource> make_surface_generator(const MeshSpec& spec) { return make_one_of(surfaces, spec); }

}  // namespace unbarred
