#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"

namespace unbarred::test {

/// Value `component` of vertex `id` at `step`: needs all bits, tells every row and step apart.
inline Real checkpoint_value(GlobalIndex id, int component, std::int64_t step) {
  return std::sin(static_cast<Real>(7 * id + component)) * std::sqrt(static_cast<Real>(step + 2));
}

/// Two pairs of each id; what they hold follows from their keys.
inline CheckpointPairs checkpoint_pairs(std::int64_t step, const std::vector<std::int64_t>& keys) {
  CheckpointPairs pairs{keys, {{"decay", 1, {}}, {"multiplier", 2, {}}}};
  for (std::size_t row = 0; row < keys.size(); row += CheckpointPairs::key_width) {
    const GlobalIndex id = 2 * keys[row + 1] + keys[row];
    pairs.fields[0].values.push_back(checkpoint_value(id, 20, step));
    for (int c = 21; c < 23; ++c) pairs.fields[1].values.push_back(checkpoint_value(id, c, step));
  }
  return pairs;
}

inline std::vector<std::int64_t> checkpoint_pair_keys(const std::vector<GlobalIndex>& ids) {
  std::vector<std::int64_t> keys;
  for (const GlobalIndex id : ids)
    for (const std::int64_t kind : {0, 1}) keys.insert(keys.end(), {kind, id, id + 3, id + 5, id + 70000000000});
  return keys;
}

/// A state of `vertices` vertices at `step`; the caller's rows are `ids`.
inline CheckpointData checkpoint_sample(std::int64_t step, GlobalIndex vertices, std::vector<GlobalIndex> ids) {
  CheckpointData data;
  data.step = step;
  data.time = static_cast<Real>(step) / 30;
  data.time_step = 1.0 / 30;
  data.scene_hash = "5c3ne";
  data.mesh_hash = "";
  data.vertex_count = vertices;
  data.tetrahedron_count = 5 * vertices;
  data.numbers = {{"penalty", 1.0 / 3}, {"offset", 1e-3 * static_cast<Real>(step)}};
  data.texts = {{"random_state", "12 34\n56"}, {"empty", ""}};
  data.fields = {{"temperature", 1, {}}, {"rotation", 4, {}}};
  for (const GlobalIndex id : ids) {
    for (int c = 0; c < 3; ++c) data.positions.push_back(checkpoint_value(id, c, step));
    for (int c = 3; c < 6; ++c) data.velocities.push_back(checkpoint_value(id, c, step));
    data.fields[0].values.push_back(checkpoint_value(id, 6, step));
    for (int c = 7; c < 11; ++c) data.fields[1].values.push_back(checkpoint_value(id, c, step));
  }
  data.pairs = checkpoint_pairs(step, checkpoint_pair_keys(ids));
  data.ids = std::move(ids);
  return data;
}

/// Every value of the rows is that of checkpoint_sample(step, ...), to the bit.
inline void expect_sample(const CheckpointData& data, std::int64_t step, GlobalIndex vertices) {
  const CheckpointData expected = checkpoint_sample(step, vertices, data.ids);
  EXPECT_EQ(data.step, step);
  EXPECT_EQ(data.time, expected.time);
  EXPECT_EQ(data.time_step, expected.time_step);
  EXPECT_EQ(data.scene_hash, expected.scene_hash);
  EXPECT_EQ(data.mesh_hash, expected.mesh_hash);
  EXPECT_EQ(data.vertex_count, expected.vertex_count);
  EXPECT_EQ(data.tetrahedron_count, expected.tetrahedron_count);
  EXPECT_EQ(data.numbers, expected.numbers);
  EXPECT_EQ(data.texts, expected.texts);
  EXPECT_EQ(data.positions, expected.positions);
  EXPECT_EQ(data.velocities, expected.velocities);
  ASSERT_EQ(data.fields.size(), 2u);
  for (const CheckpointField& field : expected.fields) {
    const CheckpointField& read = data.fields[field.name == "rotation" ? 0 : 1];  // ascending names
    EXPECT_EQ(read.name, field.name);
    EXPECT_EQ(read.components, field.components);
    EXPECT_EQ(read.values, field.values);
  }
  ASSERT_TRUE(data.pairs);
  EXPECT_EQ(data.pair_count, 2 * vertices);
  const CheckpointPairs pairs = checkpoint_pairs(step, data.pairs->keys);
  ASSERT_EQ(data.pairs->fields.size(), pairs.fields.size());
  for (std::size_t f = 0; f < pairs.fields.size(); ++f) {
    EXPECT_EQ(data.pairs->fields[f].name, pairs.fields[f].name);
    EXPECT_EQ(data.pairs->fields[f].components, pairs.fields[f].components);
    EXPECT_EQ(data.pairs->fields[f].values, pairs.fields[f].values);
  }
}

}  // namespace unbarred::test
