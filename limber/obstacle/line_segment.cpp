#include "limber/obstacle/line_segment.h"

#include <array>
#include <cmath>

namespace limber {

namespace {

// Sine of the angle below which two directions count as parallel.
constexpr double parallel_sine = 1e-8;
// Squared sine above which two directions are far from parallel.
constexpr double askew_square = 1e-6;
// Cosine of the angle to the vertical above which "up" gives no perpendicular direction.
constexpr double upright_cosine = 0.99;

double sum_of(const Vec3& v) { return v.cwiseAbs().sum(); }

// f on the four edges t = 0, t = 1, s = 0, s = 1 and inside.
struct FiveCases {
  std::array<NearestPair, 5> list;

  FiveCases(const Vec3& w, const Vec3& u, const Vec3& v) {
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
    const auto ratio = [](double part, double whole) {
      return whole > 0.0 ? std::fmin(1.0, std::fmax(0.0, part / whole)) : 0.0;
    };
    const auto value = [&](double t, double s) { return NearestPair{(w + t * u - s * v).squaredNorm(), t, s}; };
    list[0] = value(0.0, ratio(vw, vv));
    list[1] = value(1.0, ratio(vw + uv, vv));
    list[2] = value(ratio(-uw, uu), 0.0);
    list[3] = value(ratio(uv - uw, uu), 1.0);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > parallel_sine * parallel_sine * uu * vv)) return;
    // One more round, s for this t, t for that s, removes the rounding error of the determinant.
    const double s = ratio(vw + ratio(uv * vw - vv * uw, determinant) * uv, vv);
    list[4] = value(ratio(s * uv - uw, uu), s);
  }

  const NearestPair& minimum() const {
    std::size_t best = 4;
    for (std::size_t k = 0; k < 4; ++k)
      if (list[k].square < list[best].square) best = k;
    return list[best];
  }
};

// Far from parallel, f has one minimum: inside if that is feasible, else on an edge.
bool single_minimum(const Vec3& w, const Vec3& u, const Vec3& v, NearestPair& out) {
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > askew_square * uu * vv)) return false;
  const double inside = std::fmin(1.0, std::fmax(0.0, (uv * vw - vv * uw) / determinant));
  out.s = std::fmin(1.0, std::fmax(0.0, (vw + inside * uv) / vv));
  out.t = std::fmin(1.0, std::fmax(0.0, (out.s * uv - uw) / uu));
  out.square = (w + out.t * u - out.s * v).squaredNorm();
  return true;
}

// The minimum of f; ties are averaged.
NearestPair middle_pair(const Vec3& w, const Vec3& u, const Vec3& v, double rounding) {
  NearestPair out;
  if (single_minimum(w, u, v, out)) return out;
  const FiveCases cases(w, u, v);
  const double tie = std::sqrt(cases.minimum().square) + rounding;
  double ties = 0.0;
  for (const NearestPair& pair : cases.list)
    if (pair.square <= tie * tie) {
      out.t += pair.t;
      out.s += pair.s;
      ties += 1.0;
    }
  return {cases.minimum().square, out.t / ties, out.s / ties};
}

// n or -n: the one that points up, else to +X, else to +Z.
Vec3 upward(const Vec3& n) {
  for (const int k : {1, 0, 2})
    if (std::fabs(n[k]) > resolved_share) return n[k] > 0.0 ? n : Vec3(-n);
  return n;
}

// The perpendicular of two lines that cross.
Vec3 across(const Vec3& u, const Vec3& v, const Vec3& difference, double rounding) {
  const Vec3 cross = u.cross(v);
  const double sine = cross.norm(), uu = u.squaredNorm(), vv = v.squaredNorm();
  if (!(sine > parallel_sine * std::sqrt(uu * vv))) return upward_across(uu > vv ? u : v);
  const Vec3 n = cross / sine;
  const double side = n.dot(difference);
  if (std::fabs(side) > rounding) return side > 0.0 ? n : Vec3(-n);
  return upward(n);
}

}  // namespace

Vec3 upward_across(const Vec3& u) {
  const double length = u.norm();
  if (!(length > 0.0)) return Vec3::UnitY();
  const Vec3 along = u / length;
  const Vec3 up = std::fabs(along[1]) < upright_cosine ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX());
  return (up - up.dot(along) * along).normalized();
}

NearestPair nearest_pair(const Vec3& w, const Vec3& u, const Vec3& v) {
  NearestPair pair;
  return single_minimum(w, u, v, pair) ? pair : FiveCases(w, u, v).minimum();
}

LineSegmentGap gap(const LineSegment& first, const LineSegment& second) {
  const Vec3 u = first.b - first.a, v = second.b - second.a, w = first.a - second.a;
  const double size = sum_of(u) + sum_of(v) + sum_of(w);
  const NearestPair nearest = middle_pair(w, u, v, tie_share * size);
  LineSegmentGap out{.t = nearest.t, .s = nearest.s};
  const Vec3 difference = w + out.t * u - out.s * v;
  out.distance = difference.norm();
  out.normal = out.distance > resolved_share * size ? Vec3(difference / out.distance)
                                                    : across(u, v, difference, tie_share * size);
  out.on_first = first.a + out.t * u;
  out.on_second = second.a + out.s * v;
  return out;
}

Gap gap(const LineSegment& line, const Vec3& point) {
  const Vec3 u = line.b - line.a;
  Gap out;
  out.t = nearest_on(line.a, u, u.squaredNorm(), point);
  out.on_line = line.a + out.t * u;
  const Vec3 difference = out.on_line - point;
  out.distance = difference.norm();
  const bool resolved = out.distance > resolved_share * (sum_of(u) + sum_of(line.a - point));
  out.normal = resolved ? Vec3(difference / out.distance) : upward_across(u);
  out.on_shape = out.on_line - out.distance * out.normal;
  return out;
}

}  // namespace limber
