// The fast path for a plain problem with only positions and directions: a run of quick_marquardt.h is
// so cheap that many starts can be tried. If it cannot meet the goals, it ends near a minimum, and the plain strategy
// continues from there.
#pragma once

#include <algorithm>

#include "limber/solver/strategy/plain.h"

namespace limber {

class Quick : public Plain {
 public:
  static bool accepts(Workspace& work, const Options& options) {
    return work.methods.has_quick_method(*work.assembly, options);
  }

  // One path from the root to a pin after the other.
  double work_per_iteration(const Workspace& work) const override { return work.methods.quick_work_per_iteration(); }
  bool may_end_when_slow(const Options&) const override { return false; }  // it always does
  bool is_out_of_reach(Workspace& work, const Options& options) const override {
    return work.methods.is_out_of_quick_reach(options);
  }

  Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) override {
    return work.methods.run_quick(*work.assembly, options, own, work.phi, observer);
  }
};

}  // namespace limber
