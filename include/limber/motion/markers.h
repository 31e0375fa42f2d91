// Markers: points over time, and where they are attached to a figure.
//
// A marker attached at `at` in the frame of a place X of the figure is seen at
//
//   x_world = X_world_place(θ) · at
//
// attach() inverts this, from a motion of the figure and the markers seen in it. A marker hardly moves in the frame of
// the segment it is attached to: the segment with the minimum
//
//   spread² = 1/n Σ_k ‖y_k - at‖²,   y_k = X_world_segment(θ_k)⁻¹ · x_k,   at = 1/n Σ_k y_k
//
// Of equally good segments, such as two without a joint between them, the one with the nearest bone is chosen.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"
#include "limber/motion/clip.h"

namespace limber {

// Points over time, as seen by a motion-capture system.
struct Markers {
  std::vector<std::string> names = {};
  double rate = 0.0;    // frames per second
  int first_frame = 1;  // the file's number of frame 0
  MatX positions = {};  // rows 3m, 3m+1, 3m+2 are marker m; one column per frame; NaN if not seen

  int frames() const { return static_cast<int>(positions.cols()); }
  Vec3 position(int frame, int marker) const { return positions.block<3, 1>(3 * marker, frame); }
  bool seen(int frame, int marker) const { return !std::isnan(positions(3 * marker, frame)); }
  std::optional<int> find(std::string_view name) const;
};

// The markers rotated about the vertical axis through the origin, to align the axes of camera and motion.
Markers turned(Markers markers, double angle);

// Where a marker is attached.
struct Attachment {
  std::string marker;
  std::string place;                  // a site, segment or joint
  Vec3 at = Vec3::Zero();             // in the frame of the place
  double weight = 1.0;                // of its goal in tracking
  std::optional<double> spread = {};  // metres, if estimated
};

struct MarkerSet {
  double turn = 0.0;  // radians about the vertical, applied to the markers first
  std::vector<Attachment> markers = {};
};

// The marker's point on the figure.
Expected<Handle> marker_point(const Figure& figure, const Attachment& attachment);

struct AttachOptions {
  int start = 0;                    // marker frame at which the motion starts
  std::optional<double> turn = {};  // radians; default: the best of the four quarter turns
};

// Where each marker is attached, from a motion of the figure in which they were seen. The motion is resampled at the
// marker rate; both share one space, up to a rotation about the vertical. Markers not seen during the motion are
// dropped. Rejected if none remains.
Expected<MarkerSet> attach(const Figure& figure, const Clip& clip, const Markers& markers,
                           const AttachOptions& options = {});

}  // namespace limber
