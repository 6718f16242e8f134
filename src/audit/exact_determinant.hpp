#pragma once
// Signs of determinants of doubles without any rounding: integer arithmetic on the numbers' own bits. Slow (a fraction
// of a microsecond); orientation.hpp asks for it when floating point cannot tell.
#include <array>
#include <initializer_list>

#include "core/types.hpp"

namespace unbarred::exact {

/// sign * det of the three rows.
struct DeterminantTerm {
  int sign;  ///< 1 or -1
  std::array<const Real*, 3> rows;
};

/// The sign (-1, 0, 1) of the sum of at most eight 3x3 determinants. Exact for all finite doubles, from the smallest
/// subnormal to the largest number and in any mixture: nothing overflows, underflows or is rounded.
int determinant_sum_sign(std::initializer_list<DeterminantTerm> terms);

}  // namespace unbarred::exact
