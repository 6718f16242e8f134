#include "io/scene/scene_reader.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "io/scene/scene_parts.hpp"

namespace unbarred {

namespace {

MaterialSpec read_material(const std::string& name, const SceneValue& value) {
  MaterialSpec material;
  material.name = name;
  material.model = *choice_of<MaterialModel>(value.word("model"), material_words);
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

Placement read_placement(const SceneValue& value) {
  Placement place;
  place.axis = direction(value.at("rotate"), "axis");
  place.degrees = value.at("rotate").number("degrees");
  place.translate = value.vector("translate");
  return place;
}

BodySpec read_body(const std::string& name, const SceneValue& value, const std::vector<MaterialSpec>& materials) {
  BodySpec body;
  body.name = name;
  body.mesh = read_mesh(value.at("mesh"));
  body.material = find_by_name(materials, value.word("material"), "material", value.at("material").place);
  body.place = read_placement(value.at("place"));
  body.velocity = value.vector("velocity");
  body.body_force = value.vector("body_force");
  const SceneValue& repeat = value.at("repeat");
  for (std::size_t axis = 0; axis < 3; ++axis)
    body.repeat.count[axis] = static_cast<int>(repeat.at("count").numbers[axis]);
  const auto& count = body.repeat.count;
  if (1.0 * count[0] * count[1] * count[2] > std::numeric_limits<std::int32_t>::max())
    throw bad_input(repeat.at("count").place, "body `" + name + "`: more than 2^31 bodies; lower repeat.count");
  body.repeat.spacing = repeat.vector("spacing");
  body.repeat.jitter = repeat.number("jitter");
  body.repeat.seed = static_cast<std::uint64_t>(repeat.number("seed"));
  body.components = value.word("components") == "true";
  return body;
}

ObstacleSpec read_obstacle(const std::string& name, const SceneValue& value, const std::vector<BodySpec>& bodies) {
  for (const BodySpec& body : bodies)
    if (body.name == name)
      throw bad_input(value.place, "the obstacle `" + name + "` has the name of a body: choose another");
  return {.name = name, .mesh = read_mesh(value.at("mesh")), .place = read_placement(value.at("place"))};
}

/// The defaults that depend on other things than the table.
void fill_in_names(SceneValue& scene, const std::filesystem::path& file, const Node& document) {
  SceneValue& name = *scene.find("name");
  if (!document.find("name")) name.words[0] = file.stem().string();
  const bool usable = !name.words[0].empty() && name.words[0][0] != '.' &&
                      std::all_of(name.words[0].begin(), name.words[0].end(), [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                               c == '-' || c == '.';
                      });
  if (!usable)
    throw bad_input(name.place, "the scene's name `" + name.words[0] +
                                    "` becomes part of file names: use letters, digits, _ - . (`name: my_scene`)");
  SceneValue& directory = *scene.find("output")->find("directory");
  const Node* output = document.find("output");
  if (!output || !output->find("directory")) directory.words[0] = "runs/" + name.words[0];
  if (directory.words[0].empty()) throw bad_input(directory.place, "`output.directory` must not be empty");
}

bool is_given(const Node& document, std::initializer_list<std::string_view> path) {
  const Node* node = &document;
  for (const std::string_view key : path)
    if (node) node = node->find(key);
  return node != nullptr;
}

bool has_friction(const SceneValue& contact) {
  if (contact.number("friction") > 0) return true;
  const auto& pairs = contact.at("pairs").children;
  return std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) {
    return pair.second.entry->type == ValueType::section && pair.second.number("friction") > 0;
  });
}

/// Friction needs more iterations where all motion done ends a step (M24).
void fill_in_solver(SceneValue& scene, const Node& document) {
  SceneValue& solver = *scene.find("solver");
  const SceneValue* contact = scene.find("contact");
  if (contact && has_friction(*contact) && solver.word("step_end") == "motion" &&
      !is_given(document, {"solver", "minimum_iterations"}))
    solver.find("minimum_iterations")->numbers[0] = std::min(6, solver.integer("maximum_iterations"));
}

/// Files become absolute, so that used_scene.yaml runs from any folder.
void resolve_file(SceneValue* file, const char* key, const std::filesystem::path& folder) {
  if (!file) return;
  if (file->words[0].empty()) throw bad_input(file->place, std::string("`") + key + "` must name a file");
  file->words[0] = std::filesystem::absolute(folder / file->words[0]).lexically_normal().string();
}

void resolve_files(SceneValue& scene, const std::filesystem::path& folder) {
  for (const char* kind : {"bodies", "obstacles"})
    for (auto& [name, body] : scene.find(kind)->children)
      resolve_file(body.find("mesh")->find("file"), "mesh.file", folder);
  for (auto& [name, motion] : scene.find("motions")->children)
    resolve_file(motion.find("move")->find("table"), "move.table", folder);
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
  Scene scene;
  SceneValue value = resolve_scene(document, scene.not_yet);
  fill_in_names(value, file, document);
  fill_in_solver(value, document);
  resolve_files(value, file.parent_path());
  scene.name = value.word("name");
  scene.file = file;
  scene.time_step = value.at("time").number("step");
  scene.end_time = value.at("time").number("end");
  constexpr Real most_steps = 1e12;
  if (!(scene.end_time / scene.time_step <= most_steps))
    throw bad_input({file.string()}, "`time.end` is more than 1e12 times `time.step`: the run would never end");
  scene.gravity = value.vector("gravity");
  for (const auto& [name, material] : value.at("materials").children)
    scene.materials.push_back(read_material(name, material));
  for (const auto& [name, body] : value.at("bodies").children)
    scene.bodies.push_back(read_body(name, body, scene.materials));
  for (const auto& [name, obstacle] : value.at("obstacles").children)
    scene.obstacles.push_back(read_obstacle(name, obstacle, scene.bodies));
  for (const auto& [name, motion] : value.at("motions").children)
    scene.motions.push_back(read_motion(name, motion, scene));
  for (const auto& [name, pressure] : value.at("pressures").children)
    scene.pressures.push_back(read_pressure(name, pressure, scene));
  for (const auto& [name, spring] : value.at("springs").children)
    scene.springs.push_back(read_spring(name, spring, scene));
  if (const SceneValue* contact = value.find("contact")) scene.contact = read_contact(*contact, scene);
  scene.solver = read_solver(value.at("solver"));
  scene.output = read_output(value.at("output"));
  scene.resolved_yaml = write_scene(value);
  return scene;
}

}  // namespace unbarred
