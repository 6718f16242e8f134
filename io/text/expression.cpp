#include "io/text/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "io/text/nearest.hpp"

namespace unbarred {

namespace {

struct Function {
  std::string_view name;
  Real (*apply)(Real);
};

constexpr Function functions[] = {
    {"sqrt", [](Real x) { return std::sqrt(x); }}, {"sin", [](Real x) { return std::sin(x); }},
    {"cos", [](Real x) { return std::cos(x); }},   {"tan", [](Real x) { return std::tan(x); }},
    {"exp", [](Real x) { return std::exp(x); }},   {"log", [](Real x) { return std::log(x); }},
    {"abs", [](Real x) { return std::abs(x); }},   {"floor", [](Real x) { return std::floor(x); }},
    {"ceil", [](Real x) { return std::ceil(x); }},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Recursive descent: sum <- product <- sign <- power <- atom. Powers bind tighter than the sign before them
/// (-2^2 = -4) and to the right (2^3^2 = 512).
class ExpressionParser {
 public:
  /// A parameter in the text.
  struct Use {
    std::size_t begin, end;
    Real value;
    std::string name;
  };

  ExpressionParser(std::string_view text, const Parameters& parameters, const Place& place, std::set<std::string>& used)
      : text_(text), parameters_(parameters), place_(place), used_(used) {}

  Real all() {
    const Real value = sum();
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected `" + std::string(1, text_[at_]) + "`");
    return value;
  }
  const std::vector<Use>& uses() const { return uses_; }

 private:
  static constexpr int deepest = 200;

  Real sum() {
    if (++depth_ > deepest) fail("the expression is nested too deeply");
    Real value = product();
    for (;;) {
      if (accept('+')) value += product();
      else if (accept('-')) value -= product();
      else break;
    }
    --depth_;
    return value;
  }

  Real product() {
    Real value = sign();
    for (;;) {
      if (accept('*')) value *= sign();
      else if (accept('/')) value /= sign();
      else return value;
    }
  }

  Real sign() {
    bool negative = false;
    for (;;) {
      if (accept('-')) negative = !negative;
      else if (!accept('+')) break;
    }
    const Real value = power();
    return negative ? -value : value;
  }

  Real power() {
    const Real base = atom();
    if (!accept('^')) return base;
    if (++depth_ > deepest) fail("the expression is nested too deeply");
    const Real exponent = sign();
    --depth_;
    return std::pow(base, exponent);
  }

  Real atom() {
    skip_spaces();
    if (at_ >= text_.size()) fail("the expression ends too early");
    if (accept('(')) {
      const Real value = sum();
      require(')');
      return value;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return word();
    fail("unexpected `" + std::string(1, text_[at_]) + "`");
  }

  Real number() {
    Real value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status != std::errc()) fail("this is not a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  Real word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (name == "min" || name == "max") return extreme(name == "max");
    if (const auto* function =
            std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
        function != std::end(functions)) {
      require('(');
      const Real argument = sum();
      require(')');
      return function->apply(argument);
    }
    if (name == "pi") return M_PI;
    if (const auto parameter = parameters_.find(name); parameter != parameters_.end()) {
      used_.insert(name);
      uses_.push_back({start, at_, parameter->second, name});
      return parameter->second;
    }
    at_ = start;
    fail_unknown(name);
  }

  Real extreme(bool largest) {
    require('(');
    Real value = sum();
    require(',');
    do {
      const Real next = sum();
      value = largest ? std::max(value, next) : std::min(value, next);
    } while (accept(','));
    require(')');
    return value;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void require(char c) {
    if (!accept(c)) fail(std::string("`") + c + "` expected here");
  }

  [[noreturn]] void fail_unknown(const std::string& name) const {
    std::vector<std::string> known{"pi", "min", "max"};
    for (const Function& function : functions) known.emplace_back(function.name);
    for (const auto& [parameter, value] : parameters_) known.push_back(parameter);
    const std::string near = suggestion(name, known);
    fail("unknown parameter or function `" + name + "`" +
         (near.empty() ? "; parameters are defined under `parameters`, above their use" : near));
  }
  [[noreturn]] void fail(const std::string& message) const {
    Place at = place_;
    if (at.column > 0) at.column += static_cast<int>(at_);
    throw bad_input(at, "in `$(" + std::string(text_) + ")`: " + message);
  }

  std::string_view text_;
  const Parameters& parameters_;
  const Place& place_;
  std::set<std::string>& used_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Use> uses_;
};

}  // namespace

Real parse_number(std::string_view text, const Place& place) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  Real value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string shown = "`" + std::string(text) + "`";
  if (status == std::errc::result_out_of_range) throw bad_input(place, shown + " is out of the range of numbers");
  if (status != std::errc() || end != digits.data() + digits.size()) {
    const bool comma = text.find(',') != std::string_view::npos;
    throw bad_input(place, shown + " is not a number" + (comma ? ": write a decimal point, not a comma" : ""));
  }
  if (!std::isfinite(value)) throw bad_input(place, shown + " is not a finite number");
  return value;
}

std::string write_number(Real value) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

Real evaluate_expression(std::string_view text, const Parameters& parameters, const Place& place,
                         std::set<std::string>& used) {
  const Real value = ExpressionParser(text, parameters, place, used).all();
  if (!std::isfinite(value)) throw bad_input(place, "`$(" + std::string(text) + ")` is not a finite number");
  return value;
}

std::string formula_of_time(std::string_view text, const Parameters& parameters, const Place& place,
                            std::set<std::string>& used) {
  if (parameters.contains("t"))
    throw bad_input(place, "`t` is the time in this expression: give the parameter `t` another name");
  Parameters known = parameters;
  known["t"] = 0;
  std::set<std::string> found;
  ExpressionParser parser(text, known, place, found);
  parser.all();
  found.erase("t");
  used.merge(found);
  std::string formula;
  std::size_t at = 0;
  for (const auto& use : parser.uses()) {
    if (use.name == "t") continue;
    formula.append(text.substr(at, use.begin - at)).append("(" + write_number(use.value) + ")");
    at = use.end;
  }
  return formula.append(text.substr(at));
}

Real evaluate_formula(const std::string& formula, Real t, const Place& place) {
  std::set<std::string> used;
  const Parameters time{{"t", t}};
  const Real value = ExpressionParser(formula, time, place, used).all();
  if (!std::isfinite(value))
    throw bad_input(place, "`" + formula + "` is not a finite number at t = " + write_number(t) + " s");
  return value;
}

bool is_expression_word(std::string_view name) {
  return name == "pi" || name == "min" || name == "max" ||
         std::any_of(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
}

}  // namespace unbarred
