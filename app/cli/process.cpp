#include "app/cli/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/cli/file.h"

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* printed = "printed.txt";  // in the folder: what a program printed
constexpr std::array interruptions = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t interruption = 0;

void note_interruption(int signal) { interruption = signal; }

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

bool is_program(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> program_beside(const std::string& name) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / name).string();
  return !error && is_program(program) ? std::optional(program) : std::nullopt;
}

std::optional<std::string> find_program(const std::string& name) {
  const char* const folders = std::getenv("PATH");
  std::string rest = folders ? folders : "";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const fs::path path = fs::absolute(rest.substr(0, end)) / name;
    if (end != 0 && is_program(path.string())) return path.string();
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return std::nullopt;
}

Expected<void> run_program(std::vector<std::string> words, const std::string& folder) {
  const std::string program = words.at(0), output = (fs::path(folder) / printed).string();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return reject(program, std::strerror(error), "a program that can be started");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return reject(program, std::strerror(errno), "a program that ends");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  std::string how = WIFEXITED(status) ? "exit status " + std::to_string(WEXITSTATUS(status))
                                      : "signal " + std::to_string(WTERMSIG(status));
  if (const Expected<std::string> text = read_file(output); text && !last_line(*text).empty())
    how += " (" + last_line(*text) + ")";
  return reject(program, how, "exit status 0");
}

Expected<PrivateFolder> PrivateFolder::make() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) return reject("TMPDIR", "no folder for temporary files (" + error.message() + ")", "a folder");
  std::string pattern = (fs::absolute(base) / "limber_XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return reject(base.string(), std::string("no room for a folder (") + std::strerror(errno) + ")",
                  "a folder that can be written to; TMPDIR names another");
  return PrivateFolder(pattern);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Interruptible::Interruptible() {
  struct sigaction outer = {};
  ::sigaction(interruptions[0], nullptr, &outer);
  if (outer.sa_handler != note_interruption) interruption = 0;  // else one that lives already has noted it
  struct sigaction note = {};
  note.sa_handler = note_interruption;
  for (const int signal : interruptions) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    before_.push_back(before);
    // What is ignored, as under nohup, stays so.
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &note, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t k = 0; k < interruptions.size(); ++k) ::sigaction(interruptions[k], &before_[k], nullptr);
  if (interruption != 0) std::raise(interruption);
}

bool Interruptible::interrupted() const { return interruption != 0; }

}  // namespace limber::cli
