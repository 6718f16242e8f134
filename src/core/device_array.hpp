#pragma once
// Owned memory for kernels. Host code reads it through to_host(), which copies.
#include <type_traits>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "core/view.hpp"

namespace unbarred {

template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  /// Uninitialised (NaN bytes in checked builds).
  explicit DeviceArray(std::int64_t size) : size_(size), capacity_(size) {
    if (size > 0) data_ = static_cast<T*>(memory::allocate(bytes(size)));
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(static_cast<std::int64_t>(host.size())) {
    if (size_ > 0) memory::copy_to_device(data_, host.data(), bytes(size_));
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() {
    if (data_) memory::deallocate(data_, bytes(capacity_));
  }

  static DeviceArray zeros(std::int64_t size) {
    DeviceArray array(size);
    array.set_zero();
    return array;
  }

  /// Keeps the memory when it is large enough; the contents are undefined afterwards.
  void resize_discard(std::int64_t size) {
    if (size > capacity_) {
      DeviceArray fresh(size);
      swap(fresh);
    }
    size_ = size;
  }
  /// As resize_discard, with room for a quarter more where it must grow: for sizes that differ a little every time.
  void resize_with_room(std::int64_t size) {
    if (size > capacity_) resize_discard(size + size / 4);
    size_ = size;
  }
  void set_zero() {
    if (size_ > 0) memory::zero(data_, bytes(size_));
  }
  void assign(const DeviceArray& other) {
    resize_discard(other.size_);
    if (size_ > 0) memory::copy_on_device(data_, other.data_, bytes(size_));
  }
  /// Copies host values in; the memory is kept when it is large enough.
  void assign_host(const std::vector<T>& host) {
    resize_discard(static_cast<std::int64_t>(host.size()));
    if (size_ > 0) memory::copy_to_device(data_, host.data(), bytes(size_));
  }
  /// Keeps the first `size` values; size <= size().
  void truncate(std::int64_t size) { size_ = size < size_ ? size : size_; }
  /// Keeps what is there and adds undefined values behind it; size >= size().
  void grow(std::int64_t size) {
    if (size > capacity_) {
      DeviceArray larger(size + size / 4);
      if (size_ > 0) memory::copy_on_device(larger.data_, data_, bytes(size_));
      swap(larger);
    }
    size_ = size;
  }
  /// Puts host values behind what is there.
  void append_host(const std::vector<T>& host) {
    const std::int64_t before = size_;
    grow(before + static_cast<std::int64_t>(host.size()));
    if (!host.empty()) memory::copy_to_device(data_ + before, host.data(), bytes(size_ - before));
  }
  /// A host copy; waits for running kernels.
  std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    if (size_ > 0) memory::copy_to_host(host.data(), data_, bytes(size_));
    return host;
  }

  View<T> view() { return {data_, size_}; }
  View<const T> view() const { return {data_, size_}; }
  std::int64_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static std::size_t bytes(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(T); }
  void swap(DeviceArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  T* data_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;
};

/// A host copy of device memory that somebody else holds; waits for running kernels.
template <class T>
std::vector<T> to_host(View<const T> view) {
  std::vector<T> host(static_cast<std::size_t>(view.size()));
  if (!host.empty()) memory::copy_to_host(host.data(), view.data(), host.size() * sizeof(T));
  return host;
}

}  // namespace unbarred
