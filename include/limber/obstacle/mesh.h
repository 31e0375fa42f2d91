// A line segment and a triangle mesh.
//
// Outside, the distance is that to the nearest triangle. The inside depends on the mesh:
//
// A closed mesh, in which each edge of each triangle is shared with exactly one other that traverses it in the opposite
// direction, is a solid. A point has a signed distance φ, negative inside; the sign is that of the pseudonormal at the
// nearest point (Baerentzen and Aanaes 2005), or, if that is inconclusive, of the winding number. A line that is partly
// inside has the φ of its deepest point,
//
//   distance = min over t of φ(a + t (b - a)),
//
// which is continuous in a and b, meets the outside distance at 0, and is no larger than the separating translation. At
// its deepest point a line is usually equally far from two triangles, whose outward normals n₀, n₁ have a mean
// λ n₀ + (1 - λ) n₁ = slope n perpendicular to the line; that is the derivative. Where a line passes straight through a
// thin plate the slope is 0: no small translation reduces the depth.
//
// Any other mesh is a sheet, without an inside. A line that pierces it is moved back, or past the boundary, whichever
// is nearest:
//
//   distance = -min(distance of a, distance of b, distance of the line from the boundary).
//
// This is continuous except where a line begins to cut through a fold from the side.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/obstacle/gap.h"

namespace limber {

struct Triangle;

// A cheap handle to shared immutable data. Only build() makes one, so it is always valid.
class TriangleMesh {
 public:
  // Three vertex indices per triangle, from 0. Coincident vertices are merged, and degenerate triangles dropped. A
  // closed mesh that is inside out is reversed. Rejected: no triangle, a number that is not finite, an invalid vertex
  // index, all vertices coincident.
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
