#include "io/frames/frame_writer.hpp"

#include <fmt/format.h>

#include <vector>

#include "io/text/files.hpp"

namespace unbarred {

FrameWriter::FrameWriter(std::filesystem::path folder, std::string name, const Communicator& communicator,
                         std::optional<std::int64_t> resumed_step, FrameFormat format)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      communicator_(communicator),
      format_(format),
      series_(folder_ / (name_ + ".pvd")) {
  if (!resumed_step) return;
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    series_ = FrameSeries::reopen(folder_ / (name_ + ".pvd"), *resumed_step);
    series_.save();
    remove_later_frames(*resumed_step);
  });
}

void FrameWriter::remove_later_frames(std::int64_t last_step) const {
  std::error_code ignored;  // what cannot be removed is replaced when its step is written again
  std::vector<std::filesystem::path> later;
  for (const auto& file : std::filesystem::directory_iterator(folder_, ignored))
    if (frame_step(name_, file.path().filename().string()).value_or(last_step) > last_step)
      later.push_back(file.path());
  for (const auto& file : later) std::filesystem::remove(file, ignored);
}

std::int64_t FrameWriter::write(std::int64_t step, Real time, const FramePiece& piece) {
  const std::string base = fmt::format("{}_{:06d}", name_, step), suffix = piece_suffix(format_);
  const bool empty_frame = communicator_.max(static_cast<int>(piece.cells() > 0)) == 0;
  const bool writes = piece.cells() > 0 || (empty_frame && communicator_.is_root());
  std::int64_t bytes = 0;
  communicator_.agree([&] {
    if (!writes) return;
    const std::string text = piece_text(piece, format_);
    write_file(folder_ / fmt::format("{}_{}.{}", base, communicator_.rank(), suffix), text);
    bytes = static_cast<std::int64_t>(text.size());
  });

  const std::vector<char> with_piece = communicator_.all_gather(static_cast<char>(writes));
  communicator_.agree([&] {
    if (!communicator_.is_root()) return;
    std::vector<std::string> files;
    for (std::size_t rank = 0; rank < with_piece.size(); ++rank)
      if (with_piece[rank]) files.push_back(fmt::format("{}_{}.{}", base, rank, suffix));
    const std::string frame = fmt::format("{}.p{}", base, suffix), text = frame_text(piece, files, format_);
    write_file(folder_ / frame, text);
    bytes += static_cast<std::int64_t>(text.size());
    FrameSeries next = series_;
    next.set(step, time, frame);
    next.save();
    series_ = std::move(next);
  });
  return communicator_.sum(bytes);
}

}  // namespace unbarred
