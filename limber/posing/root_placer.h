// Sets the parameters of the free joint that carries a segment, so that the segment is at a given frame.
#pragma once

#include <optional>

#include "limber/kinematics/forward.h"

namespace limber {

class RootPlacer {
 public:
  // The first joint on the way from the world to the segment that moves. Nothing if it has other freedoms than three
  // shifts and three turns about axes at right angles, each a parameter of its own.
  static std::optional<RootPlacer> make(const Figure& figure, int segment);

  // Whether the free joint is that of this segment.
  bool is_root(int segment) const { return root_ == segment; }
  // The other parameters do not change. Of equivalent angles, those nearest to the ones in theta. Allocates nothing.
  void place(const Frame& X_world_segment, VecX& theta);

 private:
  RootPlacer(const Figure& figure, int segment);

  Figure figure_;
  int segment_ = 0, root_ = 0;
  std::vector<int> path_;             // the segments from the world to it
  int shift_[3] = {}, turn_[3] = {};  // freedoms
  Mat3 axes_ = Mat3::Identity();      // of the turns, right-handed
  double sign_[3] = {1.0, 1.0, 1.0};  // of the axes in it
  Kinematics state_;
  VecX q_;
};

}  // namespace limber
