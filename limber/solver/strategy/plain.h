// A sum of squares under limits, with hard constraints and levels as the method supports them: one run of the method.
#pragma once

#include "limber/solver/strategy/strategy.h"

namespace limber {

class Plain : public Strategy {
 public:
  void begin(Workspace& work, const Options& options) override {
    work.methods.resume_from(options.resumes ? &work.damping : nullptr);
  }

  Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) override {
    if (work.assembly->variables() == 0) {
      const double value = objective(work, options);
      return {.exit = std::isfinite(value) ? Exit::converged : Exit::not_finite, .value = value};
    }
    return work.methods.run(work.problem, *work.assembly, options, own, work.phi, observer);
  }

  Outcome approach(Workspace& work, const Options& options, const MethodOptions& own,
                   const Observer& observer) override {
    return work.methods.approach(*work.assembly, options, own, work.phi, observer);
  }

  bool may_end_when_slow(const Options& options) const override {
    return options.method == Method::automatic || options.method == Method::levenberg_marquardt;
  }

  // Added up in the order of the method, so that the value that is reported is the one that the method saw.
  double objective(Workspace& work, const Options& options) override {
    if (row_of(chosen_method(options)).gradient) return (*work.assembly)(work.phi, work.gradient);
    work.assembly->residual(work.phi, work.residual);
    return work.residual.tail(work.residual.size() - work.assembly->level_ends().front()).squaredNorm();
  }
};

}  // namespace limber
