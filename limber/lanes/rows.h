// Limits on several variables in the fast loop, for one problem at a time.
//
//   aₖᵀ x = bₖ   or   aₖᵀ x <= bₖ   with unit normals aₖ
//
// The working rows W are the equalities and the inequalities that a step meets as equalities. Let A be their normals
// over the free variables. The steps of the free variables that end on the working rows are
//
//   s = s₀ + P v,   s₀ = Aᵀ (A Aᵀ)⁻¹ c,   P = I - Aᵀ (A Aᵀ)⁻¹ A
//
// where c is what the rows lack, with the variables that are not free at their ends. As s₀ ⟂ P v, the damped model
// ‖r + J s‖² + μ‖s‖² has its minimum at the one of ‖(r + J s₀) + (J P) v‖² + μ‖v‖²: the same problem as without rows.
//
// At a minimum the gradient is -Aᵀλ over the free variables, with λ >= 0 for inequalities. A row with λ < 0 leaves W.
//
// A A^T is factorised by Cholesky. A row that depends on the rows before it is left out: it holds with them, or the
// step is shortened.
#pragma once

#include "limber/lanes/triple.h"

namespace limber {

// Rows over the first `width` variables of every path, which `variable` lists.
template <class T>
struct RowPlan {
  int count = 0;
  int width = 0;
  const int* variable = nullptr;
  const T* normal = nullptr;  // count × width
  const T* bound = nullptr;
  const char* is_equality = nullptr;
};

template <class Real>
class WorkingRows {
 public:
  using T = typename NumberOf<Real>::Scalar;

  template <class Take>
  LIMBER_ANYWHERE void lay_out(const RowPlan<T>& plan, const Take& take) {
    plan_ = plan;
    take(is_working_, plan.count);
    take(list_, plan.count);
    take(normal_, plan.count * plan.width);
    take(factor_, plan.count * plan.count);
    take(value_, plan.count);
    take(triple_, plan.count);
  }

  LIMBER_ANYWHERE int count() const { return plan_.count; }

  // The rows that are active at x.
  LIMBER_ANYWHERE void start(const Real* x) {
    for (int k = 0; k < plan_.count; ++k) is_working_[k] = plan_.is_equality[k] || slack(k, x) <= rounding_of(k);
  }

  // A and the factor of A Aᵀ for the free variables (1 or 0).
  LIMBER_ANYWHERE void factorize(const Real* free) {
    listed_ = 0;
    for (int k = 0; k < plan_.count; ++k) {
      if (!is_working_[k]) continue;
      const int c = listed_;
      Real* a = normal_ + c * plan_.width;
      for (int p = 0; p < plan_.width; ++p) a[p] = free[plan_.variable[p]] * Real(plan_.normal[k * plan_.width + p]);
      for (int d = 0; d <= c; ++d) {
        T sum = T(0);
        for (int p = 0; p < plan_.width; ++p) sum += T(a[p] * normal_[d * plan_.width + p]);
        for (int e = 0; e < d; ++e) sum -= T(factor_[c * plan_.count + e] * factor_[d * plan_.count + e]);
        if (d < c)
          factor_[c * plan_.count + d] = sum / factor_[d * plan_.count + d];
        else if (sum > independent)
          factor_[c * plan_.count + c] = __builtin_sqrt(sum);
        else
          break;
        if (d == c) list_[listed_++] = k;
      }
    }
  }

  // y ← y - Aᵀ (A Aᵀ)⁻¹ A y, with all normals: over the variables that are not free, what multipliers leave of y.
  // Removes from W the inequality whose multiplier, of the gradient y, is the most negative; false if there is none.
  LIMBER_ANYWHERE bool drop_by_gradient(Real* y, T scale) {
    for (int c = 0; c < listed_; ++c) {
      T sum = T(0);
      for (int p = 0; p < plan_.width; ++p) sum += T(normal_[c * plan_.width + p] * y[plan_.variable[p]]);
      value_[c] = sum;
    }
    solve(value_);
    int worst = -1;
    T max_value = wrong_sign * scale;
    for (int c = 0; c < listed_; ++c) {
      const int k = list_[c];
      for (int p = 0; p < plan_.width; ++p) y[plan_.variable[p]] -= value_[c] * Real(plan_.normal[k * plan_.width + p]);
      if (plan_.is_equality[k] || !(value_[c] > Real(max_value))) continue;
      max_value = T(value_[c]);
      worst = k;
    }
    if (worst >= 0) is_working_[worst] = 0;
    return worst >= 0;
  }

  // J ← J P, of the first columns of a path.
  LIMBER_ANYWHERE void project(Triple<Real>* J) {
    if (listed_ == 0) return;
    for (int c = 0; c < listed_; ++c) {
      triple_[c] = {Real(T(0)), Real(T(0)), Real(T(0))};
      for (int p = 0; p < plan_.width; ++p) triple_[c] += normal_[c * plan_.width + p] * J[p];
    }
    solve(triple_);
    for (int c = 0; c < listed_; ++c)
      for (int p = 0; p < plan_.width; ++p) J[p] -= normal_[c * plan_.width + p] * triple_[c];
  }

  // s ← s + s₀, where `fixed` are the steps of the variables that are not free, and 0 for the others.
  LIMBER_ANYWHERE void reach(const Real* x, const Real* fixed, Real* s) {
    for (int c = 0; c < listed_; ++c) value_[c] = slack(list_[c], x) - along(list_[c], fixed);
    solve(value_);
    for (int c = 0; c < listed_; ++c)
      for (int p = 0; p < plan_.width; ++p) s[plan_.variable[p]] += normal_[c * plan_.width + p] * value_[c];
  }

  // Adds to W the inequalities that the step crosses; false if it crosses none.
  LIMBER_ANYWHERE bool add_crossed(const Real* x, const Real* s) {
    bool added = false;
    for (int k = 0; k < plan_.count; ++k) {
      if (is_working_[k] || along(k, s) <= slack(k, x) + rounding_of(k)) continue;
      is_working_[k] = 1;
      added = true;
    }
    return added;
  }

  // The part of the step that keeps all rows, at most 1.
  LIMBER_ANYWHERE T feasible_part(const Real* x, const Real* s) const {
    T part = T(1);
    for (int k = 0; k < plan_.count; ++k) {
      const T speed = along(k, s), room = slack(k, x);
      if (plan_.is_equality[k] && (speed < room - rounding_of(k))) return T(0);
      if (speed <= room + rounding_of(k)) continue;
      if (plan_.is_equality[k] || !(room > T(0))) return T(0);
      if (part * speed > room) part = room / speed;
    }
    return part;
  }

 private:
  static constexpr T rounding = T(2e-14);    // of a row
  static constexpr T independent = T(1e-8);  // squared distance of a unit normal from the span of others
  static constexpr T wrong_sign = T(1e-12);  // of a multiplier, relative to the gradient

  LIMBER_ANYWHERE T rounding_of(int k) const {
    const T b = plan_.bound[k];
    return rounding * (T(1) + (b < T(0) ? -b : b));
  }
  LIMBER_ANYWHERE T along(int k, const Real* y) const {
    T sum = T(0);
    for (int p = 0; p < plan_.width; ++p) sum += plan_.normal[k * plan_.width + p] * T(y[plan_.variable[p]]);
    return sum;
  }
  LIMBER_ANYWHERE T slack(int k, const Real* x) const { return plan_.bound[k] - along(k, x); }

  // v ← (A Aᵀ)⁻¹ v.
  template <class V>
  LIMBER_ANYWHERE void solve(V* v) const {
    for (int c = 0; c < listed_; ++c) {
      for (int d = 0; d < c; ++d) v[c] -= factor_[c * plan_.count + d] * v[d];
      v[c] = Real(T(1) / T(factor_[c * plan_.count + c])) * v[c];
    }
    for (int c = listed_ - 1; c >= 0; --c) {
      for (int d = c + 1; d < listed_; ++d) v[c] -= factor_[d * plan_.count + c] * v[d];
      v[c] = Real(T(1) / T(factor_[c * plan_.count + c])) * v[c];
    }
  }

  RowPlan<T> plan_;
  char* is_working_;
  int* list_;  // of working rows, those that are independent
  int listed_ = 0;
  Real* normal_;  // A, by place in the list
  Real* factor_;  // of A Aᵀ
  Real* value_;
  Triple<Real>* triple_;
};

}  // namespace limber
