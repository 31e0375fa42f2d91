// The handles of a problem's goals, attached to the links: their values in a pose, less what Hold holds.
#pragma once

#include <vector>

#include "limber/problem/posed_linkage.h"

namespace limber {

struct AttachedHandle {
  AttachedElement plus[max_elements], minus[max_elements];
  Vec3 held[max_elements];  // subtracted; 0 but for Hold
};

class AttachedHandles {
 public:
  // The problem must outlive this.
  AttachedHandles(const Problem& problem, PosedLinkage& links);

  const AttachedHandle& of(std::size_t constraint, std::size_t alternative) const {
    return handles_[constraint][alternative];
  }
  // Whether some goal is Hold. Then hold() takes the pose that the links are in as that to be held.
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
