#include "io/text/nearest.hpp"

#include <algorithm>

namespace unbarred {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({replace, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 100;  // the table is quadratic in the length
  std::string best;
  int least = static_cast<int>(longest);
  if (name.size() > longest) return best;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate.substr(0, longest));
    const auto alike = static_cast<int>(std::max(name.size(), candidate.size()) / 2);
    if (distance < least && distance <= alike) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? "" : ", did you mean `" + best + "`?";
}

}  // namespace unbarred
