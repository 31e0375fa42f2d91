// A joint of a URDF file, and joints that mimic others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/figure/description.h"
#include "limber/format/text/xml.h"
#include "limber/format/urdf/urdf_values.h"

namespace limber {

enum class UrdfKind { revolute, continuous, prismatic, fixed, floating, planar };

// q = multiplier · q_other + offset.
struct UrdfMimic {
  XmlElement element;
  int other = -1;
  double multiplier = 1.0;
  double offset = 0.0;
};

struct UrdfJoint {
  XmlElement element;
  UrdfKind kind = UrdfKind::fixed;
  int parent = -1, child = -1;  // links
  JointDescription description = {};
  std::optional<UrdfMimic> mimic = {};

  bool has_one_freedom() const { return description.freedoms.size() == 1; }
  Range& range() { return description.freedoms.front().range; }
  std::string parameter() const { return description.name + "." + description.freedoms.front().name; }
  bool slides() const { return description.freedoms.front().motion == Motion::translate; }
};

// Sets rest values that satisfy the mimic relations, and limits that are compatible. Rejects a cycle.
Expected<void> settle_mimics(std::vector<UrdfJoint>& joints, UrdfValues& values);

}  // namespace limber
