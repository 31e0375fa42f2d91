// What a character from a file lacks, assumed from people: masses, and limits of its joints.
//
// Both are carried over by its roles (roles.h), from the same published samples as those of human() (doc/human.md). A
// joint with three rotations and no limits of its own gets the smallest box of its angles that holds every turn that a
// person's joint allows, measured from how the figure stands or sits at rest:
//
//   lower_i = min q_i(W),  upper_i = max q_i(W)     over the turns W of the published ranges, W = P D(q) D(q_rest)⁻¹ Pᵀ
//
// P is the orientation of the joint in the world at rest, D(q) its three rotations. A spine shares the range of the
// whole among its joints. Joints below the pelvis that can be shifted without limits stay where they are, so that no
// bone stretches. What the figure states itself stays.
#pragma once

#include <string>
#include <vector>

#include "limber/roles/roles.h"

namespace limber {

struct AssumedLimits {
  Figure figure;
  std::vector<std::string> parameters;  // whose limits are assumed
};

// Of a person; other figures are unchanged.
AssumedLimits with_assumed_limits(const Figure& figure, const Roles& roles);

// A person of the mean build of the published sample. Unchanged if the figure has masses, or is no person.
Figure with_assumed_masses(const Figure& figure, const Roles& roles);

}  // namespace limber
