#include "dynamics/step/newton_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/step/body_motion.hpp"
#include "dynamics/vertex_kernels.hpp"
#include "linear/pcg.hpp"

namespace unbarred {

NewtonStep::Report NewtonStep::solve(LinearSystem system, LinearSolver& solver, StepEnergy& energy,
                                     ContactProblem& contact, RigidMotion* rigid, const Field& iterate,
                                     const Field& without_contact, bool lifts, Field& p) {
  constexpr std::size_t most_solves = 12, most_free = 4;
  constexpr Real enough_for_now = 0.03;  // until it is clear which pairs hold
  Report report;
  if (!system.coarse) system.coarse = rigid;
  candidate_.assign(p);
  while (true) {
    model_.assign(without_contact);
    contact.terms().add_forces(model_.write_owned());
    if (rigid) rigid->couple(contact.terms(), iterate);
    report.take(solver.solve(system, model_, candidate_));
    if (report.solves.back().strengthened) system.coarse = std::exchange(system.stronger, nullptr);
    const SolveReason reason = report.solves.back().reason;
    const bool failed = reason != SolveReason::converged && reason != SolveReason::iteration_limit;
    if (rigid && !failed && !(system.goal.loose > 0)) rigid->correct(system, model_, candidate_);
    if (!contact.predicts() || failed) break;
    contact.terms().set_candidate(candidate_);
    std::vector<Real> t(energy.islands(), 1);
    if (!lifts && report.solves.size() > most_free) t = shares(system, energy, contact, p);
    contact.terms().accept_candidate(energy.by_body(t));
    report.minimal = std::ranges::all_of(t, [](Real share) { return share == 1; });
    if (report.minimal) {
      p.assign(candidate_);
    } else {
      BodyMotion(energy).blend(t, candidate_, p);
      candidate_.assign(p);
    }
    const bool wrong = contact.revise(iterate, energy.bodies());
    // Nowhere does the model fall from here.
    if (std::ranges::all_of(t, [](Real share) { return share == 0; })) {
      report.minimal = true;
      return report;
    }
    if (!wrong && report.minimal && !(system.goal.loose > 0)) return report;
    system.resumes = !wrong && report.minimal;
    system.goal.loose = wrong ? enough_for_now : 0;
    if (report.solves.size() == most_solves || lifts) {
      report.minimal = report.minimal && !wrong;
      return report;
    }
    system.goal.enough = report.enough;
  }
  p.assign(candidate_);
  report.minimal = !contact.predicts();
  return report;
}

void NewtonStep::Report::take(const SolveReport& solve) {
  strengthened = strengthened || solve.strengthened;
  first = solves.empty() ? solve.first : first * solve.norm_change;
  enough = solves.empty() ? solve.enough : enough * solve.norm_change;
  solves.push_back(solve);
}

// How far from p to the candidate the model falls, by island. Its slope on the way d grows, piece by piece linearly:
//   slope(t) = (p + t d).K d - model.d + sum over pairs that held of f(t) g.d - sum over pairs that hold at t of f(t)
//   g.d
// with K and the model of those that held in the solve.
std::vector<Real> NewtonStep::shares(const LinearSystem& system, StepEnergy& energy, ContactProblem& contact,
                                     const Field& p) {
  constexpr Real flat = 1e-3;
  constexpr int most_evaluations = 30;
  change_.assign(candidate_);
  add_scaled(-1, p.local(), change_.write_local());
  apply(system, change_, image_);
  const std::vector<Real> curvature = energy.island_sums(energy.products(image_.owned(), change_.owned())),
                          at_p = energy.island_sums(energy.products(image_.owned(), p.owned())),
                          force = energy.island_sums(energy.products(model_.owned(), change_.owned()));
  const std::size_t count = curvature.size();
  const auto slopes = [&](const std::vector<Real>& t) {
    std::vector<Real> slope = energy.island_sums(energy.summed(contact.terms().model_slopes(energy.by_body(t))));
    for (std::size_t i = 0; i < count; ++i) slope[i] += at_p[i] - force[i] + t[i] * curvature[i];
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
