// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's cyclic rotations. Eigen's solver takes seconds
// to compile, which for a few rows is not worth it.
#pragma once

#include "limber/base/vector.h"

namespace limber {

// Turns the symmetric matrix A into its diagonal form Vᵀ A V: the eigenvalues, ascending, on the diagonal of A, and
// their unit eigenvectors in the columns of V. Allocates nothing. O(n³) per sweep, some six sweeps.
void diagonalize(Eigen::Ref<MatX> A, Eigen::Ref<MatX> V);

}  // namespace limber
