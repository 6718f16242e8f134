#include "partitioning/communicator.hpp"

#include <chrono>
#include <thread>

#include "core/timer.hpp"

namespace unbarred {

Communicator::Communicator(MPI_Comm parent) {
  MPI_Comm_dup(parent, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  MPI_Comm node;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &node_rank_);
  MPI_Comm_size(node, &node_size_);
  MPI_Comm_free(&node);
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(other.comm_),
      rank_(other.rank_),
      size_(other.size_),
      node_rank_(other.node_rank_),
      node_size_(other.node_size_) {
  other.comm_ = MPI_COMM_NULL;
}

Communicator::~Communicator() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

Communicator Communicator::split(int color) const {
  MPI_Comm part;
  MPI_Comm_split(comm_, color, rank_, &part);
  Communicator result(part);
  MPI_Comm_free(&part);
  return result;
}

void Communicator::reduce(std::span<Real> values, MPI_Op op) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm_);
}

GlobalIndex Communicator::exclusive_sum(GlobalIndex value) const {
  GlobalIndex before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, comm_);
  return rank_ == 0 ? 0 : before;
}

std::string Communicator::broadcast(const std::string& text, int root) const {
  std::vector<char> bytes(text.begin(), text.end());
  broadcast(bytes, root);
  return {bytes.begin(), bytes.end()};
}

void Communicator::exchange_bytes(const void* items, std::span<const int> counts, void* into,
                                  std::span<const int> received, std::size_t item_bytes) const {
  constexpr int tag = 71;
  MPI_Datatype item;
  MPI_Type_contiguous(static_cast<int>(item_bytes), MPI_BYTE, &item);
  MPI_Type_commit(&item);
  std::vector<MPI_Request> requests;
  char* to = static_cast<char*>(into);
  const char* from = static_cast<const char*>(items);
  for (int peer = 0; peer < size_; ++peer) {
    const std::size_t bytes = static_cast<std::size_t>(received[peer]) * item_bytes;
    if (bytes > 0) MPI_Irecv(to, received[peer], item, peer, tag, comm_, &requests.emplace_back());
    to += bytes;
  }
  for (int peer = 0; peer < size_; ++peer) {
    const std::size_t bytes = static_cast<std::size_t>(counts[peer]) * item_bytes;
    if (bytes > 0) MPI_Isend(from, counts[peer], item, peer, tag, comm_, &requests.emplace_back());
    from += bytes;
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Type_free(&item);
}

bool Communicator::all_arrive(double seconds) const {
  MPI_Request arrived;
  MPI_Ibarrier(comm_, &arrived);
  const double end = wall_seconds() + seconds;
  for (;;) {
    int done = 0;
    MPI_Test(&arrived, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    if (wall_seconds() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Communicator::require_all(const std::optional<Error>& failure) const {
  const int first = min(failure ? rank_ : size_);
  if (first == size_) return;
  const std::string message = broadcast(failure ? std::string(failure->what()) : std::string(), first);
  int code = failure ? static_cast<int>(failure->code()) : 0;
  MPI_Bcast(&code, 1, MPI_INT, first, comm_);
  throw Error(static_cast<ExitCode>(code), message);
}

}  // namespace unbarred
