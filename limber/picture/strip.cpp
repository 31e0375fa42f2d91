#include "limber/picture/strip.h"

#include <algorithm>
#include <utility>

#include "limber/base/number.h"
#include "limber/picture/ground.h"
#include "limber/picture/sheet.h"
#include "limber/picture/skin.h"

namespace limber {

namespace {

using namespace picture;

constexpr int min_width = 640, max_width = 8000;
constexpr double page_margin = 14.0, title_height = 44.0, part_gap = 12.0, plot_height = 130.0, plot_gap = 10.0;
constexpr double headroom = 1.04;     // of a plot, above its maximum
constexpr double still_share = 1e-3;  // relative to the figure's length: a smaller range is noise
// Of the values; a maximum this many times above them is an outlier.
constexpr double usual_share = 0.98, outlier_ratio = 3.0;

Expected<void> check_options(const StripOptions& options) {
  if (options.count < 1 || options.count > max_strip_frames ||
      options.frames.size() > static_cast<std::size_t>(max_strip_frames))
    return reject("frames",
                  std::to_string(options.frames.empty() ? options.count : static_cast<int>(options.frames.size())),
                  "1 to " + std::to_string(max_strip_frames));
  if (options.columns < 0 || options.columns > max_strip_frames)
    return reject("columns", std::to_string(options.columns), "0 to " + std::to_string(max_strip_frames));
  if (options.ghosts < 0 || options.ghosts > max_strip_frames)
    return reject("ghosts", std::to_string(options.ghosts), "0 to " + std::to_string(max_strip_frames));
  for (const StripContact& contact : options.contacts)
    if (!std::isfinite(contact.start) || !std::isfinite(contact.end) || contact.end < contact.start)
      return reject("contact of '" + contact.place + "'",
                    to_text(contact.start) + " s to " + to_text(contact.end) + " s", "a start and a later end");
  return {};
}

Expected<std::vector<std::string>> places_of(const StripOptions& options) {
  std::vector<std::string> places;
  const auto add = [&](const std::string& place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  };
  for (const std::string& place : options.places) add(place);
  for (const StripContact& contact : options.contacts) add(contact.place);
  if (places.size() > static_cast<std::size_t>(max_strip_places))
    return reject("places", std::to_string(places.size()), "at most " + std::to_string(max_strip_places));
  return places;
}

Expected<std::vector<int>> frames_of(const StripOptions& options, int frames) {
  if (options.frames.empty()) return evenly_spaced(frames, options.count);
  for (std::size_t k = 0; k < options.frames.size(); ++k) {
    const int frame = options.frames[k];
    if (frame < 0 || frame >= frames)
      return reject("frames", "frame " + std::to_string(frame), "0 to " + std::to_string(frames - 1));
    if (k > 0 && frame <= options.frames[k - 1])
      return reject("frames", "frame " + std::to_string(frame) + " after " + std::to_string(options.frames[k - 1]),
                    "frames in ascending order");
  }
  return options.frames;
}

Expected<Sheet> make_sheet(const Figure& figure, const MatX& poses, double frame_time, const StripOptions& options) {
  if (const Expected<void> valid = check_options(options); !valid) return std::unexpected(valid.error());
  const Expected<std::vector<std::string>> places = places_of(options);
  if (!places) return std::unexpected(places.error());
  Expected<Course> course = make_course(figure, poses, frame_time, *places);
  if (!course) return std::unexpected(course.error());
  Expected<std::vector<int>> frames = frames_of(options, static_cast<int>(poses.cols()));
  if (!frames) return std::unexpected(frames.error());
  if (!options.labels.empty() && options.labels.size() != frames->size())
    return reject("labels", std::to_string(options.labels.size()), std::to_string(frames->size()) + ", one per frame");
  Sheet sheet{figure, poses, frame_time, options, std::move(*course), {}, 0.0, std::move(*frames), {}};
  if (!options.labels.empty()) sheet.course.along = Vec3::UnitZ();  // as most figures face
  if (options.compare) {
    sheet.before_frame_time = options.compare_frame_time == 0.0 ? frame_time : options.compare_frame_time;
    Expected<std::vector<Trace>> before = trace_places(figure, *options.compare, sheet.before_frame_time, *places);
    if (!before) return reject("compare: " + before.error().where, before.error().found, before.error().expected);
    sheet.before = std::move(*before);
  }
  for (const int frame : sheet.frames)
    sheet.bodies.push_back(body::make_body(figure, forward(figure, Pose{poses.col(frame)})));
  return sheet;
}

// --- Plots ---

std::vector<Band> bands_of(const Sheet& sheet) {
  std::vector<Band> bands;
  int lane = 0;
  for (std::size_t p = 0; p < sheet.course.traces.size(); ++p) {
    const std::size_t before = bands.size();
    for (const StripContact& contact : sheet.options.contacts)
      if (sheet.course.traces[p].place == contact.place)
        bands.push_back({hex(trace_colour(p)), contact.start, contact.end, lane});
    if (bands.size() > before) ++lane;
  }
  return bands;
}

double duration_of(const Sheet& sheet) {
  double seconds = static_cast<double>(sheet.poses.cols() - 1) * sheet.frame_time;
  if (!sheet.before.empty())
    seconds = std::fmax(seconds, static_cast<double>(sheet.before[0].at.size() - 1) * sheet.before_frame_time);
  return seconds > 0.0 ? seconds : sheet.frame_time;
}

// A plot of value(trace, frame), in metres or metres per second.
template <class Value>
Plot make_plot(const Sheet& sheet, const Value& value) {
  Plot plot;
  plot.bands = bands_of(sheet);
  for (const Band& band : plot.bands) plot.lanes = std::max(plot.lanes, band.lane + 2);  // one stays free
  plot.x = {.label = "time, s", .max = duration_of(sheet), .grid = false};
  for (const int frame : sheet.frames) plot.marks.push_back(sheet.time(frame));
  const auto add = [&](const std::vector<Trace>& traces, double frame_time, bool dashed) {
    for (std::size_t p = 0; p < traces.size(); ++p) {
      PlotCurve curve = dashed ? PlotCurve{hex(before_colour(p)), {}, 1.1, true} : PlotCurve{hex(trace_colour(p)), {}};
      for (std::size_t k = 0; k < traces[p].at.size(); ++k)
        curve.points.push_back({static_cast<double>(k) * frame_time, value(traces[p], k)});
      plot.curves.push_back(std::move(curve));
    }
  };
  add(sheet.before, sheet.before_frame_time, true);
  add(sheet.course.traces, sheet.frame_time, false);
  return plot;
}

// The maximum without outliers: a jump between two frames must not flatten the rest.
double usual_max(std::vector<double> values, double max) {
  if (values.empty()) return max;
  const auto rank = static_cast<std::ptrdiff_t>(usual_share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  const double usual = values[static_cast<std::size_t>(rank)];
  return usual > 0.0 && max > outlier_ratio * usual ? 1.5 * usual : max;
}

// Converts the values to a suitable unit and sets the range of the axis.
void scale_plot(double size, const char* per, Plot& plot) {
  double min = 0.0, max = 0.0;
  std::vector<double> values;
  for (const PlotCurve& curve : plot.curves)
    for (const PlotPoint& point : curve.points)
      if (std::isfinite(point.y)) {
        min = std::fmin(min, point.y);
        max = std::fmax(max, point.y);
        values.push_back(point.y);
      }
  const double top = usual_max(std::move(values), max);
  const double range = std::fmax(top - min, still_share * size);
  const Unit unit = unit_for(std::fmax(min + range, -min));
  for (PlotCurve& curve : plot.curves)
    for (PlotPoint& point : curve.points) point.y = std::isfinite(point.y) ? point.y / unit.metres : 0.0;
  plot.y.label = unit.name + std::string(per);
  plot.y.min = min < 0.0 ? (min - (headroom - 1.0) * range) / unit.metres : 0.0;
  plot.y.max = (min + headroom * range) / unit.metres;
  if (top < max) plot.title += ", up to " + to_text(max / unit.metres, 1) + " " + plot.y.label;
}

// A single frame has no plots.
bool has_plots(const Sheet& sheet) {
  return !sheet.course.traces.empty() && (sheet.poses.cols() > 1 || !sheet.before.empty());
}

Plot height_plot(const Sheet& sheet) {
  const double floor = sheet.course.floor;
  Plot plot = make_plot(sheet, [&](const Trace& t, std::size_t k) { return t.at[k].y() - floor; });
  plot.id = "height";
  plot.title = "Height above the ground";
  scale_plot(sheet.figure.length(), "", plot);
  return plot;
}

Plot speed_plot(const Sheet& sheet) {
  Plot plot = make_plot(sheet, [](const Trace& t, std::size_t k) { return t.speed[k]; });
  plot.id = "speed";
  plot.title = "Speed";
  scale_plot(sheet.figure.length(), "/s", plot);
  return plot;
}

// The part of a speed plot in contact, at its own scale: a foot slides much slower than it steps.
Plot slide_plot(const Sheet& sheet) {
  Plot plot = make_plot(sheet, [](const Trace& t, std::size_t k) { return t.speed[k]; });
  const std::vector<PlotCurve> whole = std::exchange(plot.curves, {});
  for (std::size_t c = 0; c < whole.size(); ++c) {
    const std::string& place = sheet.course.traces[c % sheet.course.traces.size()].place;
    for (const StripContact& contact : sheet.options.contacts) {
      if (contact.place != place) continue;
      PlotCurve part = whole[c];
      std::erase_if(part.points, [&](const PlotPoint& p) { return p.x < contact.start || p.x > contact.end; });
      if (!part.points.empty()) plot.curves.push_back(std::move(part));
    }
  }
  plot.id = "slide";
  plot.title = "Speed in contact";
  scale_plot(sheet.figure.length(), "/s", plot);
  return plot;
}

int plot_count(const Sheet& sheet) { return sheet.options.contacts.empty() ? 2 : 3; }

void draw_plots(const Sheet& sheet, const Rect& area, Canvas& canvas) {
  std::vector<Plot> plots = {height_plot(sheet), speed_plot(sheet)};
  if (plot_count(sheet) == 3) plots.push_back(slide_plot(sheet));
  const double n = static_cast<double>(plots.size());
  const double h = (area.height - (n - 1.0) * plot_gap - axis_below) / n;
  Rect rect{area.x + axis_left, area.y, area.width - axis_left - 8.0, h};
  for (Plot& plot : plots) {
    plot.x.texts = &plot == &plots.back();
    draw_plot(plot, rect, canvas);
    rect.y += h + plot_gap;
  }
}

// The area of the plots: under the stage, or beside a narrow one; of height 0 if there are none.
Rect plan_plots(const Sheet& sheet, const Stage& stage, const Vec2& corner, double width) {
  const double height = plot_count(sheet) * (plot_height + plot_gap) - plot_gap + axis_below;
  if (!has_plots(sheet)) return {corner.x(), corner.y() + stage.height, width, 0.0};
  if (stage.narrow) return {corner.x() + stage.width, corner.y(), width - stage.width, std::fmax(stage.height, height)};
  return {corner.x(), corner.y() + stage.height + part_gap, width, height};
}

std::string about(const Sheet& sheet) {
  const auto frames = sheet.poses.cols();
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames, ") +
         (frames == 1 ? ""
                      : to_text(std::round(10.0 / sheet.frame_time) / 10.0) + " per second, " +
                            time_text(sheet.time(static_cast<int>(frames) - 1), sheet.frame_time));
}

}  // namespace

double picture::Sheet::spacing() const {
  return frames.size() < 2 ? frame_time
                           : frame_time * (frames.back() - frames.front()) / static_cast<double>(frames.size() - 1);
}

Expected<std::string> draw_strip(const Figure& figure, const MatX& poses, double frame_time,
                                 const StripOptions& options) {
  const Expected<Sheet> sheet = make_sheet(figure, poses, frame_time, options);
  if (!sheet) return std::unexpected(sheet.error());
  const double width = std::clamp(options.width, min_width, max_width), inside = width - 2.0 * page_margin;
  const Cells cells = plan_cells(*sheet, inside);
  const bool is_motion = options.labels.empty();
  const Stage stage = plan_stage(*sheet, inside);
  const bool has_stage = is_motion && !options.frames_only;
  const Vec2 corner(page_margin, title_height + cells.total() + (has_stage ? part_gap : 0.0));
  const Rect plots = plan_plots(*sheet, stage, corner, inside);
  const double below = has_stage ? std::fmax(plots.y + plots.height, corner.y() + stage.height) : corner.y();
  const double height = below + page_margin;

  Canvas canvas;
  const std::string title = options.title.empty() ? figure.name() : options.title;
  canvas.open_page(width, height, title);
  const std::string note = is_motion ? about(*sheet) : std::string();
  canvas.text({page_margin, 29.0}, 19.0, fitted(title, 21.0, inside - text_width(note, 12.0) - 20.0),
              fill(ink) + " font-weight=\"bold\"");
  canvas.text({width - page_margin, 29.0}, 12.0, note, "fill=\"#66788a\" text-anchor=\"end\"");
  draw_cells(*sheet, cells, {page_margin, title_height}, canvas);
  if (has_stage) draw_stage(*sheet, stage, corner, canvas);
  if (has_stage && has_plots(*sheet)) draw_plots(*sheet, plots, canvas);
  canvas.close("svg");
  return canvas.take();
}

}  // namespace limber
