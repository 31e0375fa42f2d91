#include "limber/posing/hang.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// A bone hangs that is at most so far from straight down.
const double max_angle = 35.0 * pi / 180.0;
// Shorter ones, relative to the figure's length, are no bones of limbs.
constexpr double min_length = 0.1;

// From the joint of a segment to the farthest joint that it carries.
Vec3 bone_of(const Figure& figure, int segment) {
  Vec3 bone = Vec3::Zero();
  for (std::size_t s = static_cast<std::size_t>(segment) + 1; s < figure.segments().size(); ++s)
    if (figure.segments()[s].parent == segment && figure.joints()[s].in_parent.p.norm() > bone.norm())
      bone = figure.joints()[s].in_parent.p;
  return bone - figure.joints()[static_cast<std::size_t>(segment)].in_child.p;
}

bool is_idle(const Figure& figure, int segment, const std::vector<bool>& idle) {
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  bool found = false;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    for (int t = freedom.term_begin; t < freedom.term_end; ++t) {
      if (!idle[static_cast<std::size_t>(figure.terms()[static_cast<std::size_t>(t)].parameter)]) return false;
      found = true;
    }
  }
  return found;
}

}  // namespace

std::vector<HangingBone> hanging_bones(const Figure& figure, const Kinematics& state, const std::vector<bool>& idle) {
  std::vector<HangingBone> bones;
  for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) {
    if (!is_idle(figure, s, idle)) continue;
    const Vec3 bone = bone_of(figure, s);
    if (!(bone.norm() > min_length * figure.length())) continue;
    const Vec3 v = state.segments[static_cast<std::size_t>(s)].R * bone.normalized();
    if (-v.y() < std::cos(max_angle)) continue;
    Handle direction{"", Shape::direction};
    direction.plus[0] = {Element::Kind::direction, s, bone.normalized()};
    bones.push_back({s, direction, v});
  }
  return bones;
}

}  // namespace limber
