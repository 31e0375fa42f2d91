#include "limber/problem/variables.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Of a row's normal: a part this short is the rounding of 0, as of the cosine of a right angle.
constexpr double normal_rounding = 1e-14;

}  // namespace

Variables::Variables(const Problem& problem) : figure_(problem.figure()) {
  for (const int j : problem.variables()) {
    const Parameter& parameter = figure_.parameters()[j];
    const double scale = (1.0 - problem.rigidities()[j]) * unit_of(j) / std::sqrt(parameter.range.stiffness);
    if (!(scale > 0.0) || parameter.range.lower == parameter.range.upper) continue;
    parameters_.push_back(j);
    scales_.push_back(scale);
  }
  limits_ = Limits(count());
  range_lower_.resize(count());
  range_upper_.resize(count());
  gradient_theta_.resize(static_cast<Eigen::Index>(figure_.parameters().size()));
  std::vector<int> variable_of(figure_.parameters().size(), -1);
  for (int i = 0; i < count(); ++i) {
    const Parameter& parameter = figure_.parameters()[parameters_[i]];
    range_lower_[i] = parameter.range.lower;
    range_upper_[i] = parameter.range.upper;
    limits_.lower[i] = parameter.range.lower / scales_[i];
    limits_.upper[i] = parameter.range.upper / scales_[i];
    variable_of[parameters_[i]] = i;
    if (parameter.group == no_group) freedoms_.push_back(parameter.drives.front());
  }
  if (static_cast<int>(freedoms_.size()) < count()) freedoms_.clear();
  for (std::size_t k = 0; k < figure_.limit_rows().size(); ++k) {
    const LimitRow& row = figure_.limit_rows()[k];
    std::vector<int> columns;
    std::vector<double> coefficients;
    double longest = 0.0;
    for (std::size_t t = 0; t < row.parameters.size(); ++t)
      longest = std::fmax(longest, std::fabs(row.coefficients[t]) * unit_of(row.parameters[t]));
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const int i = variable_of[row.parameters[t]];
      if (i < 0 || std::fabs(row.coefficients[t]) * unit_of(row.parameters[t]) <= normal_rounding * longest) continue;
      columns.push_back(i);
      coefficients.push_back(row.coefficients[t] * scales_[i]);
    }
    if (columns.empty()) continue;
    limits_.add_row(columns, coefficients, 0.0, row.relation == Relation::equal);
    limit_rows_.push_back(static_cast<int>(k));
  }
}

double Variables::unit_of(int parameter) const {
  return figure_.parameters()[parameter].translates ? figure_.length() : 1.0;
}

void Variables::start(const VecX& theta) {
  for (std::size_t k = 0; k < limit_rows_.size(); ++k) {
    const LimitRow& row = figure_.limit_rows()[limit_rows_[k]];
    double bound = row.bound, square = 0.0;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      const auto at = std::lower_bound(parameters_.begin(), parameters_.end(), row.parameters[t]);
      if (at != parameters_.end() && *at == row.parameters[t]) {
        const double a = row.coefficients[t] * scales_[static_cast<std::size_t>(at - parameters_.begin())];
        square += a * a;
      } else {
        bound -= row.coefficients[t] * theta[row.parameters[t]];
      }
    }
    limits_.rows[k].bound = bound / std::sqrt(square);  // add_row() makes the row a unit vector
  }
}

void Variables::phi_of(const VecX& theta, VecX& phi) const {
  phi.resize(count());
  for (int i = 0; i < count(); ++i)
    phi[i] = std::clamp(theta[parameters_[i]] / scales_[i], limits_.lower[i], limits_.upper[i]);
}

void Variables::theta_of(const VecX& phi, VecX& theta) const {
  for (int i = 0; i < count(); ++i) {
    // Exactly the limit if φ is at its own limit, despite rounding in the scaling.
    const double lower = range_lower_[i], upper = range_upper_[i];
    double value = scales_[i] * phi[i];
    value = phi[i] <= limits_.lower[i] ? lower : value;
    value = phi[i] >= limits_.upper[i] ? upper : value;
    theta[parameters_[i]] = std::min(std::max(value, lower), upper);
  }
}

void Variables::angles_of(const VecX& theta, VecX& q) const {
  if (freedoms_.empty()) {
    figure_.angles(theta, q);
    return;
  }
  for (int i = 0; i < count(); ++i) q[freedoms_[i]] = theta[parameters_[i]];
}

void Variables::pull_back(const VecX& theta, const VecX& gradient_q, VecX& gradient) {
  if (!freedoms_.empty()) {
    for (int i = 0; i < count(); ++i) gradient[i] = scales_[i] * gradient_q[freedoms_[i]];
    return;
  }
  figure_.pull_back(theta, gradient_q, gradient_theta_);
  for (int i = 0; i < count(); ++i) gradient[i] = scales_[i] * gradient_theta_[parameters_[i]];
}

}  // namespace limber
