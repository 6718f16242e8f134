#pragma once
// Lanes. A kernel is written once over a number type T: T = Pack<W> does W elements at a time on a CPU core,
// T = Real one element a GPU thread. The functions here exist for both, so kernel bodies use `select` in place
// of branches, `any` for loops that end early, and never ask which T they have.
#include <cmath>
#include <cstring>

#include "core/types.hpp"

namespace unbarred {

UNBARRED_FUNCTION Real select(bool mask, Real yes, Real no) { return mask ? yes : no; }
UNBARRED_FUNCTION bool any(bool mask) { return mask; }
UNBARRED_FUNCTION Real sqrt(Real a) { return ::sqrt(a); }
UNBARRED_FUNCTION Real log(Real a) { return ::log(a); }
UNBARRED_FUNCTION Real abs(Real a) { return ::fabs(a); }
UNBARRED_FUNCTION Real min(Real a, Real b) { return a < b ? a : b; }
UNBARRED_FUNCTION Real max(Real a, Real b) { return a > b ? a : b; }
UNBARRED_FUNCTION Real lane(Real a, int) { return a; }
UNBARRED_FUNCTION void set_lane(Real& a, int, Real value) { a = value; }

/// Largest power of two <= a, kept in [2^-1022, 2^1022] so that its reciprocal is exact, too. For a >= 0.
UNBARRED_FUNCTION Real power_of_two_below(Real a) {
  constexpr std::int64_t exponent_bits = 0x7ff0000000000000, one = 0x0010000000000000;
  std::int64_t bits;
  std::memcpy(&bits, &a, sizeof bits);
  bits &= exponent_bits;
  bits = bits < one ? one : bits;
  bits = bits > exponent_bits - 2 * one ? exponent_bits - 2 * one : bits;
  std::memcpy(&a, &bits, sizeof bits);
  return a;
}

/// Elements that a T holds.
template <class T>
inline constexpr int lanes = 1;

#ifdef __CUDACC__

using KernelReal = Real;

#else

// Without AVX a pack is two registers and GCC warns of its calling convention: no pack crosses a library.
#pragma GCC diagnostic ignored "-Wpsabi"

/// GCC and Clang vector types. One specialization a width: GCC 12 does not see a dependent vector_size as dependent.
template <int W>
struct VectorRegister;
template <>
struct VectorRegister<2> {
  typedef Real Reals __attribute__((vector_size(16)));
  typedef std::int64_t Integers __attribute__((vector_size(16)));
};
template <>
struct VectorRegister<4> {
  typedef Real Reals __attribute__((vector_size(32)));
  typedef std::int64_t Integers __attribute__((vector_size(32)));
};

/// One truth value a lane; && and || evaluate both sides.
template <int W>
struct Mask {
  using Bits = typename VectorRegister<W>::Integers;
  Bits bits;  ///< all ones or all zeros a lane

  friend Mask operator&&(const Mask& a, const Mask& b) { return {a.bits & b.bits}; }
  friend Mask operator||(const Mask& a, const Mask& b) { return {a.bits | b.bits}; }
  friend Mask operator!(const Mask& a) { return {~a.bits}; }
  friend bool any(const Mask& a) {
    std::int64_t seen = 0;
    for (int i = 0; i < W; ++i) seen |= a.bits[i];
    return seen != 0;
  }
};

template <int W>
struct Pack {
  using Lanes = typename VectorRegister<W>::Reals;
  Lanes v;

  Pack() = default;
  Pack(Lanes values) : v(values) {}
  /// Broadcast.
  Pack(Real a) : v(a - Lanes{}) {}

  static Pack load(const Real* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof p.v);
    return p;
  }
  void store(Real* to) const { std::memcpy(to, &v, sizeof v); }

  friend Pack operator+(const Pack& a, const Pack& b) { return a.v + b.v; }
  friend Pack operator-(const Pack& a, const Pack& b) { return a.v - b.v; }
  friend Pack operator*(const Pack& a, const Pack& b) { return a.v * b.v; }
  friend Pack operator/(const Pack& a, const Pack& b) { return a.v / b.v; }
  friend Pack operator-(const Pack& a) { return -a.v; }
  friend Mask<W> operator<(const Pack& a, const Pack& b) { return {a.v < b.v}; }
  friend Mask<W> operator>(const Pack& a, const Pack& b) { return {a.v > b.v}; }
  friend Mask<W> operator<=(const Pack& a, const Pack& b) { return {a.v <= b.v}; }
  friend Mask<W> operator>=(const Pack& a, const Pack& b) { return {a.v >= b.v}; }
  friend Mask<W> operator==(const Pack& a, const Pack& b) { return {a.v == b.v}; }

  friend Pack select(const Mask<W>& mask, const Pack& yes, const Pack& no) { return mask.bits ? yes.v : no.v; }
  friend Pack min(const Pack& a, const Pack& b) { return a.v < b.v ? a.v : b.v; }
  friend Pack max(const Pack& a, const Pack& b) { return a.v > b.v ? a.v : b.v; }
  friend Pack abs(const Pack& a) {
    return lane_by_lane(a, [](Real x) { return __builtin_fabs(x); });
  }
  friend Pack sqrt(const Pack& a) {
    return lane_by_lane(a, [](Real x) { return __builtin_sqrt(x); });
  }
  friend Pack log(const Pack& a) {
    return lane_by_lane(a, [](Real x) { return ::log(x); });
  }
  friend Pack power_of_two_below(const Pack& a) {
    return lane_by_lane(a, [](Real x) { return unbarred::power_of_two_below(x); });
  }
  friend Real lane(const Pack& a, int i) { return a.v[i]; }
  friend void set_lane(Pack& a, int i, Real value) { a.v[i] = value; }

 private:
  template <class F>
  static Pack lane_by_lane(Pack a, F f) {
    for (int i = 0; i < W; ++i) a.v[i] = f(a.v[i]);
    return a;
  }
};

template <int W>
inline constexpr int lanes<Pack<W>> = W;

using KernelReal = Pack<4>;  ///< one AVX2 register of doubles

#endif

}  // namespace unbarred
