#pragma once
// A view of memory that kernels may touch. Copy it freely; it owns nothing.
#include <type_traits>

#include "core/types.hpp"

#if defined(UNBARRED_CHECKED) && !defined(__CUDACC__)
#include "core/kernel_scope.hpp"
#define UNBARRED_CHECK_VIEW(i, n) ::unbarred::check_view_access(i, n)
#else
#define UNBARRED_CHECK_VIEW(i, n) ((void)0)
#endif

namespace unbarred {

/// In checked builds an element may be touched only inside a kernel and only in range, so that host
/// code which would crash on a GPU fails on a machine without one.
template <class T>
class View {
 public:
  View() = default;
  UNBARRED_FUNCTION View(T* data, std::int64_t size) : data_(data), size_(size) {}
  /// A view of T converts to a view of const T.
  UNBARRED_FUNCTION operator View<const T>() const requires(!std::is_const_v<T>) { return {data_, size_}; }

  UNBARRED_FUNCTION T& operator[](std::int64_t i) const {
    UNBARRED_CHECK_VIEW(i, size_);
    return data_[i];
  }
  UNBARRED_FUNCTION T* data() const { return data_; }
  UNBARRED_FUNCTION std::int64_t size() const { return size_; }
  UNBARRED_FUNCTION View part(std::int64_t begin, std::int64_t count) const { return {data_ + begin, count}; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace unbarred
