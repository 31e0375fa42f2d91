// The rows of a problem as least squares: which rows belong to which constraint, and their scale factors.
//
// Rows are ordered by level (hard constraints, then priority 1, 2, …), and within a level as in the problem. With
// weights w, the figure's length ℓ and f = G / (ℓ² Σ w), the rows of a constraint are
//
//   r / ℓ                    for a hard constraint
//   √(w / (ℓ² Σ w)) r        for others, so that f = ‖rows‖² over them
//
// So f, its gradient and every tolerance on them are dimensionless: a figure of a millimetre behaves like one of a
// kilometre. The weight of a soft constraint is multiplied by the soft scale, which does not change Σ w.
#pragma once

#include <vector>

#include "limber/problem/problem.h"

namespace limber {

struct RowRange {
  int begin = 0;
  int count = 0;
};

class RowLayout {
 public:
  // row_counts: by constraint, its max number of rows. The problem must outlive this.
  RowLayout(const Problem& problem, const std::vector<int>& row_counts);

  // The constraints that count, in the order of their rows.
  const std::vector<std::size_t>& order() const { return order_; }
  // Empty for a constraint that does not count.
  const RowRange& of(std::size_t constraint) const { return ranges_[constraint]; }
  // Whether a constraint counts and all its rows are from begin up to end.
  bool is_within(std::size_t constraint, int begin, int end) const;
  // The end of the rows of each level: first the hard constraints, then one entry per priority.
  const std::vector<int>& level_ends() const { return level_ends_; }
  // Whether there are no hard constraints and all others have the same priority.
  bool has_one_level() const { return level_ends_.size() == 2 && level_ends_.front() == 0; }

  // Reads the weights.
  void start();
  double objective_scale() const { return objective_scale_; }  // ℓ² Σ w
  void set_soft_scale(double soft_scale) { soft_scale_ = soft_scale; }
  double soft_scale() const { return soft_scale_; }

  // Factor of ‖r‖² in f, for a constraint that is not hard.
  double square_scale(std::size_t constraint) const;
  // Factor of the rows of a constraint.
  double row_scale(std::size_t constraint) const;

 private:
  const Problem& problem_;
  std::vector<std::size_t> order_;
  std::vector<RowRange> ranges_;  // by constraint
  std::vector<int> level_ends_;
  double objective_scale_ = 1.0;
  double soft_scale_ = 1.0;
};

}  // namespace limber
