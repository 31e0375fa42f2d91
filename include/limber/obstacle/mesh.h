// A line and a mesh of triangles.
//
// Outside, the distance is that of the nearest triangle. What is inside depends on the mesh:
//
// A closed mesh, each side of each triangle being that of one other which runs through it the other way, is a solid. A
// point has a signed distance to it, φ, negative inside; the sign is that of the pseudonormal where the nearest point
// is (Baerentzen and Aanaes 2005), or, where that leaves it open, of the winding number. A line that is partly
// inside has the φ of its deepest point,
//
//   distance = min over t of φ(a + t (b - a)),
//
// which is continuous in a and b, meets the distance outside at 0, and is not more than the shift that would take the
// line out. At its deepest point a line is as a rule equally far from two triangles, whose normals n₀, n₁ (out,
// from the deepest point) have a mean λ n₀ + (1 - λ) n₁ = slope n across the line; that is the derivative. Where a
// line passes straight through a thin plate the slope is 0: no small shift makes it less deep.
//
// Any other mesh is a sheet, without an inside. A line that pierces it has one end on the wrong side, and is taken
// back, or past the rim, whichever is nearest:
//
//   distance = -min(distance of a, distance of b, distance of the line from the rim).
//
// This is continuous but where a line begins to cut through a fold from the side.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/obstacle/gap.h"

namespace limber {

struct Triangle;

// A cheap handle to shared constant data. Made by build() only, so that it is always whole.
class TriangleMesh {
 public:
  // Three vertices a triangle, from 0. Vertices at the same place are one, and triangles with two corners at one place
  // are left out. A closed mesh that is inside out is turned.
  // Rejected: no triangle, a number that is not finite, a vertex that does not exist, all vertices at one place.
  static Expected<TriangleMesh> build(const std::vector<Vec3>& vertices,
                                      const std::vector<std::array<int, 3>>& triangles);

  bool solid() const;
  int triangle_count() const;
  const Triangle& triangle(int k) const;
  const BoundingBox& box() const;

  // In its own frame.
  Gap gap(const LineSegment& line) const;

 private:
  struct Data;
  explicit TriangleMesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace limber
