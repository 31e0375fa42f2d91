// Curves and bars in a rectangle, with axes that people can read. Everything that the project plots is drawn here:
// curves over time beside a motion, and the measurements of the benchmark.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/picture/canvas.h"

namespace limber::picture {

struct Tick {
  double at = 0.0;
  std::string text = {};
};

struct Axis {
  std::string label = {};
  double min = 0.0, max = 1.0;  // min < max; above 0 where logarithmic
  bool logarithmic = false;
  std::vector<Tick> ticks = {};                    // empty: round numbers, or powers of ten
  std::function<std::string(double)> number = {};  // the text of such a number; empty: its digits
  bool grid = true;                                // a line across the plot at every tick
  bool texts = true;                               // whether label and texts of the ticks are written
  double label_distance = 40.0;                    // pixels, from the plot

  // 0 at min, 1 at max.
  double part(double value) const;
};

enum class Marker {
  none,
  circle,
  triangle,
  square,
  diamond,
  triangle_down,
  plus,
  cross,
  star,
  triangle_left,
  triangle_right
};

struct PlotPoint {
  double x = 0.0, y = 0.0;
  double radius = 3.0;     // pixels, of its marker
  std::string label = {};  // above and left of the point
  bool label_right = false;
  std::string tip = {};  // shown while the pointer is over the marker
};

// Colours are as in CSS: "#1d4ed8", "var(--automatic)". A `group` becomes a class of the SVG element, by which a page
// can hide it.
struct PlotCurve {
  std::string colour;
  std::vector<PlotPoint> points;
  double width = 1.6;
  bool dashed = false;
  Marker marker = Marker::none;
  std::string group = {};
};

struct PlotBar {
  std::string colour;
  double at = 0.0;         // on the axis of the categories
  double thickness = 0.8;  // the same
  double value = 0.0;      // from the start of the other axis
  bool pale = false;
  std::string text = {};  // at its end
  std::string tip = {};
  std::string group = {};
};

// An interval of x in which something holds.
struct Band {
  std::string colour;
  double start = 0.0, end = 0.0;
  int lane = 0;  // of the bars under the curves, from the lowest
};

// The colours of everything but the data.
struct PlotColours {
  std::string background = "#fdfdfe", frame = "#d5dbe2", grid = "#e9edf2", zero = "#b0bac5", mark = "#c6ced7",
              text = "#66788a", title = "#546272";
};

struct Plot {
  std::string id = {};     // unique on the page
  std::string title = {};  // inside, above the curves
  Axis x = {}, y = {};
  std::vector<PlotCurve> curves = {};
  std::vector<PlotBar> bars = {};
  bool horizontal_bars = false;  // their categories are along y
  std::vector<Band> bands = {};
  int lanes = 0;                   // of their bars, under the curves
  std::vector<double> marks = {};  // values of x with a thin line each
  PlotColours colours = {};
};

// The usual room of the axes around the curves.
inline constexpr double axis_left = 54.0, axis_below = 34.0;

// Appends the plot as one group; `area` holds the curves, their axes are around it.
void draw_plot(const Plot& plot, const Rect& area, Canvas& canvas);

void draw_marker(Marker marker, const Vec2& at, double radius, const std::string& colour, Canvas& canvas);

// The points without those that lie within `min_distance` pixels of the last one kept.
std::vector<Vec2> thinned(const std::vector<Vec2>& points, double min_distance);

// A time in seconds, with digits enough to tell times that are `step` apart.
std::string time_text(double seconds, double step);

}  // namespace limber::picture
