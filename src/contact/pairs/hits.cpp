#include "contact/pairs/hits.hpp"

#include "contact/ccd.hpp"
#include "contact/filter/filter_kernels.hpp"
#include "core/fill_kernels.hpp"

namespace unbarred {

const DeviceArray<Index>& EarliestHits::select(CollisionMesh& mesh, View<const ContactPair> pairs,
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

void Hits::collect(const CollisionMesh& mesh, const BroadPhase& broad_phase, const StepFilter& filter) {
  const View<const Real> times = filter.times();
  marks_.resize_with_room(times.size());
  places_.resize_with_room(times.size() + 1);
  const std::int64_t count = mark_hits(times, marks_.view(), places_.view());
  gathered_.resize_with_room(count);
  pairs_.resize_with_room(count);
  times_.resize_with_room(count);
  gather_hits({.pairs = broad_phase.candidates().view(),
               .times = times,
               .ids = mesh.ids(),
               .owners = mesh.owners(),
               .body = mesh.body(),
               .marks = marks_.view(),
               .places = places_.view()},
              gathered_.view(), pairs_.view(), times_.view());
  hits_ = gathered_.to_host();
}

std::vector<FoundPair> Hits::constraints(CollisionMesh& mesh, const ActiveSet& known, bool also_known) {
  std::vector<std::uint8_t> flags;
  flags.reserve(hits_.size());
  for (const Hit& hit : hits_) flags.push_back(known.contains(hit.found.key) ? 1 : 0);
  known_.assign_host(flags);
  const std::vector<Index> kept = earliest_.select(mesh, pairs_.view(), times_.view(), known_.view()).to_host();
  std::vector<FoundPair> found;
  for (const Index i : kept) found.push_back(hits_[static_cast<std::size_t>(i)].found);
  if (also_known)
    for (std::size_t i = 0; i < hits_.size(); ++i)
      if (flags[i] != 0) found.push_back(hits_[i].found);
  return found;
}

}  // namespace unbarred
