// Comfort of a pose: how far each joint is outside its comfortable range, relative to its limit.
//
// A parameter θ with the limits l < u has a comfortable range [a, b] within them. Its discomfort is
//
//   d(θ) = s(t),   t = (θ - b) / (u - b) above b,   t = (a - θ) / (a - l) below a,   d = 0 between
//
// which is 0 in the comfortable range and 1 at the limit. s is smooth: s(t) = 0 for t <= 0 and, with the width w,
//
//   s(t) = t² / (2 w n)      up to w
//   s(t) = (t - w/2) / n     beyond,     n = 1 - w/2, so that s(1) = 1
//
// Comfort is max(0, 1 - d). For the whole pose it is 1 - D with D = √(Σ d² / N) over the N parameters that count.
//
// As residuals, r_j = d_j(θ_j): one row per parameter, with a diagonal Jacobian ∂r_j/∂θ_j. Both are continuous. In a
// problem this is a pull (towards_comfort() of problem/problem.h) with d_j in place of θ_j - t_j.
//
// Comfortable ranges: the class of least discomfort of each joint motion in Kee and Karwowski 2001 (LUBA); without one,
// halfway from rest to either limit, which is chosen. doc/assess.md lists them.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// w: the fraction of the distance to the limit over which discomfort sets in.                                 chosen
inline constexpr double comfort_onset = 0.25;

struct ComfortRange {
  std::string parameter;  // "elbow.flexion" for the left and the right one, or the full name
  double lower = 0.0;     // a, radians
  double upper = 0.0;     // b
};

// For the parameters of human() and simple_human().
std::vector<ComfortRange> human_comfort();

class JointComfort {
 public:
  // A parameter counts if it rotates, has two distinct limits, and does not move a root. Rejected: a range that is not
  // finite or has lower > upper.
  static Expected<JointComfort> make(const Figure& figure, const std::vector<ComfortRange>& ranges = human_comfort());

  // d and ∂d/∂θ of one parameter at the value x.
  struct Discomfort {
    double value = 0.0;
    double slope = 0.0;
  };
  Discomfort at(int parameter, double x) const;
  // r by parameter; 0 for those that do not count.
  void residual(const VecX& theta, VecX& r) const;
  // ∂r_j/∂θ_j, by parameter.
  void slope(const VecX& theta, VecX& derivative) const;
  // D, and ∂D/∂θ, which is set to 0 where D = 0.
  double discomfort(const VecX& theta) const;
  double discomfort(const VecX& theta, VecX& gradient) const;

  bool counts(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].counts; }
  int count() const { return count_; }
  int parameters() const { return static_cast<int>(ranges_.size()); }
  double lower(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].a; }
  double upper(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].b; }

 private:
  struct ParameterRange {
    bool counts = false;
    double l = 0.0, a = 0.0, b = 0.0, u = 0.0;
  };
  std::vector<ParameterRange> ranges_;
  int count_ = 0;
};

}  // namespace limber
