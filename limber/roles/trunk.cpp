#include "limber/roles/trunk.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// The head is carried near the plane of symmetry, up to this share of the figure's size.
constexpr double off_plane = 0.1;
// A bare end this far from the joint before it, relative to the figure's size, is the top of a head; nearer, its joint.
constexpr double min_skull = 0.1;
// A single bare joint is no head unless it is so far above the shoulders.
constexpr double min_lift = 0.04;
constexpr double sure = 0.95, fairly_sure = 0.8, unsure = 0.5;

struct HeadWay {
  std::vector<int> joints;  // from the chest up, to the last before the head branches
  bool has_top = false;     // whether something is above the last joint
};

class TrunkFinder {
 public:
  TrunkFinder(const BoneTree& tree, const LimbPairs& pairs) : tree_(tree), pairs_(pairs) {}

  Trunk find() {
    Trunk trunk;
    const int legs = pairs_.legs ? pairs_.legs->carrier : -1, arms = pairs_.arms ? pairs_.arms->carrier : -1;
    trunk.pelvis = legs >= 0 && arms >= 0 ? tree_.carrier(legs, arms) : legs;
    const int chest = arms >= 0 ? arms : legs;
    if (trunk.pelvis >= 0)
      for (int s = chest; s != trunk.pelvis; s = tree_.parent(s)) trunk.spine.insert(trunk.spine.begin(), s);
    else
      trunk.spine = {chest};
    std::erase_if(trunk.spine, [&](int s) { return turns(s) == 0 && s != chest; });
    trunk.confidence = legs >= 0 && arms >= 0 ? sure : unsure;
    find_head(chest, trunk);
    return trunk;
  }

 private:
  int turns(int s) const { return tree_.turns[static_cast<std::size_t>(s)]; }
  const Vec3& p(int s) const { return tree_.p[static_cast<std::size_t>(s)]; }
  const LimbPair& plane() const { return pairs_.legs ? *pairs_.legs : *pairs_.arms; }

  bool is_in_limb(int s) const {
    for (const auto* pair : {&pairs_.legs, &pairs_.arms})
      if (*pair && (tree_.is_below(s, (*pair)->top[0]) || tree_.is_below(s, (*pair)->top[1]))) return true;
    return false;
  }

  bool holds_limb(int s) const {
    for (const auto* pair : {&pairs_.legs, &pairs_.arms})
      if (*pair && (tree_.is_below((*pair)->top[0], s) || tree_.is_below((*pair)->top[1], s))) return true;
    return false;
  }

  // The highest place of a subtree, its own tips included.
  double top_of(int s) const {
    double top = -infinity;
    for (int k = s; k < tree_.end(s); ++k)
      top = std::fmax(top, std::fmax(p(k).y(), tree_.tip[static_cast<std::size_t>(k)].y()));
    return top;
  }

  bool is_central(int s) const {
    return std::fabs(plane().normal.dot(p(s) - plane().middle)) <= off_plane * tree_.size;
  }

  // The child of the chest that rises highest in the middle.
  int way_up(int chest) const {
    int best = -1;
    double highest = p(chest).y();
    for (const int child : tree_.children[static_cast<std::size_t>(chest)]) {
      if (is_in_limb(child) || holds_limb(child) || !is_central(child) || is_still(child)) continue;
      const double top = top_of(child);
      if (top <= highest) continue;
      highest = top;
      best = child;
    }
    return best;
  }

  // Nothing in it turns.
  bool is_still(int s) const {
    for (int k = s; k < tree_.end(s); ++k)
      if (turns(k) > 0) return false;
    return true;
  }

  // The only child in the middle that goes on, or -1.
  int only_child(int s) const {
    int found = -1;
    for (const int child : tree_.children[static_cast<std::size_t>(s)]) {
      if (is_still(child)) continue;
      if (found >= 0 && !tree_.is_bare(child)) {
        if (!tree_.is_bare(found)) return -1;
        found = child;
      } else if (found < 0) {
        found = child;
      }
    }
    // What has a tip of its own ends there.
    if (found >= 0 && tree_.is_bare(found) && tree_.extent[static_cast<std::size_t>(s)] > 0.0) return -1;
    return found >= 0 && is_central(found) && p(found).y() > p(s).y() ? found : -1;
  }

  double shoulders() const {
    if (!pairs_.arms) return -infinity;
    return 0.5 * (pairs_.arms->chain[0].at.front() + pairs_.arms->chain[1].at.front()).y();
  }

  void find_head(int chest, Trunk& trunk) const {
    std::vector<int> way;
    for (int s = way_up(chest); s >= 0; s = only_child(s))
      if (turns(s) > 0) way.push_back(s);
    if (way.empty()) return;
    // A bare end far from what comes before is the top of a head.
    if (const int last = way.back(); tree_.is_bare(last)) {
      const Vec3& before = p(way.size() > 1 ? way[way.size() - 2] : chest);
      if (way.size() > 1 && (p(last) - before).norm() > min_skull * tree_.size) way.pop_back();
    }
    if (way.size() == 1 && tree_.is_bare(way.back()) && p(way.back()).y() < shoulders() + min_lift * tree_.size) return;
    trunk.head = way.back();
    way.pop_back();
    trunk.head_confidence = !way.empty() ? sure : tree_.is_bare(trunk.head) ? unsure : fairly_sure;
    trunk.neck = way;
  }

  const BoneTree& tree_;
  const LimbPairs& pairs_;
};

}  // namespace

Trunk find_trunk(const BoneTree& tree, const LimbPairs& pairs) { return TrunkFinder(tree, pairs).find(); }

}  // namespace limber
