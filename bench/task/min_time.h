// The time that a short piece of work takes.
#pragma once

#include <algorithm>

#include "bench/task/table.h"
#include "limber/base/vector.h"

namespace limber::bench {

// The min over several rounds, in microseconds: slower rounds were disturbed by other work of the machine. A round is
// long enough for the resolution of the clock.
template <class Work>
double microseconds_of(const Work& work, bool quick) {
  constexpr double min_round = 100.0, max_total = 1e6;
  constexpr int min_rounds = 3;
  const double min_total = quick ? 2e3 : 1e5;
  double min_time = infinity, spent = 0.0;
  int rounds = 0, times = 1;
  while (rounds == 0 || spent < min_total || (rounds < min_rounds && spent < max_total)) {
    const auto start = Clock::now();
    for (int k = 0; k < times; ++k) work();
    const double time = microseconds_since(start);
    spent += time;
    if (time < min_round) {
      times *= 2;
      continue;
    }
    ++rounds;
    min_time = std::min(min_time, time / times);
  }
  return min_time;
}

}  // namespace limber::bench
