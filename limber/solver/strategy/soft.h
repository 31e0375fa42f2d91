// Soft constraints: they shape the answer as far as the others allow.
//
// A soft constraint of weight w leaves the others an error in proportion to w. So the problem is solved with w scaled
// by 1, then by less and less until the others are met, each time roughly and from where the last run ended; then once
// more to the full tolerance. The strategy of the problem without soft constraints does the runs.
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
  // A start far from all goals is as good as none: then the usual pose is a better one, and the answer does not depend
  // on where the figure was before.
  void begin(Workspace& work, const Options& options) override;
  Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) override;
  double objective(Workspace& work, const Options& options) override { return inner_->objective(work, options); }
  // The start is compared with the answer under the final weights.
  void finish(Workspace& work, const Options& options, Outcome& outcome) override;
  bool minimizes_one_function() const override { return false; }
  // Soft constraints must first have had their effect.
  bool may_end_when_met() const override { return false; }

 private:
  Starts& starts_;
  Strategy* inner_ = nullptr;
  double damping_ = 0.0;  // from one scale to the next
  VecX best_;
};

}  // namespace limber
