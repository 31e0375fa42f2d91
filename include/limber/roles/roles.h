// Which segment of a figure is which part of a body, recognised by its shape: the tree, the lengths of its bones, where
// its joints are at rest, left and right, the axes and limits of its joints. Names are one hint among others: a figure
// without them is known as well, except where its shape leaves left and right open.
//
//   const Roles roles = roles_of(figure);
//   if (const RolePart* knee = roles.find(Role::knee, Side::left); knee && knee->confidence > sure_confidence) …
//
// How. Two chains from one segment that mirror each other at rest are a pair. The longest pair that reaches down to the
// ground are the legs; two such pairs, a length of trunk apart, a quadruped. The longest other pair are the arms. In
// each limb the two long bones of about one length are found: hip, knee and ankle, or shoulder, elbow and wrist; what
// lies between them turns the same bone (a twist), what comes before is a clavicle or a helper. The pelvis is the first
// segment that carries both legs and trunk, the chest carries the arms, the head is at the end of what rises between
// them. Toes, knees, elbows, thumbs and faces tell where it looks.
//
// A confidence is the probability of the proposed joint among the others of its limb, times how well the limb's
// proportions fit those of people. Sides have their own, since a figure may be the same seen from the front and from
// behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/figure/figure.h"

namespace limber {

enum class BodyPlan { unknown, person, quadruped };
enum class Side { middle, left, right };
// Of a quadruped, the front legs are arms.
enum class Role {
  pelvis,
  spine,
  neck,
  head,
  clavicle,
  shoulder,
  elbow,
  wrist,
  thumb,
  index,
  middle,
  ring,
  little,
  hip,
  knee,
  ankle,
  ball,
};

struct RolePart {
  Role role = Role::pelvis;
  Side side = Side::middle;
  int order = 0;    // of several: of the spine and the neck from the pelvis up, of a finger from the hand on
  int first = 0;    // the segment that its first joint moves
  int segment = 0;  // the last one, if several joints follow in one place: it turns with the part
  double confidence = 0.0;
};

enum class AsideReason {
  above,    // moves the whole body
  control,  // beside the body's tree: a target of inverse kinematics, a prop
  helper,   // in the body, without a part of its own: twists, sockets, muscles
  face,     // carried by the head
  toe,      // carried by the foot
  tip,      // an end without a joint
};
struct RoleAside {
  int segment = 0;
  AsideReason reason = AsideReason::helper;
};

struct Roles {
  BodyPlan plan = BodyPlan::unknown;
  double plan_confidence = 0.0;
  double side_confidence = 0.0;  // that left is left
  Vec3 forward = Vec3::UnitZ();  // at rest, horizontal
  Vec3 left = Vec3::UnitX();     // at rest, horizontal
  std::vector<RolePart> parts = {};
  std::vector<RoleAside> aside = {};

  // Null: not found. An order of -1 is the last one, such as the chest of the spine.
  const RolePart* find(Role role, Side side = Side::middle, int order = 0) const;
  // Its confidence, and that of its side; 0 if it was not found.
  double confidence(Role role, Side side = Side::middle) const;
};

// From here on a role is certain enough to act on it without asking.
inline constexpr double sure_confidence = 0.7;

struct RoleOptions {
  bool names = true;  // whether names count
};

// Of a figure that was joined of several, nothing is known as a whole.
Roles roles_of(const Figure& figure, const RoleOptions& options = {});

// The figure with mirror pairs: segments that are mirror images of each other at rest, from the root on. Unchanged if
// it already has pairs, is no body, or the axes of its sides are not each other's reflection.
Figure with_mirror_pairs(const Figure& figure);
Figure with_mirror_pairs(const Figure& figure, const Roles& roles);

// "pelvis", "left_knee", "spine", "right_index": with the order from the second on, such as "spine_2".
std::string name_of(const RolePart& part);
std::string_view name_of(Role role);
std::string_view name_of(BodyPlan plan);
std::string_view name_of(AsideReason reason);

// What a person has and the figure lacks, in the words of name_of().
std::vector<std::string> missing_roles(const Roles& roles);

}  // namespace limber
