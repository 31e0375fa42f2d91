// Other programs: found, run to their end, and a folder for what they read and write.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/base/diagnostic.h"

namespace limber::cli {

bool is_program(const std::string& path);
// The path of a program in one of the folders of PATH.
std::optional<std::string> find_program(const std::string& name);
// The path of a program in the folder of the one that runs.
std::optional<std::string> program_beside(const std::string& name);

// Runs a program in a folder, to its end. No shell is in between, so no name needs quotes. It reads nothing, and what
// it prints is kept; where it fails, the answer has the last line of that.
Expected<void> run_program(std::vector<std::string> words, const std::string& folder);

// A private temporary folder, removed with its files at the end.
class PrivateFolder {
 public:
  static Expected<PrivateFolder> make();
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// While it lives, an interruption (Ctrl-C and the like) is noted and does not end the program, so that folders can be
// removed first; at its end the program is interrupted as it should have been.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  bool interrupted() const;

 private:
  std::vector<struct sigaction> before_;
};

}  // namespace limber::cli
