#include "limber/solver/restart.h"

#include <algorithm>
#include <utility>

#include "limber/base/random.h"

namespace limber {

namespace {

// The distance of the first restarts, in radians or relative to the figure's length.
constexpr double near_by[] = {0.1, 0.4};
// A variable is varied over at most twice this.
constexpr double far = pi;
constexpr std::uint64_t seed = 1993;
// With no more variables than this a few points can fill the limits evenly: so many. In many dimensions 1/gᵏ may be
// near a fraction, such as 3/5, and a variable would take the same few values again and again.
constexpr int max_spread = 16;
constexpr int spread_points = 8;
// A start stays this much of the way clear of the first limit on several variables.
constexpr double clear_part = 0.9;
// After so many turns, what still crosses a limit stays where it is.
constexpr int max_turns = 16;

// The n-dimensional golden ratio g, with gⁿ⁺¹ = g + 1.                                                  Roberts 2018
double golden_ratio(int n) {
  double g = 2.0;
  for (int step = 0; step < 64; ++step) g = std::pow(1.0 + g, 1.0 / (n + 1.0));
  return g;
}

// Where a variable is varied: about x, but within its limits, all of them if there is room.
std::pair<double, double> range_of(const Limits& limits, int i, double x) {
  const double lower = std::fmax(limits.lower[i], std::fmin(x - far, limits.upper[i] - 2.0 * far));
  return {lower, std::fmin(limits.upper[i], lower + 2.0 * far)};
}

}  // namespace

void Restart::reserve(const Limits& limits) {
  const int n = limits.variables();
  face_.reserve(limits, 0);
  no_rows_.resize(0, n);
  d_.resize(n);
  ratio_ = golden_ratio(n);
  ratios_.clear();
  for (int k = 0; k <= std::min(n, max_spread); ++k) ratios_.push_back(golden_ratio(k));
  part_.resize(static_cast<std::size_t>(n));
  held_.resize(static_cast<std::size_t>(n));
  together_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) together_[i] = i;
  for (bool changes = true; changes;) {
    changes = false;
    for (const Limits::Row& row : limits.rows) {
      if (!row.equality) continue;
      int first = n;
      for (int k = row.begin; k < row.end; ++k) first = std::min(first, together_[limits.column[k]]);
      for (int k = row.begin; k < row.end; ++k) {
        int& to = together_[limits.column[k]];
        changes = changes || to != first;
        to = first;
      }
    }
  }
}

// The additive recurrence with the golden ratio: x_k = ½ + k (1/g, 1/g², …) modulo 1.
void Restart::spread(const Limits& limits, int number, VecX& x) const {
  double part = 1.0;
  for (int i = 0; i < limits.variables(); ++i) {
    part /= ratio_;
    const double lower = std::fmax(limits.lower[i], -far), upper = std::fmin(limits.upper[i], far);
    const double at = 0.5 + number * part;
    x[i] = std::clamp(lower + (at - std::floor(at)) * (upper - lower), limits.lower[i], limits.upper[i]);
  }
}

void Restart::move(const Limits& limits, int number, VecX& x) {
  if (number <= static_cast<int>(std::size(near_by))) return move_near(limits, number, x);
  Random random(seed + static_cast<std::uint64_t>(number));
  for (int i = 0; i < limits.variables(); ++i) {
    const auto [lower, upper] = range_of(limits, i, x[i]);
    d_[i] = random.between(lower, upper) - x[i];
  }
  go(limits, x);
}

void Restart::move_near(const Limits& limits, int number, VecX& x) {
  Random random(seed + static_cast<std::uint64_t>(number));
  const double size = near_by[std::min(number, static_cast<int>(std::size(near_by))) - 1];
  for (int i = 0; i < limits.variables(); ++i) {
    const double lower = std::fmax(limits.lower[i], x[i] - far), upper = std::fmin(limits.upper[i], x[i] + far);
    d_[i] = std::clamp(x[i] + random.between(-1.0, 1.0) * size, lower, upper) - x[i];
  }
  go(limits, x);
}

void Restart::move_anywhere(const Limits& limits, int number, const std::vector<char>& chosen, VecX& x) {
  const int n = limits.variables();
  const auto count = std::count(chosen.begin(), chosen.begin() + n, char{1});
  const bool evenly = count <= max_spread && number <= spread_points;
  Random random(seed + static_cast<std::uint64_t>(number));
  double part = 1.0;
  for (int i = 0; i < n; ++i) {
    d_[i] = 0.0;
    if (!chosen[i]) continue;
    double at = random.unit();
    if (evenly) {
      part /= ratios_[static_cast<std::size_t>(count)];
      at = 0.5 + number * part;
      at -= std::floor(at);
    }
    const auto [lower, upper] = range_of(limits, i, x[i]);
    d_[i] = lower + at * (upper - lower) - x[i];
  }
  go(limits, x);
}

// How fast the step runs into an inequality, with the parts that its variables go.
double Restart::speed(const Limits& limits, int limit) const {
  const int n = limits.variables();
  const auto way = [&](int i) { return part_[static_cast<std::size_t>(together_[i])] * d_[i]; };
  if (limit < 2 * n) return limit < n ? -way(limit) : way(limit - n);
  const Limits::Row& row = limits.rows[limit - 2 * n];
  double sum = 0.0;
  for (int k = row.begin; k < row.end; ++k) sum += limits.coefficient[k] * way(limits.column[k]);
  return sum;
}

// Scales the step of the variables of a limit, and of those that equalities couple with them.
void Restart::hold_back(const Limits& limits, int limit, double factor) {
  const int n = limits.variables();
  std::fill(held_.begin(), held_.end(), char{0});
  const auto hold = [&](int i) {
    const auto group = static_cast<std::size_t>(together_[i]);
    if (!held_[group]) part_[group] *= factor;
    held_[group] = 1;
  };
  if (limit < 2 * n) return hold(limit % n);
  const Limits::Row& row = limits.rows[limit - 2 * n];
  for (int k = row.begin; k < row.end; ++k) hold(limits.column[k]);
}

// x ← x + d, along the equalities. A limit that the step would cross holds its variables back; as they stay behind,
// others may cross another limit, so in turns. A limit that no step crosses changes nothing.
void Restart::go(const Limits& limits, VecX& x) {
  const int n = limits.variables();
  if (!limits.rows.empty()) {
    face_.clear(no_rows_, 0);
    for (int row = 2 * n; row < limits.count(); ++row)
      if (limits.is_equality(row)) face_.add(row);
    face_.update(limits);
    face_.project(d_);
    std::fill(part_.begin(), part_.end(), 1.0);
    bool crosses = true;
    for (int turn = 0; turn <= max_turns && crosses; ++turn) {
      crosses = false;
      for (int limit = 0; limit < limits.count(); ++limit) {
        if (limits.is_equality(limit)) continue;
        const double fast = speed(limits, limit), slack = std::fmax(0.0, limits.slack(limit, x));
        if (!(fast > slack)) continue;
        crosses = true;
        hold_back(limits, limit, turn < max_turns ? clear_part * slack / fast : 0.0);
      }
    }
    for (int i = 0; i < n; ++i) d_[i] *= part_[static_cast<std::size_t>(together_[i])];
  }
  for (int i = 0; i < n; ++i) x[i] = std::clamp(x[i] + d_[i], limits.lower[i], limits.upper[i]);
}

}  // namespace limber
