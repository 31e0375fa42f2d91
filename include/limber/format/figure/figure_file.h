// Figures as JSON: a built-in one by its options, or a description in full. doc/scene.md has every field.
//
// Lengths in metres, angles in degrees, mass in kilograms. A parameter is in metres if all freedoms that it drives
// translate, else in degrees; a limit row over both kinds has coefficients per degree and per metre.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"

namespace limber {

// The full description: Figure::description().
struct InlineFigure {
  bool operator==(const InlineFigure&) const = default;
};

// In a separate file of any format with a figure.
struct FileFigure {
  std::string file;
  bool assumed_limits = false;  // joints without limits of their own get those of people (roles/assumed.h)
  bool operator==(const FileFigure&) const = default;
};

// Several figures as one (figure/join.h), each with an origin of its own.
struct SourcedPart;
struct JoinedFigures {
  std::vector<SourcedPart> parts;
};

// The origin of a figure, so that it is written back the same way.
using FigureSource = std::variant<InlineFigure, HumanOptions, SimpleHumanOptions, FileFigure, JoinedFigures>;

// One of several figures. An inline one is written as it is hung.
struct SourcedPart {
  std::string name;
  FigureSource source;
  std::string root = {};  // the place that it is hung from (kinematics/forward.h); empty: its own root
  Frame X_world_figure = {};
};

// Returns the figure of a file; the caller opens it.
using FigureLoader = std::function<Expected<Figure>(const std::string& file)>;

struct SourcedFigure {
  Figure figure;
  FigureSource source;
};

inline constexpr std::size_t max_joined_figures = 64;

// A file with only a figure: {"limber": "figure 1", "figure": …}. `file_name` is for messages.
Expected<SourcedFigure> read_figure(std::string_view text, const std::string& file_name, const FigureLoader& load = {});
std::string write_figure(const Figure& figure, const FigureSource& source = InlineFigure{});

}  // namespace limber
