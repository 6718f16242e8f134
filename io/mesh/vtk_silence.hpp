#pragma once
// VTK says nothing while this lives: what it would print becomes our own error.
#include <vtkLogger.h>
#include <vtkObject.h>

namespace unbarred {

class VtkSilence {
 public:
  VtkSilence() : verbosity_(vtkLogger::GetCurrentVerbosityCutoff()), display_(vtkObject::GetGlobalWarningDisplay()) {
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    vtkObject::GlobalWarningDisplayOff();
  }
  ~VtkSilence() {
    vtkObject::SetGlobalWarningDisplay(display_);
    vtkLogger::SetStderrVerbosity(verbosity_);
  }
  VtkSilence(const VtkSilence&) = delete;
  VtkSilence& operator=(const VtkSilence&) = delete;

 private:
  vtkLogger::Verbosity verbosity_;
  int display_;
};

}  // namespace unbarred
