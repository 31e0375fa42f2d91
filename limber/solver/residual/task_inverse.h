// The smallest step for a task, over variables that are removed one by one.
//
//   v = J⁺ t = Jᵀ z,   (J Jᵀ + λ² I) z = t          λ = 0: the pseudoinverse; else damped least squares    W93 (3.9)
//
// Singular values that are small beside the largest are left out where λ is not as large. With J = U Σ Vᵀ from the
// eigenvectors of J Jᵀ or JᵀJ, whichever is smaller,
//
//   A = Uᵀ J,   b = Uᵀ t,   v = Aᵀ z,   (A Aᵀ + λ² I) z = b.
//
// Without variable i, A Aᵀ is smaller by a aᵀ, a its column: no other decomposition is needed, and M = A Aᵀ + λ² I is
// factorised by Cholesky. The smallest singular value is at least 1 / ‖L⁻¹‖. Where that does not exclude a small one,
// inverse iteration finds its direction y, and a reflection that maps y to the last axis removes it from M. What is
// small, and λ, are parts of the largest singular value with the variables that remain, so this may change.
//
// Squares of singular values are known to the rounding of the largest square, so those below min_part of the largest
// one of J are left out for good.
//
// With k = min(rows, variables): start() takes O(k² max) + O(k³), each step after a removal O(k³ / 3) + O(k variables).
// Nothing allocates after reserve().
#pragma once

#include "limber/base/vector.h"

namespace limber {

class TaskInverse {
 public:
  static constexpr double min_part = 1e-6;

  void reserve(int rows, int variables);

  // Of J, with all variables. Both are parts of the largest singular value, also where variables are removed.
  void start(const MatX& J, double truncation, double damping);
  void set_task(const MatX& J, const VecX& task);
  void remove(int variable);

  // v += J⁺ task.
  void add_step(VecX& v);
  // y ← (I - J⁺J) y, whose entries are 0 for variables that are removed.
  void project(VecX& y);

 private:
  void decompose(const MatX& J);
  void scale(double largest_square);
  double largest_square();
  bool has_small();
  double find_weakest();
  void take_reflection();
  void reflect(Eigen::Ref<MatX> M);
  void leave_out_weakest();
  void factorize();
  void solve();

  bool is_wide_ = true;  // no more rows than variables
  bool is_factored_ = false;
  int rank_ = 0;  // of A
  int size_ = 0;  // of M: without directions that are small now
  double truncation_ = 0.0, damping_ = 0.0;
  double noise_square_ = 0.0, min_square_ = 0.0, lambda_square_ = 0.0;
  MatX eigen_, V_;  // V: eigenvectors of J Jᵀ or JᵀJ, ascending
  VecX sigma_;      // of all of them
  MatX A_, gram_, M_, factor_;
  MatX reflections_;  // by size before: u of I - u uᵀ
  VecX b_, z_, y_, Gy_, column_;
};

}  // namespace limber
