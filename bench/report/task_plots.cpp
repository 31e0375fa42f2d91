#include "bench/report/task_plots.h"

#include <algorithm>
#include <cmath>

#include "limber/base/vector.h"

namespace limber::bench {

namespace {

using Test = std::function<bool(const BenchRow&)>;

// Smaller values count as zero, and would stretch the axis over empty decades.
constexpr double error_floor_cm = 1e-4, drift_floor_mm = 1e-4, slide_floor_mm = 1e-3;
constexpr double plot_height = 380.0;

// --- Which rows did what was asked

// Solved about as many as the best method.
double max_solved(const Rows& rows) {
  double best = 0.0;
  for (const double percent : numbers_in(rows, "solved %")) best = std::max(best, percent);
  return best;
}
Test solved_most(const Rows& rows) {
  return
      [best = max_solved(rows)](const BenchRow& row) { return number_in(row, "solved %").value_or(0.0) >= best - 1; };
}

// Ended about as near as the best method.
Test nearest(const Rows& rows) {
  const double cm = min_in(rows, "error cm").value_or(0.0), deg = min_in(rows, "error deg").value_or(0.0);
  return [cm, deg](const BenchRow& row) {
    return number_in(row, "error cm").value_or(infinity) <= cm + 0.1 &&
           number_in(row, "error deg").value_or(infinity) <= deg + 1.0;
  };
}

// The methods by their min time.
std::vector<Ranking::Entry> ranked(const Rows& rows, const std::string& column) {
  std::vector<Ranking::Entry> entries;
  for (const std::string& method : distinct(rows, "method"))
    if (const std::optional<double> time = min_in(where(rows, "method", method), column))
      entries.push_back({method, *time});
  std::ranges::sort(entries, {}, &Ranking::Entry::microseconds);
  return entries;
}

std::vector<Ranking> rank_solved(const Rows& rows, const std::vector<std::string>& columns) {
  std::vector<Ranking> all;
  for (const Part& part : parts_by(rows, columns))
    all.push_back({part.label, "within 1 % of the max solved, " + percent_text(max_solved(part.rows)),
                   ranked(filtered(part.rows, solved_most(part.rows)), "median us")});
  return all;
}

std::vector<Ranking> rank_nothing(const Rows&) { return {}; }

// --- Curves

using Points = std::function<std::vector<picture::PlotPoint>(const Rows& rows)>;

// One curve per method.
std::vector<PlotCurve> method_curves(const Methods& methods, const Rows& rows, const Points& points) {
  std::vector<PlotCurve> curves;
  for (const std::string& name : methods.names()) {
    const Rows own = where(rows, "method", name);
    const bool peer = methods.colour(name).starts_with("var(--peer");
    if (!own.empty())
      curves.push_back({.colour = methods.colour(name),
                        .points = points(own),
                        .width = peer ? 1.2 : 1.6,
                        .dashed = peer,
                        .marker = methods.marker(name),
                        .group = methods.group(name)});
  }
  return curves;
}

std::string draw_tracking(const Methods& methods, const Rows& rows) {
  const Axis x = log_axis(numbers_in(rows, "us"), time_text, "time per frame");
  Axis y = log_axis(
      numbers_in(rows, "error cm"),
      [](double cm) { return length_text(cm) + (cm > 1.01 * error_floor_cm ? "" : " or less"); }, "mean distance",
      error_floor_cm);
  if (min_in(rows, "error cm").value_or(1.0) <= error_floor_cm) y.min = 0.5 * error_floor_cm;
  const Points points = [](const Rows& own) {
    std::vector<picture::PlotPoint> all;
    for (const BenchRow& row : own)
      if (const auto us = number_in(row, "us"), cm = number_in(row, "error cm"); us && cm)
        all.push_back({.x = *us,
                       .y = std::max(*cm, error_floor_cm),
                       .radius = 2.0 + 1.4 * std::pow(std::log10(number_in(row, "iterations").value_or(20.0)), 1.5),
                       .tip = description(row)});
    return all;
  };
  const std::vector<std::string> motions = distinct(rows, "motion");
  std::string html;
  for (const std::string& motion : motions) {
    const Rows own = where(rows, "motion", motion);
    if (motions.size() > 1) html += "<h3>" + picture::escaped(motion) + "</h3>\n";
    FigureGrid grid(methods, "tracking-" + motion, static_cast<int>(distinct(own, "every").size()));
    for (const Part& part : parts_by(own, {"root", "every"}))
      grid.add_curves(part.label, 320.0, x, y, method_curves(methods, part.rows, points));
    html += grid.take();
  }
  return html;
}

std::vector<Ranking> rank_tracking(const Rows& rows) {
  std::vector<Ranking> all;
  for (const Part& part : parts_by(rows, {"motion", "root", "every"})) {
    const double min = min_in(part.rows, "error cm").value_or(0.0);
    const Rows near = filtered(
        part.rows, [&](const BenchRow& row) { return number_in(row, "error cm").value_or(infinity) <= min + 0.01; });
    all.push_back({part.label, "within 0.1 mm of the min error", ranked(near, "us")});
  }
  return all;
}

constexpr int max_digits = 8;

std::string draw_chain(const Methods& methods, const Rows& rows) {
  std::vector<double> times;
  for (int d = 1; d <= max_digits; ++d)
    for (const double time : numbers_in(rows, std::to_string(d))) times.push_back(time);
  const Axis x = log_axis(times, time_text, "time", 0.1);
  Axis y{.label = "digits", .min = 0.5, .max = max_digits + 0.5, .label_distance = 30.0};
  for (int d = 1; d <= max_digits; ++d) y.ticks.push_back({static_cast<double>(d), std::to_string(d)});
  const Points points = [](const Rows& own) {
    std::vector<picture::PlotPoint> all;
    for (int d = 1; d <= max_digits; ++d)
      if (const auto time = number_in(own.front(), std::to_string(d)))
        all.push_back(
            {.x = *time,
             .y = static_cast<double>(d),
             .radius = 4.0,
             .tip = text_in(own.front(), "method") + ": " + std::to_string(d) + " digits in " + time_text(*time)});
    return all;
  };
  FigureGrid grid(methods, "chain", 2);
  for (const Part& part : parts_by(rows, {"goal", "start"}))
    grid.add_curves(part.label, plot_height, x, y, method_curves(methods, part.rows, points));
  return grid.take();
}

std::vector<Ranking> rank_chain(const Rows& rows) {
  std::vector<Ranking> all;
  const std::string column = std::to_string(max_digits);
  for (const Part& part : parts_by(rows, {"goal", "start"}))
    all.push_back({part.label, "to eight digits", ranked(part.rows, column)});
  return all;
}

std::string draw_size(const Methods& methods, const Rows& rows) {
  struct Series {
    const char* name;
    const char* column;
    const char* colour;
  };
  constexpr Series columns[] = {{"whole solve", "solve us", "var(--automatic)"},
                                {"value and gradient", "gradient us", "var(--link)"},
                                {"forward kinematics", "forward us", "var(--faint)"}};
  std::vector<double> times;
  for (const Series& column : columns)
    for (const double time : numbers_in(rows, column.column)) times.push_back(time);
  const Axis x = log_axis(numbers_in(rows, "dof"), [](double n) { return digits(n, 6); }, "degrees of freedom");
  const Axis y = log_axis(times, time_text, "time");
  FigureGrid grid(methods, "size", 2);
  for (const Part& part : parts_by(rows, {"figure"})) {
    std::vector<PlotCurve> curves;
    std::vector<std::string> names;
    for (const Series& column : columns) {
      PlotCurve curve{.colour = column.colour, .points = {}, .marker = Marker::circle};
      for (const BenchRow& row : part.rows)
        if (const auto dof = number_in(row, "dof"), time = number_in(row, column.column); dof && time)
          curve.points.push_back({.x = *dof, .y = *time, .radius = 4.0, .tip = description(row)});
      curves.push_back(std::move(curve));
      names.emplace_back(column.name);
    }
    // A line of slope one through the first point of the solve.
    const picture::PlotPoint first = curves.front().points.front(), last = curves.front().points.back();
    curves.push_back({.colour = "var(--faint)",
                      .points = {{first.x, first.y}, {last.x, first.y * last.x / first.x}},
                      .width = 1.0,
                      .dashed = true});
    names.emplace_back("proportional to size");
    grid.add_curves(part.label == "chain"  ? "Chains with one goal"
                    : part.label == "tree" ? "Trees with ten degrees of freedom per goal, and ten more"
                                           : part.label,
                    plot_height, x, y, std::move(curves), names);
  }
  return grid.take();
}

// --- Bars

std::string draw_solved(const Methods& methods, const Rows& rows, const std::vector<std::string>& columns) {
  Axis share{.max = 112.0, .number = percent_text};
  for (int k = 0; k <= 100; k += 20) share.ticks.push_back({static_cast<double>(k), std::to_string(k) + " %"});
  const Axis times = log_bar_axis(numbers_in(rows, "median us"), time_text);
  FigureGrid grid(methods, "solved-" + columns.front(), 2);
  for (const Part& part : parts_by(rows, columns)) {
    const Test good = solved_most(part.rows);
    const Test pale = [&](const BenchRow& row) { return !good(row); };
    grid.add_bars(part.label + ": solved", share, part.rows, "solved %", pale);
    grid.add_bars(part.label + ": median time", times, part.rows, "median us", pale);
  }
  return grid.take();
}

std::string draw_arms(const Methods& methods, const Rows& rows) { return draw_solved(methods, rows, {"robot"}); }
std::vector<Ranking> rank_arms(const Rows& rows) { return rank_solved(rows, {"robot"}); }
std::string draw_human(const Methods& methods, const Rows& rows) {
  return draw_solved(methods, rows, {"motion", "root", "start"});
}
std::vector<Ranking> rank_human(const Rows& rows) { return rank_solved(rows, {"motion", "root", "start"}); }

std::string draw_natural(const Methods& methods, const Rows& rows) {
  double max = 0.0;
  for (const double cm : numbers_in(rows, "error cm")) max = std::max(max, cm);
  const Axis axis{.max = std::ceil(1.15 * max), .number = with_unit("cm")};
  FigureGrid grid(methods, "natural", 2);
  for (const Part& part : parts_by(rows, {"given"})) {
    std::vector<FigureGrid::BarRow> bars;
    for (const BenchRow& row : part.rows) {
      const std::string way = text_in(row, "way");
      bars.push_back({.label = way,
                      .colour = way.starts_with("proposal") ? "var(--automatic)" : "var(--faint)",
                      .value = number_in(row, "error cm"),
                      .tip = description(row)});
    }
    grid.add_bars(part.label, axis, bars);
  }
  return grid.take();
}

std::string draw_postures(const Methods& methods, const Rows& rows) {
  FigureGrid grid(methods, "postures", 1);
  Axis times = log_bar_axis(numbers_in(rows, "us"), time_text);
  times.label = "time";
  times.label_distance = 58.0;
  const Test pale = [&](const BenchRow& row) { return !nearest(where(rows, "posture", text_in(row, "posture")))(row); };
  grid.add_grouped_bars("Time by posture and method", 420.0, times, rows, "posture", "us", pale);
  return grid.take();
}

std::vector<Ranking> rank_postures(const Rows& rows) {
  std::vector<Ranking> all;
  for (const Part& part : parts_by(rows, {"posture"}))
    all.push_back(
        {part.label, "within 1 mm and 1° of the min error", ranked(filtered(part.rows, nearest(part.rows)), "us")});
  return all;
}

std::string draw_locked(const Methods& methods, const Rows& rows) {
  const Axis speed = log_bar_axis(numbers_in(rows, "frames/s"), [](double value) { return digits(value); });
  const Axis drift = log_bar_axis(numbers_in(rows, "max drift mm"), with_unit("mm"), drift_floor_mm);
  const Test pale = [](const BenchRow& row) { return number_in(row, "pelvis deg").value_or(0.0) > 1.0; };
  FigureGrid grid(methods, "locked", 2);
  for (const Part& part : parts_by(rows, {"iterations"})) {
    grid.add_bars("Max " + part.label + ": frames per second", speed, part.rows, "frames/s", pale);
    grid.add_bars("Max " + part.label + ": max drift of a foot", drift, part.rows, "max drift mm", pale);
  }
  return grid.take();
}

std::vector<Ranking> rank_locked(const Rows& rows) {
  std::vector<Ranking> all;
  const auto good = [](const BenchRow& row) {
    return number_in(row, "max drift mm").value_or(infinity) <= 1.0 &&
           number_in(row, "pelvis deg").value_or(infinity) <= 1.0;
  };
  for (const Part& part : parts_by(rows, {"iterations"}))
    all.push_back({part.label, "feet within 1 mm, pelvis within 1°", ranked(filtered(part.rows, good), "us")});
  return all;
}

std::string draw_motion(const Methods& methods, const Rows& rows) {
  std::vector<double> slides = numbers_in(rows, "slide before mm");
  for (const double mm : numbers_in(rows, "slide after mm")) slides.push_back(mm);
  const Axis times = log_bar_axis(numbers_in(rows, "us"), time_text);
  const Axis distances = log_bar_axis(slides, with_unit("mm"), slide_floor_mm);
  FigureGrid grid(methods, "motion", 2);
  for (const Part& part : parts_by(rows, {"motion"})) {
    std::vector<FigureGrid::BarRow> time_bars, slide_bars;
    for (const BenchRow& row : part.rows) {
      const std::string name = text_in(row, "part"), exit = text_in(row, "exit"), tip = description(row);
      time_bars.push_back({.label = name + ", " + text_in(row, "frames"),
                           .colour = "var(--automatic)",
                           .value = number_in(row, "us"),
                           .pale = exit != "–" && exit != "converged",
                           .tip = tip});
      if (!number_in(row, "slide after mm")) continue;
      slide_bars.push_back({name + ": before", "var(--faint)", number_in(row, "slide before mm"), false, tip});
      slide_bars.push_back({name + ": after", "var(--automatic)", number_in(row, "slide after mm"), false, tip});
    }
    grid.add_bars(part.label + ": time per frame", times, time_bars);
    grid.add_bars(part.label + ": sliding", distances, slide_bars);
  }
  return grid.take();
}

constexpr TaskPlots task_plots[] = {
    {"tracking", "Tracking a walk",
     "Down and left is better. A method has one point per limit on its iterations per frame; the larger the marker, "
     "the "
     "higher the limit. The fewer frames are used, the farther the goals jump.",
     draw_tracking, rank_tracking},
    {"chain", "A chain of seven joints",
     "Up and left is better: digits of accuracy against time. A curve ends where the method got no closer.", draw_chain,
     rank_chain},
    {"arms", "Robot arms",
     "Left: the share of solved goals, longer is better. Right: the median time, shorter is better; pale for methods "
     "that solved more than 1 % less than the best.",
     draw_arms, rank_arms},
    {"human", "A human in motion",
     "Left: the share of frames solved to 0.1 mm, longer is better. Right: the median time, shorter is better; pale "
     "for "
     "methods that solved more than 1 % less than the best.",
     draw_human, rank_human},
    {"natural", "Natural poses",
     "Mean distance of the joints that were not given from their recorded positions; shorter is better. Nothing was "
     "learned from these people.",
     draw_natural, rank_nothing},
    {"postures", "Postures of the papers",
     "Time of a solve; shorter is better. Pale: the error is more than 1 mm or 1° above the min. No bar: rejected, "
     "mostly "
     "because the figure has limits that couple several joints.",
     draw_postures, rank_postures},
    {"locked", "Feet locked, pelvis turned",
     "Left: frames per second, longer is better. Right: the max drift of a foot, shorter is better. Pale: the mean "
     "error "
     "of the pelvis is above 1°.",
     draw_locked, rank_locked},
    {"size", "Cost against size", "Lower is better. The dashed line is proportional to the degrees of freedom.",
     draw_size, rank_nothing},
    {"motion", "Motions",
     "Left: time per frame, or per query; shorter is better. Pale: ended without convergence. Right: the max distance "
     "that a foot slid during a contact, before and after it was locked.",
     draw_motion, rank_nothing},
};

}  // namespace

const TaskPlots* plots_of(const std::string& task) {
  const auto* const found = std::ranges::find_if(task_plots, [&](const TaskPlots& one) { return one.task == task; });
  return found == std::end(task_plots) ? nullptr : found;
}

}  // namespace limber::bench
