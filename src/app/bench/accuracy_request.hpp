#pragma once
// What `unbarred bench accuracy` was asked for.
#include <string>
#include <vector>

namespace unbarred {

struct AccuracyRequest {
  std::string scene;                   ///< file
  std::vector<std::string> overrides;  ///< of the reference and of every setting
  std::vector<std::string> reference;  ///< overrides that make the reference, after those above
  std::vector<std::string> settings;   ///< one override each, after those above
  int steps = 30;
  int states = 0;   ///< of the reference from which one step each is compared; 0: runs from the start are
  std::string csv;  ///< file; empty: runs/<scene name>_accuracy.csv
};

/// From the words behind `bench accuracy`, as accuracy_usage() says. Throws Error(bad_input).
AccuracyRequest parse_accuracy_request(const std::vector<std::string>& words);

/// For --help: the words, and what the errors are.
std::string accuracy_usage();

}  // namespace unbarred
