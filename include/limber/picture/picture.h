// A solved problem as a picture: one self-contained SVG with the views from +Z (the front of a figure that faces +Z),
// -X, above and in perspective.
//
// The body is drawn solid; goals are green if met and amber or red if not, with a thin line along the remaining error.
// Movable joints are dots, red if their limits block a goal. Letters and numbers refer to a legend with the error of
// each goal, and the limits that block it with their shares.
//
// Works for any figure and any size; the same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/solver/report.h"

namespace limber {

struct PictureOptions {
  int width = 1200;        // pixels, at least 480
  int height = 900;        // pixels, at least 360
  bool names = false;      // write names beside the letters in the perspective view
  bool legend = true;      // if there are constraints
  std::string title = {};  // empty: the figure's name
  // The figure's left in the world, in this pose, of any length. Zero: from its places left_hip and right_hip, or the
  // shoulders, if any. If known, views are titled front or side, else by their axis.
  Vec3 left = Vec3::Zero();
  // A value per segment, such as its load: the body is coloured from green at 0 over yellow to red at 1, and dark
  // above; grey if negative. Empty: the usual colours.
  std::vector<double> heat = {};
  std::string heat_name = {};  // beside the colour scale
  // Drawn in place of the flesh of their segments.                                                    W93 6.1.1
  std::vector<SegmentObject> objects = {};
};

// `pose` and `report` must belong to the problem; constraints missing in the report are grey.
std::string draw_svg(const Problem& problem, const Pose& pose, const Report& report,
                     const PictureOptions& options = {});

}  // namespace limber
