// A library that is loaded before all others (LD_PRELOAD) and lets one call of a program fail, or interrupts the
// program there. The environment variable LIMBER_FAULT says which:
//
//   count         none; at the end the number of calls of each kind is in the file LIMBER_FAULT_COUNT
//   disk K        the K-th call that changes a file or a folder, from 1: a write brings half of it to disk, and the
//   disk
//                 is full; other calls fail with an error of the disk
//   signal K S    the signal S is sent before the K-th of these calls
//   memory K      the K-th allocation from main() on
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The names are those of glibc.
// NOLINTBEGIN(bugprone-reserved-identifier)

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum class Kind { none, count, disk, signal, memory };

struct Plan {
  Kind kind = Kind::none;
  long at = 0;
  int signal = 0;
  const char* count_file = nullptr;
};

Plan plan;
long disk_calls = 0, allocations = 0;
bool in_main = false;

// Whether this call on a file is to fail.
bool disk_fails() {
  if (!in_main) return false;
  ++disk_calls;
  if (disk_calls != plan.at) return false;
  if (plan.kind == Kind::signal) ::kill(::getpid(), plan.signal);
  return plan.kind == Kind::disk;
}

bool memory_fails() { return in_main && ++allocations == plan.at && plan.kind == Kind::memory; }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int error_of_disk() {
  errno = EIO;
  return -1;
}

void write_counts() {
  if (plan.kind != Kind::count || !plan.count_file) return;
  in_main = false;
  if (std::FILE* file = std::fopen(plan.count_file, "w")) {
    std::fprintf(file, "%ld %ld\n", disk_calls, allocations);
    std::fclose(file);
  }
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

// Before main().
void read_plan() {
  constexpr struct {
    const char* word;
    Kind kind;
  } words[] = {{"count", Kind::count}, {"disk", Kind::disk}, {"signal", Kind::signal}, {"memory", Kind::memory}};
  plan.count_file = std::getenv("LIMBER_FAULT_COUNT");
  const char* text = std::getenv("LIMBER_FAULT");
  for (const auto& [word, kind] : words) {
    const std::size_t size = std::strlen(word);
    if (!text || std::strncmp(text, word, size) != 0) continue;
    plan.kind = kind;
    char* rest = nullptr;
    plan.at = std::strtol(text + size, &rest, 10);
    plan.signal = static_cast<int>(std::strtol(rest, nullptr, 10));
  }
}

int watched_main(int argc, char** argv, char** environment) {
  read_plan();
  std::atexit(write_counts);
  in_main = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, Main* init, void (*fini)(), void (*at_exit)(), void* stack) {
  real_main = main;
  using Start = int(Main*, int, char**, Main*, void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(watched_main, argc, argv, init, fini, at_exit, stack);
}

void* malloc(std::size_t size) {
  if (!memory_fails()) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void* calloc(std::size_t count, std::size_t size) {
  if (!memory_fails()) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}

void* realloc(void* old, std::size_t size) {
  if (!memory_fails()) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (!memory_fails()) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (memory_fails()) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

ssize_t write(int file, const void* bytes, std::size_t count) {
  if (file <= STDERR_FILENO || !disk_fails()) return ::syscall(SYS_write, file, bytes, count);
  (void)::syscall(SYS_write, file, bytes, count / 2);
  errno = ENOSPC;
  return -1;
}

int mkostemp(char* pattern, int flags) {
  return disk_fails() ? error_of_disk() : next<int(char*, int)>("mkostemp")(pattern, flags);
}
int fsync(int file) { return disk_fails() ? error_of_disk() : static_cast<int>(::syscall(SYS_fsync, file)); }
int fchmod(int file, mode_t mode) noexcept {
  return disk_fails() ? error_of_disk() : static_cast<int>(::syscall(SYS_fchmod, file, mode));
}
int rename(const char* from, const char* to) noexcept {
  return disk_fails() ? error_of_disk() : next<int(const char*, const char*)>("rename")(from, to);
}
int link(const char* from, const char* to) noexcept {
  return disk_fails() ? error_of_disk() : next<int(const char*, const char*)>("link")(from, to);
}

}  // extern "C"

// NOLINTEND(bugprone-reserved-identifier)
