#include "limber/posing/part_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

namespace {

// The pull of a solve needs no exact fit.
constexpr int fit_steps = 5;
// The damping of the first step relative to the diagonal, and its change after a step.
constexpr double first_damping = 1e-2, damping_change = 10.0;

}  // namespace

PartFit::PartFit(const Figure& figure, std::vector<Part> parts, VecX damping)
    : figure_(figure), parts_(std::move(parts)), damping_(std::move(damping)), state_(figure) {
  for (const Part& part : parts_) rows_ += 3 * part.handle.count();
  const auto freedoms = static_cast<Eigen::Index>(figure.freedoms().size());
  const auto parameters = static_cast<Eigen::Index>(figure.parameters().size());
  q_.resize(freedoms);
  row_q_.resize(freedoms);
  row_theta_.resize(parameters);
  residual_.resize(rows_);
  J_.resize(rows_, parameters);
  H_.resize(parameters, parameters);
  damped_.resize(parameters, parameters);
  for (VecX* each : {&gradient_, &step_, &trial_}) each->resize(parameters);
  factor_ = Eigen::LLT<MatX>(parameters);
}

// The objective; leaves the state and the residuals of theta.
double PartFit::misfit(std::span<const Vec3> targets, const VecX& from, const VecX& theta) {
  figure_.angles(theta, q_);
  forward(figure_, q_, state_);
  Eigen::Index row = 0;
  for (const Part& part : parts_) {
    Vec3 x[max_elements];
    evaluate(figure_, state_, part.handle, x);
    for (int k = 0; k < part.handle.count(); ++k, row += 3)
      residual_.segment<3>(row) = std::sqrt(part.weight) * (x[k] - targets[static_cast<std::size_t>(row / 3)]);
  }
  return residual_.squaredNorm() + damping_.dot((theta - from).cwiseAbs2());
}

// H and the gradient at theta, whose state and residuals are known.
void PartFit::linearize(const VecX& from, const VecX& theta) {
  Eigen::Index row = 0;
  for (const Part& part : parts_) {
    MatX& J = part.handle.shape == Shape::point ? J_points_ : J_directions_;
    jacobian(figure_, state_, part.handle, J);
    for (Eigen::Index i = 0; i < J.rows(); ++i, ++row) {
      row_q_ = std::sqrt(part.weight) * J.row(i).transpose();
      figure_.pull_back(theta, row_q_, row_theta_);
      J_.row(row) = row_theta_.transpose();
    }
  }
  H_.noalias() = J_.transpose().lazyProduct(J_);
  H_.diagonal() += damping_;
  gradient_.noalias() = J_.transpose() * residual_;
  gradient_ += damping_.cwiseProduct(theta - from);
}

void PartFit::fit(std::span<const Vec3> targets, const VecX& from, VecX& theta) {
  assert(targets.size() == this->targets());
  double best = misfit(targets, from, theta), damping = first_damping;
  linearize(from, theta);
  for (int step = 0; step < fit_steps; ++step) {
    damped_ = H_;
    damped_.diagonal() *= 1.0 + damping;
    factor_.compute(damped_);
    step_ = gradient_;
    factor_.solveInPlace(step_);
    for (std::size_t k = 0; k < figure_.parameters().size(); ++k) {
      const Range& range = figure_.parameters()[k].range;
      const auto j = static_cast<Eigen::Index>(k);
      trial_[j] = std::clamp(theta[j] - step_[j], range.lower, range.upper);
    }
    const double misfit_there = misfit(targets, from, trial_);
    if (misfit_there < best) {
      best = misfit_there;
      theta = trial_;
      damping /= damping_change;
      if (step + 1 < fit_steps) linearize(from, theta);
    } else {
      damping *= damping_change;
    }
  }
}

}  // namespace limber
