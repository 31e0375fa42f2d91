#include "limber/body/block.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "limber/base/index.h"

namespace limber {

namespace {

constexpr std::size_t max_sites = 64;
// Relative to the size: sites nearer to a plane are in it, and nearer to each other are one.
constexpr double flat = 1e-9;

class HullFinder {
 public:
  explicit HullFinder(std::vector<Vec3> points) : points_(std::move(points)) {
    Vec3 min = points_.front(), max = points_.front();
    for (const Vec3& x : points_) {
      min = min.cwiseMin(x);
      max = max.cwiseMax(x);
    }
    tolerance_ = flat * (max - min).norm();
    std::vector<Vec3> apart;
    for (const Vec3& x : points_)
      if (std::ranges::none_of(apart, [&](const Vec3& y) { return (x - y).norm() <= tolerance_; })) apart.push_back(x);
    points_ = std::move(apart);
  }

  // Every plane through three points with all others on one side is that of a face. Each face is found once, from its
  // first three points that are not in a line.
  std::optional<Block> hull() {
    const int n = static_cast<int>(points_.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k)
          if (!try_plane(i, j, k)) return std::nullopt;
    if (faces_.size() < 4) return std::nullopt;
    return compact();
  }

 private:
  const Vec3& at(int k) const { return points_[at_index(k)]; }

  // False if all points are in that plane.
  bool try_plane(int i, int j, int k) {
    Vec3 n = (at(j) - at(i)).cross(at(k) - at(i));
    if (!(n.norm() > tolerance_ * (at(j) - at(i)).norm())) return true;
    n.normalize();
    bool above = false, below = false;
    std::vector<int> in_plane;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      const double height = n.dot(at(p) - at(i));
      above = above || height > tolerance_;
      below = below || height < -tolerance_;
      if (std::fabs(height) <= tolerance_) in_plane.push_back(p);
    }
    if (above && below) return true;
    if (!above && !below) return false;
    std::vector<int> corners = outline(in_plane, above ? Vec3(-n) : n);
    const auto same = [&](const std::vector<int>& face) { return std::ranges::is_permutation(face, corners); };
    if (std::ranges::none_of(faces_, same)) faces_.push_back(std::move(corners));
    return true;
  }

  // The corners of the convex hull in the plane with the normal n, counter-clockwise (Jarvis).
  std::vector<int> outline(const std::vector<int>& in_plane, const Vec3& n) const {
    const Vec3 u = n.unitOrthogonal();
    int start = in_plane.front();
    for (const int p : in_plane)
      if (u.dot(at(p)) < u.dot(at(start))) start = p;
    std::vector<int> corners;
    for (int from = start; corners.size() <= in_plane.size();) {
      corners.push_back(from);
      int next = from == in_plane.front() ? in_plane.back() : in_plane.front();
      for (const int p : in_plane) {
        if (p == from) continue;
        const double side = n.dot((at(next) - at(from)).cross(at(p) - at(from)));
        const double scale = tolerance_ * (at(p) - at(from)).norm();
        if (side < -scale || (side <= scale && (at(p) - at(from)).norm() > (at(next) - at(from)).norm())) next = p;
      }
      if (next == start) break;
      from = next;
    }
    return corners;
  }

  // Only the points that are corners.
  Block compact() const {
    Block block;
    std::vector<int> number(points_.size(), -1);
    for (const std::vector<int>& face : faces_) {
      std::vector<int> corners;
      for (const int p : face) {
        if (number[at_index(p)] < 0) {
          number[at_index(p)] = static_cast<int>(block.corners.size());
          block.corners.push_back(at(p));
        }
        corners.push_back(number[at_index(p)]);
      }
      block.faces.push_back(std::move(corners));
    }
    return block;
  }

  std::vector<Vec3> points_;
  double tolerance_ = 0.0;
  std::vector<std::vector<int>> faces_;
};

}  // namespace

std::optional<Block> block_of(const Figure& figure) {
  if (figure.segments().size() != 1 || !(figure.mass() > 0.0) || figure.sites().size() < 4 ||
      figure.sites().size() > max_sites)
    return std::nullopt;
  std::vector<Vec3> points;
  for (const Site& site : figure.sites()) points.push_back(site.frame.p);
  return HullFinder(std::move(points)).hull();
}

std::vector<SegmentObject> block_objects(const Figure& figure) {
  std::vector<SegmentObject> objects;
  for (const FigurePart& part : figure.parts())
    for (SegmentObject& object : block_objects(part.figure)) {
      object.segment = part.name + "." + object.segment;
      objects.push_back(std::move(object));
    }
  if (const std::optional<Block> block = block_of(figure)) {
    SegmentObject object{.segment = figure.segments().front().name, .vertices = block->corners};
    for (const std::vector<int>& face : block->faces)
      for (std::size_t k = 2; k < face.size(); ++k) object.triangles.push_back({face[0], face[k - 1], face[k]});
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace limber
