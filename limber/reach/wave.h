// The problems of a wave of a reach map: goals with the handle at a point, their solves, and what blocks them.
#pragma once

#include <span>
#include <vector>

#include "limber/reach/reach.h"
#include "limber/solver/report.h"

namespace limber {

class WaveSolver {
 public:
  // The constraint on the handle must be the last of `problem`; both must outlive this.
  WaveSolver(const Problem& problem, const ReachOptions& options, double tolerance);

  // One goal per constraint, with the handle at x.
  void add_goals_at(const Vec3& x, std::vector<Goal>& goals) const;

  // From the starts, a column per point. The answer to a point does not depend on the others.
  Expected<ReachAnswers> solve(std::span<const Goal> goals, MatX starts, int restarts) const;

 private:
  ReachAnswer answer_of(const Report& report) const;

  const Problem& problem_;
  const ReachOptions& options_;
  double tolerance_;
  std::size_t reached_;               // index of the constraint on the handle
  std::vector<char> looks_at_point_;  // by constraint
};

}  // namespace limber
