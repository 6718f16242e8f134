#pragma once
// Owners without any sense, which a correct distribution must bear.
#include <random>
#include <vector>

#include "partitioning/block_mesh.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred::test {

/// A random owner for each vertex of this rank's block, never `idle` (-1: nobody is idle).
inline std::vector<int> random_owners(const Communicator& communicator, const BlockMesh& mesh, unsigned seed,
                                      int idle = -1) {
  std::mt19937 random(seed + 1000u * static_cast<unsigned>(communicator.rank()));
  std::uniform_int_distribution<int> any(0, communicator.size() - 1);
  std::vector<int> owners(mesh.positions.size());
  for (int& owner : owners) do
      owner = any(random);
    while (owner == idle && communicator.size() > 1);
  return owners;
}

}  // namespace unbarred::test
