// Eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction to a tridiagonal matrix, then QL steps
// with implicit shifts (tred2 and tql2: Bowdler, Martin, Reinsch and Wilkinson 1968). Eigen's solver takes seconds to
// compile and asks for memory.
#pragma once

#include "limber/base/vector.h"

namespace limber {

// Turns the symmetric matrix A into its diagonal form Vᵀ A V: the eigenvalues, ascending, on the diagonal of A, and
// their unit eigenvectors in the columns of V. Allocates nothing. Some 9 n³ operations.
void diagonalize(Eigen::Ref<MatX> A, Eigen::Ref<MatX> V);

}  // namespace limber
