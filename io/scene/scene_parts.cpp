#include "io/scene/scene_parts.hpp"

#include <algorithm>

#include "io/text/expression.hpp"
#include "io/text/nearest.hpp"

namespace unbarred {

namespace {

Selection read_selection(const SceneValue& value) {
  Selection selection;
  if (!value.alternative()) return selection;
  const auto& [shape, numbers] = *value.alternative();
  if (shape == "region") {
    selection.shape = Selection::Shape::region;
    selection.region = numbers.words[0];
    return selection;
  }
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

std::array<std::function<Real(Real)>, 3> read_expression(const SceneValue& value) {
  std::array<std::function<Real(Real)>, 3> components;
  for (std::size_t axis = 0; axis < 3; ++axis)
    components[axis] = [formula = value.words[axis], place = value.place](Real t) {
      return evaluate_formula(formula, t, place);
    };
  return components;
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
  } else if (kind == "table") {
    move.kind = MoveSpec::Kind::table;
    move.file = numbers.words[0];
  } else if (kind == "expression") {
    move.kind = MoveSpec::Kind::expression;
    move.expression = read_expression(numbers);
  }
  return move;
}

void read_window(const SceneValue& value, const std::string& what, Real& from, Real& to) {
  from = value.number("from");
  to = value.number("to");
  if (from >= to) throw bad_input(value.place, what + ": `from` must be before `to`");
}

}  // namespace

int find_name(const std::vector<std::string>& known, const std::string& name, const char* kind, const Place& place) {
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == name) return static_cast<int>(i);
    list += (list.empty() ? "" : ", ") + known[i];
  }
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

MotionSpec read_motion(const std::string& name, const SceneValue& value, const Scene& scene) {
  MotionSpec motion;
  motion.name = name;
  motion.place = value.place;
  std::vector<std::string> known = names_of(scene.bodies);
  for (const ObstacleSpec& obstacle : scene.obstacles) known.push_back(obstacle.name);
  const SceneValue& body = value.at("body");
  motion.body = find_name(known, body.words[0], scene.obstacles.empty() ? "body" : "body or obstacle", body.place);
  motion.select = read_selection(value.at("select"));
  if (motion.select.shape == Selection::Shape::region && motion.body >= static_cast<int>(scene.bodies.size()))
    throw bad_input(value.at("select").place, "`" + known[motion.body] + "` is an obstacle: it has no regions");
  const auto& axes = value.at("axes").words;
  for (std::size_t axis = 0; axis < 3; ++axis)
    motion.axes[axis] = std::find(axes.begin(), axes.end(), std::string(1, "xyz"[axis])) != axes.end();
  motion.move = read_move(value.at("move"));
  read_window(value, "the motion `" + name + "`", motion.from, motion.to);
  const Real last = std::min(motion.to, scene.end_time) - motion.from;
  if (motion.move.kind == MoveSpec::Kind::scale && last > 0 && !(1 + motion.move.rate * last > 0))
    throw bad_input(value.place, "the motion `" + name + "` scales to nothing at t = " +
                                     write_number(motion.from - 1 / motion.move.rate) + " s: end it with `to` before");
  return motion;
}

PressureSpec read_pressure(const std::string& name, const SceneValue& value, const Scene& scene) {
  PressureSpec pressure;
  pressure.name = name;
  pressure.place = value.place;
  pressure.body = find_by_name(scene.bodies, value.word("body"), "body", value.at("body").place);
  pressure.select = read_selection(value.at("select"));
  pressure.pressure = value.number("pressure");
  read_window(value, "the pressure `" + name + "`", pressure.from, pressure.to);
  return pressure;
}

SpringSpec read_spring(const std::string& name, const SceneValue& value, const Scene& scene) {
  SpringSpec spring;
  spring.name = name;
  spring.place = value.place;
  spring.body = find_by_name(scene.bodies, value.word("body"), "body", value.at("body").place);
  spring.select = read_selection(value.at("select"));
  spring.stiffness = value.number("stiffness");
  if (value.at("rest").find("point")) spring.point = value.at("rest").vector("point");
  return spring;
}

}  // namespace unbarred
