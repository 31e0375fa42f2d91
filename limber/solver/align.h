// The rigid motion of a free root that brings the handles as near to their goals as possible: a start for far poses.
//
// Over the rigid motions (R, t), Σ w ‖R x + t - p‖² + Σ w c² ‖R u - v‖² is minimal for the rotation whose quaternion is
// the eigenvector of the largest eigenvalue of a 4 x 4 matrix (Horn 1987, Closed-form solution of absolute orientation
// using unit quaternions), and for the t that then brings the centroids together. Only goals that place a point or
// a direction take part.
#pragma once

#include <optional>

#include "limber/kinematics/forward.h"
#include "limber/problem/problem.h"

namespace limber {

class RootAlignment {
 public:
  explicit RootAlignment(const Figure& figure);

  bool has_free_root() const { return root_.has_value(); }
  // Moves the root of theta. Does nothing for a figure whose root cannot be anywhere: one with several roots, limits,
  // or other freedoms than three shifts and three turns about axes at right angles; or where no goal has a place.
  void align(const Problem& problem, VecX& theta);

 private:
  struct FreeRoot {
    int segment;
    int shift[3];  // freedoms, each its own parameter
    int turn[3];
    Mat3 axes;       // of the turns, right-handed
    double sign[3];  // of the axes in it
  };
  static std::optional<FreeRoot> free_root_of(const Figure& figure);

  std::optional<FreeRoot> root_;
  Kinematics state_;
  VecX q_;
};

}  // namespace limber
