#include "io/text/expression.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

namespace unbarred {
namespace {

Real value(const std::string& text) {
  std::set<std::string> used;
  return evaluate_expression(text, {{"n", 3}, {"width", 0.5}}, {"s.yaml", 4, 10}, used);
}

std::string error_of(const std::string& text) {
  try {
    value(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

std::string number_error(const std::string& text) {
  try {
    parse_number(text, {"s.yaml", 1, 2});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("7-2-1"), 4);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--3 - -+2"), 5);
  EXPECT_EQ(value(" 2 * n + 1 "), 7);
  EXPECT_EQ(value("width*1e1"), 5);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Expression, KnowsFunctionsAndPi) {
  EXPECT_DOUBLE_EQ(value("sqrt(2)"), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(value("sin(pi/6)+cos(pi/3)"), 1);
  EXPECT_DOUBLE_EQ(value("tan(pi/4)"), 1);
  EXPECT_DOUBLE_EQ(value("log(exp(2))"), 2);
  EXPECT_EQ(value("abs(-n)"), 3);
  EXPECT_EQ(value("min(n, 2, 5)*max(1,4)"), 8);
  EXPECT_EQ(value("floor(2.7)+ceil(2.1)"), 5);
}

TEST(Expression, ErrorsTellTheColumn) {
  EXPECT_EQ(error_of("1+"), "s.yaml:4:12: in `$(1+)`: the expression ends too early");
  EXPECT_EQ(error_of("2*(n+1"), "s.yaml:4:16: in `$(2*(n+1)`: `)` expected here");
  EXPECT_EQ(error_of("n n"), "s.yaml:4:12: in `$(n n)`: unexpected `n`");
  EXPECT_EQ(error_of("2*widht"),
            "s.yaml:4:12: in `$(2*widht)`: unknown parameter or function `widht`, did you mean `width`?");
  EXPECT_EQ(error_of("2*q"),
            "s.yaml:4:12: in `$(2*q)`: unknown parameter or function `q`; parameters are defined "
            "under `parameters`, above their use");
  EXPECT_EQ(error_of("sin 2"), "s.yaml:4:14: in `$(sin 2)`: `(` expected here");
  EXPECT_EQ(error_of("min(1)"), "s.yaml:4:15: in `$(min(1))`: `,` expected here");
  EXPECT_EQ(error_of("1,5"), "s.yaml:4:11: in `$(1,5)`: unexpected `,`");
  EXPECT_EQ(error_of(""), "s.yaml:4:10: in `$()`: the expression ends too early");
  EXPECT_EQ(error_of("1/0"), "s.yaml:4:10: `$(1/0)` is not a finite number");
  EXPECT_EQ(error_of("sqrt(-1)"), "s.yaml:4:10: `$(sqrt(-1))` is not a finite number");
  EXPECT_NE(error_of(std::string(100000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error_of("2" + std::string(5000, '^') + "2").find("unexpected `^`"), std::string::npos);
}

TEST(Numbers, AreReadTheSameInAnyLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
    std::setlocale(LC_ALL, name);  // where the machine has it
    EXPECT_EQ(parse_number("0.1", {}), 0.1);
    EXPECT_EQ(parse_number("+1.5e-3", {}), 1.5e-3);
    EXPECT_EQ(parse_number("-2", {}), -2);
    EXPECT_EQ(value("1.25*2"), 2.5);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Numbers, RefuseWhatIsNoFiniteNumber) {
  EXPECT_EQ(number_error("1,5"), "s.yaml:1:2: `1,5` is not a number: write a decimal point, not a comma");
  EXPECT_EQ(number_error("nan"), "s.yaml:1:2: `nan` is not a finite number");
  EXPECT_EQ(number_error("-inf"), "s.yaml:1:2: `-inf` is not a finite number");
  EXPECT_EQ(number_error(".inf"), "s.yaml:1:2: `.inf` is not a number");
  EXPECT_EQ(number_error("1e999"), "s.yaml:1:2: `1e999` is out of the range of numbers");
  EXPECT_EQ(number_error("+-1"), "s.yaml:1:2: `+-1` is not a number");
  EXPECT_EQ(number_error("1.5m"), "s.yaml:1:2: `1.5m` is not a number");
  EXPECT_EQ(number_error(""), "s.yaml:1:2: `` is not a number");
}

}  // namespace
}  // namespace unbarred
