// What the body stands on: a floor, a metric grid, a shadow, and a bar that says how long a metre is.
#pragma once

#include "limber/body/body.h"
#include "limber/picture/camera.h"
#include "limber/picture/canvas.h"

namespace limber::picture {

using body::Body;

inline constexpr double scale_bar = 110.0;  // pixels at most

struct Ground {
  Vec3 centre = Vec3::Zero();  // on the floor, under the middle of the scene
  double extent = 1.0;         // of the scene, in metres
};

// The ground is y = 0 for a figure that stands on it or leaps over it, else it is under the figure.
double ground_height(double lowest, double extent);

// The unit in which people give a length of about so many metres.
struct Unit {
  double metres = 1.0;
  const char* name = "m";
};
Unit unit_for(double metres);

// Lines over the whole panel, and the ground where it is seen from the side.
void draw_grid(const Camera& camera, const Rect& panel, const Ground& ground, Canvas& canvas);
// A round floor with the lines of a metric grid on it.
void draw_floor(const Camera& camera, const Ground& ground, Canvas& canvas);
void draw_shadow(const Camera& camera, const Body& body, double floor, Canvas& canvas, int corners = outline_corners,
                 double finest = 0.0);
// In the lower left corner of the panel.
void draw_scale_bar(const Camera& camera, const Rect& panel, Canvas& canvas);

}  // namespace limber::picture
