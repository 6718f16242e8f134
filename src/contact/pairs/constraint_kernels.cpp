#include "contact/pairs/constraint_kernels.hpp"

#include "contact/pairs/pair_slip.hpp"
#include "core/parallel.hpp"

namespace unbarred {

namespace {

/// c(y) = d(x) + sum w_k n . (y_k - x_k) - delta, of relative positions.
UNBARRED_FUNCTION Real constraint(const ActivePair& p, const VertexValues& feasible, const VertexValues& y) {
  const Vec3 moved = weighted(p, y) - weighted(p, feasible);
  return p.link.distance + dot(p.link.normal, moved) - p.offset;
}

UNBARRED_FUNCTION void add_outer(Real (&s)[6], Real factor, const Vec3& a) {
  s[0] += factor * a[0] * a[0];
  s[1] += factor * a[0] * a[1];
  s[2] += factor * a[0] * a[2];
  s[3] += factor * a[1] * a[1];
  s[4] += factor * a[1] * a[2];
  s[5] += factor * a[2] * a[2];
}

UNBARRED_FUNCTION void add_tangent_plane(Real (&s)[6], Real factor, const Vec3& n) {
  s[0] += factor;
  s[3] += factor;
  s[5] += factor;
  add_outer(s, -factor, n);
}

}  // namespace

struct SetOffsets {
  View<ActivePair> pairs;
  VertexValues start, velocity;
  OffsetRamp ramp;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    Vec3 x[4];
    Real squared_speed = 0;
    for (int k = 0; k < 4; ++k) {
      x[k] = start[p.pair.v[k]];
      const Real squared = squared_norm(velocity[p.pair.v[k]] - velocity[p.pair.v[0]]);
      squared_speed = squared > squared_speed ? squared : squared_speed;
    }
    const Real limit = ramp.time_step * (0.1 * sqrt(squared_speed) + ramp.speed);
    const bool at_once = !(ramp.share < 1e300);
    const Real growth = at_once ? ramp.offset : ramp.share * (limit < ramp.offset ? limit : ramp.offset);
    const Real ramped = pair_distance(p.pair.kind, x).distance + growth;
    const Real most = ramp.offset / p.adapted;
    p.offset = ramped < most ? ramped : most;
  }
};

void set_offsets(View<ActivePair> pairs, const VertexValues& start, const VertexValues& velocity,
                 const OffsetRamp& ramp) {
  for_each_index("set offsets", pairs.size(),
                 SetOffsets{.pairs = pairs, .start = start, .velocity = velocity, .ramp = ramp});
}

struct SetPenalties {
  View<ActivePair> pairs;
  PenaltyRule rule;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    if ((p.penalty > 0 && !rule.known) || !(rule.largest > 0)) return;
    Real compliance = rule.rigid[i];
    for (int k = 0; k < 4; ++k) {
      const Real w = p.link.weight[k];
      compliance += w * w * rule.compliance[p.pair.v[k]][0];
    }
    const Real mu = compliance > 0 ? rule.factor / compliance : rule.largest;
    p.penalty = p.adapted * (mu < rule.largest ? mu : rule.largest);
  }
};

void set_penalties(View<ActivePair> pairs, const PenaltyRule& rule) {
  for_each_index("set penalties", pairs.size(), SetPenalties{.pairs = pairs, .rule = rule});
}

struct CountFaded {
  View<const ActivePair> pairs;
  Real least;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const { terms[0] = pairs[i].decay < least; }
};

std::int64_t count_faded(View<const ActivePair> pairs, Real least) {
  return static_cast<std::int64_t>(sums<1>("count faded", pairs.size(), CountFaded{pairs, least})[0]);
}

struct FadeHeld {
  View<ActivePair> pairs;
  VertexValues held;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    bool all = true;
    for (const Index v : p.pair.v) all = all && held[v][0] != 0;
    if (all) p.decay = 0;
  }
};

void fade_held(View<ActivePair> pairs, const VertexValues& held) {
  for_each_index("fade held pairs", pairs.size(), FadeHeld{.pairs = pairs, .held = held});
}

struct Linearize {
  View<ActivePair> pairs;
  VertexValues feasible;
  bool keep;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    if (keep && p.linked) {
      p.link.distance = dot(p.link.normal, weighted(p, feasible));
      return;
    }
    p.linked = 1;
    const Vec3 x[4] = {feasible[p.pair.v[0]], feasible[p.pair.v[1]], feasible[p.pair.v[2]], feasible[p.pair.v[3]]};
    if (p.valley == 0 || !near_plane(x, p.link)) {
      p.valley = 0;
      p.link = pair_distance(p.pair.kind, x);
    }
  }
};

void linearize(View<ActivePair> pairs, const VertexValues& feasible, bool keep) {
  for_each_index("linearize", pairs.size(), Linearize{.pairs = pairs, .feasible = feasible, .keep = keep});
}

struct Evaluate {
  View<ActivePair> pairs;
  VertexValues feasible, iterate;
  ConstraintSettings settings;
  Real follow;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    p.value = constraint(p, feasible, iterate);
    p.active = p.solved = p.value < p.multiplier / p.penalty;
    p.change = 0;
    p.friction_multiplier = (1 - follow) * p.friction_multiplier + (p.active ? follow * p.multiplier : 0);
    // Only what is far away fades: how often a step evaluates pairs must not decide which it knows.
    const bool near = p.active || (!settings.weigh_inactive && p.value < settings.offset);
    p.decay = near ? 1 : settings.decay_factor * p.decay;
  }
};

void evaluate(View<ActivePair> pairs, const VertexValues& feasible, const VertexValues& iterate,
              const ConstraintSettings& settings, Real follow) {
  for_each_index(
      "evaluate pairs", pairs.size(),
      Evaluate{.pairs = pairs, .feasible = feasible, .iterate = iterate, .settings = settings, .follow = follow});
}

struct ComputePairTerms {
  View<const ActivePair> pairs;
  VertexValues feasible, iterate, start;
  ConstraintSettings settings;
  View<PairTerms> terms;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = pairs[i];
    PairTerms t{};
    for (int k = 0; k < 4; ++k) t.weight[k] = p.link.weight[k];
    const Real force = p.multiplier - p.penalty * constraint(p, feasible, iterate);
    const bool holds = settings.weigh_inactive ? force > 0 : p.solved != 0;
    const Real weight = settings.weigh_inactive ? p.decay : 1;
    if (holds || settings.weigh_inactive) add_outer(t.stiffness.a, weight * p.penalty, p.link.normal);
    if (holds) t.force = (weight * force) * p.link.normal;
    add_friction(p, t);
    terms[i] = t;
  }

  UNBARRED_FUNCTION void add_held_friction(const ActivePair& p, const Vec3& u, Real limit, PairTerms& t) const {
    const HeldFriction held = held_friction(p, u);
    const bool sticks = held.size <= limit;
    const Real share = sticks ? 1 : limit / held.size;
    t.force += share * held.w;
    add_tangent_plane(t.stiffness.a, share * p.penalty, p.link.normal);
    if (!sticks && !p.cautious) add_outer(t.stiffness.a, -share * p.penalty / (held.size * held.size), held.w);
  }

  /// M8: mu_f lambda [f1/|u| (T - u u^T) + max(0, f1') u u^T], with its limit at u = 0. Along u this is
  /// no stiffness at all once something slides, so Newton overshoots when it is about to stick; a cautious pair takes
  /// the secant f1/|u| there, which lies above the potential: the full step is then always one downhill. Always
  /// cautious is no choice: what sticks near its limit then takes a hundred iterations to stop.
  UNBARRED_FUNCTION void add_friction(const ActivePair& p, PairTerms& t) const {
    const Real limit = p.friction * p.friction_multiplier, e = settings.slip_length;
    if (!(limit > 0)) return;
    const Vec3 u = slip(p, iterate, start);
    if (!(e > 0)) return add_held_friction(p, u, limit, t);
    const Real size = sqrt(squared_norm(u));
    if (size < 1e-12 * e) return add_tangent_plane(t.stiffness.a, 2 * limit / e, p.link.normal);
    const Vec3 direction = (1 / size) * u;
    const Real slope = friction_slope(size, e), tangent = size < e ? 2 * (1 - size / e) / e : 0;
    const Real secant = p.cautious ? slope / size : 0;
    const Real rate = tangent > secant ? tangent : secant;
    t.force -= (limit * slope) * direction;
    add_tangent_plane(t.stiffness.a, limit * slope / size, p.link.normal);
    add_outer(t.stiffness.a, limit * (rate - slope / size), direction);
  }
};

void pair_terms(View<const ActivePair> pairs, const VertexValues& feasible, const VertexValues& iterate,
                const VertexValues& start, const ConstraintSettings& settings, View<PairTerms> terms) {
  for_each_index("pair terms", pairs.size(),
                 ComputePairTerms{.pairs = pairs,
                                  .feasible = feasible,
                                  .iterate = iterate,
                                  .start = start,
                                  .settings = settings,
                                  .terms = terms});
}

struct ConstraintEnergy {
  static UNBARRED_FUNCTION Real held_energy(Real size, Real limit, Real penalty) {
    return (size <= limit ? size * size / 2 : limit * (size - limit / 2)) / penalty;
  }
  View<const ActivePair> pairs;
  VertexValues feasible, y, start;
  ConstraintSettings settings;
  View<Real> energies;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = pairs[i];
    energies[i] = 0;
    if (!p.counted || !(p.penalty > 0)) return;
    const Real violation = constraint(p, feasible, y) - p.multiplier / p.penalty;
    const Real weight = settings.weigh_inactive ? p.decay : 1;
    if (violation < 0) energies[i] += 0.5 * weight * p.penalty * violation * violation;
    const Real limit = p.friction * p.friction_multiplier;
    if (!(limit > 0)) return;
    const Vec3 u = slip(p, y, start);
    energies[i] += settings.slip_length > 0 ? limit * friction_potential(sqrt(squared_norm(u)), settings.slip_length)
                                            : held_energy(held_friction(p, u).size, limit, p.penalty);
  }
};

void constraint_energies(View<const ActivePair> pairs, const VertexValues& feasible, const VertexValues& y,
                         const VertexValues& start, const ConstraintSettings& settings, View<Real> energies) {
  for_each_index(
      "constraint energies", pairs.size(),
      ConstraintEnergy{
          .pairs = pairs, .feasible = feasible, .y = y, .start = start, .settings = settings, .energies = energies});
}

struct SumPairs {
  View<const ActivePair> pairs;
  VertexValues y, start;
  ConstraintSettings settings;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[3]) const {
    const ActivePair& p = pairs[i];
    for (Real& term : terms) term = 0;
    if (!p.counted) return;
    terms[0] = 1;
    terms[1] = p.active;
    terms[2] = -dot(p.friction_force, slip(p, y, start));
  }
};

struct GapOfPair {
  View<const ActivePair> pairs;
  VertexValues y;
  UNBARRED_FUNCTION void operator()(std::int64_t i, Real (&terms)[1]) const {
    const Index* v = pairs[i].pair.v;
    const Vec3 x[4] = {y[v[0]], y[v[1]], y[v[2]], y[v[3]]};
    terms[0] = pair_distance(pairs[i].pair.kind, x).distance;
  }
};

PairSummary summarize(View<const ActivePair> pairs, const VertexValues& y, const VertexValues& start,
                      const ConstraintSettings& settings) {
  const auto total =
      sums<3>("sum pairs", pairs.size(), SumPairs{.pairs = pairs, .y = y, .start = start, .settings = settings});
  const Real gap = least<1>("least gap", pairs.size(), GapOfPair{pairs, y})[0];
  return {static_cast<std::int64_t>(total[0]), static_cast<std::int64_t>(total[1]), gap < 1e300 ? gap : 1e300,
          total[2]};
}

struct UpdateMultiplier {
  View<ActivePair> pairs;
  View<const PairTerms> terms;
  VertexValues p;
  ConstraintSettings settings;
  View<const Real> step;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& pair = pairs[i];
    const Real taken = step[pair.body];
    const Vec3 moved = taken * weighted(pair, p);
    const Vec3& n = pair.link.normal;
    const Vec3 force = terms[i].force - multiply(terms[i].stiffness, moved);
    pair.friction_force = force - dot(force, n) * n;
    pair.friction_hold = within(pair.friction_force, pair.friction * pair.friction_multiplier);
    const Real normal = pair.multiplier - pair.penalty * (pair.value + dot(n, moved));
    if (taken < 1 && settings.secant_friction) pair.cautious = 1;
    const Real share = settings.share_of_search ? taken : 1;
    const Real updated = pair.multiplier + share * ((normal > 0 ? normal : 0) - pair.multiplier);
    if (pair.solved || settings.inactive_may_rise || updated < pair.multiplier) pair.multiplier = updated;
  }
};

void update_multipliers(View<ActivePair> pairs, View<const PairTerms> terms, const VertexValues& p,
                        const ConstraintSettings& settings, View<const Real> step) {
  for_each_index("update multipliers", pairs.size(),
                 UpdateMultiplier{.pairs = pairs, .terms = terms, .p = p, .settings = settings, .step = step});
}

struct RenewPair {
  View<ActivePair> pairs;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    p.cautious = p.valley = 0;
    p.adapted = 1;
  }
};

void renew(View<ActivePair> pairs) { for_each_index("renew pairs", pairs.size(), RenewPair{pairs}); }

struct AddForces {
  PairsOfVertices around;
  View<const PairTerms> terms;
  View<Vec3> downhill;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    Vec3 sum{{0, 0, 0}};
    for (Index e = around.offsets[i]; e < around.offsets[i + 1]; ++e) {
      const Index entry = around.entries[e];
      const PairTerms& t = terms[entry / 4];
      sum += t.weight[entry % 4] * t.force;
    }
    downhill[around.vertices[i]] += sum;
  }
};

void add_forces(const PairsOfVertices& around, View<const PairTerms> terms, View<Vec3> downhill) {
  for_each_index("add pair forces", around.vertices.size(),
                 AddForces{.around = around, .terms = terms, .downhill = downhill});
}

struct PointsOfPair {
  View<const ActivePair> pairs;
  VertexValues x;
  View<PairPoints> points;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = pairs[i];
    const int of_a = p.pair.kind == PairKind::vertex_triangle ? 1 : 2;
    PairPoints at{};
    for (int k = 0; k < 4; ++k) {
      const int side = k < of_a ? 0 : 1;
      at.point[side] += (side == 0 ? p.link.weight[k] : -p.link.weight[k]) * x[p.pair.v[k]];
    }
    points[i] = at;
  }
};

void pair_points(View<const ActivePair> pairs, const VertexValues& x, View<PairPoints> points) {
  for_each_index("pair points", pairs.size(), PointsOfPair{.pairs = pairs, .x = x, .points = points});
}

struct PairImage {
  View<const ActivePair> pairs;
  View<const PairTerms> terms;
  VertexValues x;
  View<Vec3> images;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    images[i] = multiply(terms[i].stiffness, weighted(pairs[i], x));
  }
};

void pair_images(View<const ActivePair> pairs, View<const PairTerms> terms, const VertexValues& x, View<Vec3> images) {
  for_each_index("pair images", pairs.size(), PairImage{.pairs = pairs, .terms = terms, .x = x, .images = images});
}

}  // namespace unbarred
