#pragma once
// From resolved values to the parts of a Scene. All throw Error(bad_input) at the value that is wrong; `scene` holds
// times, materials, bodies and obstacles already.
#include "io/scene/scene_value.hpp"

namespace unbarred {

/// Number of `name` among `known`; throws at `place`, naming the nearest.
int find_name(const std::vector<std::string>& known, const std::string& name, const char* kind, const Place& place);

template <class T>
std::vector<std::string> names_of(const std::vector<T>& all) {
  std::vector<std::string> names;
  for (const T& item : all) names.push_back(item.name);
  return names;
}

template <class T>
int find_by_name(const std::vector<T>& all, const std::string& name, const char* kind, const Place& place) {
  return find_name(names_of(all), name, kind, place);
}

/// A vector that is not zero.
Vec3 direction(const SceneValue& section, const char* key);

MotionSpec read_motion(const std::string& name, const SceneValue& value, const Scene& scene);
PressureSpec read_pressure(const std::string& name, const SceneValue& value, const Scene& scene);
SpringSpec read_spring(const std::string& name, const SceneValue& value, const Scene& scene);
ContactSpec read_contact(const SceneValue& value, const Scene& scene);
SolverSpec read_solver(const SceneValue& value);
OutputSpec read_output(const SceneValue& value);

}  // namespace unbarred
