// Comfort of a pose: how far every joint is from where it is comfortable, on the way to its limit.
//
// A parameter θ with the limits l < u has a comfortable range [a, b] within them. Its discomfort is
//
//   d(θ) = s(t),   t = (θ - b) / (u - b) above b,   t = (a - θ) / (a - l) below a,   d = 0 between
//
// so that it is 0 while comfortable and 1 at the limit. s is smooth: s(t) = 0 for t <= 0 and, with the width w,
//
//   s(t) = t² / (2 w n)      up to w
//   s(t) = (t - w/2) / n     beyond,     n = 1 - w/2, so that s(1) = 1
//
// Comfort is 1 - d, not below 0. Of the whole pose: D = √(Σ d² / N) over the N parameters that count, and 1 - D.
//
// As residuals, r_j = d_j(θ_j): one row a parameter, and a diagonal Jacobian ∂r_j/∂θ_j. Both are continuous. A problem
// can hold that as a pull (towards_comfort() of problem/problem.h): d_j stands where others have θ_j - t_j.
//
// Where the comfortable ranges come from: the class of least discomfort of each joint motion in Kee and Karwowski 2001
// (LUBA); where that has none, from the rest halfway to either limit, which is chosen. doc/assess.md lists them.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// w: the part of the way to the limit over which discomfort sets in.                                          chosen
inline constexpr double comfort_onset = 0.25;

struct ComfortRange {
  std::string parameter;  // "elbow.flexion": of the left and the right one; or the whole name
  double lower = 0.0;     // a, radians
  double upper = 0.0;     // b
};

// For the parameters of human() and simple_human().
std::vector<ComfortRange> human_comfort();

class JointComfort {
 public:
  // Parameters count that turn, have two limits with something between, and do not carry a root. Rejected: a range that
  // is not finite or whose ends are exchanged.
  static Expected<JointComfort> make(const Figure& figure, const std::vector<ComfortRange>& ranges = human_comfort());

  // d and ∂d/∂θ of one parameter at the value x.
  struct Discomfort {
    double value = 0.0;
    double slope = 0.0;
  };
  Discomfort at(int parameter, double x) const;
  // d, or r, by parameter; 0 for those that do not count.
  void residual(const VecX& theta, VecX& r) const;
  // ∂r_j/∂θ_j, by parameter.
  void slope(const VecX& theta, VecX& derivative) const;
  // D, and ∂D/∂θ: where D is 0 it has none, and 0 stands for it.
  double discomfort(const VecX& theta) const;
  double discomfort(const VecX& theta, VecX& gradient) const;

  bool counts(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].counts; }
  int count() const { return count_; }
  int parameters() const { return static_cast<int>(ranges_.size()); }
  double lower(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].a; }
  double upper(int parameter) const { return ranges_[static_cast<std::size_t>(parameter)].b; }

 private:
  struct OfParameter {
    bool counts = false;
    double l = 0.0, a = 0.0, b = 0.0, u = 0.0;
  };
  std::vector<OfParameter> ranges_;
  int count_ = 0;
};

}  // namespace limber
