#include "dynamics/contact/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "contact/filter/filter_kernels.hpp"
#include "contact/search/kept_candidates.hpp"
#include "core/log.hpp"

namespace unbarred {

/// Candidates are kept where a few more than asked for are no more hits: all that counts as one comes within reach.
static std::unique_ptr<BroadPhase> make_search(const BroadPhaseOptions& search, const ContactOptions& options) {
  const bool keeps = options.reach >= options.gap_of_offset + options.largest_slack;
  return keeps ? keep_candidates(make_broad_phase(search)) : make_broad_phase(search);
}

ContactProblem::ContactProblem(const Communicator& communicator, const IndexMap& map, Transport& transport,
                               const Surface& surface, const BroadPhaseOptions& broad_phase,
                               std::function<Real(std::int32_t, std::int32_t)> friction,
                               std::unique_ptr<StepFilter> filter, const InversionGuard* guard,
                               const ContactOptions& options)
    : communicator_(communicator),
      map_(map),
      transport_(transport),
      options_(options),
      mesh_(communicator, map, transport, surface, std::vector<std::uint8_t>(map.local(), 0)),
      broad_phase_(make_search(broad_phase, options)),
      prescribed_phase_(make_broad_phase(broad_phase)),
      filter_(std::move(filter)),
      hand_over_(communicator, map, surface),
      active_(communicator, map, transport, std::move(friction)),
      feasible_(map),
      step_start_(map),
      compliance_(map),
      prescribed_(map.local(), 0),
      remaining_of_(map.owned()) {
  filter_options_ = {.minimum_gap = options.gap_of_offset * options.offset,
                     .slack = options.slack,
                     .largest_slack = options.largest_slack * options.offset,
                     .reach = options.reach * options.offset,
                     .guard = guard};
}

void ContactProblem::begin_step(const Field& x, const Field& v, View<const AxisMask> fixed, const Field& target,
                                Real time, Real time_step) {
  times_.clear();
  const ScopedTimer timer(times_, "active_set");
  std::vector<std::uint8_t> prescribed(prescribed_.size());
  if (!prescribed.empty()) memory::copy_to_host(prescribed.data(), fixed.data(), prescribed.size());
  for (std::uint8_t& mask : prescribed) mask = mask == 7 ? 1 : 0;
  if (communicator_.max(prescribed != prescribed_ ? 1 : 0)) set_prescribed(std::move(prescribed));
  broad_phase_->begin_step();
  feasible_.assign(x);
  step_start_.assign(x);
  start_velocity_ = &v;
  time_step_ = time_step;
  settings_ = {.offset = options_.offset,
               .decay_factor = options_.decay_factor,
               .weigh_inactive = options_.weigh_inactive,
               .inactive_may_rise = options_.inactive_may_rise,
               .slip_length = options_.weigh_inactive ? options_.friction_velocity * time_step : 0};
  filter_options_.minimum_gap = options_.gap_of_offset * options_.offset;
  filter_options_.halve_small_gaps = true;
  filter_options_.least_of_uniform = 0;
  fill(remaining_of_.view(), 1);
  remaining_ = {};
  least_offset_ = options_.offset;
  largest_penalty_ = 0;
  squeezed_ = 1;
  finished_ = counted_ = restarted_ = false;
  lag_ = true;
  stalled_ = blocked_ = iterations_ = 0;
  fraction_sum_ = 0;
  least_fraction_ = 1;
  new_pairs_ = 0;
  motions_ = communicator_.max(any_differs(x.local(), target.local()) ? 1 : 0) > 0;
  if (motions_) refuse_prescribed_crossings(x, target, time);
  renew(active_.pairs());
  linearize_at_feasible(false);
  set_all_offsets();
}

void ContactProblem::linearize_at_feasible(bool keep) {
  linearize(active_.pairs(), active_.update_feasible(feasible_), keep);
}

template <int N>
static DeviceArray<Primitive<N>> all_marked(const DeviceArray<Primitive<N>>& primitives,
                                            const std::vector<std::uint8_t>& marks) {
  std::vector<Primitive<N>> chosen;
  for (const Primitive<N>& primitive : primitives.to_host())
    if (std::ranges::all_of(primitive.v, [&](Index v) { return marks[static_cast<std::size_t>(v)] != 0; }))
      chosen.push_back(primitive);
  return DeviceArray<Primitive<N>>(chosen);
}

void ContactProblem::set_prescribed(std::vector<std::uint8_t> prescribed) {
  prescribed_ = std::move(prescribed);
  mesh_.set_prescribed(prescribed_);
  drop_held_pairs();
  Surface surface;
  surface.owned_vertices = all_marked(mesh_.own().vertices, prescribed_);
  surface.owned_edges = all_marked(mesh_.own().edges, prescribed_);
  surface.owned_triangles = all_marked(mesh_.own().triangles, prescribed_);
  surface.body = DeviceArray<std::int32_t>(to_host(mesh_.body().part(0, map_.local())));
  // None of its vertices counts as prescribed: their pairs are what is looked for.
  prescribed_mesh_ = std::make_unique<CollisionMesh>(communicator_, map_, transport_, surface,
                                                     std::vector<std::uint8_t>(map_.local(), 0));
}

// No force moves a pair of which every vertex is prescribed: its multiplier would grow for as long as that lasts, and
// throw the bodies apart when it ends.
void ContactProblem::drop_held_pairs() {
  std::vector<Vec3> marks;
  for (const std::uint8_t held : prescribed_) marks.push_back({{static_cast<Real>(held), 0, 0}});
  Field held(map_);
  const View<Vec3> values = held.write_local();
  if (!marks.empty()) memory::copy_to_device(values.data(), marks.data(), marks.size() * sizeof(Vec3));
  fade_held(active_.pairs(), active_.update_other(held));
  active_.update({}, {.least_decay = options_.least_decay});
}

// A step filter cannot hold two bodies that both go where the scene tells them (method section 8.9).
void ContactProblem::refuse_prescribed_crossings(const Field& x, const Field& target, Real time) {
  if (!prescribed_mesh_) return;
  CollisionMesh& mesh = *prescribed_mesh_;
  mesh.set_motion(x, target);
  prescribed_phase_->begin_step();
  const std::optional<BodyPair> local =
      prescribed_crossing(prescribed_phase_->find(mesh, 0).view(), mesh.body(), mesh.start(), mesh.target());
  communicator_.agree([&] {
    if (!local) return;
    char at[32];
    std::snprintf(at, sizeof at, "%.6g", time);
    throw Error(ExitCode::bad_input, "in the step after t = " + std::string(at) + " s, prescribed vertices of `" +
                                         options_.body_names.at(local->a) + "` cross prescribed ones of `" +
                                         options_.body_names.at(local->b) +
                                         "`: contact cannot hold what motions move; change the motions, or let the "
                                         "two pass through each other with contact.pairs.none");
  });
}

FilterReport ContactProblem::filter(const Field& from, const Field& to) {
  const double start = wall_seconds();
  mesh_.set_motion(from, to);
  const FilterReport report = filter_->filter(mesh_, *broad_phase_, filter_options_);
  filter_options_.minimum_gap = report.minimum_gap;
  filter_options_.halve_small_gaps = false;
  times_.add("broad_phase", report.broad_phase_seconds);
  times_.add("narrow_phase", wall_seconds() - start - report.broad_phase_seconds);
  return report;
}

bool ContactProblem::filter_start(Field& target) {
  const FilterReport report = filter(step_start_, target);
  hits_.collect(mesh_, *broad_phase_, *filter_);
  update_pairs(hits_.constraints(mesh_, active_, false), {.least_decay = 0}, false);
  const View<Vec3> reached = target.write_local();
  place_vertices(step_start_.local(), reached, filter_->fractions(), reached);
  return report.least_fraction < 1 || communicator_.max(hits_.all().empty() ? 0 : 1) > 0;
}

void ContactProblem::prepare(const Field& iterate) {
  const ScopedTimer timer(times_, "active_set");
  const VertexValues feasible = active_.feasible(feasible_), at = active_.update_other(iterate);
  // Normal forces that take turns would have their friction act on the other's turn.
  const Real follow = late() && !options_.weigh_inactive ? 0.5 : 1;
  evaluate(active_.pairs(), feasible, at, settings_, lag_ || options_.lag_each_iteration ? follow : 0);
  lag_ = false;
  pair_terms(active_.pairs(), feasible, at, active_.start(step_start_), settings_, active_.terms());
}

void ContactProblem::add_forces(View<Vec3> downhill) const {
  unbarred::add_forces(active_.around(), active_.terms(), downhill);
}

void ContactProblem::measure_energies(const Field& y) {
  pair_energies_.resize_with_room(active_.size());
  constraint_energies(active_.pairs(), active_.feasible(feasible_), active_.update_other(y), active_.start(step_start_),
                      settings_, pair_energies_.view());
}

std::vector<Real> ContactProblem::energies(const Field& y, std::size_t bodies) {
  measure_energies(y);
  return by_body(pair_energies_.view(), bodies);
}

std::vector<Real> ContactProblem::energies_on(const Field& y, std::size_t bodies) {
  measure_energies(y);
  const std::vector<Real> values = to_host(std::as_const(pair_energies_).view());
  std::vector<Real> sums(bodies, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const std::int32_t body : active_.holders()[i].body) sums[static_cast<std::size_t>(body)] += values[i];
  communicator_.sum(std::span<Real>(sums));
  return sums;
}

std::vector<Real> ContactProblem::by_body(View<const Real> of_pairs, std::size_t bodies) const {
  const std::vector<Real> values = to_host(of_pairs);
  std::vector<Real> sums(bodies, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Obstacles have the highest numbers.
    const auto& body = active_.holders()[i].body;
    sums[static_cast<std::size_t>(std::min(body[0], body[1]))] += values[i];
  }
  return sums;
}

Real ContactProblem::add_product(const Field& x, View<const AxisMask> fixed, View<Vec3> y) {
  pair_images(active_.pairs(), active_.terms(), active_.update_other(x), active_.images());
  return add_pair_images(active_.around(), active_.terms(), active_.images(), fixed, x.owned(), y);
}

void ContactProblem::add_diagonal(View<SymmetricBlock> diagonal) {
  add_pair_diagonal(active_.around(), active_.terms(), diagonal);
}

std::vector<AddedBlock> ContactProblem::blocks(const Field& labels) {
  const VertexValues values = active_.update_other(labels);
  std::vector<Vec3> label = to_host(values.local);
  const std::vector<Vec3> foreign = to_host(values.foreign);
  label.insert(label.end(), foreign.begin(), foreign.end());
  const std::vector<ActivePair> pairs = active_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  std::vector<AddedBlock> blocks;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Mat3 stiffness = full(terms[i].stiffness);
    const Index* v = pairs[i].pair.v;
    const Real* weight = terms[i].weight;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        if (v[r] < map_.owned())
          blocks.push_back({v[r], label[static_cast<std::size_t>(v[c])], weight[r] * weight[c] * stiffness});
  }
  return blocks;
}

std::vector<AddedSpring> ContactProblem::springs(const Field& a, const Field& b) {
  const auto on_host = [](const VertexValues& values) {
    std::vector<Vec3> all = to_host(values.local);
    const std::vector<Vec3> foreign = to_host(values.foreign);
    all.insert(all.end(), foreign.begin(), foreign.end());
    return all;
  };
  const std::vector<Vec3> of_a = on_host(active_.update_other(a)), of_b = on_host(active_.update_other(b));
  const std::vector<ActivePair> pairs = active_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  std::vector<AddedSpring> springs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Real(&k)[6] = terms[i].stiffness.a;
    if (pairs[i].counted == 0 || !(k[0] + k[3] + k[5] > 0)) continue;
    AddedSpring& spring = springs.emplace_back();
    spring.stiffness = terms[i].stiffness;
    for (int j = 0; j < 4; ++j) {
      spring.weight[j] = terms[i].weight[j];
      spring.a[j] = of_a[static_cast<std::size_t>(pairs[i].pair.v[j])];
      spring.b[j] = of_b[static_cast<std::size_t>(pairs[i].pair.v[j])];
    }
  }
  return springs;
}

void ContactProblem::follow(const Field& iterate, const Field& p, bool counts, const std::vector<Real>& step) {
  step_.assign_host(step);
  update_multipliers(active_.pairs(), active_.terms(), active_.update_other(p), settings_, step_.view());
  const FilterReport report = filter(feasible_, iterate);
  const ScopedTimer timer(times_, "active_set");
  const View<Vec3> x = feasible_.write_local();
  place_vertices(x, iterate.local(), filter_->fractions(), x);
  active_.update_feasible(feasible_);
  hits_.collect(mesh_, *broad_phase_, *filter_);
  counted_ = counted_ || counts;
  if (counts) measure_remaining(filter_->fractions());
  arrived_ = report.least_fraction >= 1;
  constexpr Real hardly = 1e-2;
  blocked_ = report.least_fraction < hardly ? blocked_ + 1 : 0;
  ++iterations_;
  fraction_sum_ += report.mean_fraction;
  least_fraction_ = std::min(least_fraction_, report.least_fraction);
}

void ContactProblem::restart() {
  const ScopedTimer timer(times_, "active_set");
  feasible_.assign(step_start_);
  fill(remaining_of_.view(), 1);
  remaining_ = {};
  finished_ = counted_ = arrived_ = false;
  restarted_ = true;
  iterations_ = std::max(iterations_, options_.moving_links);
  linearize_at_feasible(false);
}

void ContactProblem::renew_pairs() {
  const ScopedTimer timer(times_, "active_set");
  const bool keep = (late() && finished_) || restarted_;
  const UpdateRule rule{
      .least_decay = options_.least_decay, .restore_decay = options_.restore_decay, .adapt = adapts()};
  linearize_at_feasible(keep);
  std::vector<FoundPair> found = hits_.constraints(mesh_, active_, rule.restore_decay || rule.adapt || keep);
  if (options_.hand_over && !keep) {
    const std::vector<FoundPair> handed = hand_over_.decide(active_, active_.feasible(feasible_));
    found.insert(found.end(), handed.begin(), handed.end());
  }
  update_pairs(found, rule, keep);
  if (predicts()) stiffen_what_is_squeezed();
}

void ContactProblem::end_step() {
  const ScopedTimer timer(times_, "active_set");
  update_pairs(hits_.constraints(mesh_, active_, false), {.least_decay = 0}, true);
}

void ContactProblem::update_pairs(const std::vector<FoundPair>& found, const UpdateRule& rule, bool keep) {
  const std::int64_t version = active_.version();
  const GlobalIndex fresh = active_.update(found, rule);
  new_pairs_ += fresh;
  if (active_.version() != version) {
    linearize_at_feasible(keep);
    active_.update_start(step_start_);
    set_penalties_of(false);
  }
  if (fresh > 0 || rule.adapt) set_all_offsets();
#ifdef UNBARRED_CHECKED
  active_.require_equal_copies();
#endif
}

void ContactProblem::measure_remaining(View<const Real> fractions) {
  remaining_ = reduce_remaining(fractions.part(0, map_.owned()), options_.epsilon, remaining_of_.view());
  remaining_.largest = communicator_.max(remaining_.largest);
  remaining_.least_fraction = communicator_.min(remaining_.least_fraction);
  remaining_.unfinished = communicator_.sum(remaining_.unfinished);
  const auto may_lag = static_cast<std::int64_t>(options_.lagging_fraction * static_cast<Real>(map_.global_size()));
  finished_ = remaining_.unfinished <= may_lag;
}

// After some iterations that hardly move, for the rest of the step: one fraction for all where the least is far below
// it; after many a stiffer penalty and a smaller offset of the pairs that stand in the way (method section 3).
bool ContactProblem::adapts() {
  const bool tiny = counted_ && !finished_ && remaining_.least_fraction < options_.stall_fraction;
  stalled_ = tiny ? stalled_ + 1 : 0;
  // Bodies that move far together, as all do where walls let go of what they squeezed, are held back by planes.
  constexpr int few_iterations = 5;
  if (stalled_ == few_iterations) filter_options_.least_of_uniform = 0.1;
  if (stalled_ < options_.stall_iterations) return false;
  stalled_ = 0;
  least_offset_ /= 2;
  // An offset below the gap that the filter keeps could never be reached.
  filter_options_.minimum_gap = std::min(filter_options_.minimum_gap, options_.gap_of_offset * least_offset_);
  if (communicator_.is_root())
    log_warning("contact stalled for " + std::to_string(options_.stall_iterations) +
                " iterations: for the rest of this step the penalty of the pairs in the way is doubled and their "
                "contact offset halved");
  return true;
}

}  // namespace unbarred
