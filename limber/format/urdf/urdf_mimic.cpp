#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "limber/format/urdf/urdf_joint.h"

namespace limber {

namespace {

// With x the value of the joint at the end of the mimic chain, a follower has q = m x + b. The limits of all followers
// bound x; the rest pose has the x nearest to 0.
struct UrdfFollower {
  int joint;
  double m, b;
};

// Clamped against rounding.
void set_mimic_rest(Range& range, double rest) { range.rest = std::clamp(rest, range.lower, range.upper); }

}  // namespace

Expected<void> settle_mimics(std::vector<UrdfJoint>& joints, UrdfValues& values) {
  std::map<int, std::vector<UrdfFollower>> followers;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (!joints[k].mimic) continue;
    UrdfFollower follower{static_cast<int>(k), 1.0, 0.0};
    int at = follower.joint;
    for (std::size_t steps = 0; joints[at].mimic; ++steps) {
      const UrdfMimic& mimic = *joints[at].mimic;
      if (steps > joints.size())
        return joints[k].mimic->element.reject("joints that mimic each other in a cycle", "a joint that mimics none");
      follower.b += follower.m * mimic.offset;
      follower.m *= mimic.multiplier;
      at = mimic.other;
    }
    if (!std::isfinite(follower.m) || !std::isfinite(follower.b))
      return joints[k].mimic->element.reject("a multiplier or offset that overflows", "finite numbers");
    followers[at].push_back(follower);
  }
  for (const auto& [master, group] : followers) {
    double lower = joints[master].range().lower, upper = joints[master].range().upper;
    for (const UrdfFollower& follower : group) {
      Range& range = joints[follower.joint].range();
      double from = (range.lower - follower.b) / follower.m, to = (range.upper - follower.b) / follower.m;
      if (follower.m < 0.0) std::swap(from, to);
      if (follower.m == 0.0) {
        const bool within = range.lower <= follower.b && follower.b <= range.upper;
        from = within ? -infinity : infinity;
        to = -from;
      }
      if (std::fmax(lower, from) > std::fmin(upper, to)) {
        values.ignore(joints[follower.joint].element, "limits that conflict with a mimic relation are ignored");
        range.lower = -infinity;
        range.upper = infinity;
        continue;
      }
      lower = std::fmax(lower, from);
      upper = std::fmin(upper, to);
    }
    const double x = std::clamp(0.0, lower, upper);
    set_mimic_rest(joints[master].range(), x);
    for (const UrdfFollower& follower : group)
      set_mimic_rest(joints[follower.joint].range(), follower.m * x + follower.b);
  }
  return {};
}

}  // namespace limber
