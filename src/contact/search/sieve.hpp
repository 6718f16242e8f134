#pragma once
#include <cstdint>

#include "core/types.hpp"
#include "core/view.hpp"

namespace unbarred {

/// Which candidates stay far apart while all vertices go the same part of their ways, and so need no search for impacts
/// there. Where vertices stop at different times any candidate may meet.
struct Sieve {
  View<const Real> clearances{};  ///< of the candidates, m; empty: nothing is known
  Real enough = 0;                ///< m
  UNBARRED_FUNCTION bool drops(std::int64_t i) const { return clearances.size() > 0 && clearances[i] > enough; }
};

}  // namespace unbarred
