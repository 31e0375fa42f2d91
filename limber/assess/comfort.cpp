#include "limber/assess/comfort.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "limber/base/number.h"
#include "limber/figure/figure.h"

namespace limber {

namespace {

// Comfortable part of the range from rest to a limit, if none is published.                                  chosen
constexpr double halfway = 0.5;

// A comfortable range that ends this close to a limit, relative to the whole range, ends at the limit: otherwise the
// discomfort of an elbow, comfortable to 0 with a limit of -0.3 degrees, would jump.
constexpr double end_tolerance = 0.02;

struct Onset {
  double value, slope;
};

// s(t) and s'(t).
Onset onset(double t) {
  constexpr double w = comfort_onset, n = 1.0 - 0.5 * w;
  if (t <= 0.0) return {0.0, 0.0};
  if (t < w) return {t * t / (2.0 * w * n), t / (w * n)};
  return {(t - 0.5 * w) / n, 1.0 / n};
}

bool matches(std::string_view parameter, const std::string& name) {
  if (parameter == name) return true;
  for (const std::string_view side : {"left_", "right_"})
    if (parameter.starts_with(side) && parameter.substr(side.size()) == name) return true;
  return false;
}

ComfortRange in_degrees(const char* parameter, double lower_deg, double upper_deg) {
  return {parameter, radians(lower_deg), radians(upper_deg)};
}

}  // namespace

// Kee and Karwowski 2001, tables 2 to 6, standing: the first class of each motion. Signs as in doc/human.md.
std::vector<ComfortRange> human_comfort() {
  return {
      in_degrees("wrist.flexion", -20, 20),
      in_degrees("wrist.deviation", -10, 10),
      in_degrees("elbow.flexion", 0, 45),
      in_degrees("shoulder.elevation", -20, 45),
      in_degrees("shoulder.abduction", -10, 30),
      in_degrees("shoulder.twist", -10, 30),
      in_degrees("neck.flexion", -30, 20),
      in_degrees("neck.lateral", -30, 30),
      in_degrees("neck.axial", -30, 30),
      in_degrees("spine.forward", -10, 30),
      in_degrees("spine.lateral", -10, 10),
      in_degrees("spine.axial", -20, 20),
      // Chosen: straight legs are comfortable in standing; REBA accepts knees up to 30 degrees.
      in_degrees("knee.flexion", 0, 30),
  };
}

Expected<JointComfort> JointComfort::make(const Figure& figure, const std::vector<ComfortRange>& ranges) {
  for (const ComfortRange& range : ranges)
    if (!(std::isfinite(range.lower) && std::isfinite(range.upper) && range.lower <= range.upper))
      return reject("comfort of '" + range.parameter + "'",
                    to_text(degrees(range.lower)) + " to " + to_text(degrees(range.upper)) + " degrees",
                    "finite angles, lower first");
  JointComfort comfort;
  // Names are those of each figure by itself.
  for (const FigurePart& part : figure.parts()) {
    Expected<JointComfort> own = make(part.figure, ranges);
    if (!own) return own;
    comfort.ranges_.insert(comfort.ranges_.end(), own->ranges_.begin(), own->ranges_.end());
    comfort.count_ += own->count_;
  }
  if (!figure.parts().empty()) return comfort;
  comfort.ranges_.resize(figure.parameters().size());
  const std::vector<int> root = root_parameters(figure);
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    const Range& limits = parameter.range;
    const bool is_root = std::ranges::find(root, static_cast<int>(j)) != root.end();
    if (is_root || parameter.translates || !std::isfinite(limits.lower) || !std::isfinite(limits.upper) ||
        !(limits.lower < limits.upper))
      continue;
    ParameterRange& own = comfort.ranges_[j];
    own = {true, limits.lower, limits.rest + halfway * (limits.lower - limits.rest),
           limits.rest + halfway * (limits.upper - limits.rest), limits.upper};
    for (const ComfortRange& range : ranges)
      if (matches(parameter.name, range.parameter)) {
        const double gap = end_tolerance * (limits.upper - limits.lower);
        own.a = range.lower <= limits.lower + gap ? limits.lower : std::fmin(range.lower, limits.upper);
        own.b = range.upper >= limits.upper - gap ? limits.upper : std::fmax(range.upper, limits.lower);
      }
    ++comfort.count_;
  }
  return comfort;
}

JointComfort::Discomfort JointComfort::at(int parameter, double x) const {
  const auto& [counts, l, a, b, u] = ranges_[static_cast<std::size_t>(parameter)];
  if (counts && x > b && u > b) {
    const Onset above = onset((x - b) / (u - b));
    return {above.value, above.slope / (u - b)};
  }
  if (counts && x < a && a > l) {
    const Onset below = onset((a - x) / (a - l));
    return {below.value, -below.slope / (a - l)};
  }
  return {};
}

void JointComfort::residual(const VecX& theta, VecX& r) const {
  r.resize(parameters());
  for (int j = 0; j < parameters(); ++j) r[j] = at(j, theta[j]).value;
}

void JointComfort::slope(const VecX& theta, VecX& derivative) const {
  derivative.resize(parameters());
  for (int j = 0; j < parameters(); ++j) derivative[j] = at(j, theta[j]).slope;
}

double JointComfort::discomfort(const VecX& theta) const {
  double sum = 0.0;
  for (int j = 0; j < parameters(); ++j) {
    const double d = at(j, theta[j]).value;
    sum += d * d;
  }
  return count_ > 0 ? std::sqrt(sum / count_) : 0.0;
}

double JointComfort::discomfort(const VecX& theta, VecX& gradient) const {
  VecX r;
  residual(theta, r);
  slope(theta, gradient);
  const double D = discomfort(theta);
  // ∂D/∂θ_j = r_j r_j' / (N D)
  if (D > 0.0)
    gradient = gradient.cwiseProduct(r) / (count_ * D);
  else
    gradient.setZero();
  return D;
}

}  // namespace limber
