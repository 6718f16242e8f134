#include "contact/search/kept_candidates.hpp"

#include <algorithm>
#include <array>

#include "contact/search/kept_candidates_kernels.hpp"

namespace unbarred {

namespace {

/// A motion of the local vertices that was looked at.
struct Covered {
  DeviceArray<Vec3> start, end;
  Motion motion() const { return {start.view(), end.view()}; }
  void set(const CollisionMesh& mesh) {
    const auto local = static_cast<std::int64_t>(mesh.local_vertices());
    start.resize_discard(local);
    end.resize_discard(local);
    if (local == 0) return;
    memory::copy_on_device(start.data(), mesh.start().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
    memory::copy_on_device(end.data(), mesh.target().data(), static_cast<std::size_t>(local) * sizeof(Vec3));
  }
};

class KeptCandidates final : public BroadPhase {
 public:
  explicit KeptCandidates(std::unique_ptr<BroadPhase> search) : search_(std::move(search)) {}

  void begin_step() override {
    search_->begin_step();
    boxes_margin_ = -1;
  }

  const DeviceArray<ContactPair>& find(CollisionMesh& mesh, Real margin) override {
    const bool any = boxes_margin_ >= 0;
    const MotionDifference difference = any ? measure(mesh) : MotionDifference{};
    if (any && margin + difference.of_boxes <= boxes_margin_) {
      if (mesh.communicator().size() > 1) mesh.refresh_received();
      enough_ = 2 * (margin + difference.of_paths);
      if (drops_most(mesh)) return search_->candidates();
    } else {
      search(mesh, margin);
    }
    look_anew(mesh, margin);
    return search_->candidates();
  }
  const DeviceArray<ContactPair>& candidates() const override { return search_->candidates(); }
  Sieve sieve() const override { return {.clearances = clearances_.view(), .enough = enough_}; }

 private:
  /// In mean lengths of edges: larger boxes find so many pairs that searching again is faster. The same in every step:
  /// what a step finds must not depend on the steps before it, or a run that resumes would part from one that goes on.
  static constexpr Real extra = 0.05;

  void search(CollisionMesh& mesh, Real margin) {
    if (boxes_margin_ < 0) extra_ = extra * mean_length(mesh);
    boxes_margin_ = margin + extra_;
    boxes_.set(mesh);
    search_->find(mesh, boxes_margin_);
  }

  /// Vertices that others own are theirs to look at.
  MotionDifference measure(const CollisionMesh& mesh) {
    const View<const SurfaceVertex> vertices = mesh.own().vertices.view();
    const Motion motion{mesh.start(), mesh.target()};
    std::array<Real, 3> along = along_path(vertices, motion, paths_.motion());
    mesh.communicator().sum(along);
    const auto time = [&](Real product) { return along[0] > 0 ? std::clamp(product / along[0], Real(0), Real(1)) : 0; };
    const MotionDifference of_rank = largest_difference(vertices, motion, boxes_.motion(), paths_.motion(),
                                                        {.begin = time(along[1]), .end = time(along[2])});
    std::array<Real, 2> most{of_rank.of_boxes, of_rank.of_paths};
    mesh.communicator().max(most);
    return {.of_boxes = most[0], .of_paths = most[1]};
  }

  static Real mean_length(const CollisionMesh& mesh) {
    const std::int64_t edges = mesh.communicator().sum(mesh.own().edges.size());
    const Real length = mesh.communicator().sum(sum_of_lengths(mesh.own().edges.view(), mesh.start()));
    return edges > 0 ? length / static_cast<Real>(edges) : 0;
  }

  void look_anew(const CollisionMesh& mesh, Real margin) {
    const View<const ContactPair> found = search_->candidates().view();
    paths_.set(mesh);
    enough_ = 2 * margin;
    clearances_.resize_with_room(found.size());
    clearances(found, {mesh.start(), mesh.target()}, enough_, clearances_.view());
  }

  /// Otherwise another look takes less time.
  bool drops_most(const CollisionMesh& mesh) const {
    constexpr Real most = 0.75;
    std::array<Real, 2> counts{count_near(sieve()), static_cast<Real>(clearances_.size())};
    mesh.communicator().sum(counts);
    return counts[0] <= (1 - most) * counts[1];
  }

  std::unique_ptr<BroadPhase> search_;
  Covered boxes_, paths_;         // of the last search, and of the last look at clearances
  Real boxes_margin_ = -1;        // that was searched with, m; below 0: nothing
  Real extra_ = 0;                // of boxes, m
  DeviceArray<Real> clearances_;  // of what was found, on the way that was looked at last, m
  Real enough_ = 0;               // of them, m
};

}  // namespace

std::unique_ptr<BroadPhase> keep_candidates(std::unique_ptr<BroadPhase> search) {
  return std::make_unique<KeptCandidates>(std::move(search));
}

}  // namespace unbarred
