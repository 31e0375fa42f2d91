// The one way in: limber::solve(problem, pose).
#pragma once

#include <optional>

#include "limber/figure/figure.h"
#include "limber/problem/assembly.h"
#include "limber/problem/problem.h"
#include "limber/program/kkt.h"
#include "limber/solver/align.h"
#include "limber/solver/methods.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"
#include "limber/solver/restart.h"

namespace limber {

// Keeps the working memory of a problem, so that solving it again and again allocates nothing: drag a goal by
// problem.set_goal(), and call solve() each time. After constraints were added or removed the next solve makes new
// memory.
class Solver {
 public:
  // The problem must outlive the solver.
  explicit Solver(const Problem& problem);

  // Solves from `pose` and leaves the answer there. Whatever the exit, the pose keeps all limits and its objective is
  // not above that of the start (moved within the limits where it was outside, and to what must hold and keep clear);
  // where all was clear all is, and nothing is deeper than the deepest was, unless a lock asks for it.
  // Refused problems leave the pose alone.
  // The report is valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

 private:
  bool accepts(const Pose& pose, const Options& options);
  void reserve();
  void reserve_report();
  bool begin(Pose& pose);
  void choose_start(const Options& options);
  bool usual_start(VecX& phi);
  bool aligned_start(VecX& phi);
  enum class Pace { quick, thorough };
  void next_start(Pace pace);
  Outcome run(const Options& options, const MethodOptions& own, const Observer& observer);
  Outcome settle(const Options& options, int iterations, const Observer& observer);
  bool solve_quickly(const Options& options, const Observer& observer, Outcome& outcome);
  void solve_until_met(const Options& options, const Observer& observer, Outcome& outcome);
  void solve_thoroughly(const Options& options, const Observer& observer, Outcome& outcome);
  void try_again(const Options& options, const Observer& observer, Outcome& outcome, Pace pace);
  void finish(const Options& options, Outcome& outcome);
  void come_back_from_worse();
  double objective();
  bool all_met(const Options& options) { return most_unmet(options, phi_) <= 1.0; }
  double most_unmet(const Options& options, const VecX& phi);
  void level_values(VecX& values);
  void explain(const Options& options);
  void name_touches(std::size_t constraint, const Options& options, ConstraintReport& out);
  void name_touch(const Clearance& clearance, const NearPair& contact, ConstraintReport& out) const;
  void explain_level(int begin, int end, const Options& options);
  void name_limits(const Limits& limits, const Options& options, ConstraintReport& out);

  const Problem& problem_;
  std::optional<Assembly> assembly_;
  Limits figure_limits_;  // on all parameters
  Methods methods_;
  double damping_ = 0.0;           // where the last solve that may be resumed ended
  double yielding_damping_ = 0.0;  // from one weight of what gives way to the next
  Restart restart_;
  RootAlignment alignment_;
  bool gives_way_ = false;           // some constraint does
  const PosePull* usual_ = nullptr;  // the pull towards a pose among those that give way
  Kkt kkt_;
  Report report_;
  Pose current_;
  VecX phi_, gradient_, share_, residual_;
  VecX best_, values_, best_values_, best_forces_, forces_, no_forces_;
  VecX start_, usual_theta_;
  MatX jacobian_;
  Limits tangent_;
};

// Solves once. The same as Solver(problem).solve(pose, options).
Report solve(const Problem& problem, Pose& pose, const Options& options = {});

}  // namespace limber
