#pragma once
// How a run ends that does not end well: the same code and words for the shell, run_status.json and log.txt.
#include "core/error.hpp"
#include "io/run/run_folder.hpp"

namespace unbarred {

/// The exception being handled, as an Error: what is none already is lack of memory or a fault of the program.
Error error_in_flight();

/// Writes the last status of a run and its message in log.txt. `together`: all ranks are here (Collective); else this
/// rank writes alone. A second failure is only logged.
void write_last_status(const RunFolder& folder, const RunStatus& status, bool together);

}  // namespace unbarred
