#pragma once
// What a scene can choose from, a row each: a new material or step filter is its file and a row here. Reader, words of
// `--describe` and of the command line, and the code that makes them come from these rows.
#include <optional>
#include <string_view>

/// Its type (model/materials.hpp) and its word.
#define UNBARRED_MATERIALS(MATERIAL)             \
  MATERIAL(StableNeoHookean, stable_neo_hookean) \
  MATERIAL(NeoHookean, neo_hookean)              \
  MATERIAL(Corotated, corotated)

/// Its word; make_WORD_filter() makes it (contact/filter/step_filter.hpp).
#define UNBARRED_STEP_FILTERS(FILTER)                                              \
  FILTER(lazy)   /* a fraction a vertex: what nothing is in the way of moves on */ \
  FILTER(global) /* one fraction for all */

namespace unbarred {

#define UNBARRED_MATERIAL_NAME(Type, name) name,
#define UNBARRED_MATERIAL_WORD(Type, name) "|" #name
#define UNBARRED_FILTER_NAME(name) name,
#define UNBARRED_FILTER_WORD(name) "|" #name

enum class MaterialModel { UNBARRED_MATERIALS(UNBARRED_MATERIAL_NAME) };
enum class StepFilterKind { UNBARRED_STEP_FILTERS(UNBARRED_FILTER_NAME) };

/// "a|b|c", in the order of the enumerators.
constexpr std::string_view material_words = std::string_view(UNBARRED_MATERIALS(UNBARRED_MATERIAL_WORD)).substr(1);
constexpr std::string_view step_filter_words = std::string_view(UNBARRED_STEP_FILTERS(UNBARRED_FILTER_WORD)).substr(1);
/// The same, and after a ? those that scenes may name and no run takes yet.
constexpr std::string_view all_step_filter_words =
    std::string_view(UNBARRED_STEP_FILTERS(UNBARRED_FILTER_WORD) "|?planar|?isotropic|?project").substr(1);

#undef UNBARRED_MATERIAL_NAME
#undef UNBARRED_MATERIAL_WORD
#undef UNBARRED_FILTER_NAME
#undef UNBARRED_FILTER_WORD

/// The enumerator of a word of such a list; none for any other word.
template <class Choice>
std::optional<Choice> choice_of(std::string_view word, std::string_view words) {
  for (int number = 0; !words.empty(); ++number) {
    const std::string_view first = words.substr(0, words.find('|'));
    if (first == word) return static_cast<Choice>(number);
    words.remove_prefix(first.size() < words.size() ? first.size() + 1 : first.size());
  }
  return std::nullopt;
}

}  // namespace unbarred
