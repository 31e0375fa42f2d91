// A motion as its frames: one pose a frame, evenly spaced in time.
//
// Recorded poses are kept as they were recorded, also where they exceed the joint limits of the figure.
#pragma once

#include <string>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

struct Clip {
  std::string name = {};
  double frame_time = 1.0 / 30.0;  // seconds from one frame to the next, above 0
  MatX poses = {};                 // θ of frame k is column k

  int frames() const { return static_cast<int>(poses.cols()); }
  double duration() const { return frames() > 1 ? (frames() - 1) * frame_time : 0.0; }
  Pose pose(int frame) const { return {poses.col(frame)}; }
};

// More numbers than this are no motion that somebody wants: half an hour of 77 parameters at 120 frames a second.
inline constexpr double max_values = 0x1p24;

// Frames first … last, both included; both must be frames of the clip.
Expected<Clip> cut(const Clip& clip, int first, int last);

// The clip at another rate, from its first frame to its last. Frames that fall between two recorded ones lie on the
// shortest turn between the two rotations of each joint, where the joint turns about three coordinate axes; single
// turns, shifts and the parameters of groups are interpolated linearly. Rejected where it would have more than
// max_values numbers and more than the clip itself.
Expected<Clip> resampled(const Figure& figure, const Clip& clip, double frame_time);

}  // namespace limber
