// Sets the parameters of a free root so that its segment is at a given frame.
#pragma once

#include <optional>

#include "limber/kinematics/forward.h"

namespace limber {

class RootPlacer {
 public:
  // Nothing for a figure with several roots, or whose root has other freedoms than three shifts and three turns about
  // axes at right angles, each a parameter of its own.
  static std::optional<RootPlacer> make(const Figure& figure);

  int segment() const { return segment_; }
  // The other parameters do not change. Of equivalent angles, those nearest to the ones in theta. Allocates nothing.
  void place(const Frame& X_world_segment, VecX& theta);

 private:
  explicit RootPlacer(const Figure& figure);

  Figure figure_;
  int segment_ = 0;
  std::vector<int> only_;             // the segment
  int shift_[3] = {}, turn_[3] = {};  // freedoms
  Mat3 axes_ = Mat3::Identity();      // of the turns, right-handed
  double sign_[3] = {1.0, 1.0, 1.0};  // of the axes in it
  Kinematics state_;
  VecX q_;
};

}  // namespace limber
