#include <algorithm>
#include <map>
#include <utility>

#include "limber/obstacle/hull.h"
#include "limber/obstacle/line_segment.h"
#include "limber/obstacle/obstacle.h"
#include "limber/obstacle/triangle_tree.h"

namespace limber {

namespace {

// Neighbouring triangles with normals closer than this form one face. Its plane has the corners of all triangles around
// it behind it, so nothing is cut off.
constexpr double normal_tolerance = 1e-9;
// Relative to the line's length: its minimum extent perpendicular to an edge; below, the two are parallel.
constexpr double min_across_share = 1e-9;

}  // namespace

struct Polyhedron::Data {
  struct Face {
    Vec3 normal;
    double offset;
  };
  struct Edge {
    Vec3 from;
    Vec3 along;        // unit
    Vec3 left, right;  // the normals of its two faces
  };

  Hull hull;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  TriangleTree tree;
  double size = 0.0;

  Gap separation(const LineSegment& line) const;
  double over_face(const Face& face, const LineSegment& line, double distance) const;
  using Sides = std::map<std::pair<int, int>, std::size_t>;  // the triangle with that side
  Sides sides() const;
  void add_faces(const Sides& triangle_of, const std::vector<Vec3>& normals);
  void add_edges(const Sides& triangle_of, const std::vector<Vec3>& normals);
};

Polyhedron::Data::Sides Polyhedron::Data::sides() const {
  Sides triangle_of;
  for (std::size_t f = 0; f < hull.triangles.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) triangle_of[{hull.triangles[f][k], hull.triangles[f][(k + 1) % 3]}] = f;
  return triangle_of;
}

void Polyhedron::Data::add_faces(const Sides& triangle_of, const std::vector<Vec3>& normals) {
  std::vector<char> done(normals.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t first = 0; first < normals.size(); ++first) {
    const Vec3& n = normals[first];
    if (done[first] || !(n.squaredNorm() > 0.0)) continue;
    double offset = -infinity;
    done[first] = 1;
    open = {first};
    while (!open.empty()) {
      const std::array<int, 3> corners = hull.triangles[open.back()];
      open.pop_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t other = triangle_of.at({corners[(k + 1) % 3], corners[k]});
        for (const int corner : hull.triangles[other])
          offset = std::fmax(offset, n.dot(hull.corners[static_cast<std::size_t>(corner)]));
        if (done[other] || !((normals[other] - n).norm() < normal_tolerance)) continue;
        done[other] = 1;
        open.push_back(other);
      }
    }
    faces.push_back({n, offset});
  }
}

void Polyhedron::Data::add_edges(const Sides& triangle_of, const std::vector<Vec3>& normals) {
  for (const auto& [side, f] : triangle_of) {
    const auto [from, to] = side;
    if (from > to) continue;
    const Vec3& left = normals[f];
    const Vec3& right = normals[triangle_of.at({to, from})];
    if ((left - right).norm() < normal_tolerance) continue;
    const Vec3 p = hull.corners[static_cast<std::size_t>(from)], q = hull.corners[static_cast<std::size_t>(to)];
    edges.push_back({p, (q - p).normalized(), left, right});
  }
}

// The maximum distance along a separating direction.
Gap Polyhedron::Data::separation(const LineSegment& line) const {
  const Vec3 u = line.b - line.a;
  const double tie = tie_share * (size + u.cwiseAbs().sum());
  const Face* parallel_face = nullptr;
  Gap out;
  out.distance = -infinity;
  for (const Face& face : faces) {
    const double at_a = face.normal.dot(line.a), at_b = face.normal.dot(line.b);
    const double distance = std::fmin(at_a, at_b) - face.offset;
    if (distance <= out.distance) continue;
    out.distance = distance;
    out.t = at_a < at_b ? 0.0 : 1.0;
    out.normal = face.normal;
    parallel_face = std::fabs(at_a - at_b) <= tie ? &face : nullptr;
  }
  const double min_across = min_across_share * u.norm();
  for (const Edge& edge : edges) {
    if (!(edge.left.dot(u) * edge.right.dot(u) < 0.0)) continue;
    const Vec3 cross = u.cross(edge.along);
    const double length = cross.norm();
    if (!(length > min_across)) continue;
    const Vec3 n = std::copysign(1.0 / length, cross.dot(edge.left + edge.right)) * cross;
    const double distance = n.dot(line.a - edge.from);
    if (distance <= out.distance + tie) continue;
    // Seen along n the line and the edge cross; n is perpendicular to both and drops out.
    const Vec3 to_edge = edge.from - line.a;
    const Vec3 u_across = u - u.dot(edge.along) * edge.along;
    out.distance = distance;
    out.t = std::clamp(u_across.dot(to_edge) / u_across.squaredNorm(), 0.0, 1.0);
    out.normal = n;
    parallel_face = nullptr;
  }
  if (parallel_face) out.t = over_face(*parallel_face, line, out.distance);
  return out;
}

// The middle of the part of the line over the face, after projection onto it.
double Polyhedron::Data::over_face(const Face& face, const LineSegment& line, double distance) const {
  const Vec3 a = line.a - distance * face.normal, u = line.b - line.a;
  double first = 0.0, last = 1.0;
  for (const Face& other : faces) {
    const double rate = other.normal.dot(u);
    if (&other == &face || std::fabs(rate) <= normal_tolerance * u.norm()) continue;
    const double t = (other.offset - other.normal.dot(a)) / rate;
    if (rate > 0.0) {
      last = std::fmin(last, t);
    } else {
      first = std::fmax(first, t);
    }
  }
  return std::clamp(0.5 * (first + last), 0.0, 1.0);
}

Expected<Polyhedron> Polyhedron::build(const std::vector<Vec3>& vertices) {
  Expected<Hull> hull = convex_hull(vertices);
  if (!hull) return std::unexpected(hull.error());
  auto data = std::make_shared<Data>();
  data->hull = std::move(*hull);
  std::vector<Triangle> triangles;
  std::vector<Vec3> normals;
  for (const auto& [i, j, k] : data->hull.triangles) {
    const auto corner = [&](int n) { return data->hull.corners[static_cast<std::size_t>(n)]; };
    triangles.push_back({{corner(i), corner(j), corner(k)}});
    normals.push_back(triangles.back().area_vector().normalized());
  }
  const Data::Sides triangle_of = data->sides();
  data->add_faces(triangle_of, normals);
  data->add_edges(triangle_of, normals);
  data->tree = TriangleTree(std::move(triangles));
  data->size = (data->tree.box().high - data->tree.box().low).sum();
  return Polyhedron(std::move(data));
}

const Hull& Polyhedron::hull() const { return data_->hull; }
const BoundingBox& Polyhedron::box() const { return data_->tree.box(); }

Gap Polyhedron::gap(const LineSegment& line) const {
  const Vec3 u = line.b - line.a;
  Gap out = data_->separation(line);
  if (out.distance > 0.0) {
    const double size = data_->size + u.cwiseAbs().sum(), bound = out.distance + tie_share * size;
    const SegmentNearTriangle near = data_->tree.nearest(line, infinity, bound * bound).near;
    const double distance = std::sqrt(near.square);
    // Parallel to a face, the separation already has the middle.
    if (distance > resolved_share * size && distance > bound) {
      out.distance = distance;
      out.t = near.t;
      out.normal = (line.a + near.t * u - near.at) / distance;
    }
  }
  out.on_line = line.a + out.t * u;
  out.on_shape = out.on_line - out.distance * out.normal;
  return out;
}

}  // namespace limber
