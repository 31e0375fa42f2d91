// The limits on all parameters of a figure, as those of a program.
#pragma once

#include "limber/figure/figure.h"
#include "limber/program/limits.h"

namespace limber {

inline Limits limits_of(const Figure& figure) {
  Limits limits(static_cast<int>(figure.parameters().size()));
  for (int j = 0; j < limits.variables(); ++j) {
    limits.lower[j] = figure.parameters()[j].range.lower;
    limits.upper[j] = figure.parameters()[j].range.upper;
  }
  for (const LimitRow& row : figure.limit_rows())
    limits.add_row(row.parameters, row.coefficients, row.bound, row.relation == Relation::equal);
  return limits;
}

}  // namespace limber
