#include "limber/assess/strength.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/assess/strengths.h"
#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

constexpr double min_percentile = 5.0, max_percentile = 95.0;
constexpr double deviate_95 = 1.6448536269514722;  // of the normal distribution

// The normal deviate of a percentile, by bisection of erfc.
double deviate(double percentile) {
  double low = -2.0, high = 2.0;
  constexpr int halvings = 60;
  for (int k = 0; k < halvings; ++k) {
    const double z = 0.5 * (low + high);
    (50.0 * std::erfc(-z / std::sqrt(2.0)) < percentile ? low : high) = z;
  }
  return 0.5 * (low + high);
}

double torque_at_percentile(const StrengthRow& row, double percentile) {
  const double t = deviate(percentile) / deviate_95;
  return t < 0.0 ? row.percentile_50 + t * (row.percentile_50 - row.percentile_5)
                 : row.percentile_50 + t * (row.percentile_95 - row.percentile_50);
}

bool row_matches(const std::string& row_freedom, std::string_view freedom) {
  if (freedom == row_freedom) return true;
  for (const std::string_view side : {"left_", "right_"})
    if (freedom.starts_with(side) && freedom.substr(side.size()) == row_freedom) return true;
  return false;
}

// The vertical extent of joints and sites.
double height_at_rest(const Figure& figure) {
  const Kinematics state = forward(figure, figure.rest());
  double lowest = infinity, highest = -infinity;
  const auto add = [&](double y) {
    lowest = std::fmin(lowest, y);
    highest = std::fmax(highest, y);
  };
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    add((state.segments[s] * figure.joints()[s].in_child.p).y());
  for (const Site& site : figure.sites())
    add((state.segments[static_cast<std::size_t>(site.segment)] * site.frame.p).y());
  return highest > lowest ? highest - lowest : 0.0;
}

// The smallest m >= 0 beyond which p + q m + r m² is positive; infinity if there is none.
double first_root(double p, double q, double r) {
  if (p > 0.0) return 0.0;
  const double discriminant = q * q - 4.0 * r * p;
  if (discriminant < 0.0) return infinity;
  // Without cancellation.
  const double t = -0.5 * (q + std::copysign(std::sqrt(discriminant), q));
  double first = infinity;
  for (const double m : {r != 0.0 ? t / r : infinity, t != 0.0 ? p / t : infinity})
    if (m >= 0.0 && q + 2.0 * r * m > 0.0) first = std::fmin(first, m);
  return first;
}

// A load beyond this multiple of the figure's mass is rounding noise: it has no effect on the joint.
constexpr double max_load_ratio = 1e6;

}  // namespace

Strengths::Strengths(const Figure& figure, const StrengthTable& table, const StrengthOptions& options)
    : table_(table), rows_(figure.freedoms().size()) {
  const double stature = options.stature > 0.0 ? options.stature : height_at_rest(figure);
  const double weight = options.weight > 0.0 ? options.weight : standard_gravity * figure.mass();
  for (const StrengthRow& row : table)
    peaks_.push_back(torque_at_percentile(row, options.percentile) * (row.of_size ? weight * stature : 1.0));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t k = 0; k < table.size(); ++k)
      if (row_matches(table[k].freedom, figure.freedoms()[i].name))
        (table[k].direction > 0 ? rows_[i].up : rows_[i].down) = static_cast<int>(k);
}

double Strengths::strength(int row, double angle) const {
  if (row < 0) return infinity;
  const StrengthRow& r = table_[static_cast<std::size_t>(row)];
  const double turn = r.curve * (angle - r.best_angle);
  return std::fabs(turn) < 0.5 * pi ? peak(row) * std::cos(turn) : 0.0;
}

double Strengths::slope(int row, double angle) const {
  if (row < 0) return 0.0;
  const StrengthRow& r = table_[static_cast<std::size_t>(row)];
  const double turn = r.curve * (angle - r.best_angle);
  return std::fabs(turn) < 0.5 * pi ? -peak(row) * r.curve * std::sin(turn) : 0.0;
}

bool stop_holds(const Freedom& freedom, double angle, bool up) {
  return up ? angle <= freedom.lower + stop_tolerance : angle >= freedom.upper - stop_tolerance;
}

JointLoad joint_load(const Figure& figure, const Strengths& strengths, int freedom, double angle, double torque) {
  JointLoad joint{.freedom = freedom, .angle = angle, .torque = torque};
  const bool up = torque >= 0.0;
  joint.at_stop = stop_holds(figure.freedoms()[static_cast<std::size_t>(freedom)], angle, up);
  if (!joint.at_stop) joint.row = strengths.row(freedom, up);
  joint.strength = strengths.strength(joint.row, angle);
  joint.share = torque == 0.0 ? 0.0 : std::fabs(torque) / joint.strength;
  return joint;
}

std::vector<int> muscle_freedoms(const Figure& figure) {
  std::vector<char> is_root(figure.freedoms().size(), 0);
  for (const int parameter : all_root_parameters(figure))
    for (const int i : figure.parameters()[static_cast<std::size_t>(parameter)].drives)
      is_root[static_cast<std::size_t>(i)] = 1;
  std::vector<int> result;
  for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
    if (figure.freedoms()[i].motion == Motion::rotate && !is_root[i]) result.push_back(static_cast<int>(i));
  return result;
}

Expected<void> check_strength(const StrengthTable& table, const StrengthOptions& options) {
  if (!(options.percentile >= min_percentile && options.percentile <= max_percentile))
    return reject("strength, percentile", to_text(options.percentile), "from 5 to 95");
  for (const auto& [name, value] : {std::pair{"stature", options.stature}, {"weight", options.weight}})
    if (!(value >= 0.0 && std::isfinite(value)))
      return reject(std::string("strength, ") + name, to_text(value),
                    "0 for the figure's own value, or a positive number");
  for (const StrengthRow& row : table) {
    const std::string where = "strength of '" + row.freedom + "'";
    if (row.freedom.empty()) return reject("strength", "a row without a freedom", "the name of a freedom");
    if (row.direction != 1 && row.direction != -1)
      return reject(where + ", direction", std::to_string(row.direction), "1 or -1");
    const bool in_order = row.percentile_5 >= 0.0 && row.percentile_50 >= row.percentile_5 &&
                          row.percentile_95 >= row.percentile_50 && std::isfinite(row.percentile_95);
    if (!in_order)
      return reject(where,
                    to_text(row.percentile_5) + ", " + to_text(row.percentile_50) + ", " + to_text(row.percentile_95),
                    "non-negative, non-decreasing torques of the 5th, 50th and 95th percentile");
    if (!std::isfinite(row.curve) || !std::isfinite(row.best_angle))
      return reject(where, "an angle that is not finite", "finite numbers");
  }
  return {};
}

Expected<std::vector<JointLoad>> joint_loads(const Figure& figure, const Pose& pose, const StaticLoad& load,
                                             const StrengthTable& table, const StrengthOptions& options) {
  if (const Expected<void> valid = check_strength(table, options); !valid) return std::unexpected(valid.error());
  const Strengths strengths(figure, table, options);
  VecX q = VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()));
  figure.angles(pose.theta, q);
  std::vector<JointLoad> loads;
  for (const int i : muscle_freedoms(figure)) loads.push_back(joint_load(figure, strengths, i, q[i], load.holding[i]));
  return loads;
}

const JointLoad* first_to_give(const std::vector<JointLoad>& loads) {
  const JointLoad* first = nullptr;
  for (const JointLoad& load : loads)
    if (load.row >= 0 && (!first || load.share > first->share)) first = &load;
  return first;
}

Expected<MaxLoad> max_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options,
                           const std::vector<Handle>& at, const StrengthTable& table, const StrengthOptions& strength) {
  if (const Expected<void> valid = check_strength(table, strength); !valid) return std::unexpected(valid.error());
  if (at.empty()) return reject("max load", "no point", "at least one point that carries it");
  const auto loaded = [&](double m) {
    StaticLoadOptions loaded_options = options;
    for (const Handle& handle : at) loaded_options.loads.push_back({handle, m / static_cast<double>(at.size())});
    return static_load(figure, pose, loaded_options);
  };
  // A parabola through three loads, in steps of the figure's mass, so that none is lost in rounding.
  const Expected<StaticLoad> load_0 = loaded(0.0);
  if (!load_0) return std::unexpected(load_0.error());
  const double M = load_0->mass, step = M > 0.0 ? M : 1.0;
  const Expected<StaticLoad> load_1 = loaded(step), load_2 = loaded(2.0 * step);
  if (!load_1) return std::unexpected(load_1.error());
  const Strengths strengths(figure, table, strength);
  VecX q = VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()));
  figure.angles(pose.theta, q);
  MaxLoad max;
  for (const int i : muscle_freedoms(figure)) {
    const double y0 = load_0->holding[i] * M, y1 = load_1->holding[i] * (M + step),
                 y2 = load_2->holding[i] * (M + 2.0 * step);
    const double c = (y2 - 2.0 * y1 + y0) / (2.0 * step * step), b = (y1 - y0) / step - c * step;
    for (const double side : {1.0, -1.0}) {
      const double S = strengths.strength(strengths.row(i, side > 0.0), q[i]);
      if (S == infinity || stop_holds(figure.freedoms()[static_cast<std::size_t>(i)], q[i], side > 0.0)) continue;
      const double m = first_root(side * y0 - S * M, side * b - S, side * c);
      if (m < std::fmin(max.mass, max_load_ratio * step)) max = {m, i};
    }
  }
  return max;
}

}  // namespace limber
