// Figures as JSON values, shared by figure files and scenes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "limber/format/figure/figure_file.h"
#include "limber/format/text/json.h"
#include "limber/format/text/unit.h"

namespace limber {

// On an error, records it and returns a figure of one segment, so that reading can continue.
SourcedFigure read_figure_value(const JsonValue& value, const FigureLoader& load = {});
void write_figure_value(JsonWriter& out, const Figure& figure, const FigureSource& source);

// Several figures by name: {"guest": {"figure": …, "root": …, "p": …}, …}. With `with_poses` each may have a "pose",
// which is left to the caller. `unhung` gets each figure before it was hung from its root.
SourcedFigure read_figures_value(const JsonValue& value, const FigureLoader& load, bool with_poses,
                                 std::vector<Figure>* unhung = nullptr);
// `more` writes what else belongs to each, into its open object.
void write_figures_value(JsonWriter& out, const Figure& figure, const JoinedFigures& source,
                         const std::function<void(const FigurePart&)>& more = {});

// Keys "p" and at most one of "matrix", "quaternion" (w, x, y, z) and "turns"; the caller checks the keys with
// value.object({…}).
Frame read_frame(const JsonValue& value);
// The same members, into an open object; identity values are omitted.
void write_frame_members(JsonWriter& out, const Frame& frame);

// The unit of a parameter in a file.
Unit unit_of(const Figure& figure, const Parameter& parameter);

// The units of freedoms and parameters of a description, before the figure is built.
class DescriptionUnits {
 public:
  explicit DescriptionUnits(const FigureDescription& description);

  Unit of_freedom(const std::string& joint, const std::string& freedom) const;
  Unit of_group_parameter(const GroupDescription& group, const std::string& parameter) const;
  Unit of_parameter(const std::string& name) const;

 private:
  std::vector<std::pair<std::string, Unit>> freedoms_;    // by "joint.freedom", sorted
  std::vector<std::pair<std::string, Unit>> parameters_;  // by "group.parameter" or "joint.freedom", sorted
};

// Conversion of a limit row's bound and coefficients between file and internal units.
struct RowScale {
  bool by_degree = false;  // all parameters are angles: then only the bound is converted
  double bound_inside(double bound) const { return by_degree ? radians(bound) : bound; }
  double bound_written(double bound) const { return by_degree ? written_degrees(bound) : bound; }
  // In a mixed row, an angle's coefficient is per degree in the file and per radian internally.
  double inside(double c, Unit unit) const { return !by_degree && unit == Unit::degrees ? degrees(c) : c; }
  double written(double c, Unit unit) const {
    return !by_degree && unit == Unit::degrees ? written_as(c, radians(c), [](double y) { return degrees(y); }) : c;
  }
};
RowScale row_scale(const LimitDescription& row, const DescriptionUnits& units);

}  // namespace limber
