#include "limber/picture/plot.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"

namespace limber::picture {

namespace {

constexpr double title_room = 20.0;
constexpr double lane_height = 4.0;  // pixels
constexpr double tick_distance_x = 90.0,
                 tick_distance_y = 48.0;  // pixels from one number of an axis to the next, about
constexpr double curve_detail = 0.6;      // pixels between two points of a curve
constexpr int max_ticks = 60;
constexpr double few_decades = 1.5, max_decade_ticks = 8.0;

// Digits after the point that tell numbers apart which are `step` apart.
int digits_for(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(std::fmax(step, 1e-9)) - 1e-9)), 0, 9);
}

std::string colour_of(std::string_view attribute, const std::string& colour) {
  return std::string(attribute) + "=\"" + escaped(colour) + "\"";
}

std::string line_style(const std::string& colour, double width) {
  return "fill=\"none\" " + colour_of("stroke", colour) + " stroke-width=\"" + pixels(width) +
         "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
}

std::string class_of(std::string name, const std::string& group) {
  if (!group.empty()) name += (name.empty() ? "" : " ") + escaped(group);
  return name.empty() ? "" : "class=\"" + name + "\"";
}

std::vector<Tick> round_ticks(const Axis& axis, double max_step) {
  const double step = round_step(max_step);
  const int digits = digits_for(step);
  const double first = std::ceil(axis.min / step - 1e-9);
  std::vector<Tick> ticks;
  for (int k = 0; k < max_ticks; ++k) {
    const double value = first + k == 0.0 ? 0.0 : (first + k) * step;
    if (value > axis.max + 1e-9 * step) break;
    ticks.push_back({value, axis.number ? axis.number(value) : to_text(value, digits)});
  }
  return ticks;
}

// Powers of ten; 2 and 5 times them where there are few.
std::vector<Tick> decade_ticks(const Axis& axis) {
  const double decades = std::log10(axis.max / axis.min);
  const int step = std::max(1, static_cast<int>(std::ceil(decades / max_decade_ticks)));
  const int first = static_cast<int>(std::floor(std::log10(axis.min))), last = first + static_cast<int>(decades) + 1;
  std::vector<Tick> ticks;
  for (int k = first; k <= last; ++k)
    for (const double lead : {1.0, 2.0, 5.0}) {
      const double value = lead * std::pow(10.0, k);
      if (k % step != 0 || (lead > 1.0 && decades >= few_decades)) continue;
      if (value < 0.999 * axis.min || value > 1.001 * axis.max) continue;
      ticks.push_back({value, axis.number ? axis.number(value) : to_text(value)});
    }
  return ticks;
}

std::vector<Tick> ticks_of(const Axis& axis, double length, double distance) {
  if (!axis.ticks.empty()) return axis.ticks;
  return axis.logarithmic ? decade_ticks(axis) : round_ticks(axis, (axis.max - axis.min) * distance / length);
}

class PlotPainter {
 public:
  PlotPainter(const Plot& plot, const Rect& area, Canvas& canvas) : plot_(plot), area_(area), canvas_(canvas) {}

  void draw() {
    const std::string clip = "clip-plot-" + escaped(plot_.id);
    canvas_.open("g", "id=\"plot-" + escaped(plot_.id) + "\" class=\"plot\"");
    canvas_.raw("<clipPath id=\"" + clip + "\">");
    canvas_.rect(area_, "");
    canvas_.raw("</clipPath>\n");
    canvas_.rect(area_, colour_of("fill", plot_.colours.background));
    draw_bands();
    draw_y_axis();
    draw_x_axis();
    for (const double value : plot_.marks)
      canvas_.line({x(value), area_.y}, {x(value), bottom()},
                   line_style(plot_.colours.mark, 0.8) + " stroke-dasharray=\"1 3\"");
    for (const PlotBar& bar : plot_.bars) draw_bar(bar);
    canvas_.open("g", "clip-path=\"url(#" + clip + ")\"");
    for (const PlotCurve& curve : plot_.curves) draw_line(curve);
    canvas_.close("g");
    for (const PlotCurve& curve : plot_.curves) draw_points(curve);
    canvas_.rect(area_, "fill=\"none\" " + colour_of("stroke", plot_.colours.frame));
    if (!plot_.title.empty())
      canvas_.text({area_.x + 8.0, area_.y + 15.0}, 11.5, plot_.title,
                   colour_of("fill", plot_.colours.title) + " font-weight=\"bold\"" + std::string(halo));
    canvas_.close("g");
  }

 private:
  double right() const { return area_.x + area_.width; }
  double bottom() const { return area_.y + area_.height; }
  double x(double value) const { return area_.x + area_.width * plot_.x.part(value); }
  double y(double value) const {
    const double above = plot_.title.empty() ? 0.0 : title_room, below = plot_.lanes * lane_height;
    return area_.y + above + (area_.height - above - below) * (1.0 - plot_.y.part(value));
  }
  std::string text_style(std::string_view anchor) const {
    return colour_of("fill", plot_.colours.text) + " text-anchor=\"" + std::string(anchor) + "\"";
  }
  std::string grid_style(const Axis& axis, double at) const {
    return line_style(at == 0.0 && !axis.logarithmic ? plot_.colours.zero : plot_.colours.grid, 1.0);
  }

  void draw_bands() {
    for (const Band& band : plot_.bands) {
      const double from = std::clamp(x(band.start), area_.x, right()), to = std::clamp(x(band.end), area_.x, right());
      if (!(to >= from)) continue;
      const double width = std::fmax(to - from, 1.0);
      const std::string fill = colour_of("fill", band.colour);
      canvas_.rect({from, area_.y, width, area_.height}, "class=\"band\" " + fill + " fill-opacity=\"0.1\"");
      canvas_.rect({from, bottom() - (band.lane + 1) * lane_height, width, lane_height - 1.0},
                   fill + " fill-opacity=\"0.75\"");
    }
  }

  void draw_y_axis() {
    for (const Tick& tick : ticks_of(plot_.y, area_.height, tick_distance_y)) {
      if (plot_.y.grid) canvas_.line({area_.x, y(tick.at)}, {right(), y(tick.at)}, grid_style(plot_.y, tick.at));
      if (plot_.y.texts) canvas_.text({area_.x - 7.0, y(tick.at) + 3.5}, 10.0, tick.text, text_style("end"));
    }
    if (plot_.y.label.empty() || !plot_.y.texts) return;
    const Vec2 at(area_.x - plot_.y.label_distance, area_.y + 0.5 * area_.height);
    canvas_.text(at, 10.0, plot_.y.label,
                 text_style("middle") + " transform=\"rotate(-90 " + pixels(at.x()) + " " + pixels(at.y()) + ")\"");
  }

  void draw_x_axis() {
    for (const Tick& tick : ticks_of(plot_.x, area_.width, tick_distance_x)) {
      const double at = x(tick.at);
      if (plot_.x.grid)
        canvas_.line({at, area_.y}, {at, bottom()}, grid_style(plot_.x, tick.at));
      else
        canvas_.line({at, bottom()}, {at, bottom() + 4.0}, line_style(plot_.colours.text, 1.0));
      if (plot_.x.texts) canvas_.text({at, bottom() + 16.0}, 10.0, tick.text, text_style("middle"));
    }
    if (!plot_.x.label.empty() && plot_.x.texts)
      canvas_.text({area_.x + 0.5 * area_.width, bottom() + plot_.x.label_distance - 10.0}, 10.0, plot_.x.label,
                   text_style("middle"));
  }

  void draw_bar(const PlotBar& bar) {
    const bool lying = plot_.horizontal_bars;
    const double a = bar.at - 0.5 * bar.thickness, b = bar.at + 0.5 * bar.thickness;
    const double end = lying ? std::clamp(x(bar.value), area_.x, right()) : std::clamp(y(bar.value), area_.y, bottom());
    const double from = lying ? std::min(y(a), y(b)) : std::min(x(a), x(b));
    const double thickness = lying ? std::fabs(y(a) - y(b)) : std::fabs(x(a) - x(b));
    canvas_.open("g", class_of("bar", bar.group));
    tip(bar.tip);
    canvas_.rect(lying ? Rect{area_.x, from, end - area_.x, thickness} : Rect{from, end, thickness, bottom() - end},
                 colour_of("fill", bar.colour) + " " + colour_of("stroke", bar.colour) + " stroke-width=\"1\"" +
                     (bar.pale ? " fill-opacity=\"0.3\"" : ""));
    if (!bar.text.empty()) {
      const Vec2 at = lying ? Vec2(end + 5.0, from + 0.5 * thickness + 4.0) : Vec2(from + 0.5 * thickness, end - 4.0);
      canvas_.text(at, 11.0, bar.text,
                   colour_of("fill", plot_.colours.title) + (lying ? "" : " text-anchor=\"middle\""));
    }
    canvas_.close("g");
  }

  Vec2 at(const PlotPoint& point) const { return {x(point.x), y(point.y)}; }

  void draw_line(const PlotCurve& curve) {
    std::vector<Vec2> points;
    for (const PlotPoint& point : curve.points) points.push_back(at(point));
    canvas_.polyline(thinned(points, curve_detail), class_of("curve", curve.group) + " " +
                                                        line_style(curve.colour, curve.width) +
                                                        (curve.dashed ? " stroke-dasharray=\"4 3\"" : ""));
  }

  void draw_points(const PlotCurve& curve) {
    // A single point has no line.
    const Marker marker = curve.points.size() == 1 && curve.marker == Marker::none ? Marker::circle : curve.marker;
    canvas_.open("g", class_of("", curve.group));
    for (const PlotPoint& point : curve.points) {
      canvas_.open("g", "");
      tip(point.tip);
      draw_marker(marker, at(point), point.radius, curve.colour, canvas_);
      canvas_.close("g");
      if (!point.label.empty())
        canvas_.text(at(point) + (point.label_right ? Vec2(8.0, 4.0) : Vec2(-6.0, -7.0)), 10.0, point.label,
                     text_style(point.label_right ? "start" : "end"));
    }
    canvas_.close("g");
  }

  void tip(const std::string& text) {
    if (!text.empty()) canvas_.raw("<title>" + escaped(text) + "</title>");
  }

  const Plot& plot_;
  const Rect& area_;
  Canvas& canvas_;
};

// A regular polygon; the first corner `turn` radians from the top, clockwise.
std::vector<Vec2> regular(const Vec2& centre, double radius, int corners, double turn) {
  std::vector<Vec2> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = turn + 2.0 * 3.14159265358979 * k / corners;
    points.emplace_back(centre + radius * Vec2(std::sin(angle), -std::cos(angle)));
  }
  return points;
}

}  // namespace

double Axis::part(double value) const {
  return logarithmic ? std::log(value / min) / std::log(max / min) : (value - min) / (max - min);
}

void draw_plot(const Plot& plot, const Rect& area, Canvas& canvas) { PlotPainter(plot, area, canvas).draw(); }

void draw_marker(Marker marker, const Vec2& at, double radius, const std::string& colour, Canvas& canvas) {
  constexpr double quarter = 1.5707963267948966;
  const std::string fill = colour_of("fill", colour);
  const auto polygon = [&](int corners, double turn) { canvas.polygon(regular(at, radius, corners, turn), fill); };
  const auto strokes = [&](int count, double turn) {
    for (int k = 0; k < count; ++k) {
      const std::vector<Vec2> ends = regular(at, radius, 2, turn + 2.0 * quarter * k / count);
      canvas.line(ends[0], ends[1], line_style(colour, 1.6));
    }
  };
  switch (marker) {
    case Marker::none:
      break;
    case Marker::circle:
      canvas.circle(at, radius, fill);
      break;
    case Marker::triangle:
      polygon(3, 0.0);
      break;
    case Marker::square:
      polygon(4, 0.5 * quarter);
      break;
    case Marker::diamond:
      polygon(4, 0.0);
      break;
    case Marker::triangle_down:
      polygon(3, 2.0 * quarter);
      break;
    case Marker::plus:
      strokes(2, 0.0);
      break;
    case Marker::cross:
      strokes(2, 0.5 * quarter);
      break;
    case Marker::star:
      strokes(4, 0.0);
      break;
    case Marker::triangle_left:
      polygon(3, -quarter);
      break;
    case Marker::triangle_right:
      polygon(3, quarter);
      break;
  }
}

std::vector<Vec2> thinned(const std::vector<Vec2>& points, double min_distance) {
  std::vector<Vec2> kept;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (kept.empty() || k + 1 == points.size() || (points[k] - kept.back()).norm() >= min_distance)
      kept.push_back(points[k]);
  return kept;
}

std::string time_text(double seconds, double step) { return to_text(seconds, std::max(2, digits_for(step))) + " s"; }

}  // namespace limber::picture
