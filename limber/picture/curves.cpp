#include "limber/picture/curves.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"
#include "limber/picture/plot.h"
#include "limber/picture/sheet.h"

namespace limber {

namespace {

using namespace picture;

constexpr int min_curves_width = 320, max_curves_width = 8000;
constexpr double curves_margin = 14.0, curves_title = 44.0, curve_height = 120.0, curve_gap = 12.0;
constexpr double room = 0.06;       // of a plot's range, above and below its curve
constexpr double min_range = 1e-3;  // a smaller range is noise: metres, or degrees
constexpr const char* limit_colour = "#c2410c";

// The parameter of that name, or those of a joint or a group.
Expected<std::vector<int>> parameters_named(const Figure& figure, const std::string& name) {
  if (const Expected<int> one = figure.find_parameter(name)) return std::vector<int>{*one};
  std::vector<int> list;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j)
    if (figure.parameters()[j].name.starts_with(name + ".")) list.push_back(static_cast<int>(j));
  if (list.empty()) return std::unexpected(figure.find_parameter(name).error());
  return list;
}

Expected<std::vector<int>> parameters_of(const Figure& figure, const std::vector<std::string>& names) {
  std::vector<int> all;
  for (const std::string& name : names) {
    const Expected<std::vector<int>> found = parameters_named(figure, name);
    if (!found) return found;
    for (const int j : *found)
      if (std::ranges::find(all, j) == all.end()) all.push_back(j);
  }
  if (all.empty() || all.size() > static_cast<std::size_t>(max_curves))
    return reject("curves", std::to_string(all.size()) + " parameters", "1 to " + std::to_string(max_curves));
  return all;
}

Expected<void> check_motion(const Figure& figure, const MatX& poses, double frame_time) {
  const auto parameters = static_cast<Eigen::Index>(figure.parameters().size());
  if (poses.rows() != parameters || poses.cols() < 1 || !poses.allFinite())
    return reject("poses", std::to_string(poses.rows()) + " x " + std::to_string(poses.cols()),
                  std::to_string(parameters) + " finite numbers per frame, and one frame or more");
  if (!(frame_time > 0.0 && std::isfinite(frame_time)))
    return reject("frame time", to_text(frame_time) + " s", "a number above 0");
  return {};
}

PlotCurve curve_of(const Figure& figure, const MatX& poses, double frame_time, int j, bool dashed) {
  const bool translates = figure.parameters()[static_cast<std::size_t>(j)].translates;
  PlotCurve curve = dashed ? PlotCurve{hex(before_colour(0)), {}, 1.1, true} : PlotCurve{hex(trace_colour(0)), {}};
  for (Eigen::Index k = 0; k < poses.cols(); ++k)
    curve.points.push_back({static_cast<double>(k) * frame_time, translates ? poses(j, k) : degrees(poses(j, k))});
  return curve;
}

void set_range(Plot& plot) {
  double min = infinity, max = -infinity;
  for (const PlotCurve& curve : plot.curves)
    for (const PlotPoint& point : curve.points) {
      min = std::fmin(min, point.y);
      max = std::fmax(max, point.y);
    }
  const double middle = 0.5 * (min + max), half = std::fmax(0.5 * (max - min), min_range) * (1.0 + 2.0 * room);
  plot.y.min = middle - half;
  plot.y.max = middle + half;
}

void add_limits(const Parameter& parameter, Plot& plot) {
  for (const double bound : {parameter.range.lower, parameter.range.upper}) {
    const double at = parameter.translates ? bound : degrees(bound);
    if (plot.y.min <= at && at <= plot.y.max)
      plot.curves.push_back({limit_colour, {{plot.x.min, at}, {plot.x.max, at}}, 0.8, true});
  }
}

}  // namespace

Expected<std::string> draw_curves(const Figure& figure, const MatX& poses, double frame_time,
                                  const std::vector<std::string>& names, const CurvesOptions& options) {
  const double other_time = options.compare_frame_time == 0.0 ? frame_time : options.compare_frame_time;
  if (const Expected<void> valid = check_motion(figure, poses, frame_time); !valid)
    return std::unexpected(valid.error());
  if (options.compare)
    if (const Expected<void> valid = check_motion(figure, *options.compare, other_time); !valid)
      return std::unexpected(valid.error());
  const Expected<std::vector<int>> parameters = parameters_of(figure, names);
  if (!parameters) return std::unexpected(parameters.error());
  double end = static_cast<double>(poses.cols() - 1) * frame_time;
  if (options.compare) end = std::fmax(end, static_cast<double>(options.compare->cols() - 1) * other_time);

  const double width = std::clamp(options.width, min_curves_width, max_curves_width);
  const auto count = static_cast<double>(parameters->size());
  Canvas canvas;
  const std::string title = options.title.empty() ? figure.name() : options.title;
  canvas.open_page(width, curves_title + count * (curve_height + curve_gap) + axis_below + curves_margin, title);
  canvas.text({curves_margin, 29.0}, 19.0, fitted(title, 21.0, width - 2.0 * curves_margin),
              "fill=\"#1f2933\" font-weight=\"bold\"");
  Rect area{curves_margin + axis_left, curves_title, width - 2.0 * curves_margin - axis_left, curve_height};
  for (const int j : *parameters) {
    const Parameter& parameter = figure.parameters()[static_cast<std::size_t>(j)];
    Plot plot;
    plot.id = "curve" + std::to_string(j);
    plot.title = parameter.name;
    plot.x = {.label = "time, s", .max = end > 0.0 ? end : frame_time, .grid = false};
    plot.x.texts = j == parameters->back();
    plot.y.label = parameter.translates ? "m" : "degrees";
    if (options.compare) plot.curves.push_back(curve_of(figure, *options.compare, other_time, j, true));
    plot.curves.push_back(curve_of(figure, poses, frame_time, j, false));
    set_range(plot);
    add_limits(parameter, plot);
    draw_plot(plot, area, canvas);
    area.y += curve_height + curve_gap;
  }
  canvas.close("svg");
  return canvas.take();
}

}  // namespace limber
