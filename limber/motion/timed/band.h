// A symmetric positive definite matrix of many small blocks, one a frame, where frames k, k+1 and k, k+2 couple by
// diagonals:
//
//   M_kk = A_k,   M_{k+1,k} = diag(c_k),   M_{k+2,k} = diag(e_k)
//
// Its Cholesky factor has dense blocks L_k on the diagonal, U_k below and, below that, diag(e_k) L_k⁻ᵀ:
//
//   L_k L_kᵀ = A_k - U_{k-1} U_{k-1}ᵀ - V_{k-2} V_{k-2}ᵀ,   V_k = diag(e_k) L_k⁻ᵀ
//   U_k      = (diag(c_k) - V_{k-1} U_{k-1}ᵀ) L_k⁻ᵀ
//
// Kept are L_k⁻¹ and U_k. About 4 n³ operations a frame; memory for two blocks a frame.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

// A += U Uᵀ, the lower triangle of a block: U has so many columns, each of the block's stride, zero beyond n.
void add_square(const double* U, int columns, int n, int stride, double* A);

class Band {
 public:
  void resize(int frames, int n);
  int frames() const { return frames_; }
  int size() const { return n_; }

  // A_k, of which the lower triangle counts: a column has stride() entries. Set it before each factor(), which puts
  // its own numbers there.
  double* block(int frame) { return blocks_.data() + static_cast<std::size_t>(frame) * area_; }
  int stride() const { return stride_; }
  MatX next, after;  // c and e, a column a frame; the last one and two do not count

  // x_i of a frame is to be 0: its row and column become those of the identity. To be said when all of M is set.
  struct Held {
    int i;
    int frame;
  };
  void hold(int i, int frame);
  void free_all();
  const std::vector<Held>& held() const { return held_; }
  // (M x)_i of what is held, by the row that it had.
  double held_row_times(std::size_t held, const MatX& x) const;

  // False where the matrix is not positive definite to rounding.
  bool factor();
  // M x = b in place, a column a frame; for what is held, b does not count.
  void solve(MatX& b) const;

 private:
  const double* below(int frame) const { return below_.data() + static_cast<std::size_t>(frame) * area_; }

  int frames_ = 0, n_ = 0, stride_ = 0;
  std::size_t area_ = 0;
  std::vector<double> blocks_;  // A_k, then L_k⁻¹
  std::vector<double> below_;   // U_k
  std::vector<Held> held_;
  std::vector<double> held_rows_;  // n of the block, then the couplings with two frames before and after
  std::vector<double> upper_[2], cross_, inverse_;  // scratch: V of the last two frames, and others
};

}  // namespace limber
