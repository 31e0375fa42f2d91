// Systems of rows r(x) with their Jacobians for the tests of the residual methods.
#pragma once

#include <vector>

#include "limber/problem/assembly.h"
#include "limber/program/least_squares.h"

namespace limber::testing {

// r = A x - b.
struct LinearRows {
  MatX A;
  VecX b;
  std::vector<int> ends = {0, static_cast<int>(A.rows())};

  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) const { r = A.lazyProduct(x) - b; }
  void jacobian(const VecX&, MatX& J) const { J = A; }
};

// Rosenbrock's valley as two rows: 10 (y - x²) and 1 - x.
struct RosenbrockRows {
  std::vector<int> ends = {0, 2};

  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) const {
    r[0] = 10.0 * (x[1] - x[0] * x[0]);
    r[1] = 1.0 - x[0];
  }
  void jacobian(const VecX& x, MatX& J) const {
    J(0, 0) = -20.0 * x[0];
    J(0, 1) = 10.0;
    J(1, 0) = -1.0;
    J(1, 1) = 0.0;
  }
};

// A point in the plane: a hard constraint x² + y² = 1, and a pull towards p.
struct CircleRows {
  Eigen::Vector2d p;
  std::vector<int> ends = {1, 3};

  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) const {
    r[0] = x[0] * x[0] + x[1] * x[1] - 1.0;
    r[1] = x[0] - p[0];
    r[2] = x[1] - p[1];
  }
  void jacobian(const VecX& x, MatX& J) const {
    J.setZero();
    J(0, 0) = 2.0 * x[0];
    J(0, 1) = 2.0 * x[1];
    J(1, 0) = J(2, 1) = 1.0;
  }
};

// The rows of a problem, the first few of them in level 0.
struct ProblemRows {
  Assembly assembly;
  std::vector<int> ends;

  explicit ProblemRows(const Problem& problem, int must_rows = 0)
      : assembly(problem), ends{must_rows, assembly.residuals()} {}

  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) { assembly.residual(x, r); }
  void jacobian(const VecX& x, MatX& J) { assembly.jacobian(x, J); }
};

}  // namespace limber::testing
