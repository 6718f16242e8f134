#include "io/mesh/msh_numbers.hpp"

#include <cmath>

#include "io/text/byte_order.hpp"

namespace unbarred {

void MshNumbers::set_binary(bool swapped, int size_bytes) {
  binary_ = true;
  swapped_ = swapped;
  size_bytes_ = size_bytes;
}

template <class T>
T MshNumbers::raw(const char* what) {
  T value;
  text_.bytes(&value, sizeof value, what);
  return swapped_ ? byte_swapped(value) : value;
}

GlobalIndex MshNumbers::integer(const char* what) { return binary_ ? raw<std::int32_t>(what) : text_.integer(what); }

GlobalIndex MshNumbers::size(const char* what) {
  if (!binary_) return text_.integer(what);
  return size_bytes_ == 8 ? raw<std::int64_t>(what) : raw<std::int32_t>(what);
}

Real MshNumbers::number(const char* what) {
  if (!binary_) return text_.number(what);
  const Real value = raw<Real>(what);
  if (!std::isfinite(value))
    throw bad_input(place(), std::string(what) + ": `" + std::to_string(value) + "` is not a finite number");
  return value;
}

GlobalIndex MshNumbers::checked_count(GlobalIndex value, const char* what) const {
  constexpr GlobalIndex limit = GlobalIndex{1} << 50;
  if (value < 0 || value > limit) throw bad_input(place(), std::string(what) + " is out of range");
  return value;
}

GlobalIndex MshNumbers::checked_tag(GlobalIndex value, const char* what) const {
  constexpr GlobalIndex limit = GlobalIndex{1} << 62;
  if (value < -limit || value > limit) throw bad_input(place(), std::string(what) + " is out of range");
  return value;
}

}  // namespace unbarred
