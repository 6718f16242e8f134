#include "io/scene_reader.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "io/nearest.hpp"
#include "io/scene_value.hpp"

namespace unbarred {

namespace {

/// Number of the thing called `name` in `all`; throws at `place`, naming the nearest.
template <class T>
int find_by_name(const std::vector<T>& all, const std::string& name, const char* kind, const Place& place) {
  std::vector<std::string> known;
  for (const T& item : all) {
    if (item.name == name) return static_cast<int>(known.size());
    known.push_back(item.name);
  }
  std::string list;
  for (const std::string& other : known) list += (list.empty() ? "" : ", ") + other;
  const std::string near = suggestion(name, known);
  throw bad_input(place,
                  std::string("unknown ") + kind + " `" + name + "`" + (near.empty() ? "; known: " + list : near));
}

Vec3 direction(const SceneValue& section, const char* key) {
  const Vec3 axis = section.vector(key);
  if (!(squared_norm(axis) > 0))
    throw bad_input(section.at(key).place, std::string("`") + key + "` has no direction: it must not be zero");
  return axis;
}

MaterialSpec read_material(const std::string& name, const SceneValue& value) {
  MaterialSpec material;
  material.name = name;
  const std::string& model = value.word("model");
  material.model = model == "neo_hookean" ? MaterialModel::neo_hookean
                   : model == "corotated" ? MaterialModel::corotated
                                          : MaterialModel::stable_neo_hookean;
  material.density = value.number("density");
  material.young = value.number("young");
  material.poisson = value.number("poisson");
  return material;
}

MeshSpec read_mesh(const SceneValue& value) {
  MeshSpec mesh;
  mesh.place = value.place;
  const auto& [kind, source] = *value.alternative();
  if (kind == "file") {
    mesh.file = source.words[0];
  } else {
    mesh.generator = kind;
    for (const auto& [key, parameter] : source.children) mesh.parameters[key] = parameter.numbers;
  }
  mesh.scale = value.number("scale");
  return mesh;
}

BodySpec read_body(const std::string& name, const SceneValue& value, const std::vector<MaterialSpec>& materials) {
  BodySpec body;
  body.name = name;
  body.mesh = read_mesh(value.at("mesh"));
  body.material = find_by_name(materials, value.word("material"), "material", value.at("material").place);
  const SceneValue& place = value.at("place");
  body.place.axis = direction(place.at("rotate"), "axis");
  body.place.degrees = place.at("rotate").number("degrees");
  body.place.translate = place.vector("translate");
  body.velocity = value.vector("velocity");
  const SceneValue& repeat = value.at("repeat");
  for (std::size_t axis = 0; axis < 3; ++axis)
    body.repeat.count[axis] = static_cast<int>(repeat.at("count").numbers[axis]);
  body.repeat.spacing = repeat.vector("spacing");
  body.repeat.jitter = repeat.number("jitter");
  body.repeat.seed = static_cast<std::uint64_t>(repeat.number("seed"));
  return body;
}

Selection read_selection(const SceneValue& value) {
  Selection selection;
  if (!value.alternative()) return selection;
  const auto& [shape, numbers] = *value.alternative();
  if (shape == "box") {
    selection.shape = Selection::Shape::box;
    selection.lower = numbers.vector("lower");
    selection.upper = numbers.vector("upper");
    for (int axis = 0; axis < 3; ++axis)
      if (selection.lower[axis] > selection.upper[axis])
        throw bad_input(numbers.place, "`lower` must not be above `upper`");
    return selection;
  }
  selection.center = numbers.vector("center");
  if (shape == "plane") {
    selection.shape = Selection::Shape::plane;
    selection.direction = direction(numbers, "normal");
    return selection;
  }
  selection.radius = numbers.number("radius");
  selection.shape = Selection::Shape::sphere;
  if (shape == "cylinder") {
    selection.shape = Selection::Shape::cylinder;
    selection.direction = direction(numbers, "axis");
  }
  return selection;
}

MoveSpec read_move(const SceneValue& value) {
  MoveSpec move;
  const auto& [kind, numbers] = *value.alternative();
  if (kind == "velocity") {
    move.kind = MoveSpec::Kind::velocity;
    move.velocity = value.vector("velocity");
  } else if (kind == "rotate") {
    move.kind = MoveSpec::Kind::rotate;
    move.axis = direction(numbers, "axis");
    move.center = numbers.vector("center");
    move.rate = numbers.number("degrees_per_second");
  } else if (kind == "scale") {
    move.kind = MoveSpec::Kind::scale;
    move.center = numbers.vector("center");
    move.rate = numbers.number("factor_per_second");
  }
  return move;
}

MotionSpec read_motion(const std::string& name, const SceneValue& value, const std::vector<BodySpec>& bodies) {
  MotionSpec motion;
  motion.name = name;
  motion.place = value.place;
  motion.body = find_by_name(bodies, value.word("body"), "body", value.at("body").place);
  motion.select = read_selection(value.at("select"));
  const auto& axes = value.at("axes").words;
  for (std::size_t axis = 0; axis < 3; ++axis)
    motion.axes[axis] = std::find(axes.begin(), axes.end(), std::string(1, "xyz"[axis])) != axes.end();
  motion.move = read_move(value.at("move"));
  motion.from = value.number("from");
  motion.to = value.number("to");
  if (motion.from >= motion.to) throw bad_input(value.place, "the motion `" + name + "`: `from` must be before `to`");
  return motion;
}

SolverSpec read_solver(const SceneValue& value) {
  SolverSpec solver;
  solver.minimum_iterations = value.integer("minimum_iterations");
  solver.maximum_iterations = value.integer("maximum_iterations");
  if (solver.minimum_iterations > solver.maximum_iterations)
    throw bad_input(value.at("minimum_iterations").place,
                    "`minimum_iterations` must not be above `maximum_iterations`");
  solver.newton_tolerance = value.number("newton_tolerance");
  const SceneValue& linear = value.at("linear");
  solver.linear.method = linear.word("method") == "ksp" ? LinearSpec::Method::ksp : LinearSpec::Method::pcg;
  solver.linear.tolerance = linear.number("tolerance");
  solver.linear.maximum_iterations = linear.integer("maximum_iterations");
  solver.linear.options = linear.word("options");
  return solver;
}

OutputSpec read_output(const SceneValue& value) {
  OutputSpec output;
  output.directory = value.word("directory");
  output.every = value.integer("every");
  output.fields = value.at("fields").words;
  output.checkpoint_steps = value.at("checkpoint").integer("steps");
  return output;
}

/// The defaults that depend on other things than the table.
void fill_in_names(SceneValue& scene, const std::filesystem::path& file, const Node& document) {
  SceneValue& name = *scene.find("name");
  if (!document.find("name")) name.words[0] = file.stem().string();
  const bool usable = !name.words[0].empty() && name.words[0][0] != '.' &&
                      std::all_of(name.words[0].begin(), name.words[0].end(), [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                               c == '_' || c == '-' || c == '.';
                      });
  if (!usable)
    throw bad_input(name.place, "the scene's name `" + name.words[0] +
                                    "` becomes part of file names: use letters, digits, _ - . (`name: my_scene`)");
  SceneValue& directory = *scene.find("output")->find("directory");
  const Node* output = document.find("output");
  if (!output || !output->find("directory")) directory.words[0] = "runs/" + name.words[0];
  if (directory.words[0].empty()) throw bad_input(directory.place, "`output.directory` must not be empty");
}

/// Mesh files become absolute, so that used_scene.yaml runs from any folder.
void resolve_mesh_files(SceneValue& bodies, const std::filesystem::path& folder) {
  for (auto& [name, body] : bodies.children)
    if (SceneValue* file = body.find("mesh")->find("file")) {
      if (file->words[0].empty()) throw bad_input(file->place, "`mesh.file` must name a file");
      file->words[0] = std::filesystem::absolute(folder / file->words[0]).lexically_normal().string();
    }
}

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw bad_input({file.string(), 0, 0}, "this is a folder, not a scene file");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || (text.tellp() == 0 && text.fail()))
    throw bad_input({file.string(), 0, 0}, "cannot read this file: check the path and its permissions");
  return text.str();
}

Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_scene(read_text(file), file, overrides);
}

Scene parse_scene(const std::string& text, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides) {
  Node document = parse_document(text, file.string());
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  SceneValue value = resolve_scene(document);
  fill_in_names(value, file, document);
  resolve_mesh_files(*value.find("bodies"), file.parent_path());

  Scene scene;
  scene.name = value.word("name");
  scene.file = file;
  scene.time_step = value.at("time").number("step");
  scene.end_time = value.at("time").number("end");
  scene.gravity = value.vector("gravity");
  for (const auto& [name, material] : value.at("materials").children)
    scene.materials.push_back(read_material(name, material));
  for (const auto& [name, body] : value.at("bodies").children)
    scene.bodies.push_back(read_body(name, body, scene.materials));
  for (const auto& [name, motion] : value.at("motions").children)
    scene.motions.push_back(read_motion(name, motion, scene.bodies));
  scene.solver = read_solver(value.at("solver"));
  scene.output = read_output(value.at("output"));
  scene.resolved_yaml = write_scene(value);
  return scene;
}

}  // namespace unbarred
