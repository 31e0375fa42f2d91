// --time-limit: how long a verb may work. When the time is over, what has an observer ends with the best so far. What
// does not end within a grace after that is terminated as if by the user, so that no half-written file remains.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace limber::cli {

// One at a time.
class TimeLimit {
 public:
  // Infinite: no limit.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  void watch(double seconds);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread thread_;
};

// Whether there is a limit, and whether its time is over.
bool has_time_limit();
bool time_is_over();

}  // namespace limber::cli
