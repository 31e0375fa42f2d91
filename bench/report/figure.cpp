#include "bench/report/figure.h"

#include <algorithm>
#include <cmath>

#include "limber/solver/options.h"

namespace limber::bench {

namespace {

using namespace picture;

constexpr double page_width = 1350.0, gap = 44.0;  // pixels
constexpr double right_room = 22.0, top_room = 6.0, bar_height = 20.0;
constexpr std::size_t peer_colours = 4;
constexpr Marker markers[] = {Marker::circle,        Marker::triangle,      Marker::square, Marker::diamond,
                              Marker::triangle_down, Marker::plus,          Marker::cross,  Marker::star,
                              Marker::triangle_left, Marker::triangle_right};

PlotColours page_colours() {
  return {.background = "none",
          .frame = "var(--line)",
          .grid = "var(--line)",
          .zero = "var(--faint)",
          .mark = "var(--line)",
          .text = "var(--faint)",
          .title = "var(--ink)"};
}

bool is_ours(const std::string& name) {
  return std::any_of(std::begin(method_table), std::end(method_table),
                     [&](const MethodRow& row) { return row.name == name; });
}

std::string legend_html(const std::vector<PlotCurve>& curves, const std::vector<std::string>& names) {
  std::string html;
  for (std::size_t k = 0; k < names.size() && k < curves.size(); ++k)
    html += "<span style=\"color: " + curves[k].colour + "\">" + (curves[k].dashed ? "┄" : "●") + "</span> " +
            escaped(names[k]) + " ";
  return html.empty() ? "" : "<p class=\"legend\">" + html + "</p>\n";
}

}  // namespace

// --- Methods

Methods::Methods(const std::vector<Table>& tables) {
  for (const MethodRow& row : method_table) names_.emplace_back(row.name);
  std::vector<std::string> measured;
  for (const Table& table : tables)
    for (const BenchRow& row : table.rows)
      if (row.contains("method")) measured.push_back(text_in(row, "method"));
  std::erase_if(names_, [&](const std::string& name) {
    return std::find(measured.begin(), measured.end(), name) == measured.end();
  });
  ours_ = names_.size();
  for (const std::string& name : measured)
    if (!is_ours(name) && std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
}

std::size_t Methods::index(const std::string& name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

std::string Methods::colour(const std::string& name) const {
  const std::size_t k = index(name);
  if (k < ours_) return "var(--" + name + ")";
  return k < names_.size() ? "var(--peer-" + std::to_string((k - ours_) % peer_colours) + ")" : "var(--faint)";
}

Marker Methods::marker(const std::string& name) const {
  const std::size_t k = index(name);
  return markers[(k < ours_ ? k : k - ours_ + 2) % std::size(markers)];
}

std::string Methods::group(const std::string& name) const {
  const std::size_t k = index(name);
  return k < names_.size() ? "m" + std::to_string(k) : "";
}

std::string marker_svg(const Methods& methods, const std::string& name) {
  Canvas canvas;
  canvas.open("svg", "viewBox=\"0 0 16 16\" aria-hidden=\"true\"");
  draw_marker(methods.marker(name), {8.0, 8.0}, 6.0, methods.colour(name), canvas);
  canvas.close("svg");
  return canvas.take();
}

// --- Axes

Axis log_axis(const std::vector<double>& values, Format number, const std::string& label, double floor) {
  Axis axis{.label = label, .logarithmic = true, .number = std::move(number), .label_distance = 58.0};
  double min = infinity, max = 0.0;
  for (const double value : values) {
    if (!(value > floor)) continue;
    min = std::min(min, value);
    max = std::max(max, value);
  }
  if (max == 0.0) {
    min = max = floor > 0.0 ? floor : 1.0;
  }
  axis.min = std::max(min / 1.4, floor);
  axis.max = 1.4 * max;
  return axis;
}

Axis log_bar_axis(const std::vector<double>& values, Format number, double floor) {
  constexpr double text_room = 0.22;  // of the axis
  Axis axis = log_axis(values, std::move(number), "", floor);
  axis.min = std::max(std::pow(10.0, std::floor(std::log10(axis.min))), floor);
  axis.max *= std::pow(axis.max / axis.min, text_room);
  return axis;
}

// --- Figures

double FigureGrid::width() const { return (page_width - (columns_ - 1) * gap) / columns_; }

void FigureGrid::add(const std::string& title, Plot plot, const Rect& area, double below, const std::string& legend) {
  plot.id = id_ + "-" + std::to_string(++count_);
  plot.colours = page_colours();
  Canvas canvas;
  canvas.open("svg", "viewBox=\"0 0 " + pixels(width()) + " " + pixels(area.y + area.height + below) +
                         "\" role=\"img\" aria-label=\"" + escaped(title) + ". The numbers are in the table below.\"");
  draw_plot(plot, area, canvas);
  canvas.close("svg");
  html_ += "<figure class=\"plot\">\n<h3>" + escaped(title) + "</h3>\n" + legend + canvas.take() + "</figure>\n";
}

void FigureGrid::add_curves(const std::string& title, double height, const Axis& x, const Axis& y,
                            std::vector<PlotCurve> curves, const std::vector<std::string>& legend) {
  constexpr double left = 76.0, below = 40.0;
  const std::string names = legend_html(curves, legend);
  Plot plot{.x = x, .y = y, .curves = std::move(curves)};
  plot.x.label_distance = 44.0;
  add(title, std::move(plot), {left, top_room, width() - left - right_room, height - below - top_room}, below, names);
}

void FigureGrid::add_bars(const std::string& title, const Axis& values, const std::vector<BarRow>& bars) {
  double label_width = 0.0;
  for (const BarRow& bar : bars) label_width = std::max(label_width, text_width(bar.label, 10.0));
  const double left = label_width + 12.0, height = bar_height * static_cast<double>(bars.size());
  Plot plot{.x = values, .horizontal_bars = true};
  plot.y = {.min = -0.5, .max = static_cast<double>(bars.size()) - 0.5, .grid = false};
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const BarRow& bar = bars[k];
    const double at = static_cast<double>(bars.size() - 1 - k);  // from the top
    plot.y.ticks.push_back({at, bar.label});
    plot.bars.push_back({.colour = bar.colour,
                         .at = at,
                         .thickness = 0.78,
                         .value = std::max(bar.value.value_or(values.min), values.min),
                         .pale = bar.pale,
                         .text = bar.value ? values.number(*bar.value) : "–",
                         .tip = bar.tip,
                         .group = bar.group});
  }
  add(title, std::move(plot), {left, top_room, width() - left - right_room, height}, 24.0);
}

void FigureGrid::add_bars(const std::string& title, const Axis& values, const Rows& rows, const std::string& column,
                          const std::function<bool(const BenchRow&)>& pale) {
  std::vector<BarRow> bars;
  for (const std::string& name : methods_.names())
    if (const Rows own = where(rows, "method", name); !own.empty())
      bars.push_back({.label = name,
                      .colour = methods_.colour(name),
                      .value = number_in(own.front(), column),
                      .pale = pale(own.front()),
                      .tip = description(own.front()),
                      .group = methods_.group(name)});
  add_bars(title, values, bars);
}

void FigureGrid::add_grouped_bars(const std::string& title, double height, const Axis& values, const Rows& rows,
                                  const std::string& by, const std::string& column,
                                  const std::function<bool(const BenchRow&)>& pale) {
  constexpr double left = 76.0, below = 26.0, group_width = 0.86;
  const std::vector<std::string> groups = distinct(rows, by);
  const double thickness = group_width / static_cast<double>(std::max<std::size_t>(1, methods_.names().size()));
  Plot plot{.y = values};
  plot.x = {.min = -0.5, .max = static_cast<double>(groups.size()) - 0.5, .grid = false};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    plot.x.ticks.push_back({static_cast<double>(g), groups[g]});
    for (std::size_t m = 0; m < methods_.names().size(); ++m) {
      const std::string& name = methods_.names()[m];
      const Rows own = where(where(rows, by, groups[g]), "method", name);
      const std::optional<double> value = own.empty() ? std::nullopt : number_in(own.front(), column);
      if (!value) continue;
      const double at = static_cast<double>(g) - 0.5 * group_width + (static_cast<double>(m) + 0.5) * thickness;
      plot.bars.push_back({.colour = methods_.colour(name),
                           .at = at,
                           .thickness = thickness,
                           .value = std::max(*value, values.min),
                           .pale = pale(own.front()),
                           .tip = description(own.front()),
                           .group = methods_.group(name)});
    }
  }
  add(title, std::move(plot), {left, top_room, width() - left - right_room, height - below - top_room}, below);
}

std::string FigureGrid::take() const {
  return "<div class=\"plots\" style=\"--columns: " + std::to_string(columns_) + "\">\n" + html_ + "</div>\n";
}

}  // namespace limber::bench
