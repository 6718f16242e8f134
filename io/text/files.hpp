#pragma once
// Writing files so that a reader, or a run that was killed, finds the old content or the new one, never a part.
#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "partitioning/communicator.hpp"

namespace unbarred {

/// Error(io_failed) that names the path, the bytes that were to be written, and the system's reason (errno).
Error write_failure(const std::filesystem::path& path, std::int64_t bytes, int error_number);

/// `.<name>.<purpose>` in the same folder: where a file grows before it is renamed.
std::filesystem::path hidden_sibling(const std::filesystem::path& path, const std::string& purpose);

/// A sibling `.<name>.tmp` is written and renamed; it is gone again when this throws.
/// durable: wait until the disk has it (checkpoints and their manifest), so that a power cut cannot undo the order.
void write_file(const std::filesystem::path& path, std::string_view content, bool durable = false);

/// Puts text at the end of a file, in one write. Throws Error(io_failed).
void append_to_file(const std::filesystem::path& path, std::string_view text);

/// Throws Error(io_failed) when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Waits until the file's (or folder's) content has reached the disk.
void flush_to_disk(const std::filesystem::path& path);

/// Finds out whether `bytes` fit below `folder`, by reserving them in a file that is removed again: a full disk, a
/// quota and a file size limit answer here, before anything is half written. Throws Error(io_failed) for `path`.
void require_space(const std::filesystem::path& path, std::int64_t bytes);

/// Reserves `bytes` in a file that exists, without changing its size; what stays unused must be cut off by whoever
/// writes it. Throws Error(io_failed) for `path`, whose bytes they will be.
void reserve_space(const std::filesystem::path& file, const std::filesystem::path& path, std::int64_t bytes);

/// The texts of all ranks, in rank order, on rank 0 (elsewhere empty). @note Collective
std::vector<std::string> gather_texts(const Communicator& communicator, const std::string& text);

/// Now, UTC, ISO 8601: 2025-01-31T12:00:00Z; `seconds_ahead` later when given.
std::string utc_time(double seconds_ahead = 0);

}  // namespace unbarred
