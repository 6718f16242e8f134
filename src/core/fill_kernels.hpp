#pragma once
#include "core/view.hpp"

namespace unbarred {

/// Every entry becomes `value`.
void fill(View<Real> values, Real value);

}  // namespace unbarred
