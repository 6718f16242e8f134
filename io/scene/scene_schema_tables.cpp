// Rows of the scene language about what happens to bodies: motions, loads, contact, solver, output.
#include "io/scene/schema_rows.hpp"
#include "scene/choices.hpp"
#include "scene/solver_keys.hpp"

namespace unbarred {

using namespace schema_rows;

std::vector<SchemaEntry> motion_entries() {
  return {
      names("motions", "", "prescribed motions by name"),
      keys("motions.*", "a prescribed motion of vertices"),
      string("motions.*.body", required, "name of a body or an obstacle"),
      keys("motions.*.select", "vertices by their place at the start; default: all"),
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
      alternative(string("motions.*.select.region", required, "name in the mesh file: vertices of its tetrahedra")),
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
      alternative(string("motions.*.move.table", required,
                         "CSV file, relative to the scene's folder: time (s), dx, dy, dz (m), linear in between; "
                         "displacement since `from`")),
      alternative(formulas("motions.*.move.expression", "m", "displacement since `from` along x, y, z")),
      real("motions.*.from", "s", "0", anything, "before it the selection is free"),
      real("motions.*.to", "s", "1e300", anything, "after it the selection is free"),
  };
}

std::vector<SchemaEntry> load_entries() {
  return {
      names("pressures", "", "pressures on the boundaries of bodies, along the current normal, by name"),
      keys("pressures.*", "a pressure"),
      string("pressures.*.body", required, "name of a body"),
      keys("pressures.*.select", "triangles whose three vertices are selected; default: all of the boundary"),
      real("pressures.*.pressure", "Pa", required, anything, "> 0 pushes inwards"),
      real("pressures.*.from", "s", "0", anything, "no pressure before it"),
      real("pressures.*.to", "s", "1e300", anything, "no pressure after it"),
      names("springs", "", "springs from vertices to points that stay, by name"),
      keys("springs.*", "springs"),
      string("springs.*.body", required, "name of a body"),
      keys("springs.*.select", "vertices by their place at the start; default: all"),
      real("springs.*.stiffness", "N/m", required, positive,
           "of all springs together; each vertex has the share that it has in their mass"),
      {.path = "springs.*.rest", .fallback = "initial", .description = "where the springs pull to"},
      alternative(flag("springs.*.rest.initial", "every vertex to its place at the start")),
      alternative(vector("springs.*.rest.point", "m", required, anything, "all vertices to this point")),
      later("shells", "cloth and shells"),
      later("rigid_bodies", "rigid bodies"),
      later("joints", "joints"),
      later("sensitivity", "derivatives of results"),
      later("remeshing", "remeshing during a run"),
  };
}

static std::vector<SchemaEntry> contact_entries() {
  return {
      optional(keys("contact", "contact and friction; without this section bodies pass through each other")),
      real("contact.offset", "m", required, positive, "distance that surfaces keep"),
      real("contact.friction", "", "0", not_negative, "coefficient of friction"),
      optional(real("contact.friction_velocity", "m/s", "1e-3/s of the diagonal of the bodies' box at the start",
                    positive, "sliding velocity at which mollified friction (inactive_pairs: weigh) is full")),
      published("step", one_of("contact.friction_lagging", "iteration|step", "iteration",
                               "how often friction takes new normal forces")),
      names("contact.pairs", "", "settings a pair: two materials or obstacles, as rubber-steel"),
      keys("contact.pairs.*", "settings of a pair"),
      real("contact.pairs.*.friction", "", required, not_negative, "coefficient of friction"),
      name_pairs("contact.pairs.none", "[]", "pairs of bodies or obstacles that pass through each other"),
  };
}

/// The rows of scene/solver_keys.hpp; a default that both presets share is one default.
static SchemaEntry in_presets(std::string_view accurate, std::string_view other, SchemaEntry entry) {
  entry.fallback = accurate;
  if (other != accurate) entry.published = other;
  return entry;
}
#define UNBARRED_REAL_ROW(member, unit, range, accurate, published, meaning) \
  in_presets(#accurate, #published, real(SECTION #member, unit, "", range, meaning)),
#define UNBARRED_LIMIT_ROW(member, unit, range, accurate, published, meaning) \
  in_presets(#accurate, #published, or_none(real(SECTION #member, unit, "", range, meaning))),
#define UNBARRED_WHOLE_ROW(member, range, accurate, published, meaning) \
  in_presets(#accurate, #published, whole(SECTION #member, "", range, meaning)),
#define UNBARRED_WORD_ROW(member, Type, first, second, accurate, published, meaning) \
  in_presets(#accurate, #published, one_of(SECTION #member, #first "|" #second, "", meaning)),

static std::vector<SchemaEntry> solver_entries() {
#define SECTION "solver."
  return {
      keys("solver", "Newton's method and its linear solver"),
      one_of("solver.preset", "accurate|published", "accurate",
             "defaults of the contact solver: the better ones, or those of the publication"),
      UNBARRED_SOLVER_KEYS(UNBARRED_REAL_ROW, UNBARRED_LIMIT_ROW, UNBARRED_WHOLE_ROW, UNBARRED_WORD_ROW)
          published("global", one_of("solver.step_filter", all_step_filter_words, "lazy",
                                     "what keeps a step free of intersections")),
      keys("solver.linear", "linear solver"),
      one_of("solver.linear.method", "pcg|ksp", "pcg", "own conjugate gradients, or PETSc's KSP"),
      one_of(
          "solver.linear.preconditioner", "auto|block_jacobi|two_level|petsc", "auto",
          "two_level and block_jacobi belong to pcg, petsc to ksp; auto: petsc with ksp, block_jacobi when published, "
          "else two_level in steps in which block_jacobi takes more than 50 iterations"),
      one_of("solver.linear.precision", "double|?single", "double", "of the preconditioner"),
      published("1e-2", real("solver.linear.tolerance", "", "1e-4", fraction,
                             "preconditioned residual sqrt(r . P^-1 r) relative to its start")),
      whole("solver.linear.maximum_iterations", "10000", count_from_1, "iterations a solve"),
      string("solver.linear.options", "\"\"", "PETSc options, with method ksp"),
  };
#undef SECTION
}

static std::vector<SchemaEntry> contact_solver_entries() {
#define SECTION "solver.contact."
  return {keys("solver.contact", "constants of the contact solver"),
          UNBARRED_CONTACT_KEYS(UNBARRED_REAL_ROW, UNBARRED_LIMIT_ROW, UNBARRED_WHOLE_ROW, UNBARRED_WORD_ROW)};
#undef SECTION
}
#undef UNBARRED_REAL_ROW
#undef UNBARRED_LIMIT_ROW
#undef UNBARRED_WHOLE_ROW
#undef UNBARRED_WORD_ROW

static std::vector<SchemaEntry> output_entries() {
  return {
      keys("output", "what is written"),
      string("output.directory", "runs/<name>", "run folder, relative to the current directory"),
      whole("output.every", "1", count_from_0, "steps between frames; 0: none"),
      one_of("output.format", "pvtu|!vtkhdf", "pvtu", "format of the frames"),
      one_of(
          "output.fields",
          "displacement|velocity|global_id|body|cauchy_stress|von_mises|deformation_jacobian|material|rank|"
          "contact_force|friction_force|contact_pressure|gap",
          "[]",
          "arrays of the frames; none: all. The last four only with contact; gap (m) is NaN where a vertex has no pair",
          0, 13),
      one_of("output.contacts", "false|true", "false", "contact pairs as lines: frames/<name>_contacts.pvd"),
      keys("output.checkpoint", "checkpoints: whichever of the three is due first; one more at the end"),
      whole("output.checkpoint.steps", "100", count_from_0, "steps between checkpoints; 0: not by steps"),
      real("output.checkpoint.wall", "s", "0", not_negative, "wall time between checkpoints; 0: not by it"),
      real("output.checkpoint.time", "s", "0", not_negative, "simulated time between checkpoints; 0: not by it"),
  };
}

std::vector<SchemaEntry> run_entries() {
  std::vector<SchemaEntry> all;
  for (const auto& part : {contact_entries(), solver_entries(), contact_solver_entries(), output_entries()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace unbarred
