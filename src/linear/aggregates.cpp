#include "linear/aggregates.hpp"

#include <algorithm>

namespace unbarred {

namespace {

constexpr std::int32_t none = -1;

class Grouping {
 public:
  Grouping(const BlockPattern& pattern, const std::vector<std::int32_t>& body, int size)
      : pattern_(pattern),
        body_(body),
        size_(static_cast<std::size_t>(size)),
        of_(static_cast<std::size_t>(pattern.rows()), none) {}

  // From the lowest free vertex, breadth first: the start of a next group lies beside one that is finished, as vertices
  // are numbered along a curve. What is left between groups joins the smallest beside it.
  std::vector<std::int32_t> make() {
    for (Index v = 0; v < pattern_.rows(); ++v)
      if (of_[static_cast<std::size_t>(v)] == none && neighbours(v) > 1) grow(v);
    return std::move(of_);
  }

 private:
  Index neighbours(Index v) const { return pattern_.offsets[v + 1] - pattern_.offsets[v]; }

  void grow(Index first) {
    const auto group = static_cast<std::int32_t>(count_.size());
    members_.assign(1, first);
    of_[static_cast<std::size_t>(first)] = group;
    std::int32_t beside = none;
    for (std::size_t at = 0; at < members_.size(); ++at)
      for (Index e = pattern_.offsets[members_[at]]; e < pattern_.offsets[members_[at] + 1]; ++e) {
        const Index w = pattern_.columns[e];
        if (w >= pattern_.rows() || body_[static_cast<std::size_t>(w)] != body_[static_cast<std::size_t>(first)])
          continue;
        std::int32_t& of = of_[static_cast<std::size_t>(w)];
        if (of == none && members_.size() < size_) {
          of = group;
          members_.push_back(w);
        } else if (of != none && of != group && (beside == none || count_[of] < count_[beside])) {
          beside = of;
        }
      }
    if (4 * members_.size() >= size_ || beside == none) {
      count_.push_back(members_.size());
      return;
    }
    for (const Index v : members_) of_[static_cast<std::size_t>(v)] = beside;
    count_[static_cast<std::size_t>(beside)] += members_.size();
  }

  const BlockPattern& pattern_;
  const std::vector<std::int32_t>& body_;
  std::size_t size_;
  std::vector<std::int32_t> of_;
  std::vector<std::size_t> count_;  // vertices of each group
  std::vector<Index> members_;
};

}  // namespace

std::vector<std::int32_t> make_aggregates(const BlockPattern& pattern, const std::vector<std::int32_t>& body,
                                          int size) {
  return Grouping(pattern, body, size).make();
}

}  // namespace unbarred
