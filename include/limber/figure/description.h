// A figure as plain data, from a file or a program.                                       ZB94 section 3, W93 2.1.2
// `build_figure` (figure.h) validates it and makes the constant Figure that everything else uses.
//
// A joint places its child segment in its parent segment by a sequence of degrees of freedom:
//
//   X_parent_child = in_parent · D_1(q_1) · D_2(q_2) · … · in_child⁻¹
//
// where D(q) rotates by q about a unit axis or translates by q along it. A segment without a joint is fixed in the
// world; a joint without a parent connects its child to the world (free_root() has six DOF).
//
// The solver moves parameters θ. A freedom that no group drives is its own parameter, named "joint.freedom".
// A group has a few parameters, named "group.parameter", and drives freedoms: q_i = Σ_j f_ij(θ_j).
// Limits on parameters: boxes, and linear rows  Σ c_j θ_j = b  or  Σ c_j θ_j <= b.                      ZB94 (23)
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "limber/base/vector.h"

namespace limber {

// --- A joint's share of a group parameter: q = f(θ) with f'(θ).      ZB94 section 12, joint groups
//
//   linear   f(θ) = slope θ
//   smooth   a monotone piecewise cubic through knots (θ_k, q_k), C¹, straight beyond the outer knots.
//            Slopes at the knots by Fritsch and Carlson (1980): the harmonic mean of the neighbouring
//            secants where they agree in sign, else 0, so f has no extremum between two knots.

class Curve {
 public:
  struct Sample {
    double value;
    double slope;
  };
  struct Knot {
    double theta;
    double value;
  };

  static Curve linear(double slope) {
    Curve curve;
    curve.slope_ = slope;
    return curve;
  }

  // At least two knots with increasing theta; build_figure() rejects others.
  static Curve smooth(std::vector<Knot> knots);

  bool is_linear() const { return knots_.empty(); }
  double slope() const { return slope_; }
  const std::vector<Knot>& knots() const { return knots_; }

  Sample operator()(double theta) const {
    if (is_linear()) return {slope_ * theta, slope_};
    if (theta <= knots_.front().theta) return straight(knots_.front(), slopes_.front(), theta);
    if (theta >= knots_.back().theta) return straight(knots_.back(), slopes_.back(), theta);
    std::size_t k = 0;
    while (theta >= knots_[k + 1].theta) ++k;
    // Cubic Hermite on [θ_k, θ_k+1] with t in [0, 1].
    const double h = knots_[k + 1].theta - knots_[k].theta;
    const double t = (theta - knots_[k].theta) / h;
    const double y0 = knots_[k].value, y1 = knots_[k + 1].value;
    const double m0 = h * slopes_[k], m1 = h * slopes_[k + 1];
    const double a = 2.0 * (y0 - y1) + m0 + m1;
    const double b = 3.0 * (y1 - y0) - 2.0 * m0 - m1;
    return {y0 + t * (m0 + t * (b + t * a)), (m0 + t * (2.0 * b + t * 3.0 * a)) / h};
  }

  // Min and max over lower <= θ <= upper: at the ends or at a knot between them.
  std::pair<double, double> range(double lower, double upper) const;

 private:
  static Sample straight(const Knot& knot, double slope, double theta) {
    return {slope == 0.0 ? knot.value : knot.value + slope * (theta - knot.theta), slope};
  }

  double slope_ = 1.0;
  std::vector<Knot> knots_;     // empty: linear
  std::vector<double> slopes_;  // at the knots
};

// Limits and weights of a parameter.
struct Range {
  double lower = -infinity;
  double upper = infinity;
  double rest = 0.0;
  double rigidity = 0.0;   // 0 free … 1 does not move                                          ZB94 section 11
  double stiffness = 1.0;  // above 0: one of 4 moves a quarter as far for the same pull               W93 (4.11)
};

enum class Motion { rotate, translate };

struct FreedomDescription {
  std::string name;
  Motion motion = Motion::rotate;
  Vec3 axis = Vec3::UnitX();  // in the frame after the preceding freedoms; normalized
  Range range = {};
};

struct JointDescription {
  std::string name;
  std::string parent;  // segment; empty: the world
  std::string child;   // segment
  Frame in_parent = {};
  Frame in_child = {};
  std::vector<FreedomDescription> freedoms = {};
};

struct SegmentDescription {
  std::string name;
  double mass = 0.0;                // kg
  Vec3 mass_centre = Vec3::Zero();  // in the segment
  std::string object = {};          // file name of its appearance                                      W93 6.1.1
  Mat3 inertia = Mat3::Zero();      // about the mass centre, in segment axes, kg m²; passed on, not used
};

// The polygons of such a file, as triangles.
struct SegmentObject {
  std::string segment;
  std::vector<Vec3> vertices = {};  // in the segment, metres
  std::vector<std::array<int, 3>> triangles = {};
};

// A named frame on a segment. Its x axis is its pointing direction: the gaze, the normal of a palm.
struct SiteDescription {
  std::string name;
  std::string segment;
  Frame frame = {};
};

struct GroupParameter {
  std::string name;
  Range range = {};
};

struct GroupTerm {
  std::string parameter;  // of this group
  Curve curve = Curve::linear(1.0);
};

struct GroupDriver {
  std::string joint;
  std::string freedom;
  std::vector<GroupTerm> terms = {};
};

struct GroupDescription {
  std::string name;
  std::vector<GroupParameter> parameters = {};
  std::vector<GroupDriver> drivers = {};
};

enum class Relation { equal, at_most };

struct LimitTerm {
  std::string parameter;
  double coefficient = 1.0;
};

struct LimitDescription {
  std::string name;
  std::vector<LimitTerm> terms = {};
  Relation relation = Relation::at_most;
  double bound = 0.0;
};

// Two segments that are mirror images of each other; an unpaired segment is its own mirror image.
struct MirrorPair {
  std::string left;
  std::string right;
};

// A pose prior learned from motion (motion/learn.h): mean, standard deviation and correlation of parameters, and the up
// direction of a segment. No terms: no prior.                                          W93 7.2, ZB94 section 12
struct PriorTerm {
  std::string parameter;
  double mean = 0.0;
  double spread = 1.0;      // standard deviation, above 0
  bool translates = false;  // in metres, else in radians
};

struct PriorDescription {
  std::vector<PriorTerm> terms = {};
  MatX correlation = {};        // of the terms, positive definite; empty: they are independent
  std::string up_segment = {};  // empty: no up direction
  Vec3 up = Vec3::UnitY();      // in the segment
  double up_spread = 1.0;       // radians, above 0

  bool empty() const { return terms.empty() && up_segment.empty(); }
};

struct FigureDescription {
  std::string name;
  std::vector<SegmentDescription> segments = {};
  std::vector<JointDescription> joints = {};
  std::vector<SiteDescription> sites = {};
  std::vector<GroupDescription> groups = {};
  std::vector<LimitDescription> limits = {};
  std::vector<MirrorPair> mirror_pairs = {};
  Vec3 mirror_normal = Vec3::UnitX();  // of the plane of symmetry, through the origin at rest
  PriorDescription prior = {};
};

// Six unlimited DOF that place `child` in the world: x y z, then rotations about y, x, z.
JointDescription free_root(std::string name, std::string child);

// A convex polygon over two parameters as limit rows "name 0", "name 1", …; corners counter-clockwise.
std::vector<LimitDescription> polygon_limits(const std::string& name, const std::string& parameter_x,
                                             const std::string& parameter_y,
                                             const std::vector<Eigen::Vector2d>& corners);

}  // namespace limber
