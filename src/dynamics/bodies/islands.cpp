#include "dynamics/bodies/islands.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "partitioning/block_exchange.hpp"

namespace unbarred {

using Edge = std::array<std::int32_t, 2>;

Islands::Islands(std::size_t bodies, std::size_t first_obstacle) : first_obstacle_(first_obstacle), island_(bodies) {
  std::iota(island_.begin(), island_.end(), 0);
  count_ = bodies;
  touches_obstacle_.assign(bodies, 0);
}

void Islands::couple_all() {
  std::fill(island_.begin(), island_.end(), 0);
  count_ = 1;
  touches_obstacle_.assign(1, 1);
}

static std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t body) {
  while (parent[static_cast<std::size_t>(body)] != body) {
    std::int32_t& up = parent[static_cast<std::size_t>(body)];
    up = parent[static_cast<std::size_t>(up)];
    body = up;
  }
  return body;
}

static std::vector<Edge> distinct(std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Rank 0 joins the few distinct couples of bodies; everybody learns the islands.
void Islands::couple(const std::vector<PairHolders>& touching, const Communicator& communicator) {
  std::vector<Edge> edges;
  const auto first_obstacle = static_cast<std::int32_t>(first_obstacle_);
  for (const PairHolders& pair : touching) {
    const auto [a, b] = std::minmax(pair.body[0], pair.body[1]);
    if (a != b && a < first_obstacle) edges.push_back({a, std::min(b, first_obstacle)});
  }
  edges = distinct(std::move(edges));
  const std::vector<int> to_root(edges.size(), 0);
  edges = distinct(send_each(communicator, std::span<const Edge>(edges), std::span<const int>(to_root)));
  std::vector<std::int32_t> parent(island_.size());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<std::uint8_t> held(island_.size(), 0);
  for (const auto& [a, b] : edges) {
    if (b == first_obstacle) {
      held[static_cast<std::size_t>(a)] = 1;
      continue;
    }
    const auto [low, high] = std::minmax({root_of(parent, a), root_of(parent, b)});
    parent[static_cast<std::size_t>(high)] = low;
  }
  communicator.broadcast(parent, 0);
  communicator.broadcast(held, 0);
  number(std::move(parent), held);
}

void Islands::number(std::vector<std::int32_t> parent, const std::vector<std::uint8_t>& held) {
  touches_obstacle_.clear();
  count_ = 0;
  for (std::size_t body = 0; body < parent.size(); ++body) {
    const std::int32_t root = root_of(parent, static_cast<std::int32_t>(body));
    const bool first = static_cast<std::size_t>(root) == body;  // the smallest body of its island
    island_[body] = first ? static_cast<std::int32_t>(count_++) : island_[static_cast<std::size_t>(root)];
    touches_obstacle_.resize(count_, 0);
    touches_obstacle_[of(body)] |= held[body];
  }
}

std::vector<Real> Islands::sum(const std::vector<Real>& of_body) const {
  std::vector<Real> sums(count_, 0);
  for (std::size_t body = 0; body < of_body.size(); ++body) sums[of(body)] += of_body[body];
  return sums;
}

std::vector<Real> Islands::spread(const std::vector<Real>& of_island) const {
  std::vector<Real> values(island_.size());
  for (std::size_t body = 0; body < values.size(); ++body) values[body] = of_island[of(body)];
  return values;
}

}  // namespace unbarred
