// A handle is a geometric quantity of a figure, the input of a goal.       ZB94 section 4 (1), (2)
//
// It is a list of one to three elements of R³: a point of a segment, a direction fixed to a segment, or the centre of
// mass; or the difference of two such elements. A frame is a point and two directions, which is the paper's e(θ) in R³
// × S² × S². A handle names places on the figure; kinematics/ computes it.
#pragma once

#include <array>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/base/shape.h"
#include "limber/base/vector.h"

namespace limber {

struct Element {
  enum class Kind { point, direction, mass_centre };
  Kind kind = Kind::point;
  int segment = 0;            // unused for the centre of mass
  Vec3 local = Vec3::Zero();  // in the segment; a unit vector for a direction
};

struct Handle {
  std::string name;
  Shape shape = Shape::point;
  std::array<Element, max_elements> plus = {};
  std::array<Element, max_elements> minus = {};  // subtracted from the first minus_count elements
  int minus_count = 0;

  int count() const { return element_count(shape); }
};

// a - b, element by element: zero where the two coincide. `b` may have fewer elements than `a`: then only the leading
// ones are subtracted, so difference(ray, point) is a ray seen from a moving point. Rejected if the kinds of the
// elements differ, or a or b is itself a difference.
Expected<Handle> difference(const Expected<Handle>& a, const Expected<Handle>& b);

// The part of a handle with the given shape: a frame contains a point, a ray, and one or two directions; a ray contains
// a point and a direction.
Expected<Handle> part(const Handle& handle, Shape shape);

}  // namespace limber
