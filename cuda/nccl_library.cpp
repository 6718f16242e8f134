#include "cuda/nccl_library.hpp"

#include <dlfcn.h>

#include <optional>
#include <string>

#include "core/error.hpp"

namespace unbarred {

template <class F>
static bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

static std::optional<NcclLibrary> load() {
  void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  NcclLibrary nccl;
  const bool complete =
      find(library, "ncclGetUniqueId", nccl.get_unique_id) && find(library, "ncclCommInitRank", nccl.comm_init_rank) &&
      find(library, "ncclCommDestroy", nccl.comm_destroy) &&
      find(library, "ncclCommGetAsyncError", nccl.comm_get_async_error) &&
      find(library, "ncclGetErrorString", nccl.get_error_string) && find(library, "ncclGroupStart", nccl.group_start) &&
      find(library, "ncclGroupEnd", nccl.group_end) && find(library, "ncclSend", nccl.send) &&
      find(library, "ncclRecv", nccl.receive);
  if (!complete) {
    dlclose(library);
    return std::nullopt;
  }
  return nccl;
}

const NcclLibrary* NcclLibrary::open() {
  static const std::optional<NcclLibrary> library = load();
  return library ? &*library : nullptr;
}

void NcclLibrary::check(ncclResult_t status, const char* what) const {
  if (status != ncclSuccess)
    throw Error(ExitCode::internal, std::string("NCCL failed at ") + what + ": " + get_error_string(status));
}

}  // namespace unbarred
