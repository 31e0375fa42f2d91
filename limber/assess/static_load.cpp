#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

#include "limber/assess/strength.h"
#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/kinematics/ground.h"

namespace limber {

namespace {

using Vec2 = Eigen::Vector2d;  // in the ground plane: (x, z)

Vec2 on_ground(const Vec3& x) { return {x.x(), x.z()}; }

// Feet whose centres are closer than this, relative to the figure's length, count as one.
constexpr double coincident = 1e-6;

Expected<void> check_loads(const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    if (!(load.mass >= 0.0 && std::isfinite(load.mass)))
      return reject("load at '" + load.handle.name + "'", to_text(load.mass) + " kg", "a mass of 0 or more");
    const bool is_point = starts_with_point(load.handle.shape) && load.handle.minus_count == 0 &&
                          load.handle.plus[0].kind == Element::Kind::point;
    if (!is_point) return reject("load at '" + load.handle.name + "'", name_of(load.handle.shape), "a point");
  }
  return {};
}

// ------------------------------------------------------------------------------------------------------- the feet

struct Foot : FootPlaces {
  std::string name = {};
  Vec2 centre = Vec2::Zero();
};

Expected<Foot> find_foot(const Figure& figure, const Kinematics& state, const std::string& name) {
  const Expected<int> segment = figure.find_joint(name);
  if (!segment) return std::unexpected(segment.error());
  return Foot{foot_from(figure, state, *segment), name};
}

// Keeps only the feet on the ground, and of these only the points on the ground.
std::vector<Foot> standing(std::vector<Foot> feet, double figure_length) {
  double ground = infinity;
  for (const Foot& foot : feet) ground = std::fmin(ground, foot.lowest());
  std::erase_if(feet, [&](const Foot& foot) { return !stands_on(foot, ground, figure_length); });
  for (Foot& foot : feet) {
    foot.keep_contacts(ground, figure_length);
    Vec2 min = Vec2::Constant(infinity), max = Vec2::Constant(-infinity);
    for (const Vec3& x : foot.places) {
      min = min.cwiseMin(on_ground(x));
      max = max.cwiseMax(on_ground(x));
    }
    foot.centre = 0.5 * (min + max);
  }
  return feet;
}

// The distance of c from the convex hull of the contacts, 0 inside. An edge of the hull is a line through two contacts
// with all others behind it; a hull of collinear contacts has no inside.
double distance_to_hull(const Vec2& c, const std::vector<Foot>& feet, double length) {
  std::vector<Vec2> contacts;
  for (const Foot& foot : feet)
    for (const Vec3& x : foot.places) contacts.push_back(on_ground(x));
  const double tolerance = coincident * length;
  double nearest = infinity;
  bool has_area = false, is_outside = false;
  for (const Vec2& p : contacts)
    for (const Vec2& q : contacts) {
      const Vec2 edge = q - p;
      const double distance = edge.norm();
      if (!(distance > tolerance)) {
        nearest = std::fmin(nearest, (c - p).norm());
        continue;
      }
      const double along = std::clamp(edge.dot(c - p) / (distance * distance), 0.0, 1.0);
      nearest = std::fmin(nearest, (c - p - along * edge).norm());
      const Vec2 n = Vec2(edge.y(), -edge.x()) / distance;
      double max_side = -infinity, min_side = infinity;
      for (const Vec2& x : contacts) {
        max_side = std::fmax(max_side, n.dot(x - p));
        min_side = std::fmin(min_side, n.dot(x - p));
      }
      if (max_side > tolerance) continue;
      has_area = has_area || min_side < -tolerance;
      is_outside = is_outside || n.dot(c - p) > 0.0;
    }
  return has_area && !is_outside ? 0.0 : nearest;
}

// The ground is at the height of the foot's lowest point.
Reaction reaction(const Foot& foot, const Vec2& at, double force) {
  return {foot.name, foot.segment, Vec3(at.x(), foot.lowest(), at.y()), force};
}

std::vector<Reaction> reactions_of(const std::vector<Foot>& feet, const Vec2& c, double weight, double length) {
  if (feet.size() == 1) return {reaction(feet[0], c, weight)};
  const Vec2 &a = feet[0].centre, &b = feet[1].centre;
  const double distance = (b - a).squaredNorm();
  const double lambda = distance > coincident * coincident * length * length ? (c - a).dot(b - a) / distance : 0.5;
  const Vec2 d = c - a - lambda * (b - a);
  return {reaction(feet[0], a + d, (1.0 - lambda) * weight), reaction(feet[1], b + d, lambda * weight)};
}

// ------------------------------------------------------------------------------------------------------ the sweep

Handle point_handle(int segment, const Vec3& local) {
  Handle handle;
  handle.plus[0] = {Element::Kind::point, segment, local};
  return handle;
}

VecX sweep_gradient(const Figure& figure, const Kinematics& state, Sweep& sweep) {
  std::vector<int> all(figure.segments().size());
  std::iota(all.begin(), all.end(), 0);
  VecX Q = VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()));
  sweep.gradient(figure, state, all, Q);
  return Q;
}

struct TotalWeight {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();
  VecX gravity;
};

TotalWeight total_weight(const Figure& figure, const Kinematics& state, const StaticLoadOptions& options) {
  TotalWeight whole;
  Sweep sweep(figure);
  const auto add_mass = [&](int segment, const Vec3& local, double mass) {
    const Vec3 weight(0.0, -options.gravity * mass, 0.0);
    sweep.pull(state, point_handle(segment, local), &weight);
    whole.mass += mass;
    whole.centre += mass * (state.segments[static_cast<std::size_t>(segment)] * local);
  };
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (const Segment& segment = figure.segments()[s]; segment.mass > 0.0)
      add_mass(static_cast<int>(s), segment.mass_centre, segment.mass);
  for (const Load& load : options.loads) {
    const Element& at = load.handle.plus[0];
    add_mass(at.segment, at.local, load.mass);
  }
  if (whole.mass > 0.0) whole.centre /= whole.mass;
  whole.gravity = sweep_gradient(figure, state, sweep);
  return whole;
}

}  // namespace

std::vector<std::string> usual_feet(const Figure& figure) {
  const std::vector<std::string> feet = {"left_foot", "right_foot"};
  const bool has_both =
      std::ranges::all_of(feet, [&](const std::string& foot) { return figure.point(foot).has_value(); });
  return has_both && !root_parameters(figure).empty() ? feet : std::vector<std::string>{};
}

Expected<StaticLoad> static_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options) {
  assert(pose.theta.size() == static_cast<Eigen::Index>(figure.parameters().size()));
  if (const Expected<void> good = check_loads(options.loads); !good) return std::unexpected(good.error());
  if (options.feet.size() > 2)
    return reject("feet", std::to_string(options.feet.size()), "one or two, or none if the root carries");
  const Kinematics state = forward(figure, pose);
  std::vector<Foot> feet;
  for (const std::string& name : options.feet) {
    Expected<Foot> foot = find_foot(figure, state, name);
    if (!foot) return std::unexpected(foot.error());
    feet.push_back(std::move(*foot));
  }
  const TotalWeight whole = total_weight(figure, state, options);
  StaticLoad load;
  load.mass = whole.mass;
  load.centre = whole.centre;
  load.gravity = whole.gravity;
  load.holding = -whole.gravity;
  if (feet.empty() || !(whole.mass > 0.0)) return load;
  feet = standing(std::move(feet), figure.length());
  const Vec2 c = on_ground(whole.centre);
  load.outside = distance_to_hull(c, feet, figure.length());
  load.reactions = reactions_of(feet, c, options.gravity * whole.mass, figure.length());
  Sweep sweep(figure);
  for (const Reaction& each : load.reactions) {
    const Vec3 f(0.0, each.force, 0.0);
    const Vec3 local = state.segments[static_cast<std::size_t>(each.segment)].inverse() * each.at;
    sweep.pull(state, point_handle(each.segment, local), &f);
  }
  load.holding -= sweep_gradient(figure, state, sweep);
  return load;
}

double potential_energy(const Figure& figure, const Pose& pose, const StaticLoadOptions& options) {
  const TotalWeight whole = total_weight(figure, forward(figure, pose), options);
  return options.gravity * whole.mass * whole.centre.y();
}

}  // namespace limber
