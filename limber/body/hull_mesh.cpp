#include "limber/body/hull_mesh.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "limber/base/index.h"

namespace limber::body {

namespace {

constexpr double merge_distance = 1e-5;  // relative to the hull's extent: closer vertices of one ellipsoid are merged
constexpr double mirror_gap = 1e-6;      // radians between a direction in the mirror plane and each of its copies
constexpr double equal_support = 1e-12;  // relative to the hull's extent: closer support values count as equal
constexpr int max_halvings = 50;         // bisection of the arc between two directions
constexpr double edge_penalty = 1e-3;    // weight of an edge's squared length times the hull's extent against volume
constexpr int max_splits = 8;            // of an arc, each into two

double support(const Ellipsoid& e, const Vec3& n) { return e.centre.dot(n) + (e.axes.transpose() * n).norm(); }

Vec3 support_point(const Ellipsoid& e, const Vec3& n) {
  const Vec3 b = e.axes.transpose() * n;
  const double norm = b.norm();
  return norm > 0.0 ? Vec3(e.centre + e.axes * b / norm) : e.centre;
}

// A corner of a face of the grid of directions, or a vertex on one of its three sides.
struct Rim {
  int vertex = 0;
  unsigned sides = 0;  // one bit per side
};

class Mesher {
 public:
  Mesher(const std::vector<Ellipsoid>& hull, const Directions& directions) : hull_(hull), directions_(directions) {
    for (const Ellipsoid& e : hull) extent_ = std::fmax(extent_, (e.centre - hull[0].centre).norm() + e.axes.norm());
  }

  HullMesh mesh() {
    for (const Vec3& n : directions_.n) add_vertex(outermost(n), n);
    for (const std::array<int, 3>& face : directions_.triangles) fill(rim(face));
    merge();
    remove_folds();
    drop_unused();
    return std::move(mesh_);
  }

 private:
  const Vec3& place(int v) const { return mesh_.position[at_index(v)]; }
  const Vec3& normal(int v) const { return mesh_.normal[at_index(v)]; }
  int owner(int v) const { return mesh_.ellipsoid[at_index(v)]; }
  double height(int i, const Vec3& n) const { return support(hull_[at_index(i)], n); }

  int add_vertex(int i, const Vec3& n) {
    mesh_.ellipsoid.push_back(i);
    mesh_.position.push_back(support_point(hull_[at_index(i)], n));
    mesh_.normal.push_back(n);
    return static_cast<int>(mesh_.ellipsoid.size()) - 1;
  }

  // The ellipsoid with the largest support along n; the first of equal ones.
  int outermost(const Vec3& n) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(hull_.size()); ++i)
      if (height(i, n) > height(best, n) + equal_support * extent_) best = i;
    return best;
  }

  // --- Where the ellipsoid changes ---

  // The vertices between the directions a and b, where the hull touches the ellipsoids i and j.
  void cut(Vec3 a, int i, Vec3 b, int j, int splits, std::vector<int>& chain) {
    if (i == j) return;
    const Vec3 first = a, last = b;
    for (int k = 0; k < max_halvings; ++k) {
      const Vec3 middle = (a + b).normalized();
      (height(i, middle) >= height(j, middle) ? a : b) = middle;
    }
    // A third one may extend farther there: a bulge between two ends.
    const int k = outermost(a);
    if (splits > 0 && k != i && k != j && height(k, a) > height(i, a) + equal_support * extent_) {
      cut(first, i, a, k, splits - 1, chain);
      cut(a, k, last, j, splits - 1, chain);
      return;
    }
    chain.push_back(add_vertex(i, a));
    chain.push_back(add_vertex(j, a));
  }

  // The vertices between two directions, from p to q.
  std::vector<int> chain(int p, int q) {
    const auto [entry, is_new] = chains_.try_emplace(std::minmax({p, q}));
    if (is_new) {
      const auto [a, b] = entry->first;
      cut(normal(a), owner(a), normal(b), owner(b), max_splits, entry->second);
    }
    std::vector<int> result = entry->second;
    if (p > q) std::reverse(result.begin(), result.end());
    return result;
  }

  std::vector<Rim> rim(const std::array<int, 3>& face) {
    std::vector<Rim> result;
    for (unsigned side = 0; side < 3; ++side) {
      const unsigned before = (side + 2) % 3;
      result.push_back({face[side], 1U << side | 1U << before});
      for (const int v : chain(face[side], face[(side + 1) % 3])) result.push_back({v, 1U << side});
    }
    return result;
  }

  // --- Triangles ---

  // Six times the volume of the tetrahedron over an interior point, minus a small penalty on the edge from a to c:
  // among nearly equal fillings, shorter edges win.
  double score(int a, int b, int c) const {
    const Vec3& o = hull_[0].centre;
    const double volume = (place(a) - o).dot((place(b) - o).cross(place(c) - o));
    return volume - edge_penalty * extent_ * (place(c) - place(a)).squaredNorm();
  }

  // Triangulates the rim with max volume, which is the convex surface that the vertices lie on. Dynamic programming:
  // best(i, j) = max over k of best(i, k) + best(k, j) + score(i, k, j). An edge between two vertices of one side is
  // excluded, because the side itself is the border to the neighbouring face.
  void fill(const std::vector<Rim>& rim) {
    const std::size_t n = rim.size();
    std::vector<double> best(n * n, -infinity);
    std::vector<std::size_t> apex(n * n, 0);
    for (std::size_t i = 0; i + 1 < n; ++i) best[i * n + i + 1] = 0.0;
    for (std::size_t span = 2; span < n; ++span)
      for (std::size_t i = 0; i + span < n; ++i) {
        const std::size_t j = i + span;
        if (span + 1 < n && (rim[i].sides & rim[j].sides)) continue;
        for (std::size_t k = i + 1; k < j; ++k) {
          const double sum = best[i * n + k] + best[k * n + j] + score(rim[i].vertex, rim[k].vertex, rim[j].vertex);
          if (!(sum > best[i * n + j])) continue;
          best[i * n + j] = sum;
          apex[i * n + j] = k;
        }
      }
    add_filling(rim, apex, 0, n - 1);
  }

  void add_filling(const std::vector<Rim>& rim, const std::vector<std::size_t>& apex, std::size_t i, std::size_t j) {
    if (j < i + 2) return;
    const std::size_t k = apex[i * rim.size() + j];
    mesh_.triangles.push_back({rim[i].vertex, rim[k].vertex, rim[j].vertex});
    add_filling(rim, apex, i, k);
    add_filling(rim, apex, k, j);
  }

  // --- Vertices that coincide ---

  std::set<int> neighbours(int v) const {
    std::set<int> result;
    for (const std::array<int, 3>& t : mesh_.triangles)
      if (std::find(t.begin(), t.end(), v) != t.end()) result.insert(t.begin(), t.end());
    result.erase(v);
    return result;
  }

  // Collapses the edge u v and its two triangles. The surface stays closed if u and v share exactly two neighbours.
  bool collapse(int u, int v) {
    const std::set<int> a = neighbours(u), b = neighbours(v);
    std::vector<int> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    if (both.size() != 2 || mesh_.triangles.size() <= 4) return false;
    std::erase_if(mesh_.triangles, [&](const std::array<int, 3>& t) {
      return std::find(t.begin(), t.end(), u) != t.end() && std::find(t.begin(), t.end(), v) != t.end();
    });
    for (std::array<int, 3>& t : mesh_.triangles) std::replace(t.begin(), t.end(), v, u);
    return true;
  }

  void merge() {
    for (std::size_t t = 0; t < mesh_.triangles.size();) {
      bool changed = false;
      for (std::size_t k = 0; k < 3 && !changed; ++k) {
        const int u = mesh_.triangles[t][k], v = mesh_.triangles[t][(k + 1) % 3];
        if (owner(u) == owner(v) && (place(u) - place(v)).norm() <= merge_distance * extent_)
          changed = collapse(std::min(u, v), std::max(u, v));
      }
      // Edges that could not be collapsed before may be now.
      t = changed ? 0 : t + 1;
    }
  }

  // --- Folds ---

  // On a flat ellipsoid with coarse directions a triangle may face inward. Two triangles (a, b, c) and (b, a, d) become
  // (a, d, c) and (d, b, c) if that reduces the inward area. This terminates because the inward area decreases.
  void remove_folds() {
    std::map<std::pair<int, int>, std::size_t> triangle_of;  // the triangle with that edge
    const auto register_edges = [&](std::size_t t) {
      for (std::size_t k = 0; k < 3; ++k) triangle_of[{mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3]}] = t;
    };
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) register_edges(t);
    for (int flips = -1; flips != 0;) {
      flips = 0;
      for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
          const auto [a, b, c] =
              std::array{mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3], mesh_.triangles[t][(k + 2) % 3]};
          const std::size_t other = triangle_of.at({b, a});
          const int d = third(mesh_.triangles[other], a, b);
          if (triangle_of.contains({c, d}) || !(gain(a, b, c, d) > 0.0)) continue;
          triangle_of.erase({a, b});
          triangle_of.erase({b, a});
          mesh_.triangles[t] = {a, d, c};
          mesh_.triangles[other] = {d, b, c};
          register_edges(t);
          register_edges(other);
          ++flips;
        }
    }
  }

  static int third(const std::array<int, 3>& t, int a, int b) { return t[0] + t[1] + t[2] - a - b; }

  // Twice the area of a triangle that faces against its corners' normals; else 0.
  double inward(int a, int b, int c) const {
    const Vec3 area = (place(b) - place(a)).cross(place(c) - place(a));
    return area.dot(normal(a) + normal(b) + normal(c)) < 0.0 ? area.norm() : 0.0;
  }

  double gain(int a, int b, int c, int d) const {
    return inward(a, b, c) + inward(b, a, d) - inward(a, d, c) - inward(d, b, c) - equal_support * extent_ * extent_;
  }

  void drop_unused() {
    std::vector<int> number(mesh_.ellipsoid.size(), -1);
    HullMesh used;
    for (std::array<int, 3> t : mesh_.triangles) {
      for (int& v : t) {
        int& next = number[at_index(v)];
        if (next < 0) {
          next = static_cast<int>(used.ellipsoid.size());
          used.ellipsoid.push_back(owner(v));
          used.position.push_back(place(v));
          used.normal.push_back(normal(v));
        }
        v = next;
      }
      used.triangles.push_back(t);
    }
    mesh_ = std::move(used);
  }

  const std::vector<Ellipsoid>& hull_;
  const Directions& directions_;
  double extent_ = 0.0;
  HullMesh mesh_;
  std::map<std::pair<int, int>, std::vector<int>> chains_;  // by two directions, the lower index first
};

}  // namespace

Directions Directions::octahedral(int round, const Mat3& R) {
  const int f = std::max(1, (round + 3) / 4);
  Directions result;
  std::map<std::array<int, 3>, int> number;
  const auto vertex = [&](int x, int y, int z) {
    const auto [entry, is_new] = number.try_emplace({x, y, z}, static_cast<int>(result.n.size()));
    // Sines give equal angles along an edge of the octahedron.
    const auto along = [&](int k) { return std::sin(0.5 * pi * k / f); };
    if (is_new) result.n.push_back(R * Vec3(along(x), along(y), along(z)).normalized());
    return entry->second;
  };
  for (const int sx : {1, -1})
    for (const int sy : {1, -1})
      for (const int sz : {1, -1}) {
        const auto add = [&](int a, int b, int c) {
          if (sx * sy * sz < 0) std::swap(b, c);
          result.triangles.push_back({a, b, c});
        };
        const auto corner = [&](int x, int y, int z) { return vertex(sx * x, sy * y, sz * z); };
        for (int x = 0; x < f; ++x)
          for (int y = 0; x + y < f; ++y) {
            const int z = f - 1 - x - y;
            add(corner(x + 1, y, z), corner(x, y + 1, z), corner(x, y, z + 1));
            if (z > 0) add(corner(x + 1, y + 1, z - 1), corner(x, y + 1, z), corner(x + 1, y, z));
          }
      }
  return result;
}

Directions Directions::parted(const Vec3& x) const {
  Directions result = *this;
  const auto in_mirror_plane = [&](int v) { return std::fabs(n[at_index(v)].dot(x)) < mirror_gap; };
  std::vector<int> copy(n.size(), -1);  // on the negative side of x
  for (int v = 0; v < static_cast<int>(n.size()); ++v) {
    if (!in_mirror_plane(v)) continue;
    copy[at_index(v)] = static_cast<int>(result.n.size());
    result.n.push_back((n[at_index(v)] - mirror_gap * x).normalized());
    result.n[at_index(v)] = (n[at_index(v)] + mirror_gap * x).normalized();
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (const int v : triangles[t]) middle += n[at_index(v)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      if (middle.dot(x) < 0.0) {
        if (in_mirror_plane(a)) result.triangles[t][k] = copy[at_index(a)];
      } else if (in_mirror_plane(a) && in_mirror_plane(b)) {
        result.triangles.push_back({copy[at_index(a)], copy[at_index(b)], b});
        result.triangles.push_back({copy[at_index(a)], b, a});
      }
    }
  }
  return result;
}

double HullMesh::volume() const {
  double sum = 0.0;
  for (const std::array<int, 3>& t : triangles) {
    const Vec3& o = position[0];
    const Vec3 a = position[at_index(t[0])] - o, b = position[at_index(t[1])] - o, c = position[at_index(t[2])] - o;
    sum += a.dot(b.cross(c)) / 6.0;
  }
  return sum;
}

HullMesh hull_mesh(const std::vector<Ellipsoid>& hull, const Directions& directions) {
  return Mesher(hull, directions).mesh();
}

}  // namespace limber::body
