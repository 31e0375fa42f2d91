#include "app/cli/time_limit.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace limber::cli {

namespace {

// From the end of the time until the program is terminated: at least these seconds, or this part of the limit.
constexpr double min_grace = 5.0, grace_share = 0.1;

std::atomic<bool> is_limited = false, is_over = false;

}  // namespace

TimeLimit::TimeLimit(double seconds) {
  is_over = false;
  is_limited = std::isfinite(seconds);
  if (is_limited) thread_ = std::thread([this, seconds] { watch(seconds); });
}

TimeLimit::~TimeLimit() {
  is_limited = false;
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void TimeLimit::watch(double seconds) {
  std::unique_lock lock(mutex_);
  const auto ends_within = [&](double time) {
    return wake_.wait_for(lock, std::chrono::duration<double>(time), [this] { return ends_; });
  };
  if (ends_within(seconds)) return;
  is_over = true;
  if (ends_within(std::fmax(min_grace, grace_share * seconds))) return;
  std::fprintf(stderr, "limber: --time-limit: found work that takes more than %g s; expected less\n", seconds);
  ::kill(::getpid(), SIGTERM);
}

bool has_time_limit() { return is_limited; }
bool time_is_over() { return is_over; }

}  // namespace limber::cli
