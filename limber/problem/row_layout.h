// The rows of a problem as least squares: which constraint has which rows, and what they are multiplied by.
//
// Rows go by level (hard constraints, then priority 1, 2, …), within a level in the order of the problem. With weights
// w, the figure's length ℓ and f = G / (ℓ² Σ w), the rows of a constraint are
//
//   r / ℓ                    for a hard constraint
//   √(w / (ℓ² Σ w)) r        for others, so that f = ‖rows‖² over them
//
// Then f, its gradient and every tolerance on them have no unit: a figure of a millimetre behaves like one of a
// kilometre. The weight of a soft constraint is multiplied by the soft scale, which leaves Σ w as it is.
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
  // row_counts: by constraint, the most rows that it can have. The problem must outlive this.
  RowLayout(const Problem& problem, const std::vector<int>& row_counts);

  // The constraints that count, in the order of their rows.
  const std::vector<std::size_t>& order() const { return order_; }
  // No rows for a constraint that does not count.
  const RowRange& of(std::size_t constraint) const { return ranges_[constraint]; }
  // Whether a constraint that counts has all its rows from begin up to end.
  bool is_within(std::size_t constraint, int begin, int end) const;
  // In rows: that of the hard constraints, then one per level.
  const std::vector<int>& level_ends() const { return level_ends_; }
  // Whether there are no hard constraints and all others have the same priority.
  bool has_one_level() const { return level_ends_.size() == 2 && level_ends_.front() == 0; }

  // Reads the weights.
  void start();
  double objective_scale() const { return objective_scale_; }  // ℓ² Σ w
  void set_soft_scale(double soft_scale) { soft_scale_ = soft_scale; }
  double soft_scale() const { return soft_scale_; }

  // What ‖r‖² of a constraint that is not hard is multiplied by in f.
  double square_scale(std::size_t constraint) const;
  // What the rows of a constraint are multiplied by.
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
