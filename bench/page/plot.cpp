#include "plot.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"

namespace limber::bench {

namespace {

constexpr double panel_width = 470.0, panel_height = 300.0, top = 58.0, bottom = 58.0;

// What is beside the panels.
struct Margins {
  double left, between, right;

  double left_of_panel(std::size_t p) const { return left + static_cast<double>(p) * (panel_width + between); }
  double width(std::size_t panels) const { return left_of_panel(panels) - between + right; }
};
constexpr Margins spine_margins{62.0, 30.0, 20.0}, cost_margins{76.0, 110.0, 80.0};

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

std::string line(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return "<line x1=\"" + number(x1) + "\" x2=\"" + number(x2) + "\" y1=\"" + number(y1) + "\" y2=\"" + number(y2) +
         "\" " + attributes + "/>\n";
}

std::string dot(double x, double y, double radius, const std::string& colour) {
  return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(radius) + "\" fill=\"" + colour +
         "\"/>\n";
}

std::string path(const std::string& points, const std::string& colour) {
  return "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + colour +
         "\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n";
}

std::string sheet(double sheet_width) {
  const std::string width = number(sheet_width), height = number(top + panel_height + bottom);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width +
         "\" height=\"" + height +
         "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" fill=\"#374151\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

// The title, and below it the name of each series (or curve) beside a dot of its colour.
template <class Named>
std::string heading(double x0, const std::string& title, const std::vector<Named>& all) {
  std::string svg = text(x0, 24.0, title, "font-size=\"15\" font-weight=\"bold\" fill=\"#1f2937\"");
  for (const Named& one : all) {
    svg += dot(x0 + 5.0, 42.0, 4.0, one.colour) + text(x0 + 14.0, 46.0, one.name, "");
    x0 += 34.0 + 7.2 * static_cast<double>(one.name.size());
  }
  return svg;
}

std::string label_of_y(const std::string& label) {
  const double y = top + 0.5 * panel_height;
  return text(16.0, y, label, "text-anchor=\"middle\" transform=\"rotate(-90 16 " + number(y) + ")\"");
}

std::string label_of_x(double x0, const std::string& label) {
  return text(x0 + 0.5 * panel_width, top + panel_height + 42.0, label, "text-anchor=\"middle\"");
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
  const auto y_of = [&](double value) { return top + panel_height * (most - value) / (most - least); };

  std::string svg = sheet(spine_margins.width(panels.size()));
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const double x0 = spine_margins.left_of_panel(p);
    const auto x_of = [&](std::size_t k) {
      return x0 + panel_width * (static_cast<double>(k) + 0.5) / static_cast<double>(places.size());
    };
    svg += heading(x0, panels[p].title, panels[p].series);
    for (double value = least; value <= most + 0.5 * step; value += step) {
      const bool zero = std::fabs(value) < 0.5 * step;
      svg += line(x0, y_of(value), x0 + panel_width, y_of(value), zero ? "stroke=\"#6b7280\"" : "stroke=\"#e5e7eb\"");
      if (p == 0) svg += text(x0 - 8.0, y_of(value) + 4.0, to_text(zero ? 0.0 : value), "text-anchor=\"end\"");
    }
    for (std::size_t k = 0; k < places.size(); ++k)
      svg += text(x_of(k), top + panel_height + 18.0, places[k], "text-anchor=\"middle\" font-size=\"11\"");
    for (const Series& series : panels[p].series) {
      std::string points;
      for (std::size_t k = 0; k < series.values.size(); ++k)
        points += number(x_of(k)) + "," + number(y_of(series.values[k])) + " ";
      svg += path(points, series.colour);
      for (std::size_t k = 0; k < series.values.size(); ++k)
        svg += dot(x_of(k), y_of(series.values[k]), 3.0, series.colour);
    }
    svg += label_of_x(x0, "joint, from the top of the spine");
  }
  svg += label_of_y(y_label);
  return svg + "</svg>\n";
}

namespace {

// Where the powers of ten are that hold all values.
struct Decades {
  int first, last;

  explicit Decades(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    first = static_cast<int>(std::floor(std::log10(*least)));
    last = std::max(static_cast<int>(std::ceil(std::log10(*most))), first + 1);
  }
  // 0 at the first power, 1 at the last.
  double part(double value) const { return (std::log10(value) - first) / (last - first); }
};

// 10^k microseconds: "100 ns".
std::string decade_of_time(int k) {
  const char* unit = k < 0 ? "ns" : k < 3 ? "µs" : k < 6 ? "ms" : "s";
  const int below = k < 0 ? -3 : k < 3 ? 0 : k < 6 ? 3 : 6;
  return to_text(std::pow(10.0, k - below)) + " " + unit;
}

// With commas between thousands.
std::string decade(int k) {
  std::string digits = "1" + std::string(static_cast<std::size_t>(std::max(k, 0)), '0');
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string cost_svg(const std::string& x_label, const std::string& y_label, const std::vector<LogPanel>& panels) {
  std::vector<double> all_x, all_y;
  for (const LogPanel& panel : panels)
    for (const Curve& curve : panel.curves)
      for (const CurvePoint& point : curve.points) {
        all_x.push_back(point.x);
        all_y.push_back(point.y);
      }
  const Decades size(all_x), time(all_y);
  const auto y_of = [&](double y) { return top + panel_height * (1.0 - time.part(y)); };
  const std::string grid = "stroke=\"#e5e7eb\"";

  std::string svg = sheet(cost_margins.width(panels.size()));
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const double x0 = cost_margins.left_of_panel(p);
    const auto x_of = [&](double x) { return x0 + panel_width * size.part(x); };
    svg += heading(x0, panels[p].title, panels[p].curves);
    for (int k = time.first; k <= time.last; ++k) {
      const double y = y_of(std::pow(10.0, k));
      svg += line(x0, y, x0 + panel_width, y, grid);
      if (p == 0) svg += text(x0 - 8.0, y + 4.0, decade_of_time(k), "text-anchor=\"end\"");
    }
    for (int k = size.first; k <= size.last; ++k) {
      const double x = x_of(std::pow(10.0, k));
      svg += line(x, top, x, top + panel_height, grid);
      svg += text(x, top + panel_height + 18.0, decade(k), "text-anchor=\"middle\"");
    }
    // y = 10^k x, where it is within the panel from its left to its right end.
    for (int k = time.first - size.first; k <= time.last - size.last; ++k) {
      const double each = std::pow(10.0, k), begin = std::pow(10.0, size.first), end = std::pow(10.0, size.last);
      const double x = x_of(end), y = y_of(each * end);
      svg += line(x_of(begin), y_of(each * begin), x, y, "stroke=\"#9ca3af\" stroke-dasharray=\"2 5\"");
      svg += text(x + 8.0, y + 4.0, decade_of_time(k) + " each", "font-size=\"11\" fill=\"#6b7280\"");
    }
    for (const Curve& curve : panels[p].curves) {
      std::string points;
      for (const CurvePoint& point : curve.points) points += number(x_of(point.x)) + "," + number(y_of(point.y)) + " ";
      svg += path(points, curve.colour);
      for (const CurvePoint& point : curve.points) {
        svg += dot(x_of(point.x), y_of(point.y), 3.0, curve.colour);
        svg += text(x_of(point.x) - 6.0, y_of(point.y) - 7.0, point.label, "text-anchor=\"end\" font-size=\"11\"");
      }
    }
    svg += label_of_x(x0, x_label);
  }
  return svg + label_of_y(y_label) + "</svg>\n";
}

}  // namespace limber::bench
