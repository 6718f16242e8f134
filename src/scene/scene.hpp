#pragma once
// The scene after reading: plain values in SI units, every default filled in, every number checked.
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"

namespace unbarred {

enum class MaterialModel { stable_neo_hookean, neo_hookean, corotated };

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
  Place place;                                   ///< in the scene file, for errors found later
  std::filesystem::path file;                    ///< resolved against the scene's folder; empty for a generator
  Real scale = 1;                                ///< multiplies coordinates
  std::string generator;                         ///< "box", "ball", "rod", ...; empty for a file
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
  Vec3 velocity{{0, 0, 0}};  ///< at the start, m/s
  RepeatSpec repeat;
};

/// A surface without a volume: it stands still, or goes where a motion tells it, whatever touches it.
struct ObstacleSpec {
  std::string name;
  MeshSpec mesh;  ///< triangles
  Placement place;
};

/// Vertices of a body at rest, placed. Everything of the body when no shape is given.
struct Selection {
  enum class Shape { all, box, sphere, plane, cylinder } shape = Shape::all;
  Vec3 lower{{0, 0, 0}}, upper{{0, 0, 0}};   ///< box
  Vec3 center{{0, 0, 0}};                    ///< sphere; a point of the plane; start of the cylinder axis
  Vec3 direction{{0, 0, 1}};                 ///< outward normal of the plane (selects x with (x-center).n <= 0); cylinder axis with its length
  Real radius = 0;                           ///< sphere, cylinder
};

struct MoveSpec {
  enum class Kind { fixed, velocity, rotate, scale } kind = Kind::fixed;
  Vec3 velocity{{0, 0, 0}};  ///< m/s
  Vec3 axis{{0, 0, 1}};      ///< rotate
  Vec3 center{{0, 0, 0}};    ///< rotate, scale; m
  Real rate = 0;             ///< rotate: degrees/s; scale: factor a second (linear: 1 + rate (t - from))
};

struct MotionSpec {
  std::string name;
  Place place;
  int body = 0;  ///< number in Scene::bodies; obstacle o has number bodies.size() + o
  Selection select;
  std::array<bool, 3> axes{true, true, true};
  MoveSpec move;
  Real from = 0;       ///< s; before it and after `to` the selection is free (of an obstacle: stands still)
  Real to = 1e300;     ///< s
};

struct LinearSpec {
  enum class Method { pcg, ksp } method = Method::pcg;
  Real tolerance = 1e-4;       ///< on sqrt(r . P^-1 r) relative to its start
  int maximum_iterations = 10000;
  std::string options;         ///< PETSc options, method ksp
};

struct SolverSpec {
  int minimum_iterations = 2;     ///< Newton iterations a step, at least
  int maximum_iterations = 500;
  Real newton_tolerance = 1e-6;   ///< of the residual, relative to the sum of its terms' sizes
  LinearSpec linear;
};

struct OutputSpec {
  std::filesystem::path directory;  ///< default runs/<scene name>
  int every = 1;                    ///< steps between frames; frame 0 is the start; 0: none
  std::vector<std::string> fields;  ///< subset of the arrays; empty: all
  int checkpoint_steps = 100;       ///< steps between checkpoints; 0: only at the end
};

struct Scene {
  std::string name;
  std::filesystem::path file;
  Real time_step = 0;  ///< s
  Real end_time = 0;   ///< s
  Vec3 gravity{{0, 0, 0}};  ///< m/s^2
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<ObstacleSpec> obstacles;
  std::vector<MotionSpec> motions;
  SolverSpec solver;
  OutputSpec output;
  std::string resolved_yaml;  ///< used_scene.yaml: runs again as it is
};

}  // namespace unbarred
