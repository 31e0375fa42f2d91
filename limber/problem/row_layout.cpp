#include "limber/problem/row_layout.h"

#include <algorithm>
#include <cmath>

namespace limber {

RowLayout::RowLayout(const Problem& problem, const std::vector<int>& row_counts)
    : problem_(problem), ranges_(problem.constraints().size()) {
  std::vector<int> levels = {must_level, first_level};
  for (const Constraint& constraint : problem.constraints())
    if (constraint.counts()) levels.push_back(constraint.level());
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  int row = 0;
  for (const int level : levels) {
    for (std::size_t c = 0; c < ranges_.size(); ++c) {
      const Constraint& constraint = problem.constraints()[c];
      if (!constraint.counts() || constraint.level() != level) continue;
      order_.push_back(c);
      ranges_[c] = {row, row_counts[c]};
      row += row_counts[c];
    }
    level_ends_.push_back(row);
  }
}

bool RowLayout::is_within(std::size_t constraint, int begin, int end) const {
  if (std::find(order_.begin(), order_.end(), constraint) == order_.end()) return false;
  const RowRange& rows = ranges_[constraint];
  return rows.begin >= begin && rows.begin + rows.count <= end;
}

void RowLayout::start() {
  double weights = 0.0;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && !constraint.must_hold() && !constraint.is_inequality()) weights += constraint.weight;
  const double length = problem_.figure().length();
  objective_scale_ = weights > 0.0 ? weights * length * length : 1.0;
}

double RowLayout::square_scale(std::size_t constraint) const {
  const Constraint& at = problem_.constraints()[constraint];
  return (at.soft ? soft_scale_ * at.weight : at.weight) / objective_scale_;
}

double RowLayout::row_scale(std::size_t constraint) const {
  return problem_.constraints()[constraint].must_hold() ? 1.0 / problem_.figure().length()
                                                        : std::sqrt(square_scale(constraint));
}

}  // namespace limber
