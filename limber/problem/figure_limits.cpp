#include "limber/problem/figure_limits.h"

#include <algorithm>

namespace limber {

FigureLimits::FigureLimits(const Figure& figure) : limits_(static_cast<int>(figure.parameters().size())) {
  const int n = parameters();
  for (VecX* v : {&scale_, &lower_, &upper_, &phi_, &before_}) v->resize(n);
  for (int j = 0; j < n; ++j) {
    const Parameter& parameter = figure.parameters()[j];
    scale_[j] = parameter.translates && figure.length() > 0.0 ? figure.length() : 1.0;
    lower_[j] = parameter.range.lower;
    upper_[j] = parameter.range.upper;
  }
  limits_.lower = lower_.cwiseQuotient(scale_);
  limits_.upper = upper_.cwiseQuotient(scale_);
  std::vector<double> coefficients;
  for (const LimitRow& row : figure.limit_rows()) {
    coefficients = row.coefficients;
    for (std::size_t t = 0; t < coefficients.size(); ++t) coefficients[t] *= scale_[row.parameters[t]];
    limits_.add_row(row.parameters, coefficients, row.bound, row.relation == Relation::equal);
  }
}

Feasibility FigureLimits::project(VecX& theta) {
  const auto is_inside = [&](int j) { return theta[j] >= lower_[j] && theta[j] <= upper_[j]; };
  for (int j = 0; j < parameters(); ++j) {
    phi_[j] = theta[j] / scale_[j];
    // Despite rounding in the scaling.
    if (is_inside(j)) phi_[j] = std::clamp(phi_[j], limits_.lower[j], limits_.upper[j]);
  }
  before_ = phi_;
  Feasibility found = make_feasible(limits_, phi_);
  for (int j = 0; j < parameters(); ++j) {
    if (phi_[j] == before_[j] && is_inside(j)) continue;
    theta[j] = phi_[j] <= limits_.lower[j]   ? lower_[j]
               : phi_[j] >= limits_.upper[j] ? upper_[j]
                                             : std::clamp(scale_[j] * phi_[j], lower_[j], upper_[j]);
  }
  return found;
}

}  // namespace limber
