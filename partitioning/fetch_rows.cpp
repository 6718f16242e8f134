// Rows travel over the ranks that are home to their ids: first every row goes home, then every rank asks there.
#include "partitioning/block_exchange.hpp"
#include "partitioning/partitioner.hpp"

namespace unbarred {

static std::string row_of(GlobalIndex id) { return "the row of vertex " + std::to_string(id); }

static void check_ids(const std::vector<GlobalIndex>& ids, GlobalIndex global_size, const char* what) {
  for (GlobalIndex id : ids)
    if (id < 0 || id >= global_size)
      throw Error(ExitCode::checkpoint_mismatch,
                  row_of(id) + " is " + what + ", but there are only " + std::to_string(global_size) + " vertices");
}

std::vector<Real> fetch_rows(const Communicator& communicator, GlobalIndex global_size,
                             const std::vector<GlobalIndex>& ids, const std::vector<Real>& rows, int width,
                             const std::vector<GlobalIndex>& wanted) {
  communicator.agree([&] {
    check_ids(ids, global_size, "given");
    check_ids(wanted, global_size, "wanted");
  });
  const BlockDistribution blocks{global_size, communicator.size()};
  const GlobalIndex begin = blocks.begin(communicator.rank()), end = blocks.end(communicator.rank());
  const std::size_t row = static_cast<std::size_t>(width);

  std::vector<int> homes(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) homes[i] = blocks.part_of(ids[i]);
  const std::vector<GlobalIndex> home_ids =
      send_each(communicator, std::span<const GlobalIndex>(ids), std::span<const int>(homes));
  std::vector<Real> table(static_cast<std::size_t>(end - begin) * row);
  for (std::size_t k = 0; k < row; ++k) {  // column by column: the messages stay small
    std::vector<Real> column(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) column[i] = rows[i * row + k];
    const std::vector<Real> home_column =
        send_each(communicator, std::span<const Real>(column), std::span<const int>(homes));
    for (std::size_t i = 0; i < home_ids.size(); ++i)
      table[static_cast<std::size_t>(home_ids[i] - begin) * row + k] = home_column[i];
  }

  std::vector<int> given(static_cast<std::size_t>(end - begin), 0);
  for (GlobalIndex id : home_ids) ++given[static_cast<std::size_t>(id - begin)];
  const std::span<const GlobalIndex> asked(wanted);
  const std::vector<int> found = fetch_from_blocks(communicator, blocks, asked, std::span<const int>(given));
  communicator.agree([&] {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (found[i] != 1)
        throw Error(ExitCode::checkpoint_mismatch,
                    row_of(wanted[i]) + (found[i] == 0 ? " is missing" : " is there more than once"));
  });
  return fetch_from_blocks(communicator, blocks, asked, std::span<const Real>(table), width);
}

}  // namespace unbarred
