#include "limber/picture/reach/reach_slice.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/canvas.h"

namespace limber {

namespace {

using namespace picture;

constexpr double panel_size = 340.0, gap = 24.0, head = 58.0, foot = 62.0;
constexpr int shades = 6;
constexpr int dots = 170;  // per side of a panel, to draw obstacles
const Colour shallow{206, 228, 240}, deep{33, 102, 172}, outline_colour{20, 40, 70}, body_colour{120, 120, 120},
    line_colour{225, 225, 225}, ink{40, 40, 40};
const Colour obstacle_colour{150, 100, 60};
// For a measure of 0, ½ and 1.
const Colour worst{214, 48, 38}, fair{252, 217, 115}, best{26, 153, 79};

// A panel looks along an axis; the other two run to the right and up.
struct Panel {
  int along;      // axis normal to the plane
  int right, up;  // axes in the plane
  const char* name;
};
// For a figure that faces +z, with its left at +x: seen from the front, from below, and from its right.
constexpr Panel panels[] = {{2, 0, 1, "z"}, {1, 0, 2, "y"}, {0, 2, 1, "x"}};

struct Frame2 {
  Vec2 middle;  // in metres
  double scale;
  Rect area;

  Vec2 at(double right, double up) const {
    return {area.x + 0.5 * area.width + scale * (right - middle[0]),
            area.y + 0.5 * area.height - scale * (up - middle[1])};
  }
};

// To centimetres, without "-0".
double rounded(double metres) { return std::round(100.0 * metres) / 100.0 + 0.0; }

class SliceDrawing {
 public:
  SliceDrawing(const ReachMap& map, const ReachSurface& surface, const Figure& figure, const Pose& pose,
               const SliceOptions& options)
      : map_(map),
        surface_(surface),
        figure_(figure),
        state_(forward(figure, pose)),
        options_(options),
        grid_(grid_of(map)),
        margins_(margins(map, grid_)) {
    if (options.measure) measured_ = measured(map, grid_, options.measure, 0.0);
    min_ = max_ = options.through;
    for (const Vec3& p : surface.positions) take(p);
    for (std::size_t s = 0; s < figure.segments().size(); ++s) take(state_.segments[s].p);
    for (const double margin : margins_) deepest_ = std::fmax(deepest_, margin);
  }

  std::string draw() {
    const double width = 3 * panel_size + 4 * gap, height = head + panel_size + foot;
    canvas_.open_page(width, height, options_.title);
    canvas_.text({gap, 26.0}, 16.0, fitted(options_.title, 16.0, width - 2 * gap), fill(ink));
    for (int k = 0; k < 3; ++k) panel(panels[k], gap + k * (panel_size + gap));
    legend(height);
    canvas_.close("svg");
    return canvas_.take();
  }

 private:
  void take(const Vec3& p) {
    min_ = min_.cwiseMin(p);
    max_ = max_.cwiseMax(p);
  }

  void panel(const Panel& panel, double x) {
    const double extent = std::fmax((max_ - min_).maxCoeff(), 4.0 * grid_.side) * 1.06;
    const Vec3 middle = 0.5 * (min_ + max_);
    const Frame2 frame{{middle[panel.right], middle[panel.up]}, panel_size / extent, {x, head, panel_size, panel_size}};
    const std::string id = std::string("panel-") + panel.name;
    canvas_.text({x, head - 8.0}, 12.0,
                 std::string(panel.name) + " = " + to_text(rounded(options_.through[panel.along]), 2) + " m, " +
                     "xyz"[panel.right] + " to the right, " + "xyz"[panel.up] + " up",
                 fill(ink));
    canvas_.open("g", "id=\"" + id + "\"");
    ruler(frame, extent);
    cells(panel, frame);
    for (const Obstacle& obstacle : options_.obstacles) cut(obstacle, panel, frame, extent);
    body(panel, frame);
    section(panel, frame);
    canvas_.rect(frame.area, stroke(line_colour, 1.0));
    canvas_.close("g");
  }

  void ruler(const Frame2& frame, double extent) {
    const double step = round_step(extent / 4.0);
    for (int axis = 0; axis < 2; ++axis) {
      const double low = frame.middle[axis] - 0.5 * extent;
      for (double v = std::ceil(low / step) * step; v <= low + extent; v += step) {
        const double start = frame.middle[1 - axis] - 0.5 * extent;
        const Vec2 a = axis == 0 ? frame.at(v, start) : frame.at(start, v);
        const Vec2 b = axis == 0 ? frame.at(v, start + extent) : frame.at(start + extent, v);
        canvas_.line(a, b, stroke(line_colour, 1.0));
        canvas_.text(a + Vec2(3.0, -3.0), 9.0, to_text(v + 0.0, step < 0.1 ? 2 : 1), fill(body_colour));
      }
    }
  }

  int shade(std::size_t cell) const {
    if (grid_.leaf[cell] < 0 || map_.cells[static_cast<std::size_t>(grid_.leaf[cell])].state != Reach::reached)
      return -1;
    const double part = options_.measure ? measured_[cell] : margins_[cell] / deepest_;
    return std::clamp(static_cast<int>(part * shades), 0, shades - 1);
  }

  Colour colour_of(int shade) const {
    const double t = static_cast<double>(shade) / (shades - 1);
    if (!options_.measure) return mix(shallow, deep, t);
    return t < 0.5 ? mix(worst, fair, 2.0 * t) : mix(fair, best, 2.0 * t - 1.0);
  }

  // Adjacent cells of one shade as one rectangle.
  void cells(const Panel& panel, const Frame2& frame) {
    const auto layer = static_cast<int>(std::floor(options_.through[panel.along] / grid_.side)) -
                       grid_.first[static_cast<std::size_t>(panel.along)];
    if (layer < 0 || layer >= grid_.count[static_cast<std::size_t>(panel.along)]) return;
    const auto place = [&](int right, int up) {
      int index[3];
      index[panel.along] = layer;
      index[panel.right] = right;
      index[panel.up] = up;
      return grid_.place(index[0], index[1], index[2]);
    };
    const int columns = grid_.count[static_cast<std::size_t>(panel.right)];
    for (int up = 0; up < grid_.count[static_cast<std::size_t>(panel.up)]; ++up)
      for (int begin = 0, end = 0; begin < columns; begin = end) {
        const int cell_shade = shade(place(begin, up));
        for (end = begin + 1; end < columns && shade(place(end, up)) == cell_shade;) ++end;
        if (cell_shade < 0) continue;
        const double y = grid_.side * (grid_.first[static_cast<std::size_t>(panel.up)] + up);
        const double x0 = grid_.side * (grid_.first[static_cast<std::size_t>(panel.right)] + begin);
        const Vec2 corner = frame.at(x0, y + grid_.side);
        canvas_.rect(
            {corner[0], corner[1], frame.scale * grid_.side * (end - begin) + 0.4, frame.scale * grid_.side + 0.4},
            fill(colour_of(cell_shade)));
      }
  }

  // Rows of dots inside an obstacle, merged into rectangles.
  void cut(const Obstacle& obstacle, const Panel& panel, const Frame2& frame, double extent) {
    const double step = extent / dots;
    const double left = frame.middle[0] - 0.5 * extent, low = frame.middle[1] - 0.5 * extent;
    const auto within = [&](int column, int row) {
      Vec3 p;
      p[panel.along] = options_.through[panel.along];
      p[panel.right] = left + step * (column + 0.5);
      p[panel.up] = low + step * (row + 0.5);
      return limber::gap(LineSegment{p, p}, obstacle).distance <= 0.0;
    };
    for (int row = 0; row < dots; ++row)
      for (int begin = 0, end = 0; begin < dots; begin = end) {
        const bool is_in = within(begin, row);
        for (end = begin + 1; end < dots && within(end, row) == is_in;) ++end;
        if (!is_in) continue;
        const Vec2 corner = frame.at(left + step * begin, low + step * (row + 1));
        canvas_.rect({corner[0], corner[1], frame.scale * step * (end - begin) + 0.3, frame.scale * step + 0.3},
                     fill(obstacle_colour));
      }
  }

  void body(const Panel& panel, const Frame2& frame) {
    const auto point = [&](const Vec3& p) { return frame.at(p[panel.right], p[panel.up]); };
    for (std::size_t s = 0; s < figure_.segments().size(); ++s) {
      const int parent = figure_.segments()[s].parent;
      if (parent == no_parent) continue;
      canvas_.line(point(state_.segments[static_cast<std::size_t>(parent)].p), point(state_.segments[s].p),
                   stroke(body_colour, 1.5));
    }
    for (const Site& site : figure_.sites()) {
      const Frame& X = state_.segments[static_cast<std::size_t>(site.segment)];
      canvas_.line(point(X.p), point(X * site.frame.p), stroke(body_colour, 0.8));
    }
  }

  // The intersection of the triangles with the plane.
  void section(const Panel& panel, const Frame2& frame) {
    const double plane = options_.through[panel.along];
    for (const auto& triangle : surface_.triangles) {
      std::vector<Vec2> ends;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& a = surface_.positions[static_cast<std::size_t>(triangle[k])];
        const Vec3& b = surface_.positions[static_cast<std::size_t>(triangle[(k + 1) % 3])];
        if ((a[panel.along] < plane) == (b[panel.along] < plane)) continue;
        const Vec3 p = a + (plane - a[panel.along]) / (b[panel.along] - a[panel.along]) * (b - a);
        ends.push_back(frame.at(p[panel.right], p[panel.up]));
      }
      if (ends.size() == 2) canvas_.line(ends[0], ends[1], stroke(outline_colour, 1.2));
    }
  }

  // The label at the k-th boundary between shades.
  std::string mark(int k) const {
    return options_.measure ? to_text(static_cast<double>(k) / shades, 2) : to_text(100.0 * deepest_ * k / shades, 0);
  }

  void legend(double height) {
    const double y = height - 36.0;
    canvas_.text({gap, y + 11.0}, 11.0, options_.measure ? options_.measure_name : "depth below the boundary",
                 fill(ink));
    const double x0 = gap + 160.0;
    for (int k = 0; k < shades; ++k) {
      canvas_.rect({x0 + 34.0 * k, y, 34.0, 14.0}, fill(colour_of(k)));
      canvas_.text({x0 + 34.0 * k, y + 27.0}, 9.0, mark(k), fill(ink));
    }
    canvas_.text({x0 + 34.0 * shades, y + 27.0}, 9.0, mark(shades) + (options_.measure ? "" : " cm"), fill(ink));
  }

  const ReachMap& map_;
  const ReachSurface& surface_;
  const Figure& figure_;
  Kinematics state_;
  const SliceOptions& options_;
  ReachGrid grid_;
  std::vector<double> margins_, measured_;
  Vec3 min_, max_;
  double deepest_ = 1e-9;
  Canvas canvas_;
};

}  // namespace

std::string draw_reach_slices(const ReachMap& map, const ReachSurface& surface, const Figure& figure, const Pose& pose,
                              const SliceOptions& options) {
  return SliceDrawing(map, surface, figure, pose, options).draw();
}

}  // namespace limber
