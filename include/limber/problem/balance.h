// Balance: the centre of mass over the feet that carry the figure.
//
// A figure at rest does not fall where its centre of mass, seen from above (Y is up), lies within the convex hull of
// the places that touch the ground. The edges of that hull are vertical faces, and balance is the goal InsidePolyhedron
// of the centre of mass c, one row per edge with the outward normal n through the corner p:
//
//   r = max(0, n · (c - p) + margin)
//
// The hull is that of one pose and does not follow the feet: lock them there too, with hold() and the weight must.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/problem.h"

namespace limber {

// Balance comes before the reach of a hand: a goal of weight 1 that stays 0.73 m off draws the centre of mass 0.9 mm
// over the edge. With ten times more, the other goals are lost in the tolerance of the solve.
inline constexpr double balance_weight = 1000.0;

// In parts of the figure's length. A sole is this wide at least, to either side: the places of a single foot mostly lie
// on a line.
inline constexpr double min_half_width = 0.02;

struct BalanceOptions {
  // Distance from the edge, in metres. Where the support is too small for it: as far as possible, towards the middle.
  double margin = 0.0;
  // Its weight cannot be must, and its priority should not come before that of the goals: the default method keeps
  // earlier levels as equations, which an edge is not, and gets stuck there.
  ConstraintOptions constraint = {.weight = balance_weight};
};

// The places where feet touch the ground in a pose. A foot is named by a segment, a joint, or a site at the centre of a
// joint (left_foot of figures with common names): then it is all from there on, sites and joints, as far as they are
// no higher than 3 % of the figure's length above its lowest place. Any other site, such as left_heel of human(), is
// that place alone.
Expected<std::vector<Vec3>> contact_points(const Figure& figure, const Pose& pose,
                                           const std::vector<std::string>& feet);

// The space over those places. A hull that is thinner than a sole is widened across; one foot is a strip along it, one
// place a square. `half_width` and `margin` in metres, the first above 0; there must be a place.
InsidePolyhedron support_over(const std::vector<Vec3>& contacts, double half_width, double margin = 0.0);

// What a balance asks: the centre of mass, and the space that it must be in. Rejected as in add_balance().
struct Balance {
  Handle centre;
  InsidePolyhedron support;
};
Expected<Balance> balance_over(const Figure& figure, const Pose& pose, const std::vector<std::string>& feet,
                               double margin = 0.0);

// Of several figures, the one whose feet are named is balanced, by itself.
//
// Rejected, and remembered by the problem, where a name is not known, no foot is named, two figures are named, a margin
// is negative, the figure has no mass, or the weight is must.
Expected<ConstraintId> add_balance(Problem& problem, const Pose& pose, const std::vector<std::string>& feet,
                                   BalanceOptions options = {});

}  // namespace limber
