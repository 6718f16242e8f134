#include "io/scene/scene_schema.hpp"

#include <algorithm>
#include <deque>

#include "io/scene/schema_rows.hpp"
#include "io/text/expression.hpp"
#include "io/text/nearest.hpp"
#include "scene/choices.hpp"

namespace unbarred {

using namespace schema_rows;

namespace {

std::vector<SchemaEntry> general_entries() {
  return {
      string("name", "<name of the scene file>", "name of the run: letters, digits, _ - ."),
      names("parameters", "", "numbers for expressions: any number may be written $(2*n+1)"),
      real("parameters.*", "", required, anything, "number or expression of the parameters above it"),
      keys("time", "simulated time"),
      real("time.step", "s", required, positive, "time step"),
      real("time.end", "s", required, positive, "end of the simulation"),
      vector("gravity", "m/s^2", "[0, 0, 0]", anything, "acceleration of everything"),
      names("materials", required, "materials by name"),
      keys("materials.*", "a material"),
      one_of("materials.*.model", material_words, "stable_neo_hookean", "elastic energy"),
      real("materials.*.density", "kg/m^3", required, positive, "mass per volume at rest"),
      real("materials.*.young", "Pa", required, positive, "Young's modulus"),
      real("materials.*.poisson", "", required, poisson_range, "Poisson's ratio"),
  };
}

std::vector<SchemaEntry> body_mesh_entries() {
  return {
      names("bodies", required, "deformable bodies by name"),
      keys("bodies.*", "a body"),
      choice("bodies.*.mesh", "tetrahedra: a mesh file, or a generator (centered at the origin)"),
      alternative(
          string("bodies.*.mesh.file", required, "Gmsh MSH 2.2 or 4.1, VTK or VTU, relative to the scene's folder")),
      alternative(keys("bodies.*.mesh.box", "cuboid")),
      vector("bodies.*.mesh.box.size", "m", required, positive, "edge lengths"),
      whole("bodies.*.mesh.box.cells", required, count_from_1,
            "cells along x, y, z; one number: along the shortest side, the others to match", 1, 3),
      alternative(keys("bodies.*.mesh.ball", "ball")),
      real("bodies.*.mesh.ball.radius", "m", required, positive, "radius"),
      whole("bodies.*.mesh.ball.cells", required, count_from_1, "cells across the diameter"),
      alternative(keys("bodies.*.mesh.rod", "round rod along x")),
      real("bodies.*.mesh.rod.radius", "m", required, positive, "radius"),
      real("bodies.*.mesh.rod.length", "m", required, positive, "length"),
      whole("bodies.*.mesh.rod.cells", required, count_from_1, "cells across the diameter"),
      whole("bodies.*.mesh.rod.cells_along", "0", count_from_0, "cells along the rod; 0: about as long as wide"),
      alternative(keys("bodies.*.mesh.cylinder", "round cylinder along y")),
      real("bodies.*.mesh.cylinder.radius", "m", required, positive, "radius"),
      real("bodies.*.mesh.cylinder.height", "m", required, positive, "height"),
      whole("bodies.*.mesh.cylinder.cells", required, count_from_1, "cells across the diameter"),
      whole("bodies.*.mesh.cylinder.cells_along", "0", count_from_0, "cells along y; 0: about as long as wide"),
      alternative(keys("bodies.*.mesh.torus", "ring around y")),
      real("bodies.*.mesh.torus.radius", "m", required, positive, "from the axis to the middle of the tube"),
      real("bodies.*.mesh.torus.tube_radius", "m", required, positive, "radius of the tube"),
      whole("bodies.*.mesh.torus.cells", required, count_from_1, "cells across the tube"),
      whole("bodies.*.mesh.torus.cells_around", "0", count_from_0, "cells around y; 0: about as long as wide"),
      alternative(keys("bodies.*.mesh.plate_with_hole", "plate with a round hole along z through its middle")),
      vector("bodies.*.mesh.plate_with_hole.size", "m", required, positive, "edge lengths"),
      real("bodies.*.mesh.plate_with_hole.radius", "m", required, positive, "radius of the hole"),
      whole("bodies.*.mesh.plate_with_hole.cells", required, count_from_1, "cells along each of the four sides"),
      whole("bodies.*.mesh.plate_with_hole.cells_radial", "0", count_from_0,
            "cells from the hole to a side; 0: about as long as wide"),
      whole("bodies.*.mesh.plate_with_hole.cells_through", "0", count_from_0,
            "cells through the plate; 0: about as thick as wide"),
      alternative(keys("bodies.*.mesh.arch", "ring of separate blocks around z, its crown up")),
      real("bodies.*.mesh.arch.radius", "m", required, positive, "from the axis to the middle of the thickness"),
      real("bodies.*.mesh.arch.thickness", "m", required, positive, "of the ring"),
      real("bodies.*.mesh.arch.width", "m", required, positive, "along z"),
      real("bodies.*.mesh.arch.degrees", "degrees", "180", full_turn, "from foot to foot"),
      whole("bodies.*.mesh.arch.blocks", required, count_from_1, "number of blocks"),
      real("bodies.*.mesh.arch.gap", "m", required, positive, "between the parallel faces of a joint"),
      whole("bodies.*.mesh.arch.cells", "1", count_from_1,
            "cells of a block along the ring, through it, along z; one number: the same for all", 1, 3),
      later("bodies.*.mesh.shell_grid", "shell grid"),
      later("bodies.*.mesh.bowl", "bowl"),
      later("bodies.*.mesh.funnel", "funnel"),
      real("bodies.*.mesh.scale", "", "1", positive, "multiplies the coordinates"),
  };
}

std::vector<SchemaEntry> body_entries() {
  return {
      string("bodies.*.material", required, "name of a material"),
      keys("bodies.*.place", "where the body lies: rotated about the origin, then translated"),
      keys("bodies.*.place.rotate", "rotation"),
      vector("bodies.*.place.rotate.axis", "", "[0, 0, 1]", anything, "axis through the origin"),
      real("bodies.*.place.rotate.degrees", "degrees", "0", anything, "angle"),
      vector("bodies.*.place.translate", "m", "[0, 0, 0]", anything, "translation"),
      vector("bodies.*.velocity", "m/s", "[0, 0, 0]", anything, "velocity at the start"),
      vector("bodies.*.body_force", "N/m^3", "[0, 0, 0]", anything, "force per volume at rest"),
      keys("bodies.*.repeat", "copies on a grid that starts at `place`"),
      whole("bodies.*.repeat.count", "[1, 1, 1]", count_from_1, "copies along x, y, z", 3, 3),
      vector("bodies.*.repeat.spacing", "m", "[0, 0, 0]", anything, "from copy to copy along x, y, z"),
      real("bodies.*.repeat.jitter", "m", "0", not_negative, "largest random shift of a copy along each axis"),
      whole("bodies.*.repeat.seed", "0", seed_range, "of the jitter"),
      one_of("bodies.*.components", "false|true", "false", "true: each connected component is a body of its own"),
  };
}

std::vector<SchemaEntry> obstacle_entries() {
  return {
      names("obstacles", "", "surfaces without a volume, by name: they stand still, or follow a motion"),
      keys("obstacles.*", "an obstacle"),
      choice("obstacles.*.mesh", "triangles: a mesh file, or a generator (centered at the origin)"),
      alternative(string("obstacles.*.mesh.file", required,
                         "OBJ, STL, PLY, MSH, VTK or VTU, relative to the scene's folder; of tetrahedra the boundary")),
      alternative(keys("obstacles.*.mesh.plane", "rectangle at y = 0, facing up")),
      pair("obstacles.*.mesh.plane.size", "m", required, positive, "edge lengths along x and z"),
      whole("obstacles.*.mesh.plane.cells", "1", count_from_1, "along x, z; one number: along the shorter", 1, 2),
      alternative(keys("obstacles.*.mesh.box", "surface of a cuboid")),
      vector("obstacles.*.mesh.box.size", "m", required, positive, "edge lengths"),
      whole("obstacles.*.mesh.box.cells", "1", count_from_1, "along x, y, z; one number: along the shortest", 1, 3),
      alternative(keys("obstacles.*.mesh.plate", "surface of a flat cuboid, one cell thick in y")),
      vector("obstacles.*.mesh.plate.size", "m", required, positive, "edge lengths"),
      whole("obstacles.*.mesh.plate.cells", "1", count_from_1, "along x, z; one number: along the shorter", 1, 2),
      alternative(keys("obstacles.*.mesh.sphere", "sphere")),
      real("obstacles.*.mesh.sphere.radius", "m", required, positive, "radius"),
      whole("obstacles.*.mesh.sphere.cells", required, count_from_1, "cells across the diameter"),
      alternative(keys("obstacles.*.mesh.bowl", "lower part of a sphere, open at the top")),
      real("obstacles.*.mesh.bowl.radius", "m", required, positive, "radius of the sphere"),
      real("obstacles.*.mesh.bowl.degrees", "degrees", "90", half_turn, "from the lowest point to the rim"),
      whole("obstacles.*.mesh.bowl.cells", required, count_from_1, "cells across"),
      alternative(keys("obstacles.*.mesh.tube", "open tube around y")),
      real("obstacles.*.mesh.tube.radius", "m", required, positive, "radius"),
      real("obstacles.*.mesh.tube.height", "m", required, positive, "along y"),
      whole("obstacles.*.mesh.tube.cells_around", required, count_from_1, "cells around y"),
      whole("obstacles.*.mesh.tube.cells_along", "0", count_from_0, "cells along y; 0: about as long as wide"),
      alternative(keys("obstacles.*.mesh.funnel", "cone that opens upwards from y = 0 on a tube below it")),
      real("obstacles.*.mesh.funnel.radius", "m", required, positive, "of the upper rim"),
      real("obstacles.*.mesh.funnel.height", "m", required, positive, "of the cone"),
      real("obstacles.*.mesh.funnel.spout_radius", "m", required, positive, "of the tube"),
      real("obstacles.*.mesh.funnel.spout_height", "m", required, positive, "of the tube"),
      whole("obstacles.*.mesh.funnel.cells_around", required, count_from_1, "cells around y"),
      whole("obstacles.*.mesh.funnel.cells_along", "0", count_from_0, "cells along y; 0: about as long as wide"),
      real("obstacles.*.mesh.scale", "", "1", positive, "multiplies the coordinates"),
      keys("obstacles.*.place", "where the obstacle lies: rotated about the origin, then translated"),
  };
}

/// Below the entry `to`, a copy of every entry below `from`, except for those that are there already.
void copy_below(std::vector<SchemaEntry>& entries, std::string_view from, std::string_view to) {
  static std::deque<std::string> paths;  // what the copies' paths view
  const auto below = [](const SchemaEntry& entry, std::string_view parent) {
    return entry.path.starts_with(parent) && entry.path.size() > parent.size() && entry.path[parent.size()] == '.';
  };
  std::vector<SchemaEntry> copies;
  for (SchemaEntry entry : entries) {
    if (!below(entry, from)) continue;
    const std::string path = std::string(to).append(entry.path.substr(from.size()));
    const bool there =
        std::any_of(entries.begin(), entries.end(), [&](const SchemaEntry& other) { return other.path == path; });
    if (there) continue;
    entry.path = paths.emplace_back(path);
    copies.push_back(entry);
  }
  const auto parent =
      std::find_if(entries.begin(), entries.end(), [&](const SchemaEntry& entry) { return entry.path == to; });
  const auto end = std::find_if(parent + 1, entries.end(), [&](const SchemaEntry& entry) { return !below(entry, to); });
  entries.insert(end, copies.begin(), copies.end());
}

std::string_view value_name(ValueType type) {
  switch (type) {
    case number:
      return "number";
    case integer:
      return "integer";
    case text:
      return "text";
    case formula:
      return "expression of t";
    case pairs:
      return "[[name, name], ...]";
    default:
      return "";
  }
}

std::string type_text(const SchemaEntry& entry) {
  std::string text(entry.type == word ? entry.words : value_name(entry.type));
  std::erase(text, '!');
  std::erase(text, '?');
  if (entry.may_be_none) text += " or none";
  if (entry.most == 1) return text;
  const std::string opening = entry.least == entry.most ? "[" : "[up to ";
  return opening + std::to_string(entry.most) + " x " + text + "]";
}

std::string describe(const SchemaEntry& entry) {
  const auto depth = static_cast<std::size_t>(std::count(entry.path.begin(), entry.path.end(), '.'));
  const std::string_view key = last_key(entry.path);
  std::string line = std::string(2 * depth, ' ') + (key == "*" ? "<any name>" : std::string(key)) + ": ";
  if (!entry.supported) return line + std::string(entry.description) + " (not supported yet)\n";
  line += std::string(entry.description) + "\n";
  if (entry.type == section || entry.type == named || entry.type == bare) return line;
  line += std::string(2 * depth + 4, ' ') + type_text(entry);
  if (!entry.unit.empty()) line += ", " + std::string(entry.unit);
  if (const std::string range = to_string(entry.range); !range.empty()) line += ", " + range;
  line += entry.fallback ? ", default " + std::string(*entry.fallback) : std::string(", required");
  if (entry.published) line += ", with preset published " + std::string(*entry.published);
  return line + "\n";
}

}  // namespace

const std::vector<SchemaEntry>& scene_schema() {
  static const std::vector<SchemaEntry> table = [] {
    std::vector<SchemaEntry> all = general_entries();
    for (const auto& part :
         {body_mesh_entries(), body_entries(), obstacle_entries(), motion_entries(), load_entries(), run_entries()})
      all.insert(all.end(), part.begin(), part.end());
    copy_below(all, "bodies.*.place", "obstacles.*.place");
    copy_below(all, "motions.*.select", "pressures.*.select");
    copy_below(all, "motions.*.select", "springs.*.select");
    return all;
  }();
  return table;
}

const SchemaEntry* find_in_schema(std::string_view path) {
  static const SchemaEntry root{.path = "", .fallback = "", .description = "a scene"};
  if (path.empty()) return &root;
  for (const SchemaEntry& entry : scene_schema())
    if (entry.path == path) return &entry;
  return nullptr;
}

const SchemaEntry* entry_of_name(const SchemaEntry& names, std::string_view name) {
  const SchemaEntry* fixed = find_in_schema(join_path(names.path, name));
  return fixed ? fixed : find_in_schema(join_path(names.path, "*"));
}

std::vector<const SchemaEntry*> children_in_schema(std::string_view path) {
  std::vector<const SchemaEntry*> children;
  for (const SchemaEntry& entry : scene_schema())
    if (join_path(path, last_key(entry.path)) == entry.path) children.push_back(&entry);
  return children;
}

std::string_view last_key(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::string join_path(std::string_view parent, std::string_view key) {
  return parent.empty() ? std::string(key) : std::string(parent) + "." + std::string(key);
}

std::string to_string(const NumberRange& range) {
  std::string text;
  if (range.lower > -infinity) text.append(range.lower_open ? "> " : ">= ").append(write_number(range.lower));
  if (range.upper == infinity || range.upper == largest_integer || range.upper == largest_exact) return text;
  text.append(text.empty() ? "" : " and ").append(range.upper_open ? "< " : "<= ");
  return text.append(write_number(range.upper));
}

std::string key_suggestion(std::string_view path, std::string_view unknown) {
  std::vector<std::string> known;
  std::string list;
  for (const SchemaEntry* child : children_in_schema(path)) {
    known.emplace_back(last_key(child->path));
    if (child->supported) list += (list.empty() ? "" : ", ") + known.back();
  }
  if (const std::string near = suggestion(unknown, known); !near.empty()) return near;
  for (const SchemaEntry& entry : scene_schema())
    if (last_key(entry.path) == unknown) return ", did you mean `" + std::string(entry.path) + "`?";
  return "; known here: " + list;
}

std::string describe_scene_schema() {
  std::string text = "Scene files are YAML in SI units. Any number may be an expression of `parameters`: $(2*n+1).\n\n";
  for (const SchemaEntry& entry : scene_schema()) text += describe(entry);
  return text;
}

}  // namespace unbarred
