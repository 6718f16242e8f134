#include "io/checkpoint/hdf5.hpp"

namespace unbarred::hdf5 {

static Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), size);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

bool write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute.get(), type, value) >= 0;
}

bool write_attribute(hid_t object, const std::string& name, const std::string& text) {
  // HDF5 knows no string of length 0; the padding is taken off again at reading.
  const Handle type = text_type(std::max<std::size_t>(text.size(), 1));
  return write_attribute(object, name, type.get(), text.c_str());
}

bool read_attribute(hid_t object, const std::string& name, hid_t type, void* value) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return false;
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  return H5Sget_simple_extent_npoints(space.get()) == 1 && H5Aread(attribute.get(), type, value) >= 0;
}

bool read_attribute(hid_t object, const std::string& name, std::string& text) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return false;
  const Handle stored(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) > 0) return false;
  text.assign(H5Tget_size(stored.get()), '\0');
  if (H5Aread(attribute.get(), stored.get(), text.data()) < 0) return false;
  text.resize(text.find_last_not_of('\0') + 1);
  return true;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  return names;
}

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  return names;
}

}  // namespace unbarred::hdf5
