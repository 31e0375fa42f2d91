#include "limber/assess/posture.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "limber/kinematics/forward.h"
#include "limber/kinematics/ground.h"

namespace limber {

namespace {

// Shorter vectors, relative to their terms, have no direction.
constexpr double min_relative_length = 1e-9;
// A palm's site defines the palm's direction if its second axis is along the fingers within about 25 degrees.
constexpr double min_finger_cosine = 0.9;

double safe_asin(double x) { return std::asin(std::clamp(x, -1.0, 1.0)); }
double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }
// The direction of v orthogonal to the unit vector u, or `otherwise` if there is none.
Vec3 across(const Vec3& v, const Vec3& u, const Vec3& otherwise) {
  const Vec3 part = v - u.dot(v) * u;
  return part.norm() > min_relative_length * v.norm() ? Vec3(part.normalized()) : otherwise;
}
// From a to b, both orthogonal to the unit vector u.
double angle_about(const Vec3& u, const Vec3& a, const Vec3& b) { return std::atan2(u.dot(a.cross(b)), a.dot(b)); }

struct Axes {
  Vec3 l = Vec3::UnitX(), u = Vec3::UnitY(), f = Vec3::UnitZ();

  // With u along the line, and l orthogonal to it, as near to `left` as possible.
  static Axes along(const Vec3& line, const Vec3& left) {
    Axes axes;
    axes.u = line.normalized();
    axes.l = across(left, axes.u, axes.u.unitOrthogonal());
    axes.f = axes.l.cross(axes.u);
    return axes;
  }
  // Tilted back by an angle.
  Axes turned(double angle) const {
    const Mat3 R = rotation(l, -angle);
    return {l, R * u, R * f};
  }
};

double flexion(const Vec3& u, const Axes& in) { return std::atan2(u.dot(in.f), u.dot(in.u)); }

// A body in a pose and at rest.
class Observer {
 public:
  Observer(const Figure& figure, const Pose& pose)
      : figure_(figure), rest_(forward(figure, figure.rest())), state_(forward(figure, pose)) {}

  Expected<BodyAngles> angles() {
    for (const char* name :
         {"left_hip", "right_hip", "neck", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist",
          "right_wrist", "left_knee", "right_knee", "left_ankle", "right_ankle"})
      if (const Expected<Handle> place = figure_.point(name); !place) return std::unexpected(place.error());
    left_at_rest_ = across(at_rest("left_hip") - at_rest("right_hip"), Vec3::UnitY(), Vec3::UnitX());
    BodyAngles angles;
    observe_trunk(angles);
    observe_head(angles);
    angles.left_knee = bend("left_hip", "left_knee", "left_ankle");
    angles.right_knee = bend("right_hip", "right_knee", "right_ankle");
    const FootPlaces feet[] = {foot_of("left_ankle"), foot_of("right_ankle")};
    angles.on_both_feet = std::ranges::all_of(
        feet, [&](const FootPlaces& foot) { return stands_on(foot, ground_under(feet), figure_.length()); });
    observe_arm("left_", 1.0, angles.left);
    observe_arm("right_", -1.0, angles.right);
    return angles;
  }

 private:
  Vec3 point_of(const Kinematics& state, const std::string& name) const {
    return evaluate(figure_, state, figure_.point(name)->plus[0]);
  }
  Vec3 posed(const std::string& name) const { return point_of(state_, name); }
  Vec3 at_rest(const std::string& name) const { return point_of(rest_, name); }
  int segment_of(const std::string& name) const { return figure_.point(name)->plus[0].segment; }
  // The rotation of a segment from the rest pose.
  Mat3 turn_of(int segment) const {
    const auto s = static_cast<std::size_t>(segment);
    return state_.segments[s].R * rest_.segments[s].R.transpose();
  }
  double bend(const std::string& a, const std::string& b, const std::string& c) const {
    return angle_between(posed(b) - posed(a), posed(c) - posed(b));
  }

  // Axes relative to the rest pose, which is upright.
  Axes upright_axes(const Vec3& line, const Vec3& line_at_rest, int segment) const {
    const Axes rest = {left_at_rest_, Vec3::UnitY(), left_at_rest_.cross(Vec3::UnitY())};
    return Axes::along(line, turn_of(segment) * left_at_rest_).turned(flexion(line_at_rest, rest));
  }

  void observe_trunk(BodyAngles& angles) {
    const int neck = *figure_.find_joint("neck");
    const int parent = figure_.segments()[static_cast<std::size_t>(neck)].parent;
    const Vec3 line = posed("neck") - 0.5 * (posed("left_hip") + posed("right_hip"));
    const Vec3 line_at_rest = at_rest("neck") - 0.5 * (at_rest("left_hip") + at_rest("right_hip"));
    trunk_ = upright_axes(line, line_at_rest, parent == no_parent ? neck : parent);
    // Left and forward on the ground: of the pelvis, or of the chest if the pelvis lies on its side.
    Axes ground;
    ground.l =
        across(posed("left_hip") - posed("right_hip"), Vec3::UnitY(), across(trunk_.l, Vec3::UnitY(), left_at_rest_));
    ground.f = ground.l.cross(ground.u);
    angles.trunk_flexion = flexion(trunk_.u, ground);
    angles.trunk_side = safe_asin(trunk_.u.dot(ground.l));
    angles.trunk_twist = angle_about(trunk_.u, across(ground.l, trunk_.u, trunk_.l), trunk_.l);
  }

  void observe_head(BodyAngles& angles) {
    const std::string top = figure_.point("head_top") ? "head_top" : "head";
    if (!figure_.point(top)) return;  // a figure without a head counts as straight
    const Vec3 line = posed(top) - posed("neck"), line_at_rest = at_rest(top) - at_rest("neck");
    if (!(line.norm() > min_relative_length * figure_.length())) return;
    const Axes head = upright_axes(line, line_at_rest, segment_of(top));
    angles.neck_flexion = flexion(head.u, trunk_);
    angles.neck_side = safe_asin(head.u.dot(trunk_.l));
    angles.neck_twist = angle_about(head.u, across(trunk_.l, head.u, head.l), head.l);
  }

  void observe_arm(const std::string& p, double side, ArmAngles& arm) const {
    const Vec3 out = side * trunk_.l;
    const Vec3 d = (posed(p + "elbow") - posed(p + "shoulder")).normalized();
    const Vec3 forearm = (posed(p + "wrist") - posed(p + "elbow")).normalized();
    arm.raised = angle_between(d, -trunk_.u);
    const bool is_backward = -d.dot(trunk_.f) > std::fabs(d.dot(out)) && d.dot(trunk_.u) < 0.0;
    if (is_backward) arm.raised = -arm.raised;
    arm.abduction = safe_asin(d.dot(out));
    arm.elbow = angle_between(d, forearm);
    arm.forearm_aside = safe_asin(forearm.dot(out));
    arm.across_midline = (posed(p + "wrist") - posed("neck")).dot(out) < 0.0;
    observe_wrist(p, side, forearm, arm);
  }

  void observe_wrist(const std::string& p, double side, const Vec3& forearm, ArmAngles& arm) const {
    const auto site = std::ranges::find(figure_.sites(), p + "palm", &Site::name);
    if (site == figure_.sites().end()) return;
    const std::string tip = figure_.point(p + "fingertip") ? p + "fingertip" : p + "palm";
    const auto s = static_cast<std::size_t>(site->segment);
    const Vec3 fingers_at_rest = (at_rest(tip) - at_rest(p + "wrist")).normalized();
    const Mat3 palm = state_.segments[s].R * site->frame.R;
    const bool has_palm_direction =
        (rest_.segments[s].R * site->frame.R).col(1).dot(fingers_at_rest) > min_finger_cosine;
    if (has_palm_direction) {
      const Vec3 n = palm.col(0), h = palm.col(1), thumb = side * n.cross(h);
      arm.wrist_flexion = safe_asin(-forearm.dot(n));
      arm.wrist_deviation = std::atan2(-forearm.dot(thumb), forearm.dot(h));
    } else {
      const Vec3 hand = posed(tip) - posed(p + "wrist");
      const Vec3 forearm_at_rest = at_rest(p + "wrist") - at_rest(p + "elbow");
      if (!(hand.norm() > min_relative_length * figure_.length())) return;
      arm.wrist_flexion = std::fabs(angle_between(forearm, hand) - angle_between(forearm_at_rest, fingers_at_rest));
    }
    arm.forearm_twist = twist(p, site->segment);
  }

  // Rotation of the hand against the forearm about the forearm's axis.
  double twist(const std::string& p, int hand) const {
    const Vec3 axis = (at_rest(p + "wrist") - at_rest(p + "elbow")).normalized();
    const Eigen::Quaterniond q(Mat3(turn_of(segment_of(p + "wrist")).transpose() * turn_of(hand)));
    const double angle = 2.0 * std::atan2(q.vec().dot(axis), q.w());
    return std::remainder(angle, 2.0 * pi);
  }

  // The ankle of human() is a place at the end of the shank: the foot is what follows, and the knee is no part of it.
  FootPlaces foot_of(const std::string& ankle) const {
    FootPlaces foot = foot_from(figure_, state_, segment_of(ankle));
    foot.places.front() = posed(ankle);
    return foot;
  }

  const Figure& figure_;
  Kinematics rest_, state_;
  Vec3 left_at_rest_ = Vec3::UnitX();
  Axes trunk_;
};

}  // namespace

Expected<BodyAngles> body_angles(const Figure& figure, const Pose& pose) { return Observer(figure, pose).angles(); }

}  // namespace limber
