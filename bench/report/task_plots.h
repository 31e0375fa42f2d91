// The plots of each task in the HTML report, and its fastest methods.
#pragma once

#include <string>
#include <vector>

#include "bench/report/figure.h"

namespace limber::bench {

// The methods of one case that did what was asked, by time.
struct Ranking {
  std::string label;
  std::string among;  // which methods are compared, in words
  struct Entry {
    std::string method;
    double microseconds;
  };
  std::vector<Entry> entries;
};

struct TaskPlots {
  const char* task;
  const char* heading;
  const char* note;
  std::string (*draw)(const Methods& methods, const Rows& rows);
  std::vector<Ranking> (*rank)(const Rows& rows);  // none for a task without methods
};

// Null for a task that is shown as its table only.
const TaskPlots* plots_of(const std::string& task);

}  // namespace limber::bench
