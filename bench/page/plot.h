// Small line plots as SVG: series over named places along the x axis, and curves over two logarithmic axes.
#pragma once

#include <string>
#include <vector>

namespace limber::bench {

struct Series {
  std::string name;
  std::string colour;
  std::vector<double> values;
};

struct Panel {
  std::string title;
  std::vector<Series> series;
};

// Panels side by side with a common y axis.
std::string plot_svg(const std::vector<std::string>& places, const std::string& y_label,
                     const std::vector<Panel>& panels);

struct CurvePoint {
  double x, y;             // above 0
  std::string label = {};  // beside the point
};

struct Curve {
  std::string name;
  std::string colour;
  std::vector<CurvePoint> points;
};

struct LogPanel {
  std::string title;
  std::vector<Curve> curves;
};

// Microseconds over a size, in panels with common axes. Thin lines of slope one are costs for each unit of size, and
// say so: "100 ns each".
std::string cost_svg(const std::string& x_label, const std::string& y_label, const std::vector<LogPanel>& panels);

}  // namespace limber::bench
