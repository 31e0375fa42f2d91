// Levenberg-Marquardt under linear limits: the default.
//
//   min ‖r(x)‖²  under  lower <= x <= upper,  aᵀx = b,  aᵀx <= b,  and c(x) = 0 for hard constraints
//
// Each iteration solves the damped Gauss-Newton model exactly under the limits,
//
//   min ‖r + J s‖² + μ‖s‖²   with x + s feasible and J_c s = 0,
//
// by a primal active-set method that starts from s = 0: a limit that blocks the step to the minimum on the current face
// joins it, one with a multiplier of the wrong sign leaves it. On a face with projection P the minimum is
//
//   s = P Jᵀ z,  (J P Jᵀ + μ I) z = -r,
//
// a system of the size of the residuals, not of the variables. If there are more residuals than variables, the normal
// equations are smaller: over the free variables, with Q the normals of the face's other limits,
//
//   (JᵀJ + μ I) s + Q λ = -Jᵀr,  Qᵀ s unchanged.
//
// A step is accepted if ‖r‖² decreases. μ is adapted by the ratio of the actual decrease to the predicted one (Nielsen
// 1999) and is proportional to ‖r‖. If the goals can be met, it vanishes, and convergence is quadratic (Fan and Yuan
// 2005).
//
// Where an error remains, ‖r‖ is no small number and Gauss-Newton steps converge slowly. Then, on request, the model
// gets the curvature of the residuals, and that of the rows that are kept, with their multipliers ν: with L = ‖r‖² +
// νᵀc,
//
//   ½ ∇²L = JᵀJ + S,   S = Σ r_k ∇²r_k + ½ Σ ν_k ∇²c_k,
//
// so that the end is quadratic there as well. On the face J_c s does not change, so that ρ Q Qᵀ added to it changes no
// step; it makes the matrix positive where only its part along the face is. Where not even that is, μ grows.
//
// The hard constraints are met first, by the same method; then each trial point is brought back onto c(x) = 0 before it
// is judged, so that every iterate holds it. The levels of program/least_squares.h are solved one after the other, each
// on the surface where the rows above it keep their values.
//
// Every iterate is feasible, and the level being solved never increases. Iterations do not allocate after reserve().
#pragma once

#include <vector>

#include "limber/program/active_face.h"
#include "limber/program/independent_rows.h"
#include "limber/program/kkt.h"
#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/method.h"

namespace limber {

class LevenbergMarquardt {
 public:
  // Whether to end as `stalled` where ‖r‖² decreases slowly towards a minimum above 0, so that a method that sees
  // curvature can go on from there. Gauss-Newton steps converge linearly there.
  bool leaves_remainder = false;
  // Whether to take the curvature of the rows that know theirs, where ‖r‖² decreases slowly.
  bool takes_curvature = false;
  // Where to take the first damping of the last level from, and to leave the last one: for problems that differ a
  // little, one after the other. 0 there stands for none yet.
  double* resumed = nullptr;

  // Allocates for problems with such levels (LeastSquares::level_ends).
  void reserve(const Limits& limits, const std::vector<int>& level_ends);

  // Minimises from x, which must be feasible (program/feasible.h). The outcome's value is ‖r‖² over all rows but those
  // of hard constraints.
  Outcome minimize(LeastSquares problem, const Limits& limits, VecX& x, const MethodOptions& options,
                   const Observer& observer = {});

  // The inverse of the damped model's Hessian, ½ (JᵀJ + μ I)⁻¹, where the last minimize() ended; of one level.
  void inverse_hessian(MatX& H);

 private:
  // Rows with many entries are added to the normal equations so many at a time.
  static constexpr int max_full_rows = 64;

  struct Level {
    int begin;  // rows before it are kept
    int end;
    int rows() const { return end - begin; }
  };

  void minimize_level(LeastSquares problem, const Limits& limits, const Level& level, VecX& x, double tolerance,
                      Loop& loop);
  double stationarity(const Limits& limits, const Level& level, const VecX& x);
  void make_model(const Level& level);
  void make_normal_equations();
  void add_curvature(LeastSquares problem, const Limits& limits, const Level& level, const VecX& x);
  void find_step(const Limits& limits, const Level& level, const VecX& x, double mu);
  double round_work() const;
  void face_minimum(double mu);
  void dual_minimum(double mu);
  void primal_minimum(double mu);
  bool is_primal() const { return curved_ || m_ > static_cast<int>(J_.cols()); }
  // M, the level's rows of J, and one of its columns.
  auto M() const { return J_.middleRows(first_, m_); }
  auto M_column(Eigen::Index i) const { return J_.col(i).segment(first_, m_); }
  bool find_trial(LeastSquares problem, const Limits& limits, const Level& level, const VecX& x, Loop& loop);
  double block(const Limits& limits, const VecX& x, int& limit) const;

  ActiveFace face_;
  Kkt kkt_;
  IndependentRows kept_rows_;  // of those that are kept
  Limits tangent_;             // the limits, and these as equalities
  std::vector<int> start_;     // limits of the face that a step starts on
  std::vector<char> counted_;  // by variable: its column is in gram_
  MatX J_;                     // of all rows
  int first_ = 0, m_ = 0;      // the level's rows: the first one, and how many
  MatX H_;                     // MᵀM, where there are more rows than variables; + S where that is taken
  bool curved_ = false;        // whether S is
  bool indefinite_ = false;    // whether H + μI was not positive on a face of the last step
  VecX weights_;               // of S, by row
  VecX Mr_;                    // Mᵀr
  MatX full_;                  // some rows of M that have many entries
  std::vector<int> entries_;   // of the current row
  std::vector<int> free_;      // variables of the face
  double mu_ = 0.0;            // of the last step
  MatX gram_, factor_, B_, schur_;
  VecX z_primal_, schur_right_;
  VecX r_, r_trial_, kept_, rm_, g_, s_, u_, un_, z_, model_, lambda_, x_trial_, error_;
};

}  // namespace limber
