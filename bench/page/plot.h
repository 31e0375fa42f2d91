// A small line plot as SVG: one panel, series over named places along the x axis.
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

}  // namespace limber::bench
