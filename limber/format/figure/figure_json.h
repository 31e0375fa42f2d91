// Figures as JSON values: what figure files and scenes share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "limber/format/figure/figure_file.h"
#include "limber/format/text/json.h"
#include "limber/format/text/unit.h"

namespace limber {

// Notes what is wrong and gives a figure of one segment then, so that reading can go on.
SourcedFigure read_figure_value(const JsonValue& value, const FigureLoader& load = {});
void write_figure_value(JsonWriter& out, const Figure& figure, const FigureSource& source);

// Keys "p" and at most one of "matrix", "quaternion" (w, x, y, z) and "turns", which the caller allows with
// value.object({…}).
Frame read_frame(const JsonValue& value);
// The same members, into an object that is open; what is nothing is left out.
void write_frame_members(JsonWriter& out, const Frame& frame);

// The unit of a parameter in a file.
Unit unit_of(const Figure& figure, const Parameter& parameter);

// The units of what a description names, before the figure is built.
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

// A limit row's bound and coefficients, between file and inside.
struct RowScale {
  bool by_degree = false;  // all parameters are angles: then only the bound is converted
  double bound_inside(double bound) const { return by_degree ? radians(bound) : bound; }
  double bound_written(double bound) const { return by_degree ? written_degrees(bound) : bound; }
  // Over angles and lengths together, an angle's coefficient is by degree in the file and by radian inside.
  double inside(double c, Unit unit) const { return !by_degree && unit == Unit::degrees ? degrees(c) : c; }
  double written(double c, Unit unit) const {
    return !by_degree && unit == Unit::degrees ? written_as(c, radians(c), [](double y) { return degrees(y); }) : c;
  }
};
RowScale row_scale(const LimitDescription& row, const DescriptionUnits& units);

}  // namespace limber
