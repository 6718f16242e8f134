#pragma once
// HDF5 identifiers that close themselves, and typed attributes. Only checkpoint files use it.
#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace unbarred::hdf5 {

/// An HDF5 identifier; invalid (negative) when the call that made it failed.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// False when HDF5 could not finish the object: for a file, when its last bytes could not be written.
  bool close() { return !valid() || closer_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_;
  Closer closer_;
};

/// HDF5 prints no error stacks to stderr while this lives: failures are reported by our own Error.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t native_type();
template <>
inline hid_t native_type<Real>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t native_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t native_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

bool write_attribute(hid_t object, const std::string& name, hid_t type, const void* value);
template <class T>
bool write_attribute(hid_t object, const std::string& name, const T& value) {
  return write_attribute(object, name, native_type<T>(), &value);
}
bool write_attribute(hid_t object, const std::string& name, const std::string& text);

bool read_attribute(hid_t object, const std::string& name, hid_t type, void* value);
template <class T>
bool read_attribute(hid_t object, const std::string& name, T& value) {
  return read_attribute(object, name, native_type<T>(), &value);
}
bool read_attribute(hid_t object, const std::string& name, std::string& text);

/// Names of the attributes of an object, and of the links of a group, ascending.
std::vector<std::string> attribute_names(hid_t object);
std::vector<std::string> link_names(hid_t group);

}  // namespace unbarred::hdf5
