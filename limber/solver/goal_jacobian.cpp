#include "limber/solver/goal_jacobian.h"

#include <algorithm>
#include <cmath>

#include "limber/problem/assembly.h"
#include "limber/solver/check.h"
#include "limber/solver/residual/jacobi_svd.h"
#include "limber/solver/start.h"

namespace limber {

namespace {

// The singular values of M, decreasing, by its columns or by its rows, whichever are fewer.
VecX singular_values_of(const MatX& M) {
  const MatX narrow = M.cols() <= M.rows() ? M : M.transpose();
  JacobiSvd svd;
  svd.reserve(static_cast<int>(narrow.rows()), static_cast<int>(narrow.cols()));
  svd.W = narrow;
  svd.compute();
  std::sort(svd.sigma.begin(), svd.sigma.end(), std::greater());
  return svd.sigma;
}

}  // namespace

double GoalJacobian::condition() const {
  if (singular_values.size() == 0) return 1.0;
  if (rank < singular_values.size()) return infinity;
  return singular_values[0] / singular_values[singular_values.size() - 1];
}

namespace {

// The goals as rows, in metres per radian or metre.
class GoalMatrix {
 public:
  GoalMatrix(const Problem& problem, const VecX& theta) : problem_(problem), assembly_(problem), variables_(problem) {
    assembly_.start(theta, phi_);
    for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
      if (problem.constraints()[c].alternatives().empty()) continue;
      const RowRange& of = assembly_.rows_of(c);
      for (int i = of.begin; i < of.begin + of.count; ++i) {
        taken_.push_back(i);
        constraints.push_back(static_cast<int>(c));
      }
    }
  }

  std::vector<int> constraints;  // by row

  const std::vector<int>& parameters() const { return variables_.parameters(); }

  // At the pose, and at others within the limits of single parameters that no symmetry of the figure singles out.
  MatX at(int point) {
    VecX phi = phi_;
    const Limits& limits = assembly_.limits();
    for (Eigen::Index i = 0; point > 0 && i < phi.size(); ++i)
      phi[i] = std::clamp(phi[i] + 0.5 * std::sin(1.0 + 12.9898 * static_cast<double>((i + 1) * point)),
                          limits.lower[i], limits.upper[i]);
    assembly_.jacobian(phi, rows_);
    MatX J(static_cast<Eigen::Index>(taken_.size()), variables_.count());
    for (std::size_t i = 0; i < taken_.size(); ++i)
      J.row(static_cast<Eigen::Index>(i)) =
          rows_.row(taken_[i]) / assembly_.row_scale_of(static_cast<std::size_t>(constraints[i]));
    for (int j = 0; j < variables_.count(); ++j) J.col(j) /= variables_.scale(j);
    return J;
  }

  // Lengths in lengths of the figure.
  VecX singular_values(const MatX& J) const {
    const Figure& figure = problem_.figure();
    MatX dimensionless = J;
    for (int j = 0; j < variables_.count(); ++j)
      if (!figure.parameters()[static_cast<std::size_t>(variables_.parameter(j))].translates)
        dimensionless.col(j) /= figure.length();
    return singular_values_of(dimensionless);
  }

 private:
  const Problem& problem_;
  Assembly assembly_;
  const Variables variables_;
  VecX phi_;
  std::vector<int> taken_;  // rows of the assembly
  MatX rows_;
};

constexpr double rank_tolerance = 1e-10;  // relative to the largest singular value
constexpr int points_for_rank = 3;

int rank_of(const VecX& sigma) {
  return sigma.size() == 0 ? 0 : static_cast<int>((sigma.array() > rank_tolerance * sigma[0]).count());
}

}  // namespace

Expected<GoalJacobian> goal_jacobian(const Problem& problem, const Pose& pose) {
  if (const std::optional<Diagnostic> why = rejection(problem, pose, Options())) return std::unexpected(*why);
  VecX theta = pose.theta;
  if (const Starts::Projected start = Starts(problem).project(theta); start.contradiction)
    return std::unexpected(*start.contradiction);
  GoalMatrix goals(problem, theta);
  GoalJacobian out{goals.at(0), goals.constraints, goals.parameters(), {}, 0};
  const VecX sigma = goals.singular_values(out.J);
  out.rank = rank_of(sigma);
  int full = out.rank;
  for (int k = 1; k <= points_for_rank; ++k) full = std::max(full, rank_of(goals.singular_values(goals.at(k))));
  out.singular_values = sigma.head(full);
  return out;
}

}  // namespace limber
