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

SolveReport Pcg::solve(const LinearSystem& system, const Field& b, Field& p) {
  copy_diagonal(system.matrix, inverse_.view());
  if (system.added) system.added->add_diagonal(inverse_.view());
  invert_blocks(system.fixed.view(), inverse_.view());
  apply(system, p, image_);
  Real squared = system.communicator.sum(first_residual(inverse_.view(), system.fixed.view(), b.owned(), image_.owned(),
                                                        residual_.write_owned(), preconditioned_.write_owned()));
  SolveReport report;
  const Real first = squared;
  report.first = std::sqrt(first);
  report.enough = std::max(options_.tolerance * report.first,
                           std::min(options_.tolerance * system.reference, system.least_reduction * report.first));
  if (system.enough > 0) report.enough = system.enough;
  const Real enough = report.enough * report.enough;
  direction_.set_zero();
  next_direction(0, preconditioned_.owned(), direction_.write_owned());
  while (squared > enough && report.iterations < options_.maximum_iterations) {
    const Real curvature = apply(system, direction_, image_);
    if (!(curvature > 0)) {
      report.reason = std::isnan(curvature) ? SolveReason::not_a_number : SolveReason::indefinite;
      report.negative = &direction_;
      break;
    }
    const Real before = squared;
    squared = system.communicator.sum(advance_solution(inverse_.view(), before / curvature, direction_.owned(),
                                                       image_.owned(), p.write_owned(), residual_.write_owned(),
                                                       preconditioned_.write_owned()));
    next_direction(squared / before, preconditioned_.owned(), direction_.write_owned());
    ++report.iterations;
  }
  p.forward(system.halo);
  report.residual = first > 0 ? std::sqrt(squared / first) : 0;
  if (std::isnan(squared)) report.reason = SolveReason::not_a_number;
  if (report.reason == SolveReason::converged && squared > enough) report.reason = SolveReason::iteration_limit;
  return report;
}

}  // namespace unbarred
