// Symmetric positive systems of 3 × 3 blocks, of which the lower triangle is given, row by row.
#pragma once

#include "limber/lanes/triple.h"

namespace limber {

template <class Real>
struct TripleBlock {
  Triple<Real> column[3];
};

template <class Real>
LIMBER_ANYWHERE inline Triple<Real> times(const TripleBlock<Real>& A, const Triple<Real>& v) {
  return v[0] * A.column[0] + v[1] * A.column[1] + v[2] * A.column[2];
}

// The inverse of a symmetric positive block.
template <class Real>
LIMBER_ANYWHERE inline TripleBlock<Real> inverse(const TripleBlock<Real>& A) {
  const Triple<Real> yz = cross(A.column[1], A.column[2]), zx = cross(A.column[2], A.column[0]),
                     xy = cross(A.column[0], A.column[1]);
  const Real by = Real(typename NumberOf<Real>::Scalar(1)) / dot(A.column[0], yz);
  return {{by * yz, by * zx, by * xy}};
}

// z = A⁻¹ right for m × m blocks, by A = L D Lᵀ in blocks: L_ab = A_ab D_b⁻¹. Overwrites A; D becomes the inverses of
// the diagonal.
template <class Real>
LIMBER_ANYWHERE inline void solve_blocks(int m, TripleBlock<Real>* A, TripleBlock<Real>* D, const Triple<Real>* right,
                                         Triple<Real>* z) {
  for (int a = 0; a < m; ++a) z[a] = right[a];
  for (int b = 0; b < m; ++b) {
    D[b] = inverse(A[b * m + b]);
    const Triple<Real> known = times(D[b], z[b]);
    for (int a = b + 1; a < m; ++a) {
      const TripleBlock<Real>& Aab = A[a * m + b];
      z[a] -= times(Aab, known);
      // A_ac -= L_ab A_cbᵀ.
      TripleBlock<Real> L;
      for (int k = 0; k < 3; ++k) L.column[k] = times(Aab, D[b].column[k]);
      for (int c = b + 1; c <= a; ++c) {
        const TripleBlock<Real>& C = A[c * m + b];
        TripleBlock<Real>& out = A[a * m + c];
        for (int k = 0; k < 3; ++k)
          out.column[k] -= C.column[0][k] * L.column[0] + C.column[1][k] * L.column[1] + C.column[2][k] * L.column[2];
      }
    }
  }
  for (int b = m - 1; b >= 0; --b) {
    Triple<Real> rest = z[b];
    for (int a = b + 1; a < m; ++a) {
      const TripleBlock<Real>& Aab = A[a * m + b];
      rest -= Triple<Real>{dot(Aab.column[0], z[a]), dot(Aab.column[1], z[a]), dot(Aab.column[2], z[a])};
    }
    z[b] = times(D[b], rest);
  }
}

}  // namespace limber
