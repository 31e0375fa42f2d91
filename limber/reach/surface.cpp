#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "limber/reach/summary.h"

namespace limber {

namespace {

// Bounds on the distance of a centre from the boundary, in cells: at most about a diagonal; above 0, so that no
// triangle degenerates.
constexpr double min_depth = 0.02, max_depth = 1.8;
// If nothing is known.
constexpr double default_depth = 0.5;

// The corners of a cube by their bits x, y, z; each tetrahedron goes from 0 to 7 along the three axes in some order.
constexpr std::array<std::array<int, 4>, 6> tetrahedra = {
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

class Mesher {
 public:
  Mesher(const ReachMap& map, const PoseMeasure& measure) : map_(map), measure_(measure), grid_(grid_of(map)) {}

  ReachSurface mesh() {
    for (int z = 0; z + 1 < grid_.count[2]; ++z)
      for (int y = 0; y + 1 < grid_.count[1]; ++y)
        for (int x = 0; x + 1 < grid_.count[0]; ++x) cube({x, y, z});
    surface_.normals.assign(surface_.positions.size(), Vec3::Zero());
    for (const auto& [a, b, c] : surface_.triangles) {
      const Vec3 n = (at(b) - at(a)).cross(at(c) - at(a));
      for (const int v : {a, b, c}) surface_.normals[static_cast<std::size_t>(v)] += n;
    }
    for (Vec3& n : surface_.normals) n = n.norm() > 0.0 ? Vec3(n.normalized()) : Vec3(Vec3::UnitY());
    return std::move(surface_);
  }

 private:
  const Vec3& at(int vertex) const { return surface_.positions[static_cast<std::size_t>(vertex)]; }
  static CellIndex corner(const CellIndex& cube, int bits) {
    return {cube[0] + (bits & 1), cube[1] + (bits >> 1 & 1), cube[2] + (bits >> 2 & 1)};
  }
  int leaf(const CellIndex& c) const { return grid_.leaf[grid_.place(c[0], c[1], c[2])]; }
  bool is_reached(const CellIndex& c) const {
    return leaf(c) >= 0 && map_.cells[static_cast<std::size_t>(leaf(c))].state == Reach::reached;
  }
  Vec3 centre(const CellIndex& c) const { return grid_.centre(c[0], c[1], c[2]); }

  void cube(const CellIndex& at) {
    int inside = 0;
    for (int bits = 0; bits < 8; ++bits) inside |= static_cast<int>(is_reached(corner(at, bits))) << bits;
    if (inside == 0 || inside == 255) return;
    for (const std::array<int, 4>& corners : tetrahedra) tetrahedron(at, corners, inside);
  }

  // An edge between corners of both kinds.
  struct Edge {
    int in = 0, out = 0;
  };

  void tetrahedron(const CellIndex& cube, const std::array<int, 4>& corners, int inside) {
    std::array<int, 4> in = {}, out = {};
    int ins = 0, outs = 0;
    for (const int bits : corners) {
      if (inside >> bits & 1)
        in[static_cast<std::size_t>(ins++)] = bits;
      else
        out[static_cast<std::size_t>(outs++)] = bits;
    }
    if (ins == 1) triangle(cube, {in[0], out[0]}, {in[0], out[1]}, {in[0], out[2]});
    if (outs == 1) triangle(cube, {in[0], out[0]}, {in[1], out[0]}, {in[2], out[0]});
    if (ins != 2) return;
    triangle(cube, {in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]});
    triangle(cube, {in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]});
  }

  // Oriented from the reached corners to the others, judged by the midpoints of its edges.
  void triangle(const CellIndex& cube, const Edge& a, const Edge& b, const Edge& c) {
    const auto point = [](int bits) { return Vec3(bits & 1, bits >> 1 & 1, bits >> 2 & 1); };
    const auto middle = [&](const Edge& e) { return Vec3(0.5 * (point(e.in) + point(e.out))); };
    const Vec3 n = (middle(b) - middle(a)).cross(middle(c) - middle(a));
    const bool looks_out = n.dot(point(a.out) - point(a.in)) > 0.0;
    const int i = vertex(cube, a), j = vertex(cube, b), k = vertex(cube, c);
    surface_.triangles.push_back(looks_out ? std::array{i, j, k} : std::array{i, k, j});
  }

  int vertex(const CellIndex& cube, const Edge& edge) {
    const int low = edge.in & edge.out, along = edge.in ^ edge.out;
    const CellIndex from = corner(cube, low);
    const std::size_t key = grid_.place(from[0], from[1], from[2]) * 8 + static_cast<std::size_t>(along);
    const auto [found, is_new] = vertices_.try_emplace(key, static_cast<int>(surface_.positions.size()));
    if (!is_new) return found->second;
    const CellIndex in = corner(cube, edge.in), out = corner(cube, edge.out);
    const Vec3 u = centre(out), r = centre(in);
    surface_.positions.push_back(u + boundary_fraction(out, in) * (r - u));
    surface_.values.push_back(value(leaf(in)));
    return found->second;
  }

  // The position of the boundary from an unreached centre to a reached one, as a fraction.
  double boundary_fraction(const CellIndex& out, const CellIndex& in) {
    const double height = height_of(out), depth = depth_of(in);
    return height / (height + depth);
  }

  double bounded(double depth) const { return std::clamp(depth, min_depth * grid_.side, max_depth * grid_.side); }

  // The cell of an unreached centre with a usable best pose, or null.
  const ReachCell* known(const CellIndex& c) const {
    if (leaf(c) < 0) return nullptr;
    const ReachCell& cell = map_.cells[static_cast<std::size_t>(leaf(c))];
    const bool is_known = cell.state != Reach::reached && cell.level == 0 && cell.pose >= 0 && cell.solves > 0 &&
                          cell.others_met && cell.distance > 0.0;
    return is_known ? &cell : nullptr;
  }

  double height_of(const CellIndex& out) const {
    const ReachCell* const cell = known(out);
    return bounded(cell ? cell->distance : default_depth * grid_.side);
  }

  double depth_of(const CellIndex& in) {
    const auto [found, is_new] = depths_.try_emplace(grid_.place(in[0], in[1], in[2]), 0.0);
    if (!is_new) return found->second;
    double depth = infinity;
    for (const CellIndex& direction : neighbour_directions()) {
      const CellIndex beside = {in[0] + direction[0], in[1] + direction[1], in[2] + direction[2]};
      const ReachCell* const cell = known(beside);
      if (!cell) continue;
      const Vec3 n = (cell->handle - centre(beside)) / cell->distance;
      depth = std::fmin(depth, n.dot(centre(in) - cell->handle));
    }
    return found->second = bounded(std::isfinite(depth) ? depth : default_depth * grid_.side);
  }

  double value(int id) {
    const auto [found, is_new] = values_.try_emplace(id, 0.0);
    if (is_new) found->second = measure_(map_.pose(map_.cells[static_cast<std::size_t>(id)]));
    return found->second;
  }

  const ReachMap& map_;
  const PoseMeasure& measure_;
  ReachGrid grid_;
  std::unordered_map<std::size_t, int> vertices_;
  std::unordered_map<std::size_t, double> depths_;
  std::unordered_map<int, double> values_;
  ReachSurface surface_;
};

}  // namespace

double ReachSurface::volume() const {
  double six = 0.0;
  for (const auto& [a, b, c] : triangles)
    six += positions[static_cast<std::size_t>(a)].dot(
        positions[static_cast<std::size_t>(b)].cross(positions[static_cast<std::size_t>(c)]));
  return six / 6.0;
}

double ReachSurface::area() const {
  double two = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3& p = positions[static_cast<std::size_t>(a)];
    two += (positions[static_cast<std::size_t>(b)] - p).cross(positions[static_cast<std::size_t>(c)] - p).norm();
  }
  return 0.5 * two;
}

// Every vertex is projected once, to (x, y) across the ray and z along it. The ray meets a triangle if the origin is on
// the same side of its three edges, by the sign of e = x_i y_j - x_j y_i; then z is their mean with these weights
// (Woop, Benthin and Wald 2013). Both triangles of an edge compute the same e, so no ray passes between them.
std::optional<double> ReachSurface::farthest(const Vec3& from, const Vec3& direction) const {
  const Vec3 x_axis = direction.unitOrthogonal(), y_axis = direction.cross(x_axis);
  std::vector<Vec3> p(positions.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 d = positions[i] - from;
    p[i] = {d.dot(x_axis), d.dot(y_axis), d.dot(direction)};
  }
  const auto side = [&](int i, int j) {
    const Vec3 &a = p[static_cast<std::size_t>(std::min(i, j))], &b = p[static_cast<std::size_t>(std::max(i, j))];
    const double e = a.x() * b.y() - b.x() * a.y();
    return i < j ? e : -e;
  };
  std::optional<double> max;
  for (const auto& [a, b, c] : triangles) {
    const double u = side(b, c), v = side(c, a), w = side(a, b);
    if (std::min({u, v, w}) < 0.0 && std::max({u, v, w}) > 0.0) continue;
    const double sum = u + v + w;
    if (sum == 0.0) continue;
    const auto z = [&](int i) { return p[static_cast<std::size_t>(i)].z(); };
    const double t = (u * z(a) + v * z(b) + w * z(c)) / sum;
    if (t >= 0.0 && t > max.value_or(-1.0)) max = t;
  }
  return max;
}

ReachSurface surface_of(const ReachMap& map, const PoseMeasure& measure) { return Mesher(map, measure).mesh(); }

}  // namespace limber
