#include "dynamics/newton_step.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/vertex_kernels.hpp"

namespace unbarred {

NewtonStep::Report NewtonStep::solve(LinearSystem system, LinearSolver& solver, StepEnergy& energy,
                                     ContactProblem& contact, const Field& iterate, const Field& without_contact,
                                     bool lifts, Field& p) {
  constexpr std::size_t most_solves = 12, most_free = 4;
  constexpr Real enough_for_now = 0.03;  // until it is clear which pairs hold
  Report report;
  if (revised_) system.goal.loose = enough_for_now;
  image_.set_zero();
  candidate_.assign(p);
  while (true) {
    model_.assign(without_contact);
    contact.add_forces(model_.write_owned());
    report.solves.push_back(solver.solve(system, model_, candidate_));
    revised_ = report.solves.size() > 2;
    const SolveReason reason = report.solves.back().reason;
    const bool failed = reason != SolveReason::converged && reason != SolveReason::iteration_limit;
    if (!contact.predicts() || failed) break;
    contact.set_candidate(candidate_);
    new_image_.assign(model_);
    contact.subtract_held(system.fixed.view(), new_image_.write_owned());
    std::vector<Real> t(energy.islands(), 1);
    if (!lifts && report.solves.size() > most_free) t = shares(energy, contact, p);
    contact.accept_candidate(energy.by_body(t));
    report.minimal = std::ranges::all_of(t, [](Real share) { return share == 1; });
    if (report.minimal) {
      p.assign(candidate_);
      image_.assign(new_image_);
    } else {
      energy.blend(t, candidate_, p);
      energy.blend(t, new_image_, image_);
      candidate_.assign(p);
    }
    const bool wrong = contact.revise(iterate, energy.bodies());
    if (!wrong && report.minimal && !(system.goal.loose > 0)) return report;
    system.resumes = !wrong && report.minimal;
    system.goal.loose = wrong ? enough_for_now : 0;
    if (report.solves.size() == most_solves || lifts) {
      report.minimal = report.minimal && !wrong;
      return report;
    }
    system.goal.enough = report.solves.front().enough;
  }
  p.assign(candidate_);
  report.minimal = !contact.predicts();
  return report;
}

// How far from p to the candidate the model falls, by island. Its slope on the way grows, piece by piece linearly:
//   slope(t) = (t - 1) d.A d + sum over pairs that held of f(1) g.d - sum over pairs that hold at t of f(t) g.d
// for A candidate = model - sum of mu (g.candidate) g over those that held.
std::vector<Real> NewtonStep::shares(StepEnergy& energy, ContactProblem& contact, const Field& p) {
  constexpr Real flat = 1e-3;
  constexpr int most_evaluations = 30;
  change_.assign(candidate_);
  add_scaled(-1, p.local(), change_.write_local());
  std::vector<Real> old_product = energy.island_sums(energy.products(image_.owned(), change_.owned())),
                    new_product = energy.island_sums(energy.products(new_image_.owned(), change_.owned()));
  const std::size_t count = old_product.size();
  const auto slopes = [&](const std::vector<Real>& t) {
    std::vector<Real> slope = energy.island_sums(energy.summed(contact.model_slopes(energy.by_body(t))));
    for (std::size_t i = 0; i < count; ++i) slope[i] += (t[i] - 1) * (new_product[i] - old_product[i]);
    return slope;
  };
  std::vector<Real> low(count, 0), high(count, 1), t(count, 1);
  std::vector<Real> at_low = slopes(low), at_high = slopes(high);
  bool done = true;
  std::vector<std::uint8_t> open(count, 0);
  const std::vector<Real> start = at_low;
  for (std::size_t i = 0; i < count; ++i) {
    open[i] = at_low[i] < 0 && at_high[i] > -flat * at_low[i];
    if (at_low[i] > 0) t[i] = 0;
    done = done && open[i] == 0;
  }
  for (int evaluation = 0; !done && evaluation < most_evaluations; ++evaluation) {
    for (std::size_t i = 0; i < count; ++i)
      if (open[i] != 0) {
        const Real secant = low[i] - at_low[i] * (high[i] - low[i]) / (at_high[i] - at_low[i]);
        t[i] = evaluation % 3 == 2 ? (low[i] + high[i]) / 2 : secant;
      }
    const std::vector<Real> at = slopes(t);
    done = true;
    for (std::size_t i = 0; i < count; ++i) {
      if (open[i] == 0) continue;
      if (std::abs(at[i]) <= -flat * start[i]) {
        open[i] = 0;
        continue;
      }
      (at[i] < 0 ? low : high)[i] = t[i];
      (at[i] < 0 ? at_low : at_high)[i] = at[i];
      done = false;
    }
  }
  return t;
}

}  // namespace unbarred
