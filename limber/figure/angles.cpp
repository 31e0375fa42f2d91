// Joint angles from parameters, q = T(θ), and gradients back. Every evaluation of a solve needs both, so this file is
// compiled for speed (cmake/library.cmake), unlike the rest of the folder.
#include <algorithm>
#include <cassert>

#include "limber/figure/data.h"
#include "limber/figure/figure.h"

namespace limber {

void Figure::angles(const VecX& theta, VecX& q) const {
  assert(theta.size() == static_cast<Eigen::Index>(parameters().size()));
  const std::vector<Freedom>& freedoms = data_->freedoms;
  const std::vector<Term>& terms = data_->terms;
  q.resize(static_cast<Eigen::Index>(freedoms.size()));
  for (std::size_t i = 0; i < freedoms.size(); ++i) {
    const Term& first = terms[freedoms[i].term_begin];
    if (data_->parameters[first.parameter].group == no_group) {
      q[static_cast<Eigen::Index>(i)] = theta[first.parameter];
      continue;
    }
    double value = 0.0;
    for (int t = freedoms[i].term_begin; t < freedoms[i].term_end; ++t)
      value += terms[t].curve(theta[terms[t].parameter]).value;
    q[static_cast<Eigen::Index>(i)] = std::clamp(value, freedoms[i].lower, freedoms[i].upper);
  }
}

void Figure::pull_back(const VecX& theta, const VecX& gradient_q, VecX& gradient_theta) const {
  const std::vector<Freedom>& freedoms = data_->freedoms;
  const std::vector<Term>& terms = data_->terms;
  gradient_theta.setZero(theta.size());
  for (std::size_t i = 0; i < freedoms.size(); ++i) {
    const int first = terms[freedoms[i].term_begin].parameter;
    if (data_->parameters[first].group == no_group) {
      gradient_theta[first] = gradient_q[static_cast<Eigen::Index>(i)];  // driven by this parameter alone
      continue;
    }
    for (int t = freedoms[i].term_begin; t < freedoms[i].term_end; ++t)
      gradient_theta[terms[t].parameter] +=
          terms[t].curve(theta[terms[t].parameter]).slope * gradient_q[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace limber
