// Where the project's sources and its command-line tool are. Functions instead of macros, so that the objects of tests
// contain no path, and checkouts in different folders share them through ccache.
#pragma once

#include <string>

namespace limber {

const std::string& source_dir();
const std::string& tool_path();       // empty if the tool is not built
const std::string& faults_path();     // the library of tests/cli/fault
const std::string& cuda_twin_path();  // the module for GPUs, compiled for the processor

}  // namespace limber
