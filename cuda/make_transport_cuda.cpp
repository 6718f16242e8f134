#include "cuda/nccl_transport.hpp"
#include "partitioning/distinct_devices.hpp"

namespace unbarred {

// One answer on all ranks: NCCL needs itself and a GPU of its own on each. A single rank sends nothing.
std::unique_ptr<Transport> make_transport(const Communicator& communicator) {
  if (communicator.size() == 1) return make_mpi_transport(communicator);
  DeviceInfo device;
  communicator.agree([&] { device = current_device(); });
  const NcclLibrary* nccl = NcclLibrary::open();
  const bool all_open = communicator.min(nccl ? 1 : 0) == 1;
  if (all_open && !ranks_on_one_device(communicator, device)) return make_nccl_transport(communicator, *nccl);
  return make_mpi_transport(communicator);
}

}  // namespace unbarred
