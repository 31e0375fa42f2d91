#include "app/cli/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace limber::cli {

namespace {

// An hour of motion takes a few hundred megabytes; a larger file is not one of ours.
constexpr std::size_t max_file = std::size_t{1024} << 20;
constexpr mode_t new_file_mode = 0666;  // less the user's mask

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  // Whether the stream has had no error.
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::unexpected<Diagnostic> trouble(const std::string& path, const std::string& what, const std::string& expected) {
  return reject(shown(path), what + " (" + std::strerror(errno) + ")", expected);
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// The file that a chain of symbolic links leads to; the path itself if it is not a link.
std::string target_of(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

mode_t users_mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

}  // namespace

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

Expected<std::string> read_file(const std::string& path) {
  Descriptor file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return trouble(path, "no file that can be opened", "a file that exists and may be read");
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return trouble(path, "a file that cannot be read", "one that can");
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > max_file)
      return reject(shown(path), "more than " + std::to_string(max_file >> 20) + " MiB", "a smaller file");
  }
}

Expected<void> write_file(const std::string& path, std::string_view text) {
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), text) || !file.close())
      return trouble(path, "what cannot be written to", "a file");
    return {};
  }
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return trouble(path, "a file that cannot be written", "one that may be changed");

  const std::string target = target_of(path);
  std::string fresh = target + ".XXXXXX";
  Descriptor file(::mkostemp(fresh.data(), O_CLOEXEC));
  if (file.get() < 0)
    return trouble(path, "a folder that cannot be written to", "a folder that exists and may be changed");
  const mode_t mode = exists ? old.st_mode & 07777 : new_file_mode & ~users_mask();
  const bool written =
      ::fchmod(file.get(), mode) == 0 && write_all(file.get(), text) && ::fsync(file.get()) == 0 && file.close();
  if (!written || std::rename(fresh.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    ::unlink(fresh.c_str());
    errno = reason;
    return trouble(path, "a file that cannot be written", "room on the disk");
  }
  // The new name is on disk once its folder is synced. Some file systems do not support that for folders; the file is
  // complete all the same.
  const Descriptor folder(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
  return {};
}

}  // namespace limber::cli
