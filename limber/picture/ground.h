// The ground of a picture: a floor, a metric grid, a shadow, and a scale bar.
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

// The ground is y = 0 for a figure that stands on it or jumps above it, else just below the figure.
double ground_height(double lowest, double extent);

// The usual unit for a length of about `metres`.
struct Unit {
  double metres = 1.0;
  const char* name = "m";
};
Unit unit_for(double metres);

// Lines over the whole panel, and the ground seen from the side.
void draw_grid(const Camera& camera, const Rect& panel, const Ground& ground, Canvas& canvas);
// A round floor with a metric grid.
void draw_floor(const Camera& camera, const Ground& ground, Canvas& canvas);
void draw_shadow(const Camera& camera, const Body& body, double floor, Canvas& canvas, int corners = outline_corners,
                 double finest = 0.0);
// In the lower left corner of the panel.
void draw_scale_bar(const Camera& camera, const Rect& panel, Canvas& canvas);

}  // namespace limber::picture
