#include <algorithm>

#include "limber/picture/ground.h"
#include "limber/picture/sheet.h"
#include "limber/picture/skin.h"

namespace limber::picture {

namespace {

constexpr double gap = 8.0, padding = 9.0, label_height = 22.0;  // pixels
constexpr int max_columns = 6;
constexpr double max_cell_width = 0.25;                // relative to the page
constexpr double min_aspect = 0.7, max_aspect = 1.35;  // height to width
constexpr double azimuth = radians(38.0), elevation = radians(11.0);
constexpr double camera_distance = 4.5;  // relative to the extent of a cell
constexpr int body_corners = 24, ghost_corners = 16;
constexpr double body_finest = 0.2, ghost_finest = 0.4;  // pixels
constexpr double max_climb = 1.5;                        // relative to the figure's length: beyond it the cells follow
constexpr double gravity = 9.81;

// Duration of a gesture of a body of this size: that of a pendulum of its length.
double gesture_time(double length) { return std::sqrt(length / gravity); }

Vec3 followed_point(const Sheet& sheet, bool up, int frame) {
  const Vec3& x = sheet.course.middle[static_cast<std::size_t>(frame)];
  return {x.x(), up ? x.y() : 0.0, x.z()};
}

// The frames of the ghosts of a frame, oldest first.
std::vector<int> ghosts_of(const Sheet& sheet, int frame) {
  const int count = sheet.options.ghosts;
  const double span = std::fmin(sheet.spacing(), gesture_time(sheet.figure.length()));
  std::vector<int> list;
  for (int k = count; k >= 1; --k) {
    const double back = std::round(span * k / (count + 1) / sheet.frame_time);
    if (back < 1.0 || back > frame) continue;
    const int ghost = frame - static_cast<int>(back);
    if (list.empty() || list.back() < ghost) list.push_back(ghost);
  }
  return list;
}

}  // namespace

double Cells::total() const { return rows * (height + gap) - gap; }

Cells plan_cells(const Sheet& sheet, double width) {
  Cells cells;
  const int count = static_cast<int>(sheet.frames.size());
  cells.columns = sheet.options.columns > 0 ? std::min(sheet.options.columns, count) : 0;
  if (cells.columns == 0) {
    const int rows = (count + max_columns - 1) / max_columns;
    cells.columns = (count + rows - 1) / rows;
  }
  cells.rows = (count + cells.columns - 1) / cells.columns;
  cells.width = std::fmin((width + gap) / cells.columns - gap, max_cell_width * width);

  double min = infinity, max = -infinity;
  for (const int k : sheet.frames) {
    min = std::fmin(min, sheet.course.middle[static_cast<std::size_t>(k)].y());
    max = std::fmax(max, sheet.course.middle[static_cast<std::size_t>(k)].y());
  }
  cells.follows_up = max - min > max_climb * sheet.figure.length();
  std::vector<Ellipsoid> scene;
  for (std::size_t k = 0; k < sheet.frames.size(); ++k)
    add_shifted(sheet.bodies[k], -followed_point(sheet, cells.follows_up, sheet.frames[k]), scene);
  if (!cells.follows_up) scene.push_back(Ellipsoid::ball({0.0, sheet.course.floor, 0.0}, 0.0));
  cells.camera = Camera::looking(sheet.course.aslant(azimuth, elevation), Vec3::UnitY());
  const Bounds box = bounds(cells.camera, scene);
  const Vec2 size = box.max - box.min;
  const bool flat = !size.allFinite() || !(size.minCoeff() > 0.0);
  cells.extent = flat ? sheet.figure.length() : size.maxCoeff();
  cells.height = cells.width * std::clamp(flat ? 1.0 : size.y() / size.x(), min_aspect, max_aspect) + label_height;
  double low = infinity, high = -infinity;
  for (const Ellipsoid& e : scene) {
    low = std::fmin(low, e.centre.y());
    high = std::fmax(high, e.centre.y());
  }
  cells.camera.target = std::isfinite(high - low) ? Vec3(0.0, 0.5 * (low + high), 0.0) : Vec3(Vec3::Zero());
  cells.camera.distance = camera_distance * cells.extent;
  cells.camera.fit(scene, {padding, padding + label_height, cells.width - 2.0 * padding,
                           cells.height - 2.0 * padding - label_height});
  return cells;
}

namespace {

class CellPainter {
 public:
  CellPainter(const Sheet& sheet, const Cells& cells, Canvas& canvas) : sheet_(sheet), cells_(cells), canvas_(canvas) {}

  void draw(std::size_t which, const Rect& panel) {
    const int frame = sheet_.frames[which];
    const std::string id = std::to_string(which);
    const Vec3 base = followed_point(sheet_, cells_.follows_up, frame);
    Camera camera = cells_.camera;
    camera.target += base;
    camera.origin += Vec2(panel.x, panel.y);
    canvas_.open("g", "id=\"frame-" + id + "\" class=\"frame\"");
    canvas_.raw("<clipPath id=\"clip-frame-" + id + "\">");
    canvas_.rect(panel, "rx=\"6\"");
    canvas_.raw("</clipPath>\n");
    canvas_.rect(panel, "rx=\"6\" fill=\"url(#sky)\"");
    canvas_.open("g", "clip-path=\"url(#clip-frame-" + id + ")\"");
    const Vec3 ground(base.x(), sheet_.course.floor, base.z());
    draw_floor(camera, {ground, cells_.extent}, canvas_);
    draw_ghosts(frame, camera);
    draw_shadow(camera, sheet_.bodies[which], sheet_.course.floor, canvas_, ghost_corners, ghost_finest);
    BodyPainter(sheet_.bodies[which], camera,
                {.id = "skin-" + id,
                 .size = sheet_.figure.length(),
                 .edge = 1.5,
                 .corners = body_corners,
                 .finest = body_finest},
                canvas_)
        .draw(skin_in_use);
    canvas_.close("g");
    canvas_.rect(panel, "rx=\"6\" fill=\"none\" stroke=\"#d5dbe2\"");
    label(which, panel);
    canvas_.close("g");
  }

 private:
  void draw_ghosts(int frame, const Camera& camera) {
    const std::vector<int> ghosts = ghosts_of(sheet_, frame);
    for (std::size_t k = 0; k < ghosts.size(); ++k) {
      const double paleness = 0.78 - 0.26 * static_cast<double>(k + 1) / static_cast<double>(ghosts.size());
      const Colour colour = mix(skin_in_use, white, paleness);
      const Body body = body::make_body(sheet_.figure, forward(sheet_.figure, Pose{sheet_.poses.col(ghosts[k])}));
      draw_silhouette(body, camera, ghost_corners, ghost_finest,
                      "class=\"ghost\" " + fill(colour) + " stroke=\"" + hex(mix(colour, shade, 0.2)) +
                          "\" stroke-width=\"1.2\" paint-order=\"stroke\"",
                      canvas_);
    }
  }

  void label(std::size_t k, const Rect& panel) {
    const int frame = sheet_.frames[k];
    const std::vector<std::string>& labels = sheet_.options.labels;
    canvas_.text({panel.x + 9.0, panel.y + 17.0}, 12.0,
                 labels.empty() ? time_text(sheet_.time(frame), sheet_.spacing()) : labels[k],
                 fill(ink) + " font-weight=\"bold\"" + std::string(halo));
    if (!labels.empty()) return;
    canvas_.text({panel.x + panel.width - 9.0, panel.y + 17.0}, 10.0, "frame " + std::to_string(frame),
                 fill({102, 120, 138}) + " text-anchor=\"end\"" + std::string(halo));
  }

  const Sheet& sheet_;
  const Cells& cells_;
  Canvas& canvas_;
};

}  // namespace

void draw_cells(const Sheet& sheet, const Cells& cells, const Vec2& corner, Canvas& canvas) {
  CellPainter painter(sheet, cells, canvas);
  for (std::size_t k = 0; k < sheet.frames.size(); ++k) {
    const int column = static_cast<int>(k) % cells.columns, row = static_cast<int>(k) / cells.columns;
    painter.draw(k, {corner.x() + column * (cells.width + gap), corner.y() + row * (cells.height + gap), cells.width,
                     cells.height});
  }
}

}  // namespace limber::picture
