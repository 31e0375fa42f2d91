// One step of q' = v(q) within a box, with an estimate of its error: the pair of orders 5 and 4 of Cash and Karp
// (1990), which W93 4.1.5 recommends by way of [PFTV90].
#pragma once

#include <cmath>
#include <limits>

#include "limber/base/vector.h"
#include "limber/program/limits.h"

namespace limber {

enum class Integration {
  euler,        // q + h v(q)                                                                    W93 (4.12)
  runge_kutta,  // Cash and Karp's pair with a step that follows the error
};

// x moved into the box: every entry exactly on or between its limits.
inline void clamp_to_box(const Limits& limits, VecX& x) {
  for (int i = 0; i < limits.variables(); ++i)
    x[i] = x[i] < limits.lower[i] ? limits.lower[i] : x[i] > limits.upper[i] ? limits.upper[i] : x[i];
}

// The gains K_i of a method: one per variable, finite and not negative; or none, which means 1.
inline bool is_gain(const VecX& gain, int variables) {
  return gain.size() == 0 || (gain.size() == variables && gain.allFinite() && gain.minCoeff() >= 0.0);
}
inline double gain_of(const VecX& gain, int i) { return gain.size() == 0 ? 1.0 : gain[i]; }

class CashKarp {
 public:
  void reserve(int n) {
    if (point_.size() == n) return;
    for (VecX& k : k_) k.resize(n);
    point_.resize(n);
  }

  // d = the change of q over a step h from x, where v(x) = v0; returns the largest entry of the error estimate, in
  // units of what is allowed: `accuracy`, and no more than a hundredth of the change, since a step that comes to rest
  // must not tremble around the place by its own error.
  // `velocity(q, v)` is asked at five more points, moved into the box where they are outside.
  template <class Velocity>
  double operator()(const Limits& limits, const VecX& x, const VecX& v0, double h, double accuracy, Velocity&& velocity,
                    VecX& d) {
    k_[0] = v0;
    for (int stage = 1; stage < stages; ++stage) {
      point_ = x;
      for (int j = 0; j < stage; ++j)
        if (a[stage][j] != 0.0) point_ += (h * a[stage][j]) * k_[j];
      clamp_to_box(limits, point_);
      velocity(point_, k_[stage]);
    }
    d.setZero();
    point_.setZero();  // now the difference of the two orders
    for (int stage = 0; stage < stages; ++stage) {
      d += (h * b5[stage]) * k_[stage];
      point_ += (h * (b5[stage] - b4[stage])) * k_[stage];
    }
    if (!d.allFinite() || !point_.allFinite()) return infinity;
    if (d.size() == 0) return 0.0;
    constexpr double part = 1e-2;
    const double rounding = std::numeric_limits<double>::epsilon() * x.cwiseAbs().maxCoeff();
    const double allowed = std::fmax(rounding, std::fmin(accuracy, part * d.cwiseAbs().maxCoeff()));
    const double error = point_.cwiseAbs().maxCoeff();
    return error <= rounding ? 0.0 : error / allowed;
  }

  // What to multiply a step by whose error was `error`, in units of the error that is allowed.
  static double next(double error) {
    constexpr double safety = 0.9, min_factor = 0.1, max_factor = 5.0;
    if (!(error < infinity)) return min_factor;
    const double power = error <= 1.0 ? -0.2 : -0.25;
    return std::fmin(max_factor, std::fmax(min_factor, safety * std::pow(std::fmax(error, 1e-12), power)));
  }

 private:
  static constexpr int stages = 6;
  static constexpr double a[stages][stages - 1] = {
      {},
      {1.0 / 5.0},
      {3.0 / 40.0, 9.0 / 40.0},
      {3.0 / 10.0, -9.0 / 10.0, 6.0 / 5.0},
      {-11.0 / 54.0, 5.0 / 2.0, -70.0 / 27.0, 35.0 / 27.0},
      {1631.0 / 55296.0, 175.0 / 512.0, 575.0 / 13824.0, 44275.0 / 110592.0, 253.0 / 4096.0},
  };
  static constexpr double b5[stages] = {37.0 / 378.0, 0.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0};
  static constexpr double b4[stages] = {2825.0 / 27648.0, 0.0,      18575.0 / 48384.0, 13525.0 / 55296.0,
                                        277.0 / 14336.0,  1.0 / 4.0};

  VecX k_[stages];
  VecX point_;
};

}  // namespace limber
