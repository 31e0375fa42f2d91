// Balance: the centre of mass over the feet that carry the figure.
//
// A figure at rest does not fall if its centre of mass, seen from above (Y is up), is within the convex hull of the
// places that touch the ground: its support polygon. Balance is the goal InsidePolyhedron of the centre of mass c, with
// a vertical face per edge of the polygon. With the outward normal n and the corner p of an edge, its row is
//
//   r = max(0, n · (c - p) + margin)
//
// The polygon is that of one pose and does not follow the feet: hold the feet too, with hold() and the weight must.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/problem.h"

namespace limber {

// Balance outweighs the goal of a hand: with this weight, a goal of weight 1 with an error of 0.73 m pulls the centre
// of mass 0.9 mm over the edge. With ten times the weight, the other goals would get lost in the solver's tolerance.
inline constexpr double balance_weight = 1000.0;

// Min half-width of the support polygon, relative to the figure's length: the places of a single foot often lie on a
// line.
inline constexpr double min_half_width = 0.02;

struct BalanceOptions {
  // Distance to keep from the edge, in metres. If the polygon is too small for it: as far inside as possible.
  double margin = 0.0;
  // The weight cannot be must, and the priority should not come before that of the goals: the default method keeps
  // earlier levels as equations, but the edge of a polygon is an inequality, and the method would get stuck there.
  ConstraintOptions constraint = {.weight = balance_weight};
};

// The places where feet touch the ground in a pose. A foot named by a segment, a joint, or a site at the centre of a
// joint (left_foot of figures with common names) consists of all sites and joints from there on that are at most 3 % of
// the figure's length above its lowest place. Any other site, such as left_heel of human(), is a single place.
Expected<std::vector<Vec3>> contact_points(const Figure& figure, const Pose& pose,
                                           const std::vector<std::string>& feet);

// The vertical prism over these places. A polygon thinner than 2 half_width is widened: a single foot gives a strip, a
// single place an octagon. `half_width` (above 0) and `margin` are in metres; at least one place is required.
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
