// A line and a convex polyhedron.
//
// The polyhedron minus the line is a polyhedron too, whose faces are those of the first and one for each pair of the
// line u with an edge e whose two faces look to different sides of u:
//
//   n = ± u × e / ‖u × e‖,   (n₁ · u)(n₂ · u) < 0.
//
// The largest distance along one of these n is positive exactly where the two are apart; else it is minus the shortest
// shift that parts them. Where they are apart the nearest of the triangles says how far.
//
// Cost: a few nanoseconds a face and an edge, and a walk down a tree where they are apart.
#pragma once

#include <memory>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/obstacle/gap.h"

namespace limber {

struct Hull;

// A cheap handle to shared constant data. Made by build() only, so that it is always whole.
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
