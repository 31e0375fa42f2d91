// A = L Lᵀ, in place: L is in the lower triangle, the upper one is not read. Eigen's own asks for memory where the
// matrix is a part of another.
#pragma once

#include "limber/base/vector.h"

namespace limber {

// False where A is not positive.
inline bool factor_cholesky(Eigen::Ref<MatX> A) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(A(j, j) > 0.0)) return false;
    A.col(j).tail(n - j) /= std::sqrt(A(j, j));
    for (Eigen::Index k = j + 1; k < n; ++k)
      if (A(k, j) != 0.0) A.col(k).tail(n - k) -= A(k, j) * A.col(j).tail(n - k);
  }
  return true;
}

// b ← L⁻¹ b.
inline void solve_forward(const Eigen::Ref<const MatX>& L, Eigen::Ref<VecX> b) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (b[j] == 0.0) continue;
    b[j] /= L(j, j);
    b.tail(n - j - 1) -= b[j] * L.col(j).tail(n - j - 1);
  }
}

// b ← L⁻ᵀ b.
inline void solve_back(const Eigen::Ref<const MatX>& L, Eigen::Ref<VecX> b) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index j = n; j-- > 0;) b[j] = (b[j] - L.col(j).tail(n - j - 1).dot(b.tail(n - j - 1))) / L(j, j);
}

inline void solve_factored(const Eigen::Ref<const MatX>& L, Eigen::Ref<VecX> b) {
  solve_forward(L, b);
  solve_back(L, b);
}

}  // namespace limber
