#include "limber/goal/region.h"

namespace limber {

void AimAt::evaluate(const HandleValue& e, Residual& out) const {
  const Vec3 d = p - e[0];
  const double length = d.norm();
  if (length <= std::numeric_limits<double>::min()) {
    out.r.setZero();
    return;
  }
  const Vec3 n = d / length;
  out.r = c * (n - e[1]);
  out.block(0, 0) = (c / length) * (n * n.transpose() - Mat3::Identity());
  out.block(0, 1).diagonal().setConstant(-c);
}

GoalError AimAt::error(const HandleValue& e) const {
  const Vec3 d = p - e[0];
  const double length = d.norm();
  return {{}, length <= std::numeric_limits<double>::min() ? 0.0 : angle_of_chord((d / length - e[1]).norm())};
}

void AimAt::check(GoalCheck& is) const {
  is.finite(p, "point");
  is.at_least_zero(c, "c");
}

Vec3 Line::across(const Vec3& x) const { return (x - p) - v.dot(x - p) * v; }

void Line::evaluate(const HandleValue& x, Residual& out) const {
  out.r = across(x[0]);
  out.block(0, 0) = Mat3::Identity() - v * v.transpose();
}

GoalError Line::error(const HandleValue& x) const { return {across(x[0]).norm(), {}}; }

void Line::check(GoalCheck& is) {
  is.finite(p, "point");
  is.unit(v, "direction");
}

void Plane::evaluate(const HandleValue& x, Residual& out) const {
  out.r[0] = v.dot(x[0] - p);
  out.row(0, 0) = v.transpose();
}

GoalError Plane::error(const HandleValue& x) const { return {std::fabs(v.dot(x[0] - p)), {}}; }

void Plane::check(GoalCheck& is) {
  is.finite(p, "point");
  is.unit(v, "normal");
}

double HalfSpace::depth(const Vec3& x) const { return std::fmax(0.0, v.dot(p - x)); }

void HalfSpace::evaluate(const HandleValue& x, Residual& out) const {
  out.r[0] = depth(x[0]);
  if (out.r[0] > 0.0) out.row(0, 0) = -v.transpose();
}

GoalError HalfSpace::error(const HandleValue& x) const { return {depth(x[0]), {}}; }

void HalfSpace::check(GoalCheck& is) {
  is.finite(p, "point");
  is.unit(v, "normal");
}

Vec3 Distance::away(const Vec3& x) const {
  const double length = (x - p).norm();
  return length > std::numeric_limits<double>::min() ? Vec3((x - p) / length) : Vec3(Vec3::UnitY());
}

double Distance::violation(const Vec3& x) const {
  const double excess = (x - p).norm() - d;
  return bound == Bound::equal ? excess : std::fmax(0.0, bound == Bound::at_most ? excess : -excess);
}

void Distance::evaluate(const HandleValue& x, Residual& out) const {
  out.r[0] = violation(x[0]);
  if (bound == Bound::equal || out.r[0] > 0.0)
    out.row(0, 0) = (bound == Bound::at_least ? -1.0 : 1.0) * away(x[0]).transpose();
}

GoalError Distance::error(const HandleValue& x) const { return {std::fabs(violation(x[0])), {}}; }

void Distance::check(GoalCheck& is) const {
  is.finite(p, "point");
  is.at_least_zero(d, "distance");
}

double Face::outside(const Vec3& x) const { return v.dot(x - p); }

void InsidePolyhedron::evaluate(const HandleValue& x, Residual& out) const {
  for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
    out.r[i] = std::fmax(0.0, faces[i].outside(x[0]));
    if (out.r[i] > 0.0) out.row(i, 0) = faces[i].v.transpose();
  }
}

GoalError InsidePolyhedron::error(const HandleValue& x) const {
  double depth = 0.0;
  for (const Face& face : faces) depth = std::fmax(depth, face.outside(x[0]));
  return {depth, {}};
}

void InsidePolyhedron::check(GoalCheck& is) { limber::check(faces, is); }

int OutsidePolyhedron::nearest(const Vec3& x) const {
  int best = 0;
  for (int i = 1; i < static_cast<int>(faces.size()); ++i)
    if (faces[i].outside(x) > faces[best].outside(x)) best = i;
  return best;
}

void OutsidePolyhedron::evaluate(const HandleValue& x, Residual& out) const {
  const Face& face = faces[nearest(x[0])];
  out.r[0] = std::fmax(0.0, -face.outside(x[0]));
  if (out.r[0] > 0.0) out.row(0, 0) = -face.v.transpose();
}

GoalError OutsidePolyhedron::error(const HandleValue& x) const {
  return {std::fmax(0.0, -faces[nearest(x[0])].outside(x[0])), {}};
}

void OutsidePolyhedron::check(GoalCheck& is) { limber::check(faces, is); }

void InsideCapsule::evaluate(const HandleValue& x, Residual& out) const {
  const Vec3 d = capsule.away(x[0]);
  const double length = d.norm();
  out.r[0] = std::fmax(0.0, length - capsule.radius);
  if (out.r[0] > 0.0) out.row(0, 0) = d.transpose() / length;
}

GoalError InsideCapsule::error(const HandleValue& x) const {
  return {std::fmax(0.0, capsule.away(x[0]).norm() - capsule.radius), {}};
}

void InsideCapsule::check(GoalCheck& is) const { limber::check(capsule, is); }

void OutsideCapsule::evaluate(const HandleValue& x, Residual& out) const {
  const Vec3 d = capsule.away(x[0]);
  const double length = d.norm();
  out.r[0] = std::fmax(0.0, capsule.radius - length);
  if (out.r[0] <= 0.0) return;
  const Vec3 n = length > std::numeric_limits<double>::min() ? Vec3(d / length) : Vec3(Vec3::UnitY());
  out.row(0, 0) = -n.transpose();
}

GoalError OutsideCapsule::error(const HandleValue& x) const {
  return {std::fmax(0.0, capsule.radius - capsule.away(x[0]).norm()), {}};
}

void OutsideCapsule::check(GoalCheck& is) const { limber::check(capsule, is); }

}  // namespace limber
