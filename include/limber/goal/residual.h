// The input and output of a goal: the value of a handle, and the residual with its derivative.
#pragma once

#include <optional>

#include "limber/base/shape.h"
#include "limber/base/vector.h"

namespace limber {

// The value of a handle: element_count(shape) vectors.
struct HandleValue {
  Shape shape;
  const Vec3* x;

  const Vec3& operator[](int element) const { return x[element]; }
};

// A goal writes r and J = ∂r/∂x, where x stacks the elements of the handle. J is zero on entry.
struct Residual {
  Eigen::Map<VecX> r;
  Eigen::Map<MatX> J;

  // The derivative of the three rows from `row` on by one element.
  auto block(int row, int element) { return J.block<3, 3>(row, 3 * element); }
  // The derivative of a single row by one element.
  auto row(int row, int element) { return J.block<1, 3>(row, 3 * element); }
};

// How far a goal is from being met, in the units that apply to it.
struct GoalError {
  std::optional<double> metres;
  std::optional<double> radians;
  // Of a strength limit: the torque beyond what is permitted, in parts of what is permitted at the best angle.
  std::optional<double> overload = std::nullopt;
};

// The target of a goal that places, for one element of its handle: r = scale (x - target).
struct Placed {
  double scale = 0.0;
  Vec3 target = Vec3::Zero();
};

// ZB94 (8): c_d makes one metre as important as d degrees, so that c_d times a chord of the unit sphere is a length.
constexpr double per_metre(double angle_deg) { return 360.0 / (2.0 * pi * angle_deg); }
// One degree counts as much as one centimetre.
inline constexpr double default_c = per_metre(100.0);

// The angle between two unit vectors whose difference is `chord`.
inline double angle_of_chord(double chord) { return 2.0 * std::asin(std::fmin(1.0, 0.5 * chord)); }

}  // namespace limber
