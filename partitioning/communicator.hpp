#pragma once
// The ranks that work together, and the collectives on small host values.
// MPI_COMM_WORLD appears only in main(); everybody else is given a Communicator.
#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace unbarred {

/// How long a rank that fails waits to see whether the others fail with it, s.
inline constexpr double failure_patience = 2;

/// Owns a duplicate of an MPI communicator, so that our messages never meet the caller's.
class Communicator {
 public:
  /// @note Collective over `parent`.
  explicit Communicator(MPI_Comm parent);
  Communicator(Communicator&& other) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return comm_; }
  /// Rank among the ranks of this node: chooses the GPU.
  int node_rank() const { return node_rank_; }
  int node_size() const { return node_size_; }

  /// The ranks of one colour form a communicator. @note Collective
  Communicator split(int color) const;
  void barrier() const { MPI_Barrier(comm_); }

  /// Element-wise over ranks; every rank gets the same bits. @note Collective
  void sum(std::span<Real> values) const { reduce(values, MPI_SUM); }
  void min(std::span<Real> values) const { reduce(values, MPI_MIN); }
  void max(std::span<Real> values) const { reduce(values, MPI_MAX); }
  template <class T>
  requires std::is_arithmetic_v<T> T sum(T value)
  const { return reduce_one(value, MPI_SUM); }
  template <class T>
  requires std::is_arithmetic_v<T> T min(T value)
  const { return reduce_one(value, MPI_MIN); }
  template <class T>
  requires std::is_arithmetic_v<T> T max(T value)
  const { return reduce_one(value, MPI_MAX); }
  /// Sum over the ranks before this one. @note Collective
  GlobalIndex exclusive_sum(GlobalIndex value) const;
  /// One value a rank, in rank order, on every rank: only for values of a few bytes. @note Collective
  template <class T>
  std::vector<T> all_gather(const T& value) const;
  /// Everybody's items in rank order, on every rank: only for what is small and the same size for any number of
  /// vertices. @note Collective
  template <class T>
  std::vector<T> all_gather_lists(std::span<const T> items) const;
  std::string broadcast(const std::string& text, int root) const;
  template <class T>
  void broadcast(std::vector<T>& values, int root) const;

  /// Sends consecutive groups of `items` to ranks 0, 1, ...: counts[r] items to rank r. Counts go
  /// first, then one message a peer. Returns what arrived, in rank order of the sender; `received`
  /// (if given) gets the count from each rank. @note Collective
  template <class T>
  std::vector<T> exchange(std::span<const T> items, std::span<const int> counts,
                          std::vector<int>* received = nullptr) const;

  /// True when every rank calls this within `seconds`, for code that may run on one rank alone: after a failure.
  bool all_arrive(double seconds) const;

  /// All ranks learn of the failure of the lowest failing rank and throw the same Error; returns when
  /// none failed. Call it after every local phase that can fail and before the next collective.
  /// @note Collective
  void require_all(const std::optional<Error>& failure) const;
  /// Runs `local` (which may throw Error, and must not communicate) and agrees on the outcome. @note Collective
  template <class F>
  void agree(F&& local) const {
    std::optional<Error> failure;
    try {
      local();
    } catch (const Error& error) {
      failure = error;
    }
    require_all(failure);
  }

 private:
  template <class T>
  static MPI_Datatype type();
  void reduce(std::span<Real> values, MPI_Op op) const;
  template <class T>
  T reduce_one(T value, MPI_Op op) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, type<T>(), op, comm_);
    return value;
  }
  void exchange_bytes(const void* items, std::span<const int> counts, void* into, std::span<const int> received,
                      std::size_t item_bytes) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, node_rank_ = 0, node_size_ = 1;
};

template <class T>
MPI_Datatype Communicator::type() {
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  else if constexpr (std::is_same_v<T, int>) return MPI_INT;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return MPI_UINT64_T;
  else {
    static_assert(std::is_same_v<T, std::int64_t>, "reduce double, int, int64 or uint64");
    return MPI_INT64_T;
  }
}

template <class T>
std::vector<T> Communicator::all_gather(const T& value) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(size_));
  MPI_Allgather(&value, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm_);
  return all;
}

template <class T>
std::vector<T> Communicator::all_gather_lists(std::span<const T> items) const {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<int> counts = all_gather(static_cast<int>(items.size()));
  std::vector<int> begins(1, 0);
  for (const int count : counts) begins.push_back(begins.back() + count);
  std::vector<T> all(static_cast<std::size_t>(begins.back()));
  MPI_Datatype item;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &item);
  MPI_Type_commit(&item);
  MPI_Allgatherv(items.data(), static_cast<int>(items.size()), item, all.data(), counts.data(), begins.data(), item,
                 comm_);
  MPI_Type_free(&item);
  return all;
}

template <class T>
void Communicator::broadcast(std::vector<T>& values, int root) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::int64_t count = static_cast<std::int64_t>(values.size());
  MPI_Bcast(&count, 1, MPI_INT64_T, root, comm_);
  values.resize(static_cast<std::size_t>(count));
  constexpr std::int64_t block = std::int64_t{1} << 27;
  for (std::int64_t at = 0; at < count * static_cast<std::int64_t>(sizeof(T)); at += block) {
    const std::int64_t bytes = std::min<std::int64_t>(block, count * static_cast<std::int64_t>(sizeof(T)) - at);
    MPI_Bcast(reinterpret_cast<char*>(values.data()) + at, static_cast<int>(bytes), MPI_BYTE, root, comm_);
  }
}

template <class T>
std::vector<T> Communicator::exchange(std::span<const T> items, std::span<const int> counts,
                                      std::vector<int>* received) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<int> from(static_cast<std::size_t>(size_));
  MPI_Alltoall(counts.data(), 1, MPI_INT, from.data(), 1, MPI_INT, comm_);
  std::size_t total = 0;
  for (int n : from) total += static_cast<std::size_t>(n);
  std::vector<T> into(total);
  exchange_bytes(items.data(), counts, into.data(), from, sizeof(T));
  if (received) *received = std::move(from);
  return into;
}

}  // namespace unbarred
