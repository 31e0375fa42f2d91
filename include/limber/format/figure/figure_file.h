// Figures as JSON: a built-in one by its options, or a description in full. doc/scene.md has every field.
//
// Lengths in metres, angles in degrees, mass in kilograms. A parameter is written in metres where all that it
// drives shifts, else in degrees; a row of limits over both kinds has its coefficients by degree and by
// metre.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"

namespace limber {

// Written out in full: Figure::description().
struct InlineFigure {
  bool operator==(const InlineFigure&) const = default;
};

// In a file of its own, of any format that holds a figure.
struct FileFigure {
  std::string file;
  bool operator==(const FileFigure&) const = default;
};

// How a figure was given, so that it is written back the same way.
using FigureSource = std::variant<InlineFigure, HumanOptions, SimpleHumanOptions, FileFigure>;

// Gives the figure of a file; the caller opens it.
using FigureLoader = std::function<Expected<Figure>(const std::string& file)>;

struct SourcedFigure {
  Figure figure;
  FigureSource source;
};

// A file that holds a figure alone: {"limber": "figure 1", "figure": …}. `file_name` is for messages.
Expected<SourcedFigure> read_figure(std::string_view text, const std::string& file_name, const FigureLoader& load = {});
std::string write_figure(const Figure& figure, const FigureSource& source = InlineFigure{});

}  // namespace limber
