// Soft constraints: they determine the pose only as far as the other constraints allow.
//
// A soft constraint of weight w causes an error of the others that is proportional to w. So the problem is solved with
// w scaled by 1, then by smaller and smaller factors until the others are met: each time to a rough tolerance, from the
// last result, and finally to the full tolerance. The runs use the strategy for problems without soft constraints.
#pragma once

#include "limber/solver/start.h"
#include "limber/solver/strategy/strategy.h"

namespace limber {

class Soft : public Strategy {
 public:
  explicit Soft(Starts& starts) : starts_(starts) {}

  static bool applies_to(const Problem& problem);

  // The strategy of a run at one scale.
  void set_inner(Strategy& inner) { inner_ = &inner; }

  void reserve(const Workspace& work) override { best_.resize(work.assembly->variables()); }
  // If the start is far from all goals, the usual pose is a better start, and the result then does not depend on where
  // the figure was before.
  void begin(Workspace& work, const Options& options) override;
  Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) override;
  double objective(Workspace& work, const Options& options) override { return inner_->objective(work, options); }
  // Compares the start with the result under the final weights.
  void finish(Workspace& work, const Options& options, Outcome& outcome) override;
  bool minimizes_one_function() const override { return false; }
  // Only after the soft constraints have taken effect.
  bool may_end_when_met() const override { return false; }

 private:
  Starts& starts_;
  Strategy* inner_ = nullptr;
  double damping_ = 0.0;  // from one scale to the next
  VecX best_;
};

}  // namespace limber
