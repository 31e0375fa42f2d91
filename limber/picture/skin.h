// A body painted: its solids by the painter's algorithm, each shaded by one gradient across its axis with the light
// from the upper left; what is farther away is darker. Or as a silhouette, all of it one shape.
#pragma once

#include <string>
#include <string_view>

#include "limber/body/body.h"
#include "limber/picture/camera.h"
#include "limber/picture/canvas.h"

namespace limber::picture {

using body::Body;
using body::Eye;
using body::Solid;

inline constexpr Colour white = {255, 255, 255};
inline constexpr Colour ink = {38, 52, 68};
inline constexpr Colour shade = {52, 66, 92};
inline constexpr Colour skin_in_use = {139, 178, 219};
inline constexpr Colour skin_at_rest = {208, 213, 219};

// The depth to sort by. Seen from slightly above, what is higher is nearer, but does not cover what it stands on.
double order(const Camera& camera, const Vec3& x);
// From the darkest depth to the brightest, in a picture of a figure of this size.
double depth_range(double far, double near, double size);

struct SkinStyle {
  std::string id;     // before the names of its gradients: one of its own on the page
  double size = 1.0;  // of the figure, in metres
  double edge = 2.0;  // pixels; half of it is seen
  int corners = outline_corners;
  double finest = 0.0;  // pixels: corners that stand out less are left out
};

class BodyPainter {
 public:
  BodyPainter(const Body& body, const Camera& camera, SkinStyle style, Canvas& canvas)
      : body_(body), camera_(camera), style_(std::move(style)), canvas_(canvas) {}

  // What a solid of the body is sorted by, from the far to the near.
  double depth(const Solid& solid) const;
  // One solid; nearness is 0 for the farthest of the picture and 1 for the nearest.
  void draw(const Solid& solid, const Colour& skin, double nearness);
  // All of them.
  void draw(const Colour& skin);

 private:
  double front(const Solid& solid) const;
  double head_front(const Solid& head) const;
  std::string gradient(const Solid& solid, const std::vector<std::vector<Vec2>>& outlines, const Colour& base);
  void draw_eye(const Eye& eye);

  const Body& body_;
  const Camera& camera_;
  SkinStyle style_;
  Canvas& canvas_;
  int gradients_ = 0;
};

// The whole body as one shape, without lines inside.
void draw_silhouette(const Body& body, const Camera& camera, int corners, double finest, std::string_view style,
                     Canvas& canvas);

// The polygon without the corners that stand out of it by less than `finest` pixels.
std::vector<Vec2> simplified(const std::vector<Vec2>& polygon, double finest);

}  // namespace limber::picture
