#pragma once
// Where log_info(), log_warning(), ... go in the program: the console of rank 0 and log.txt. The only user of spdlog.
#include <filesystem>

#include "partitioning/communicator.hpp"

namespace unbarred {

/// From now on rank 0 prints to the console; other ranks print only warnings and errors, with their rank.
void start_log(const Communicator& communicator);

/// Rank 0 writes everything to this file as well, with times; appends when the run is resumed. Throws
/// Error(io_failed) on all ranks. @note Collective
void add_log_file(const std::filesystem::path& file, bool append, const Communicator& communicator);

/// Closes the log file and goes back to no log.
void stop_log();

/// True when stdout is a terminal, of mpirun where that passes it on: there a line can be drawn over.
bool on_terminal();

}  // namespace unbarred
