#pragma once
// The program as its users start it: a process of its own, under mpirun, in a folder of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace unbarred::test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// An empty folder; removed with its content unless the test case has failed by then.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "unbarred_app_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (testing::Test::HasFailure()) std::fprintf(stderr, "kept for a look: %s\n", path_.c_str());
    else std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Writes a file and returns its name, for the command line of a program that runs here.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return name;
  }

 private:
  std::filesystem::path path_;
};

/// Asks every few milliseconds, for at most so many seconds.
inline bool wait_until(double seconds, const std::function<bool()>& happened) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!happened()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

struct Outcome {
  int code = -1;  ///< as a shell shows it: 128 + the signal of a process that was killed; -1: out of time
  std::string out, err;
  /// For failure messages.
  std::string said() const { return "exit code " + std::to_string(code) + "\n" + out + err; }
};

/// A running command; ended with its process group, and the ranks below it, when it is destroyed.
class Process {
 public:
  /// `words` are looked up in PATH; `environment` is NAME=value, beside what this process has.
  Process(const std::filesystem::path& folder, std::vector<std::string> words,
          const std::vector<std::string>& environment = {})
      : out_(folder / ".out"), err_(folder / ".err") {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setpgid(0, 0);
    for (const std::string& entry : environment) ::putenv(::strdup(entry.c_str()));
    const int nothing = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const bool ready =
        ::chdir(folder.c_str()) == 0 && ::dup2(nothing, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(err, 2) == 2;
    if (ready) ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }

  /// Processes that this one has started: the ranks, when it is mpirun.
  std::vector<pid_t> children() const {
    std::vector<pid_t> pids;
    std::error_code gone;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task", gone)) {
      std::ifstream list(task.path() / "children");
      for (pid_t child; list >> child;) pids.push_back(child);
    }
    return pids;
  }

  bool running() {
    if (!ended_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
    return !ended_;
  }

  Outcome wait(double seconds) {
    const bool in_time = wait_until(seconds, [this] { return !running(); });
    end();
    Outcome outcome;
    if (in_time) outcome.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    outcome.out = text_of(out_);
    outcome.err = text_of(err_);
    return outcome;
  }

 private:
  void end() {
    if (!running()) return;
    const std::vector<pid_t> ranks = children();
    ::kill(-pid_, SIGTERM);
    if (!wait_until(3, [this] { return !running(); })) ::kill(-pid_, SIGKILL);
    for (pid_t rank : ranks) ::kill(rank, SIGKILL);
    wait_until(3, [this] { return !running(); });
  }

  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

struct Launch {
  int ranks = 1;                           ///< 0: without mpirun
  std::vector<std::string> environment{};  ///< NAME=value
  double seconds = 60;                     ///< on a loaded machine; after them it is ended
};

inline std::vector<std::string> command_words(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  if (ranks > 0) words = {"mpirun", "-n", std::to_string(ranks)};
  words.push_back(UNBARRED_PROGRAM);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// Runs the program in `folder` to its end.
inline Outcome run_program(const Scratch& folder, const std::vector<std::string>& arguments,
                           const Launch& launch = {}) {
  return Process(folder.path(), command_words(launch.ranks, arguments), launch.environment).wait(launch.seconds);
}

}  // namespace unbarred::test
