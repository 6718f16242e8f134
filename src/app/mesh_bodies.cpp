#include "app/mesh_bodies.hpp"

#include <algorithm>

namespace unbarred {

std::vector<std::string> mesh_body_names(const Scene& scene, const std::vector<int>& scene_body) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < scene_body.size(); ++b) {
    const auto body = static_cast<std::size_t>(scene_body[b]);
    if (body >= scene.bodies.size()) {
      names.push_back(scene.obstacles[body - scene.bodies.size()].name);
      continue;
    }
    const auto [first, end] = std::equal_range(scene_body.begin(), scene_body.end(), scene_body[b]);
    const auto number = static_cast<std::ptrdiff_t>(b) - (first - scene_body.begin());
    names.push_back(scene.bodies[body].name + (end - first > 1 ? "[" + std::to_string(number) + "]" : ""));
  }
  return names;
}

std::vector<std::pair<std::int32_t, std::int32_t>> mesh_body_pairs(const std::vector<std::array<int, 2>>& scene_pairs,
                                                                   const Scene& scene, const std::vector<int>& bodies) {
  std::vector<std::vector<std::int32_t>> copies(scene.bodies.size() + scene.obstacles.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    copies[static_cast<std::size_t>(bodies[b])].push_back(static_cast<std::int32_t>(b));
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const auto& [first, second] : scene_pairs)
    for (const std::int32_t a : copies[static_cast<std::size_t>(first)])
      for (const std::int32_t b : copies[static_cast<std::size_t>(second)]) pairs.emplace_back(a, b);
  return pairs;
}

}  // namespace unbarred
