#include "plot.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"

namespace limber::bench {

namespace {

constexpr double panel_width = 470.0, panel_height = 300.0, left = 62.0, top = 58.0, gap = 30.0, bottom = 58.0;

std::string number(double value) { return to_text(value, 2); }

// A step of 1, 2 or 5 times a power of ten that gives about six lines.
double round_step(double range) {
  const double raw = range / 6.0, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10.0 * power;
}

std::string text(double x, double y, const std::string& what, const std::string& attributes) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + attributes + ">" + what + "</text>\n";
}

}  // namespace

std::string plot_svg(const std::vector<std::string>& places, const std::string& y_label,
                     const std::vector<Panel>& panels) {
  double least = 0.0, most = 0.0;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series)
      for (const double value : series.values) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
  const double step = round_step(std::max(most - least, 1e-9));
  least = step * std::floor(least / step);
  most = step * std::ceil(most / step);
  const double count = static_cast<double>(panels.size());
  const double width = left + count * panel_width + (count - 1.0) * gap + 20.0, height = top + panel_height + bottom;
  const auto y_of = [&](double value) { return top + panel_height * (most - value) / (most - least); };

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) +
                    "\" width=\"" + number(width) + "\" height=\"" + number(height) +
                    "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" fill=\"#374151\">\n" +
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const double x0 = left + static_cast<double>(p) * (panel_width + gap);
    const auto x_of = [&](std::size_t k) {
      return x0 + panel_width * (static_cast<double>(k) + 0.5) / static_cast<double>(places.size());
    };
    svg += text(x0, 24.0, panels[p].title, "font-size=\"15\" font-weight=\"bold\" fill=\"#1f2937\"");
    double legend = x0;
    for (const Series& series : panels[p].series) {
      svg += "<circle cx=\"" + number(legend + 5.0) + "\" cy=\"42\" r=\"4\" fill=\"" + series.colour + "\"/>\n";
      svg += text(legend + 14.0, 46.0, series.name, "");
      legend += 34.0 + 7.2 * static_cast<double>(series.name.size());
    }
    for (double value = least; value <= most + 0.5 * step; value += step) {
      const bool zero = std::fabs(value) < 0.5 * step;
      svg += "<line x1=\"" + number(x0) + "\" x2=\"" + number(x0 + panel_width) + "\" y1=\"" + number(y_of(value)) +
             "\" y2=\"" + number(y_of(value)) + "\" stroke=\"" + (zero ? "#6b7280" : "#e5e7eb") + "\"/>\n";
      if (p == 0) svg += text(x0 - 8.0, y_of(value) + 4.0, to_text(zero ? 0.0 : value), "text-anchor=\"end\"");
    }
    for (std::size_t k = 0; k < places.size(); ++k)
      svg += text(x_of(k), top + panel_height + 18.0, places[k], "text-anchor=\"middle\" font-size=\"11\"");
    for (const Series& series : panels[p].series) {
      std::string points;
      for (std::size_t k = 0; k < series.values.size(); ++k)
        points += number(x_of(k)) + "," + number(y_of(series.values[k])) + " ";
      svg += "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + series.colour +
             "\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n";
      for (std::size_t k = 0; k < series.values.size(); ++k)
        svg += "<circle cx=\"" + number(x_of(k)) + "\" cy=\"" + number(y_of(series.values[k])) + "\" r=\"3\" fill=\"" +
               series.colour + "\"/>\n";
    }
    svg += text(x0 + 0.5 * panel_width, top + panel_height + 42.0, "joint, from the top of the spine",
                "text-anchor=\"middle\"");
  }
  svg += text(16.0, top + 0.5 * panel_height, y_label,
              "text-anchor=\"middle\" transform=\"rotate(-90 16 " + number(top + 0.5 * panel_height) + ")\"");
  return svg + "</svg>\n";
}

}  // namespace limber::bench
