// A motion as frames: one pose per frame, evenly spaced in time.
//
// Recorded poses are stored as recorded, even where they exceed the joint limits of the figure.
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

// Upper bound on the numbers of a clip: half an hour of 77 parameters at 120 frames per second.
inline constexpr double max_values = 0x1p24;

// Frames first … last, both included; both must be frames of the clip.
Expected<Clip> cut(const Clip& clip, int first, int last);

// The clip at another frame rate, from its first frame to its last. Between two recorded frames, joints with three
// rotations about coordinate axes take the shortest rotation; single rotations, translations and group parameters are
// interpolated linearly. Rejected if the result exceeds both max_values numbers and the size of the clip.
Expected<Clip> resampled(const Figure& figure, const Clip& clip, double frame_time);

// The same motion of the figure hung from another segment: `to` is made by hung_from() of `from`.
Clip placed_as(const Figure& from, const Clip& clip, const Figure& to);

}  // namespace limber
