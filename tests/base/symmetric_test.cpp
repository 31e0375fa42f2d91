// Eigenvalues and eigenvectors of small symmetric matrices, against Eigen's own solver.
#include "limber/base/symmetric.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "limber/base/random.h"

namespace limber {
namespace symmetric_test {

// V is orthogonal, V D Vᵀ is the matrix, and the eigenvalues ascend and are Eigen's.
void expect_eigen(const MatX& matrix) {
  const Eigen::Index n = matrix.rows();
  MatX D = matrix, V(n, n);
  diagonalize(D, V);
  const double rounding = 1e-14 * std::fmax(matrix.norm(), 1e-300) * static_cast<double>(n);
  EXPECT_LE((V.transpose() * V - MatX::Identity(n, n)).norm(), 1e-13 * static_cast<double>(n));
  const VecX values = D.diagonal();
  EXPECT_LE((V * values.asDiagonal() * V.transpose() - matrix).norm(), 10.0 * rounding);
  for (Eigen::Index k = 1; k < n; ++k) EXPECT_LE(values[k - 1], values[k]);
  const Eigen::SelfAdjointEigenSolver<MatX> reference(matrix);
  EXPECT_LE((values - reference.eigenvalues()).norm(), 10.0 * rounding);
}

TEST(Diagonalize, GivesTheEigenvaluesOfRandomMatricesOfAnySize) {
  Random random(81);
  for (int c = 0; c < 500; ++c) {
    SCOPED_TRACE(c);
    const int n = random.integer(1, 9), rank = random.integer(0, n);
    MatX half(n, rank);
    for (Eigen::Index k = 0; k < half.size(); ++k) half.data()[k] = random.between(-1.0, 1.0);
    MatX matrix = half * half.transpose();
    if (c % 2 == 0) matrix -= random.between(0.0, 1.0) * MatX::Identity(n, n);  // of both signs
    expect_eigen(std::pow(10.0, random.between(-9.0, 9.0)) * matrix);
  }
}

TEST(Diagonalize, LeavesDiagonalAndEmptyMatrices) {
  expect_eigen(MatX::Zero(4, 4));
  expect_eigen(MatX::Identity(3, 3));
  expect_eigen(Vec3(3.0, -1.0, 2.0).asDiagonal().toDenseMatrix());
  MatX none(0, 0);
  diagonalize(none, none);
}

}  // namespace symmetric_test
}  // namespace limber
