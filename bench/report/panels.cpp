#include "bench/report/panels.h"

namespace limber::bench {

std::string panels_svg(const std::string& title, const std::vector<Panel>& panels, double right) {
  using namespace picture;
  constexpr double width = 470.0, height = 300.0, left = 76.0, top = 58.0, bottom = 58.0;
  Canvas canvas;
  const double sheet_width = left + static_cast<double>(panels.size()) * (width + right);
  canvas.open_page(sheet_width, top + height + bottom, title);
  Rect area{left, top, width, height};
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Plot plot = panels[p].plot;
    plot.id = std::to_string(p);
    plot.colours.background = "#ffffff";
    plot.y.texts = p == 0;
    plot.x.label_distance = 46.0;
    plot.y.label_distance = 60.0;
    canvas.text({area.x, 24.0}, 15.0, panels[p].title, "fill=\"#1f2937\" font-weight=\"bold\"");
    double x = area.x;
    for (std::size_t k = 0; k < panels[p].legend.size(); ++k) {
      draw_marker(Marker::circle, {x + 5.0, 42.0}, 4.0, plot.curves[k].colour, canvas);
      canvas.text({x + 14.0, 46.0}, 12.0, panels[p].legend[k], "fill=\"#374151\"");
      x += 30.0 + text_width(panels[p].legend[k], 12.0);
    }
    draw_plot(plot, area, canvas);
    area.x += width + right;
  }
  canvas.close("svg");
  return canvas.take();
}

}  // namespace limber::bench
