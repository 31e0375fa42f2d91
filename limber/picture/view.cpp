// Painter's algorithm: opaque and translucent shapes are drawn from far to near, by the depth of their middle; lines,
// joints and letters come on top.
#include "limber/picture/view.h"

#include <algorithm>
#include <functional>

#include "limber/base/number.h"
#include "limber/picture/ground.h"
#include "limber/picture/skin.h"

namespace limber::picture {

namespace {

constexpr Colour limit_red = {205, 45, 50};

class ViewPainter {
 public:
  ViewPainter(const Scene& scene, const View& view, Canvas& canvas)
      : scene_(scene),
        view_(view),
        camera_(view.camera),
        canvas_(canvas),
        skin_(scene.body, view.camera, {.id = "skin-" + view.id, .size = scene.size}, canvas),
        ground_{Vec3(scene.middle.x(), scene.floor, scene.middle.z()), scene.extent},
        perspective_(view.camera.distance != infinity) {}

  void draw() {
    const std::string clip = "clip-" + view_.id;
    canvas_.open("g", "id=\"view-" + view_.id + "\" class=\"view\"");
    canvas_.raw("<clipPath id=\"" + clip + "\">");
    canvas_.rect(view_.panel, "rx=\"8\"");
    canvas_.raw("</clipPath>\n");
    canvas_.rect(view_.panel, perspective_ ? "rx=\"8\" fill=\"url(#sky)\"" : "rx=\"8\" fill=\"#fdfdfe\"");
    canvas_.open("g", "clip-path=\"url(#" + clip + ")\"");
    if (perspective_) {
      draw_floor(camera_, ground_, canvas_);
      draw_shadow(camera_, scene_.body, ground_.centre.y(), canvas_);
    } else {
      draw_grid(camera_, view_.panel, ground_, canvas_);
    }
    draw_solids();
    draw_joints();
    for (const Mark& mark : scene_.marks) draw_strokes(mark);
    for (const Mark& mark : scene_.marks) draw_glyphs(mark);
    reserve_title();
    draw_badges();
    if (!perspective_) draw_scale_bar(camera_, view_.panel, canvas_);
    canvas_.text({view_.panel.x + 14.0, view_.panel.y + 24.0}, 13.0, view_.title,
                 fill({84, 98, 114}) + " font-weight=\"bold\" letter-spacing=\"0.4\"" + std::string(halo));
    canvas_.close("g");
    canvas_.rect(view_.panel, "rx=\"8\" fill=\"none\" stroke=\"#d5dbe2\"");
    canvas_.close("g");
  }

 private:
  // --- Solids ---

  struct Item {
    double depth;
    std::function<void(double nearness)> paint;
  };

  static Vec3 middle(const std::vector<Vec3>& points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : points) sum += x;
    return sum / static_cast<double>(std::max<std::size_t>(1, points.size()));
  }

  void draw_solids() {
    std::vector<Item> items;
    for (const Solid& solid : scene_.body.solids)
      items.push_back({skin_.depth(solid), [this, &solid](double nearness) { draw_solid(solid, nearness); }});
    for (const ObjectFace& face : scene_.faces)
      items.push_back({order(camera_, (face.corners[0] + face.corners[1] + face.corners[2]) / 3.0),
                       [this, &face](double) { draw_object_face(face); }});
    for (const Mark& mark : scene_.marks) {
      for (const std::vector<Vec3>& face : mark.faces)
        items.push_back({order(camera_, middle(face)), [this, &mark, &face](double) { draw_face(mark, face); }});
      for (const std::vector<Ellipsoid>& hull : mark.bodies)
        items.push_back({order(camera_, 0.5 * (hull.front().centre + hull.back().centre)),
                         [this, &mark, &hull](double) { canvas_.polygon(outline(camera_, hull), translucent(mark)); }});
    }
    std::erase_if(items, [](const Item& item) { return !std::isfinite(item.depth); });
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.depth < b.depth; });
    if (items.empty()) return;
    const double far = items.front().depth, range = depth_range(far, items.back().depth, scene_.size);
    for (const Item& item : items) item.paint((item.depth - far) / range);
  }

  std::string translucent(const Mark& mark) const {
    const std::string colour = hex(colour_of(mark.state));
    return "fill=\"" + colour + "\" fill-opacity=\"0.13\" stroke=\"" + colour +
           "\" stroke-opacity=\"0.65\" stroke-width=\"1.1\" stroke-linejoin=\"round\"";
  }

  void draw_face(const Mark& mark, const std::vector<Vec3>& face) {
    std::vector<Vec2> points;
    for (const Vec3& x : face) {
      if (!camera_.sees(x)) return;
      points.push_back(camera_.project(x));
    }
    canvas_.polygon(points, translucent(mark));
  }

  // Flat, brighter where it faces the viewer; an edge of its own colour closes the seams.
  void draw_object_face(const ObjectFace& face) {
    const auto& [a, b, c] = face.corners;
    if (!camera_.sees(a) || !camera_.sees(b) || !camera_.sees(c)) return;
    const Vec3 normal = (b - a).cross(c - a).normalized();
    if (!normal.allFinite()) return;
    const auto s = static_cast<std::size_t>(face.segment);
    const Colour base = !scene_.heat.empty()       ? heat_colour(scene_.heat[s])
                        : scene_.segment_in_use[s] ? skin_in_use
                                                   : skin_at_rest;
    const std::string colour = hex(mix(shade, base, 0.35 + 0.65 * std::fabs(normal.dot(camera_.back))));
    canvas_.polygon({camera_.project(a), camera_.project(b), camera_.project(c)},
                    "class=\"object\" fill=\"" + colour + "\" stroke=\"" + colour + "\" stroke-width=\"0.5\"");
  }

  void draw_solid(const Solid& solid, double nearness) {
    if (!scene_.heat.empty()) {
      double heat = -1.0;
      for (const int s : solid.segments) heat = std::fmax(heat, scene_.heat[static_cast<std::size_t>(s)]);
      return skin_.draw(solid, heat_colour(heat), nearness);
    }
    const bool in_use = std::any_of(solid.segments.begin(), solid.segments.end(),
                                    [&](int s) { return scene_.segment_in_use[static_cast<std::size_t>(s)]; });
    skin_.draw(solid, in_use ? skin_in_use : skin_at_rest, nearness);
  }

  // --- Lines and points ---

  void draw_joints() {
    for (int pass = 0; pass < 3; ++pass)  // faint, in use, binding
      for (std::size_t k = 0; k < scene_.joints.size(); ++k) {
        const JointDot& joint = scene_.joints[k];
        if ((joint.binding ? 2 : joint.in_use ? 1 : 0) != pass || !camera_.sees(joint.at)) continue;
        const Vec2 at = camera_.project(joint.at);
        // Closely spaced joints, such as vertebrae, get smaller dots.
        double spacing = infinity;
        for (const std::size_t other : {k - 1, k + 1})
          if (other < scene_.joints.size())
            spacing = std::fmin(spacing, (scene_.joints[other].at - joint.at).norm() * camera_.scale);
        const double unit = (perspective_ ? 1.25 : 1.0) * std::clamp(spacing / 16.0, 0.5, 1.0);
        if (pass == 0) canvas_.circle(at, 1.7 * unit, fill(ink) + " fill-opacity=\"0.28\"");
        if (pass == 1) canvas_.circle(at, 2.3 * unit, fill({24, 74, 135}) + " stroke=\"#ffffff\" stroke-width=\"0.9\"");
        if (pass == 2) canvas_.circle(at, 3.4 * unit, fill(limit_red) + " stroke=\"#ffffff\" stroke-width=\"1.1\"");
      }
  }

  std::string opacity(const Mark& mark) const { return mark.faint ? " opacity=\"0.35\"" : ""; }

  void draw_strokes(const Mark& mark) {
    const Colour colour = colour_of(mark.state);
    for (const Stroke& s : mark.strokes) {
      Vec2 from, to;
      if (!camera_.project(s.from, s.to, from, to)) continue;
      std::string style = stroke(colour, s.kind == Stroke::Kind::thin     ? 1.0
                                         : s.kind == Stroke::Kind::dashed ? 1.1
                                                                          : 1.8) +
                          opacity(mark);
      if (s.kind == Stroke::Kind::dashed) style += " stroke-dasharray=\"5 4\"";
      canvas_.line(from, to, style);
      if (s.kind == Stroke::Kind::arrow) draw_arrow_head(from, to, fill(colour) + opacity(mark));
    }
  }

  void draw_arrow_head(const Vec2& from, const Vec2& to, const std::string& style) {
    const Vec2 d = to - from;
    if (d.norm() < 4.0) return;
    const Vec2 u = d.normalized(), v(-u.y(), u.x());
    canvas_.polygon({to + 3.0 * u, to - 5.0 * u + 3.2 * v, to - 5.0 * u - 3.2 * v}, style);
  }

  void draw_glyphs(const Mark& mark) {
    const Colour colour = colour_of(mark.state);
    for (const Vec3& x : mark.handles)
      if (camera_.sees(x))
        canvas_.circle(camera_.project(x), 3.4,
                       "fill=\"#ffffff\" stroke=\"" + hex(colour) + "\" stroke-width=\"1.6\"" + opacity(mark));
    for (const Glyph& glyph : mark.glyphs) {
      if (!camera_.sees(glyph.at)) continue;
      const Vec2 at = camera_.project(glyph.at);
      canvas_.open("g", opacity(mark));
      // A white copy beneath separates it from the body.
      draw_glyph(glyph.kind, at, stroke(white, 4.0), white);
      draw_glyph(glyph.kind, at, stroke(colour, 1.7), colour);
      canvas_.close("g");
    }
  }

  void draw_glyph(Glyph::Kind kind, const Vec2& at, const std::string& style, const Colour& colour) {
    const double unit = perspective_ ? 1.2 : 1.0;
    const auto p = [&](double x, double y) { return Vec2(at + unit * Vec2(x, y)); };
    const auto cross = [&](double inner, double outer) {
      for (const Vec2& d : {Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1)})
        canvas_.line(p(inner * d.x(), inner * d.y()), p(outer * d.x(), outer * d.y()), style);
    };
    switch (kind) {
      case Glyph::Kind::target:
        canvas_.circle(at, 5.5 * unit, style);
        cross(2.5, 9.0);
        break;
      case Glyph::Kind::aim:
        canvas_.circle(at, 6.5 * unit, style);
        canvas_.circle(at, 1.6 * unit, fill(colour));
        break;
      case Glyph::Kind::pin:  // a padlock
        canvas_.polyline({p(-3, -3), p(-3, -6), p(-1.8, -8), p(1.8, -8), p(3, -6), p(3, -3)}, style);
        canvas_.rect({at.x() - 4.5 * unit, at.y() - 3.0 * unit, 9.0 * unit, 7.5 * unit}, style + " rx=\"1.5\"");
        canvas_.rect({at.x() - 4.5 * unit, at.y() - 3.0 * unit, 9.0 * unit, 7.5 * unit}, "rx=\"1.5\" " + fill(colour));
        break;
      case Glyph::Kind::link:
        canvas_.circle(p(-3, 0), 4.0 * unit, style);
        canvas_.circle(p(3, 0), 4.0 * unit, style);
        break;
      case Glyph::Kind::diamond:
        canvas_.polygon({p(0, -7), p(7, 0), p(0, 7), p(-7, 0)}, style);
        break;
    }
  }

  // --- Letters ---

  void reserve_title() {
    taken_.push_back({view_.panel.x, view_.panel.y, text_width(view_.title, 13.0) + 24.0, 32.0});
    if (!perspective_)
      taken_.push_back({view_.panel.x, view_.panel.y + view_.panel.height - 26.0, scale_bar + 70.0, 26.0});
    for (const Mark& mark : scene_.marks) {
      for (const Glyph& glyph : mark.glyphs)
        if (camera_.sees(glyph.at)) reserve(camera_.project(glyph.at), 7.0);
      for (const Vec3& x : mark.handles)
        if (camera_.sees(x)) reserve(camera_.project(x), 3.5);
    }
  }

  void reserve(const Vec2& at, double half) {
    taken_.push_back({at.x() - half, at.y() - half, 2.0 * half, 2.0 * half});
  }

  // The first free position around a point, from near to far; a label extends to the right of its badge.
  Vec2 free_place(const Vec2& at, double label) {
    const auto box = [&](const Vec2& x) { return Rect{x.x() - 9.0, x.y() - 9.0, 18.0 + label, 18.0}; };
    const Rect inside = view_.panel.shrunk(4.0);
    Vec2 best = at;
    for (const double distance : {19.0, 28.0, 40.0, 56.0, 76.0})
      for (const double angle_deg : {-45.0, -135.0, 45.0, 135.0, 0.0, 180.0, -90.0, 90.0}) {
        const Vec2 x = at + distance * Vec2(std::cos(radians(angle_deg)), std::sin(radians(angle_deg)));
        if (!inside.contains(box(x))) continue;
        best = x;
        if (std::none_of(taken_.begin(), taken_.end(), [&](const Rect& r) { return r.overlaps(box(x)); })) {
          taken_.push_back(box(x));
          return x;
        }
      }
    taken_.push_back(box(best));
    return best;
  }

  void place_badge(const Vec3& x, const std::string& text, const Colour& colour, bool square, const std::string& name) {
    if (!camera_.sees(x)) return;
    const Vec2 at = camera_.project(x);
    if (!view_.panel.contains({at.x(), at.y(), 0.0, 0.0})) return;
    const std::string label = view_.names ? fitted(name, 11.0, 0.4 * view_.panel.width) : "";
    const Vec2 place = free_place(at, label.empty() ? 0.0 : text_width(label, 11.0) + 5.0);
    canvas_.line(at, place, stroke(colour, 0.8) + " stroke-opacity=\"0.7\"");
    draw_badge(place, text, colour, square, canvas_);
    if (!label.empty()) canvas_.text(place + Vec2(12.0, 4.0), 11.0, label, fill(colour) + std::string(halo));
  }

  void draw_badges() {
    int last = -1;
    for (const Mark& mark : scene_.marks) {
      if (mark.faint || mark.constraint == last) continue;
      last = mark.constraint;
      place_badge(mark.badge, letter(mark.constraint), colour_of(mark.state), false,
                  scene_.constraint_names[static_cast<std::size_t>(mark.constraint)]);
    }
    for (std::size_t k = 0; k < scene_.limits.size(); ++k)
      if (!scene_.limits[k].at.empty())
        place_badge(scene_.limits[k].at[scene_.limits[k].at.size() / 2], std::to_string(k + 1), limit_red, true,
                    scene_.limits[k].name);
  }

  const Scene& scene_;
  const View& view_;
  const Camera& camera_;
  Canvas& canvas_;
  BodyPainter skin_;
  Ground ground_;
  bool perspective_;
  std::vector<Rect> taken_;
};

}  // namespace

Colour heat_colour(double heat) {
  constexpr Colour cool = {118, 190, 122}, warm = {243, 210, 92}, hot = {219, 68, 55}, beyond = {122, 16, 48};
  if (!(heat >= 0.0)) return skin_at_rest;
  if (heat <= 0.5) return mix(cool, warm, 2.0 * heat);
  if (heat <= 1.0) return mix(warm, hot, 2.0 * heat - 1.0);
  return mix(hot, beyond, std::fmin(1.0, heat - 1.0));
}

void draw_badge(const Vec2& at, const std::string& text, const Colour& colour, bool square, Canvas& canvas) {
  const double half = square ? 7.5 : 8.0;
  if (square)
    canvas.rect({at.x() - half, at.y() - half, 2.0 * half, 2.0 * half},
                "rx=\"3\" stroke=\"#ffffff\" fill=\"" + hex(colour) + "\"");
  else
    canvas.circle(at, half, "stroke=\"#ffffff\" fill=\"" + hex(colour) + "\"");
  canvas.text(at + Vec2(0.0, 3.8), text.size() > 1 ? 8.5 : 10.5, text,
              "fill=\"#ffffff\" font-weight=\"bold\" text-anchor=\"middle\"");
}

void draw_view(const Scene& scene, const View& view, Canvas& canvas) { ViewPainter(scene, view, canvas).draw(); }

}  // namespace limber::picture
