#include "limber/assess/strength.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/base/number.h"
#include "limber/figure/free_root.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

constexpr double min_percentile = 5.0, max_percentile = 95.0;
constexpr double deviate_of_95 = 1.6448536269514722;  // of the normal distribution

// The normal deviate of a percentile, by halving: erfc is all that the library has of it.
double deviate(double percentile) {
  double low = -2.0, high = 2.0;
  constexpr int halvings = 60;
  for (int k = 0; k < halvings; ++k) {
    const double z = 0.5 * (low + high);
    (50.0 * std::erfc(-z / std::sqrt(2.0)) < percentile ? low : high) = z;
  }
  return 0.5 * (low + high);
}

double of_percentile(const StrengthRow& row, double percentile) {
  const double t = deviate(percentile) / deviate_of_95;
  return t < 0.0 ? row.percentile_50 + t * (row.percentile_50 - row.percentile_5)
                 : row.percentile_50 + t * (row.percentile_95 - row.percentile_50);
}

bool names(const std::string& of_row, std::string_view freedom) {
  if (freedom == of_row) return true;
  for (const std::string_view side : {"left_", "right_"})
    if (freedom.starts_with(side) && freedom.substr(side.size()) == of_row) return true;
  return false;
}

// The height of joints and sites over the lowest of them.
double height_at_rest(const Figure& figure) {
  const Kinematics state = forward(figure, figure.rest());
  double least = infinity, most = -infinity;
  const auto add = [&](double y) {
    least = std::fmin(least, y);
    most = std::fmax(most, y);
  };
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    add((state.segments[s] * figure.joints()[s].in_child.p).y());
  for (const Site& site : figure.sites())
    add((state.segments[static_cast<std::size_t>(site.segment)] * site.frame.p).y());
  return most > least ? most - least : 0.0;
}

// A table made ready for a person.
class Strengths {
 public:
  Strengths(const Figure& figure, const StrengthTable& table, const StrengthOptions& options)
      : table_(table), rows_(figure.freedoms().size()) {
    const double stature = options.stature > 0.0 ? options.stature : height_at_rest(figure);
    const double weight = options.weight > 0.0 ? options.weight : standard_gravity * figure.mass();
    for (const StrengthRow& row : table)
      peaks_.push_back(of_percentile(row, options.percentile) * (row.of_size ? weight * stature : 1.0));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t k = 0; k < table.size(); ++k)
        if (names(table[k].freedom, figure.freedoms()[i].name))
          (table[k].direction > 0 ? rows_[i].up : rows_[i].down) = static_cast<int>(k);
  }

  int row(int freedom, bool up) const {
    const Rows& rows = rows_[static_cast<std::size_t>(freedom)];
    return up ? rows.up : rows.down;
  }
  double strength(int row, double angle) const {
    if (row < 0) return infinity;
    const StrengthRow& r = table_[static_cast<std::size_t>(row)];
    const double turn = r.curve * (angle - r.best_angle);
    const double factor = std::fabs(turn) < 0.5 * pi ? std::cos(turn) : 0.0;
    return peaks_[static_cast<std::size_t>(row)] * factor;
  }

 private:
  struct Rows {
    int up = -1, down = -1;
  };
  const StrengthTable& table_;
  std::vector<double> peaks_;  // by row
  std::vector<Rows> rows_;     // by freedom
};

// Whether the end of the range gives a torque towards larger angles, or towards smaller ones.
bool stop_holds(const Freedom& freedom, double angle, bool up) {
  return up ? angle <= freedom.lower + stop_tolerance : angle >= freedom.upper - stop_tolerance;
}

// The freedoms that muscles turn.
std::vector<int> held_freedoms(const Figure& figure) {
  std::vector<char> is_root(figure.freedoms().size(), 0);
  for (const int parameter : root_parameters(figure))
    for (const int i : figure.parameters()[static_cast<std::size_t>(parameter)].drives)
      is_root[static_cast<std::size_t>(i)] = 1;
  std::vector<int> held;
  for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
    if (figure.freedoms()[i].motion == Motion::rotate && !is_root[i]) held.push_back(static_cast<int>(i));
  return held;
}

// Of p + q m + r m²: the smallest m >= 0 from which on it is positive; infinity where there is none.
double first_root(double p, double q, double r) {
  if (p > 0.0) return 0.0;
  const double discriminant = q * q - 4.0 * r * p;
  if (discriminant < 0.0) return infinity;
  // Without the difference of nearly equal numbers.
  const double t = -0.5 * (q + std::copysign(std::sqrt(discriminant), q));
  double first = infinity;
  for (const double m : {r != 0.0 ? t / r : infinity, t != 0.0 ? p / t : infinity})
    if (m >= 0.0 && q + 2.0 * r * m > 0.0) first = std::fmin(first, m);
  return first;
}

// A load beyond this many times the figure's own mass comes from rounding: the joint does not feel the load.
constexpr double max_kg = 1e6;

}  // namespace

Expected<void> check_strength(const StrengthTable& table, const StrengthOptions& options) {
  if (!(options.percentile >= min_percentile && options.percentile <= max_percentile))
    return reject("strength, percentile", to_text(options.percentile), "from 5 to 95");
  for (const auto& [name, value] : {std::pair{"stature", options.stature}, {"weight", options.weight}})
    if (!(value >= 0.0 && std::isfinite(value)))
      return reject(std::string("strength, ") + name, to_text(value), "0 for the figure's own, or more");
  for (const StrengthRow& row : table) {
    const std::string where = "strength of '" + row.freedom + "'";
    if (row.freedom.empty()) return reject("strength", "a row without a freedom", "the name of one");
    if (row.direction != 1 && row.direction != -1)
      return reject(where + ", direction", std::to_string(row.direction), "1 or -1");
    const bool in_order = row.percentile_5 >= 0.0 && row.percentile_50 >= row.percentile_5 &&
                          row.percentile_95 >= row.percentile_50 && std::isfinite(row.percentile_95);
    if (!in_order)
      return reject(where,
                    to_text(row.percentile_5) + ", " + to_text(row.percentile_50) + ", " + to_text(row.percentile_95),
                    "torques of the 5th, 50th and 95th percentile, 0 or more, none below the one before");
    if (!std::isfinite(row.curve) || !std::isfinite(row.best_angle))
      return reject(where, "an angle that is not finite", "finite numbers");
  }
  return {};
}

Expected<std::vector<JointLoad>> joint_loads(const Figure& figure, const Pose& pose, const StaticLoad& load,
                                             const StrengthTable& table, const StrengthOptions& options) {
  if (const Expected<void> good = check_strength(table, options); !good) return std::unexpected(good.error());
  const Strengths strengths(figure, table, options);
  VecX q = VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()));
  figure.angles(pose.theta, q);
  std::vector<JointLoad> loads;
  for (const int i : held_freedoms(figure)) {
    JointLoad one{.freedom = i, .angle = q[i], .torque = load.holding[i]};
    const bool up = one.torque >= 0.0;
    one.at_stop = stop_holds(figure.freedoms()[static_cast<std::size_t>(i)], one.angle, up);
    if (!one.at_stop) one.row = strengths.row(i, up);
    one.strength = strengths.strength(one.row, one.angle);
    one.share = one.torque == 0.0 ? 0.0 : std::fabs(one.torque) / one.strength;
    loads.push_back(one);
  }
  return loads;
}

const JointLoad* first_to_give(const std::vector<JointLoad>& loads) {
  const JointLoad* most = nullptr;
  for (const JointLoad& one : loads)
    if (one.row >= 0 && (!most || one.share > most->share)) most = &one;
  return most;
}

Expected<LargestLoad> max_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options,
                               const std::vector<Handle>& at, const StrengthTable& table,
                               const StrengthOptions& strength) {
  if (const Expected<void> good = check_strength(table, strength); !good) return std::unexpected(good.error());
  if (at.empty()) return reject("largest load", "no point", "one or more that carry it");
  const auto loaded = [&](double m) {
    StaticLoadOptions with = options;
    for (const Handle& handle : at) with.loads.push_back({handle, m / static_cast<double>(at.size())});
    return static_load(figure, pose, with);
  };
  // A parabola through three loads; as large as the figure itself, so that none of them drowns.
  const Expected<StaticLoad> none = loaded(0.0);
  if (!none) return std::unexpected(none.error());
  const double M = none->mass, step = M > 0.0 ? M : 1.0;
  const Expected<StaticLoad> one = loaded(step), two = loaded(2.0 * step);
  if (!one) return std::unexpected(one.error());
  const Strengths strengths(figure, table, strength);
  VecX q = VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()));
  figure.angles(pose.theta, q);
  LargestLoad largest;
  for (const int i : held_freedoms(figure)) {
    const double y0 = none->holding[i] * M, y1 = one->holding[i] * (M + step), y2 = two->holding[i] * (M + 2.0 * step);
    const double c = (y2 - 2.0 * y1 + y0) / (2.0 * step * step), b = (y1 - y0) / step - c * step;
    for (const double side : {1.0, -1.0}) {
      const double S = strengths.strength(strengths.row(i, side > 0.0), q[i]);
      if (S == infinity || stop_holds(figure.freedoms()[static_cast<std::size_t>(i)], q[i], side > 0.0)) continue;
      const double m = first_root(side * y0 - S * M, side * b - S, side * c);
      if (m < std::fmin(largest.mass, max_kg * step)) largest = {m, i};
    }
  }
  return largest;
}

}  // namespace limber
