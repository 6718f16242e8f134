#pragma once
// A field at the vertices of all pairs of a rank: one object a use, so that none changes its meaning on the way.
#include "contact/pairs/active_set.hpp"
#include "core/error.hpp"

namespace unbarred {

class PairValues {
 public:
  /// Keeps a reference.
  explicit PairValues(ActiveSet& active) : active_(active) {}

  /// Takes x: its own values as they are when used, those of foreign vertices as their owners have them now. Keeps a
  /// reference to x. @note Collective over neighbours
  VertexValues receive(const Field& x) {
    active_.receive(x, foreign_);
    field_ = &x;
    version_ = active_.version();
    return values();
  }

  /// As received last; nothing while there are no pairs. Throws Error(internal) where pairs came or went since.
  VertexValues values() const {
    if (active_.size() == 0) return {};
    if (!field_ || version_ != active_.version())
      throw Error(ExitCode::internal, "values of contact pairs that are no more");
    return {field_->values(), foreign_.view()};
  }

 private:
  ActiveSet& active_;
  DeviceArray<Vec3> foreign_;
  const Field* field_ = nullptr;
  std::int64_t version_ = -1;
};

}  // namespace unbarred
