// The part of ContactProblem that says what contact did: to bodies, in a step, and what stands in the way.
#include <algorithm>

#include "dynamics/contact/contact_problem.hpp"
#include "partitioning/block_exchange.hpp"

namespace unbarred {

void ContactProblem::fill_record(StepRecord& record, Real time_step) const {
  const PairSummary local = terms_.summary();
  const FeasibleState::Fractions& fractions = state_.fractions();
  record.step_fraction_mean = fractions.filterings > 0 ? fractions.sum / fractions.filterings : 1;
  record.step_fraction_min = fractions.least;
  record.remaining = state_.remaining();
  record.pairs = communicator_.sum(local.counted);
  record.pairs_active = communicator_.sum(local.active);
  record.pairs_new = new_pairs_;
  const Real gap = communicator_.min(local.least_gap);
  if (record.pairs > 0) record.gap_min = gap;
  record.penalty = penalties_.largest();
  record.offset = least_offset_;
  record.energy.friction_loss = communicator_.sum(local.friction_work) / (time_step * time_step);
}

std::string ContactProblem::describe_blocking() const {
  constexpr std::size_t most = 5;
  std::vector<Hit> hits = state_.hits();
  const auto earlier = [](const Hit& a, const Hit& b) {
    return a.time != b.time ? a.time < b.time : a.found.key < b.found.key;
  };
  std::sort(hits.begin(), hits.end(), earlier);
  hits.resize(std::min(hits.size(), most));
  const std::vector<int> to_root(hits.size(), 0);
  hits = send_each(communicator_, std::span<const Hit>(hits), std::span<const int>(to_root));
  std::sort(hits.begin(), hits.end(), earlier);
  hits.resize(std::min(hits.size(), most));
  std::string text;
  for (const Hit& hit : hits) {
    const PairKey& key = hit.found.key;
    const auto id = [&](int k) { return std::to_string(key.id[k]); };
    text += text.empty() ? "" : "; ";
    text += key.kind == PairKind::vertex_triangle
                ? "vertex " + id(0) + " of `" + options_.body_names.at(hit.found.holders.body[0]) + "` and triangle " +
                      id(1) + " " + id(2) + " " + id(3)
                : "edge " + id(0) + " " + id(1) + " of `" + options_.body_names.at(hit.found.holders.body[0]) +
                      "` and edge " + id(2) + " " + id(3);
    text += " of `" + options_.body_names.at(hit.found.holders.body[1]) + "`";
  }
  return communicator_.broadcast(text, 0);
}

}  // namespace unbarred
