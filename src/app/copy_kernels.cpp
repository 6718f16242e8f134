#include "app/copy_kernels.hpp"

#include "core/parallel.hpp"

namespace unbarred {

struct CopyValues {
  View<const double> from;
  View<double> to;
  UNBARRED_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

void copy_values(View<const double> from, View<double> to) {
  for_each_index("copy", to.size(), CopyValues{.from = from, .to = to});
}

}  // namespace unbarred
