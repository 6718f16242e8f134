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
  if (system.coarse) squared_ += system.coarse->add_correction(residual_.owned(), preconditioned_.write_owned());
  first_ = std::sqrt(squared_);
  direction_.set_zero();
  next_direction(0, preconditioned_.owned(), direction_.write_owned());
}

SolveReport Pcg::solve(const LinearSystem& system, const Field& b, Field& p) {
  if (!system.resumes) start(system, b, p);
  SolveReport report;
  const SolveGoal& goal = system.goal;
  report.first = first_;
  report.enough = goal.enough;
  if (!(goal.enough > 0))
    report.enough = std::max({options_.tolerance * first_, goal.rounding,
                              std::min(options_.tolerance * goal.reference, goal.least_reduction * first_)});
  const Real until = std::max(report.enough, goal.loose * first_), enough = until * until;
  while (squared_ > enough && report.iterations < options_.maximum_iterations) {
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
    if (system.coarse) squared_ += system.coarse->add_correction(residual_.owned(), preconditioned_.write_owned());
    next_direction(squared_ / before, preconditioned_.owned(), direction_.write_owned());
    ++report.iterations;
  }
  p.forward(system.halo);
  report.residual = first_ > 0 ? std::sqrt(squared_) / first_ : 0;
  if (std::isnan(squared_)) report.reason = SolveReason::not_a_number;
  if (report.reason == SolveReason::converged && squared_ > enough) report.reason = SolveReason::iteration_limit;
  return report;
}

}  // namespace unbarred
