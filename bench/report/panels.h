// Plots side by side on a white page, as one SVG file: for the documentation.
#pragma once

#include <string>
#include <vector>

#include "limber/picture/plot.h"

namespace limber::bench {

struct Panel {
  std::string title;
  std::vector<std::string> legend;  // the names of the first curves
  picture::Plot plot;               // its id is set
};

// `right` is the room beside each panel, in pixels. Only the first one has numbers along y.
std::string panels_svg(const std::string& title, const std::vector<Panel>& panels, double right);

}  // namespace limber::bench
