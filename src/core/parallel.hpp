#pragma once
// The one header that launches kernels and the only one that includes Thrust; only *_kernels.cpp
// files include it. A kernel is a named functor at namespace scope; every launch carries a label.
//
// Sums have a fixed order: the index range is cut into at most `sum_chunks` chunks that depend on n
// only, each chunk is added in order, then the chunk sums in order. So the bits do not depend on the
// number of threads.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <array>

#include "core/device_array.hpp"
#include "core/kernel_scope.hpp"
#include "core/memory.hpp"

namespace unbarred {

/// Runs f(i) for 0 <= i < n in any order. Returns when the results may be used by the next launch.
template <class F>
void for_each_index(const char* label, std::int64_t n, F f) {
  if (n <= 0) return;
#ifdef __CUDACC__
  thrust::for_each_n(thrust::device, thrust::counting_iterator<std::int64_t>(0), n, f);
#ifdef UNBARRED_CHECKED
  memory::synchronize(label);
#endif
#else
  constexpr std::int64_t worth_threads = 512;
#pragma omp parallel if (n >= worth_threads)
  {
#ifdef UNBARRED_CHECKED
    const KernelScope scope;
#endif
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) f(i);
  }
#endif
  (void)label;
}

constexpr std::int64_t sum_chunks = 4096;
constexpr std::int64_t smallest_chunk = 256;

namespace detail {

/// Which indices chunk c adds: contiguous on a CPU (cache lines), strided on a GPU (coalescing).
struct ChunkLayout {
  std::int64_t n, chunks;
  UNBARRED_FUNCTION explicit ChunkLayout(std::int64_t count) : n(count) {
    const std::int64_t wanted = (n + smallest_chunk - 1) / smallest_chunk;
    chunks = wanted < sum_chunks ? wanted : sum_chunks;
  }
#ifdef __CUDACC__
  UNBARRED_FUNCTION std::int64_t begin(std::int64_t c) const { return c; }
  UNBARRED_FUNCTION std::int64_t end(std::int64_t) const { return n; }
  UNBARRED_FUNCTION std::int64_t stride() const { return chunks; }
#else
  UNBARRED_FUNCTION std::int64_t begin(std::int64_t c) const { return c * n / chunks; }
  UNBARRED_FUNCTION std::int64_t end(std::int64_t c) const { return (c + 1) * n / chunks; }
  UNBARRED_FUNCTION std::int64_t stride() const { return 1; }
#endif
};

struct Add {
  UNBARRED_FUNCTION static Real identity() { return 0; }
  UNBARRED_FUNCTION static Real combine(Real a, Real b) { return a + b; }
};
struct Least {
  UNBARRED_FUNCTION static Real identity() { return 1e308; }
  UNBARRED_FUNCTION static Real combine(Real a, Real b) { return b < a ? b : a; }
};
struct Largest {
  UNBARRED_FUNCTION static Real identity() { return -1e308; }
  UNBARRED_FUNCTION static Real combine(Real a, Real b) { return b > a ? b : a; }
};

template <int K, class Operation, class F>
struct ReduceChunk {
  F f;
  ChunkLayout layout;
  Real* partials;
  UNBARRED_FUNCTION void operator()(std::int64_t c) const {
    Real total[K];
    for (int k = 0; k < K; ++k) total[k] = Operation::identity();
    for (std::int64_t i = layout.begin(c); i < layout.end(c); i += layout.stride()) {
      Real terms[K];
      f(i, terms);
      for (int k = 0; k < K; ++k) total[k] = Operation::combine(total[k], terms[k]);
    }
    for (int k = 0; k < K; ++k) partials[c * K + k] = total[k];
  }
};

template <int K, class Operation, class F>
std::array<Real, K> reduce(const char* label, std::int64_t n, const F& f) {
  // Kept between calls: no allocation in inner loops.
  static thread_local DeviceArray<Real> partials;
  static thread_local std::array<Real, sum_chunks * K> host;
  std::array<Real, K> result;
  result.fill(Operation::identity());
  if (n <= 0) return result;
  const ChunkLayout layout(n);
  partials.resize_discard(sum_chunks * K);
  for_each_index(label, layout.chunks, ReduceChunk<K, Operation, F>{f, layout, partials.data()});
  memory::copy_to_host(host.data(), partials.data(), static_cast<std::size_t>(layout.chunks) * K * sizeof(Real));
  for (std::int64_t c = 0; c < layout.chunks; ++c)
    for (int k = 0; k < K; ++k) result[k] = Operation::combine(result[k], host[c * K + k]);
  return result;
}

}  // namespace detail

/// Sums of K terms at once over this rank: f(i, Real (&terms)[K]).
template <int K, class F>
std::array<Real, K> sums(const char* label, std::int64_t n, const F& f) {
  return detail::reduce<K, detail::Add>(label, n, f);
}
/// Largest f over this rank, -1e308 when n = 0. f(i, Real (&terms)[K]).
template <int K, class F>
std::array<Real, K> largest(const char* label, std::int64_t n, const F& f) {
  return detail::reduce<K, detail::Largest>(label, n, f);
}
/// Least f over this rank, 1e308 when n = 0.
template <int K, class F>
std::array<Real, K> least(const char* label, std::int64_t n, const F& f) {
  return detail::reduce<K, detail::Least>(label, n, f);
}

namespace detail {

struct Widen {
  UNBARRED_FUNCTION std::int64_t operator()(Index a) const { return a; }
};

}  // namespace detail

/// offsets[i] = counts[0] + ... + counts[i - 1] for 0 <= i <= n = counts.size(); offsets has n + 1 elements.
/// Returns offsets[n].
inline std::int64_t exclusive_scan(const char* label, View<const Index> counts, View<std::int64_t> offsets) {
  const auto wide = thrust::make_transform_iterator(counts.data(), detail::Widen{});
  memory::zero(offsets.data(), sizeof(std::int64_t));
  thrust::inclusive_scan(thrust::device, wide, wide + counts.size(), offsets.data() + 1);
  memory::synchronize(label);
  std::int64_t total;
  memory::copy_to_host(&total, offsets.data() + counts.size(), sizeof total);
  return total;
}

/// Sorts keys ascending and moves the values with them; equal keys keep their order.
template <class Key, class Value>
void sort_by_key(const char* label, View<Key> keys, View<Value> values) {
  thrust::stable_sort_by_key(thrust::device, keys.data(), keys.data() + keys.size(), values.data());
  memory::synchronize(label);
}

}  // namespace unbarred
