// Eigen's decompositions as references, compiled once: their templates take seconds in each test that uses one.
#pragma once

#include <optional>

#include "limber/base/vector.h"

namespace limber::testing {

// The shortest x of least ‖A x - b‖.
VecX solve_dense(const MatX& A, const VecX& b);

// Nothing if A is not invertible.
std::optional<VecX> solve_invertible(const MatX& A, const VecX& b);

MatX inverse_of(const MatX& A);

// The largest first.
VecX singular_values(const MatX& A);

// Of a symmetric matrix, the smallest first.
VecX eigenvalues_of(const MatX& A);

// Q of A = QR.
MatX orthogonal_of(const MatX& A);

}  // namespace limber::testing
