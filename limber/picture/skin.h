// A painted body: its solids by the painter's algorithm, each shaded by one gradient across its axis with light from
// the upper left; farther ones are darker. Or a silhouette in one shape.
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

// The depth to sort by. Seen slightly from above, higher parts are nearer, but must not cover what they stand on.
double order(const Camera& camera, const Vec3& x);
// From the darkest depth to the brightest, in a picture of a figure of this size.
double depth_range(double far, double near, double size);

struct SkinStyle {
  std::string id;     // prefix of its gradients, unique on the page
  double size = 1.0;  // of the figure, in metres
  double edge = 2.0;  // pixels; half of it is visible
  int corners = outline_corners;
  double finest = 0.0;  // pixels: corners that protrude less are omitted
};

class BodyPainter {
 public:
  BodyPainter(const Body& body, const Camera& camera, SkinStyle style, Canvas& canvas)
      : body_(body), camera_(camera), style_(std::move(style)), canvas_(canvas) {}

  // The sort key of a solid, from far to near.
  double depth(const Solid& solid) const;
  // Draws one solid; nearness is 0 for the farthest of the picture and 1 for the nearest.
  void draw(const Solid& solid, const Colour& skin, double nearness);
  // Draws all of them.
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

// The whole body as one shape, without inner lines.
void draw_silhouette(const Body& body, const Camera& camera, int corners, double finest, std::string_view style,
                     Canvas& canvas);

// The polygon without corners that protrude by less than `finest` pixels.
std::vector<Vec2> simplified(const std::vector<Vec2>& polygon, double finest);

}  // namespace limber::picture
