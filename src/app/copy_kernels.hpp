#pragma once
#include "core/view.hpp"

namespace unbarred {

/// to = from, element by element: the yardstick of memory-bound kernels.
void copy_values(View<const double> from, View<double> to);

}  // namespace unbarred
