#include "audit/exact_determinant.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace unbarred::exact {

namespace {

__extension__ using Wide = unsigned __int128;

/// A finite double as (-1)^negative * mantissa * 2^exponent; mantissa < 2^53.
struct Parts {
  std::uint64_t mantissa;
  int exponent;
  bool negative;
};

Parts parts_of(Real value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  // Subnormal numbers have no leading one and the exponent of the smallest normal numbers.
  return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52, std::max(field, 1) - 1075, bits >> 63 != 0};
}

constexpr int smallest_exponent = -1074, largest_exponent = 971;
constexpr int product_bits = 3 * 53;
constexpr int carry_bits = 6;  // 48 products are less than 2^6 of them
constexpr int limbs_for(int exponent_range) { return (3 * exponent_range + product_bits + carry_bits) / 64 + 2; }

/// A sum of products of three numbers in two's complement, wide enough for all of them: no addition is ever rounded.
class ProductSum {
 public:
  /// Every exponent of a factor lies in [least, greatest].
  ProductSum(int least, int greatest) : base_(3 * least), size_(limbs_for(greatest - least)) {
    std::memset(limbs_, 0, sizeof(limbs_[0]) * static_cast<std::size_t>(size_));
  }

  void add(bool negative, const Parts& a, const Parts& b, const Parts& c) {
    if (a.mantissa == 0 || b.mantissa == 0 || c.mantissa == 0) return;
    const Wide ab = Wide{a.mantissa} * b.mantissa;
    const Wide low = Wide{static_cast<std::uint64_t>(ab)} * c.mantissa;
    const Wide high = (ab >> 64) * c.mantissa + (low >> 64);
    const int shift = a.exponent + b.exponent + c.exponent - base_;
    const int bit = shift % 64;
    const std::uint64_t digits[3] = {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high),
                                     static_cast<std::uint64_t>(high >> 64)};
    // The product shifted to its place; `>> 1 >> (63 - bit)` is a shift by 64 - bit that may be 64.
    std::uint64_t shifted[4] = {digits[0] << bit, 0, 0, digits[2] >> 1 >> (63 - bit)};
    for (int k = 1; k < 3; ++k) shifted[k] = digits[k] << bit | digits[k - 1] >> 1 >> (63 - bit);
    const bool subtract = negative ^ a.negative ^ b.negative ^ c.negative;
    if (subtract) accumulate<true>(shifted, shift / 64);
    else accumulate<false>(shifted, shift / 64);
  }

  int sign() const {
    if (limbs_[size_ - 1] >> 63) return -1;
    return std::any_of(limbs_, limbs_ + size_, [](std::uint64_t limb) { return limb != 0; }) ? 1 : 0;
  }

 private:
  template <bool subtract>
  void accumulate(const std::uint64_t (&digits)[4], int first) {
    std::uint64_t carry = 0;
    for (int k = first; k < size_; ++k) {
      const int digit = k - first;
      if (digit >= 4 && carry == 0) break;
      const Wide term = Wide{digit < 4 ? digits[digit] : 0} + carry;
      const Wide result = subtract ? Wide{limbs_[k]} - term : Wide{limbs_[k]} + term;
      limbs_[k] = static_cast<std::uint64_t>(result);
      carry = static_cast<std::uint64_t>(result >> 64) != 0;
    }
  }

  int base_;  ///< exponent of the lowest bit
  int size_;
  std::uint64_t limbs_[limbs_for(largest_exponent - smallest_exponent)];  ///< lowest first
};

using Rows = std::array<std::array<Parts, 3>, 3>;

Rows parts_of(const DeterminantTerm& term) {
  Rows rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows[i][j] = parts_of(term.rows[i][j]);
  return rows;
}

}  // namespace

int determinant_sum_sign(std::initializer_list<DeterminantTerm> terms) {
  std::array<Rows, 8> factors;
  int least = largest_exponent, greatest = smallest_exponent;
  std::size_t n = 0;
  for (const DeterminantTerm& term : terms) {
    factors[n] = parts_of(term);
    for (const auto& row : factors[n])
      for (const Parts& p : row)
        if (p.mantissa != 0) least = std::min(least, p.exponent), greatest = std::max(greatest, p.exponent);
    ++n;
  }
  if (least > greatest) return 0;
  ProductSum sum(least, greatest);
  n = 0;
  for (const DeterminantTerm& term : terms) {
    const Rows& m = factors[n++];
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      sum.add(term.sign < 0, m[0][j], m[1][j1], m[2][j2]);
      sum.add(term.sign > 0, m[0][j], m[1][j2], m[2][j1]);
    }
  }
  return sum.sign();
}

}  // namespace unbarred::exact
