#include "bench/task/retarget_measure.h"

#include <algorithm>
#include <map>
#include <optional>

#include "limber/kinematics/forward.h"
#include "limber/motion/clean/clean.h"

namespace limber::bench {

namespace {

// A part is the segment of a place, or the one from a place to the next: sites may be on either side of a joint.
struct MeasuredPart {
  const char* begin;
  const char* end = nullptr;
};
struct MeasuredJoint {
  const char* limb;
  const char* name;
  MeasuredPart carrier, part;
};
constexpr MeasuredJoint measured_joints[] = {
    {"left leg", "left_hip", {"pelvis"}, {"left_hip", "left_knee"}},
    {"left leg", "left_knee", {"left_hip", "left_knee"}, {"left_knee", "left_ankle"}},
    {"left leg", "left_ankle", {"left_knee", "left_ankle"}, {"left_foot"}},
    {"left leg", "left_ball", {"left_foot"}, {"left_toe"}},
    {"left arm", "left_shoulder", {"chest"}, {"left_shoulder", "left_elbow"}},
    {"left arm", "left_elbow", {"left_shoulder", "left_elbow"}, {"left_elbow", "left_wrist"}},
    {"left arm", "left_wrist", {"left_elbow", "left_wrist"}, {"left_hand"}},
    {"right leg", "right_hip", {"pelvis"}, {"right_hip", "right_knee"}},
    {"right leg", "right_knee", {"right_hip", "right_knee"}, {"right_knee", "right_ankle"}},
    {"right leg", "right_ankle", {"right_knee", "right_ankle"}, {"right_foot"}},
    {"right leg", "right_ball", {"right_foot"}, {"right_toe"}},
    {"right arm", "right_shoulder", {"chest"}, {"right_shoulder", "right_elbow"}},
    {"right arm", "right_elbow", {"right_shoulder", "right_elbow"}, {"right_elbow", "right_wrist"}},
    {"right arm", "right_wrist", {"right_elbow", "right_wrist"}, {"right_hand"}},
    {"trunk", "chest", {"pelvis"}, {"chest"}},
    {"trunk", "head", {"chest"}, {"head"}}};
// A limb that is slower counts as this fast: a ratio to rest means nothing.
constexpr double still_deg_s = 60.0;
constexpr std::pair<const char*, const char*> measured_bones[] = {
    {"left_hip", "left_knee"},         {"left_knee", "left_ankle"},     {"right_hip", "right_knee"},
    {"right_knee", "right_ankle"},     {"left_shoulder", "left_elbow"}, {"left_elbow", "left_wrist"},
    {"right_shoulder", "right_elbow"}, {"right_elbow", "right_wrist"}};

double angle_between(const Vec3& a, const Vec3& b) { return degrees(std::atan2(a.cross(b).norm(), a.dot(b))); }

Vec3 log_of(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

std::vector<Kinematics> states_of(const Figure& figure, const Clip& clip) {
  std::vector<Kinematics> states;
  states.reserve(static_cast<std::size_t>(clip.frames()));
  for (int k = 0; k < clip.frames(); ++k) states.push_back(forward(figure, clip.pose(k)));
  return states;
}

struct JointTurning {
  double deg_s = 0.0, jump_deg = 0.0;
  int frame = 0;
};

std::optional<std::size_t> segment_of_part(const Figure& figure, const MeasuredPart& part) {
  const Expected<Handle> begin = figure.point(part.begin);
  if (!begin) return std::nullopt;
  const int first = begin->plus[0].segment;
  if (!part.end) return static_cast<std::size_t>(first);
  const Expected<Handle> end = figure.point(part.end);
  if (!end) return std::nullopt;
  // The last one on the way whose end is a site of its own or of what it carries.
  const int last = end->plus[0].segment, parent = figure.segments()[static_cast<std::size_t>(last)].parent;
  const Kinematics rest = forward(figure, figure.rest());
  const bool at_origin =
      (evaluate(figure, rest, end->plus[0]) -
       rest.segments[static_cast<std::size_t>(last)] * figure.joints()[static_cast<std::size_t>(last)].in_child.p)
          .norm() <= 1e-6 * figure.length();
  return static_cast<std::size_t>(at_origin && parent >= first ? parent : last);
}

std::optional<JointTurning> turning_of(const Figure& figure, const std::vector<Kinematics>& states, double frame_time,
                                       const MeasuredJoint& joint) {
  const std::optional<std::size_t> carrier = segment_of_part(figure, joint.carrier),
                                   part = segment_of_part(figure, joint.part);
  if (!carrier || !part || states.empty()) return std::nullopt;
  const std::size_t c = *carrier, p = *part;
  if (c == p) return std::nullopt;
  const auto relative = [&](std::size_t k) {
    return Mat3(states[k].segments[c].R.transpose() * states[k].segments[p].R);
  };
  JointTurning out;
  std::optional<Vec3> before;
  for (std::size_t k = 0; k + 1 < states.size(); ++k) {
    const Vec3 turn = log_of(relative(k).transpose() * relative(k + 1));
    if (const double deg_s = degrees(turn.norm()) / frame_time; deg_s > out.deg_s) {
      out.deg_s = deg_s;
      out.frame = static_cast<int>(k);
    }
    if (before) out.jump_deg = std::fmax(out.jump_deg, degrees((turn - *before).norm()));
    before = turn;
  }
  return out;
}

Vec3 place_at(const Figure& figure, const Kinematics& state, const Handle& handle) {
  return evaluate(figure, state, handle.plus[0]);
}

void measure_directions(const Figure& from, const std::vector<Kinematics>& recorded, const Figure& to,
                        const std::vector<Kinematics>& states, RetargetMeasure& out) {
  double sum = 0.0;
  int bones = 0;
  for (const auto& [begin, end] : measured_bones) {
    const Expected<Handle> a = from.point(begin), b = from.point(end), c = to.point(begin), d = to.point(end);
    if (!a || !b || !c || !d) continue;
    double own = 0.0;
    for (std::size_t k = 0; k < states.size(); ++k)
      own += angle_between(place_at(from, recorded[k], *b) - place_at(from, recorded[k], *a),
                           place_at(to, states[k], *d) - place_at(to, states[k], *c)) /
             static_cast<double>(states.size());
    sum += own;
    ++bones;
    if (own > out.worst_direction_deg) {
      out.worst_direction_deg = own;
      out.worst_bone = end;
    }
  }
  out.directions_deg = bones > 0 ? sum / bones : 0.0;
}

void measure_turning(const Figure& from, const std::vector<Kinematics>& recorded, const Figure& to,
                     const std::vector<Kinematics>& states, double frame_time, RetargetMeasure& out) {
  for (const MeasuredJoint& joint : measured_joints) {
    const std::optional<JointTurning> was = turning_of(from, recorded, frame_time, joint),
                                      is = turning_of(to, states, frame_time, joint);
    auto limb = std::ranges::find(out.turning, joint.limb, &LimbTurning::limb);
    if (limb == out.turning.end()) {
      LimbTurning added;
      added.limb = joint.limb;
      limb = out.turning.insert(limb, added);
    }
    if (was) {
      limb->recorded_deg_s = std::fmax(limb->recorded_deg_s, was->deg_s);
      limb->recorded_jump_deg = std::fmax(limb->recorded_jump_deg, was->jump_deg);
    }
    if (!is) continue;
    limb->jump_deg = std::fmax(limb->jump_deg, is->jump_deg);
    if (is->deg_s <= limb->deg_s) continue;
    limb->deg_s = is->deg_s;
    limb->joint = joint.name;
    limb->frame = is->frame;
  }
}

// Of the segments from the ankles on.
double lowest_of_feet(const Figure& figure, const Kinematics& state) {
  double y = infinity;
  for (const char* ankle : {"left_ankle", "right_ankle"}) {
    const Expected<Handle> point = figure.point(ankle);
    if (!point) continue;
    const int first = point->plus[0].segment, end = figure.segments()[static_cast<std::size_t>(first)].subtree_end;
    for (const Site& site : figure.sites())
      if (site.segment >= first && site.segment < end)
        y = std::fmin(y, (state.segments[static_cast<std::size_t>(site.segment)] * site.frame.p).y());
  }
  return y;
}

double lowest_of_all(const Figure& figure, const Kinematics& state) {
  double y = infinity;
  for (const Site& site : figure.sites())
    y = std::fmin(y, (state.segments[static_cast<std::size_t>(site.segment)] * site.frame.p).y());
  return y;
}

// While the recorded foot stands.
Expected<void> measure_feet(const Figure& from, const Clip& recorded, const Figure& to,
                            const std::vector<Kinematics>& states, const Clip& clip, double scale,
                            RetargetMeasure& out) {
  const Kinematics rest = forward(to, to.rest());
  const double ground = std::fmin(lowest_of_feet(to, rest), lowest_of_all(to, rest));
  for (const Kinematics& state : states) {
    out.below = std::fmax(out.below, ground - lowest_of_feet(to, state));
    out.body_below = std::fmax(out.body_below, ground - lowest_of_all(to, state));
  }
  const Expected<std::vector<std::string>> places = foot_places(from);
  if (!places || clip.frames() < 2) return {};
  const Expected<std::vector<Contact>> contacts = find_contacts(from, recorded, *places, standing_still());
  if (!contacts) return std::unexpected(contacts.error());
  std::vector<Contact> own;
  for (Contact contact : *contacts) {
    contact.velocity *= scale;
    const std::string side = contact.place.substr(0, contact.place.find('_') + 1);
    const bool front = contact.place.ends_with("ball") || contact.place.ends_with("toe");
    for (const char* name : {front ? "ball" : "heel", front ? "toe" : "ankle"})
      if (to.point(side + name)) {
        contact.place = side + name;
        own.push_back(contact);
        break;
      }
  }
  const Expected<SlidingReport> slide = sliding(to, clip, own);
  if (!slide) return std::unexpected(slide.error());
  out.contacts = slide->all.contacts;
  out.slide = slide->all.max_drift;
  return {};
}

}  // namespace

double LimbTurning::ratio() const { return deg_s / std::fmax(recorded_deg_s, still_deg_s); }

const LimbTurning* RetargetMeasure::fastest() const {
  const auto limb = std::ranges::max_element(turning, {}, &LimbTurning::ratio);
  return limb == turning.end() ? nullptr : &*limb;
}

Expected<RetargetMeasure> measure_retarget(const Figure& from, const Clip& recorded, const Figure& to, const Clip& clip,
                                           double scale) {
  if (recorded.frames() != clip.frames())
    return reject("motion '" + clip.name + "'", std::to_string(clip.frames()) + " frames",
                  std::to_string(recorded.frames()) + ", as recorded");
  const std::vector<Kinematics> was = states_of(from, recorded), is = states_of(to, clip);
  RetargetMeasure out;
  measure_directions(from, was, to, is, out);
  measure_turning(from, was, to, is, clip.frame_time, out);
  if (const Expected<void> done = measure_feet(from, recorded, to, is, clip, scale, out); !done)
    return std::unexpected(done.error());
  return out;
}

}  // namespace limber::bench
