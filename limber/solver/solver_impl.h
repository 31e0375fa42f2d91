// The working memory of a Solver and the steps of a solve: solve.cpp runs them, start.cpp finds where to begin,
// explain.cpp writes the report.
#pragma once

#include <optional>

#include "limber/problem/assembly.h"
#include "limber/program/kkt.h"
#include "limber/solver/align.h"
#include "limber/solver/methods.h"
#include "limber/solver/restart.h"
#include "limber/solver/solve.h"

namespace limber {

class Solver::Impl {
 public:
  explicit Impl(const Problem& problem);
  const Report& solve(Pose& pose, const Options& options);

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
  bool all_met(const Options& options) { return max_unmet(options, phi_) <= 1.0; }
  double max_unmet(const Options& options, const VecX& phi);
  void level_values(VecX& values);
  void explain(const Options& options);
  void name_touches(std::size_t constraint, const Options& options, ConstraintReport& out);
  void name_touch(const Clearance& clearance, const ClearanceContact& contact, ConstraintReport& out) const;
  void explain_level(int begin, int end, const Options& options);
  void name_limits(const Limits& limits, const Options& options, ConstraintReport& out);

  const Problem& problem_;
  std::optional<Assembly> assembly_;
  Limits figure_limits_;  // on all parameters
  Methods methods_;
  double damping_ = 0.0;       // where the last solve that may be resumed ended
  double soft_damping_ = 0.0;  // from one weight of what gives way to the next
  Restart restart_;
  RootAlignment alignment_;
  bool has_soft_ = false;            // some constraint does
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

}  // namespace limber
