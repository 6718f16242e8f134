#include "contact/pairs/hand_over.hpp"

namespace unbarred {

HandOver::HandOver(const Communicator& communicator, const IndexMap& map, const Surface& surface)
    : communicator_(communicator),
      map_(map),
      neighbours_(communicator, map, surface),
      ids_(map.global_ids()),
      body_(surface.body.to_host()) {}

std::vector<FoundPair> HandOver::decide(const ActiveSet& active, const VertexValues& positions) {
  successors_.resize_with_room(active.size());
  const std::int64_t count = find_successors({.pairs = active.pairs(),
                                              .positions = positions,
                                              .around = neighbours_.around(),
                                              .ids = ids_.view(),
                                              .owned = map_.owned()},
                                             successors_.view());
  std::vector<FoundPair> found;
  if (count == 0) return found;
  const std::vector<Successor> successors = successors_.to_host();
  const std::vector<ActivePair> pairs = active.to_host();
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const Successor& successor = successors[i];
    if (successor.slot < 0) continue;
    const PairKey& key = active.keys()[i];
    const PairHolders& holders = active.holders()[i];
    const Real handed = successor.valley != 0 ? 0 : pairs[i].multiplier;
    found.push_back({key, holders, successor.valley != 0 ? PairEvent::valley : PairEvent::leaves});
    FoundPair gains{.key = {PairKind::vertex_triangle, {key.id[successor.slot]}},
                    .holders = {.owner = {holders.owner[successor.slot]}, .body = {}},
                    .event = successor.valley != 0 ? PairEvent::hit : PairEvent::receives,
                    .gain = handed};
    for (int k = 0; k < 3; ++k) {
      const Index v = successor.triangle.v[k];
      gains.key.id[k + 1] = map_.to_global(v);
      gains.holders.owner[k + 1] = owner_of(v, map_, communicator_.rank());
    }
    const bool of_side_a = successor.slot < side_a_size(key.kind);
    gains.holders.body[0] = holders.body[of_side_a ? 0 : 1];
    gains.holders.body[1] = body_[static_cast<std::size_t>(successor.triangle.v[0])];
    found.push_back(gains);
  }
  return found;
}

}  // namespace unbarred
