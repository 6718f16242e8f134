#include "linear/two_level.hpp"

#include <algorithm>

#include "linear/aggregates.hpp"

namespace unbarred {

TwoLevel::TwoLevel(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
                   const std::vector<std::int32_t>& body, const Options& options)
    : communicator_(communicator), map_(map), halo_(halo), levers_(map), names_(map) {
  const std::int64_t wanted = (map.global_size() + options.aggregates - 1) / options.aggregates;
  std::vector<std::int32_t> of =
      make_aggregates(pattern, body, std::max<int>(options.vertices, static_cast<int>(wanted)));
  count_ = of.empty() ? 0 : *std::ranges::max_element(of) + 1;
  first_ = static_cast<Index>(communicator.exclusive_sum(count_));
  all_ = static_cast<std::int32_t>(communicator.sum(std::int64_t{count_}));

  std::vector<Index> offsets(static_cast<std::size_t>(count_) + 1, 0), vertices;
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(count_));
  for (std::size_t v = 0; v < of.size(); ++v)
    if (of[v] >= 0) members[static_cast<std::size_t>(of[v])].push_back(static_cast<Index>(v));
  for (std::size_t a = 0; a < members.size(); ++a) {
    vertices.insert(vertices.end(), members[a].begin(), members[a].end());
    offsets[a + 1] = static_cast<Index>(vertices.size());
  }
  vertex_offsets_.assign_host(offsets);
  vertices_.assign_host(vertices);

  std::vector<Vec3> names(static_cast<std::size_t>(map.owned()));
  for (std::size_t v = 0; v < names.size(); ++v) names[v][0] = of[v] < 0 ? -1 : static_cast<Real>(of[v] + first_);
  names_.set_owned_from_host(names);
  names_.forward(halo);
  of.clear();
  for (const Vec3& name : names_.to_host()) of.push_back(static_cast<std::int32_t>(name[0]));
  aggregate_.assign_host(of);
  find_rows(pattern);
  sums_.resize_discard(std::int64_t{count_} * coarse_modes);
  residual_.resize(static_cast<std::size_t>(all_));
}

void TwoLevel::find_rows(const BlockPattern& pattern) {
  const std::vector<std::int32_t> of = aggregate_.to_host();
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(count_));
  for (Index v = 0; v < pattern.rows(); ++v) {
    if (of[v] < 0) continue;
    std::vector<Index>& row = columns[static_cast<std::size_t>(of[v] - first_)];
    for (Index e = pattern.offsets[v]; e < pattern.offsets[v + 1]; ++e)
      if (of[pattern.columns[e]] >= 0) row.push_back(of[pattern.columns[e]]);
  }
  host_offsets_.assign(1, 0);
  for (std::vector<Index>& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    host_columns_.insert(host_columns_.end(), row.begin(), row.end());
    host_offsets_.push_back(static_cast<Index>(host_columns_.size()));
  }
  row_offsets_.assign_host(host_offsets_);
  columns_.assign_host(host_columns_);
  values_.resize_discard(static_cast<std::int64_t>(host_columns_.size()) * coarse_modes * coarse_modes);
}

void TwoLevel::linearize(const BlockMatrix& matrix, View<const AxisMask> fixed, const Field& x) {
  matrix_ = &matrix;
  fixed_ = fixed;
  x_ = &x;
}

void TwoLevel::compute_rows() {
  aggregate_levers(vertices(), x_->local(), levers_.write_owned());
  levers_.forward(halo_);
  coarse_rows(vertices(), at(), *matrix_, {row_offsets_.view(), columns_.view(), values_.view()});
  const std::vector<Real> values = values_.to_host();
  using RowMajor = Eigen::Matrix<Real, coarse_modes, coarse_modes, Eigen::RowMajor>;
  entries_.clear();
  for (Index a = 0; a < count_; ++a)
    for (Index s = host_offsets_[a]; s < host_offsets_[a + 1]; ++s) {
      if (host_columns_[s] < a + first_) continue;
      const Real* block = &values[static_cast<std::size_t>(s) * coarse_modes * coarse_modes];
      entries_.emplace_back(a + first_, host_columns_[s], Eigen::Map<const RowMajor>(block));
    }
}

// J^T K J with the motion of a spring J y = sum w_k Z_k y.
void TwoLevel::add_springs(MatrixFreeTerms& added, std::vector<Cholesky::Entry>& entries) {
  using Motion = Eigen::Matrix<Real, 3, coarse_modes>;
  name_vertices(aggregate_.view(), fixed_, names_.write_local());
  for (const AddedSpring& spring : added.springs(names_, levers_)) {
    std::int32_t of[4];
    Motion motion[4];
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      const auto aggregate = static_cast<std::int32_t>(spring.a[k][0]);
      if (aggregate < 0) continue;
      const auto mask = static_cast<AxisMask>(spring.a[k][1]);
      const int at = static_cast<int>(std::find(of, of + count, aggregate) - of);
      if (at == count) {
        of[count++] = aggregate;
        motion[at].setZero();
      }
      for (int j = 0; j < coarse_modes; ++j) {
        const Vec3 u = free_part(coarse_mode(j, spring.b[k]), mask);
        for (int axis = 0; axis < 3; ++axis) motion[at](axis, j) += spring.weight[k] * u[axis];
      }
    }
    const Mat3 whole = full(spring.stiffness);
    const Eigen::Map<const Eigen::Matrix<Real, 3, 3>> stiffness(&whole(0, 0));
    for (int i = 0; i < count; ++i) {
      const Motion image = stiffness * motion[i];
      for (int j = 0; j < count; ++j)
        if (of[j] <= of[i]) entries.emplace_back(of[j], of[i], motion[j].transpose() * image);
    }
  }
}

void TwoLevel::couple(MatrixFreeTerms* added) {
  if (matrix_) compute_rows();
  matrix_ = nullptr;
  std::vector<Cholesky::Entry> entries = entries_;
  if (added) add_springs(*added, entries);
  const std::vector<Cholesky::Entry> all = communicator_.all_gather_lists(std::span<const Cholesky::Entry>(entries));
  factor_.factorize(all_, all);
}

Real TwoLevel::add_correction(View<const Vec3> r, View<Vec3> z) {
  to_aggregates(vertices(), levers_.values(), r, sums_.view());
  std::ranges::fill(residual_, Cholesky::Part::Zero());
  Real* mine = residual_.empty() ? nullptr : residual_.front().data() + std::size_t{coarse_modes} * first_;
  if (count_ > 0) memory::copy_to_host(mine, sums_.data(), static_cast<std::size_t>(sums_.size()) * sizeof(Real));
  communicator_.sum(
      std::span<Real>(residual_.empty() ? nullptr : residual_.front().data(), residual_.size() * coarse_modes));
  solution_ = residual_;
  factor_.solve(solution_);
  Real product = 0;
  for (std::size_t a = 0; a < residual_.size(); ++a) product += residual_[a].dot(solution_[a]);
  if (count_ > 0)
    memory::copy_to_device(sums_.data(), solution_.front().data() + std::size_t{coarse_modes} * first_,
                           static_cast<std::size_t>(sums_.size()) * sizeof(Real));
  from_aggregates(at(), first_, sums_.view(), z);
  return product;
}

}  // namespace unbarred
