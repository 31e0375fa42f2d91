// Programs with bounds alone, and their known answers: the classic functions, and those from Hock and Schittkowski,
// Test Examples for Nonlinear Programming Codes (1981), by their numbers.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "limber/program/limits.h"

namespace limber::testing {

struct BoxProgram {
  const char* name;
  std::function<double(const VecX& x, VecX& g)> f;
  VecX start, lower, upper;
  double optimum;
  bool has_saddle = false;  // on the way; steepest descent lingers there
};

inline VecX vector_of(std::initializer_list<double> numbers) {
  VecX x(static_cast<Eigen::Index>(numbers.size()));
  Eigen::Index i = 0;
  for (const double number : numbers) x[i++] = number;
  return x;
}

inline double rosenbrock(const VecX& x, VecX& g) {
  const double a = x[1] - x[0] * x[0], b = 1.0 - x[0];
  g[0] = -400.0 * a * x[0] - 2.0 * b;
  g[1] = 200.0 * a;
  return 100.0 * a * a + b * b;
}

inline double powell_singular(const VecX& x, VecX& g) {
  const double a = x[0] + 10.0 * x[1], b = x[2] - x[3], c = x[1] - 2.0 * x[2], d = x[0] - x[3];
  const double c3 = 4.0 * c * c * c, d3 = 40.0 * d * d * d;
  g << 2.0 * a + d3, 20.0 * a + c3, 10.0 * b - 2.0 * c3, -10.0 * b - d3;
  return a * a + 5.0 * b * b + c * c * c * c + 10.0 * d * d * d * d;
}

inline double wood(const VecX& x, VecX& g) {
  const double a = x[1] - x[0] * x[0], b = x[3] - x[2] * x[2];
  const double c = x[1] - 1.0, d = x[3] - 1.0, e = 1.0 - x[0], h = 1.0 - x[2];
  g << -400.0 * a * x[0] - 2.0 * e, 200.0 * a + 20.2 * c + 19.8 * d, -360.0 * b * x[2] - 2.0 * h,
      180.0 * b + 20.2 * d + 19.8 * c;
  return 100.0 * a * a + e * e + 90.0 * b * b + h * h + 10.1 * (c * c + d * d) + 19.8 * c * d;
}

inline double hs3(const VecX& x, VecX& g) {
  const double a = x[1] - x[0];
  g << -2e-5 * a, 1.0 + 2e-5 * a;
  return x[1] + 1e-5 * a * a;
}

inline double hs4(const VecX& x, VecX& g) {
  const double a = x[0] + 1.0;
  g << a * a, 1.0;
  return a * a * a / 3.0 + x[1];
}

inline double hs5(const VecX& x, VecX& g) {
  const double a = x[0] + x[1], b = x[0] - x[1];
  g << std::cos(a) + 2.0 * b - 1.5, std::cos(a) - 2.0 * b + 2.5;
  return std::sin(a) + b * b - 1.5 * x[0] + 2.5 * x[1] + 1.0;
}

inline double hs25(const VecX& x, VecX& g) {
  double sum = 0.0;
  g.setZero();
  for (int i = 1; i <= 99; ++i) {
    const double u = 25.0 + std::pow(-50.0 * std::log(0.01 * i), 2.0 / 3.0);
    const double power = std::pow(u - x[1], x[2]);
    const double e = std::exp(-power / x[0]), r = e - 0.01 * i;
    sum += r * r;
    g[0] += 2.0 * r * e * power / (x[0] * x[0]);
    g[1] += 2.0 * r * e * x[2] * power / ((u - x[1]) * x[0]);
    g[2] -= 2.0 * r * e * power * std::log(u - x[1]) / x[0];
  }
  return sum;
}

inline double hs45(const VecX& x, VecX& g) {
  for (int i = 0; i < 5; ++i) {
    g[i] = -1.0 / 120.0;
    for (int j = 0; j < 5; ++j)
      if (j != i) g[i] *= x[j];
  }
  return 2.0 - x.prod() / 120.0;
}

inline std::vector<BoxProgram> box_programs() {
  const double inf = infinity;
  return {
      {"Rosenbrock", rosenbrock, vector_of({-1.2, 1.0}), vector_of({-inf, -inf}), vector_of({inf, inf}), 0.0},
      {"PowellSingular", powell_singular, vector_of({3.0, -1.0, 0.0, 1.0}), VecX::Constant(4, -inf),
       VecX::Constant(4, inf), 0.0},
      {"HS1", rosenbrock, vector_of({-2.0, 1.0}), vector_of({-inf, -1.5}), vector_of({inf, inf}), 0.0},
      // From the printed start (-2, 1) descent leads to the other Kuhn-Tucker point, 4.94; so this starts on the right.
      {"HS2", rosenbrock, vector_of({2.0, 2.0}), vector_of({-inf, 1.5}), vector_of({inf, inf}), 0.0504261879},
      {"HS3", hs3, vector_of({10.0, 1.0}), vector_of({-inf, 0.0}), vector_of({inf, inf}), 0.0},
      {"HS4", hs4, vector_of({1.125, 0.125}), vector_of({1.0, 0.0}), vector_of({inf, inf}), 8.0 / 3.0},
      {"HS5", hs5, vector_of({0.0, 0.0}), vector_of({-1.5, -3.0}), vector_of({4.0, 3.0}),
       -0.5 * std::sqrt(3.0) - pi / 3.0},
      // At the printed start (100, 12.5, 3) the function is flat, to 1e-6, at 32.8; so this starts nearer.
      {"HS25", hs25, vector_of({40.0, 20.0, 1.4}), vector_of({0.1, 0.0, 0.0}), vector_of({100.0, 25.6, 5.0}), 0.0},
      {"HS38", wood, vector_of({-3.0, -1.0, -3.0, -1.0}), VecX::Constant(4, -10.0), VecX::Constant(4, 10.0), 0.0, true},
      // Its printed start, 2 throughout, is outside the box.
      {"HS45", hs45, vector_of({2.0, 2.0, 2.0, 2.0, 2.0}), VecX::Zero(5), vector_of({1.0, 2.0, 3.0, 4.0, 5.0}), 1.0},
  };
}

}  // namespace limber::testing
