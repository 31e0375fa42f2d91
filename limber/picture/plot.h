// Curves over time in a rectangle, with axes.
#pragma once

#include <string>
#include <vector>

#include "limber/picture/canvas.h"

namespace limber::picture {

struct PlotCurve {
  Colour colour;
  std::vector<double> values;  // one per frame
  double frame_time = 1.0;
  bool dashed = false;
  double start = 0.0;  // seconds, of the first value
};

// A time interval to highlight.
struct Band {
  Colour colour;
  double start = 0.0, end = 0.0;  // seconds
  int lane = 0;                   // of the bars under the curves, from the lowest
};

struct Plot {
  std::string id;
  std::string title;
  std::string unit;  // of the values
  std::vector<PlotCurve> curves;
  std::vector<Band> bands;
  int lanes = 0;                // of their bars, under the curves
  std::vector<double> marks;    // times with a thin vertical line
  double duration = 1.0;        // seconds, above 0
  double min = 0.0, max = 1.0;  // of the values; min < max
  bool times = true;            // whether the time axis is labelled
};

// Space for the axes around the curves.
inline constexpr double axis_left = 54.0, axis_below = 34.0;

// Appends the plot as one group; `area` contains the curves, the axes lie around it.
void draw_plot(const Plot& plot, const Rect& area, Canvas& canvas);

// The points without those nearer than `min_distance` pixels to the last one kept.
std::vector<Vec2> thinned(const std::vector<Vec2>& points, double min_distance);

// A time in seconds, with enough digits to distinguish times `step` apart.
std::string time_text(double seconds, double step);

}  // namespace limber::picture
