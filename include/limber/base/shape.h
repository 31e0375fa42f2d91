// The shape of a handle and of the goal it serves: points and directions in R³ × S² × S².        ZB94 (2)
#pragma once

namespace limber {

// In this order: a point, the direction x, the direction y; or two or three points.
enum class Shape { point, direction, directions, ray, frame, two_points, three_points };

constexpr int element_count(Shape shape) {
  switch (shape) {
    case Shape::point:
    case Shape::direction:
      return 1;
    case Shape::directions:
    case Shape::ray:
    case Shape::two_points:
      return 2;
    case Shape::frame:
    case Shape::three_points:
      return 3;
  }
  return 0;
}

constexpr bool starts_with_point(Shape shape) { return shape != Shape::direction && shape != Shape::directions; }

// Whether element k is a point; the others are directions.
constexpr bool is_point(Shape shape, int k) {
  return shape == Shape::two_points || shape == Shape::three_points || (k == 0 && starts_with_point(shape));
}

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
    case Shape::two_points:
      return "pair of points";
    case Shape::three_points:
      return "triple of points";
  }
  return "?";
}

inline constexpr int max_elements = 3;

}  // namespace limber
