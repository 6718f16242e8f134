#include "contact/earliest_pairs.hpp"

#include "contact/ccd.hpp"
#include "contact/earliest_kernels.hpp"
#include "contact/filter_kernels.hpp"

namespace unbarred {

const DeviceArray<Index>& EarliestPairs::select(CollisionMesh& mesh, View<const ContactPair> pairs,
                                                View<const Real> times, View<const std::uint8_t> known) {
  earliest_.resize_with_room(mesh.extended_vertices());
  fill(earliest_.view(), impact_never);
  const NewHits hits{.pairs = pairs, .times = times, .known = known, .prescribed = mesh.prescribed()};
  find_earliest(hits, earliest_.view());
  mesh.exchange().reverse_min(earliest_.view());
  mesh.exchange().forward(earliest_.view(), 1);
  keep_.resize_with_room(pairs.size());
  places_.resize_with_room(pairs.size() + 1);
  kept_.resize_with_room(mark_earliest(hits, earliest_.view(), keep_.view(), places_.view()));
  list_marked(keep_.view(), places_.view(), kept_.view());
  return kept_;
}

}  // namespace unbarred
