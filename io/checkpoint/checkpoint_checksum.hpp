#pragma once
// A 64-bit checksum of a distributed table that does not depend on who holds which row: every row is hashed by
// itself, and the hashes are added modulo 2^64.
#include <bit>
#include <string_view>

#include "io/checkpoint/checkpoint.hpp"

namespace unbarred {

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit changes half of the output bits.
inline std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a.
inline std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mixed_bits(hash);
}

/// Sum over the rows of hash(name, key, values); a key is `key_width` numbers.
inline std::uint64_t rows_checksum(std::string_view name, const std::vector<std::int64_t>& keys, std::size_t key_width,
                                   const std::vector<Real>& values, std::size_t components) {
  const std::uint64_t start = text_hash(name);
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < keys.size() / key_width; ++row) {
    std::uint64_t hash = start;
    for (std::size_t k = 0; k < key_width; ++k)
      hash = mixed_bits(hash + static_cast<std::uint64_t>(keys[row * key_width + k]));
    for (std::size_t c = 0; c < components; ++c)
      hash = mixed_bits(hash + std::bit_cast<std::uint64_t>(values[row * components + c]));
    sum += hash;
  }
  return sum;
}

/// This rank's rows.
inline std::uint64_t rows_checksum(const CheckpointData& data) {
  std::uint64_t sum = 0;
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& keys, std::size_t key_width,
                       const std::vector<Real>& values, int components) {
    sum += rows_checksum(name, keys, key_width, values, static_cast<std::size_t>(components));
  };
  add("positions", data.ids, 1, data.positions, 3);
  add("velocities", data.ids, 1, data.velocities, 3);
  for (const CheckpointField& field : data.fields)
    add("fields/" + field.name, data.ids, 1, field.values, field.components);
  if (!data.pairs) return sum;
  add("pairs/keys", data.pairs->keys, CheckpointPairs::key_width, {}, 0);
  for (const CheckpointField& field : data.pairs->fields)
    add("pairs/fields/" + field.name, data.pairs->keys, CheckpointPairs::key_width, field.values, field.components);
  return sum;
}

/// The header, to be added once.
inline std::uint64_t header_checksum(const CheckpointHeader& header) {
  const auto number = [](std::string_view name, std::uint64_t bits) { return mixed_bits(text_hash(name) + bits); };
  std::uint64_t sum = number("step", static_cast<std::uint64_t>(header.step)) +
                      number("time", std::bit_cast<std::uint64_t>(header.time)) +
                      number("time_step", std::bit_cast<std::uint64_t>(header.time_step)) +
                      number("vertex_count", static_cast<std::uint64_t>(header.vertex_count)) +
                      number("tetrahedron_count", static_cast<std::uint64_t>(header.tetrahedron_count)) +
                      number("scene_hash", text_hash(header.scene_hash)) +
                      number("mesh_hash", text_hash(header.mesh_hash));
  for (const auto& [name, value] : header.numbers)
    sum += number("numbers/" + name, std::bit_cast<std::uint64_t>(value));
  for (const auto& [name, value] : header.texts) sum += number("texts/" + name, text_hash(value));
  return sum;
}

}  // namespace unbarred
