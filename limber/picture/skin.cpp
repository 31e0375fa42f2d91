#include "limber/picture/skin.h"

#include <algorithm>

#include "limber/base/number.h"

namespace limber::picture {

namespace {

const Vec2 light(-0.55, -0.84);  // towards the light, in the picture
constexpr double far_darker = 0.24, far_paler = 0.12;
constexpr double min_range = 0.3;  // relative to the figure's length: between the darkest depth and the brightest
constexpr double min_piece = 0.8;  // pixels: smaller pieces are omitted from a silhouette

Vec3 middle(const Solid& solid) {
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (const auto& piece : solid.pieces)
    for (const Ellipsoid& e : piece) {
      sum += e.centre;
      ++count;
    }
  return sum / std::max(1, count);
}

// Whether some piece of the trunk reaches the lower end of the head.
bool touches(const Solid& trunk, const Solid& head) {
  const double reach = 0.75 * (head.to - head.from).norm();
  for (const auto& piece : trunk.pieces)
    for (const Ellipsoid& e : piece)
      if ((e.centre - head.from).norm() < reach) return true;
  return false;
}

}  // namespace

double order(const Camera& camera, const Vec3& x) {
  const bool from_above = camera.up.y() < 0.5;
  const Vec3 towards = from_above ? camera.back : Vec3(camera.back.x(), 0.0, camera.back.z()).normalized();
  return towards.dot(x - camera.target);
}

// Between its middle and its nearest point: where two solids meet, the thicker one covers the end of the thinner one,
// but limbs cover the trunk.
double BodyPainter::front(const Solid& solid) const {
  double thick = 0.0;
  for (const auto& piece : solid.pieces)
    for (const Ellipsoid& e : piece) thick = std::fmax(thick, (e.axes.transpose() * camera_.back).norm());
  return order(camera_, middle(solid)) + (solid.trunk ? 0.0 : 0.5) * thick;
}

// A head covers the trunk below it unless it is bent back beyond their joint.
double BodyPainter::head_front(const Solid& head) const {
  const double own = front(head);
  if (own < order(camera_, head.from)) return own;
  double max = own;
  for (const Solid& solid : body_.solids)
    if (solid.trunk && touches(solid, head)) max = std::fmax(max, front(solid) + 1e-6 * style_.size);
  return max;
}

double BodyPainter::depth(const Solid& solid) const { return solid.head ? head_front(solid) : front(solid); }

void BodyPainter::draw(const Colour& skin) {
  std::vector<std::pair<double, const Solid*>> list;
  for (const Solid& solid : body_.solids)
    if (const double z = depth(solid); std::isfinite(z)) list.emplace_back(z, &solid);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (list.empty()) return;
  const double far = list.front().first;
  const double range = depth_range(far, list.back().first, style_.size);
  for (const auto& [z, solid] : list) draw(*solid, skin, (z - far) / range);
}

void BodyPainter::draw(const Solid& solid, const Colour& skin, double nearness) {
  const Colour base = mix(skin, shade, far_darker * (1.0 - nearness));
  const Colour edge = mix(mix(base, ink, 0.72), white, far_paler * (1.0 - nearness));
  std::vector<std::vector<Vec2>> outlines;
  for (const auto& piece : solid.pieces)
    outlines.push_back(simplified(outline(camera_, piece, style_.corners), style_.finest));
  const std::string paint = gradient(solid, outlines, base);
  canvas_.polygons(outlines, paint + " stroke=\"" + hex(edge) + "\" stroke-width=\"" + to_text(style_.edge) +
                                 "\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
  for (const Eye& eye : body_.eyes)
    if (std::find(solid.segments.begin(), solid.segments.end(), eye.segment) != solid.segments.end()) draw_eye(eye);
}

// Defines the gradient of a solid and returns the attribute that uses it.
std::string BodyPainter::gradient(const Solid& solid, const std::vector<std::vector<Vec2>>& outlines,
                                  const Colour& base) {
  const Vec2 axis = camera_.project(solid.to) - camera_.project(solid.from);
  Vec2 n = axis.norm() > 0.0 ? Vec2(Vec2(-axis.y(), axis.x()) / axis.norm()) : light;
  if (n.dot(light) < 0.0) n = -n;
  const auto extent = [&](const Vec2& direction) {
    double min = infinity, max = -infinity;
    for (const auto& points : outlines)
      for (const Vec2& x : points) {
        min = std::fmin(min, direction.dot(x));
        max = std::fmax(max, direction.dot(x));
      }
    return std::pair(min, max);
  };
  // A solid seen end-on, or a round one, has the light on its upper left.
  const auto [start, end] = extent(Vec2(n.y(), -n.x()));
  auto [dark, bright] = extent(n);
  const double length = end - start, width = bright - dark;
  const double slender = std::clamp(length / std::fmax(width, 1e-9) - 1.0, 0.0, 1.0);
  n = (slender * n + (1.0 - slender) * light).normalized();
  std::tie(dark, bright) = extent(n);
  if (!std::isfinite(dark) || !std::isfinite(bright)) return fill(base);
  const Vec2 side(-n.y(), n.x());
  const auto [a, b] = extent(side);
  const Vec2 middle = 0.5 * (a + b) * side;
  const Vec2 from = middle + bright * n, to = middle + dark * n;
  const std::string id = style_.id + "-" + std::to_string(gradients_++);
  const auto stop = [](double offset, const Colour& colour) {
    return "<stop offset=\"" + to_text(offset) + "\" stop-color=\"" + hex(colour) + "\"/>";
  };
  canvas_.raw("<linearGradient id=\"" + id + "\" gradientUnits=\"userSpaceOnUse\" x1=\"" + pixels(from.x()) +
              "\" y1=\"" + pixels(from.y()) + "\" x2=\"" + pixels(to.x()) + "\" y2=\"" + pixels(to.y()) + "\">" +
              stop(0.0, mix(base, white, 0.3)) + stop(0.22, mix(base, white, 0.55)) + stop(0.55, base) +
              stop(1.0, mix(base, shade, 0.42)) + "</linearGradient>\n");
  return "fill=\"url(#" + id + ")\"";
}

void BodyPainter::draw_eye(const Eye& eye) {
  if (!eye.at.allFinite() || !camera_.sees(eye.at)) return;
  const Vec3 to_viewer = camera_.distance != infinity
                             ? Vec3((camera_.target + camera_.distance * camera_.back - eye.at).normalized())
                             : camera_.back;
  if (eye.outward.dot(to_viewer) < 0.12) return;
  // A flat disc on the face, foreshortened with it.
  const Mat3 across = eye.radius * (Mat3::Identity() - eye.outward * eye.outward.transpose());
  canvas_.polygon(outline(camera_, {{eye.at, across}}, style_.corners), fill(ink));
}

double depth_range(double far, double near, double size) { return std::fmax(near - far, min_range * size); }

void draw_silhouette(const Body& body, const Camera& camera, int corners, double finest, std::string_view style,
                     Canvas& canvas) {
  std::vector<std::vector<Vec2>> outlines;
  for (const Solid& solid : body.solids)
    for (const auto& piece : solid.pieces) {
      std::vector<Vec2> points = simplified(outline(camera, piece, corners), finest);
      if (points.empty()) continue;
      Vec2 min = points.front(), max = points.front();
      for (const Vec2& x : points) {
        min = min.cwiseMin(x);
        max = max.cwiseMax(x);
      }
      if ((max - min).maxCoeff() >= min_piece) outlines.push_back(std::move(points));
    }
  canvas.polygons(outlines, style);
}

std::vector<Vec2> simplified(const std::vector<Vec2>& polygon, double finest) {
  if (finest <= 0.0 || polygon.size() < 4) return polygon;
  const auto distance = [&](std::size_t a, std::size_t b, std::size_t k) {
    const Vec2 d = polygon[b] - polygon[a], x = polygon[k] - polygon[a];
    const double t = d.squaredNorm() > 0.0 ? std::clamp(x.dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    return (x - t * d).norm();
  };
  std::vector<Vec2> kept = {polygon.front()};
  std::size_t last = 0;
  for (std::size_t next = 2; next < polygon.size(); ++next)
    for (std::size_t k = last + 1; k < next; ++k)
      if (distance(last, next, k) >= finest) {
        last = next - 1;
        kept.push_back(polygon[last]);
        break;
      }
  kept.push_back(polygon.back());
  return kept;
}

}  // namespace limber::picture
