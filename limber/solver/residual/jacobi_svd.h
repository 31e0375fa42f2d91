// Singular values and vectors by Hestenes's one-sided Jacobi rotations: W V = U Σ for a given W, in place.
//
// The columns of W are turned in pairs until all are at right angles. Then their lengths are the singular values, their
// directions U, and V the product of the turns. Small singular values come out to their own accuracy; nothing is
// squared that the answer depends on. Eigen's decompositions are not used since they ask for memory in compute().
// O(rows cols²) a sweep, some six to ten sweeps.
#pragma once

#include <cmath>
#include <limits>

#include "limber/base/vector.h"

namespace limber {

class JacobiSvd {
 public:
  void reserve(int rows, int cols) {
    if (W.rows() == rows && W.cols() == cols) return;
    W.resize(rows, cols);
    V.resize(cols, cols);
    sigma.resize(cols);
  }

  MatX W;      // the matrix, then U Σ
  MatX V;      // orthogonal
  VecX sigma;  // lengths of the columns of W, in no order

  double largest() const { return sigma.size() == 0 ? 0.0 : sigma.maxCoeff(); }

  void compute() {
    constexpr int max_sweeps = 40;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    V.setIdentity();
    const Eigen::Index n = W.cols();
    double max_square = 0.0;  // of the lengths of the columns
    for (Eigen::Index j = 0; j < n; ++j) max_square = std::fmax(max_square, W.col(j).squaredNorm());
    const double nothing = epsilon * epsilon * max_square;  // a column of that squared length is rounding
    bool turned = max_square > 0.0;
    for (int sweep = 0; turned && sweep < max_sweeps; ++sweep) {
      turned = false;
      for (Eigen::Index i = 0; i + 1 < n; ++i)
        for (Eigen::Index j = i + 1; j < n; ++j) {
          const double alpha = W.col(i).squaredNorm(), beta = W.col(j).squaredNorm(), gamma = W.col(i).dot(W.col(j));
          if (alpha <= nothing || beta <= nothing || std::fabs(gamma) <= epsilon * std::sqrt(alpha * beta)) continue;
          turned = true;
          const double zeta = (beta - alpha) / (2.0 * gamma);
          const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (std::fabs(zeta) + std::hypot(1.0, zeta));
          const double c = 1.0 / std::hypot(1.0, t);
          turn(W, i, j, c, c * t);
          turn(V, i, j, c, c * t);
        }
    }
    for (Eigen::Index j = 0; j < n; ++j) sigma[j] = W.col(j).norm();
  }

 private:
  static void turn(MatX& M, Eigen::Index i, Eigen::Index j, double c, double s) {
    for (Eigen::Index k = 0; k < M.rows(); ++k) {
      const double a = M(k, i), b = M(k, j);
      M(k, i) = c * a - s * b;
      M(k, j) = s * a + c * b;
    }
  }
};

}  // namespace limber
