// The part of ContactProblem that NewtonStep works with: its model of contact along a Newton step.
#include "dynamics/contact/contact_problem.hpp"

namespace unbarred {

void ContactProblem::set_candidate(const Field& p) { set_candidates(active_.pairs(), active_.update_other(p)); }

std::vector<Real> ContactProblem::model_slopes(const std::vector<Real>& t) {
  pushes_.resize_with_room(active_.size());
  step_.assign_host(t);
  unbarred::model_slopes(active_.pairs(), step_.view(), pushes_.view());
  return by_body(pushes_.view(), t.size());
}

void ContactProblem::accept_candidate(const std::vector<Real>& t) {
  step_.assign_host(t);
  accept_candidates(active_.pairs(), step_.view());
}

// By body: a force on one that nearly flies is nothing beside those in a pile, and all that moves it.
bool ContactProblem::revise(const Field& iterate, std::size_t bodies) {
  // Of the forces on a body. Ten times as much while motion is still to be done saves no solves, and multipliers
  // remember it: a cube slid a third too slow.
  const Real negligible = options_.accuracy / 15;
  pushes_.resize_with_room(active_.size());
  errors_.resize_with_room(active_.size());
  unbarred::revise(active_.pairs(), pushes_.view(), errors_.view());
  const std::vector<Real> pushes = to_host(std::as_const(pushes_).view()),
                          errors = to_host(std::as_const(errors_).view());
  std::vector<Real> sums(2 * bodies, 0);
  for (std::size_t i = 0; i < pushes.size(); ++i)
    for (const std::int32_t body : active_.holders()[i].body) {
      sums[static_cast<std::size_t>(body)] += pushes[i];
      sums[bodies + static_cast<std::size_t>(body)] += errors[i];
    }
  communicator_.sum(std::span<Real>(sums));
  bool wrong = false;
  for (std::size_t b = 0; b < bodies; ++b) wrong = wrong || sums[bodies + b] > negligible * sums[b];
  if (!wrong) return false;
  pair_terms(active_.pairs(), active_.feasible(feasible_), active_.update_other(iterate), active_.start(step_start_),
             settings_, active_.terms());
  return true;
}

std::vector<BodySpring> ContactProblem::body_springs(const Field& x) {
  pair_points_.resize_with_room(active_.size());
  unbarred::pair_points(active_.pairs(), active_.update_other(x), pair_points_.view());
  const std::vector<PairPoints> points = pair_points_.to_host();
  const std::vector<PairTerms> terms = to_host(std::as_const(active_).terms());
  const std::vector<std::uint8_t>& counted = active_.counted();
  std::vector<BodySpring> springs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Real(&k)[6] = terms[i].stiffness.a;
    if (!counted[i] || !(k[0] + k[3] + k[5] > 0)) continue;
    const auto& body = active_.holders()[i].body;
    springs.push_back({{body[0], body[1]}, {points[i].point[0], points[i].point[1]}, terms[i].stiffness});
  }
  return springs;
}

}  // namespace unbarred
