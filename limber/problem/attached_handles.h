// The handles of a problem's goals, attached to the links: their values in a pose, relative to the targets of Hold.
#pragma once

#include <vector>

#include "limber/problem/posed_linkage.h"

namespace limber {

struct AttachedHandle {
  AttachedElement plus[max_elements], minus[max_elements];
  Vec3 held[max_elements];  // target of Hold, which is subtracted; else 0
};

class AttachedHandles {
 public:
  // The problem must outlive this.
  AttachedHandles(const Problem& problem, PosedLinkage& links);

  const AttachedHandle& of(std::size_t constraint, std::size_t alternative) const {
    return handles_[constraint][alternative];
  }
  // Whether some goal is Hold. Then hold() takes the current pose of the links as the one to hold.
  bool has_hold() const { return has_hold_; }
  void hold(const PosedLinkage& links);

  // Valid until the next call.
  HandleValue value(std::size_t constraint, std::size_t alternative, const PosedLinkage& links);

 private:
  const Problem& problem_;
  std::vector<std::vector<AttachedHandle>> handles_;  // by constraint and alternative
  bool has_hold_ = false;
  Vec3 x_[max_elements];
};

}  // namespace limber
