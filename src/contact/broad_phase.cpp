#include "contact/broad_phase.hpp"

#include <algorithm>

#include "contact/box_kernels.hpp"
#include "contact/broad_phase_kernels.hpp"

namespace unbarred {

namespace {

/// What every rank knows of every other rank, for each kind of primitive.
constexpr int boxes_a_rank = 32;
struct RankBoxes {
  Box vertices[boxes_a_rank], edges[boxes_a_rank], triangles[boxes_a_rank];
};

constexpr Vec3 origin{{0, 0, 0}};  // one for all ranks: rounding must not depend on the partition

bool is_empty(const Box& box) { return !(box.lower[0] <= box.upper[0]); }

/// Of two ranks one handles their pairs; every rank handles about half of its neighbours.
int handler(int a, int b) { return (a + b) % 2 == 0 ? std::min(a, b) : std::max(a, b); }

using KindOfBoxes = Box (RankBoxes::*)[boxes_a_rank];

/// Which owned primitives meet a box of a rank that handles our pairs with it; ascending.
std::vector<Outgoing> find_outgoing(const Bvh& tree, const std::vector<RankBoxes>& everybody, KindOfBoxes kind,
                                    int own_rank, PairSearch& search) {
  std::vector<Box> boxes;
  std::vector<int> ranks;
  for (int rank = 0; rank < static_cast<int>(everybody.size()); ++rank) {
    if (rank == own_rank || handler(rank, own_rank) != rank) continue;
    for (const Box& box : everybody[static_cast<std::size_t>(rank)].*kind)
      if (!is_empty(box)) {
        boxes.push_back(box);
        ranks.push_back(rank);
      }
  }
  Bvh remote;
  remote.build(DeviceArray<Box>(boxes).view());
  std::vector<Outgoing> outgoing;
  for (const IndexPair& pair : search.between(tree, remote, KeepAll{}).to_host())
    outgoing.push_back({ranks[static_cast<std::size_t>(pair.second)], pair.first});
  std::sort(outgoing.begin(), outgoing.end());
  outgoing.erase(std::unique(outgoing.begin(), outgoing.end()), outgoing.end());
  return outgoing;
}

template <int N>
void build_tree(const DeviceArray<Primitive<N>>& primitives, const CollisionMesh& mesh, Real margin,
                DeviceArray<Box>& boxes, Bvh& tree) {
  boxes.resize_with_room(primitives.size());
  swept_boxes<N>(primitives.view(), mesh.start(), mesh.target(), origin, margin, boxes.view());
  tree.build(boxes.view());
}

void copy_chunks(const DeviceArray<Box>& boxes, Box (&into)[boxes_a_rank]) {
  DeviceArray<Box> chunks(boxes_a_rank);
  unite_chunks(boxes.view(), chunks.view());
  const std::vector<Box> host = chunks.to_host();
  std::copy(host.begin(), host.end(), into);
}

}  // namespace

BroadPhase::BroadPhase(const Options& options)
    : excluded_(options.excluded_bodies), keep_prescribed_(options.keep_prescribed) {}

PairRules BroadPhase::rules(const CollisionMesh& mesh) const {
  return {.body = mesh.body(),
          .excluded = excluded_.view(),
          .prescribed = mesh.prescribed(),
          .keep_prescribed = keep_prescribed_};
}

const DeviceArray<ContactPair>& BroadPhase::find(CollisionMesh& mesh, Real margin) {
  candidates_.truncate(0);
  RankBoxes boxes;
  build_tree<1>(mesh.own().vertices, mesh, margin, boxes_, own_.vertices);
  copy_chunks(boxes_, boxes.vertices);
  build_tree<2>(mesh.own().edges, mesh, margin, boxes_, own_.edges);
  copy_chunks(boxes_, boxes.edges);
  build_tree<3>(mesh.own().triangles, mesh, margin, boxes_, own_.triangles);
  copy_chunks(boxes_, boxes.triangles);

  const int rank = mesh.communicator().rank();
  const std::vector<RankBoxes> everybody = mesh.communicator().all_gather(boxes);
  mesh.exchange_primitives(find_outgoing(own_.vertices, everybody, &RankBoxes::triangles, rank, search_),
                           find_outgoing(own_.edges, everybody, &RankBoxes::edges, rank, search_),
                           find_outgoing(own_.triangles, everybody, &RankBoxes::vertices, rank, search_));
  build_tree<1>(mesh.received().vertices, mesh, margin, boxes_, received_.vertices);
  build_tree<2>(mesh.received().edges, mesh, margin, boxes_, received_.edges);
  build_tree<3>(mesh.received().triangles, mesh, margin, boxes_, received_.triangles);

  vertex_triangle(mesh, mesh.own(), own_, mesh.own(), own_);
  vertex_triangle(mesh, mesh.own(), own_, mesh.received(), received_);
  vertex_triangle(mesh, mesh.received(), received_, mesh.own(), own_);
  edge_edge(mesh);
  return candidates_;
}

void BroadPhase::vertex_triangle(const CollisionMesh& mesh, const PrimitiveSet& a, const Trees& a_trees,
                                 const PrimitiveSet& b, const Trees& b_trees) {
  const VertexTriangleFilter filter{.first = a.vertices.view(), .second = b.triangles.view(), .rules = rules(mesh)};
  append<1, 3>(mesh, search_.between(a_trees.vertices, b_trees.triangles, filter), a.vertices.view(),
               b.triangles.view());
}

void BroadPhase::edge_edge(const CollisionMesh& mesh) {
  const View<const Edge> own = mesh.own().edges.view(), received = mesh.received().edges.view();
  append<2, 2>(mesh, search_.within(own_.edges, EdgeEdgeFilter{.first = own, .second = own, .rules = rules(mesh)}), own,
               own);
  append<2, 2>(mesh,
               search_.between(own_.edges, received_.edges,
                               EdgeEdgeFilter{.first = own, .second = received, .rules = rules(mesh)}),
               own, received);
}

template <int A, int B>
void BroadPhase::append(const CollisionMesh& mesh, const DeviceArray<IndexPair>& found, View<const Primitive<A>> first,
                        View<const Primitive<B>> second) {
  const std::int64_t before = candidates_.size();
  candidates_.grow(before + found.size());
  write_pairs<A, B>(found.view(), first, second, mesh.ids(), candidates_.view().part(before, found.size()));
}

}  // namespace unbarred
