#include "dynamics/contact/feasible_state.hpp"

#include <algorithm>

#include "contact/filter/filter_kernels.hpp"
#include "contact/search/kept_candidates.hpp"
#include "core/fill_kernels.hpp"

namespace unbarred {

/// Candidates are kept where a few more than asked for are no more hits: all that counts as one comes within reach.
static std::unique_ptr<BroadPhase> make_search(const BroadPhaseOptions& search, const ContactConstants& constants) {
  const bool keeps = constants.reach >= constants.gap + constants.ccd_largest_slack;
  return keeps ? keep_candidates(make_broad_phase(search)) : make_broad_phase(search);
}

FeasibleState::FeasibleState(const Communicator& communicator, const IndexMap& map, Transport& transport,
                             const Surface& surface, const BroadPhaseOptions& search,
                             std::unique_ptr<StepFilter> filter, const InversionGuard* guard, const Options& options,
                             PhaseTimes& times)
    : communicator_(communicator),
      map_(map),
      options_(options),
      times_(times),
      mesh_(communicator, map, transport, surface, std::vector<std::uint8_t>(map.local(), 0)),
      search_(make_search(search, options.constants)),
      filter_(std::move(filter)),
      filter_options_{.slack = options.constants.ccd_slack,
                      .largest_slack = options.constants.ccd_largest_slack * options.offset,
                      .reach = options.constants.reach * options.offset,
                      .guard = guard},
      x_(map),
      start_(map),
      remaining_of_(map.owned()) {}

void FeasibleState::begin_step(const Field& x) {
  search_->begin_step();
  x_.assign(x);
  start_.assign(x);
  filter_options_.minimum_gap = options_.constants.gap * options_.offset;
  filter_options_.halve_small_gaps = options_.constants.small_gaps == ContactConstants::SmallGaps::halve;
  filter_options_.least_of_uniform = 0;
  fractions_ = {};
  blocked_ = stalled_ = 0;
  restart();
}

void FeasibleState::restart() {
  x_.assign(start_);
  fill(remaining_of_.view(), 1);
  remaining_ = {};
  finished_ = counted_ = arrived_ = false;
}

FilterReport FeasibleState::filter(const Field& from, const Field& to) {
  const double start = wall_seconds();
  mesh_.set_motion(from, to);
  const FilterReport report = filter_->filter(mesh_, *search_, filter_options_);
  filter_options_.minimum_gap = report.minimum_gap;
  filter_options_.halve_small_gaps = false;
  times_.add("broad_phase", report.broad_phase_seconds);
  times_.add("narrow_phase", wall_seconds() - start - report.broad_phase_seconds);
  hits_.collect(mesh_, *search_, *filter_);
  return report;
}

bool FeasibleState::cut_from_start(Field& target) {
  const FilterReport report = filter(start_, target);
  const View<Vec3> reached = target.write_local();
  place_vertices(start_.local(), reached, filter_->fractions(), reached);
  return report.least_fraction < 1 || communicator_.max(hits_.all().empty() ? 0 : 1) > 0;
}

void FeasibleState::follow(const Field& iterate, bool counts) {
  const FilterReport report = filter(x_, iterate);
  const ScopedTimer timer(times_, "active_set");
  const View<Vec3> x = x_.write_local();
  place_vertices(x, iterate.local(), filter_->fractions(), x);
  counted_ = counted_ || counts;
  if (counts) measure_remaining();
  arrived_ = report.least_fraction >= 1;
  blocked_ = report.least_fraction < options_.constants.blocked_fraction ? blocked_ + 1 : 0;
  ++fractions_.filterings;
  fractions_.sum += report.mean_fraction;
  fractions_.least = std::min(fractions_.least, report.least_fraction);
}

void FeasibleState::measure_remaining() {
  remaining_ = reduce_remaining(filter_->fractions().part(0, map_.owned()), options_.epsilon, remaining_of_.view());
  remaining_.largest = communicator_.max(remaining_.largest);
  remaining_.least_fraction = communicator_.min(remaining_.least_fraction);
  remaining_.unfinished = communicator_.sum(remaining_.unfinished);
  const auto may_lag = static_cast<std::int64_t>(options_.lagging_fraction * static_cast<Real>(map_.global_size()));
  finished_ = remaining_.unfinished <= may_lag;
}

void FeasibleState::count_stalled() {
  const bool tiny = counted_ && !finished_ && remaining_.least_fraction < options_.constants.stall_fraction;
  stalled_ = tiny ? stalled_ + 1 : 0;
  // Bodies that move far together, as all do where walls let go of what they squeezed, are held back by planes.
  if (stalled_ == options_.constants.fallback_iterations)
    filter_options_.least_of_uniform = options_.constants.fallback_share;
}

void FeasibleState::adapt_gap(Real least_offset) {
  stalled_ = 0;
  filter_options_.minimum_gap = std::min(filter_options_.minimum_gap, options_.constants.gap * least_offset);
}

}  // namespace unbarred
