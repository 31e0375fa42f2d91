// The shape of a handle and of the goal it serves: points and directions in R³ × S² × S².        ZB94 (2)
#pragma once

namespace limber {

// In this order: a point, the direction x, the direction y.
enum class Shape { point, direction, directions, ray, frame };

constexpr int element_count(Shape shape) {
  switch (shape) {
    case Shape::point:
    case Shape::direction:
      return 1;
    case Shape::directions:
    case Shape::ray:
      return 2;
    case Shape::frame:
      return 3;
  }
  return 0;
}

// Whether the first element is a point; all later ones are directions.
constexpr bool starts_with_point(Shape shape) { return shape != Shape::direction && shape != Shape::directions; }

constexpr const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::point:
      return "point";
    case Shape::direction:
      return "direction";
    case Shape::directions:
      return "pair of directions";
    case Shape::ray:
      return "ray";
    case Shape::frame:
      return "frame";
  }
  return "?";
}

inline constexpr int max_elements = 3;

}  // namespace limber
