#include "limber/obstacle/triangle_tree.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace limber {

namespace {

constexpr int leaf_triangles = 3;
constexpr std::size_t max_depth = 64;  // more than enough for 2^31 triangles

}  // namespace

TriangleTree::TriangleTree(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (const Triangle& triangle : triangles_)
    for (const Vec3& x : triangle.p) box_.take(x);
  for (const Triangle& triangle : triangles_) {
    const Vec3 centre = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    double square = 0.0;
    for (const Vec3& x : triangle.p) square = std::fmax(square, (x - centre).squaredNorm());
    balls_.push_back({centre, std::sqrt(square)});
  }
  if (!triangles_.empty()) build(0, count());
}

int TriangleTree::build(int begin, int end) {
  BoundingBox box, centres;
  for (int k = begin; k < end; ++k) {
    const Triangle& added = triangle(order_[static_cast<std::size_t>(k)]);
    for (const Vec3& x : added.p) box.take(x);
    centres.take((added[0] + added[1] + added[2]) / 3.0);
  }
  const int index = static_cast<int>(nodes_.size());
  Node node;
  node.centre = 0.5 * (box.low + box.high);
  node.half = 0.5 * (box.high - box.low);
  node.radius = node.half.norm();
  if (end - begin <= leaf_triangles) {
    node.begin = begin;
    node.end = end;
  }
  nodes_.push_back(node);
  if (end - begin <= leaf_triangles) return index;
  int axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int i, int j) {
    const auto centre = [&](int k) { return triangle(k)[0][axis] + triangle(k)[1][axis] + triangle(k)[2][axis]; };
    return centre(i) < centre(j);
  });
  build(begin, middle);
  const int right = build(middle, end);
  nodes_[static_cast<std::size_t>(index)].right = right;
  return index;
}

// Nearer children first. `bound` is a lower bound of the squared distance of a node; `visit` examines a triangle and
// updates `best`.
template <class Bound, class Visit>
void TriangleTree::walk(const Bound& bound, const double& best, double min_square, const Visit& visit) const {
  struct Open {
    double square;
    int node;
  };
  std::array<Open, max_depth> stack;
  std::size_t open = 0;
  if (!nodes_.empty()) stack[open++] = {bound(nodes_.front()), 0};
  while (open > 0 && best > min_square) {
    const Open top = stack[--open];
    if (top.square >= best) continue;
    const Node& node = nodes_[static_cast<std::size_t>(top.node)];
    if (node.end > node.begin) {
      for (int k = node.begin; k < node.end; ++k) visit(order_[static_cast<std::size_t>(k)]);
      continue;
    }
    Open near{bound(nodes_[static_cast<std::size_t>(top.node) + 1]), top.node + 1};
    Open far{bound(nodes_[static_cast<std::size_t>(node.right)]), node.right};
    if (far.square < near.square) std::swap(near, far);
    stack[open++] = far;
    stack[open++] = near;
  }
}

TriangleTree::Found TriangleTree::nearest(const LineSegment& line, double square, double min_square) const {
  const Vec3 u = line.b - line.a, middle = 0.5 * (line.a + line.b), reach = 0.5 * u.cwiseAbs();
  const double inverse = u.squaredNorm() > 0.0 ? 1.0 / u.squaredNorm() : 0.0;
  const auto from_ball = [&](const Vec3& centre, double radius) {
    const Vec3 w = centre - line.a;
    const double t = std::fmin(1.0, std::fmax(0.0, u.dot(w) * inverse));
    const double distance = (t * u - w).norm() - radius;
    return distance > 0.0 ? distance * distance : 0.0;
  };
  const auto bound = [&](const Node& node) {
    const double boxes = ((node.centre - middle).cwiseAbs() - node.half - reach).cwiseMax(0.0).squaredNorm();
    return std::fmax(boxes, from_ball(node.centre, node.radius));
  };
  Found found;
  double best = square;
  walk(bound, best, min_square, [&](int k) {
    const Ball& ball = balls_[static_cast<std::size_t>(k)];
    if (from_ball(ball.centre, ball.radius) >= best) return;
    const SegmentNearTriangle near = nearest_to_line_segment(line.a, u, triangle(k), best);
    if (near.square >= best) return;
    best = near.square;
    found = {k, near};
  });
  return found;
}

TriangleTree::FoundPoint TriangleTree::nearest(const Vec3& x) const { return nearest(x, order_[0]); }

TriangleTree::FoundPoint TriangleTree::nearest(const Vec3& x, int likely) const {
  const auto bound = [&](const Node& node) {
    return ((node.centre - x).cwiseAbs() - node.half).cwiseMax(0.0).squaredNorm();
  };
  FoundPoint found{likely, nearest_to_point(x, triangle(likely))};
  double best = found.near.square;
  walk(bound, best, 0.0, [&](int k) {
    const Ball& ball = balls_[static_cast<std::size_t>(k)];
    const double distance = (x - ball.centre).norm() - ball.radius;
    if (distance > 0.0 && distance * distance >= best) return;
    const PointNearTriangle near = nearest_to_point(x, triangle(k));
    if (near.square >= best) return;
    best = near.square;
    found = {k, near};
  });
  return found;
}

}  // namespace limber
