#include "contact/search/broad_phase.hpp"

#include <algorithm>

#include "contact/search/box_kernels.hpp"
#include "contact/search/broad_phase_kernels.hpp"
#include "contact/search/brute_force.hpp"
#include "contact/search/bvh.hpp"
#include "contact/search/exclusion.hpp"
#include "contact/search/pair_search.hpp"

namespace unbarred {

namespace {

/// What every rank knows of every other rank, for each kind of primitive.
constexpr int boxes_a_rank = 32;
struct RankBoxes {
  Box vertices[boxes_a_rank], edges[boxes_a_rank], triangles[boxes_a_rank];
};

constexpr Vec3 origin{{0, 0, 0}};  // one for all ranks: rounding must not depend on the partition

bool is_empty(const Box& box) { return !(box.lower[0] <= box.upper[0]); }

/// Of two ranks one handles their pairs; every rank handles about half of its neighbors.
int handler(int a, int b) { return (a + b) % 2 == 0 ? std::min(a, b) : std::max(a, b); }

using KindOfBoxes = Box (RankBoxes::*)[boxes_a_rank];

/// Tree, Search: Bvh and PairSearch, or BoxList and BruteForceSearch.
template <class Tree, class Search>
class Finder final : public BroadPhase {
 public:
  explicit Finder(const BroadPhaseOptions& options) : excluded_(options.excluded_bodies) {}

  void begin_step() override {
    constexpr int steps_a_sort = 8;
    sort_anew_ = steps_++ % steps_a_sort == 0;
  }
  const DeviceArray<ContactPair>& candidates() const override { return candidates_; }

  const DeviceArray<ContactPair>& find(CollisionMesh& mesh, Real margin) override {
    candidates_.truncate(0);
    mesh.forget_received();
    fit(mesh.own(), mesh, margin, sort_anew_, own_);
    sort_anew_ = false;
    gather_rank_boxes(mesh.communicator());
    const int rank = mesh.communicator().rank();
    mesh.exchange_primitives(outgoing(own_.vertices, &RankBoxes::triangles, rank),
                             outgoing(own_.edges, &RankBoxes::edges, rank),
                             outgoing(own_.triangles, &RankBoxes::vertices, rank));
    fit(mesh.received(), mesh, margin, true, received_);
    vertex_triangle(mesh, mesh.own(), own_, mesh.own(), own_);
    vertex_triangle(mesh, mesh.own(), own_, mesh.received(), received_);
    vertex_triangle(mesh, mesh.received(), received_, mesh.own(), own_);
    edge_edge(mesh);
    return candidates_;
  }

 private:
  struct Trees {
    Tree vertices, edges, triangles;
  };

  void fit(const PrimitiveSet& set, const CollisionMesh& mesh, Real margin, bool anew, Trees& trees) {
    fit_one(set.vertices, mesh, margin, anew, trees.vertices);
    fit_one(set.edges, mesh, margin, anew, trees.edges);
    fit_one(set.triangles, mesh, margin, anew, trees.triangles);
  }

  template <int N>
  void fit_one(const DeviceArray<Primitive<N>>& primitives, const CollisionMesh& mesh, Real margin, bool anew,
               Tree& tree) {
    boxes_.resize_with_room(primitives.size());
    swept_boxes<N>(primitives.view(), mesh.start(), mesh.target(), origin, margin, boxes_.view());
    if (anew || tree.size() != primitives.size()) tree.build(boxes_.view());
    else tree.refit(boxes_.view());
  }

  void gather_rank_boxes(const Communicator& communicator) {
    if (communicator.size() == 1) return;
    const std::int64_t n = boxes_a_rank;
    chunks_.resize_discard(3 * n);
    unite_chunks(own_.vertices.view(), chunks_.view().part(0, n));
    unite_chunks(own_.edges.view(), chunks_.view().part(n, n));
    unite_chunks(own_.triangles.view(), chunks_.view().part(2 * n, n));
    const std::vector<Box> host = chunks_.to_host();
    RankBoxes mine;
    std::copy_n(host.begin(), n, mine.vertices);
    std::copy_n(host.begin() + n, n, mine.edges);
    std::copy_n(host.begin() + 2 * n, n, mine.triangles);
    everybody_ = communicator.all_gather(mine);
  }

  /// Which owned primitives meet a box of a rank that handles our pairs with it; ascending.
  std::vector<Outgoing> outgoing(const Tree& tree, KindOfBoxes kind, int own_rank) {
    std::vector<Box> boxes;
    std::vector<int> ranks;
    for (int rank = 0; rank < static_cast<int>(everybody_.size()); ++rank) {
      if (rank == own_rank || handler(rank, own_rank) != rank) continue;
      for (const Box& box : everybody_[static_cast<std::size_t>(rank)].*kind)
        if (!is_empty(box)) {
          boxes.push_back(box);
          ranks.push_back(rank);
        }
    }
    if (boxes.empty()) return {};
    boxes_.assign_host(boxes);
    remote_.build(boxes_.view());
    std::vector<Outgoing> outgoing;
    for (const IndexPair& pair : search_.between(tree, remote_, AdmitsAll{}).to_host())
      outgoing.push_back({ranks[static_cast<std::size_t>(pair.second)], pair.first});
    std::sort(outgoing.begin(), outgoing.end());
    outgoing.erase(std::unique(outgoing.begin(), outgoing.end()), outgoing.end());
    return outgoing;
  }

  PairRules rules(const CollisionMesh& mesh) const {
    return {.body = mesh.body(), .excluded = excluded_.view(), .prescribed = mesh.prescribed()};
  }

  void vertex_triangle(const CollisionMesh& mesh, const PrimitiveSet& a, const Trees& a_trees, const PrimitiveSet& b,
                       const Trees& b_trees) {
    const AdmitsVertexTriangle admits{.first = a.vertices.view(), .second = b.triangles.view(), .rules = rules(mesh)};
    append<1, 3>(mesh, search_.between(a_trees.vertices, b_trees.triangles, admits), a.vertices.view(),
                 b.triangles.view());
  }

  void edge_edge(const CollisionMesh& mesh) {
    const View<const Edge> own = mesh.own().edges.view(), received = mesh.received().edges.view();
    const AdmitsEdges among_own{.first = own, .second = own, .rules = rules(mesh)};
    append<2, 2>(mesh, search_.within(own_.edges, among_own), own, own);
    const AdmitsEdges with_received{.first = own, .second = received, .rules = rules(mesh)};
    append<2, 2>(mesh, search_.between(own_.edges, received_.edges, with_received), own, received);
  }

  template <int A, int B>
  void append(const CollisionMesh& mesh, const DeviceArray<IndexPair>& found, View<const Primitive<A>> first,
              View<const Primitive<B>> second) {
    const std::int64_t before = candidates_.size();
    candidates_.grow(before + found.size());
    write_pairs<A, B>(found.view(), first, second, mesh.ids(), candidates_.view().part(before, found.size()));
  }

  DeviceArray<std::uint64_t> excluded_;
  DeviceArray<ContactPair> candidates_;
  bool sort_anew_ = true;
  int steps_ = 0;
  DeviceArray<Box> boxes_, chunks_;
  std::vector<RankBoxes> everybody_;  // empty on one rank
  Trees own_, received_;
  Tree remote_;
  Search search_;
};

}  // namespace

std::unique_ptr<BroadPhase> make_broad_phase(const BroadPhaseOptions& options) {
  if (options.search == BroadPhaseOptions::Search::brute_force)
    return std::make_unique<Finder<BoxList, BruteForceSearch>>(options);
  return std::make_unique<Finder<Bvh, PairSearch>>(options);
}

}  // namespace unbarred
