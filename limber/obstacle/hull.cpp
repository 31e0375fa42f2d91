#include "limber/obstacle/hull.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

namespace limber {

namespace {

// Relative to the size of the points: a point nearer to a plane lies in it.
constexpr double coplanar_share = 1e-11;
// Relative to the size: an edge is concave if a corner beyond it is outside by more. A thin face has a coarse normal.
constexpr double convex_share = 1e-9;
// Relative to the size: the height of a thin triangle, at most.
constexpr double thin_share = 1e-4;
// Relative to the size: minimum extent of a solid in each direction.
constexpr double min_thickness_share = 1e-6;

struct HullFace {
  std::array<int, 3> corner;
  std::array<int, 3> beyond = {-1, -1, -1};  // the face across the edge from corner k to the next
  Vec3 normal = Vec3::Zero();
  double offset = 0.0;
  bool alive = true;
  bool seen = false;
  std::vector<int> outside = {};  // points that are outside this face and in no other list; the farthest is the last
};

class HullBuilder {
 public:
  explicit HullBuilder(const std::vector<Vec3>& points) : points_(points), rim_at_(points.size(), -1) {}

  Expected<Hull> result() {
    if (const auto start = begin(); !start) return std::unexpected(start.error());
    while (!open_.empty()) {
      const int f = open_.top().second;
      open_.pop();
      if (face(f).alive && !face(f).outside.empty() && !take(f)) return degenerate();
    }
    if (!is_convex()) return degenerate();
    return collected();
  }

 private:
  static std::unexpected<Diagnostic> degenerate() {
    return reject("vertices", "a hull with degenerate faces", "corners farther apart, or fewer of them");
  }
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
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    distribute(all, 0);
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

  // Each point goes to the list of the face, of those from `first` on, that it is farthest outside of.
  void distribute(const std::vector<int>& points, int first) {
    const int end = static_cast<int>(faces_.size());
    std::vector<double> max(static_cast<std::size_t>(end - first), coplanar_share * size_);
    for (const int point : points) {
      int best = -1;
      double distance = coplanar_share * size_;
      for (int f = first; f < end; ++f)
        if (const double over = outside(f, point); over > distance) {
          distance = over;
          best = f;
        }
      if (best < 0) continue;
      std::vector<int>& list = face(best).outside;
      list.push_back(point);
      if (double& farthest = max[static_cast<std::size_t>(best - first)]; distance > farthest)
        farthest = distance;
      else
        std::swap(list.back(), list[list.size() - 2]);
    }
    for (int f = first; f < end; ++f)
      if (!face(f).outside.empty()) open_.emplace(max[static_cast<std::size_t>(f - first)], f);
  }

  struct Rim {
    int from, to;
    int beyond;  // the remaining face
  };

  // Adds the farthest point of a face: removes the connected faces that see it, connects their rim to it, and
  // distributes their points over the new faces. A point outside a removed face that is outside no new one is inside.
  bool take(int first) {
    const int point = face(first).outside.back();
    std::vector<Rim> rim;
    std::vector<int> open = {first}, points;
    face(first).seen = true;
    for (std::size_t k = 0; k < open.size(); ++k)
      for (const int g : face(open[k]).beyond)
        if (!face(g).seen && outside(g, point) > coplanar_share * size_) {
          face(g).seen = true;
          open.push_back(g);
        }
    for (const int f : open) {
      for (std::size_t k = 0; k < 3; ++k)
        if (!face(face(f).beyond[k]).seen)
          rim.push_back({face(f).corner[k], face(f).corner[(k + 1) % 3], face(f).beyond[k]});
      for (const int other : std::exchange(face(f).outside, {}))
        if (other != point) points.push_back(other);
      face(f).alive = false;
    }
    const int base = static_cast<int>(faces_.size());
    if (!join(rim, point)) return false;
    distribute(points, base);
    return true;
  }

  bool join(const std::vector<Rim>& rim, int point) {
    const int base = static_cast<int>(faces_.size()), count = static_cast<int>(rim.size());
    const auto starting_at = [&](int corner) -> int& { return rim_at_[static_cast<std::size_t>(corner)]; };
    bool is_ring = true;
    for (int k = 0; k < count; ++k) {
      int& start = starting_at(rim[static_cast<std::size_t>(k)].from);
      if (start >= 0) is_ring = false;  // a rim that meets itself is a rounding error
      start = k;
    }
    for (const Rim& side : rim) is_ring = is_ring && starting_at(side.to) >= 0;
    if (!is_ring) return false;
    for (const Rim& side : rim) {
      const int f = add({side.from, side.to, point}, {side.beyond, base + starting_at(side.to), -1});
      HullFace& outer = face(side.beyond);
      for (std::size_t k = 0; k < 3; ++k)
        if (outer.corner[k] == side.to && outer.corner[(k + 1) % 3] == side.from) outer.beyond[k] = f;
    }
    for (int k = 0; k < count; ++k) face(base + starting_at(rim[static_cast<std::size_t>(k)].to)).beyond[2] = base + k;
    for (const Rim& side : rim) starting_at(side.from) = -1;
    return true;
  }

  // A closed surface without a concave edge is convex. The normals of thin triangles are coarse and show nothing about
  // their edges, so these are compared with all points.
  bool is_convex() {
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      if (!face(f).alive) continue;
      const auto is_inside = [&](int point) { return !(outside(f, point) > convex_share * size_); };
      for (const int g : face(f).beyond)
        if (!std::ranges::all_of(face(g).corner, is_inside)) return false;
      for (int point = 0; is_thin(f) && point < static_cast<int>(points_.size()); ++point)
        if (!is_inside(point)) return false;
    }
    return true;
  }

  bool is_thin(int f) {
    const auto& [i, j, k] = face(f).corner;
    const double longest = std::fmax((at(i) - at(j)).norm(), std::fmax((at(j) - at(k)).norm(), (at(k) - at(i)).norm()));
    return !((at(j) - at(i)).cross(at(k) - at(i)).norm() > thin_share * size_ * longest);
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
  std::priority_queue<std::pair<double, int>> open_;  // faces with points outside, by the distance of the farthest
  std::vector<int> rim_at_;                           // by point: the side of the current rim that starts there
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
