#include "cuda/nccl_transport.hpp"

#include <cstring>

#include "cuda/cuda_check.hpp"

namespace unbarred {

// Kernels run on the default stream. An exchange starts behind what they wrote so far (ready_) and later kernels
// wait for its end (done_): the host never waits.
class NcclTransport final : public Transport {
 public:
  NcclTransport(const Communicator& communicator, const NcclLibrary& nccl) : nccl_(nccl) {
    ncclUniqueId id;
    communicator.agree([&] {
      if (communicator.is_root()) nccl_.check(nccl_.get_unique_id(&id), "getting an identity");
    });
    std::vector<char> bytes(sizeof id);
    std::memcpy(bytes.data(), &id, sizeof id);
    communicator.broadcast(bytes, 0);
    std::memcpy(&id, bytes.data(), sizeof id);
    communicator.agree([&] {
      nccl_.check(nccl_.comm_init_rank(&ranks_, communicator.size(), id, communicator.rank()), "its start");
      cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
      cuda_check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "creating an event");
      cuda_check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "creating an event");
    });
  }
  NcclTransport(const NcclTransport&) = delete;
  NcclTransport& operator=(const NcclTransport&) = delete;
  ~NcclTransport() override {
    cudaStreamSynchronize(stream_);
    nccl_.comm_destroy(ranks_);
    cudaEventDestroy(done_);
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
  }

  void begin(std::span<const Message> sends, std::span<const Message> receives) override {
    cuda_check(cudaEventRecord(ready_, nullptr), "marking the start of an exchange");
    cuda_check(cudaStreamWaitEvent(stream_, ready_), "waiting for kernels before an exchange");
    nccl_.check(nccl_.group_start(), "the start of an exchange");
    for (const Message& message : receives)
      nccl_.check(nccl_.receive(message.data, message.bytes, ncclInt8, message.peer, ranks_, stream_), "a receive");
    for (const Message& message : sends)
      nccl_.check(nccl_.send(message.data, message.bytes, ncclInt8, message.peer, ranks_, stream_), "a send");
    nccl_.check(nccl_.group_end(), "an exchange");
    cuda_check(cudaEventRecord(done_, stream_), "marking the end of an exchange");
  }

  void finish() override {
    ncclResult_t late = ncclSuccess;
    nccl_.check(nccl_.comm_get_async_error(ranks_, &late), "asking for errors");
    nccl_.check(late, "an exchange");
    cuda_check(cudaStreamWaitEvent(nullptr, done_), "waiting for an exchange");
  }

  const char* name() const override { return "NCCL"; }

 private:
  const NcclLibrary& nccl_;
  ncclComm_t ranks_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr, done_ = nullptr;
};

std::unique_ptr<Transport> make_nccl_transport(const Communicator& communicator, const NcclLibrary& nccl) {
  return std::make_unique<NcclTransport>(communicator, nccl);
}

}  // namespace unbarred
