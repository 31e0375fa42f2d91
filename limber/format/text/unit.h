// Conversion between file units and internal units: degrees and radians, millimetres and metres.
//
// A number read from a file must be written as the same text and read back as the same bits. x = scale(y) rounds, so
// the writer searches for the shortest y that gives x. If no y gives x exactly, the nearest one differs in the last
// bit.
#pragma once

#include <charconv>
#include <cmath>

#include "limber/base/vector.h"

namespace limber {

// The y with the fewest digits such that to_inside(y) == x; `near` is y up to rounding.
template <class ToInside>
double written_as(double x, double near, ToInside to_inside) {
  for (const int digits : {15, 16, 17}) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, near, std::chars_format::general, digits).ptr;
    double y = near;
    std::from_chars(buffer, end, y);
    if (to_inside(y) == x) return y;
  }
  for (const double neighbour : {std::nextafter(near, infinity), std::nextafter(near, -infinity)})
    if (to_inside(neighbour) == x) return neighbour;
  return near;
}

inline double written_degrees(double angle) {
  return written_as(angle, degrees(angle), [](double y) { return radians(y); });
}

inline double metres_of_mm(double mm) { return mm / 1000.0; }
inline double written_mm(double metres) { return written_as(metres, metres * 1000.0, metres_of_mm); }

// A parameter of a figure, or the value of a freedom, is an angle or a length.
enum class Unit { degrees, metres };

inline double inside(double value, Unit unit) { return unit == Unit::metres ? value : radians(value); }
inline double written(double value, Unit unit) { return unit == Unit::metres ? value : written_degrees(value); }

}  // namespace limber
