#include "partitioning/transport.hpp"

namespace unbarred {

std::unique_ptr<Transport> make_transport(const Communicator& communicator) { return make_mpi_transport(communicator); }

}  // namespace unbarred
