#include "dynamics/bodies/body_sums.hpp"

#include <algorithm>
#include <numeric>

#include "dynamics/bodies/body_kernels.hpp"

namespace unbarred {

BodySums::BodySums(const std::vector<std::int32_t>& body, std::size_t bodies) : bodies_(bodies) {
  constexpr Index chunk_size = 256;
  std::vector<Index> order(body.size()), begins;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return body[static_cast<std::size_t>(a)] < body[static_cast<std::size_t>(b)];
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int32_t of = body[static_cast<std::size_t>(order[i])];
    const bool full = !begins.empty() && static_cast<Index>(i) - begins.back() == chunk_size;
    if (!chunk_.empty() && chunk_.back() == of && !full) continue;
    begins.push_back(static_cast<Index>(i));
    chunk_.push_back(of);
  }
  begins.push_back(static_cast<Index>(order.size()));
  order_.assign_host(order);
  begins_.assign_host(begins);
  sums_.resize_discard(static_cast<std::int64_t>(chunk_.size()));
}

std::vector<Real> BodySums::of(View<const Real> values) {
  sum_chunks_of(order_.view(), begins_.view(), values, sums_.view());
  const std::vector<Real> sums = sums_.to_host();
  std::vector<Real> total(bodies_, 0);
  for (std::size_t c = 0; c < sums.size(); ++c) total[static_cast<std::size_t>(chunk_[c])] += sums[c];
  return total;
}

}  // namespace unbarred
