// A bar for work that takes longer than a second, on a terminal only.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace limber::cli {

class Progress {
 public:
  // `total` steps; with fewer than two only the seconds are shown.
  explicit Progress(std::string label, long total = 1);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() { ++done_; }
  // Where it turns out on the way how much there is to do.
  void set(long done, long total) {
    total_ = total;
    done_ = done;
  }

 private:
  void show();

  std::string label_;
  std::atomic<long> total_;
  std::atomic<long> done_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace limber::cli
