// Markers: points over time, and where on a figure they are fixed.
//
// A marker that is fixed at `at` in the frame of a place X of the figure is seen at
//
//   x_world = X_world_place(θ) · at
//
// attach() goes the other way: from a motion of the figure and the markers seen in it, frame by frame. In the frame of
// the segment that carries it, a marker hardly moves: the segment is the one with the least
//
//   spread² = 1/n Σ_k ‖y_k - at‖²,   y_k = X_world_segment(θ_k)⁻¹ · x_k,   at = 1/n Σ_k y_k
//
// Of segments that are as good, as two without a joint between them are, it is the one whose bone is nearest.
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

// Points over time: what a camera saw of the markers on a body.
struct Markers {
  std::vector<std::string> names = {};
  double rate = 0.0;    // frames a second
  int first_frame = 1;  // the number that the file gives to frame 0
  MatX positions = {};  // inside space; rows 3m, 3m+1, 3m+2 are marker m, a column a frame; NaN where it was not seen

  int frames() const { return static_cast<int>(positions.cols()); }
  Vec3 position(int frame, int marker) const { return positions.block<3, 1>(3 * marker, frame); }
  bool seen(int frame, int marker) const { return !std::isnan(positions(3 * marker, frame)); }
  std::optional<int> find(std::string_view name) const;
};

// The markers turned about the vertical through the origin: a camera's axes need not be those of the motion.
Markers turned(Markers markers, double angle);

// Where a marker is fixed.
struct Attachment {
  std::string marker;
  std::string place;                  // a site, segment or joint
  Vec3 at = Vec3::Zero();             // in the frame of the place
  double weight = 1.0;                // of its goal when the figure follows it
  std::optional<double> spread = {};  // metres, where it was estimated
};

struct MarkerSet {
  double turn = 0.0;  // radians about the vertical, by which the markers are turned first
  std::vector<Attachment> markers = {};
};

// The point of the figure where the marker is.
Expected<Handle> marker_point(const Figure& figure, const Attachment& attachment);

struct AttachOptions {
  int start = 0;                    // the frame of the markers at which the motion begins
  std::optional<double> turn = {};  // radians; else of four quarter turns the one that brings the markers nearest
};

// Where each marker is fixed, from a motion of the figure in which they were seen. The motion is sampled at the rate of
// the markers; both stand in the same space, but for a turn about the vertical. Markers that were never seen while the
// motion went on are left out. Rejected where that leaves none.
Expected<MarkerSet> attach(const Figure& figure, const Clip& clip, const Markers& markers,
                           const AttachOptions& options = {});

}  // namespace limber
