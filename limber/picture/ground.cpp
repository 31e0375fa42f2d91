#include "limber/picture/ground.h"

#include "limber/base/number.h"
#include "limber/picture/skin.h"

namespace limber::picture {

namespace {

constexpr double max_above = 0.6, max_below = 0.06;  // relative to the extent, of a figure with the ground at y = 0

double grid_step(const Ground& ground) { return round_step(ground.extent / 4.0); }

std::vector<Vec2> rim(const Camera& camera, const Vec3& centre, double radius) {
  std::vector<Vec2> points;
  for (int k = 0; k < 72; ++k) {
    const double angle = 2.0 * pi * k / 72.0;
    const Vec3 x = centre + radius * Vec3(std::cos(angle), 0.0, std::sin(angle));
    if (camera.sees(x)) points.push_back(camera.project(x));
  }
  return points;
}

}  // namespace

double ground_height(double lowest, double extent) {
  return lowest > -max_below * extent && std::fmax(lowest, 0.0) < max_above * extent ? 0.0 : lowest;
}

Unit unit_for(double metres) {
  if (metres >= 1000.0) return {1000.0, "km"};
  if (metres >= 0.5) return {1.0, "m"};
  if (metres >= 1e-3) return {1e-3, "mm"};
  return {1e-6, "µm"};
}

void draw_grid(const Camera& camera, const Rect& panel, const Ground& ground, Canvas& canvas) {
  const double step = grid_step(ground) * camera.scale;
  // The projection of the world's origin, modulo the step.
  const Vec2 zero = camera.project(Vec3::Zero());
  const std::string style = stroke({233, 237, 242}, 1.0);
  if (step > 4.0) {
    for (double x = panel.x + std::fmod(std::fmod(zero.x() - panel.x, step) + step, step); x < panel.x + panel.width;
         x += step)
      canvas.line({x, panel.y}, {x, panel.y + panel.height}, style);
    for (double y = panel.y + std::fmod(std::fmod(zero.y() - panel.y, step) + step, step); y < panel.y + panel.height;
         y += step)
      canvas.line({panel.x, y}, {panel.x + panel.width, y}, style);
  }
  if (std::fabs(camera.up.y()) < 0.5) return;
  const double level = camera.project(ground.centre).y();
  canvas.rect({panel.x, level, panel.width, panel.y + panel.height - level}, "fill=\"#eef1f5\"");
  canvas.line({panel.x, level}, {panel.x + panel.width, level}, stroke({150, 162, 175}, 1.4));
}

void draw_floor(const Camera& camera, const Ground& ground, Canvas& canvas) {
  const double radius = 0.85 * ground.extent;
  const Vec3& centre = ground.centre;
  canvas.polygon(rim(camera, centre, radius), "fill=\"#eaeef3\"");
  const double step = grid_step(ground);
  for (int axis = 0; axis < 2; ++axis) {
    const Vec3 along = axis == 0 ? Vec3::UnitX() : Vec3::UnitZ(), across = axis == 0 ? Vec3::UnitZ() : Vec3::UnitX();
    const double first = std::ceil((across.dot(centre) - radius) / step);
    for (int k = 0; k < 40; ++k) {
      const double offset = (first + k) * step - across.dot(centre);
      if (!(offset < radius)) break;
      const double half = std::sqrt(std::fmax(0.0, radius * radius - offset * offset));
      Vec2 from, to;
      if (camera.project(centre + offset * across - half * along, centre + offset * across + half * along, from, to))
        canvas.line(from, to, stroke({213, 220, 229}, 1.0));
    }
  }
}

void draw_shadow(const Camera& camera, const Body& body, double floor, Canvas& canvas, int corners, double finest) {
  canvas.open("g", "opacity=\"0.2\" filter=\"url(#soft)\" " + fill(shade));
  for (const Solid& solid : body.solids)
    for (const std::vector<Ellipsoid>& piece : solid.pieces) {
      std::vector<Ellipsoid> flat = piece;
      for (Ellipsoid& e : flat) {
        e.centre.y() = floor;
        e.axes.row(1).setZero();
      }
      canvas.polygon(simplified(outline(camera, flat, corners), finest), "");
    }
  canvas.close("g");
}

void draw_scale_bar(const Camera& camera, const Rect& panel, Canvas& canvas) {
  const double length = round_step(scale_bar / camera.scale);
  const double width = length * camera.scale;
  const Vec2 a(panel.x + 16.0, panel.y + panel.height - 14.0), b = a + Vec2(width, 0.0);
  canvas.line(a, b, stroke(ink, 1.6));
  for (const Vec2& end : {a, b}) canvas.line(end - Vec2(0.0, 4.0), end + Vec2(0.0, 4.0), stroke(ink, 1.6));
  const Unit unit = unit_for(length);
  canvas.text(b + Vec2(8.0, 4.0), 11.0, to_text(std::round(1e3 * length / unit.metres) / 1e3) + " " + unit.name,
              fill(ink));
}

}  // namespace limber::picture
