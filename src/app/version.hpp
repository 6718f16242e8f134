#pragma once
#include <map>
#include <string>

namespace unbarred {

/// "0.1.0 (commit)", the commit with "-dirty" when the sources had changes.
std::string version_text();
std::string git_commit();
/// "host" or "cuda".
std::string backend_name();
/// Versions of all libraries in use, by name.
std::map<std::string, std::string> all_library_versions();

}  // namespace unbarred
