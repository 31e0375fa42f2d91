#include "bench/report/size_plot.h"

#include <algorithm>
#include <cmath>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "bench/report/panels.h"
#include "bench/report/rows.h"

namespace limber::bench {

namespace {

using picture::Axis;
using picture::PlotCurve;
using picture::PlotPoint;

struct Column {
  const char* name;
  const char* key;
  const char* colour;
};

constexpr Column size_columns[] = {
    {"whole solve", "solve us", "#d1480c"},
    {"value and gradient", "gradient us", "#1d4ed8"},
    {"forward kinematics", "forward us", "#15803d"},
};

// From one power of ten to another.
Axis decades(const std::string& label, const std::vector<double>& values, Format number) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const double first = std::floor(std::log10(*min)), last = std::max(std::ceil(std::log10(*max)), first + 1.0);
  return {.label = label,
          .min = std::pow(10.0, first),
          .max = std::pow(10.0, last),
          .logarithmic = true,
          .number = std::move(number)};
}

// With commas between thousands.
std::string whole_number(double value) {
  std::string text = digits(value, 12);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// Dashed lines of constant time per degree of freedom, from the left to the right end of the panel.
void add_guides(picture::Plot& plot) {
  const double first = std::round(std::log10(plot.y.min / plot.x.min)),
               last = std::round(std::log10(plot.y.max / plot.x.max));
  for (double k = first; k <= last; k += 1.0) {
    const double each = std::pow(10.0, k);
    const PlotPoint end{
        .x = plot.x.max, .y = each * plot.x.max, .label = time_text(each) + " per DOF", .label_right = true};
    plot.curves.push_back(
        {.colour = "#9ca3af", .points = {{plot.x.min, each * plot.x.min}, end}, .width = 1.0, .dashed = true});
  }
}

// The rows of one kind of figure; the uppermost curve shows the number of goals where that changes.
Panel size_panel(const std::string& title, const Rows& rows, const Axis& x, const Axis& y, bool show_goals) {
  Panel panel{title, {}, {.x = x, .y = y}};
  for (const Column& column : size_columns) {
    PlotCurve curve{.colour = column.colour, .points = {}, .width = 2.0, .marker = picture::Marker::circle};
    for (const BenchRow& row : rows)
      if (const auto dof = number_in(row, "dof"), time = number_in(row, column.key); dof && time)
        curve.points.push_back(
            {.x = *dof, .y = *time, .label = show_goals && panel.legend.empty() ? text_in(row, "goals") : ""});
    panel.plot.curves.push_back(std::move(curve));
    panel.legend.emplace_back(column.name);
  }
  add_guides(panel.plot);
  return panel;
}

}  // namespace

std::expected<void, Failure> write_size_plot(const std::string& numbers, const std::string& svg) {
  const Expected<std::string> text = cli::read_file(numbers);
  if (!text) return std::unexpected(Failure{text.error(), cli::file_trouble});
  const BenchRow all = BenchRow::parse(*text, nullptr, false);
  const Rows rows = all.is_object() && all.contains("size") ? all["size"].get<Rows>() : Rows{};
  std::vector<double> times;
  for (const Column& column : size_columns)
    for (const double time : numbers_in(rows, column.key)) times.push_back(time);
  const std::vector<double> sizes = numbers_in(rows, "dof");
  if (times.empty() || sizes.empty())
    return std::unexpected(Failure{{numbers, "no rows of the task size", "what limber bench --task size --json wrote"},
                                   cli::scene_is_wrong});
  const Axis x = decades("degrees of freedom", sizes, whole_number), y = decades("time", times, time_text);
  const std::string page =
      panels_svg("Cost against size",
                 {size_panel("Chains, one goal", where(rows, "figure", "chain"), x, y, false),
                  size_panel("Trees, by the number of goals", where(rows, "figure", "tree"), x, y, true)},
                 100.0);
  if (const Expected<void> done = cli::write_file(svg, page); !done)
    return std::unexpected(Failure{done.error(), cli::file_trouble});
  return {};
}

}  // namespace limber::bench
