#include "limber/motion/space_curve.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "limber/base/number.h"

namespace limber {

namespace {

// Of the diagonal of the box around all points: nearer to the one before it, a point is the same.
constexpr double same_point = 1e-12;
// Of the length of the curve: how well the two halves of a span agree with the whole, and s(u) with s. Both are far
// below the 1e-9 that is promised, since quadrature and Newton's method gain several digits in their last step.
constexpr double agreement = 1e-12;
// A span this often halved is too short to matter.
constexpr int max_halvings = 40;
// Newton's method needs a few steps; where it needs more, its bracket is halved as often as there are digits.
constexpr int max_steps = 60;
// Of the coefficients of a piece: a derivative below this has no direction of its own.
constexpr double no_direction = 1e-12;

struct Node {
  double x;
  double weight;
};
// Gauss and Legendre's points in [0, 1] and their mirror images in [-1, 0]: exact for polynomials of degree 15.
constexpr std::array nodes = {
    Node{0.1834346424956498, 0.3626837833783620}, Node{0.5255324099163290, 0.3137066458778873},
    Node{0.7966664774136267, 0.2223810344533745}, Node{0.9602898564975363, 0.1012285362903763}};

// The points without repetitions, and the number among them of each point given.
struct Distinct {
  std::vector<Vec3> points;
  std::vector<std::size_t> number;
};

Distinct without_repetitions(const std::vector<Vec3>& points, bool closed, double near) {
  Distinct out;
  for (const Vec3& p : points) {
    if (out.points.empty() || (p - out.points.back()).norm() > near) out.points.push_back(p);
    out.number.push_back(out.points.size() - 1);
  }
  // A closed curve returns to its first point by itself.
  if (closed && out.points.size() > 1 && (out.points.back() - out.points.front()).norm() <= near) out.points.pop_back();
  return out;
}

double diagonal(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  return box.diagonal().norm();
}

}  // namespace

Expected<SpaceCurve> SpaceCurve::make(const std::vector<Vec3>& points, bool closed, Kind kind) {
  for (std::size_t k = 0; k < points.size(); ++k)
    if (!points[k].allFinite())
      return reject("curve, point " + std::to_string(k),
                    to_text(points[k].x()) + " " + to_text(points[k].y()) + " " + to_text(points[k].z()),
                    "three finite numbers");
  if (points.size() < 2) return reject("curve", std::to_string(points.size()) + " points", "at least two");
  const double extent = diagonal(points);
  if (!std::isfinite(extent)) return reject("curve", "points too far apart for a number", "a finite length");
  const Distinct distinct = without_repetitions(points, closed, same_point * extent);
  if (distinct.points.size() < 2) return reject("curve", "points that are all the same", "at least two different ones");

  SpaceCurve curve;
  curve.closed_ = closed;
  if (kind == Kind::straight)
    curve.add_straight(distinct.points);
  else
    curve.add_spline(distinct.points);
  double about = 0.0;
  for (const Piece& piece : curve.pieces_) about += piece.way(0.0, 1.0);
  if (!std::isfinite(about)) return reject("curve", "points too far apart for a number", "a finite length");
  std::vector<double> way_to_knot = {0.0};
  for (std::size_t i = 0; i < curve.pieces_.size(); ++i) {
    curve.measure(static_cast<int>(i), 0.0, 1.0, curve.pieces_[i].way(0.0, 1.0), agreement * about, 0);
    way_to_knot.push_back(curve.length_);
  }
  for (const std::size_t i : distinct.number) curve.way_to_point_.push_back(way_to_knot[i]);
  return curve;
}

void SpaceCurve::add_straight(const std::vector<Vec3>& p) {
  const std::size_t n = p.size(), count = closed_ ? n : n - 1;
  for (std::size_t i = 0; i < count; ++i) pieces_.push_back({p[i], p[(i + 1) % n] - p[i], Vec3::Zero(), Vec3::Zero()});
}

void SpaceCurve::add_spline(const std::vector<Vec3>& p) {
  const std::size_t n = p.size(), count = closed_ ? n : n - 1;
  if (count == 1) return add_straight(p);
  std::vector<double> d(count);
  std::vector<Vec3> s(count), m(n);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 chord = p[(i + 1) % n] - p[i];
    d[i] = std::sqrt(chord.norm());
    s[i] = chord / d[i];
  }
  for (std::size_t i = closed_ ? 0 : 1; i < count; ++i) {
    const std::size_t before = i == 0 ? count - 1 : i - 1;
    m[i] = (d[i] * s[before] + d[before] * s[i]) / (d[before] + d[i]);
  }
  if (!closed_) {
    // A parabola's slope over an interval is the mean of those at its ends.
    m[0] = 2.0 * s[0] - m[1];
    m[n - 1] = 2.0 * s[count - 1] - m[n - 2];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 chord = d[i] * s[i];
    const Vec3 begin = d[i] * m[i], end = d[i] * m[(i + 1) % n];
    pieces_.push_back({p[i], begin, 3.0 * chord - 2.0 * begin - end, begin + end - 2.0 * chord});
  }
}

// ∫ ‖x'(u)‖ du.
double SpaceCurve::Piece::way(double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0;
  for (const Node& node : nodes)
    sum += node.weight * (derivative(middle - half * node.x).norm() + derivative(middle + half * node.x).norm());
  return half * sum;
}

// Where the way turns back at an end of the piece, x' = 0 there, and x'' says where it goes or comes from.
Vec3 SpaceCurve::Piece::tangent(double u) const {
  const Vec3 along = derivative(u);
  const double scale = c1.norm() + c2.norm() + c3.norm();
  if (along.norm() > no_direction * scale) return along.normalized();
  const Vec3 turning = 2.0 * c2 + 6.0 * u * c3;
  return (u < 0.5 ? turning : Vec3(-turning)).normalized();
}

// Adds the spans of a piece from u0 to u1, over which the quadrature is `whole`.
void SpaceCurve::measure(int piece, double u0, double u1, double whole, double tolerance, int halvings) {
  const double middle = 0.5 * (u0 + u1);
  const double first = pieces_[static_cast<std::size_t>(piece)].way(u0, middle);
  const double second = pieces_[static_cast<std::size_t>(piece)].way(middle, u1);
  if (std::fabs(first + second - whole) <= tolerance || halvings == max_halvings) {
    spans_.push_back({length_, u0, u1, piece});
    length_ += whole;
    return;
  }
  measure(piece, u0, middle, first, tolerance, halvings + 1);
  measure(piece, middle, u1, second, tolerance, halvings + 1);
}

SpaceCurve::Spot SpaceCurve::find(double s) const {
  assert(std::isfinite(s));
  if (closed_) {
    s = std::fmod(s, length_);
    if (s < 0.0) s += length_;
  }
  s = std::clamp(s, 0.0, length_);
  const auto after =
      std::upper_bound(spans_.begin() + 1, spans_.end(), s, [](double way, const Span& span) { return way < span.s; });
  const Span& span = *(after - 1);
  const Piece& piece = pieces_[static_cast<std::size_t>(span.piece)];
  const double target = s - span.s, end = after == spans_.end() ? length_ : after->s;

  double lower = span.u0, upper = span.u1;
  double u = lower + (upper - lower) * std::fmin(1.0, target / (end - span.s));
  for (int step = 0; step < max_steps; ++step) {
    const double off = piece.way(span.u0, u) - target;
    if (std::fabs(off) <= agreement * length_) break;
    (off > 0.0 ? upper : lower) = u;
    u -= off / piece.derivative(u).norm();
    if (!(u > lower && u < upper)) u = 0.5 * (lower + upper);
  }
  return {piece, u};
}

Vec3 SpaceCurve::at(double s) const {
  const Spot spot = find(s);
  return spot.piece.at(spot.u);
}

Vec3 SpaceCurve::tangent(double s) const {
  const Spot spot = find(s);
  return spot.piece.tangent(spot.u);
}

}  // namespace limber
