#pragma once
// Numbers of files that were written on machines of the other byte order.
#include <algorithm>
#include <bit>
#include <cstddef>

namespace unbarred {

inline constexpr bool big_endian = std::endian::native == std::endian::big;

template <class T>
T byte_swapped(T value) {
  auto* bytes = reinterpret_cast<std::byte*>(&value);
  std::reverse(bytes, bytes + sizeof value);
  return value;
}

}  // namespace unbarred
