#include "limber/body/hull_mesh.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "limber/base/index.h"

namespace limber::body {

namespace {

constexpr double together = 1e-5;     // of the hull's extent: places of one ellipsoid no farther apart are one
constexpr double parting = 1e-6;      // radians between a direction in a mirror and each of its copies
constexpr double same = 1e-12;        // of the hull's extent: supports that are no farther apart are equal
constexpr int tangent_halvings = 50;  // of the arc between two directions
constexpr double short_edges = 1e-3;  // the worth of an edge's square and the hull's extent, in volumes
constexpr int max_splits = 8;         // of an arc, each into two

double support(const Ellipsoid& e, const Vec3& n) { return e.centre.dot(n) + (e.axes.transpose() * n).norm(); }

Vec3 support_point(const Ellipsoid& e, const Vec3& n) {
  const Vec3 b = e.axes.transpose() * n;
  const double norm = b.norm();
  return norm > 0.0 ? Vec3(e.centre + e.axes * b / norm) : e.centre;
}

// A corner of a face of the grid of directions, or a vertex on one of its three sides.
struct Rim {
  int vertex = 0;
  unsigned sides = 0;  // a bit a side
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
    unfold();
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

  // The ellipsoid that reaches farthest along n; of equal ones the first.
  int outermost(const Vec3& n) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(hull_.size()); ++i)
      if (height(i, n) > height(best, n) + same * extent_) best = i;
    return best;
  }

  // --- Where the ellipsoid changes ---

  // The vertices between the directions a and b, where the hull touches the ellipsoids i and j.
  void cut(Vec3 a, int i, Vec3 b, int j, int splits, std::vector<int>& chain) {
    if (i == j) return;
    const Vec3 first = a, last = b;
    for (int k = 0; k < tangent_halvings; ++k) {
      const Vec3 middle = (a + b).normalized();
      (height(i, middle) >= height(j, middle) ? a : b) = middle;
    }
    // A third one may reach farther there: a bulge between two ends.
    const int k = outermost(a);
    if (splits > 0 && k != i && k != j && height(k, a) > height(i, a) + same * extent_) {
      cut(first, i, a, k, splits - 1, chain);
      cut(a, k, last, j, splits - 1, chain);
      return;
    }
    chain.push_back(add_vertex(i, a));
    chain.push_back(add_vertex(j, a));
  }

  // The vertices between two directions, from p to q.
  std::vector<int> chain(int p, int q) {
    const auto [at, is_new] = chains_.try_emplace(std::minmax({p, q}));
    if (is_new) {
      const auto [a, b] = at->first;
      cut(normal(a), owner(a), normal(b), owner(b), max_splits, at->second);
    }
    std::vector<int> result = at->second;
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

  // Six times the volume between the triangle and a point inside, less a little for the way from a to c: of nearly
  // equal fillings the one with shorter edges.
  double worth(int a, int b, int c) const {
    const Vec3& o = hull_[0].centre;
    const double volume = (place(a) - o).dot((place(b) - o).cross(place(c) - o));
    return volume - short_edges * extent_ * (place(c) - place(a)).squaredNorm();
  }

  // Triangles over the rim, of all fillings the one with the largest volume: the vertices lie on a convex surface, so
  // that is its own. best(i, j) of the part from i to j is max over k of best(i, k) + best(k, j) + worth(i, k, j). An
  // edge between two vertices of one side would belong to both faces at that side, whose border is the side with its
  // vertices; there is none.
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
          const double sum = best[i * n + k] + best[k * n + j] + worth(rim[i].vertex, rim[k].vertex, rim[j].vertex);
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

  // An edge between two of them shrinks to a point, and its two triangles go; the surface stays closed if no other
  // triangle's corners have both as neighbours.
  bool shrink(int u, int v) {
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
        if (owner(u) == owner(v) && (place(u) - place(v)).norm() <= together * extent_)
          changed = shrink(std::min(u, v), std::max(u, v));
      }
      // What could not shrink before may be able to now.
      t = changed ? 0 : t + 1;
    }
  }

  // --- Folds ---

  // Between directions that are far apart on a flat ellipsoid, a triangle may look inward. Two triangles (a, b, c) and
  // (b, a, d) become (a, d, c) and (d, b, c) where less of their area does. That ends, for the area falls.
  void unfold() {
    std::map<std::pair<int, int>, std::size_t> left;  // the triangle with that edge
    const auto enter = [&](std::size_t t) {
      for (std::size_t k = 0; k < 3; ++k) left[{mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3]}] = t;
    };
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) enter(t);
    for (int flips = -1; flips != 0;) {
      flips = 0;
      for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
          const auto [a, b, c] =
              std::array{mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3], mesh_.triangles[t][(k + 2) % 3]};
          const std::size_t other = left.at({b, a});
          const int d = third(mesh_.triangles[other], a, b);
          if (left.contains({c, d}) || !(gain(a, b, c, d) > 0.0)) continue;
          left.erase({a, b});
          left.erase({b, a});
          mesh_.triangles[t] = {a, d, c};
          mesh_.triangles[other] = {d, b, c};
          enter(t);
          enter(other);
          ++flips;
        }
    }
  }

  static int third(const std::array<int, 3>& t, int a, int b) { return t[0] + t[1] + t[2] - a - b; }

  // Twice the area of a triangle that looks against its corners' normals; 0 of others.
  double inward(int a, int b, int c) const {
    const Vec3 area = (place(b) - place(a)).cross(place(c) - place(a));
    return area.dot(normal(a) + normal(b) + normal(c)) < 0.0 ? area.norm() : 0.0;
  }

  double gain(int a, int b, int c, int d) const {
    return inward(a, b, c) + inward(b, a, d) - inward(a, d, c) - inward(d, b, c) - same * extent_ * extent_;
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
  std::map<std::pair<int, int>, std::vector<int>> chains_;  // by two directions, the lower number first
};

}  // namespace

Directions Directions::octahedral(int round, const Mat3& R) {
  const int f = std::max(1, (round + 3) / 4);
  Directions result;
  std::map<std::array<int, 3>, int> number;
  const auto vertex = [&](int x, int y, int z) {
    const auto [at, is_new] = number.try_emplace({x, y, z}, static_cast<int>(result.n.size()));
    // Sines, so that the steps along an edge of the octahedron are equal angles.
    const auto along = [&](int k) { return std::sin(0.5 * pi * k / f); };
    if (is_new) result.n.push_back(R * Vec3(along(x), along(y), along(z)).normalized());
    return at->second;
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
  const auto lies_in_mirror = [&](int v) { return std::fabs(n[at_index(v)].dot(x)) < parting; };
  std::vector<int> copy(n.size(), -1);  // on the far side of x
  for (int v = 0; v < static_cast<int>(n.size()); ++v) {
    if (!lies_in_mirror(v)) continue;
    copy[at_index(v)] = static_cast<int>(result.n.size());
    result.n.push_back((n[at_index(v)] - parting * x).normalized());
    result.n[at_index(v)] = (n[at_index(v)] + parting * x).normalized();
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (const int v : triangles[t]) middle += n[at_index(v)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      if (middle.dot(x) < 0.0) {
        if (lies_in_mirror(a)) result.triangles[t][k] = copy[at_index(a)];
      } else if (lies_in_mirror(a) && lies_in_mirror(b)) {
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
