#include "tests/support/dense.h"

#include <Eigen/Dense>

namespace limber::testing {

VecX solve_dense(const MatX& A, const VecX& b) { return A.completeOrthogonalDecomposition().solve(b); }

std::optional<VecX> solve_invertible(const MatX& A, const VecX& b) {
  const Eigen::FullPivLU<MatX> lu(A);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(b);
}

MatX inverse_of(const MatX& A) { return A.fullPivLu().inverse(); }

VecX singular_values(const MatX& A) { return Eigen::JacobiSVD<MatX>(A).singularValues(); }

VecX eigenvalues_of(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

MatX orthogonal_of(const MatX& A) { return Eigen::HouseholderQR<MatX>(A).householderQ(); }

}  // namespace limber::testing
