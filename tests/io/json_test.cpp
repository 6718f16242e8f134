#include "io/text/json.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <clocale>
#include <limits>

namespace unbarred {
namespace {

TEST(Json, EscapesWhatJsonReservesAndKeepsUtf8) {
  JsonWriter json;
  json.begin_object().field("a\"b", std::string("back\\slash, line\nbreak, tab\t, bell\x07, \xc3\xa9")).end_object();
  EXPECT_EQ(json.text(), "{\"a\\\"b\":\"back\\\\slash, line\\u000abreak, tab\\u0009, bell\\u0007, \xc3\xa9\"}");
}

TEST(Json, NumbersReadBackToTheSameBits) {
  const std::vector<Real> numbers{0.1, 1.0 / 3, 1e300, 5e-324, -0.0, 123456789012345678.0};
  JsonWriter json;
  json.value(numbers);
  const YAML::Node list = YAML::Load(json.text());
  ASSERT_EQ(list.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string text = list[i].as<std::string>();
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), numbers[i]) << text;
  }
}

TEST(Json, WhatIsNoNumberIsNull) {
  JsonWriter json;
  json.begin_array()
      .value(std::numeric_limits<double>::quiet_NaN())
      .value(std::numeric_limits<double>::infinity())
      .value(std::optional<double>())
      .value(std::optional<double>(2.5))
      .value(nullptr)
      .end_array();
  EXPECT_EQ(json.text(), "[null,null,null,2.5,null]");
}

TEST(Json, NestsWithoutStrayCommas) {
  JsonWriter json;
  json.begin_object()
      .field("step", std::int64_t{9'000'000'000})
      .field("ok", true)
      .field("momentum", Vec3{{1, -2, 0.5}})
      .field("wall", std::map<std::string, double>{{"linear", 0.25}, {"total", 1}})
      .key("empty")
      .begin_array()
      .end_array()
      .end_object();
  EXPECT_EQ(
      json.text(),
      "{\"step\":9000000000,\"ok\":true,\"momentum\":[1,-2,0.5],\"wall\":{\"linear\":0.25,\"total\":1},\"empty\":[]}");
}

TEST(Json, PrettyTextIsTheSameValue) {
  JsonWriter json(true);
  json.begin_object()
      .field("a", 1)
      .field("b", std::vector<int>{1, 2})
      .key("c")
      .begin_object()
      .end_object()
      .end_object();
  EXPECT_EQ(json.text(), "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}");
}

}  // namespace
}  // namespace unbarred
