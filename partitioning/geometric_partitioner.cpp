// Recursive coordinate bisection. All ranges of parts of one level are cut at once; the cut is found by counting
// keys digit by digit, so that only histograms travel, never positions.
#include <bit>
#include <limits>

#include "partitioning/partitioner.hpp"

namespace unbarred {

/// Parts [begin, end), still in one piece, to be cut across `axis` before its `left`-th vertex.
struct PartRange {
  int begin, end;
  int axis = 0;
  GlobalIndex left = 0;
  std::uint64_t pivot = 0;  // key of the first vertex to the right; `left` is then counted among its equals
  int middle() const { return begin + (end - begin) / 2; }
};

/// Ascends with x.
static std::uint64_t ordered_key(Real x) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 and 0 are equal
  return bits & sign ? ~bits : bits | sign;
}

class Bisection {
 public:
  Bisection(const Communicator& communicator, const BlockMesh& mesh)
      : communicator_(communicator),
        positions_(mesh.positions),
        parts_{mesh.vertices.size, communicator.size()},
        part_(mesh.positions.size(), 0),
        range_of_part_(static_cast<std::size_t>(communicator.size()), -1) {}

  std::vector<int> run() {
    std::vector<PartRange> ranges{{0, communicator_.size()}};
    for (;;) {
      std::erase_if(ranges, [](const PartRange& range) { return range.end - range.begin < 2; });
      if (ranges.empty()) return std::move(part_);
      std::fill(range_of_part_.begin(), range_of_part_.end(), -1);
      for (std::size_t r = 0; r < ranges.size(); ++r) range_of_part_[ranges[r].begin] = static_cast<int>(r);
      choose_axes(ranges);
      choose_pivots(ranges);
      cut(ranges);
      std::vector<PartRange> halves;
      for (const PartRange& range : ranges) {
        halves.push_back({range.begin, range.middle()});
        halves.push_back({range.middle(), range.end});
      }
      ranges = std::move(halves);
    }
  }

 private:
  /// Calls f(vertex, its range) for every vertex that lies in an undivided range.
  template <class F>
  void for_each_vertex(const std::vector<PartRange>& ranges, F f) const {
    for (std::size_t i = 0; i < part_.size(); ++i)
      if (const int r = range_of_part_[part_[i]]; r >= 0) f(i, r, ranges[r]);
  }

  /// The longest axis of the box around the vertices of each range.
  void choose_axes(std::vector<PartRange>& ranges) const {
    std::vector<Real> boxes(6 * ranges.size(), std::numeric_limits<Real>::max());  // lower, -upper
    for_each_vertex(ranges, [&](std::size_t i, int r, const PartRange&) {
      for (int axis = 0; axis < 3; ++axis) {
        Real& lower = boxes[6 * r + axis];
        Real& minus_upper = boxes[6 * r + 3 + axis];
        lower = std::min(lower, positions_[i][axis]);
        minus_upper = std::min(minus_upper, -positions_[i][axis]);
      }
    });
    communicator_.min(std::span<Real>(boxes));
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      Real longest = -std::numeric_limits<Real>::max();
      for (int axis = 0; axis < 3; ++axis) {
        const Real extent = -boxes[6 * r + 3 + axis] - boxes[6 * r + axis];
        if (extent > longest) {
          longest = extent;
          ranges[r].axis = axis;
        }
      }
    }
  }

  /// Radix selection: eight digits of eight bits, one histogram a range and digit.
  void choose_pivots(std::vector<PartRange>& ranges) const {
    constexpr int digit_bits = 8, digits = 1 << digit_bits;
    for (PartRange& range : ranges) range.left = parts_.begin(range.middle()) - parts_.begin(range.begin);
    std::vector<GlobalIndex> histogram(ranges.size() * digits);
    for (int shift = 64 - digit_bits; shift >= 0; shift -= digit_bits) {
      std::fill(histogram.begin(), histogram.end(), 0);
      const std::uint64_t chosen = shift + digit_bits < 64 ? ~std::uint64_t{0} << (shift + digit_bits) : 0;
      for_each_vertex(ranges, [&](std::size_t i, int r, const PartRange& range) {
        const std::uint64_t key = ordered_key(positions_[i][range.axis]);
        if ((key & chosen) == range.pivot) ++histogram[r * digits + (key >> shift & (digits - 1))];
      });
      MPI_Allreduce(MPI_IN_PLACE, histogram.data(), static_cast<int>(histogram.size()), MPI_INT64_T, MPI_SUM,
                    communicator_.handle());
      for (std::size_t r = 0; r < ranges.size(); ++r) {
        std::uint64_t digit = 0;
        for (; digit + 1 < digits && histogram[r * digits + digit] <= ranges[r].left; ++digit)
          ranges[r].left -= histogram[r * digits + digit];
        ranges[r].pivot |= digit << shift;
      }
    }
  }

  /// Keys below the pivot stay left; of those equal to it, the first `left` by global id do.
  void cut(const std::vector<PartRange>& ranges) {
    std::vector<GlobalIndex> equal(ranges.size(), 0), before(ranges.size(), 0);
    for_each_vertex(ranges, [&](std::size_t i, int r, const PartRange& range) {
      if (ordered_key(positions_[i][range.axis]) == range.pivot) ++equal[r];
    });
    MPI_Exscan(equal.data(), before.data(), static_cast<int>(equal.size()), MPI_INT64_T, MPI_SUM,
               communicator_.handle());
    if (communicator_.is_root()) std::fill(before.begin(), before.end(), 0);  // MPI leaves it undefined there
    for_each_vertex(ranges, [&](std::size_t i, int r, const PartRange& range) {
      const std::uint64_t key = ordered_key(positions_[i][range.axis]);
      if (key > range.pivot || (key == range.pivot && before[r]++ >= range.left)) part_[i] = range.middle();
    });
  }

  const Communicator& communicator_;
  const std::vector<Vec3>& positions_;
  BlockDistribution parts_;         // how many vertices each part shall get
  std::vector<int> part_;           // first part of the range a vertex lies in
  std::vector<int> range_of_part_;  // range that begins with a part, -1 for none
};

class GeometricPartitioner final : public Partitioner {
 public:
  std::vector<int> owners(const Communicator& communicator, const BlockMesh& mesh) const override {
    return Bisection(communicator, mesh).run();
  }
  const char* name() const override { return "recursive coordinate bisection"; }
};

std::unique_ptr<Partitioner> make_geometric_partitioner() { return std::make_unique<GeometricPartitioner>(); }

}  // namespace unbarred
