#pragma once
#include <string>

#include "core/log.hpp"

namespace unbarred::test {

/// Collects what is logged while it lives.
class CapturedLog {
 public:
  CapturedLog() {
    set_log_sink([this](LogLevel, const std::string& message) { text_ += message + "\n"; });
  }
  ~CapturedLog() { set_log_sink({}); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;
  bool contains(const std::string& part) const { return text_.find(part) != std::string::npos; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace unbarred::test
