#include "app/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace limber::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t width = 30;

}  // namespace

Progress::Progress(std::string label, long total) : label_(std::move(label)), total_(total) {
  if (::isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Progress::show() {
  const auto started = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (wake_.wait_for(lock, 1s, [this] { return stop_; })) return;
  do {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started);
    std::string bar;
    if (const long total = total_; total > 1) {
      const long done = std::min(done_.load(), total);
      const auto full = static_cast<std::size_t>(done) * width / static_cast<std::size_t>(total);
      bar = "[" + std::string(full, '#') + std::string(width - full, ' ') + "] " + std::to_string(done) + " of " +
            std::to_string(total) + ", ";
    }
    std::fprintf(stderr, "\r%s: %s%lld s", label_.c_str(), bar.c_str(), static_cast<long long>(seconds.count()));
    std::fflush(stderr);
  } while (!wake_.wait_for(lock, 100ms, [this] { return stop_; }));
  std::fputs("\r\x1b[K", stderr);
}

}  // namespace limber::cli
