#include "limber/solver/restart.h"

#include <algorithm>

#include "limber/base/random.h"

namespace limber {

namespace {

// The distance of the first restarts, in radians or relative to the figure's length.
constexpr double near_by[] = {0.1, 0.4};
// A variable without limits is varied by at most this.
constexpr double far = pi;
constexpr std::uint64_t seed = 1993;

}  // namespace

void Restart::reserve(const Limits& limits) {
  face_.reserve(limits, 0);
  no_rows_.resize(0, limits.variables());
  d_.resize(limits.variables());
  ratio_ = 2.0;
  for (int step = 0; step < 64; ++step) ratio_ = std::pow(1.0 + ratio_, 1.0 / (limits.variables() + 1.0));
}

// The additive recurrence with the n-dimensional golden ratio (Roberts 2018): x_k = ½ + k (1/g, 1/g², …) modulo 1, with
// gⁿ⁺¹ = g + 1.
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
  const int n = limits.variables();
  Random random(seed + static_cast<std::uint64_t>(number));
  for (int i = 0; i < n; ++i) {
    const double lower = std::fmax(limits.lower[i], x[i] - far), upper = std::fmin(limits.upper[i], x[i] + far);
    if (number <= static_cast<int>(std::size(near_by)))
      d_[i] = std::clamp(x[i] + random.between(-1.0, 1.0) * near_by[number - 1], lower, upper) - x[i];
    else
      d_[i] = random.between(lower, upper) - x[i];
  }
  if (!limits.rows.empty()) {
    // Along the equalities, up to the first limit.
    face_.clear(no_rows_, 0);
    for (int row = 2 * n; row < limits.count(); ++row)
      if (limits.is_equality(row)) face_.add(row);
    face_.update(limits);
    face_.project(d_);
    double part = 1.0;
    for (int limit = 0; limit < limits.count(); ++limit)
      if (const double speed = limits.along(limit, d_); speed > 0.0 && !limits.is_equality(limit))
        part = std::fmin(part, std::fmax(0.0, limits.slack(limit, x)) / speed);
    d_ *= part;
  }
  for (int i = 0; i < n; ++i) x[i] = std::clamp(x[i] + d_[i], limits.lower[i], limits.upper[i]);
}

}  // namespace limber
