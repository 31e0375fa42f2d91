#include "limber/figure/figure.h"

namespace limber {

namespace {

bool is_direction(const Element& element) { return element.kind == Element::Kind::direction; }

}  // namespace

Expected<Handle> difference(const Expected<Handle>& a, const Expected<Handle>& b) {
  if (!a) return a;
  if (!b) return b;
  const std::string where = "difference of '" + a->name + "' and '" + b->name + "'";
  if (a->minus_count > 0 || b->minus_count > 0)
    return reject(where, "a handle that is itself a difference", "two plain handles");
  if (b->count() > a->count())
    return reject(where, std::string("a ") + name_of(a->shape) + " minus a " + name_of(b->shape),
                  "a second handle with no more elements than the first");
  Handle result = *a;
  result.name = a->name + " - " + b->name;
  result.minus_count = b->count();
  for (int k = 0; k < b->count(); ++k) {
    result.minus[k] = b->plus[k];
    if (is_direction(result.plus[k]) != is_direction(result.minus[k]))
      return reject(where, std::string("a ") + name_of(a->shape) + " minus a " + name_of(b->shape),
                    "points against points and directions against directions");
  }
  return result;
}

Expected<Handle> together(const std::vector<Expected<Handle>>& points) {
  if (points.size() < 2 || points.size() > max_elements)
    return reject("handle", std::to_string(points.size()) + " places", "two or three points");
  Handle result;
  result.shape = points.size() == 2 ? Shape::two_points : Shape::three_points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!points[k]) return points[k];
    if (points[k]->shape != Shape::point || points[k]->minus_count > 0)
      return reject("handle '" + points[k]->name + "'",
                    points[k]->minus_count > 0 ? "a difference" : std::string("a ") + name_of(points[k]->shape),
                    "a point");
    result.name += (k == 0 ? "" : ", ") + points[k]->name;
    result.plus[k] = points[k]->plus[0];
  }
  return result;
}

Expected<Handle> part(const Handle& handle, Shape shape) {
  if (handle.shape == shape) return handle;
  // Index of the part's first element in the handle; the part is a contiguous range.
  int first = -1;
  if (shape == Shape::point && (handle.shape == Shape::ray || handle.shape == Shape::frame)) first = 0;
  if (shape == Shape::ray && handle.shape == Shape::frame) first = 0;
  if (shape == Shape::directions && handle.shape == Shape::frame) first = 1;
  if (shape == Shape::direction) {
    if (handle.shape == Shape::ray || handle.shape == Shape::frame) first = 1;
    if (handle.shape == Shape::directions) first = 0;
  }
  if (first < 0)
    return reject("handle '" + handle.name + "'", std::string("a ") + name_of(handle.shape),
                  std::string("a handle that has a ") + name_of(shape));
  Handle result;
  result.name = handle.name;
  result.shape = shape;
  for (int k = 0; k < result.count(); ++k) {
    result.plus[k] = handle.plus[first + k];
    if (first + k < handle.minus_count) {
      result.minus[k] = handle.minus[first + k];
      result.minus_count = k + 1;
    }
  }
  return result;
}

}  // namespace limber
