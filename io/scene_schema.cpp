#include "io/scene_schema.hpp"

#include <algorithm>

#include "io/expression.hpp"
#include "io/nearest.hpp"

namespace unbarred {

namespace {

using enum ValueType;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real largest_integer = 2147483647;
constexpr Real largest_exact = 9007199254740992.0;  // 2^53: beyond it a double skips integers

constexpr NumberRange anything{};
constexpr NumberRange positive{0, infinity, true, true};
constexpr NumberRange not_negative{0, infinity, false, true};
constexpr NumberRange fraction{0, 1, true, true};
constexpr NumberRange count_from_0{0, largest_integer, false, false};
constexpr NumberRange count_from_1{1, largest_integer, false, false};
constexpr NumberRange seed_range{0, largest_exact, false, false};
constexpr NumberRange poisson_range{-1, 0.5, true, true};

using Default = std::optional<std::string_view>;
constexpr Default required = std::nullopt;

constexpr SchemaEntry keys(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = "", .description = description};
}
/// A section of which exactly one alternative must be given.
constexpr SchemaEntry choice(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = required, .description = description};
}
constexpr SchemaEntry names(std::string_view path, Default fallback, std::string_view description) {
  return {.path = path, .type = named, .fallback = fallback, .description = description};
}
constexpr SchemaEntry real(std::string_view path, std::string_view unit, Default fallback, NumberRange range,
                           std::string_view description) {
  return {.path = path, .type = number, .unit = unit, .fallback = fallback, .range = range, .description = description};
}
constexpr SchemaEntry vector(std::string_view path, std::string_view unit, Default fallback, NumberRange range,
                             std::string_view description) {
  SchemaEntry entry = real(path, unit, fallback, range, description);
  entry.least = entry.most = 3;
  return entry;
}
constexpr SchemaEntry whole(std::string_view path, Default fallback, NumberRange range, std::string_view description,
                            int least = 1, int most = 1) {
  SchemaEntry entry = real(path, "", fallback, range, description);
  entry.type = integer;
  entry.least = least;
  entry.most = most;
  return entry;
}
constexpr SchemaEntry one_of(std::string_view path, std::string_view words, Default fallback,
                             std::string_view description, int least = 1, int most = 1) {
  return {.path = path, .type = word, .least = least, .most = most, .fallback = fallback, .words = words,
          .description = description};
}
constexpr SchemaEntry string(std::string_view path, Default fallback, std::string_view description) {
  return {.path = path, .type = text, .fallback = fallback, .description = description};
}
constexpr SchemaEntry flag(std::string_view path, std::string_view description) {
  return {.path = path, .type = bare, .description = description};
}
constexpr SchemaEntry alternative(SchemaEntry entry) {
  entry.alternative = true;
  return entry;
}
constexpr SchemaEntry later(std::string_view path, std::string_view description) {
  return {.path = path, .fallback = "", .description = description, .supported = false};
}

std::vector<SchemaEntry> general_entries() {
  return {
      string("name", "<name of the scene file>", "name of the run: letters, digits, _ - ."),
      names("parameters", "", "numbers for expressions: any number may be written $(2*n+1)"),
      real("parameters.*", "", required, anything, "number or expression of the parameters above it"),
      keys("time", "simulated time"),
      real("time.step", "s", required, positive, "time step"),
      real("time.end", "s", required, positive, "end of the simulation"),
      vector("gravity", "m/s^2", "[0, 0, 0]", anything, "acceleration of everything"),
      later("body_force", "force per volume"),
      later("pressure", "pressure on surfaces"),
      later("springs", "springs between bodies"),
      names("materials", required, "materials by name"),
      keys("materials.*", "a material"),
      one_of("materials.*.model", "stable_neo_hookean|neo_hookean|corotated", "stable_neo_hookean", "elastic energy"),
      real("materials.*.density", "kg/m^3", required, positive, "mass per volume at rest"),
      real("materials.*.young", "Pa", required, positive, "Young's modulus"),
      real("materials.*.poisson", "", required, poisson_range, "Poisson's ratio"),
  };
}

std::vector<SchemaEntry> body_entries() {
  return {
      names("bodies", required, "deformable bodies by name"),
      keys("bodies.*", "a body"),
      choice("bodies.*.mesh", "tetrahedra: a mesh file, or a generator (centered at the origin)"),
      alternative(string("bodies.*.mesh.file", required,
                         "Gmsh MSH 2.2 or 4.1, VTK or VTU, relative to the scene's folder")),
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
      later("bodies.*.mesh.shell_grid", "shell grid"),
      later("bodies.*.mesh.bowl", "bowl"),
      later("bodies.*.mesh.funnel", "funnel"),
      real("bodies.*.mesh.scale", "", "1", positive, "multiplies the coordinates"),
      string("bodies.*.material", required, "name of a material"),
      keys("bodies.*.place", "where the body lies: rotated about the origin, then translated"),
      keys("bodies.*.place.rotate", "rotation"),
      vector("bodies.*.place.rotate.axis", "", "[0, 0, 1]", anything, "axis through the origin"),
      real("bodies.*.place.rotate.degrees", "degrees", "0", anything, "angle"),
      vector("bodies.*.place.translate", "m", "[0, 0, 0]", anything, "translation"),
      vector("bodies.*.velocity", "m/s", "[0, 0, 0]", anything, "velocity at the start"),
      keys("bodies.*.repeat", "copies on a grid that starts at `place`"),
      whole("bodies.*.repeat.count", "[1, 1, 1]", count_from_1, "copies along x, y, z", 3, 3),
      vector("bodies.*.repeat.spacing", "m", "[0, 0, 0]", anything, "from copy to copy along x, y, z"),
      real("bodies.*.repeat.jitter", "m", "0", not_negative, "largest random shift of a copy along each axis"),
      whole("bodies.*.repeat.seed", "0", seed_range, "of the jitter"),
      later("obstacles", "surfaces only, fixed or moving"),
      later("shells", "cloth and shells"),
      later("rigid_bodies", "rigid bodies"),
      later("joints", "joints"),
  };
}

std::vector<SchemaEntry> motion_entries() {
  return {
      names("motions", "", "prescribed motions by name"),
      keys("motions.*", "a prescribed motion of vertices"),
      string("motions.*.body", required, "name of a body"),
      keys("motions.*.select", "vertices by their place at rest; default: all of the body"),
      alternative(keys("motions.*.select.box", "inside a box")),
      vector("motions.*.select.box.lower", "m", required, anything, "corner"),
      vector("motions.*.select.box.upper", "m", required, anything, "opposite corner"),
      alternative(keys("motions.*.select.sphere", "inside a sphere")),
      vector("motions.*.select.sphere.center", "m", required, anything, "center"),
      real("motions.*.select.sphere.radius", "m", required, positive, "radius"),
      alternative(keys("motions.*.select.plane", "behind a plane: (x - center) . normal <= 0")),
      vector("motions.*.select.plane.center", "m", required, anything, "a point of the plane"),
      vector("motions.*.select.plane.normal", "", required, anything, "points away from what is selected"),
      alternative(keys("motions.*.select.cylinder", "inside a cylinder")),
      vector("motions.*.select.cylinder.center", "m", required, anything, "start of the axis"),
      vector("motions.*.select.cylinder.axis", "m", required, anything, "from the start to the end of the axis"),
      real("motions.*.select.cylinder.radius", "m", required, positive, "radius"),
      later("motions.*.select.region", "physical group of the mesh file"),
      one_of("motions.*.axes", "x|y|z", "[x, y, z]", "components that are prescribed; the others are free", 1, 3),
      choice("motions.*.move", "motion of the selection"),
      alternative(flag("motions.*.move.fixed", "stays where it is")),
      alternative(vector("motions.*.move.velocity", "m/s", required, anything, "constant velocity")),
      alternative(keys("motions.*.move.rotate", "rotation about a fixed axis")),
      vector("motions.*.move.rotate.axis", "", "[0, 0, 1]", anything, "direction of the axis"),
      vector("motions.*.move.rotate.center", "m", "[0, 0, 0]", anything, "a point of the axis"),
      real("motions.*.move.rotate.degrees_per_second", "degrees/s", required, anything, "rate, right-handed"),
      alternative(keys("motions.*.move.scale", "scaling about a point: by 1 + rate (t - from)")),
      vector("motions.*.move.scale.center", "m", "[0, 0, 0]", anything, "the point that stays"),
      real("motions.*.move.scale.factor_per_second", "1/s", required, anything, "rate"),
      later("motions.*.move.table", "positions from a table"),
      later("motions.*.move.expression", "positions as expressions of t"),
      real("motions.*.from", "s", "0", anything, "before it the selection is free"),
      real("motions.*.to", "s", "1e300", anything, "after it the selection is free"),
  };
}

std::vector<SchemaEntry> run_entries() {
  return {
      later("contact", "offset, friction, pairs"),
      keys("solver", "Newton's method and its linear solver"),
      later("solver.preset", "accurate or published"),
      later("solver.epsilon", "end of the outer iterations"),
      whole("solver.minimum_iterations", "2", count_from_0, "Newton iterations a step, at least"),
      whole("solver.maximum_iterations", "500", count_from_1, "Newton iterations a step before the run gives up"),
      real("solver.newton_tolerance", "", "1e-6", fraction, "residual relative to the sum of its terms' sizes"),
      later("solver.step_filter", "lazy, global, planar, isotropic or project"),
      later("solver.lagging_fraction", "share of vertices that may stay unfinished"),
      keys("solver.linear", "linear solver"),
      one_of("solver.linear.method", "pcg|ksp", "pcg", "own conjugate gradients, or PETSc's KSP"),
      later("solver.linear.preconditioner", "auto, block_jacobi, two_level or petsc"),
      later("solver.linear.precision", "double or single"),
      real("solver.linear.tolerance", "", "1e-4", fraction, "preconditioned residual relative to its start"),
      whole("solver.linear.maximum_iterations", "10000", count_from_1, "iterations a solve"),
      string("solver.linear.options", "\"\"", "PETSc options, with method ksp"),
      later("solver.audit", "intersection test every n steps"),
      keys("output", "what is written"),
      string("output.directory", "runs/<name>", "run folder, relative to the current directory"),
      whole("output.every", "1", count_from_0, "steps between frames; 0: none"),
      one_of("output.format", "pvtu|!vtkhdf", "pvtu", "format of the frames"),
      one_of("output.fields",
             "displacement|velocity|global_id|body|cauchy_stress|von_mises|deformation_jacobian|material|rank|"
             "!contact_force|!friction_force|!contact_pressure|!gap",
             "[]", "arrays of the frames; none: all", 0, 13),
      later("output.contacts", "contact pairs as lines"),
      keys("output.checkpoint", "checkpoints"),
      whole("output.checkpoint.steps", "100", count_from_0, "steps between checkpoints; 0: only at the end"),
      later("output.checkpoint.wall", "wall time between checkpoints"),
      later("output.checkpoint.time", "simulated time between checkpoints"),
  };
}

std::string type_text(const SchemaEntry& entry) {
  static constexpr std::string_view types[] = {"section", "names", "word", "number", "integer", "", "text"};
  std::string text(types[static_cast<std::size_t>(entry.type)]);
  if (entry.type == word) text = entry.words;
  std::erase(text, '!');
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
  return line + (entry.fallback ? ", default " + std::string(*entry.fallback) : std::string(", required")) + "\n";
}

}  // namespace

const std::vector<SchemaEntry>& scene_schema() {
  static const std::vector<SchemaEntry> table = [] {
    std::vector<SchemaEntry> all = general_entries();
    for (const auto& part : {body_entries(), motion_entries(), run_entries()})
      all.insert(all.end(), part.begin(), part.end());
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
