#pragma once
// NCCL, opened at run time: the program is linked without it and starts where it is not installed.
#include <nccl.h>

namespace unbarred {

/// The functions we use, named as in nccl.h.
struct NcclLibrary {
  decltype(&ncclGetUniqueId) get_unique_id;
  decltype(&ncclCommInitRank) comm_init_rank;
  decltype(&ncclCommDestroy) comm_destroy;
  decltype(&ncclCommGetAsyncError) comm_get_async_error;
  decltype(&ncclGetErrorString) get_error_string;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclSend) send;
  decltype(&ncclRecv) receive;

  /// libnccl.so.2 from the loader's path, opened once; nullptr when it, or a function of it, is not there.
  static const NcclLibrary* open();
  /// Throws Error(internal) for anything but ncclSuccess.
  void check(ncclResult_t status, const char* what) const;
};

}  // namespace unbarred
