#include "app/bench/accuracy_request.hpp"

#include <charconv>

#include "core/error.hpp"

namespace unbarred {

namespace {

constexpr int most_steps = 1'000'000;

Error refused(const std::string& what) { return {ExitCode::bad_input, "bench accuracy: " + what}; }

int number_in(const std::string& word, std::size_t equals) {
  int number = 0;
  const char *begin = word.data() + equals + 1, *end = word.data() + word.size();
  const auto [rest, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc() || rest != end || number < 1 || number > most_steps)
    throw refused("`" + word + "` is not understood; use " + word.substr(0, equals) +
                  "=N with 1 <= N <= " + std::to_string(most_steps));
  return number;
}

/// At the commas outside of brackets: "[0, 1],[2, 3]" are two values.
std::vector<std::string> values_in(const std::string& list) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char c : list) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) values.emplace_back();
    else values.back() += c;
  }
  return values;
}

/// "KEY=A,B" becomes "KEY=A", "KEY=B".
void add_settings(const std::string& variation, std::vector<std::string>& settings) {
  const std::size_t equals = variation.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw refused("`vary=" + variation + "` is not understood; use vary=KEY=VALUE,VALUE,...");
  for (const std::string& value : values_in(variation.substr(equals + 1)))
    settings.push_back(variation.substr(0, equals + 1) + value);
}

/// In place of an earlier one of the same key.
void put(const std::string& override_text, std::vector<std::string>& overrides) {
  const std::string key = override_text.substr(0, override_text.find('=') + 1);
  std::erase_if(overrides, [&](const std::string& earlier) { return earlier.starts_with(key); });
  overrides.push_back(override_text);
}

}  // namespace

AccuracyRequest parse_accuracy_request(const std::vector<std::string>& words) {
  if (words.empty()) throw refused("name a scene: unbarred bench accuracy SCENE");
  AccuracyRequest request;
  request.scene = words.front();
  // The preset `published` does not end steps in balance, whatever their accuracy.
  request.reference = {"solver.preset=accurate", "solver.accuracy=1e-4", "solver.linear.tolerance=1e-6"};
  bool varied = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "steps") request.steps = number_in(word, equals);
    else if (name == "states") request.states = number_in(word, equals);
    else if (name == "reference") put(value, request.reference);
    else if (name == "csv") request.csv = value;
    else if (name != "vary") request.overrides.push_back(word);
    else if (value != "none") add_settings(value, request.settings);
    varied |= name == "vary";
  }
  if (!varied) add_settings("solver.accuracy=0.1,0.03,0.01,0.003", request.settings);
  if (request.states > request.steps)
    throw refused("states=" + std::to_string(request.states) + " is more than steps=" + std::to_string(request.steps) +
                  ": each is the start of another step of the reference");
  return request;
}

std::string accuracy_usage() {
  return R"(bench accuracy SCENE [key=value ...]: error against a converged reference, and what a step costs.
  vary=KEY=A,B,...     settings beside the scene as it is; default solver.accuracy=0.1,0.03,0.01,0.003; none: no other
  reference=KEY=VALUE  of the reference; before it: solver.preset=accurate, .accuracy=1e-4, .linear.tolerance=1e-6
  steps=N              default 30
  states=K             one step from each of K states of the reference's N steps, instead of N steps from the start
  csv=FILE             default runs/NAME_accuracy.csv; scripts/plot_accuracy.py draws it
  other key=value      override the scene, as in `run`, for all
Errors, over the vertices of bodies, after the last step (states: the largest of all; file: after every step):
  displacement  rms |x - reference| / rms |reference - x at the start, or of the step|
  velocity      rms |v - reference| / rms |reference|
  force         norm of the difference of the contact forces on bodies, a sum each / norm of the reference's
CPU seconds are those of all ranks and threads, waiting included: set OMP_NUM_THREADS. Not with PETSc's solvers.)";
}

}  // namespace unbarred
