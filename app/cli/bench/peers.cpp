#include "app/cli/bench/peers.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"

extern char** environ;

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

// A file in the folder for such, gone at the end.
class TemporaryFile {
 public:
  TemporaryFile() : path_((fs::temp_directory_path() / "limber_peers_XXXXXX").string()) {
    if (const int file = ::mkstemp(path_.data()); file >= 0) ::close(file);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Runs a program to its end. No shell is in between, so no name needs quotes.
Expected<void> run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ); error != 0)
    return reject(words[0], std::strerror(error), "a program that can be started");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return reject(words[0], std::strerror(errno), "a program that ends");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string how = WIFEXITED(status) ? "exit status " + std::to_string(WEXITSTATUS(status))
                                            : "signal " + std::to_string(WTERMSIG(status));
  return reject(words[0], how, "0");
}

}  // namespace

bool has_peers(std::string_view task) {
  return std::find(std::begin(tasks_with_peers), std::end(tasks_with_peers), task) != std::end(tasks_with_peers);
}

std::optional<std::string> peers_beside_tool() {
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  const std::string program = (tool.parent_path() / "limber_peers").string();
  if (!check_peers(program)) return std::nullopt;
  return program;
}

Expected<void> check_peers(const std::string& program) {
  std::error_code error;
  if (fs::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0) return {};
  return reject("--peers", "no program '" + program + "'", "the path of limber_peers");
}

std::expected<std::vector<BenchRow>, Failure> peer_rows(const std::string& program, const std::string& task,
                                                        const TaskOptions& options) {
  const auto wrong = [](const Diagnostic& why) { return std::unexpected(Failure{why, file_trouble}); };
  const TemporaryFile file;
  // With a folder: a bare name would be looked for elsewhere.
  std::vector<std::string> words = {
      fs::absolute(program).string(), "--task", task, "--data", options.data, "--json", file.path()};
  if (options.quick) words.push_back("--quick");
  if (const Expected<void> ran = run_program(std::move(words)); !ran) return wrong(ran.error());
  const Expected<std::string> text = read_file(file.path());
  if (!text) return wrong(text.error());
  const BenchRow all = BenchRow::parse(*text, nullptr, false);
  if (!all.is_object() || !all.contains(task) || !all[task].is_array())
    return wrong({program, "no rows for " + task, "those of limber_peers of the same version"});
  return std::vector<BenchRow>(all[task].begin(), all[task].end());
}

}  // namespace limber::cli
