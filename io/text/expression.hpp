#pragma once
// Numbers as a scene writes them: plain, or $(arithmetic) of the scene's parameters. Independent of the locale.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/types.hpp"

namespace unbarred {

using Parameters = std::map<std::string, Real, std::less<>>;

/// The finite number that all of `text` spells ("0.5", "-1e3"); throws Error(bad_input) at `place`.
Real parse_number(std::string_view text, const Place& place);

/// The shortest decimal text that reads back as the same bits (17 digits at most).
std::string write_number(Real value);

/// Value of an expression: + - * / ^ ( ), unary minus, pi, the functions sqrt sin cos tan exp log abs floor ceil of
/// one argument, min and max of two or more, and parameters, whose names are added to `used`. `place` is that of
/// the first character. Throws Error(bad_input) at the character that is wrong; the result is finite.
Real evaluate_expression(std::string_view text, const Parameters& parameters, const Place& place,
                         std::set<std::string>& used);

/// An expression of the time `t` with its parameters replaced by their numbers, so that it stands alone. Throws like
/// evaluate_expression, but the value may be anything.
std::string formula_of_time(std::string_view text, const Parameters& parameters, const Place& place,
                            std::set<std::string>& used);

/// Value at time t of what formula_of_time() returned. Throws Error(bad_input) when it is not finite.
Real evaluate_formula(const std::string& formula, Real t, const Place& place);

/// True when `name` would hide a function or constant of expressions.
bool is_expression_word(std::string_view name);

}  // namespace unbarred
