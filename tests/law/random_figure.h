// Random figures for the laws: branching trees of any scale, with all that a description can hold.
// The same seed gives the same figure in the same program; another compiler may draw in another order.
#pragma once

#include "limber/base/random.h"
#include "limber/figure/figure.h"

namespace limber::law {

struct FigureKind {
  int freedoms = 10;
  bool limited = true;  // most ranges are finite
  bool groups = true;
  bool rows = true;      // linear limits between parameters
  double decades = 3.0;  // bones from 10^-decades to 10^decades metres
};

// Bones from a millimetre to a kilometre or of more decades, one scale a figure. Some bones have no length, some ranges
// are a single value, some are infinite. Every segment has a joint but perhaps the first.
FigureDescription random_figure(Random& random, const FigureKind& kind);

// A pose within the box limits, uniform where a range is finite, and within the rows.
Pose random_pose(Random& random, const Figure& figure);

// What one parameter moves by where its range says nothing: an angle, or the figure's length.
double span_of(const Figure& figure, int parameter);

}  // namespace limber::law
