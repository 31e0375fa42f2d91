// The input of the residual methods: rows r(x) and their Jacobian J = ∂r/∂x, ordered by level.
//
//   level 0   hard constraints: rows that must vanish (weight `must`)
//   level 1   minimises ‖r‖² over its rows, as far as level 0 allows
//   level 2   likewise, without disturbing level 1; and so on
//
// A method that supports no levels rejects problems that have more than level 1.
#pragma once

#include <type_traits>
#include <vector>

#include "limber/base/vector.h"

namespace limber {

// A reference to an object with the members below; costs no allocation and owns nothing.
class LeastSquares {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_const_t<F>, LeastSquares>)
  LeastSquares(F& function)  // NOLINT: implicit on purpose
      : self_(&function),
        level_ends_([](void* self) -> const std::vector<int>& { return static_cast<F*>(self)->level_ends(); }),
        residual_([](void* self, const VecX& x, VecX& r) { static_cast<F*>(self)->residual(x, r); }),
        jacobian_([](void* self, const VecX& x, MatX& J) { static_cast<F*>(self)->jacobian(x, J); }) {
    if constexpr (requires(F& f, const VecX& v, MatX& H) { f.add_curvature(v, v, H); }) {
      has_curvature_ = function.has_curvature();
      add_curvature_ = [](void* self, const VecX& x, const VecX& weights, MatX& H) {
        static_cast<F*>(self)->add_curvature(x, weights, H);
      };
    }
  }

  // The rows of level k are those from level_ends()[k - 1] (0 for k = 0) up to level_ends()[k]. At least two entries;
  // the first is 0 if there is no hard constraint.
  const std::vector<int>& level_ends() const { return level_ends_(self_); }
  int rows() const { return level_ends().back(); }
  int must_rows() const { return level_ends().front(); }

  // r at x; r has rows() entries.
  void residual(const VecX& x, VecX& r) const { residual_(self_, x, r); }
  // J at x, rows() × variables. Methods call it at the point where they last called residual(), so an implementation
  // may reuse that evaluation.
  void jacobian(const VecX& x, MatX& J) const { jacobian_(self_, x, J); }

  // Optional: H += Σ w_k ∇²r_k at x, symmetric, over the rows that know it.
  bool has_curvature() const { return has_curvature_; }
  void add_curvature(const VecX& x, const VecX& weights, MatX& H) const { add_curvature_(self_, x, weights, H); }

 private:
  void* self_;
  const std::vector<int>& (*level_ends_)(void*);
  void (*residual_)(void*, const VecX&, VecX&);
  void (*jacobian_)(void*, const VecX&, MatX&);
  bool has_curvature_ = false;
  void (*add_curvature_)(void*, const VecX&, const VecX&, MatX&) = nullptr;
};

}  // namespace limber
