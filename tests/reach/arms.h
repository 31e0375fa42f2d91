// Arms whose reach has a closed form, and independent forward kinematics.
#pragma once

#include <cmath>

#include "limber/problem/problem.h"
#include "limber/reach/reach.h"
#include "limber/reach/reach_map.h"
#include "tests/support/figures.h"

namespace limber::testing {

struct Limit {
  double lower, upper;
};

inline Range ranged(const Limit& limit) { return {.lower = limit.lower, .upper = limit.upper}; }

// Two bones a and b in planes z = constant, extruded by a slider along z: shoulder at the origin.
//   x = a cos s + b cos(s + e),  y = a sin s + b sin(s + e)
struct PlanarArm {
  double a = 0.6, b = 0.4;
  Limit slide = {-0.2, 0.2}, shoulder = {-2.0, 2.0}, elbow = {0.0, 2.5};

  double radius(double e) const { return std::sqrt(a * a + b * b + 2.0 * a * b * std::cos(e)); }
  // For an elbow that bends to one side, and a shoulder of less than a full turn: every radius has one e and one arc.
  double area() const {
    const double r0 = radius(elbow.upper), r1 = radius(elbow.lower);
    return 0.5 * (shoulder.upper - shoulder.lower) * (r1 * r1 - r0 * r0);
  }
  double volume() const { return area() * (slide.upper - slide.lower); }

  Figure figure() const {
    FigureDescription arm;
    arm.name = "planar arm";
    arm.segments = {{"base", 0.0}, {"lift", 0.0}, {"upper", 0.0}, {"lower", 0.0}};
    arm.joints = {{"lift", "base", "lift", {}, {}, {shift("up", Vec3::UnitZ(), ranged(slide))}},
                  {"shoulder", "lift", "upper", {}, {}, {turn("turn", Vec3::UnitZ(), ranged(shoulder))}},
                  {"elbow", "upper", "lower", at({a, 0, 0}), {}, {turn("turn", Vec3::UnitZ(), ranged(elbow))}}};
    arm.sites = {{"tip", "lower", at({b, 0, 0})}, {"heel", "base", {}}};
    return built(arm);
  }
  Vec3 tip(const Pose& pose) const {
    const double z = pose.theta[0], s = pose.theta[1], e = pose.theta[2];
    return {a * std::cos(s) + b * std::cos(s + e), a * std::sin(s) + b * std::sin(s + e), z};
  }
};

// A rod that rotates about y by u, then about z by v, and slides out to r:
//   x = r (cos v cos u, sin v, -cos v sin u)
struct SphericalArm {
  Limit u = {-1.2, 1.2}, v = {-0.7, 0.9}, r = {0.5, 0.9};

  double volume() const {
    return (u.upper - u.lower) * (std::sin(v.upper) - std::sin(v.lower)) *
           (std::pow(r.upper, 3) - std::pow(r.lower, 3)) / 3.0;
  }
  Figure figure() const {
    FigureDescription arm;
    arm.name = "spherical arm";
    arm.segments = {{"base", 0.0}, {"turret", 0.0}, {"rod", 0.0}};
    arm.joints = {{"turret",
                   "base",
                   "turret",
                   {},
                   {},
                   {turn("u", Vec3::UnitY(), ranged(u)), turn("v", Vec3::UnitZ(), ranged(v))}},
                  {"rod", "turret", "rod", {}, {}, {shift("r", Vec3::UnitX(), {r.lower, r.upper, r.lower})}}};
    arm.sites = {{"tip", "rod", {}}};
    return built(arm);
  }
  static Vec3 tip(const Pose& pose) {
    const double u = pose.theta[0], v = pose.theta[1], r = pose.theta[2];
    return r * Vec3(std::cos(v) * std::cos(u), std::sin(v), -std::cos(v) * std::sin(u));
  }
};

inline ReachMap map_of(const Figure& figure, const std::string& handle, const ReachOptions& options) {
  return good(reach(Problem(figure), figure.rest(), figure.point(handle), options));
}

inline double volume_of(const ReachMap& map, Reach state = Reach::reached) {
  double volume = 0.0;
  for (const ReachCell& cell : map.cells)
    if (cell.is_leaf() && cell.state == state) volume += std::pow(map.side(cell), 3);
  return volume;
}

// Whether two maps are equal bit for bit.
inline bool same(const ReachMap& a, const ReachMap& b) {
  if (a.cells.size() != b.cells.size() || a.poses != b.poses || a.finished != b.finished || a.levels != b.levels)
    return false;
  for (std::size_t k = 0; k < a.cells.size(); ++k) {
    const ReachCell &x = a.cells[k], &y = b.cells[k];
    if (x.at != y.at || x.level != y.level || x.first_child != y.first_child || x.state != y.state ||
        x.proved != y.proved || x.others_met != y.others_met || x.touched != y.touched || x.pose != y.pose ||
        x.solves != y.solves || x.tried != y.tried || x.distance != y.distance || x.handle != y.handle ||
        x.held_back_by != y.held_back_by)
      return false;
  }
  return true;
}

// The map of a run that is interrupted after every wave.
inline ReachMap map_in_steps(const Figure& figure, const std::string& handle, ReachOptions options) {
  options.after_wave = [](const ReachProgress&) { return false; };
  const Problem problem(figure);
  ReachMap map = good(reach(problem, figure.rest(), figure.point(handle), options));
  while (!map.finished) {
    const Expected<void> went_on = resume(problem, figure.rest(), figure.point(handle), options, map);
    if (!went_on) throw std::runtime_error(went_on.error().text());
  }
  return map;
}

}  // namespace limber::testing
