#include "dynamics/elastic/assembly_plan.hpp"

#include <algorithm>

#include "core/pack.hpp"

namespace unbarred {

// Measured on one core: smaller tiles compute more border tetrahedra twice, larger windows leave the cache. On a GPU
// a tile must fill the device.
#ifdef UNBARRED_CUDA
static constexpr Index tile_rows = 1 << 17;
#else
static constexpr Index tile_rows = 4096;
#endif

namespace {

using Sources = std::vector<Index>;

/// Counts first, then fills: `visit(entry, source)` is called twice in the same order.
struct SourceTable {
  std::vector<Index> offsets;
  Sources sources;
  std::vector<Index> next;
  explicit SourceTable(std::size_t entries) : offsets(entries + 1, 0) {}
  void count(std::size_t entry) { ++offsets[entry + 1]; }
  void start_filling() {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) offsets[i + 1] += offsets[i];
    sources.resize(static_cast<std::size_t>(offsets.back()));
    next.assign(offsets.begin(), offsets.end() - 1);
  }
  void add(std::size_t entry, Index source) { sources[next[entry]++] = source; }
};

int edge_code(int a, int b) {
  for (int edge = 0; edge < 6; ++edge) {
    if (tetrahedron_edge(edge, 0) == a && tetrahedron_edge(edge, 1) == b) return edge * 2;
    if (tetrahedron_edge(edge, 0) == b && tetrahedron_edge(edge, 1) == a) return edge * 2 + 1;
  }
  return -1;
}

std::vector<Index> tetrahedra_of_rows(Index begin, Index end, const std::vector<Index>& offsets,
                                      const std::vector<Index>& around) {
  std::vector<Index> found(around.begin() + offsets[begin], around.begin() + offsets[end]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Appends the slots of a tile: its tetrahedra in ascending order, each material padded to whole packs.
void append_slots(AssemblyTile& tile, const std::vector<Index>& found, const std::vector<MaterialRun>& runs,
                  std::vector<Index>& slots, std::vector<std::uint8_t>& padding) {
  tile.first_slot = static_cast<std::int64_t>(slots.size());
  auto at = found.begin();
  for (const MaterialRun& run : runs) {
    const auto end = std::lower_bound(at, found.end(), run.end);
    if (at == end) continue;
    const Index first = static_cast<Index>(slots.size() - tile.first_slot);
    slots.insert(slots.end(), at, end);
    padding.resize(slots.size(), 0);
    while ((slots.size() - tile.first_slot) % lanes<KernelReal> != 0) slots.push_back(slots.back());
    padding.resize(slots.size(), 1);
    tile.runs.push_back({run.material, first, static_cast<Index>(slots.size() - tile.first_slot)});
    at = end;
  }
}

/// Calls block(entry, source) and force(row, source) for all that the slots of a tile give to its rows.
template <class Block, class Force>
void visit_sources(const AssemblyTile& tile, const std::vector<Index>& slots, const std::vector<std::uint8_t>& padding,
                   const LocalMesh& mesh, const BlockPattern& pattern, Block block, Force force) {
  for (Index slot = 0; slot < tile.slots(); ++slot) {
    const std::size_t at = static_cast<std::size_t>(tile.first_slot + slot);
    if (padding[at]) continue;
    const auto& t = mesh.tetrahedra[slots[at]];
    for (int a = 0; a < 4; ++a) {
      const Index row = t[a];
      if (row < tile.row_begin || row >= tile.row_end) continue;
      force(row, slot * 4 + a);
      const auto begin = pattern.columns.begin() + pattern.offsets[row];
      const auto end = pattern.columns.begin() + pattern.offsets[row + 1];
      for (int b = 0; b < 4; ++b)
        if (b != a) block(std::lower_bound(begin, end, t[b]) - pattern.columns.begin(), slot * 16 + edge_code(a, b));
    }
  }
}

}  // namespace

AssemblyPlan::AssemblyPlan(const LocalMesh& mesh, const std::vector<MaterialRun>& runs, const BlockPattern& pattern) {
  const Index rows = pattern.rows();
  std::vector<Index> offsets, around;
  vertex_tetrahedra(rows, mesh.tetrahedra, offsets, around);
  std::vector<Index> slots;
  std::vector<std::uint8_t> padding;
  for (Index begin = 0; begin < rows; begin += tile_rows) {
    AssemblyTile tile{begin, std::min(rows, begin + tile_rows), 0, {}};
    append_slots(tile, tetrahedra_of_rows(tile.row_begin, tile.row_end, offsets, around), runs, slots, padding);
    largest_tile = std::max(largest_tile, tile.slots());
    tiles.push_back(tile);
  }
  SourceTable blocks(pattern.columns.size()), forces(static_cast<std::size_t>(rows));
  for (const AssemblyTile& tile : tiles)
    visit_sources(
        tile, slots, padding, mesh, pattern, [&](std::int64_t entry, Index) { blocks.count(entry); },
        [&](Index row, Index) { forces.count(row); });
  blocks.start_filling();
  forces.start_filling();
  for (const AssemblyTile& tile : tiles)
    visit_sources(
        tile, slots, padding, mesh, pattern, [&](std::int64_t entry, Index source) { blocks.add(entry, source); },
        [&](Index row, Index source) { forces.add(row, source); });
  slot_tetrahedra = DeviceArray<Index>(slots);
  block_offsets = DeviceArray<Index>(blocks.offsets);
  block_sources = DeviceArray<Index>(blocks.sources);
  force_offsets = DeviceArray<Index>(forces.offsets);
  force_sources = DeviceArray<Index>(forces.sources);
}

}  // namespace unbarred
