#include "limber/problem/attached_handles.h"

namespace limber {

AttachedHandles::AttachedHandles(const Problem& problem, PosedLinkage& links) : problem_(problem) {
  for (const Constraint& constraint : problem.constraints()) {
    std::vector<AttachedHandle>& own = handles_.emplace_back();
    for (const Alternative& alternative : constraint.alternatives()) {
      const Handle& handle = alternative.handle;
      AttachedHandle& out = own.emplace_back();
      for (int k = 0; k < handle.count(); ++k) {
        out.plus[k] = links.attached(handle.plus[k]);
        if (k < handle.minus_count) out.minus[k] = links.attached(handle.minus[k]);
        out.held[k].setZero();
      }
      has_hold_ = has_hold_ || holds(alternative.goal);
    }
  }
}

void AttachedHandles::hold(const PosedLinkage& links) {
  for (std::size_t c = 0; c < handles_.size(); ++c)
    for (std::size_t a = 0; a < handles_[c].size(); ++a) {
      const Alternative& alternative = problem_.constraints()[c].alternatives()[a];
      if (!holds(alternative.goal)) continue;
      AttachedHandle& handle = handles_[c][a];
      for (Vec3& held : handle.held) held.setZero();
      value(c, a, links);
      for (int k = 0; k < alternative.handle.count(); ++k) handle.held[k] = x_[k];
    }
}

HandleValue AttachedHandles::value(std::size_t constraint, std::size_t alternative, const PosedLinkage& links) {
  const Handle& handle = problem_.constraints()[constraint].alternatives()[alternative].handle;
  const AttachedHandle& attached = handles_[constraint][alternative];
  for (int k = 0; k < handle.count(); ++k) {
    Packed x;
    links.evaluate(attached.plus[k], x);
    x_[k] = unpacked(x) - attached.held[k];
    if (k >= handle.minus_count) continue;
    links.evaluate(attached.minus[k], x);
    x_[k] -= unpacked(x);
  }
  return {handle.shape, x_};
}

}  // namespace limber
