#include "limber/problem/balance.h"

#include <algorithm>
#include <utility>

#include "limber/base/number.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/kinematics/ground.h"

namespace limber {

namespace {

using Vec2 = Eigen::Vector2d;  // from above: (x, z)

// Relative to the half-width: places nearer to each other are merged, and corners nearer to an edge are dropped,
// because the normal of such a short edge would be rounding error.
constexpr double same_place = 1e-4;
// Beyond this, in metres, squares are not finite.
constexpr double max_metres = 1e100;
// Steps of the ternary search for the middle; 5e-12 of the interval remains.
constexpr int max_cuts = 64;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// From left to right below the points. A corner that stands out by no more than `tolerance` is skipped.
void half_hull(const std::vector<Vec2>& sorted, double tolerance, std::vector<Vec2>& corners) {
  const std::size_t begin = corners.size();
  for (const Vec2& p : sorted) {
    while (corners.size() >= begin + 2) {
      const Vec2 &a = corners[corners.size() - 2], &b = corners.back();
      if (cross(b - a, p - a) > tolerance * (p - a).norm()) break;
      corners.pop_back();
    }
    corners.push_back(p);
  }
  corners.pop_back();  // the first of the other half
}

// The corners of the convex hull, counter-clockwise; one or two if the points coincide or are collinear.
std::vector<Vec2> hull_of(std::vector<Vec2> points, double tolerance) {
  std::sort(points.begin(), points.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  std::vector<Vec2> corners;
  half_hull(points, tolerance, corners);
  std::reverse(points.begin(), points.end());
  half_hull(points, tolerance, corners);
  if (corners.empty() || (corners.size() == 2 && (corners[1] - corners[0]).norm() <= tolerance))
    return {points.front()};
  return corners;
}

Vec2 outward(const std::vector<Vec2>& corners, std::size_t k) {
  const Vec2 edge = corners[(k + 1) % corners.size()] - corners[k];
  return Vec2(edge.y(), -edge.x()).normalized();
}

struct Width {
  double width = infinity;
  Vec2 across = Vec2::UnitX();
};

// The direction in which the hull is thinnest: normal to one of its edges.
Width thinnest(const std::vector<Vec2>& corners) {
  Width least;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 n = outward(corners, k);
    double width = 0.0;
    for (const Vec2& corner : corners) width = std::fmax(width, n.dot(corners[k] - corner));
    if (width < least.width) least = {width, n};
  }
  return least;
}

// The corners of an octagon about a place, at this distance from it.
std::vector<Vec2> octagon(const Vec2& middle, double radius) {
  std::vector<Vec2> corners;
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.25 * pi * (k + 0.5);
    corners.push_back(middle + radius / std::cos(pi / 8.0) * Vec2(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

// Widens the hull to 2 half_width: across, and for a single place all around.
void widen(std::vector<Vec2>& corners, double half_width) {
  if (corners.size() == 1) {
    corners = octagon(corners[0], half_width);
    return;
  }
  for (int times = 0; times < 2; ++times) {
    const Width thin = thinnest(corners);
    const double lacking = half_width - 0.5 * thin.width;
    if (!(lacking > 0.0)) return;
    std::vector<Vec2> wider;
    for (const Vec2& corner : corners)
      for (const double side : {1.0, -1.0}) wider.push_back(corner + side * lacking * thin.across);
    corners = hull_of(std::move(wider), same_place * half_width);
  }
}

// The largest value of a concave function from a to b.
template <class Function>
double largest(double a, double b, Function&& value) {
  for (int k = 0; k < max_cuts; ++k) {
    const double third = (b - a) / 3.0;
    if (value(a + third) < value(b - third))
      a += third;
    else
      b -= third;
  }
  return value(0.5 * (a + b));
}

// The max distance of a point of the hull from all its edges, up to `enough`.
double room_within(const std::vector<Vec2>& corners, double enough) {
  std::vector<Vec2> normals;
  normals.reserve(corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) normals.push_back(outward(corners, k));
  const auto clearance = [&](const Vec2& x) {
    double nearest = infinity;
    for (std::size_t k = 0; k < corners.size(); ++k) nearest = std::fmin(nearest, normals[k].dot(corners[k] - x));
    return nearest;
  };
  Vec2 lower = corners[0], upper = corners[0], middle = Vec2::Zero();
  for (const Vec2& corner : corners) {
    lower = lower.cwiseMin(corner);
    upper = upper.cwiseMax(corner);
    middle += corner / static_cast<double>(corners.size());
  }
  if (clearance(middle) >= enough) return enough;
  return std::fmax(0.0, largest(lower.x(), upper.x(), [&](double x) {
                     return largest(lower.y(), upper.y(), [&](double y) { return clearance({x, y}); });
                   }));
}

// Of the figure that the segment belongs to.
double length_of(const Figure& figure, int segment) {
  const FigurePart* part = part_of_segment(figure, segment);
  return part ? part->figure.length() : figure.length();
}

// The centre of mass of the figure that has these feet.
Expected<Handle> centre_over(const Figure& figure, const std::vector<std::string>& feet) {
  const FigurePart* stands = nullptr;
  for (const std::string& name : feet) {
    const Expected<Handle> place = figure.point(name);
    const FigurePart* part = place ? part_of_segment(figure, place->plus[0].segment) : nullptr;
    if (stands && part && part != stands)
      return reject("feet", "'" + feet.front() + "' and '" + name + "', of two figures", "the feet of one of them");
    if (part) stands = part;
  }
  return stands ? figure.mass_centre_of(stands->name) : figure.mass_centre();
}

// Whether a name is a part of the figure and all below it, and not a single site.
bool is_part(const Figure& figure, const std::string& name) {
  if (figure.find_segment(name)) return true;
  const auto site = std::ranges::find(figure.sites(), name, &Site::name);
  if (site == figure.sites().end()) return true;  // a joint
  const Vec3& centre = figure.joints()[site->segment].in_child.p;
  return (site->frame.p - centre).norm() <= same_place * min_half_width * length_of(figure, site->segment);
}

// The low places of a part of the figure. Each named foot has a ground of its own: it may stand on a step.
void add_low_places(const Figure& figure, const Kinematics& state, int part, double length, std::vector<Vec3>& points) {
  FootPlaces foot = foot_from(figure, state, part);
  foot.keep_contacts(foot.lowest(), length);
  points.insert(points.end(), foot.places.begin(), foot.places.end());
}

}  // namespace

Expected<std::vector<Vec3>> contact_points(const Figure& figure, const Pose& pose,
                                           const std::vector<std::string>& feet) {
  if (feet.empty()) return reject("feet", "none", "at least one place that touches the ground");
  if (pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()) || !pose.theta.allFinite())
    return reject("pose", std::to_string(pose.theta.size()) + " values, or one that is not finite",
                  std::to_string(figure.parameters().size()) + " finite ones");
  const Kinematics state = forward(figure, pose);
  std::vector<Vec3> points;
  for (const std::string& name : feet) {
    const Expected<Handle> place = figure.point(name);
    if (!place) return reject("foot: " + place.error().where, place.error().found, place.error().expected);
    const Element& element = place->plus[0];
    const std::size_t before = points.size();
    if (is_part(figure, name))
      add_low_places(figure, state, element.segment, length_of(figure, element.segment), points);
    else
      points.push_back(state.segments[element.segment] * element.local);
    for (std::size_t k = before; k < points.size(); ++k)
      if (!(std::fmax(figure.length(), points[k].cwiseAbs().maxCoeff()) <= max_metres) || !points[k].allFinite())
        return reject("foot '" + name + "'", "a place that is not finite, or out of all bounds", "metres");
  }
  return points;
}

InsidePolyhedron support_over(const std::vector<Vec3>& contacts, double half_width, double margin) {
  double ground = infinity;
  std::vector<Vec2> points;
  for (const Vec3& contact : contacts) {
    points.emplace_back(contact.x(), contact.z());
    ground = std::fmin(ground, contact.y());
  }
  std::vector<Vec2> corners = hull_of(std::move(points), same_place * half_width);
  widen(corners, half_width);
  const double kept = margin > 0.0 ? room_within(corners, margin) : 0.0;
  InsidePolyhedron over;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 n = outward(corners, k), p = corners[k] - std::fmin(kept, margin) * n;
    over.faces.push_back({Vec3(p.x(), ground, p.y()), Vec3(n.x(), 0.0, n.y())});
  }
  return over;
}

Expected<Balance> balance_over(const Figure& figure, const Pose& pose, const std::vector<std::string>& feet,
                               double margin) {
  if (!(margin >= 0.0) || !std::isfinite(margin)) return reject("margin", to_text(margin), "metres, 0 or more");
  const Expected<Handle> centre = centre_over(figure, feet);
  if (!centre) return std::unexpected(centre.error());
  const Expected<std::vector<Vec3>> points = contact_points(figure, pose, feet);
  if (!points) return std::unexpected(points.error());
  const Expected<Handle> foot = figure.point(feet.front());
  const double half_width = min_half_width * length_of(figure, foot ? foot->plus[0].segment : 0);
  return Balance{*centre, support_over(*points, half_width, margin)};
}

Expected<ConstraintId> add_balance(Problem& problem, const Pose& pose, const std::vector<std::string>& feet,
                                   BalanceOptions options) {
  if (options.constraint.name.empty()) options.constraint.name = "balance";
  const Figure& figure = problem.figure();
  // A rejected handle carries the diagnostic, and the problem remembers it.
  const auto rejected = [&](Diagnostic why) {
    return problem.add(Expected<Handle>(std::unexpected(std::move(why))), Position{}, options.constraint);
  };
  if (options.constraint.weight == must)
    return rejected({"weight", "must",
                     "a finite number, such as " + to_text(balance_weight) +
                         ": hard constraints are kept as equations, and the edge of a support is none"});
  Expected<Balance> balance = balance_over(figure, pose, feet, options.margin);
  if (!balance) return rejected(balance.error());
  return problem.add(balance->centre, std::move(balance->support), options.constraint);
}

}  // namespace limber
