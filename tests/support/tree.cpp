#include "tests/support/tree.h"

namespace limber {

const std::string& source_dir() {
  static const std::string path = LIMBER_SOURCE_DIR;
  return path;
}

const std::string& faults_path() {
  static const std::string path = LIMBER_FAULTS_PATH;
  return path;
}

const std::string& cuda_twin_path() {
  static const std::string path = LIMBER_CUDA_TWIN_PATH;
  return path;
}

const std::string& tool_path() {
  static const std::string path = LIMBER_TOOL_PATH;
  return path;
}

}  // namespace limber
