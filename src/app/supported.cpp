#include "app/supported.hpp"

namespace unbarred {

void refuse_what_is_not_yet(const Scene& scene) {
  if (scene.not_yet.empty()) return;
  std::string text = "`" + scene.not_yet[0].key + "` is not supported yet";
  for (std::size_t i = 1; i < scene.not_yet.size(); ++i)
    text += "; nor is `" + scene.not_yet[i].key + "` (" + to_string(scene.not_yet[i].place) + ")";
  throw bad_input(scene.not_yet[0].place, text);
}

}  // namespace unbarred
