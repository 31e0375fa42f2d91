// Triangles in a tree of boxes, to find the nearest one of thousands in a microsecond.
//
// Each node halves its triangles at the median of their centres along the longest side of its box, so that the tree is
// no deeper than log₂ n and is walked with a stack of fixed size. A box that cannot be nearer than the best found is
// passed over; how near a box can be is the larger of two bounds that cost a few multiplications, box against the
// line's box and ball against the line.
#pragma once

#include <vector>

#include "limber/obstacle/triangle.h"

namespace limber {

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(std::vector<Triangle> triangles);

  bool empty() const { return triangles_.empty(); }
  int count() const { return static_cast<int>(triangles_.size()); }
  const BoundingBox& box() const { return box_; }
  // By the place in the list that the tree was made from.
  const Triangle& triangle(int k) const { return triangles_[static_cast<std::size_t>(k)]; }

  struct Found {
    int triangle = -1;
    SegmentNearTriangle near;
  };
  // The nearest triangle; none if all are farther than √square. None can be nearer than √least: the first one as near
  // is taken.
  Found nearest(const LineSegment& line, double square = infinity, double least = 0.0) const;

  struct FoundPoint {
    int triangle = -1;
    PointNearTriangle near;
  };
  FoundPoint nearest(const Vec3& x) const;
  // The same, with a triangle that is likely to be near.
  FoundPoint nearest(const Vec3& x, int likely) const;

 private:
  struct Node {
    Vec3 centre, half;
    double radius = 0.0;
    int right = 0;  // the left child follows its parent
    int begin = 0;  // into order_; a leaf if end > begin
    int end = 0;
  };
  int build(int begin, int end);
  template <class Bound, class Visit>
  void walk(const Bound& bound, const double& best, double least, const Visit& visit) const;

  struct Ball {
    Vec3 centre;
    double radius;
  };

  std::vector<Triangle> triangles_;
  std::vector<Ball> balls_;  // around each
  std::vector<int> order_;
  std::vector<Node> nodes_;
  BoundingBox box_;
};

}  // namespace limber
