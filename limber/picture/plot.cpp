#include "limber/picture/plot.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"
#include "limber/picture/skin.h"

namespace limber::picture {

namespace {

constexpr Colour soft = {102, 120, 138};
constexpr double title_height = 20.0;
constexpr double lane_height = 4.0;                            // pixels
constexpr double tick_distance = 90.0, level_distance = 30.0;  // approximate pixels between the numbers of an axis
constexpr double finest = 0.6;                                 // pixels between two points of a curve

// Decimals that distinguish numbers `step` apart.
int digits_for(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(std::fmax(step, 1e-9)) - 1e-9)), 0, 9);
}

class PlotPainter {
 public:
  PlotPainter(const Plot& plot, const Rect& area, Canvas& canvas) : plot_(plot), area_(area), canvas_(canvas) {}

  void draw() {
    canvas_.open("g", "id=\"plot-" + plot_.id + "\" class=\"plot\"");
    canvas_.raw("<clipPath id=\"clip-plot-" + plot_.id + "\">");
    canvas_.rect(area_, "");
    canvas_.raw("</clipPath>\n");
    canvas_.rect(area_, "fill=\"#fdfdfe\"");
    draw_bands();
    draw_levels();
    draw_times();
    for (const double t : plot_.marks)
      canvas_.line({x(t), area_.y}, {x(t), area_.y + area_.height},
                   stroke({198, 206, 215}, 0.8) + " stroke-dasharray=\"1 3\"");
    canvas_.open("g", "clip-path=\"url(#clip-plot-" + plot_.id + ")\"");
    for (const PlotCurve& curve : plot_.curves) draw_curve(curve);
    canvas_.close("g");
    canvas_.rect(area_, "fill=\"none\" stroke=\"#d5dbe2\"");
    canvas_.text({area_.x + 8.0, area_.y + 15.0}, 11.5, plot_.title,
                 fill({84, 98, 114}) + " font-weight=\"bold\"" + std::string(halo));
    canvas_.close("g");
  }

 private:
  double x(double seconds) const { return area_.x + area_.width * seconds / plot_.duration; }
  double y(double value) const {
    const double height = area_.height - title_height - plot_.lanes * lane_height;
    return area_.y + title_height + height * (1.0 - (value - plot_.min) / (plot_.max - plot_.min));
  }

  void draw_bands() {
    for (const Band& band : plot_.bands) {
      const double from = std::clamp(x(band.start), area_.x, area_.x + area_.width);
      const double to = std::clamp(x(band.end), area_.x, area_.x + area_.width);
      if (!(to >= from)) continue;
      const double width = std::fmax(to - from, 1.0);
      canvas_.rect({from, area_.y, width, area_.height},
                   "class=\"band\" " + fill(band.colour) + " fill-opacity=\"0.1\"");
      canvas_.rect({from, area_.y + area_.height - (band.lane + 1) * lane_height, width, lane_height - 1.0},
                   fill(band.colour) + " fill-opacity=\"0.75\"");
    }
  }

  void draw_levels() {
    const double step = round_step((plot_.max - plot_.min) * level_distance / area_.height * 1.6);
    const int digits = digits_for(step);
    const double first = std::ceil(plot_.min / step - 1e-9);
    for (int k = 0; k < 20; ++k) {
      const double value = (first + k) * step;
      if (value > plot_.max + 1e-9 * step) break;
      canvas_.line({area_.x, y(value)}, {area_.x + area_.width, y(value)},
                   stroke(value == 0.0 ? Colour{176, 186, 197} : Colour{233, 237, 242}, 1.0));
      const std::string text = to_text(value == 0.0 ? 0.0 : value, digits);
      canvas_.text({area_.x - 7.0, y(value) + 3.5}, 10.0, text, fill(soft) + " text-anchor=\"end\"");
    }
    const Vec2 centre(area_.x - 40.0, area_.y + 0.5 * area_.height);
    canvas_.text(centre, 10.0, plot_.unit,
                 fill(soft) + " text-anchor=\"middle\" transform=\"rotate(-90 " + pixels(centre.x()) + " " +
                     pixels(centre.y()) + ")\"");
  }

  void draw_times() {
    const double step = round_step(plot_.duration * tick_distance / area_.width);
    const double foot = area_.y + area_.height;
    for (int k = 0; k < 60; ++k) {
      const double t = k * step;
      if (t > plot_.duration * (1.0 + 1e-9)) break;
      canvas_.line({x(t), foot}, {x(t), foot + 4.0}, stroke(soft, 1.0));
      if (plot_.times)
        canvas_.text({x(t), foot + 16.0}, 10.0, to_text(t, digits_for(step)), fill(soft) + " text-anchor=\"middle\"");
    }
    if (plot_.times)
      canvas_.text({area_.x + 0.5 * area_.width, foot + 30.0}, 10.0, "time, s", fill(soft) + " text-anchor=\"middle\"");
  }

  void draw_curve(const PlotCurve& curve) {
    std::vector<Vec2> points;
    for (std::size_t k = 0; k < curve.values.size(); ++k)
      points.emplace_back(x(curve.start + static_cast<double>(k) * curve.frame_time), y(curve.values[k]));
    if (points.size() == 1) canvas_.circle(points[0], 3.0, fill(curve.colour));
    canvas_.polyline(thinned(points, finest),
                     "class=\"curve\" " + (curve.dashed ? stroke(curve.colour, 1.1) + " stroke-dasharray=\"4 3\""
                                                        : stroke(curve.colour, 1.6)));
  }

  const Plot& plot_;
  const Rect& area_;
  Canvas& canvas_;
};

}  // namespace

void draw_plot(const Plot& plot, const Rect& area, Canvas& canvas) { PlotPainter(plot, area, canvas).draw(); }

std::vector<Vec2> thinned(const std::vector<Vec2>& points, double min_distance) {
  std::vector<Vec2> kept;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (kept.empty() || k + 1 == points.size() || (points[k] - kept.back()).norm() >= min_distance)
      kept.push_back(points[k]);
  return kept;
}

std::string time_text(double seconds, double step) { return to_text(seconds, std::max(2, digits_for(step))) + " s"; }

}  // namespace limber::picture
