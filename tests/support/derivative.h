// Two checks of a derivative, independent of the code under test.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "limber/base/random.h"
#include "limber/base/vector.h"

namespace limber::testing {

// The error of central differences is h² f'''/6 + ε f/h. With h = 1e-5 both are near 1e-10 for values and
// derivatives of about 1; the tolerance leaves two decades for larger third derivatives.
inline constexpr double difference_step = 1e-5;
inline constexpr double difference_tolerance = 1e-8;

// ∂f/∂x of f: Rⁿ → Rᵐ.
template <class Function>
MatX central_difference(Function&& f, const VecX& x, double step = difference_step) {
  const Eigen::Index rows = VecX(f(x)).size();
  MatX J(rows, x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    VecX ahead = x, behind = x;
    ahead[i] += step;
    behind[i] -= step;
    J.col(i) = (VecX(f(ahead)) - VecX(f(behind))) / (ahead[i] - behind[i]);
  }
  return J;
}

// The order with which f(x + h d) - f(x) - h J d vanishes: 2 for the right J and 1 for a wrong one. A function
// that is linear along d has only rounding errors, which count as order 2.
template <class Function>
double taylor_order(Function&& f, const VecX& x, const MatX& J, const VecX& d) {
  constexpr double h = 1e-3;
  const VecX at_x = f(x);
  const auto remainder = [&](double step) { return (VecX(f(x + step * d)) - at_x - step * (J * d)).norm(); };
  const double rounding = 1e-13 * (1.0 + at_x.norm() + J.norm() * d.norm());
  const double whole = remainder(h), half = remainder(0.5 * h);
  if (whole <= rounding) return 2.0;
  return std::log2(whole / half);
}

inline constexpr double taylor_tolerance = 0.1;

// Both checks at once, along one random direction.
template <class Function>
void expect_derivative(Function&& f, const VecX& x, const MatX& J, Random& random) {
  const MatX expected = central_difference(f, x);
  ASSERT_EQ(J.rows(), expected.rows());
  ASSERT_EQ(J.cols(), expected.cols());
  if (J.size() == 0) return;
  const double scale = std::fmax(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LE((J - expected).cwiseAbs().maxCoeff(), difference_tolerance * scale) << "J\n"
                                                                                << J << "\nexpected\n"
                                                                                << expected;
  VecX d(x.size());
  for (Eigen::Index k = 0; k < d.size(); ++k) d[k] = random.between(-1.0, 1.0);
  EXPECT_NEAR(taylor_order(f, x, J, d), 2.0, taylor_tolerance);
}

}  // namespace limber::testing
