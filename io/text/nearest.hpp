#pragma once
// "did you mean ...?" for misspelt names.
#include <string>
#include <string_view>
#include <vector>

namespace unbarred {

/// Letters to insert, delete, replace or swap with their neighbor to turn a into b.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, the first of several; "" when none is like it at all.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// ", did you mean `x`?" or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace unbarred
