#include "limber/problem/pull_rows.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// k by parameter; null for a pull by a matrix.
const VecX* stiffness_of(const PosePull& pull) {
  if (const auto* by_stiffness = std::get_if<PullByStiffness>(&pull)) return &by_stiffness->stiffness;
  if (const auto* to_comfort = std::get_if<PullToComfort>(&pull)) return &to_comfort->stiffness;
  return nullptr;
}

std::vector<int> pulled_variables(const VecX& stiffness, const Variables& variables) {
  std::vector<int> pulled;
  for (int i = 0; i < variables.count(); ++i)
    if (stiffness[variables.parameter(i)] > 0.0) pulled.push_back(i);
  return pulled;
}

}  // namespace

PullRows::PullRows(const Problem& problem, const RowLayout& rows, const Variables& variables) : problem_(problem) {
  for (const std::size_t c : rows.order()) {
    const PosePull* pull = problem.constraints()[c].pull();
    if (!pull) continue;
    const VecX* stiffness = stiffness_of(*pull);
    blocks_.push_back({c, stiffness ? pulled_variables(*stiffness, variables) : std::vector<int>()});
  }
  off_.resize(static_cast<Eigen::Index>(problem.figure().parameters().size()));
  Eigen::Index max_rows = 0;
  for (const Constraint& constraint : problem.constraints())
    if (const PosePull* pull = constraint.pull())
      if (const auto* by_matrix = std::get_if<PullByMatrix>(pull))
        max_rows = std::max(max_rows, by_matrix->root.rows());
  r_.resize(max_rows);
}

int PullRows::row_count(const PosePull& pull, const Variables& variables) {
  if (const auto* by_matrix = std::get_if<PullByMatrix>(&pull)) return static_cast<int>(by_matrix->root.rows());
  return static_cast<int>(pulled_variables(*stiffness_of(pull), variables).size());
}

// √k in metres per unit of θ, and θ_j - t_j or d_j, for a pull with a stiffness.
PullRows::Term PullRows::term(const PosePull& pull, int parameter, const VecX& theta) const {
  const double metres = problem_.figure().parameters()[parameter].translates ? 1.0 : default_c;
  const double root = metres * std::sqrt((*stiffness_of(pull))[parameter]);
  if (const auto* by_stiffness = std::get_if<PullByStiffness>(&pull))
    return {root, theta[parameter] - by_stiffness->target[parameter], 1.0};
  const JointComfort::Discomfort d = std::get_if<PullToComfort>(&pull)->comfort.at(parameter, theta[parameter]);
  return {root, d.value, d.slope};
}

Eigen::Ref<VecX> PullRows::matrix_residual(const PullByMatrix& pull, const VecX& theta) {
  off_.noalias() = theta - pull.target;
  r_.head(pull.root.rows()).noalias() = pull.root * off_;
  return r_.head(pull.root.rows());
}

double PullRows::value(const PosePull& pull, const Variables& variables, const VecX& theta) {
  if (const auto* by_matrix = std::get_if<PullByMatrix>(&pull)) return matrix_residual(*by_matrix, theta).squaredNorm();
  double sum = 0.0;
  for (int i = 0; i < variables.count(); ++i) {
    const Term at = term(pull, variables.parameter(i), theta);
    const double r = at.root * at.value;
    sum += r * r;
  }
  return sum;
}

double PullRows::add_gradient(const PosePull& pull, double factor, const Variables& variables, const VecX& theta,
                              VecX& gradient) {
  if (const auto* by_matrix = std::get_if<PullByMatrix>(&pull)) {
    const Eigen::Ref<VecX> r = matrix_residual(*by_matrix, theta);
    for (int i = 0; i < variables.count(); ++i)
      gradient[i] += 2.0 * factor * variables.scale(i) * by_matrix->root.col(variables.parameter(i)).dot(r);
    return factor * r.squaredNorm();
  }
  double sum = 0.0;
  for (int i = 0; i < variables.count(); ++i) {
    const Term at = term(pull, variables.parameter(i), theta);
    const double r = at.root * at.value;
    sum += r * r;
    gradient[i] += 2.0 * factor * r * at.root * at.slope * variables.scale(i);
  }
  return factor * sum;
}

void PullRows::add_value(const RowLayout& rows, const Variables& variables, const VecX& theta, double& value,
                         VecX& gradient) {
  for (const Block& block : blocks_)
    value += add_gradient(pull_of(block), rows.square_scale(block.constraint), variables, theta, gradient);
}

void PullRows::residual(const RowLayout& rows, const Variables& variables, const VecX& theta, VecX& r) {
  for (const Block& block : blocks_) {
    const PosePull& pull = pull_of(block);
    const RowRange& range = rows.of(block.constraint);
    const double scale = rows.row_scale(block.constraint);
    if (const auto* by_matrix = std::get_if<PullByMatrix>(&pull)) {
      r.segment(range.begin, range.count) = scale * matrix_residual(*by_matrix, theta);
      continue;
    }
    for (int k = 0; k < range.count; ++k) {
      const Term at = term(pull, variables.parameter(block.pulled[k]), theta);
      r[range.begin + k] = scale * at.root * at.value;
    }
  }
}

void PullRows::jacobian(const RowLayout& rows, const Variables& variables, const VecX& theta, MatX& J) const {
  for (const Block& block : blocks_) {
    const PosePull& pull = pull_of(block);
    const RowRange& range = rows.of(block.constraint);
    const double scale = rows.row_scale(block.constraint);
    if (const auto* by_matrix = std::get_if<PullByMatrix>(&pull)) {
      for (int i = 0; i < variables.count(); ++i)
        J.col(i).segment(range.begin, range.count) =
            (scale * variables.scale(i)) * by_matrix->root.col(variables.parameter(i));
      continue;
    }
    for (int k = 0; k < range.count; ++k) {
      const int i = block.pulled[k];
      const Term at = term(pull, variables.parameter(i), theta);
      J(range.begin + k, i) = scale * at.root * at.slope * variables.scale(i);
    }
  }
}

}  // namespace limber
