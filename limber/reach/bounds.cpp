#include "limber/reach/bounds.h"

#include <algorithm>
#include <functional>

namespace limber {

namespace {

// Number of parts the box of limits is divided into, per anchor.
constexpr std::size_t max_parts = 96;

struct Interval {
  double lower = 0.0, upper = 0.0;
};
using Ranges = std::vector<Interval>;  // by parameter

// The range of a DOF. DOFs driven by a group also have limits of their own.
Interval range_of(const Figure& figure, const Freedom& freedom, const Ranges& box) {
  Interval q{0.0, 0.0};
  for (int t = freedom.term_begin; t < freedom.term_end; ++t) {
    const Term& term = figure.terms()[static_cast<std::size_t>(t)];
    const Interval& theta = box[static_cast<std::size_t>(term.parameter)];
    if (theta.lower == theta.upper) {
      const double value = term.curve(theta.lower).value;
      q = {q.lower + value, q.upper + value};
    } else if (!std::isfinite(theta.lower) || !std::isfinite(theta.upper)) {
      q = {-infinity, infinity};
    } else {
      const auto [min, max] = term.curve.range(theta.lower, theta.upper);
      q = {q.lower + min, q.upper + max};
    }
  }
  if (q.lower == q.upper) return q;
  return {std::fmax(q.lower, freedom.lower), std::fmin(q.upper, freedom.upper)};
}

void move(Enclosure& region, const Freedom& freedom, const Interval& q) {
  if (freedom.motion == Motion::rotate)
    region.turn(freedom.axis, q.lower, q.upper);
  else
    region.shift(freedom.axis, q.lower, q.upper);
}

// Transforms a region from a segment to its parent.
void to_parent(const Figure& figure, int segment, const Ranges& box, Enclosure& region) {
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  region.place(joint.in_child_inverse);
  for (int i = joint.freedom_end - 1; i >= joint.freedom_begin; --i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    move(region, freedom, range_of(figure, freedom, box));
  }
  region.place(joint.in_parent);
}

// Transforms a region from a segment's parent to the segment.
void to_child(const Figure& figure, int segment, const Ranges& box, Enclosure& region) {
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  region.place(joint.in_parent.inverse());
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    const Interval q = range_of(figure, freedom, box);
    move(region, freedom, {-q.upper, -q.lower});
  }
  region.place(joint.in_child);
}

bool is_ancestor(const Figure& figure, int ancestor, int segment) {
  return ancestor <= segment && segment < figure.segments()[static_cast<std::size_t>(ancestor)].subtree_end;
}

Enclosure from_world(const Figure& figure, const Element& handle, const Ranges& box) {
  Enclosure region = Enclosure::of_point(handle.local);
  for (int s = handle.segment; s != no_parent; s = figure.segments()[static_cast<std::size_t>(s)].parent)
    to_parent(figure, s, box, region);
  return region;
}

// Around the pin's position p, which is met to within `tolerance`.
struct PinnedPoint {
  Element element;
  Vec3 p;
};
Enclosure from_pin(const Figure& figure, const Element& handle, const PinnedPoint& pin, double tolerance,
                   const Ranges& box) {
  Enclosure region = Enclosure::of_point(handle.local);
  int s = handle.segment;
  for (; s != no_parent && !is_ancestor(figure, s, pin.element.segment);
       s = figure.segments()[static_cast<std::size_t>(s)].parent)
    to_parent(figure, s, box, region);
  std::vector<int> down;
  for (int t = pin.element.segment; t != s; t = figure.segments()[static_cast<std::size_t>(t)].parent)
    down.push_back(t);
  for (auto t = down.rbegin(); t != down.rend(); ++t) to_child(figure, *t, box, region);
  region.recentre(pin.element.local);
  if (region.is_point()) return {pin.p, Vec3::UnitX(), 0.0, tolerance, pi};
  return {pin.p, Vec3::UnitX(), std::fmax(0.0, region.min_radius - tolerance), region.max_radius + tolerance, pi};
}

using RegionOf = std::function<Enclosure(const Ranges&)>;

// How far the handle moves when one parameter sweeps its range and the others are at a third, half or two thirds of
// theirs. A heuristic for what to halve, not a bound.
double influence(const Ranges& ranges, int j, const RegionOf& region_of) {
  double max = 0.0;
  for (const double part : {1.0 / 3.0, 0.5, 2.0 / 3.0}) {
    Ranges single = ranges;
    for (Interval& theta : single) theta.lower = theta.upper = theta.lower + part * (theta.upper - theta.lower);
    const Interval& theta = ranges[static_cast<std::size_t>(j)];
    Vec3 ends[2];
    for (int end = 0; end < 2; ++end) {
      const double value = end == 0 ? theta.lower : theta.upper;
      single[static_cast<std::size_t>(j)] = {value, value};
      const Enclosure point = region_of(single);
      ends[end] = point.centre + point.max_radius * point.axis;
    }
    max = std::fmax(max, (ends[1] - ends[0]).norm());
  }
  return max;
}

struct Part {
  Ranges ranges;
  Enclosure region;
  bool is_final = false;

  double size() const { return is_final ? -1.0 : region.volume(); }
};

// The parameter to halve, or nothing.
std::optional<int> to_halve(const Part& part, std::span<const int> variables, const RegionOf& region_of) {
  std::optional<int> best;
  double max = 0.0;
  for (const int j : variables) {
    const Interval& theta = part.ranges[static_cast<std::size_t>(j)];
    if (!std::isfinite(theta.lower) || !std::isfinite(theta.upper)) continue;
    const double distance = influence(part.ranges, j, region_of);
    if (distance > max) {
      max = distance;
      best = j;
    }
  }
  return best;
}

// Halves the largest part until there are enough.
std::vector<Enclosure> divided(const Ranges& whole, std::span<const int> variables, const RegionOf& region_of) {
  std::vector<Part> parts = {{whole, region_of(whole)}};
  while (parts.size() < max_parts) {
    const auto largest =
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.size() < b.size(); });
    if (largest->is_final) break;
    const std::optional<int> j = to_halve(*largest, variables, region_of);
    if (!j) {
      largest->is_final = true;
      continue;
    }
    Part upper = *largest;
    const Interval theta = upper.ranges[static_cast<std::size_t>(*j)];
    const double middle = 0.5 * (theta.lower + theta.upper);
    upper.ranges[static_cast<std::size_t>(*j)].lower = middle;
    upper.region = region_of(upper.ranges);
    largest->ranges[static_cast<std::size_t>(*j)].upper = middle;
    largest->region = region_of(largest->ranges);
    parts.push_back(std::move(upper));
  }
  std::vector<Enclosure> regions;
  for (const Part& part : parts) regions.push_back(part.region);
  return regions;
}

// The positions that every valid pose must meet.
std::vector<PinnedPoint> pins_of(const Problem& problem) {
  std::vector<PinnedPoint> pins;
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.counts() || constraint.soft || constraint.alternatives().size() != 1) continue;
    const Alternative& only = constraint.alternatives().front();
    if (only.handle.minus_count > 0 || only.handle.plus[0].kind != Element::Kind::point) continue;
    if (const std::optional<Vec3> p = placed_point(only.goal)) pins.push_back({only.handle.plus[0], *p});
  }
  return pins;
}

}  // namespace

ReachBounds::ReachBounds(const Problem& problem, const Pose& pose, const Element& handle,
                         std::span<const int> variables, double met_metres) {
  if (handle.kind != Element::Kind::point) return;
  const Figure& figure = problem.figure();
  Ranges whole(figure.parameters().size());
  for (std::size_t j = 0; j < whole.size(); ++j)
    whole[j] = {pose.theta[static_cast<Eigen::Index>(j)], pose.theta[static_cast<Eigen::Index>(j)]};
  for (const int j : variables) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    whole[static_cast<std::size_t>(j)] = {range.lower, range.upper};
  }
  const auto add = [&](const std::function<Enclosure(const Ranges&)>& region_of) {
    if (region_of(whole).is_finite()) anchors_.push_back(divided(whole, variables, region_of));
  };
  add([&](const Ranges& box) { return from_world(figure, handle, box); });
  for (const PinnedPoint& pin : pins_of(problem))
    add([&](const Ranges& box) { return from_pin(figure, handle, pin, met_metres, box); });
}

bool ReachBounds::excludes(const Vec3& x, double slack) const {
  return std::any_of(anchors_.begin(), anchors_.end(), [&](const std::vector<Enclosure>& parts) {
    return std::none_of(parts.begin(), parts.end(), [&](const Enclosure& part) { return part.contains(x, slack); });
  });
}

std::optional<ReachBounds::Box> ReachBounds::box() const {
  if (anchors_.empty()) return std::nullopt;
  Box all{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  for (const std::vector<Enclosure>& parts : anchors_) {
    Box box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (const Enclosure& part : parts)
      for (int k = 0; k < 3; ++k) {
        box.min[k] = std::fmin(box.min[k], -part.support(-Vec3::Unit(k)));
        box.max[k] = std::fmax(box.max[k], part.support(Vec3::Unit(k)));
      }
    all = {all.min.cwiseMax(box.min), all.max.cwiseMin(box.max)};
  }
  return all;
}

}  // namespace limber
