#include "limber/posing/handle_places.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace limber {

namespace {

// Joints by the names of the common body's bones, in the world of the measured pose.
using Joints = std::vector<std::pair<std::string, Vec3>>;

const Vec3* joint_named(const Joints& joints, const std::string& bone) {
  const auto found = std::ranges::find(joints, bone, &Joints::value_type::first);
  return found == joints.end() ? nullptr : &found->second;
}

std::string with_side(std::string_view pattern, char side) {
  std::string name(pattern);
  if (const std::size_t at = name.find('%'); at != std::string::npos) name[at] = side;
  return name;
}

// The mean length of a group on both sides; 0 if a joint is unknown.
double length_of(const Joints& joints, const GroupSpan& group) {
  double sum = 0.0;
  for (const char side : {'l', 'r'}) {
    const Vec3 *from = joint_named(joints, with_side(group.from, side)),
               *to = joint_named(joints, with_side(group.to, side));
    if (!from || !to) return 0.0;
    sum += 0.5 * (*from - *to).norm();
  }
  return sum;
}

Joints joints_of(const CommonBody& body) {
  CommonBody::State state;
  Lengths ones;
  ones.fill(1.0);
  body.forward(VecX::Zero(static_cast<Eigen::Index>(body.columns.size())), Frame{}, ones, state);
  Joints joints;
  for (std::size_t k = 0; k < body.bones.size(); ++k) joints.emplace_back(body.bones[k].name, state.p[k]);
  return joints;
}

// The places of a skeleton with the bones of the common body.
Joints measure_skeleton(const Figure& figure, HandlePlaces& places) {
  const Kinematics zero = forward(figure, Pose{places.zero});
  Joints joints;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    joints.emplace_back(figure.segments()[s].name, zero.segments[s].p);
  for (std::size_t k = 0; k < handle_parts.size(); ++k)
    if (const Expected<int> s = figure.find_segment(handle_parts[k].bone))
      places.part[k] = {true, *s, Vec3::Zero(), zero.segments[static_cast<std::size_t>(*s)].R, true};
  return joints;
}

// The place of a joint on a figure that stands upright: first its joint by name, and the segment that turns with it.
struct Spelling {
  std::string_view part, joint, turns;
  bool oriented;  // whether its segment is turned at rest as in the zero pose of the common body
};
constexpr Spelling spellings[] = {
    {"pelvis", "pelvis", "pelvis", true},
    {"head", "head", "head", true},
    {"left_shoulder", "left_shoulder", "left_shoulder", false},
    {"right_shoulder", "right_shoulder", "right_shoulder", false},
    {"left_elbow", "left_elbow", "left_elbow", false},
    {"right_elbow", "right_elbow", "right_elbow", false},
    {"left_hand", "left_wrist", "left_hand", false},
    {"right_hand", "right_wrist", "right_hand", false},
    {"left_palm", "left_palm", "left_palm", false},
    {"right_palm", "right_palm", "right_palm", false},
    {"left_knee", "left_knee", "left_knee", false},
    {"right_knee", "right_knee", "right_knee", false},
    {"left_foot", "left_ankle", "left_foot", true},
    {"right_foot", "right_ankle", "right_foot", true},
    {"left_ball", "left_ball", "left_ball", false},
    {"right_ball", "right_ball", "right_ball", false},
};
constexpr std::string_view needed_parts[] = {"pelvis",     "head",        "left_shoulder", "right_shoulder",
                                             "left_elbow", "right_elbow", "left_hand",     "right_hand",
                                             "left_knee",  "right_knee",  "left_foot",     "right_foot"};

struct NamedPoint {
  int segment;
  Vec3 local;
};
std::optional<NamedPoint> point_named(const Figure& figure, std::string_view name) {
  const Expected<Handle> handle = figure.point(name);
  if (!handle) return std::nullopt;
  return NamedPoint{handle->plus[0].segment, handle->plus[0].local};
}

// The segment of the trunk that turns with a point on it: the one that begins nearest below it, on the way from the
// head to the root.
int trunk_segment(const Figure& figure, const Kinematics& rest, int head, const Vec3& p_world) {
  for (int s = figure.segments()[head].parent; s != no_parent; s = figure.segments()[s].parent)
    if (rest.segments[s].p.y() <= p_world.y() || figure.segments()[s].parent == no_parent) return s;
  return head;
}

// As the common body, which faces along z, a figure whose hips are there.
Mat3 turned_as_common(const Vec3& left_hip, const Vec3& right_hip) {
  const Vec3 left = left_hip - right_hip;
  return rotation(Vec3::UnitY(), std::atan2(left.z(), left.x()));
}

Expected<Joints> measure_named(const Figure& figure, const Joints& common, HandlePlaces& places) {
  Kinematics rest = forward(figure, Pose{places.zero});
  Joints joints;
  const auto world = [&](const NamedPoint& spot) { return Vec3(rest.segments[spot.segment] * spot.local); };
  const auto set = [&](std::string_view name, int segment, const Vec3& p_world, bool oriented) {
    const auto k = handle_part(name);
    const Frame& X = rest.segments[segment];
    places.part[k] = {true, segment, X.inverse() * p_world, X.R, oriented};
    joints.emplace_back(handle_parts[k].bone, p_world);
  };
  const std::optional<NamedPoint> hips[] = {point_named(figure, "left_hip"), point_named(figure, "right_hip")};
  if (!hips[0] || !hips[1]) return reject("figure '" + figure.name() + "'", "no place 'left_hip'", "the common names");
  const Frame to_common{turned_as_common(world(*hips[0]), world(*hips[1])), Vec3::Zero()};
  for (Frame& segment : rest.segments) segment = to_common * segment;
  const Vec3 left = world(*hips[0]), right = world(*hips[1]);
  joints.emplace_back("lfemur", left);
  joints.emplace_back("rfemur", right);
  for (const Spelling& spelling : spellings) {
    const std::optional<NamedPoint> joint = point_named(figure, spelling.joint),
                                    turns = point_named(figure, spelling.turns);
    if (!joint && !turns) continue;
    set(spelling.part, (turns ? turns : joint)->segment, world(*(joint ? joint : turns)), spelling.oriented);
  }
  for (const std::string_view name : needed_parts)
    if (!places.part[handle_part(name)].known)
      return reject("figure '" + figure.name() + "'", "no place '" + std::string(name) + "'", "the common names");

  // The trunk of the common body has joints that others do not have at the same places: its root is above the hips, its
  // neck begins below the shoulders, its chest between the two. They are placed relative to the length of the legs.
  const auto leg = [](const Joints& all) {
    return (*joint_named(all, "lfemur") - *joint_named(all, "ltibia")).norm() +
           (*joint_named(all, "ltibia") - *joint_named(all, "lfoot")).norm();
  };
  const auto middle = [](const Joints& all, std::string_view bone) {
    return Vec3(0.5 * (*joint_named(all, with_side(bone, 'l')) + *joint_named(all, with_side(bone, 'r'))));
  };
  const double scale = leg(joints) / leg(common);
  const Vec3 root = *joint_named(common, "root"), base = *joint_named(common, "lowerneck");
  const Vec3 pelvis = middle(joints, "%femur") + scale * (root - middle(common, "%femur"));
  const Vec3 neck = middle(joints, "%humerus") + scale * (base - middle(common, "%humerus"));
  const double part = (*joint_named(common, "thorax") - root).dot(base - root) / (base - root).squaredNorm();
  const Vec3 chest = pelvis + part * (neck - pelvis);
  const int pelvis_segment = places.part[0].segment, head_segment = places.part[handle_part("head")].segment;
  std::erase_if(joints, [](const auto& joint) { return joint.first == "root"; });
  set("pelvis", pelvis_segment, pelvis, true);
  set("neck", trunk_segment(figure, rest, head_segment, neck), neck, false);
  set("chest", trunk_segment(figure, rest, head_segment, chest), chest, true);
  return joints;
}

}  // namespace

Expected<HandlePlaces> find_handle_places(const Figure& figure, const CommonBody& body) {
  HandlePlaces places;
  const Joints common = joints_of(body);
  for (const std::string& column : body.columns)
    if (const Expected<int> j = figure.find_parameter(column)) places.parameter_of_angle.push_back(*j);
  const bool same_joints = places.parameter_of_angle.size() == body.columns.size() &&
                           std::ranges::all_of(body.bones, [&](const CommonBone& bone) {
                             return figure.find_segment(bone.name).has_value() || bone.turns.empty();
                           });
  places.zero = figure.rest().theta;
  Joints joints;
  if (same_joints) {
    for (const int j : places.parameter_of_angle) places.zero[j] = 0.0;
    joints = measure_skeleton(figure, places);
  } else {
    places.parameter_of_angle.clear();
    Expected<Joints> named = measure_named(figure, common, places);
    if (!named) return std::unexpected(named.error());
    joints = std::move(*named);
  }
  double own = 0.0, other = 0.0;
  for (const int g : unit_groups) {
    own += length_of(joints, group_spans[static_cast<std::size_t>(g)]);
    other += length_of(common, group_spans[static_cast<std::size_t>(g)]);
  }
  if (!(own > 0.0)) return reject("figure '" + figure.name() + "'", "a body without length", "legs and a trunk");
  places.unit = own / other;
  for (std::size_t g = 0; g < group_spans.size(); ++g) {
    const double length = length_of(joints, group_spans[g]) / (places.unit * length_of(common, group_spans[g]));
    places.lengths[g] = length > 0.0 ? length : 1.0;
  }
  return places;
}

}  // namespace limber
