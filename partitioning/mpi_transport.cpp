#include <algorithm>
#include <vector>

#include "partitioning/staging.hpp"
#include "partitioning/transport.hpp"

namespace unbarred {

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(const Communicator& communicator)
      : communicator_(communicator.handle()), staging_(make_staging()) {}

  void begin(std::span<const Message> sends, std::span<const Message> receives) override {
    requests_.clear();
    for (const Message& message : staging_->incoming(receives))
      for_each_piece(message, [&](char* data, int bytes) {
        MPI_Irecv(data, bytes, MPI_BYTE, message.peer, tag, communicator_.handle(), &requests_.emplace_back());
      });
    for (const Message& message : staging_->outgoing(sends))
      for_each_piece(message, [&](char* data, int bytes) {
        MPI_Isend(data, bytes, MPI_BYTE, message.peer, tag, communicator_.handle(), &requests_.emplace_back());
      });
  }

  void finish() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    staging_->deliver();
  }

  const char* name() const override { return staging_->transport_name(); }

 private:
  static constexpr int tag = 72;

  /// MPI counts are ints: larger messages go in pieces, which MPI keeps in order.
  template <class F>
  static void for_each_piece(const Message& message, F f) {
    constexpr std::size_t largest = std::size_t{1} << 30;
    char* data = static_cast<char*>(message.data);
    for (std::size_t at = 0; at < message.bytes; at += largest)
      f(data + at, static_cast<int>(std::min(largest, message.bytes - at)));
  }

  Communicator communicator_;  // an own one, so that two transports never take each other's messages
  std::unique_ptr<Staging> staging_;
  std::vector<MPI_Request> requests_;  // kept, so that an exchange allocates nothing
};

std::unique_ptr<Transport> make_mpi_transport(const Communicator& communicator) {
  return std::make_unique<MpiTransport>(communicator);
}

}  // namespace unbarred
