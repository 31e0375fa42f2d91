#include "limber/obstacle/hull.h"

#include <algorithm>
#include <string>

namespace limber {

namespace {

// Relative to the size of the points: a point nearer to a plane lies in it.
constexpr double coplanar_share = 1e-11;
// Relative to the size: minimum extent of a solid in each direction.
constexpr double min_thickness_share = 1e-6;

struct HullFace {
  std::array<int, 3> corner;
  std::array<int, 3> beyond = {-1, -1, -1};  // the face across the edge from corner k to the next
  Vec3 normal = Vec3::Zero();
  double offset = 0.0;
  bool alive = true;
  bool seen = false;
};

class HullBuilder {
 public:
  explicit HullBuilder(const std::vector<Vec3>& points) : points_(points) {}

  Expected<Hull> result() {
    if (const auto start = begin(); !start) return std::unexpected(start.error());
    // Every step adds a point; except for rounding, an added point is never outside again.
    for (std::size_t steps = 0; steps < points_.size(); ++steps) {
      const auto [face, point] = farthest();
      if (face < 0) return collected();
      if (!take(face, point)) break;
    }
    const auto [face, point] = farthest();
    if (face < 0) return collected();
    return reject("vertices", "a hull with degenerate faces", "corners farther apart, or fewer of them");
  }

 private:
  const Vec3& at(int k) const { return points_[static_cast<std::size_t>(k)]; }
  HullFace& face(int f) { return faces_[static_cast<std::size_t>(f)]; }

  // The point with the maximum of `measure`.
  template <class Measure>
  int argmax(const Measure& measure) const {
    int best = 0;
    for (int k = 1; k < static_cast<int>(points_.size()); ++k)
      if (measure(at(k)) > measure(at(best))) best = k;
    return best;
  }

  Expected<void> begin() {
    const std::string expected = "four or more corners that are not in one plane";
    const int p = argmax([&](const Vec3& x) { return -x[0]; });
    const int q = argmax([&](const Vec3& x) { return (x - at(p)).norm(); });
    size_ = (at(q) - at(p)).norm();
    if (!(size_ > 0.0)) return reject("vertices", "all at one point", expected);
    const Vec3 along = (at(q) - at(p)) / size_;
    const auto from_line = [&](const Vec3& x) { return (x - at(p)).cross(along).norm(); };
    const int r = argmax(from_line);
    if (!(from_line(at(r)) > min_thickness_share * size_)) return reject("vertices", "all on one line", expected);
    const Vec3 normal = along.cross(at(r) - at(p)).normalized();
    const int s = argmax([&](const Vec3& x) { return std::fabs(normal.dot(x - at(p))); });
    const double height = normal.dot(at(s) - at(p));
    if (!(std::fabs(height) > min_thickness_share * size_)) return reject("vertices", "all in one plane", expected);
    int first = p, second = q;
    if (height > 0.0) std::swap(first, second);  // the base faces away from s
    // Face 0 is the base; 1, 2, 3 share its edges.
    add({first, second, r}, {1, 2, 3});
    add({second, first, s}, {0, 3, 2});
    add({r, second, s}, {0, 1, 3});
    add({first, r, s}, {0, 2, 1});
    return {};
  }

  int add(const std::array<int, 3>& corner, const std::array<int, 3>& beyond) {
    HullFace out{corner, beyond};
    out.normal = (at(corner[1]) - at(corner[0])).cross(at(corner[2]) - at(corner[0])).normalized();
    out.offset = out.normal.dot(at(corner[0]));
    faces_.push_back(out);
    return static_cast<int>(faces_.size()) - 1;
  }

  double outside(int f, int point) { return face(f).normal.dot(at(point)) - face(f).offset; }

  // The point farthest outside a face, with that face; -1 if none.
  std::pair<int, int> farthest() {
    std::pair<int, int> best = {-1, -1};
    double max = coplanar_share * size_;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
      for (int k = 0; face(f).alive && k < static_cast<int>(points_.size()); ++k)
        if (outside(f, k) > max) {
          max = outside(f, k);
          best = {f, k};
        }
    return best;
  }

  struct Rim {
    int from, to;
    int beyond;  // the remaining face
  };

  // Removes the connected faces that see the point, and connects their rim to it.
  bool take(int first, int point) {
    std::vector<Rim> rim;
    std::vector<int> open = {first};
    face(first).seen = true;
    for (std::size_t k = 0; k < open.size(); ++k)
      for (const int g : face(open[k]).beyond)
        if (!face(g).seen && outside(g, point) > coplanar_share * size_) {
          face(g).seen = true;
          open.push_back(g);
        }
    for (const int f : open)
      for (std::size_t k = 0; k < 3; ++k)
        if (!face(face(f).beyond[k]).seen)
          rim.push_back({face(f).corner[k], face(f).corner[(k + 1) % 3], face(f).beyond[k]});
    for (const int f : open) face(f).alive = false;
    return join(rim, point);
  }

  bool join(const std::vector<Rim>& rim, int point) {
    const int base = static_cast<int>(faces_.size()), count = static_cast<int>(rim.size());
    const auto starting_at = [&](int corner) {
      int found = -1, times = 0;
      for (int k = 0; k < count; ++k)
        if (rim[static_cast<std::size_t>(k)].from == corner) {
          found = k;
          ++times;
        }
      return times == 1 ? found : -1;  // a rim that meets itself is a rounding error
    };
    for (const Rim& side : rim) {
      const int next = starting_at(side.to);
      if (next < 0 || starting_at(side.from) < 0) return false;
      const int f = add({side.from, side.to, point}, {side.beyond, base + next, -1});
      HullFace& outer = face(side.beyond);
      for (std::size_t k = 0; k < 3; ++k)
        if (outer.corner[k] == side.to && outer.corner[(k + 1) % 3] == side.from) outer.beyond[k] = f;
    }
    for (int k = 0; k < count; ++k) face(base + starting_at(rim[static_cast<std::size_t>(k)].to)).beyond[2] = base + k;
    return true;
  }

  Hull collected() const {
    Hull hull;
    std::vector<int> index(points_.size(), -1);
    for (const HullFace& face : faces_) {
      if (!face.alive) continue;
      std::array<int, 3> triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        int& n = index[static_cast<std::size_t>(face.corner[k])];
        if (n < 0) {
          n = static_cast<int>(hull.corners.size());
          hull.corners.push_back(at(face.corner[k]));
        }
        triangle[k] = n;
      }
      hull.triangles.push_back(triangle);
    }
    return hull;
  }

  const std::vector<Vec3>& points_;
  double size_ = 0.0;
  std::vector<HullFace> faces_;
};

}  // namespace

Expected<Hull> convex_hull(const std::vector<Vec3>& points) {
  if (points.size() < 4)
    return reject("vertices", std::to_string(points.size()) + " corners", "four or more that are not in one plane");
  for (std::size_t k = 0; k < points.size(); ++k)
    if (!points[k].allFinite())
      return reject("vertices[" + std::to_string(k) + "]", "a number that is not finite", "three finite numbers");
  return HullBuilder(points).result();
}

}  // namespace limber
