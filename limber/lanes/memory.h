// Memory for the kernels, aligned for the widest lanes; kept as long as it is large enough.
#pragma once

#include <cstddef>
#include <vector>

namespace limber {

class LaneMemory {
 public:
  void* of(long bytes) {
    const auto lines = static_cast<std::size_t>(bytes) / sizeof(Line) + 1;
    if (lines_.size() < lines) lines_.resize(lines);
    return lines_.data();
  }

 private:
  struct Line {
    alignas(64) char bytes[64];
  };
  std::vector<Line> lines_;
};

}  // namespace limber
