// Which parameter takes which one's value when left and right are exchanged. Private to figure/.
//
// Let M be the reflection across the plane of symmetry. Reflecting a turn by q about u gives a turn by -q about
// M u, and reflecting a shift by q along u a shift by q along M u. So where the paired freedom has the axis u',
// both seen in the world with all freedoms at zero, its value is s q with
//
//   turn:  s = +1 if u' = -M u,  -1 if u' = M u        shift:  s = +1 if u' = M u,  -1 if u' = -M u.
//
// A group's parameter takes the sign with which its curves reproduce these values.
#pragma once

#include "limber/figure/data.h"

namespace limber {

// One image a parameter; empty for a figure without mirror pairs; rejected where a pair does not mirror.
Expected<std::vector<MirrorImage>> mirror_images(const Figure::Data& data);

}  // namespace limber
