// Contact, solver and output: sections that say how a scene is computed.
#include <optional>

#include "io/scene/scene_parts.hpp"

namespace unbarred {

namespace {

/// Materials, then obstacles: what a pair with its own friction is named by.
std::vector<std::string> surface_names(const Scene& scene) {
  std::vector<std::string> names = names_of(scene.materials);
  for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.name);
  return names;
}

std::optional<int> number_of(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return std::nullopt;
}

/// "rubber-steel": names may hold dashes themselves, so every dash is tried.
FrictionPair read_friction_pair(const std::string& key, const SceneValue& value,
                                const std::vector<std::string>& names) {
  std::optional<FrictionPair> found;
  for (std::size_t dash = key.find('-'); dash != std::string::npos; dash = key.find('-', dash + 1)) {
    const auto a = number_of(names, key.substr(0, dash)), b = number_of(names, key.substr(dash + 1));
    if (!a || !b) continue;
    if (found) throw bad_input(value.place, "`" + key + "` can be read as two different pairs: rename a material");
    found = FrictionPair{*a, *b, value.number("friction")};
  }
  if (found) return *found;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw bad_input(value.place, "`" + key + "` is no pair of materials or obstacles, as rubber-steel; known: " + list);
}

PreconditionerKind read_preconditioner(const SceneValue& linear, LinearSpec::Method method, Preset preset) {
  const std::string& word = linear.word("preconditioner");
  const bool of_petsc = word == "petsc", is_ksp = method == LinearSpec::Method::ksp;
  if (word != "auto" && of_petsc != is_ksp)
    throw bad_input(linear.at("preconditioner").place,
                    "the preconditioner `" + word + "` needs `method: " + (of_petsc ? "ksp" : "pcg") + "`");
  if (is_ksp) return PreconditionerKind::petsc;
  if (word == "two_level") return PreconditionerKind::two_level;
  return word == "block_jacobi" || preset == Preset::published ? PreconditionerKind::block_jacobi
                                                               : PreconditionerKind::automatic;
}

}  // namespace

ContactSpec read_contact(const SceneValue& value, const Scene& scene) {
  ContactSpec contact;
  contact.offset = value.number("offset");
  contact.friction = value.number("friction");
  if (value.find("friction_velocity")) contact.friction_velocity = value.number("friction_velocity");
  const bool lagged = value.word("friction_lagging") == "step";
  contact.friction_lagging = lagged ? ContactSpec::Lagging::step : ContactSpec::Lagging::iteration;
  const std::vector<std::string> surfaces = surface_names(scene);
  std::vector<std::string> bodies = names_of(scene.bodies);
  for (const ObstacleSpec& obstacle : scene.obstacles) bodies.push_back(obstacle.name);
  for (const auto& [key, pair] : value.at("pairs").children) {
    if (pair.entry->type != ValueType::pairs) {
      contact.pairs.push_back(read_friction_pair(key, pair, surfaces));
      continue;
    }
    for (std::size_t i = 0; i + 1 < pair.words.size(); i += 2)
      contact.none.push_back({find_name(bodies, pair.words[i], "body or obstacle", pair.place),
                              find_name(bodies, pair.words[i + 1], "body or obstacle", pair.place)});
  }
  return contact;
}

// The rows of scene/solver_keys.hpp.
#define UNBARRED_READ_REAL(member, unit, range, accurate, published, meaning) keys.member = value.number(#member);
#define UNBARRED_READ_WHOLE(member, range, accurate, published, meaning) keys.member = value.integer(#member);
#define UNBARRED_READ_WORD(member, Type, first, second, accurate, published, meaning) \
  keys.member = value.word(#member) == #first ? Keys::Type::first : Keys::Type::second;

static void read_keys(const SceneValue& value, SolverKeys& keys) {
  using Keys = SolverKeys;
  UNBARRED_SOLVER_KEYS(UNBARRED_READ_REAL, UNBARRED_READ_REAL, UNBARRED_READ_WHOLE, UNBARRED_READ_WORD)
}

static void read_keys(const SceneValue& value, ContactConstants& keys) {
  using Keys = ContactConstants;
  UNBARRED_CONTACT_KEYS(UNBARRED_READ_REAL, UNBARRED_READ_REAL, UNBARRED_READ_WHOLE, UNBARRED_READ_WORD)
}
#undef UNBARRED_READ_REAL
#undef UNBARRED_READ_WHOLE
#undef UNBARRED_READ_WORD

SolverSpec read_solver(const SceneValue& value) {
  SolverSpec solver;
  solver.preset = value.word("preset") == "published" ? Preset::published : Preset::accurate;
  read_keys(value, solver);
  if (solver.minimum_iterations > solver.maximum_iterations)
    throw bad_input(value.at("minimum_iterations").place,
                    "`minimum_iterations` must not be above `maximum_iterations`");
  // No run takes what is not in the list (Scene::not_yet).
  const auto filter = choice_of<StepFilterKind>(value.word("step_filter"), step_filter_words);
  if (filter) solver.step_filter = *filter;
  const SceneValue& linear = value.at("linear");
  solver.linear.method = linear.word("method") == "ksp" ? LinearSpec::Method::ksp : LinearSpec::Method::pcg;
  solver.linear.preconditioner = read_preconditioner(linear, solver.linear.method, solver.preset);
  solver.linear.tolerance = linear.number("tolerance");
  solver.linear.maximum_iterations = linear.integer("maximum_iterations");
  solver.linear.options = linear.word("options");
  read_keys(value.at("contact"), solver.contact);
  return solver;
}

OutputSpec read_output(const SceneValue& value) {
  OutputSpec output;
  output.directory = value.word("directory");
  output.every = value.integer("every");
  output.fields = value.at("fields").words;
  output.contacts = value.word("contacts") == "true";
  const SceneValue& checkpoint = value.at("checkpoint");
  output.checkpoint_steps = checkpoint.integer("steps");
  output.checkpoint_wall = checkpoint.number("wall");
  output.checkpoint_time = checkpoint.number("time");
  return output;
}

}  // namespace unbarred
