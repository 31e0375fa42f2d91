// How long a short piece of work takes.
#pragma once

#include <algorithm>

#include "app/cli/bench/table.h"
#include "limber/base/vector.h"

namespace limber::cli {

// The quickest of several rounds: what is slower is the machine's other work. A round is long enough for the clock.
template <class Work>
double microseconds_of(const Work& work, bool quick) {
  constexpr double round = 100.0, too_long = 1e6;
  constexpr int fewest_rounds = 3;
  const double enough = quick ? 2e3 : 1e5;
  double quickest = infinity, spent = 0.0;
  int rounds = 0, times = 1;
  while (rounds == 0 || spent < enough || (rounds < fewest_rounds && spent < too_long)) {
    const auto start = Clock::now();
    for (int k = 0; k < times; ++k) work();
    const double time = microseconds_since(start);
    spent += time;
    if (time < round) {
      times *= 2;
      continue;
    }
    ++rounds;
    quickest = std::min(quickest, time / times);
  }
  return quickest;
}

}  // namespace limber::cli
