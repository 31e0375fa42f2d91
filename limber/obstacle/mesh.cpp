#include <algorithm>
#include <array>
#include <cmath>

#include "limber/obstacle/mesh_data.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

namespace {

// Cosine to the pseudonormal: below it the sign is decided by the winding number.
constexpr double min_cosine = 1e-6;
// Relative to the mesh's size: tolerance of the depth.
constexpr double depth_share = 1e-10;
constexpr std::size_t max_probes = 96;
// Relative to an interval: minimum distance of a split from its ends.
constexpr double min_split = 0.02;
// Relative to the line: a step to the other side of the deepest point.
constexpr double side_step = 1e-6;
// Relative to the line: offset behind a surface point from which the next one is searched.
constexpr double surface_step = 1e-10;
// Minimum change of depth per length that counts; also the minimum slope.
constexpr double min_rate = 1e-6;

Gap finished(Gap gap, const LineSegment& line) {
  gap.on_line = line.at(gap.t);
  gap.on_shape = gap.on_line - gap.distance * gap.normal;
  return gap;
}

}  // namespace

const Vec3& TriangleMesh::Data::pseudonormal(const TriangleTree::FoundPoint& found) const {
  const auto f = static_cast<std::size_t>(found.triangle);
  const TrianglePart& part = found.near.part;
  if (part.kind == TrianglePart::Kind::inside) return normals[f];
  const auto k = static_cast<std::size_t>(part.k);
  return part.kind == TrianglePart::Kind::side ? side_normals[f][k] : corner_normals[f][k];
}

// The sum of the triangles' solid angles over the whole sphere's (van Oosterom and Strackee 1983):
//   tan(Ω/2) = p · (q × r) / (pqr + (p·q) r + (q·r) p + (r·p) q).
double TriangleMesh::Data::winding(const Vec3& x) const {
  double half_angles = 0.0;
  for (int f = 0; f < tree.count(); ++f) {
    const Vec3 p = tree.triangle(f)[0] - x, q = tree.triangle(f)[1] - x, r = tree.triangle(f)[2] - x;
    const double lp = p.norm(), lq = q.norm(), lr = r.norm();
    half_angles += std::atan2(p.dot(q.cross(r)), lp * lq * lr + p.dot(q) * lr + q.dot(r) * lp + r.dot(p) * lq);
  }
  return half_angles / (2.0 * pi);
}

TriangleMesh::Data::Depth TriangleMesh::Data::depth_of(const Vec3& x, int likely) const {
  const TriangleTree::FoundPoint found = tree.nearest(x, likely);
  const Vec3 away = x - found.near.at;
  const double distance = away.norm();
  const Vec3& n = pseudonormal(found);
  if (distance <= resolved_share * size) return {0.0, n.squaredNorm() > 0.0 ? n : Vec3(Vec3::UnitY()), found.triangle};
  const double side = n.dot(away);
  const bool inside = std::fabs(side) > min_cosine * distance ? side < 0.0 : winding(x) > 0.5;
  return {inside ? distance : -distance, (inside ? -1.0 : 1.0) / distance * away, found.triangle};
}

bool TriangleMesh::Data::contains(const LineSegment& line, const Vec3& x, int likely) const {
  const BoundingBox& box = tree.box();
  for (const Vec3* end : {&line.a, &line.b, &x})
    if ((*end - box.low).minCoeff() < 0.0 || (box.high - *end).minCoeff() < 0.0) return false;
  return depth_of(x, likely).depth > 0.0;
}

namespace {

// The deepest point of a line in a solid, by branch and bound over intervals of t.
//
// The depth is at most the distance to any one triangle, which is convex along the line and so lies below its chord. So
// over an interval it is bounded by one linear function from each end; their intersection is the bound, and the next
// probe. Along a single face the bound is exact and one interval suffices. An interval with an end outside is cut where
// the line next meets the surface, and dropped if it does not.
template <class Data>
class DeepestPoint {
 public:
  DeepestPoint(const Data& data, const LineSegment& line)
      : data_(data), line_(line), u_(line.b - line.a), length_(u_.norm()) {}

  // `start` is probed first: where the line touches the surface, or its middle.
  Gap find(double start, int likely) {
    const Probe at_start = probe(start, likely);
    const Probe at_a = probe(0.0, at_start.triangle), at_b = probe(1.0, at_start.triangle);
    open(at_a, at_start);
    open(at_start, at_b);
    const double tolerance = depth_share * data_.size;
    while (count_ > 0 && probes_ < max_probes) {
      const auto top = std::max_element(list_.begin(), list_.begin() + count_,
                                        [](const Interval& i, const Interval& j) { return i.bound < j.bound; });
      if (!(top->bound > best_.depth + tolerance)) break;
      const Interval interval = *top;
      *top = list_[static_cast<std::size_t>(--count_)];
      const Probe middle = probe(interval.next, interval.left.triangle);
      open(interval.left, middle);
      open(middle, interval.right);
    }
    return described(at_a, at_b);
  }

 private:
  struct Probe {
    double t = 0.0;
    double depth = -infinity;
    Vec3 out = Vec3::UnitY();
    int triangle = -1;
  };
  struct Interval {
    Probe left, right;
    double bound = 0.0;
    double next = 0.0;
  };

  Probe probe(double t, int likely) {
    ++probes_;
    const typename Data::Depth depth = data_.depth_of(line_.at(t), likely);
    const Probe out{t, depth.depth, depth.out, depth.triangle};
    if (out.depth > best_.depth + rounding()) best_ = out;
    return out;
  }
  double rounding() const { return best_.triangle < 0 ? 0.0 : resolved_share * data_.size; }

  // The distance of `point` from the triangle nearest to `owner`.
  double limit(const Probe& owner, const Probe& point) const {
    return std::sqrt(nearest_to_point(line_.at(point.t), data_.tree.triangle(owner.triangle)).square);
  }

  void open(const Probe& left, const Probe& right) {
    const double width = right.t - left.t;
    if (!(width > 0.0) || probes_ >= max_probes) return;
    if (left.depth < 0.0 || right.depth < 0.0) return cut(left, right);
    const double slack_left = std::fmax(0.0, limit(right, left) - left.depth);
    const double rise = limit(left, right) - left.depth, slack_right = std::fmax(0.0, left.depth + rise - right.depth);
    const double both = slack_left + slack_right;
    const double share = both > 0.0 ? slack_left / both : 0.5;
    const double next = left.t + std::clamp(share, min_split, 1.0 - min_split) * width;
    list_[static_cast<std::size_t>(count_++)] = {left, right, left.depth + share * rise, next};
  }

  // Splits where the line meets the surface between its ends, if it does.
  void cut(const Probe& left, const Probe& right) {
    const double from = left.depth == 0.0 ? left.t + surface_step : left.t;
    const double to = right.depth == 0.0 ? right.t - surface_step : right.t;
    if (!(to > from)) return;
    const double touch = resolved_share * data_.size;
    const TriangleTree::Found found = data_.tree.nearest(LineSegment{line_.at(from), line_.at(to)}, touch * touch);
    if (found.triangle < 0) return;
    Probe surface = probe(from + found.near.t * (to - from), found.triangle);
    surface.depth = 0.0;
    surface.triangle = found.triangle;
    open(left, surface);
    open(surface, right);
  }

  // The mean of the outward directions on both sides of the deepest point that is perpendicular to the line.
  Gap described(const Probe& at_a, const Probe& at_b) {
    Gap out{.distance = -best_.depth, .t = best_.t, .normal = best_.out};
    const double rate = -u_.dot(best_.out);
    const bool increases = rate > min_rate * length_ && best_.t < 1.0;
    const bool decreases = rate < -min_rate * length_ && best_.t > 0.0;
    if (!(best_.depth > 0.0) || (!increases && !decreases)) return finished(out, line_);
    const double beside = std::clamp(best_.t + (increases ? side_step : -side_step), 0.0, 1.0);
    const Vec3 other = data_.depth_of(line_.at(beside), best_.triangle).out;
    const double other_rate = -u_.dot(other);
    if (!(rate * other_rate < 0.0)) return finished(out, line_);
    const double share = other_rate / (other_rate - rate);
    const Vec3 mean = share * best_.out + (1.0 - share) * other;
    out.slope = mean.norm();
    if (out.slope > min_rate) {
      out.normal = mean / out.slope;
    } else {  // straight through a plate: back towards the end that is less far through
      const bool towards_b = at_a.depth > at_b.depth;
      out.slope = 0.0;
      out.normal = (u_.dot(best_.out) > 0.0) == towards_b ? best_.out : other;
    }
    return finished(out, line_);
  }

  const Data& data_;
  const LineSegment& line_;
  const Vec3 u_;
  const double length_;
  Probe best_;
  std::array<Interval, max_probes + 3> list_;
  std::ptrdiff_t count_ = 0;
  std::size_t probes_ = 0;
};

// The shortest separating translation of a line that pierces a sheet.
template <class Data>
class SheetExit {
 public:
  SheetExit(const Data& data, const LineSegment& line) : data_(data), line_(line), u_(line.b - line.a) {}

  Gap find() {
    const double size = data_.size + u_.cwiseAbs().sum();
    const TriangleTree::FoundPoint from_a = data_.tree.nearest(line_.a), from_b = data_.tree.nearest(line_.b);
    const bool a_is_nearer = from_a.near.square <= from_b.near.square;
    const TriangleTree::FoundPoint& end = a_is_nearer ? from_a : from_b;
    const Vec3 back = end.near.at - (a_is_nearer ? line_.a : line_.b);
    Gap out{.distance = -back.norm(), .t = a_is_nearer ? 0.0 : 1.0};
    out.normal = -out.distance > resolved_share * size ? Vec3(back / -out.distance)
                                                       : towards(a_is_nearer ? u_ : Vec3(-u_), end.triangle);
    const TriangleTree::Found rim = data_.rim.nearest(line_, end.near.square);
    if (rim.triangle < 0) return finished(out, line_);
    const Vec3 over = rim.near.at - line_.at(rim.near.t);
    out.distance = -over.norm();
    out.t = rim.near.t;
    out.normal = -out.distance > resolved_share * size ? Vec3(over / -out.distance) : upward_across(u_);
    return finished(out, line_);
  }

 private:
  // The triangle's normal, oriented along `direction`.
  Vec3 towards(const Vec3& direction, int triangle) const {
    const Vec3& n = data_.normals[static_cast<std::size_t>(triangle)];
    if (!(n.squaredNorm() > 0.0)) return upward_across(u_);
    return n.dot(direction) < 0.0 ? Vec3(-n) : n;
  }

  const Data& data_;
  const LineSegment& line_;
  const Vec3 u_;
};

}  // namespace

bool TriangleMesh::solid() const { return data_->solid; }
int TriangleMesh::triangle_count() const { return data_->tree.count(); }
const Triangle& TriangleMesh::triangle(int k) const { return data_->tree.triangle(k); }
const BoundingBox& TriangleMesh::box() const { return data_->tree.box(); }

Gap TriangleMesh::gap(const LineSegment& line) const {
  const TriangleTree::Found found = data_->tree.nearest(line);
  const SegmentNearTriangle& near = found.near;
  const Vec3 u = line.b - line.a, x = line.a + near.t * u;
  const double distance = std::sqrt(near.square);
  const bool touches = !(distance > resolved_share * (data_->size + u.cwiseAbs().sum()));
  if (!data_->solid && touches) return SheetExit(*data_, line).find();
  if (data_->solid && (touches || data_->contains(line, x, found.triangle)))
    return DeepestPoint(*data_, line).find(touches ? near.t : 0.5, found.triangle);
  return finished({.distance = distance, .t = near.t, .normal = (x - near.at) / distance}, line);
}

}  // namespace limber
