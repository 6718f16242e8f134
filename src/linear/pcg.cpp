#include "linear/pcg.hpp"

#include <algorithm>
#include <cmath>

namespace unbarred {

Real apply(const LinearSystem& system, Field& x, Field& y) {
  const Index interior = system.map.interior(), owned = system.map.owned();
  const View<const AxisMask> fixed = system.fixed.view();
  const View<Vec3> into = y.write_owned();
  x.forward_begin(system.halo);
  Real product = multiply_and_dot(system.matrix, fixed, 0, interior, x.values(), into);
  x.forward_end(system.halo);
  product += multiply_and_dot(system.matrix, fixed, interior, owned, x.values(), into);
  if (system.added) product += system.added->add_product(x, fixed, into);
  return system.communicator.sum(product);
}

Pcg::Pcg(const IndexMap& map, const Options& options)
    : options_(options), residual_(map), preconditioned_(map), direction_(map), image_(map), inverse_(map.owned()) {}

void Pcg::start(const LinearSystem& system, const Field& b, Field& p) {
  copy_diagonal(system.matrix, inverse_.view());
  if (system.added) system.added->add_diagonal(inverse_.view());
  invert_blocks(system.fixed.view(), inverse_.view());
  apply(system, p, image_);
  squared_ = system.communicator.sum(first_residual(inverse_.view(), system.fixed.view(), b.owned(), image_.owned(),
                                                    residual_.write_owned(), preconditioned_.write_owned()));
  iterations_ = 0;
  correct_with(system.coarse, system.added);
  first_ = std::sqrt(squared_);
}

// A new direction from D^-1 r; the coarse space meets the system for the first time.
void Pcg::correct_with(CoarseSpace* coarse, MatrixFreeTerms* added) {
  coarse_ = coarse;
  if (coarse) {
    coarse->couple(added);
    squared_ += coarse->add_correction(residual_.owned(), preconditioned_.write_owned());
  }
  direction_.set_zero();
  next_direction(0, preconditioned_.owned(), direction_.write_owned());
}

void Pcg::strengthen(const LinearSystem& system, Field& p, SolveReport& report) {
  const Real before = squared_;
  squared_ =
      system.communicator.sum(advance_solution(inverse_.view(), 0, direction_.owned(), image_.owned(), p.write_owned(),
                                               residual_.write_owned(), preconditioned_.write_owned()));
  correct_with(system.stronger, system.added);
  report.strengthened = true;
  report.norm_change = std::sqrt(squared_ / before);
  first_ *= report.norm_change;
  report.first = first_;
  report.enough *= report.norm_change;
}

// How many iterations a solve may take before it is worth to set up a stronger preconditioner.
static constexpr int patience = 50;

SolveReport Pcg::solve(const LinearSystem& system, const Field& b, Field& p) {
  if (!system.resumes) start(system, b, p);
  SolveReport report;
  const SolveGoal& goal = system.goal;
  report.first = first_;
  report.enough = goal.enough;
  if (!(goal.enough > 0))
    report.enough = std::max({options_.tolerance * first_, goal.rounding,
                              std::min(options_.tolerance * goal.reference, goal.least_reduction * first_)});
  const auto enough = [&] {
    const Real until = std::max(report.enough, goal.loose * first_);
    return until * until;
  };
  while (squared_ > enough() && report.iterations < options_.maximum_iterations) {
    const Real curvature = apply(system, direction_, image_);
    if (!(curvature > 0)) {
      report.reason = std::isnan(curvature) ? SolveReason::not_a_number : SolveReason::indefinite;
      report.negative = &direction_;
      break;
    }
    const Real before = squared_;
    squared_ = system.communicator.sum(advance_solution(inverse_.view(), before / curvature, direction_.owned(),
                                                        image_.owned(), p.write_owned(), residual_.write_owned(),
                                                        preconditioned_.write_owned()));
    if (coarse_) squared_ += coarse_->add_correction(residual_.owned(), preconditioned_.write_owned());
    next_direction(squared_ / before, preconditioned_.owned(), direction_.write_owned());
    ++report.iterations;
    if (++iterations_ == patience && system.stronger && squared_ > enough()) strengthen(system, p, report);
  }
  p.forward(system.halo);
  report.residual = first_ > 0 ? std::sqrt(squared_) / first_ : 0;
  if (std::isnan(squared_)) report.reason = SolveReason::not_a_number;
  if (report.reason == SolveReason::converged && squared_ > enough()) report.reason = SolveReason::iteration_limit;
  return report;
}

}  // namespace unbarred
