// What two bodies have in common: places by their common names (format/names.h), the bones between them, how they stand
// at rest, and their sizes. Private to motion/retarget/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

// A place of both bodies.
struct SharedPlace {
  std::string name;
  Handle from, to;
};

// From places[begin] to places[place], which comes later in the list. Trunk and head are upright in every rest pose,
// but the height of the pelvis differs between bodies: their bones rotate relative to rest. Limbs differ in their rest
// poses; their bones take the recorded directions.
struct SharedBone {
  std::size_t place, begin;
  bool from_rest;
  Vec3 rest_from, rest_to;  // rest_to rotated so that both bodies face the same way at rest
};

// A direction that is fixed to a segment of either body and corresponds at rest: forward and up of the trunk and the
// head, forward of the feet, and across the bones of the limbs.
struct SharedDirection {
  int segment_from;
  Element to;
  Vec3 rest;      // in the world of the recorded body, at rest
  double weight;  // against a place
};

struct BodyMatch {
  // Rejected: too few common places, no knees or elbows.
  static Expected<BodyMatch> of(const Figure& from, const Figure& to);

  // The place of a bone's end in places; nothing if the bodies do not share it.
  std::optional<std::size_t> find(std::string_view name) const;
  bool is_limb(const SharedBone& bone) const { return !bone.from_rest; }

  Figure from, to;
  Kinematics rest_from, rest_to;
  std::vector<SharedPlace> places;
  std::vector<SharedBone> bones;
  std::vector<std::size_t> hips;  // indices into bones: both, or none
  std::vector<SharedDirection> directions;
  double scale = 1.0;                         // of travel: leg length to leg length
  double ground_from = 0.0, ground_to = 0.0;  // heights that correspond at rest: of the ankles
};

// The shortest rotation between the directions of two vectors; identity if they are parallel.
Mat3 turn_between(const Vec3& a, const Vec3& b);

// The value of a handle that is a point or a direction.
Vec3 value_of(const Figure& figure, const Kinematics& state, const Handle& handle);

}  // namespace limber
