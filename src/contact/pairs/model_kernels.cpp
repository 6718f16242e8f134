#include "contact/pairs/model_kernels.hpp"

#include "contact/pairs/pair_slip.hpp"
#include "core/parallel.hpp"

namespace unbarred {

namespace {

UNBARRED_FUNCTION Real force_at(const ActivePair& p, Real change) {
  return p.multiplier - p.penalty * (p.value + change);
}

}  // namespace

struct SetCandidate {
  View<ActivePair> pairs;
  VertexValues p;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    pairs[i].candidate = dot(pairs[i].link.normal, weighted(pairs[i], p));
  }
};

void set_candidates(View<ActivePair> pairs, const VertexValues& p) {
  for_each_index("set candidates", pairs.size(), SetCandidate{.pairs = pairs, .p = p});
}

struct ModelSlope {
  View<const ActivePair> pairs;
  View<const Real> t;
  View<Real> slopes;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    const ActivePair& p = pairs[i];
    slopes[i] = 0;
    if (!p.counted) return;
    const Real d = p.candidate - p.change, force = force_at(p, p.change + t[p.body] * d);
    if (p.solved) slopes[i] += force * d;
    if (force > 0) slopes[i] -= force * d;
  }
};

void model_slopes(View<const ActivePair> pairs, View<const Real> t, View<Real> slopes) {
  for_each_index("model slopes", pairs.size(), ModelSlope{.pairs = pairs, .t = t, .slopes = slopes});
}

struct AcceptCandidate {
  View<ActivePair> pairs;
  View<const Real> t;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    const Real part = t[p.body];
    p.change = part == 1 ? p.candidate : p.change + part * (p.candidate - p.change);
  }
};

void accept_candidates(View<ActivePair> pairs, View<const Real> t) {
  for_each_index("accept candidates", pairs.size(), AcceptCandidate{.pairs = pairs, .t = t});
}

struct Revise {
  View<ActivePair> pairs;
  View<Real> pushes, errors;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const {
    ActivePair& p = pairs[i];
    const Real force = force_at(p, p.change);
    const bool holds = force > 0, wrong = holds != (p.solved != 0);
    p.solved = holds;
    pushes[i] = p.counted && holds ? force : 0;
    errors[i] = p.counted && wrong ? (holds ? force : -force) : 0;
  }
};

void revise(View<ActivePair> pairs, View<Real> pushes, View<Real> errors) {
  for_each_index("revise pairs", pairs.size(), Revise{.pairs = pairs, .pushes = pushes, .errors = errors});
}

}  // namespace unbarred
