// How parameters map when left and right are swapped. Private to figure/.
//
// Let M be the reflection across the plane of symmetry. It maps a rotation by q about u to a rotation by -q about M u,
// and a translation by q along u to a translation by q along M u. So if the paired freedom has the axis u', both in
// world coordinates with all freedoms at zero, its value is s q with
//
//   turn:  s = +1 if u' = -M u,  -1 if u' = M u        shift:  s = +1 if u' = M u,  -1 if u' = -M u.
//
// A group's parameter has the sign for which its curves reproduce these values.
#pragma once

#include "limber/figure/data.h"

namespace limber {

// One image per parameter; empty without mirror pairs; rejected if a pair is not symmetric.
Expected<std::vector<MirrorImage>> mirror_images(const Figure::Data& data);

}  // namespace limber
