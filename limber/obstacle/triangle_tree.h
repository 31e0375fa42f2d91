// A bounding volume hierarchy: the nearest of thousands of triangles in a microsecond.
//
// Each node halves its triangles at the median of their centres along the longest side of its box, so the tree is no
// deeper than log₂ n and is traversed with a stack of fixed size. A node that cannot be nearer than the best found is
// skipped; its lower bound is the larger of two cheap ones, box against the line's box and ball against the line.
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
  // By index in the list that the tree was made from.
  const Triangle& triangle(int k) const { return triangles_[static_cast<std::size_t>(k)]; }

  struct Found {
    int triangle = -1;
    SegmentNearTriangle near;
  };
  // The nearest triangle; none if all are farther than √square. min_square is a known lower bound: the first triangle
  // that attains it is returned.
  Found nearest(const LineSegment& line, double square = infinity, double min_square = 0.0) const;

  struct FoundPoint {
    int triangle = -1;
    PointNearTriangle near;
  };
  FoundPoint nearest(const Vec3& x) const;
  // The same, given a triangle that is probably near.
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
  void walk(const Bound& bound, const double& best, double min_square, const Visit& visit) const;

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
