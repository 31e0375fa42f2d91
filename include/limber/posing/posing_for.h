// What a person pulls at when nothing is stated: the feet that stand are pinned and carry the figure, in balance.
//
//   const Expected<Figure> figure = with_common_names(*content.figure);
//   const Figure person = with_assumed_limits(with_assumed_masses(*figure)).figure;    // roles/assumed.h
//   Posing posing = *Posing::make(person, person.rest(), posing_for(person, person.rest()));
//
// The parts are those of roles_of(). Of a figure that is no person, or whose feet are not known for certain, nothing is
// pinned.
#pragma once

#include "limber/posing/posing.h"
#include "limber/roles/roles.h"

namespace limber {

// The feet that stand in the pose: within the height of an ankle of the lowest. By place, left_foot if the figure has
// one, else the segment. A heel may rise. Balance needs masses.
PosingOptions posing_for(const Figure& figure, const Pose& pose);
PosingOptions posing_for(const Figure& figure, const Pose& pose, const Roles& roles);

}  // namespace limber
