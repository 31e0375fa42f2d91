#include "limber/motion/retarget.h"

#include <algorithm>
#include <optional>

#include "limber/kinematics/handle.h"
#include "limber/motion/track.h"

namespace limber {

namespace {

// A place, and the one that its bone comes from, which stands before it in the list. The trunk and the head stand
// upright in every rest pose, but a pelvis is not at the same height in every body: their bones turn as much from where
// they are at rest. Limbs rest in many ways; their bones take the same direction.
struct Bone {
  const char* place;
  const char* from;
  bool from_rest = false;
};

constexpr const char* first_place = "pelvis";
constexpr Bone bones[] = {
    {"left_hip", first_place, true},       {"left_knee", "left_hip"},
    {"left_ankle", "left_knee"},           {"left_toe", "left_ankle"},
    {"right_hip", first_place, true},      {"right_knee", "right_hip"},
    {"right_ankle", "right_knee"},         {"right_toe", "right_ankle"},
    {"left_shoulder", first_place, true},  {"left_elbow", "left_shoulder"},
    {"left_wrist", "left_elbow"},          {"left_fingertip", "left_wrist"},
    {"right_shoulder", first_place, true}, {"right_elbow", "right_shoulder"},
    {"right_wrist", "right_elbow"},        {"right_fingertip", "right_wrist"},
    {"head_top", "left_shoulder", true},
};
constexpr std::size_t fewest_places = 6;

// The shortest turn that takes the direction of one vector to that of another; none where it has no axis.
Mat3 turn_between(const Vec3& a, const Vec3& b) {
  const Vec3 axis = a.cross(b);
  const double sine = axis.norm();
  return sine > 0.0 ? rotation(axis / sine, std::atan2(sine, a.dot(b))) : Mat3(Mat3::Identity());
}

// Where the places are, nothing for one that the figure does not have.
std::optional<Vec3> place_at(const Figure& figure, const Kinematics& state, const char* name) {
  const Expected<Handle> handle = figure.point(name);
  if (!handle) return std::nullopt;
  Vec3 x[max_elements];
  evaluate(figure, state, *handle, x);
  return x[0];
}

}  // namespace

Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options) {
  if (clip.frames() == 0) return refuse("motion '" + clip.name + "'", "no frame", "at least one");
  if (options.every < 1) return refuse("every", std::to_string(options.every), "1 or more");
  const Kinematics rest_from = forward(from, from.rest()), rest_to = forward(to, to.rest());
  std::vector<std::string> places = {first_place};
  std::vector<Bone> shared;
  std::vector<Vec3> bones_from, bones_to;  // at rest
  for (const Bone& bone : bones) {
    const std::optional<Vec3> to_end = place_at(to, rest_to, bone.place), to_begin = place_at(to, rest_to, bone.from);
    const std::optional<Vec3> from_end = place_at(from, rest_from, bone.place),
                              from_begin = place_at(from, rest_from, bone.from);
    if (!to_end || !to_begin || !from_end || !from_begin) continue;
    shared.push_back(bone);
    places.emplace_back(bone.place);
    bones_to.push_back(*to_end - *to_begin);
    bones_from.push_back(*from_end - *from_begin);
  }
  if (!place_at(from, rest_from, first_place) || !place_at(to, rest_to, first_place) || places.size() < fewest_places)
    return refuse("figures '" + from.name() + "' and '" + to.name() + "'",
                  std::to_string(places.size()) + " places in common",
                  "at least " + std::to_string(fewest_places) + ": pelvis, left_hip, left_knee …");

  Expected<Tracker> tracker = Tracker::make(to, places);
  if (!tracker) return std::unexpected(tracker.error());
  // The pelvis rises and travels with the length of the legs.
  const double scale = to.length() / from.length();
  const int frames = (clip.frames() - 1) / options.every + 1;
  Clip out{clip.name, clip.frame_time * options.every, MatX(static_cast<Eigen::Index>(to.parameters().size()), frames)};
  Kinematics state(from);
  VecX q;
  std::vector<std::optional<Vec3>> points(places.size());
  Pose pose = to.rest();
  for (int k = 0; k < frames; ++k) {
    from.angles(clip.poses.col(k * options.every), q);
    forward(from, q, state);
    points[0] = scale * *place_at(from, state, first_place);
    for (std::size_t b = 0; b < shared.size(); ++b) {
      const auto at = std::find(places.begin(), places.end(), shared[b].from) - places.begin();
      const Vec3 bone = *place_at(from, state, shared[b].place) - *place_at(from, state, shared[b].from);
      const Vec3 turned = shared[b].from_rest ? Vec3(turn_between(bones_from[b], bone) * bones_to[b])
                                              : Vec3(bones_to[b].norm() * bone.normalized());
      points[b + 1] = *points[static_cast<std::size_t>(at)] + turned;
    }
    tracker->aim(points);
    tracker->solve(pose, {.iterations = options.iterations});
    out.poses.col(k) = pose.theta;
  }
  return out;
}

}  // namespace limber
