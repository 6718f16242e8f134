#pragma once
// A vertex quantity on one rank, owned values and ghosts, that knows whether its ghosts are up to date.
#include <stdexcept>

#include "core/device_array.hpp"
#include "core/vec3.hpp"
#include "partitioning/halo.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

class Field {
 public:
  /// Zero everywhere, ghosts up to date.
  explicit Field(const IndexMap& map)
      : owned_(map.owned()), values_(DeviceArray<Vec3>::zeros(map.local())), ghosts_stale_(false) {}

  /// Owned values, to be written: the ghosts are stale afterwards.
  View<Vec3> write_owned() {
    ghosts_stale_ = true;
    return values_.view().part(0, owned_);
  }
  View<const Vec3> owned() const { return values_.view().part(0, owned_); }
  /// Owned and ghost values; a defect (std::logic_error) when the ghosts are stale.
  View<const Vec3> local() const {
    if (ghosts_stale_) throw std::logic_error("Field: ghosts are read before forward()");
    return values_.view();
  }
  /// All local values, to be written consistently by every holder (x = rest + ... computed from replicated data).
  View<Vec3> write_local() {
    ghosts_stale_ = false;
    return values_.view();
  }
  /// @note Collective over neighbours; nothing to do when the ghosts are up to date on every rank, which is a
  /// property of the program's path and so the same everywhere.
  void forward(Halo& halo) {
    if (ghosts_stale_) halo.forward(values_.view());
    ghosts_stale_ = false;
  }
  void forward_begin(Halo& halo) { halo.forward_begin(Halo::as_reals(values_.view()), 3); }
  void forward_end(Halo& halo) {
    halo.forward_end();
    ghosts_stale_ = false;
  }
  void assign(const Field& other) {
    values_.assign(other.values_);
    ghosts_stale_ = other.ghosts_stale_;
  }
  /// All local values without the check: for code that reads ghosts only where it knows them to be current.
  View<const Vec3> values() const { return values_.view(); }
  void set_zero() {
    values_.set_zero();
    ghosts_stale_ = false;
  }
  bool ghosts_stale() const { return ghosts_stale_; }
  Index owned_size() const { return owned_; }
  Index local_size() const { return static_cast<Index>(values_.size()); }
  /// Local values, owned first; a copy.
  std::vector<Vec3> to_host() const { return values_.to_host(); }
  /// Copies the first `owned_size()` entries in; the ghosts are stale afterwards.
  void set_owned_from_host(const std::vector<Vec3>& host) {
    ghosts_stale_ = true;
    if (owned_ > 0)
      memory::copy_to_device(values_.data(), host.data(), static_cast<std::size_t>(owned_) * sizeof(Vec3));
  }

 private:
  Index owned_;
  DeviceArray<Vec3> values_;
  bool ghosts_stale_;
};

}  // namespace unbarred
