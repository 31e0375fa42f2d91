// A solved problem as a picture: one self-contained SVG with the views from +Z (the front of who faces there), -X,
// above and in perspective.
//
// The body is drawn with flesh on its bones, the goals green where they are met and amber or red where they are not,
// with a thin line over the distance that is left. Joints that may move are dots; those whose limits hold a goal back
// are red. Letters and numbers lead to a legend: what is left of each goal, and what holds it back by how much.
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
  int width = 1200;        // pixels; not below 480
  int height = 900;        // pixels; not below 360
  bool names = false;      // write names beside the letters in the perspective view
  bool legend = true;      // where there is a constraint
  std::string title = {};  // empty: the figure's name
  // The figure's left in the world, in this pose, of any length. Zero: as its places left_hip and right_hip say, or the
  // shoulders, if it has them. Where it is known, a view is called front or side, else by the axis it is seen from.
  Vec3 left = Vec3::Zero();
  // Something that each segment has more or less of, such as the load it bears: the body is coloured from green at 0
  // over yellow to red at 1, and dark beyond; grey where it is negative. Empty: in its usual colours.
  std::vector<double> heat = {};
  std::string heat_name = {};  // beside the scale of colours
};

// `pose` must be one of the problem's figure, and `report` of this problem; constraints that the report lacks are grey.
std::string draw_svg(const Problem& problem, const Pose& pose, const Report& report,
                     const PictureOptions& options = {});

}  // namespace limber
