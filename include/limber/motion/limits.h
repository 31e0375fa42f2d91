// Joint limits estimated from sampled motion.                                                    EE09's reference [10]
//
// The range of a freedom is where its samples were, without the outermost part at either end where that is asked for (a
// mistracked frame is not what a joint can do), and wider by a margin, since a motion seldom goes to the end of what a
// joint can do.
#pragma once

#include <vector>

#include "limber/motion/clip.h"

namespace limber {

struct LimitOptions {
  double margin = 0.05;    // of the sampled range, added at either end
  double outliers = 0.0;   // part of the samples left out at either end, below 0.5
  bool with_root = false;  // the freedoms that carry a root stay as they are, unless this says otherwise
};

class LimitEstimate {
 public:
  explicit LimitEstimate(const Figure& figure);

  // Takes all poses of a motion of the figure.
  void add(const Clip& clip);
  int poses() const { return poses_; }

  // The figure with the estimated limits in place of its own, for every freedom that is its own parameter; what groups
  // drive keeps its limits. The rest pose moves within them. Rejected without a pose.
  Expected<Figure> figure(const LimitOptions& options = {}) const;

 private:
  Figure figure_;
  std::vector<std::vector<double>> samples_;  // by parameter
  int poses_ = 0;
};

}  // namespace limber
