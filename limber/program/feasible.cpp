#include "limber/program/feasible.h"

#include <algorithm>
#include <utility>

#include "limber/program/nnls.h"

namespace limber {

namespace {

// In least-distance programming, the last residual entry stays below this exactly if the limits are contradictory.
constexpr double contradiction = 1e-9;
// Fraction of the rows' tolerance that is used while the nearest point is computed: rows that agree up to rounding,
// such as a duplicate equality, must not count as a contradiction.
constexpr double ease = 0.1;
// Rounds of the projection; the second one already corrects only rounding errors.
constexpr int max_correction_rounds = 4;

void clamp(const Limits& limits, VecX& x) {
  for (int i = 0; i < limits.variables(); ++i) x[i] = std::clamp(x[i], limits.lower[i], limits.upper[i]);
}

// The worst violation of a row, in units of its tolerance.
double worst_row(const Limits& limits, const VecX& x) {
  double worst = 0.0;
  for (int limit = 2 * limits.variables(); limit < limits.count(); ++limit) {
    const double over = -limits.slack(limit, x);
    worst = std::fmax(
        worst, (limits.is_equality(limit) ? std::fabs(over) : over) / (row_tolerance * limit_scale(limits, limit, x)));
  }
  return worst;
}

// The equality rows that follow from earlier ones, in normal and bound. If they were kept, rounding in the second copy
// of a row would look like a contradiction. Found by the Gram-Schmidt process on (a, b), repeated for accuracy.
std::vector<char> implied_equalities(const Limits& limits) {
  constexpr double dependence = 1e-7;  // the remaining length of a unit normal
  constexpr double agreement = 1e-9;   // of the bounds, relative to their size; a real contradiction is larger
  std::vector<char> implied(static_cast<std::size_t>(limits.count()), 0);
  std::vector<std::pair<VecX, double>> basis;
  for (int limit = 2 * limits.variables(); limit < limits.count(); ++limit) {
    if (!limits.is_equality(limit)) continue;
    VecX a = VecX::Zero(limits.variables());
    limits.add_normal(limit, 1.0, a);
    double b = limits.bound(limit), size = std::fmax(1.0, std::fabs(b));
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& [unit, bound] : basis) {
        const double along = unit.dot(a);
        a -= along * unit;
        b -= along * bound;
        size = std::fmax(size, std::fabs(along * bound));
      }
    const double length = a.norm();
    if (length > dependence)
      basis.emplace_back(a / length, b / length);
    else
      implied[static_cast<std::size_t>(limit)] = std::fabs(b) <= agreement * size;
  }
  return implied;
}

}  // namespace

double limit_scale(const Limits& limits, int limit, const VecX& x) {
  double scale = std::fmax(1.0, std::fabs(limits.bound(limit)));
  const int n = limits.variables();
  if (limit < 2 * n) return scale;
  const Limits::Row& row = limits.rows[limit - 2 * n];
  for (int k = row.begin; k < row.end; ++k)
    scale = std::fmax(scale, std::fabs(limits.coefficient[k] * x[limits.column[k]]));
  return scale;
}

Feasibility make_feasible(const Limits& limits, VecX& x) {
  Feasibility result;
  const int n = limits.variables();
  bool inside = true;
  for (int i = 0; i < n && inside; ++i) inside = x[i] >= limits.lower[i] && x[i] <= limits.upper[i];
  if (inside && worst_row(limits, x) <= 1.0) return result;

  // If clamping to the box also satisfies the rows, it gives the nearest point.
  for (int i = 0; i < n; ++i) {
    const double within = std::clamp(x[i], limits.lower[i], limits.upper[i]);
    result.moved = std::fmax(result.moved, std::fabs(within - x[i]));
  }
  if (limits.rows.empty()) {
    clamp(limits, x);
    return result;
  }
  const VecX start = x;
  VecX clamped = x;
  clamp(limits, clamped);
  if (worst_row(limits, clamped) <= 1.0) {
    x = clamped;
    return result;
  }
  // The limits of the variables that occur in rows, and the rows.
  std::vector<char> in_row(static_cast<std::size_t>(n), 0);
  for (const int column : limits.column) in_row[column] = 1;
  const std::vector<char> implied = implied_equalities(limits);
  std::vector<int> which;
  std::vector<char> free_sign;
  for (int limit = 0; limit < limits.count(); ++limit) {
    if ((limit < 2 * n && !in_row[limit % n]) || !std::isfinite(limits.bound(limit)) || implied[limit]) continue;
    which.push_back(limit);
    free_sign.push_back(limits.is_equality(limit));
  }
  const int m = static_cast<int>(which.size());
  Nnls nnls;
  for (int i = 0; i < n; ++i)
    if (!in_row[i]) x[i] = clamped[i];

  for (int round = 0; round < max_correction_rounds; ++round) {
    // min ‖z‖ under A z <= -v, v = A x - b:  u = nnls([-A; vᵀ], e_last),  z = -A u / (1 - vᵀu).
    VecX v(m);
    for (int i = 0; i < m; ++i) {
      const double over = -limits.slack(which[i], x), eased = ease * row_tolerance * limit_scale(limits, which[i], x);
      v[i] = !free_sign[i] ? over - eased : std::fabs(over) > eased ? over : 0.0;
    }
    double size = 0.0;
    for (int i = 0; i < m; ++i) size = std::fmax(size, free_sign[i] ? std::fabs(v[i]) : v[i]);
    if (size <= 0.0) break;
    v /= size;
    MatX gram(m, m);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) gram(i, j) = limits.dot(which[i], which[j]) + v[i] * v[j];
    const VecX u = nnls.solve(gram, v, free_sign, m).head(m);
    const double last = 1.0 - v.dot(u);
    if (last <= contradiction) {
      result.feasible = false;
      for (const int i : nnls.used()) result.contradictory.push_back(which[i]);
      break;
    }
    for (const int i : nnls.used()) limits.add_normal(which[i], -size * u[i] / last, x);
    clamp(limits, x);
    if (worst_row(limits, x) <= 1.0) break;
  }
  if (result.feasible && worst_row(limits, x) > 1.0) {
    result.feasible = false;
    for (int limit = 2 * n; limit < limits.count(); ++limit) result.contradictory.push_back(limit);
  }
  if (!result.feasible) x = clamped;
  result.moved = n == 0 ? 0.0 : (x - start).cwiseAbs().maxCoeff();
  return result;
}

}  // namespace limber
