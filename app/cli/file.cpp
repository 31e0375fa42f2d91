#include "app/cli/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/cli/process.h"
#include "limber/format/text/path.h"
#include "limber/format/text/text.h"

namespace limber::cli {

namespace {

// An hour of motion takes a few hundred megabytes; a larger file is not one of ours.
constexpr std::size_t max_file = std::size_t{1024} << 20;
constexpr mode_t new_file_mode = 0666;  // less the user's mask

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  int get() const { return fd_; }
  // Whether the stream has had no error.
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::unexpected<Diagnostic> trouble(const std::string& path, const std::string& what, const std::string& expected) {
  return reject(path, what + " (" + std::strerror(errno) + ")", expected);
}

// False with errno EINTR where the user interrupts.
bool write_all(int fd, std::string_view text, const Interruptible* signals = nullptr) {
  constexpr std::size_t piece = std::size_t{1} << 20;  // so that an interruption of a large file is noticed
  while (!text.empty()) {
    if (signals && signals->interrupted()) {
      errno = EINTR;
      return false;
    }
    const ssize_t count = ::write(fd, text.data(), std::min(text.size(), piece));
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

// What a path names that is no regular file.
std::string kind_of_file(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a named pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

// A new file under a temporary name, gone unless it gets the name that it is for.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path) {}
  ~NewFile() {
    for (const std::string* name : {&fresh_, &kept_})
      if (!name->empty()) ::unlink(name->c_str());
  }
  NewFile(NewFile&& other) noexcept
      : path_(std::move(other.path_)),
        target_(std::move(other.target_)),
        fresh_(std::exchange(other.fresh_, {})),
        kept_(std::exchange(other.kept_, {})) {}
  NewFile& operator=(NewFile&&) = delete;

  // Brings the text to disk.
  Expected<void> prepare(std::string_view text, const Interruptible& signals) {
    struct stat old = {};
    const bool exists = ::stat(path_.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return reject(path_, "a folder", "the name of a file");
    if (exists && ::access(path_.c_str(), W_OK) != 0)
      return trouble(path_, "a file that cannot be written", "one that may be changed");
    target_ = target_of(path_);
    Descriptor file = make_temporary(fresh_);
    if (file.get() < 0)
      return trouble(path_, "a folder that cannot be written to", "a folder that exists and may be changed");
    // Only the system's administrator may give a file to another user; the permissions come after.
    if (exists && (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) &&
        ::fchown(file.get(), old.st_uid, old.st_gid) != 0)
      errno = 0;
    const mode_t mode = exists ? old.st_mode & 07777 : new_file_mode & ~users_mask();
    if (::fchmod(file.get(), mode) == 0 && write_all(file.get(), text, &signals) && ::fsync(file.get()) == 0 &&
        file.close())
      return {};
    return trouble(path_, "a file that cannot be written", "room on the disk");
  }

  // A second name for the old file, which it has until the end: a link or, where the file system has none, a copy.
  Expected<void> keep_old() {
    if (::access(target_.c_str(), F_OK) != 0) return {};
    Descriptor file = make_temporary(kept_);
    if (file.get() < 0)
      return trouble(path_, "a folder that cannot be written to", "a folder that exists and may be changed");
    // A link needs a name that is free.
    if (::unlink(kept_.c_str()) == 0 && ::link(target_.c_str(), kept_.c_str()) == 0) return {};
    file = Descriptor(::open(kept_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    const Expected<std::string> old = read_file(target_);
    struct stat status = {};
    if (old && file.get() >= 0 && ::stat(target_.c_str(), &status) == 0 &&
        ::fchmod(file.get(), status.st_mode & 07777) == 0 && write_all(file.get(), *old) && ::fsync(file.get()) == 0 &&
        file.close())
      return {};
    return trouble(path_, "a file whose old content cannot be kept until all files are written", "room on the disk");
  }

  // Gives the new file its name.
  Expected<void> commit() {
    if (std::rename(fresh_.c_str(), target_.c_str()) != 0)
      return trouble(path_, "a file that cannot be written", "a name that may be given to a file");
    fresh_.clear();
    committed_ = true;
    return {};
  }

  // The old file again, or none. Where even that fails, the old one keeps its second name, which is returned.
  std::string undo() {
    if (!committed_) return {};
    if (kept_.empty())
      ::unlink(target_.c_str());
    else if (std::rename(kept_.c_str(), target_.c_str()) != 0)
      return std::exchange(kept_, {});
    kept_.clear();
    return {};
  }

  // The new name is on disk once its folder is synced. Some file systems do not support that; the file is complete all
  // the same.
  void sync_folder() const {
    const Descriptor folder(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0) ::fsync(folder.get());
  }

 private:
  // A new file, with its name; none if it cannot be made. The name is short, so that a file may have the longest name
  // that there is, and no memory is asked for once the file is there.
  Descriptor make_temporary(std::string& name) const {
    name = folder_of(target_) + "/.limber-XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
    if (file.get() < 0) name.clear();
    return file;
  }

  std::string path_;    // as the user gave it
  std::string target_;  // the file that it leads to
  std::string fresh_;   // the new file, before it has its name
  std::string kept_;    // the old file, while others are still to be renamed
  bool committed_ = false;
};

// A terminal, a pipe, a device: written to as it is.
bool is_special(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Expected<void> write_special(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), text) || !file.close())
    return trouble(path, "what cannot be written to", "a file");
  return {};
}

bool outside_is_allowed = false;

// Whether a file of the folder is elsewhere, by a symbolic link.
bool leads_outside(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  if (error) return false;  // then the file cannot be opened either
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return false;
  return std::ranges::mismatch(root, real).in1 != root.end();
}

}  // namespace

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

Expected<std::string> read_file(const std::string& path) {
  // A named pipe is opened without waiting for its other end.
  Descriptor file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return trouble(shown(path), "no file that can be opened", "a file that exists and may be read");
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return trouble(shown(path), "a file that cannot be read", "one that can");
  if (path != "-" && !S_ISREG(status.st_mode))
    return reject(path, kind_of_file(status.st_mode), "a regular file, or - for standard input");
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return trouble(shown(path), "a file that cannot be read", "one that can");
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > max_file)
      return reject(shown(path), "more than " + std::to_string(max_file >> 20) + " MiB", "a smaller file");
  }
}

void allow_outside() { outside_is_allowed = true; }

Expected<std::string> path_beside(const std::string& document, const std::string& name) {
  const std::optional<std::string_view> expected = wrong_with_path(name);
  const bool is_name = !name.empty() && !name.contains('\0');
  if (expected && !(is_name && outside_is_allowed))
    return reject("", "the path " + in_quotes(name),
                  std::string(*expected) + (is_name ? "; --allow-outside allows others" : ""));
  const std::filesystem::path folder = std::filesystem::path(document).parent_path(), path = folder / name;
  if (!outside_is_allowed && leads_outside(folder, path))
    return reject("", "the path " + in_quotes(name) + ", a link out of the folder",
                  "a file in the folder of the document or below; --allow-outside allows others");
  return path.string();
}

Expected<void> write_file(const std::string& path, std::string_view text) {
  if (is_special(path)) return write_special(path, text);
  const Interruptible signals;
  NewFile file(path);
  Expected<void> done = file.prepare(text, signals);
  if (done) done = file.commit();
  if (done) file.sync_folder();
  return done;
}

Expected<void> write_files(std::span<const WrittenFile> files) {
  if (files.empty()) return {};
  if (files.size() == 1) return write_file(files[0].name, files[0].bytes);
  const Interruptible signals;
  std::vector<NewFile> fresh;
  for (const WrittenFile& file : files) {
    if (is_special(file.name)) continue;
    fresh.emplace_back(file.name);
    if (Expected<void> done = fresh.back().prepare(file.bytes, signals); !done) return done;
  }
  for (NewFile& file : fresh)
    if (Expected<void> done = file.keep_old(); !done) return done;
  // Nothing comes between the new names.
  for (NewFile& file : fresh)
    if (Expected<void> done = file.commit(); !done) {
      for (NewFile& other : fresh)
        if (const std::string kept = other.undo(); !kept.empty())
          done.error().expected += "; old content is in " + kept;
      return done;
    }
  for (const NewFile& file : fresh) file.sync_folder();
  for (const WrittenFile& file : files)
    if (is_special(file.name))
      if (Expected<void> done = write_special(file.name, file.bytes); !done) return done;
  return {};
}

}  // namespace limber::cli
