// The feasible set of a program: lower <= x <= upper, and rows aᵀx = b or aᵀx <= b with unit normals a.   ZB94 (23)
//
// Every limit has a number: i is the lower bound of x_i (normal -e_i), n + i its upper bound (normal e_i),
// 2n + k the row k.
#pragma once

#include <cassert>
#include <vector>

#include "limber/base/vector.h"

namespace limber {

struct Limits {
  struct Row {
    int begin = 0;  // into column and coefficient
    int end = 0;
    double bound = 0.0;
    bool equality = false;
  };

  VecX lower;
  VecX upper;
  std::vector<Row> rows;
  std::vector<int> column;
  std::vector<double> coefficient;

  Limits() = default;
  // n variables without limits.
  explicit Limits(int n) : lower(VecX::Constant(n, -infinity)), upper(VecX::Constant(n, infinity)) {}

  // Becomes `other`, with room for this many tangents more, so that add_tangent() does not allocate.
  void assign(const Limits& other, int tangents) {
    const auto more = static_cast<std::size_t>(tangents), each = static_cast<std::size_t>(other.variables());
    rows.reserve(other.rows.size() + more);
    column.reserve(other.column.size() + more * each);
    coefficient.reserve(other.column.size() + more * each);
    *this = other;
  }

  int variables() const { return static_cast<int>(lower.size()); }
  int count() const { return 2 * variables() + static_cast<int>(rows.size()); }

  // Adds the row Σ coefficients · x <= bound (or =), scaled to a unit normal, which must not be zero.
  void add_row(const std::vector<int>& columns, const std::vector<double>& coefficients, double bound, bool equality) {
    double square = 0.0;
    for (const double c : coefficients) square += c * c;
    assert(square > 0.0);
    const double scale = 1.0 / std::sqrt(square);
    Row row{static_cast<int>(column.size()), 0, scale * bound, equality};
    for (std::size_t k = 0; k < columns.size(); ++k) {
      column.push_back(columns[k]);
      coefficient.push_back(scale * coefficients[k]);
    }
    row.end = static_cast<int>(column.size());
    rows.push_back(row);
  }

  // Adds the tangent, at x, of the surface on which these rows of a function with Jacobian J are constant; none of them
  // is zero.
  void add_tangent(const MatX& J, const std::vector<int>& which, const VecX& x) {
    for (const int k : which) {
      const double length = J.row(k).norm();
      Row row{static_cast<int>(column.size()), 0, J.row(k).dot(x) / length, true};
      for (int i = 0; i < variables(); ++i) {
        if (J(k, i) == 0.0) continue;
        column.push_back(i);
        coefficient.push_back(J(k, i) / length);
      }
      row.end = static_cast<int>(column.size());
      rows.push_back(row);
    }
  }

  bool is_equality(int limit) const { return limit >= 2 * variables() && rows[limit - 2 * variables()].equality; }

  double bound(int limit) const {
    const int n = variables();
    if (limit < n) return -lower[limit];
    if (limit < 2 * n) return upper[limit - n];
    return rows[limit - 2 * n].bound;
  }

  // aᵀx.
  double along(int limit, const VecX& x) const {
    const int n = variables();
    if (limit < n) return -x[limit];
    if (limit < 2 * n) return x[limit - n];
    const Row& row = rows[limit - 2 * n];
    double sum = 0.0;
    for (int k = row.begin; k < row.end; ++k) sum += coefficient[k] * x[column[k]];
    return sum;
  }

  // y ← y + scale a.
  void add_normal(int limit, double scale, VecX& y) const {
    const int n = variables();
    if (limit < n) {
      y[limit] -= scale;
    } else if (limit < 2 * n) {
      y[limit - n] += scale;
    } else {
      const Row& row = rows[limit - 2 * n];
      for (int k = row.begin; k < row.end; ++k) y[column[k]] += scale * coefficient[k];
    }
  }

  double slack(int limit, const VecX& x) const { return bound(limit) - along(limit, x); }

  // aᵀa' of two limits.
  double dot(int a, int b) const {
    const int n = variables();
    if (a > b) std::swap(a, b);
    if (b < 2 * n) {
      if (a % n != b % n) return 0.0;
      return a == b ? 1.0 : -1.0;
    }
    const Row& row = rows[b - 2 * n];
    double sum = 0.0;
    for (int k = row.begin; k < row.end; ++k) {
      if (a < 2 * n) {
        if (column[k] == a % n) sum += a < n ? -coefficient[k] : coefficient[k];
      } else {
        const Row& other = rows[a - 2 * n];
        for (int l = other.begin; l < other.end; ++l)
          if (column[l] == column[k]) sum += coefficient[k] * coefficient[l];
      }
    }
    return sum;
  }

  // The violation of the worst limit: 0 or less for a feasible point without equalities.
  double violation(const VecX& x) const {
    double worst = 0.0;
    for (int limit = 0; limit < count(); ++limit) {
      const double b = bound(limit);
      if (!std::isfinite(b)) continue;
      const double over = along(limit, x) - b;
      worst = std::fmax(worst, is_equality(limit) ? std::fabs(over) : over);
    }
    return worst;
  }
};

}  // namespace limber
