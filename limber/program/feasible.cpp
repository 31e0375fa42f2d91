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

// The limits of the variables that occur in rows, and the rows: those that the nearest point is found under.
struct Coupled {
  std::vector<char> in_row;  // by variable
  std::vector<int> limits;
  std::vector<char> free_sign;  // whether a multiplier may have either sign
  int count() const { return static_cast<int>(limits.size()); }
};

Coupled coupled_limits(const Limits& limits) {
  const int n = limits.variables();
  Coupled out;
  out.in_row.assign(static_cast<std::size_t>(n), 0);
  for (const int column : limits.column) out.in_row[static_cast<std::size_t>(column)] = 1;
  const std::vector<char> implied = implied_equalities(limits);
  for (int limit = 0; limit < limits.count(); ++limit) {
    if ((limit < 2 * n && !out.in_row[static_cast<std::size_t>(limit % n)]) || !std::isfinite(limits.bound(limit)) ||
        implied[static_cast<std::size_t>(limit)])
      continue;
    out.limits.push_back(limit);
    out.free_sign.push_back(limits.is_equality(limit));
  }
  return out;
}

enum class Correction { none_needed, done, impossible };

// One step of x to the nearest point under the limits; the next one only corrects rounding errors.
//
//   min ‖z‖ under A z <= -v, v = A x - b:  u = nnls([-A; vᵀ], e_last),  z = -A u / (1 - vᵀu)
Correction correct(const Limits& limits, const Coupled& coupled, Nnls& nnls, VecX& x) {
  const int m = coupled.count();
  VecX v(m);
  double size = 0.0;
  for (int i = 0; i < m; ++i) {
    const int limit = coupled.limits[static_cast<std::size_t>(i)];
    const double over = -limits.slack(limit, x), eased = ease * row_tolerance * limit_scale(limits, limit, x);
    const bool is_free = coupled.free_sign[static_cast<std::size_t>(i)];
    v[i] = !is_free ? over - eased : std::fabs(over) > eased ? over : 0.0;
    size = std::fmax(size, is_free ? std::fabs(v[i]) : v[i]);
  }
  if (size <= 0.0) return Correction::none_needed;
  v /= size;
  MatX gram(m, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      gram(i, j) =
          limits.dot(coupled.limits[static_cast<std::size_t>(i)], coupled.limits[static_cast<std::size_t>(j)]) +
          v[i] * v[j];
  const VecX u = nnls.solve(gram, v, coupled.free_sign, m).head(m);
  const double last = 1.0 - v.dot(u);
  if (last <= contradiction) return Correction::impossible;
  for (const int i : nnls.used())
    limits.add_normal(coupled.limits[static_cast<std::size_t>(i)], -size * u[i] / last, x);
  clamp(limits, x);
  return Correction::done;
}

// x, which is within the box but not within the rows, to the nearest point. Names the limits that contradict each other
// if there is none.
std::vector<int> move_onto_rows(const Limits& limits, const VecX& clamped, VecX& x) {
  const int n = limits.variables();
  const Coupled coupled = coupled_limits(limits);
  std::vector<int> contradictory;
  for (int i = 0; i < n; ++i)
    if (!coupled.in_row[static_cast<std::size_t>(i)]) x[i] = clamped[i];
  Nnls nnls;
  for (int round = 0; round < max_correction_rounds; ++round) {
    const Correction made = correct(limits, coupled, nnls, x);
    if (made == Correction::impossible) {
      for (const int i : nnls.used()) contradictory.push_back(coupled.limits[static_cast<std::size_t>(i)]);
      return contradictory;
    }
    if (made == Correction::none_needed || worst_row(limits, x) <= 1.0) break;
  }
  if (worst_row(limits, x) > 1.0)
    for (int limit = 2 * n; limit < limits.count(); ++limit) contradictory.push_back(limit);
  return contradictory;
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
  if (limits.rows.empty()) {  // allocates nothing
    for (int i = 0; i < n; ++i)
      result.moved = std::fmax(result.moved, std::fabs(std::clamp(x[i], limits.lower[i], limits.upper[i]) - x[i]));
    clamp(limits, x);
    return result;
  }
  const VecX start = x;
  VecX clamped = x;
  clamp(limits, clamped);
  if (worst_row(limits, clamped) <= 1.0) {  // then it is the nearest point
    x = clamped;
  } else {
    result.contradictory = move_onto_rows(limits, clamped, x);
    result.feasible = result.contradictory.empty();
    if (!result.feasible) x = clamped;
  }
  result.moved = (x - start).cwiseAbs().maxCoeff();
  return result;
}

}  // namespace limber
