#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "limber/base/number.h"
#include "limber/motion/path.h"

namespace limber {

namespace {

// Relative to the diagonal of the points' bounding box: nearer points coincide.
constexpr double point_tolerance = 1e-12;
// Relative to the curve length: agreement of the two halves of a span with the whole, and of s(u) with s. Far below the
// promised 1e-9, since quadrature and Newton's method gain several digits in their last step.
constexpr double length_tolerance = 1e-12;
// A span halved this often is negligible.
constexpr int max_halvings = 40;
// Newton's method needs a few steps; else its bracket is halved down to the last digit.
constexpr int max_steps = 60;
// Relative to the coefficients of a piece: a smaller derivative has no direction.
constexpr double direction_tolerance = 1e-12;

struct Node {
  double x;
  double weight;
};
// 8-point Gauss-Legendre nodes in [0, 1]; those in [-1, 0] are symmetric. Exact for polynomials of degree 15.
constexpr std::array nodes = {
    Node{0.1834346424956498, 0.3626837833783620}, Node{0.5255324099163290, 0.3137066458778873},
    Node{0.7966664774136267, 0.2223810344533745}, Node{0.9602898564975363, 0.1012285362903763}};

// The points without repetitions, and for each given point its index among them.
struct Distinct {
  std::vector<Vec3> points;
  std::vector<std::size_t> index;
};

Distinct without_repetitions(const std::vector<Vec3>& points, bool closed, double near) {
  Distinct out;
  for (const Vec3& p : points) {
    if (out.points.empty() || (p - out.points.back()).norm() > near) out.points.push_back(p);
    out.index.push_back(out.points.size() - 1);
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
  if (!std::isfinite(extent)) return reject("curve", "points too far apart", "a finite length");
  const Distinct distinct = without_repetitions(points, closed, point_tolerance * extent);
  if (distinct.points.size() < 2) return reject("curve", "points that all coincide", "at least two distinct ones");

  SpaceCurve curve;
  curve.closed_ = closed;
  if (kind == Kind::straight)
    curve.add_straight(distinct.points);
  else
    curve.add_spline(distinct.points);
  double estimate = 0.0;
  for (const Piece& piece : curve.pieces_) estimate += piece.arc_length(0.0, 1.0);
  if (!std::isfinite(estimate)) return reject("curve", "points too far apart", "a finite length");
  std::vector<double> knot_arc_length = {0.0};
  for (std::size_t i = 0; i < curve.pieces_.size(); ++i) {
    curve.measure(static_cast<int>(i), 0.0, 1.0, curve.pieces_[i].arc_length(0.0, 1.0), length_tolerance * estimate, 0);
    knot_arc_length.push_back(curve.length_);
  }
  for (const std::size_t i : distinct.index) curve.point_arc_length_.push_back(knot_arc_length[i]);
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
double SpaceCurve::Piece::arc_length(double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0;
  for (const Node& node : nodes)
    sum += node.weight * (derivative(middle - half * node.x).norm() + derivative(middle + half * node.x).norm());
  return half * sum;
}

// Where the curve reverses at an end of the piece, x' = 0, and x'' gives the direction.
Vec3 SpaceCurve::Piece::tangent(double u) const {
  const Vec3 along = derivative(u);
  const double scale = c1.norm() + c2.norm() + c3.norm();
  if (along.norm() > direction_tolerance * scale) return along.normalized();
  const Vec3 second = 2.0 * c2 + 6.0 * u * c3;
  return (u < 0.5 ? second : Vec3(-second)).normalized();
}

// Adds the spans of a piece from u0 to u1; `whole` is its quadrature.
void SpaceCurve::measure(int piece, double u0, double u1, double whole, double tolerance, int halvings) {
  const double middle = 0.5 * (u0 + u1);
  const double first = pieces_[static_cast<std::size_t>(piece)].arc_length(u0, middle);
  const double second = pieces_[static_cast<std::size_t>(piece)].arc_length(middle, u1);
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
      std::upper_bound(spans_.begin() + 1, spans_.end(), s, [](double x, const Span& span) { return x < span.s; });
  const Span& span = *(after - 1);
  const Piece& piece = pieces_[static_cast<std::size_t>(span.piece)];
  const double target = s - span.s, end = after == spans_.end() ? length_ : after->s;

  double lower = span.u0, upper = span.u1;
  double u = lower + (upper - lower) * std::fmin(1.0, target / (end - span.s));
  for (int step = 0; step < max_steps; ++step) {
    const double error = piece.arc_length(span.u0, u) - target;
    if (std::fabs(error) <= length_tolerance * length_) break;
    (error > 0.0 ? upper : lower) = u;
    u -= error / piece.derivative(u).norm();
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
