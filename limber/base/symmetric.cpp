#include "limber/base/symmetric.h"

#include <limits>

namespace limber {

namespace {

constexpr int max_sweeps = 40;

// Columns i and j of M, turned by the angle with cosine c and sine s.
void turn_columns(Eigen::Ref<MatX> M, Eigen::Index i, Eigen::Index j, double c, double s) {
  for (Eigen::Index k = 0; k < M.rows(); ++k) {
    const double a = M(k, i), b = M(k, j);
    M(k, i) = c * a - s * b;
    M(k, j) = s * a + c * b;
  }
}

void turn_rows(Eigen::Ref<MatX> M, Eigen::Index i, Eigen::Index j, double c, double s) {
  for (Eigen::Index k = 0; k < M.cols(); ++k) {
    const double a = M(i, k), b = M(j, k);
    M(i, k) = c * a - s * b;
    M(j, k) = s * a + c * b;
  }
}

void sort_ascending(Eigen::Ref<MatX> A, Eigen::Ref<MatX> V) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    Eigen::Index min = i;
    for (Eigen::Index j = i + 1; j < n; ++j)
      if (A(j, j) < A(min, min)) min = j;
    if (min == i) continue;
    std::swap(A(i, i), A(min, min));
    for (Eigen::Index k = 0; k < n; ++k) std::swap(V(k, i), V(k, min));
  }
}

}  // namespace

void diagonalize(Eigen::Ref<MatX> A, Eigen::Ref<MatX> V) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Eigen::Index n = A.rows();
  V.setIdentity();
  const double rounding = 0.1 * epsilon * A.norm() / static_cast<double>(n > 0 ? n : 1);
  bool turned = true;
  for (int sweep = 0; turned && sweep < max_sweeps; ++sweep) {
    turned = false;
    for (Eigen::Index i = 0; i + 1 < n; ++i)
      for (Eigen::Index j = i + 1; j < n; ++j) {
        if (!(std::fabs(A(i, j)) > rounding)) continue;
        turned = true;
        // t = tan of the angle that makes A(i, j) zero, the smaller one.
        const double zeta = (A(j, j) - A(i, i)) / (2.0 * A(i, j));
        const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (std::fabs(zeta) + std::hypot(1.0, zeta));
        const double c = 1.0 / std::hypot(1.0, t), s = c * t;
        turn_columns(A, i, j, c, s);
        turn_rows(A, i, j, c, s);
        A(i, j) = A(j, i) = 0.0;
        turn_columns(V, i, j, c, s);
      }
  }
  sort_ascending(A, V);
}

}  // namespace limber
