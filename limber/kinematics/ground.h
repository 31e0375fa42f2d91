// Which feet of a figure touch the ground in a pose, and where.
//
// A foot consists of the joints and sites from a segment on. The ground is at the height of the lowest place of all
// feet; places at most ground_contact_height above it touch the ground.
#pragma once

#include <span>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

// Relative to the figure's length. In skeletons of motion files, the foot is the ankle, 3 cm above the ball.
inline constexpr double ground_contact_height = 0.03;

// A place of a foot, fixed to its segment.
struct FootPlace {
  int segment = 0;
  Vec3 local = Vec3::Zero();
};
// The joint that carries the segment is the first.
std::vector<FootPlace> places_on_foot(const Figure& figure, int segment);

struct FootPlaces {
  int segment = 0;
  std::vector<Vec3> places = {};  // in the world; the joint that carries the segment is the first

  double lowest() const;  // height of the lowest place
  // Removes the places that do not touch a ground of that height.
  void keep_contacts(double ground, double figure_length);
};
FootPlaces foot_from(const Figure& figure, const Kinematics& state, int segment);

// The height of the lowest place of all feet, of which there is at least one.
double ground_under(std::span<const FootPlaces> feet);
bool touches_ground(double height, double ground, double figure_length);
bool stands_on(const FootPlaces& foot, double ground, double figure_length);

}  // namespace limber
