#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <optional>
#include <random>

#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_checksum.hpp"
#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/checkpoint/hdf5.hpp"
#include "io/text/files.hpp"

namespace unbarred {

namespace {

using hdf5::Handle;

/// Where this rank's rows lie among those of all ranks.
struct Rows {
  hsize_t total, begin, count;
};

/// Of this rank.
std::size_t pair_rows(const CheckpointData& data) { return data.pairs->keys.size() / CheckpointPairs::key_width; }

void require_matching_sizes(const CheckpointData& data) {
  const auto require = [&](const std::string& name, std::size_t values, std::size_t rows, int components) {
    if (values != rows * static_cast<std::size_t>(components))
      throw Error(ExitCode::internal, fmt::format("checkpoint field '{}' has {} values for {} rows of {} components",
                                                  name, values, rows, components));
  };
  require("positions", data.positions.size(), data.ids.size(), 3);
  require("velocities", data.velocities.size(), data.ids.size(), 3);
  for (const CheckpointField& field : data.fields)
    require(field.name, field.values.size(), data.ids.size(), field.components);
  if (!data.pairs) return;
  require("pairs/keys", data.pairs->keys.size(), pair_rows(data), CheckpointPairs::key_width);
  for (const CheckpointField& field : data.pairs->fields)
    require(field.name, field.values.size(), pair_rows(data), field.components);
}

/// Collective.
std::int64_t expected_bytes(const CheckpointData& data, const Communicator& communicator) {
  const auto values = [](const std::vector<CheckpointField>& fields) {
    std::int64_t components = 0;
    for (const CheckpointField& field : fields) components += field.components;
    return components * static_cast<std::int64_t>(sizeof(Real));
  };
  constexpr std::int64_t structure = 1 << 16;
  std::int64_t bytes =
      data.vertex_count * (std::int64_t{sizeof(GlobalIndex)} + 6 * sizeof(Real) + values(data.fields)) + structure;
  if (data.pairs)
    bytes += communicator.sum(static_cast<std::int64_t>(pair_rows(data))) *
             (CheckpointPairs::key_width * std::int64_t{sizeof(std::int64_t)} + values(data.pairs->fields));
  return bytes;
}

Handle create_file(const std::filesystem::path& path, const Communicator& communicator) {
  // Open MPI guards its shared file pointer, which nobody uses here, by a semaphore named after the file without its
  // folder: another job on the machine that was killed while it wrote the same step, or another user's, makes
  // MPI_File_open wait for ever. This choice leaves the pointer away; other MPIs do not know the variable.
  ::setenv("OMPI_MCA_sharedfp", "individual", 0);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_mpio(access.get(), communicator.handle(), MPI_INFO_NULL);
  // The 1.10 format checksums its own structure, so that damage is an error, not garbage.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
}

bool write_header(hid_t file, const CheckpointHeader& header, std::int64_t version, std::uint64_t checksum) {
  bool good = hdf5::write_attribute(file, "format", std::string(checkpoint_layout::format)) &&
              hdf5::write_attribute(file, "format_version", version) &&
              hdf5::write_attribute(file, "step", header.step) && hdf5::write_attribute(file, "time", header.time) &&
              hdf5::write_attribute(file, "time_step", header.time_step) &&
              hdf5::write_attribute(file, "scene_hash", header.scene_hash) &&
              hdf5::write_attribute(file, "mesh_hash", header.mesh_hash) &&
              hdf5::write_attribute(file, "vertex_count", header.vertex_count) &&
              hdf5::write_attribute(file, "tetrahedron_count", header.tetrahedron_count) &&
              hdf5::write_attribute(file, "checksum", checksum);
  const Handle numbers(H5Gcreate2(file, "numbers", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  for (const auto& [name, value] : header.numbers) good = good && hdf5::write_attribute(numbers.get(), name, value);
  const Handle texts(H5Gcreate2(file, "texts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  for (const auto& [name, value] : header.texts) good = good && hdf5::write_attribute(texts.get(), name, value);
  return good;
}

/// Collective. components 0: a list, not a table.
bool write_rows(hid_t location, const std::string& name, hid_t type, const void* values, hsize_t components,
                const Rows& rows) {
  const int dimensions = components > 0 ? 2 : 1;
  const hsize_t shape[2] = {rows.total, components}, begin[2] = {rows.begin, 0}, count[2] = {rows.count, components};
  const Handle file_space(H5Screate_simple(dimensions, shape, nullptr), H5Sclose);
  const Handle memory_space(H5Screate_simple(dimensions, count, nullptr), H5Sclose);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  const Handle dataset(
      H5Dcreate2(location, name.c_str(), type, file_space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return false;
  if (rows.total == 0) return true;  // HDF5 does not write nothing
  if (rows.count > 0) {
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, begin, nullptr, count, nullptr);
  } else {
    H5Sselect_none(file_space.get());
    H5Sselect_none(memory_space.get());
  }
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE);
  return H5Dwrite(dataset.get(), type, memory_space.get(), file_space.get(), transfer.get(), values) >= 0;
}

/// Where the checkpoint's rows of this rank lie.
struct Places {
  Rows vertices, pairs;
};

bool write_fields(hid_t location, const std::vector<CheckpointField>& list, const Rows& rows) {
  const Handle fields(H5Gcreate2(location, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  bool good = true;
  for (const CheckpointField& field : list)
    good &= write_rows(fields.get(), field.name, H5T_NATIVE_DOUBLE, field.values.data(),
                       static_cast<hsize_t>(field.components), rows);
  return good;
}

bool write_pairs(hid_t file, const CheckpointPairs& pairs, const Rows& rows) {
  const Handle group(H5Gcreate2(file, "pairs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const bool good =
      write_rows(group.get(), "keys", H5T_NATIVE_INT64, pairs.keys.data(), CheckpointPairs::key_width, rows);
  return write_fields(group.get(), pairs.fields, rows) && good;
}

/// Every rank makes the same HDF5 calls in the same order whatever fails, because most are collective.
bool write_content(hid_t file, const CheckpointData& data, std::uint64_t checksum, const Places& places) {
  using namespace checkpoint_layout;
  const Rows& rows = places.vertices;
  bool good = write_header(file, data, data.pairs ? version_with_pairs : version_without_pairs, checksum);
  good &= write_rows(file, "ids", H5T_NATIVE_INT64, data.ids.data(), 0, rows);
  good &= write_rows(file, "positions", H5T_NATIVE_DOUBLE, data.positions.data(), 3, rows);
  good &= write_rows(file, "velocities", H5T_NATIVE_DOUBLE, data.velocities.data(), 3, rows);
  good &= write_fields(file, data.fields, rows);
  if (data.pairs) good &= write_pairs(file, *data.pairs, places.pairs);
  return good & (H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// The failure that this rank met, if any. Collective, and every rank gets to its end whatever fails.
std::optional<Error> write_hidden(const std::filesystem::path& hidden, const std::filesystem::path& path,
                                  std::int64_t bytes, const CheckpointData& data, std::uint64_t checksum,
                                  const Communicator& communicator) {
  const auto rows_of = [&](std::size_t rows) {
    const auto count = static_cast<GlobalIndex>(rows);
    return Rows{static_cast<hsize_t>(communicator.sum(count)), static_cast<hsize_t>(communicator.exclusive_sum(count)),
                static_cast<hsize_t>(count)};
  };
  const Places places{rows_of(data.ids.size()), rows_of(data.pairs ? pair_rows(data) : 0)};
  std::optional<Error> failure;
  Handle file = create_file(hidden, communicator);
  try {
    if (!file.valid()) throw write_failure(path, bytes, EIO);
    // A disk that fills up in a collective write hangs some MPI-IO (seen with OpenMPI 4.1), so the file gets all its
    // space before the first of them.
    if (communicator.is_root()) reserve_space(hidden, path, bytes);
  } catch (const Error& error) {
    failure = error;
  }
  const bool all_ready = communicator.min(static_cast<int>(!failure)) == 1;
  if (all_ready && !write_content(file.get(), data, checksum, places)) failure = write_failure(path, bytes, EIO);
  if (!file.close() && !failure) failure = write_failure(path, bytes, EIO);
  return failure;
}

/// A name that no other write has, the same on every rank: OpenMPI 4.1 guards an open file by a semaphore of the node
/// that bears the file's name alone. One left behind by a killed run would stop the next run at the same step for
/// good, and so would another run on the same node.
std::filesystem::path unique_hidden_name(const std::filesystem::path& path, const Communicator& communicator) {
  std::random_device random;
  const std::string number = fmt::format("{:08x}{:08x}", random(), random());
  return hidden_sibling(path, communicator.broadcast(number, 0));
}

/// Gives the finished file its name; returns its bytes.
std::int64_t publish(const std::filesystem::path& hidden, const std::filesystem::path& path) {
  flush_to_disk(hidden);
  std::error_code problem;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(hidden, problem));
  std::filesystem::rename(hidden, path, problem);
  if (problem) throw write_failure(path, bytes, problem.value());
  flush_to_disk(path.parent_path());
  return bytes;
}

}  // namespace

CheckpointSummary write_checkpoint(const std::filesystem::path& path, const CheckpointData& data,
                                   const Communicator& communicator) {
  const hdf5::Quiet quiet;
  const std::filesystem::path hidden = unique_hidden_name(path, communicator);
  const std::int64_t bytes = expected_bytes(data, communicator);
  communicator.agree([&] {
    require_matching_sizes(data);
    if (communicator.is_root()) require_space(path, bytes);
  });
  CheckpointSummary summary{0, communicator.sum(rows_checksum(data)) + header_checksum(data)};
  try {
    communicator.require_all(write_hidden(hidden, path, bytes, data, summary.checksum, communicator));
    communicator.agree([&] {
      if (communicator.is_root()) summary.bytes = publish(hidden, path);
    });
  } catch (const Error&) {
    std::error_code ignored;
    if (communicator.is_root()) std::filesystem::remove(hidden, ignored);
    throw;
  }
  summary.bytes = communicator.sum(summary.bytes);
  return summary;
}

}  // namespace unbarred
