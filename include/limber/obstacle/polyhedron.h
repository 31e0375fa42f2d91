// A line segment and a convex polyhedron.
//
// The Minkowski difference of the polyhedron and the line is a polyhedron too. Its faces are those of the polyhedron
// and one for each edge e whose two faces n₁, n₂ face opposite sides of the line's direction u:
//
//   n = ± u × e / ‖u × e‖,   (n₁ · u)(n₂ · u) < 0.
//
// The maximum distance along these n is positive exactly if the two are disjoint; else it is minus the shortest
// separating translation. If they are disjoint, the distance is that to the nearest triangle.
//
// Cost: a few nanoseconds per face and edge, and a tree traversal if disjoint.
#pragma once

#include <memory>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/obstacle/gap.h"

namespace limber {

struct Hull;

// A cheap handle to shared immutable data. Only build() makes one, so it is always valid.
class Polyhedron {
 public:
  // The hull of the vertices. Rejected: what convex_hull rejects.
  static Expected<Polyhedron> build(const std::vector<Vec3>& vertices);

  const Hull& hull() const;
  const BoundingBox& box() const;

  // In its own frame.
  Gap gap(const LineSegment& line) const;

 private:
  struct Data;
  explicit Polyhedron(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace limber
