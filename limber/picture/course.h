// A motion measured for its pictures: where its places are over time and how fast, where the body goes, and from which
// side that is seen best.
//
//   v_k = ‖x_{k+1} - x_{k-1}‖ / 2h,   at the two ends ‖x_1 - x_0‖ / h and ‖x_n - x_{n-1}‖ / h
//
// The body's middle is the mean of its joints. The direction of travel is the horizontal one in which the middle is
// spread most, and points to where the motion ends. A body that stays where it is gives none: then it is the direction
// in which its joints and sites swing most, or that of its left, or the x axis.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/body/body.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/camera.h"

namespace limber::picture {

using body::Body;

// One place over all frames.
struct Trace {
  std::string place;
  std::vector<Vec3> at;
  std::vector<double> speed;  // metres a second
};

struct Course {
  std::vector<Trace> traces;
  std::vector<Vec3> middle;    // of the body, one a frame
  Vec3 along = Vec3::UnitX();  // the direction of travel: horizontal, of length 1
  double travel = 0.0;         // metres, along it
  bool travels = false;        // whether it goes anywhere
  double lowest = 0.0;         // of the body, in the frames that were looked at
  double floor = 0.0;          // height of the ground
  std::vector<int> looked_at;  // frames, evenly spaced
  std::vector<Body> bodies;    // in those frames

  Vec3 side() const { return along.cross(Vec3::UnitY()); }  // towards who sees the travel go to the right
  // The direction to a viewer who sees it from before and above the side, by the angles in radians.
  Vec3 aslant(double azimuth, double elevation) const;
};

// The poses are columns, h seconds apart. Rejected: poses of another figure, none, numbers that are not finite, a frame
// time that is not above 0, a place that the figure does not have.
Expected<Course> make_course(const Figure& figure, const MatX& poses, double frame_time,
                             const std::vector<std::string>& places);

// The places over time alone, as make_course() has them.
Expected<std::vector<Trace>> trace_places(const Figure& figure, const MatX& poses, double frame_time,
                                          const std::vector<std::string>& places);

// `count` of `frames`, evenly spaced, the first and the last among them; all where there are no more.
std::vector<int> evenly_spaced(int frames, int count);

// The figure's left in the world, as far as its names tell; else zero.
Vec3 left_of(const Figure& figure, const Kinematics& state);

// All ellipsoids of a body, shifted.
void add_shifted(const Body& body, const Vec3& by, std::vector<Ellipsoid>& scene);

}  // namespace limber::picture
