#pragma once
// The element types of MSH files, and what is done with each.
#include "core/error.hpp"
#include "io/mesh/mesh_stream.hpp"

namespace unbarred {

struct MshElement {
  int nodes = 0;
  bool wanted = false;  ///< else ignored
};

/// Throws Error(bad_input) at `place`, with a hint, for elements whose volume or surface would be lost: hexahedra where
/// tetrahedra are wanted, curved triangles where triangles are.
MshElement msh_element(GlobalIndex type, ElementKind wanted, const Place& place);

}  // namespace unbarred
