#include "core/fill_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct Fill {
  View<Real> values;
  Real value;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { values[i] = value; }
};

void fill(View<Real> values, Real value) { for_each_index("fill", values.size(), Fill{values, value}); }

}  // namespace unbarred
