#include <fmt/format.h>

#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_checksum.hpp"
#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/checkpoint/hdf5.hpp"
#include "partitioning/index_map.hpp"

namespace unbarred {

namespace {

using hdf5::Handle;

/// One rank's view of a file. Each rank reads its block by itself, without collectives: a damaged file is then an
/// ordinary error of the ranks that meet the damage.
class File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path), file_(open(path)) {
    if (!file_.valid())
      fail(std::filesystem::exists(path) ? "not a whole checkpoint (truncated, or another kind of file)"
                                         : "no such file");
  }

  CheckpointHeader header() const {
    std::string format;
    std::int64_t version = 0;
    CheckpointHeader header;
    read(file_.get(), "format", format);
    read(file_.get(), "format_version", version);
    if (format != checkpoint_layout::format) fail("not a checkpoint of this program");
    if (version != checkpoint_layout::version_without_pairs && version != checkpoint_layout::version_with_pairs)
      fail(fmt::format("checkpoint format {}, this program reads up to {}", version,
                       checkpoint_layout::version_with_pairs));
    if (version == checkpoint_layout::version_with_pairs) header.pair_count = pair_count();
    read(file_.get(), "step", header.step);
    read(file_.get(), "time", header.time);
    read(file_.get(), "time_step", header.time_step);
    read(file_.get(), "scene_hash", header.scene_hash);
    read(file_.get(), "mesh_hash", header.mesh_hash);
    read(file_.get(), "vertex_count", header.vertex_count);
    read(file_.get(), "tetrahedron_count", header.tetrahedron_count);
    const Handle numbers = group("numbers"), texts = group("texts");
    for (const std::string& name : hdf5::attribute_names(numbers.get()))
      read(numbers.get(), name, header.numbers[name]);
    for (const std::string& name : hdf5::attribute_names(texts.get())) read(texts.get(), name, header.texts[name]);
    return header;
  }

  GlobalIndex pair_count() const {
    const Shape keys = shape("pairs/keys");
    if (keys.components != CheckpointPairs::key_width)
      fail(fmt::format("damaged: 'pairs/keys' has {} columns", keys.components));
    return keys.rows;
  }

  std::uint64_t checksum() const {
    std::uint64_t value = 0;
    read(file_.get(), "checksum", value);
    return value;
  }

  /// Names of the tables in a group.
  std::vector<std::string> tables(const char* name) const { return hdf5::link_names(group(name).get()); }

  struct Shape {
    GlobalIndex rows = 0;
    int components = 1;
  };
  Shape shape(const std::string& name) const { return shape(dataset(name), name); }

  template <class T>
  std::vector<T> rows(const std::string& name, GlobalIndex begin, GlobalIndex end) const {
    const Handle table = dataset(name);
    const Shape stored = shape(table, name);
    if (end > stored.rows) fail(fmt::format("table '{}' has {} rows, not {}", name, stored.rows, end));
    std::vector<T> values(static_cast<std::size_t>((end - begin) * stored.components));
    if (values.empty()) return values;
    const hsize_t start[2] = {static_cast<hsize_t>(begin), 0};
    const hsize_t count[2] = {static_cast<hsize_t>(end - begin), static_cast<hsize_t>(stored.components)};
    const hsize_t size = values.size();
    const Handle file_space(H5Dget_space(table.get()), H5Sclose);
    const Handle memory_space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr);
    if (H5Dread(table.get(), hdf5::native_type<T>(), memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()) <
        0)
      fail(fmt::format("table '{}' cannot be read", name));
    return values;
  }

 private:
  static Handle open(const std::filesystem::path& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // parallel file systems are often mounted without locks
    return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::io_failed, fmt::format("{}: {}", path_.string(), what));
  }
  template <class T>
  void read(hid_t object, const std::string& name, T& value) const {
    if (!hdf5::read_attribute(object, name, value)) fail(fmt::format("damaged: '{}' is missing", name));
  }
  Handle group(const char* name) const {
    Handle handle(H5Gopen2(file_.get(), name, H5P_DEFAULT), H5Gclose);
    if (!handle.valid()) fail(fmt::format("damaged: group '{}' is missing", name));
    return handle;
  }
  Handle dataset(const std::string& name) const {
    Handle handle(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!handle.valid()) fail(fmt::format("damaged: table '{}' is missing", name));
    return handle;
  }
  Shape shape(const Handle& table, const std::string& name) const {
    const Handle space(H5Dget_space(table.get()), H5Sclose);
    hsize_t size[2] = {0, 1};
    const int dimensions = H5Sget_simple_extent_ndims(space.get());
    if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space.get(), size, nullptr) < 0)
      fail(fmt::format("damaged: table '{}' has {} dimensions", name, dimensions));
    return {static_cast<GlobalIndex>(size[0]), static_cast<int>(size[1])};
  }

  std::filesystem::path path_;
  Handle file_;
};

void require_tables(const File& file, bool with_pairs, const std::filesystem::path& path) {
  const auto require_rows = [&](const std::string& name, const std::string& keys) {
    if (file.shape(name).rows != file.shape(keys).rows)
      throw Error(ExitCode::io_failed, fmt::format("{}: damaged: table '{}' has {} rows, '{}' has {}", path.string(),
                                                   name, file.shape(name).rows, keys, file.shape(keys).rows));
  };
  for (const char* name : {"positions", "velocities"}) require_rows(name, "ids");
  for (const std::string& name : file.tables("fields")) require_rows("fields/" + name, "ids");
  if (!with_pairs) return;
  for (const std::string& name : file.tables("pairs/fields")) require_rows("pairs/fields/" + name, "pairs/keys");
}

std::vector<CheckpointField> read_fields(const File& file, const char* group, GlobalIndex begin, GlobalIndex end) {
  std::vector<CheckpointField> fields;
  for (const std::string& name : file.tables(group)) {
    const std::string table = fmt::format("{}/{}", group, name);
    fields.push_back({name, file.shape(table).components, file.rows<Real>(table, begin, end)});
  }
  return fields;
}

CheckpointHeader read_header(const File& file, const std::filesystem::path& path) {
  CheckpointHeader header = file.header();
  require_tables(file, header.pair_count.has_value(), path);
  return header;
}

}  // namespace

CheckpointHeader read_checkpoint_header(const std::filesystem::path& path) {
  const hdf5::Quiet quiet;
  return read_header(File(path), path);
}

CheckpointData read_checkpoint(const std::filesystem::path& path, const Communicator& communicator) {
  const hdf5::Quiet quiet;
  CheckpointData data;
  std::uint64_t stored = 0;
  communicator.agree([&] {
    const File file(path);
    static_cast<CheckpointHeader&>(data) = read_header(file, path);
    stored = file.checksum();
    const int rank = communicator.rank();
    const BlockDistribution blocks{file.shape("ids").rows, communicator.size()};
    const GlobalIndex begin = blocks.begin(rank), end = blocks.end(rank);
    data.ids = file.rows<GlobalIndex>("ids", begin, end);
    data.positions = file.rows<Real>("positions", begin, end);
    data.velocities = file.rows<Real>("velocities", begin, end);
    data.fields = read_fields(file, "fields", begin, end);
    if (!data.pair_count) return;
    const BlockDistribution pairs{*data.pair_count, communicator.size()};
    data.pairs = CheckpointPairs{file.rows<std::int64_t>("pairs/keys", pairs.begin(rank), pairs.end(rank)),
                                 read_fields(file, "pairs/fields", pairs.begin(rank), pairs.end(rank))};
  });
  const std::uint64_t found = communicator.sum(rows_checksum(data)) + header_checksum(data);
  communicator.agree([&] {
    if (found != stored)
      throw Error(ExitCode::io_failed,
                  fmt::format("{}: damaged: checksum {:016x}, written was {:016x}", path.string(), found, stored));
  });
  return data;
}

}  // namespace unbarred
