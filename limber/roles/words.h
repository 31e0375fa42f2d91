// What the names of bones say. Private to roles/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "limber/roles/roles.h"

namespace limber {

struct NameHint {
  Side side = Side::middle;       // middle: it says none
  std::optional<Role> role = {};  // nothing: no word that is known
  bool is_control = false;        // "IK", "pole", "target"
};

// Of "mixamorig:LeftUpLeg", "upper_arm.R", "rShldr", "lfemur", "left_hip_pitch_link".
NameHint name_hint(std::string_view name);

}  // namespace limber
