// Distances computed independently of the library: brute force over all planes through three points, cyclic
// projections, and sampling with golden sections.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "limber/base/random.h"
#include "limber/obstacle/obstacle.h"

namespace limber::testing {

using Corners = std::vector<Vec3>;

struct OraclePlane {
  Vec3 normal;
  double offset;
};

// All supporting planes of a set of points through three of them, outward.
inline std::vector<OraclePlane> supporting_planes(const Corners& points) {
  const double beside = 1e-11;  // metres; nearer points lie in the plane
  std::vector<OraclePlane> planes;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        Vec3 n = (points[j] - points[i]).cross(points[k] - points[i]);
        if (n.norm() < 1e-9) continue;
        n.normalize();
        double low = 0.0, high = 0.0;
        for (const Vec3& x : points) {
          low = std::fmin(low, n.dot(x - points[i]));
          high = std::fmax(high, n.dot(x - points[i]));
          if (low <= -beside && high >= beside) break;
        }
        if (high < beside) planes.push_back({n, n.dot(points[i])});
        if (low > -beside) planes.push_back({-n, -n.dot(points[i])});
      }
  return planes;
}

// The corners of a convex shape minus those of the line: the shape and the line touch if the hull contains the
// origin.
inline Corners differences(const Corners& corners, const LineSegment& line) {
  Corners out;
  for (const Vec3& corner : corners) {
    out.push_back(corner - line.a);
    out.push_back(corner - line.b);
  }
  return out;
}

// From the origin to where all planes are satisfied, by Hildreth's projections: y = -Σ λ_i n_i, λ >= 0.
inline double distance_to_planes(const std::vector<OraclePlane>& planes) {
  Vec3 y = Vec3::Zero();
  std::vector<double> lambda(planes.size(), 0.0);
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const double step = std::fmax(-lambda[i], planes[i].normal.dot(y) - planes[i].offset);
      lambda[i] += step;
      y -= step * planes[i].normal;
      moved = std::fmax(moved, std::fabs(step));
    }
    if (moved < 1e-13) break;
  }
  return y.norm();
}

// The signed distance of a line to the hull of corners: if negative, the minimum offset of a supporting plane.
inline double convex_oracle(const Corners& corners, const LineSegment& line) {
  const std::vector<OraclePlane> planes = supporting_planes(differences(corners, line));
  double depth = infinity;
  for (const OraclePlane& plane : planes) depth = std::fmin(depth, plane.offset);
  return depth >= 0.0 ? -depth : distance_to_planes(planes);
}

// The minimum of a unimodal function on [low, high].
template <class Function>
double golden_minimum(const Function& f, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int k = 0; k < 50; ++k) {
    const double p = high - ratio * (high - low), q = low + ratio * (high - low);
    if (f(p) < f(q)) {
      high = q;
    } else {
      low = p;
    }
  }
  return f(0.5 * (low + high));
}

// The minimum of any function on [0, 1]: dense sampling, then a golden section around the best.
template <class Function>
double sampled_minimum(const Function& f, int samples) {
  int best = 0;
  double min = f(0.0);
  for (int k = 1; k <= samples; ++k)
    if (const double value = f(static_cast<double>(k) / samples); value < min) {
      min = value;
      best = k;
    }
  const double low = std::fmax(0.0, static_cast<double>(best - 1) / samples);
  const double high = std::fmin(1.0, static_cast<double>(best + 1) / samples);
  return std::fmin(min, golden_minimum(f, low, high));
}

inline double point_to_line_segment(const Vec3& x, const LineSegment& line) {
  return golden_minimum([&](double t) { return (x - line.at(t)).norm(); }, 0.0, 1.0);
}

// By the projection in the triangle's own coordinates, and along its sides.
inline double point_to_triangle(const Vec3& x, const std::array<Vec3, 3>& p) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0], w = x - p[0];
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w), square = uu * vv - uv * uv;
  const double c = (vv * uw - uv * vw) / square, d = (uu * vw - uv * uw) / square;
  if (c >= 0.0 && d >= 0.0 && c + d <= 1.0) return (w - c * u - d * v).norm();
  double min = infinity;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = p[(k + 1) % 3] - p[k];
    const double s = std::fmin(1.0, std::fmax(0.0, side.dot(x - p[k]) / side.squaredNorm()));
    min = std::fmin(min, (x - p[k] - s * side).norm());
  }
  return min;
}

// Points of a box, and its surface as triangles, outward.
inline Corners box_corners(const Vec3& half) {
  Corners out;
  for (int k = 0; k < 8; ++k)
    out.push_back({k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]});
  return out;
}

inline std::vector<std::array<int, 3>> box_triangles() {
  return {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
          {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
}

inline Vec3 random_point(Random& random, double reach) {
  const double x = random.between(-reach, reach), y = random.between(-reach, reach), z = random.between(-reach, reach);
  return {x, y, z};
}

// Sometimes of length 0, or along an axis.
inline LineSegment random_line_segment(Random& random, double reach) {
  const Vec3 a = random_point(random, reach);
  if (random.chance(0.05)) return {a, a};
  if (random.chance(0.1)) return {a, a + random.between(-reach, reach) * Vec3::Unit(random.integer(0, 2))};
  return {a, random_point(random, reach)};
}

}  // namespace limber::testing
