#pragma once
// Number types by role. Local and global indices never mix (docs/architecture.md, "Who owns what").
#include <cstdint>

/// Marks functions that run inside kernels: on the CPU and, under nvcc, on the GPU.
#ifdef __CUDACC__
#define UNBARRED_FUNCTION __host__ __device__ inline
#else
#define UNBARRED_FUNCTION inline
#endif

namespace unbarred {

using Real = double;
using Index = std::int32_t;        ///< local number on one rank: vertex, element, block
using GlobalIndex = std::int64_t;  ///< number over all ranks, the same on any rank count

}  // namespace unbarred
