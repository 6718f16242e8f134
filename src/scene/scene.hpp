#pragma once
// The scene after reading: plain values in SI units, every default filled in, every number checked.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"
#include "scene/choices.hpp"
#include "scene/solver_keys.hpp"

namespace unbarred {

struct MaterialSpec {
  std::string name;
  MaterialModel model = MaterialModel::stable_neo_hookean;
  Real density = 0;  ///< kg/m^3
  Real young = 0;    ///< Pa
  Real poisson = 0;
};

/// Where the tetrahedra of a body, or the triangles of an obstacle, come from: a mesh file, or a generator with its
/// numbers.
struct MeshSpec {
  Place place;                                          ///< in the scene file, for errors found later
  std::filesystem::path file;                           ///< resolved against the scene's folder; empty for a generator
  Real scale = 1;                                       ///< multiplies coordinates
  std::string generator;                                ///< "box", "ball", "rod", ...; empty for a file
  std::map<std::string, std::vector<Real>> parameters;  ///< of the generator, by name, defaults filled in
};

/// Rotation about the origin first, then translation.
struct Placement {
  Vec3 axis{{0, 0, 1}};
  Real degrees = 0;
  Vec3 translate{{0, 0, 0}};  ///< m
};

struct RepeatSpec {
  std::array<int, 3> count{1, 1, 1};
  Vec3 spacing{{0, 0, 0}};  ///< m
  Real jitter = 0;          ///< largest random shift a coordinate, m
  std::uint64_t seed = 0;
};

struct BodySpec {
  std::string name;
  MeshSpec mesh;
  int material = 0;  ///< number in Scene::materials
  Placement place;
  Vec3 velocity{{0, 0, 0}};    ///< at the start, m/s
  Vec3 body_force{{0, 0, 0}};  ///< N/m^3 of the volume at rest
  RepeatSpec repeat;
  bool components = false;  ///< every connected component of a copy is a body of the mesh
};

/// A surface without a volume: it stands still, or goes where a motion tells it, whatever touches it.
struct ObstacleSpec {
  std::string name;
  MeshSpec mesh;  ///< triangles
  Placement place;
};

/// Vertices of a body at rest, placed. Everything of the body when no shape is given.
struct Selection {
  enum class Shape { all, box, sphere, plane, cylinder, region } shape = Shape::all;
  Vec3 lower{{0, 0, 0}}, upper{{0, 0, 0}};  ///< box
  Vec3 center{{0, 0, 0}};                   ///< sphere; a point of the plane; start of the cylinder axis
  Vec3 direction{{0, 0, 1}};  ///< normal n of the plane: (x - center) . n <= 0; or cylinder axis, full length
  Real radius = 0;            ///< sphere, cylinder
  std::string region;         ///< name in the mesh file: vertices of its tetrahedra
};

/// Displacements at ascending times; linear between them, constant before the first and after the last.
struct MotionTable {
  std::vector<Real> times;          ///< s
  std::vector<Vec3> displacements;  ///< m
};

/// Of tables and expressions only the change of the displacement since `from` counts: no motion starts with a jump.
struct MoveSpec {
  enum class Kind { fixed, velocity, rotate, scale, table, expression } kind = Kind::fixed;
  Vec3 velocity{{0, 0, 0}};    ///< m/s
  Vec3 axis{{0, 0, 1}};        ///< rotate
  Vec3 center{{0, 0, 0}};      ///< rotate, scale; m
  Real rate = 0;               ///< rotate: degrees/s; scale: factor a second (linear: 1 + rate (t - from))
  std::filesystem::path file;  ///< table, resolved against the scene's folder; read into `table` by the program
  MotionTable table;
  /// expression: displacement along x, y, z at time t, m. Throws Error(bad_input) when it is no finite number.
  std::array<std::function<Real(Real)>, 3> expression;
};

struct MotionSpec {
  std::string name;
  Place place;
  int body = 0;  ///< number in Scene::bodies; obstacle o has number bodies.size() + o
  Selection select;
  std::array<bool, 3> axes{true, true, true};
  MoveSpec move;
  Real from = 0;    ///< s; before it and after `to` the selection is free (of an obstacle: stands still)
  Real to = 1e300;  ///< s
};

/// Pressure on the boundary of a body; it acts along the current normal.
struct PressureSpec {
  std::string name;
  Place place;
  int body = 0;               ///< number in Scene::bodies
  Selection select;           ///< triangles of the boundary whose three vertices are selected
  Real pressure = 0;          ///< Pa; > 0 pushes inwards
  Real from = 0, to = 1e300;  ///< s: acts in steps that end in (from, to]
};

/// Springs from vertices to points that stay.
struct SpringSpec {
  std::string name;
  Place place;
  int body = 0;  ///< number in Scene::bodies
  Selection select;
  Real stiffness = 0;         ///< N/m, of all springs together; each vertex has the share that it has in their mass
  std::optional<Vec3> point;  ///< m; none: every vertex its own place at the start
};

struct FrictionPair {
  int a = 0, b = 0;  ///< numbers in Scene::materials; obstacle o has number materials.size() + o
  Real friction = 0;
};

struct ContactSpec {
  enum class Lagging { iteration, step };
  Real offset = 0;    ///< delta, m
  Real friction = 0;  ///< of pairs that `pairs` does not name
  /// epsilon_v, m/s; none: 1e-3 of the diagonal of the box around the bodies at the start, a second
  std::optional<Real> friction_velocity;
  Lagging friction_lagging = Lagging::iteration;
  std::vector<FrictionPair> pairs;
  std::vector<std::array<int, 2>> none;  ///< bodies (or obstacles: bodies.size() + o) that pass through each other
};

enum class Preset { accurate, published };
enum class PreconditionerKind { automatic, block_jacobi, two_level, petsc };

struct LinearSpec {
  enum class Method { pcg, ksp } method = Method::pcg;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  Real tolerance = 1e-4;  ///< on sqrt(r . P^-1 r) relative to its start
  int maximum_iterations = 10000;
  std::string options;  ///< PETSc options, method ksp
};

struct SolverSpec : SolverKeys {
  Preset preset = Preset::accurate;
  StepFilterKind step_filter = StepFilterKind::lazy;
  LinearSpec linear;
  ContactConstants contact;
};

struct OutputSpec {
  std::filesystem::path directory;  ///< default runs/<scene name>
  int every = 1;                    ///< steps between frames; frame 0 is the start; 0: none
  std::vector<std::string> fields;  ///< subset of the arrays; empty: all
  bool contacts = false;            ///< contact pairs as lines
  int checkpoint_steps = 100;       ///< steps between checkpoints; 0: no such rule
  Real checkpoint_wall = 0;         ///< wall time between checkpoints, s; 0: no such rule
  Real checkpoint_time = 0;         ///< simulated time between checkpoints, s; 0: no such rule
};

/// A key that was given, understood and kept, but that the program does not carry out yet.
struct NotYet {
  Place place;
  std::string key;
};

struct Scene {
  std::string name;
  std::filesystem::path file;
  Real time_step = 0;       ///< s
  Real end_time = 0;        ///< s
  Vec3 gravity{{0, 0, 0}};  ///< m/s^2
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<ObstacleSpec> obstacles;
  std::vector<MotionSpec> motions;
  std::vector<PressureSpec> pressures;
  std::vector<SpringSpec> springs;
  std::optional<ContactSpec> contact;
  SolverSpec solver;
  OutputSpec output;
  std::vector<NotYet> not_yet;  ///< what `run` refuses and `check` notes
  /// What move_to_local_origin() has subtracted from every position below; output adds it again. m
  Vec3 origin{{0, 0, 0}};
  std::string resolved_yaml;  ///< used_scene.yaml: runs again as it is
};

}  // namespace unbarred
