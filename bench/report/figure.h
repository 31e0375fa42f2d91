// Plots of the HTML report, each an HTML figure with an SVG inside. Colours are variables of page.css, so that the
// plots follow the light and the dark style; a method has the same colour, marker and class in all of them.
#pragma once

#include <string>
#include <vector>

#include "bench/report/rows.h"
#include "limber/picture/plot.h"

namespace limber::bench {

using picture::Axis;
using picture::Marker;
using picture::PlotCurve;

// The methods that were measured, those of other libraries last.
class Methods {
 public:
  explicit Methods(const std::vector<Table>& tables);

  const std::vector<std::string>& names() const { return names_; }
  std::string colour(const std::string& name) const;
  Marker marker(const std::string& name) const;
  // The class of its elements: "m3". Empty for a name that is none.
  std::string group(const std::string& name) const;

 private:
  std::size_t index(const std::string& name) const;

  std::vector<std::string> names_;
  std::size_t ours_ = 0;  // of the names
};

// From below the min to above the max of the values above the floor.
Axis log_axis(const std::vector<double>& values, Format number, const std::string& label = "", double floor = 0.0);
// The same for bars, which start at a power of ten and need room for texts at their ends.
Axis log_bar_axis(const std::vector<double>& values, Format number, double floor = 0.0);

// A row of plots: how many fit side by side, and so how wide each is.
class FigureGrid {
 public:
  // `id` is unique on the page.
  FigureGrid(const Methods& methods, std::string id, int columns)
      : methods_(methods), id_(std::move(id)), columns_(columns) {}

  // Curves; the legend of the page has their colours, or `legend` has names for them.
  void add_curves(const std::string& title, double height, const Axis& x, const Axis& y, std::vector<PlotCurve> curves,
                  const std::vector<std::string>& legend = {});

  struct BarRow {
    std::string label;
    std::string colour;
    std::optional<double> value;  // nothing: not supported, or not measured
    bool pale = false;            // did not do what was asked
    std::string tip = {};
    std::string group = {};
  };
  void add_bars(const std::string& title, const Axis& values, const std::vector<BarRow>& bars);
  // One bar per method.
  void add_bars(const std::string& title, const Axis& values, const Rows& rows, const std::string& column,
                const std::function<bool(const BenchRow&)>& pale);
  // Groups of standing bars: one group per value of `by`, one bar per method.
  void add_grouped_bars(const std::string& title, double height, const Axis& values, const Rows& rows,
                        const std::string& by, const std::string& column,
                        const std::function<bool(const BenchRow&)>& pale);

  std::string take() const;

 private:
  void add(const std::string& title, picture::Plot plot, const picture::Rect& area, double below,
           const std::string& legend = "");
  double width() const;

  const Methods& methods_;
  std::string id_;
  int columns_;
  int count_ = 0;
  std::string html_;
};

// A small picture of a method's marker.
std::string marker_svg(const Methods& methods, const std::string& name);

}  // namespace limber::bench
