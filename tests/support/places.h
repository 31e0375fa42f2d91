// Positions of the sites of a figure, by name.
#pragma once

#include <map>
#include <string>

#include "limber/kinematics/forward.h"

namespace limber {

using Places = std::map<std::string, Vec3>;

inline Places places(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places out;
  for (const Site& site : figure.sites()) out[site.name] = state.segments[site.segment] * site.frame.p;
  return out;
}

}  // namespace limber
