// Angles of a figure with which its parts are where they should be, as nearly as a few steps get.
//
//   min  Σ w_k ‖x_k(θ) - t_k‖²  +  Σ d_j (θ_j - θ0_j)²
//
// over the points and directions x_k of the parts, within the box limits, by a few steps of Levenberg-Marquardt: a step
// that does not improve is not taken. Where all parts are where they should be at θ0, the answer is θ0.
#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "limber/kinematics/forward.h"

namespace limber {

class PartFit {
 public:
  struct Part {
    Handle handle;  // a point or directions
    double weight = 1.0;
  };
  PartFit(const Figure& figure, std::vector<Part> parts, VecX damping);

  // Targets of all elements of all parts, in their order; theta is the start and the answer. Allocates nothing after
  // the first call.
  void fit(std::span<const Vec3> targets, const VecX& from, VecX& theta);
  std::size_t targets() const { return static_cast<std::size_t>(rows_) / 3; }

 private:
  double misfit(std::span<const Vec3> targets, const VecX& from, const VecX& theta);
  void linearize(const VecX& from, const VecX& theta);

  Figure figure_;
  std::vector<Part> parts_;
  VecX damping_;
  Eigen::Index rows_ = 0;
  Kinematics state_;
  VecX q_, row_q_, row_theta_, residual_, gradient_, step_, trial_;
  MatX J_points_, J_directions_, J_, H_, damped_;
  Eigen::LLT<MatX> factor_;
};

}  // namespace limber
