// A table of strength (assess/strength.h) scaled to a person: the strength of every degree of freedom in either
// direction, and its derivative by the angle.
#pragma once

#include <vector>

#include "limber/assess/strength.h"
#include "limber/figure/figure.h"

namespace limber {

class Strengths {
 public:
  // The table is checked, and must outlive this.
  Strengths(const Figure& figure, const StrengthTable& table, const StrengthOptions& options);

  // Of the table, for a torque towards larger (`up`) or smaller angles; -1: none.
  int row(int freedom, bool up) const {
    const Rows& rows = rows_[static_cast<std::size_t>(freedom)];
    return up ? rows.up : rows.down;
  }
  // The max over all angles.
  double peak(int row) const { return peaks_[static_cast<std::size_t>(row)]; }
  // S(q), infinity without a row; and ∂S/∂q.
  double strength(int row, double angle) const;
  double slope(int row, double angle) const;

 private:
  struct Rows {
    int up = -1, down = -1;
  };
  const StrengthTable& table_;
  std::vector<double> peaks_;  // by row
  std::vector<Rows> rows_;     // by freedom
};

// Whether the end of the range provides a torque towards larger (`up`) or smaller angles.
bool stop_holds(const Freedom& freedom, double angle, bool up);

// The load of a freedom that must hold a torque.
JointLoad joint_load(const Figure& figure, const Strengths& strengths, int freedom, double angle, double torque);

// The freedoms moved by muscles: all that turn but those of a free root.
std::vector<int> muscle_freedoms(const Figure& figure);

}  // namespace limber
