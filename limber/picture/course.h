// A motion measured for its pictures: positions and speeds of places over time, the direction of travel, and the best
// viewing side.
//
//   v_k = ‖x_{k+1} - x_{k-1}‖ / 2h,   at the two ends ‖x_1 - x_0‖ / h and ‖x_n - x_{n-1}‖ / h
//
// The body's middle is the mean of its joints. The direction of travel is the horizontal direction in which the middle
// varies most, oriented towards the end of the motion. For a body that does not travel it is the direction in which its
// joints and sites swing most, else that of its left, else the x axis.
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
  std::vector<double> speed;  // metres per second
};

struct Course {
  std::vector<Trace> traces;
  std::vector<Vec3> middle;    // of the body, one per frame
  Vec3 along = Vec3::UnitX();  // the direction of travel: horizontal, of length 1
  double travel = 0.0;         // metres along it
  bool travels = false;        // whether that is significant
  double lowest = 0.0;         // point of the body, in the sampled frames
  double floor = 0.0;          // height of the ground
  std::vector<int> sampled;    // frames, evenly spaced
  std::vector<Body> bodies;    // in those frames

  Vec3 side() const { return along.cross(Vec3::UnitY()); }  // towards a viewer who sees the travel go to the right
  // The direction to a viewer in front of and above the side, by the angles in radians.
  Vec3 aslant(double azimuth, double elevation) const;
};

// The poses are columns, h seconds apart. Rejected: poses that do not fit the figure, none, numbers that are not
// finite, a frame time that is not above 0, an unknown place.
Expected<Course> make_course(const Figure& figure, const MatX& poses, double frame_time,
                             const std::vector<std::string>& places);

// Only the traces of make_course().
Expected<std::vector<Trace>> trace_places(const Figure& figure, const MatX& poses, double frame_time,
                                          const std::vector<std::string>& places);

// `count` of `frames`, evenly spaced, including the first and the last; all if there are no more.
std::vector<int> evenly_spaced(int frames, int count);

// The figure's left in the world, from the names of its places; else zero.
Vec3 left_of(const Figure& figure, const Kinematics& state);

// All ellipsoids of a body, shifted.
void add_shifted(const Body& body, const Vec3& by, std::vector<Ellipsoid>& scene);

}  // namespace limber::picture
