// A figure: a tree of segments, joints, parameters, limits; validated and constant.
//
// Segments are numbered in depth-first order, so that a subtree is the range [s, segment(s).subtree_end) and a parent
// comes before its children. Joint s carries segment s. Freedoms (joint angles q) are numbered in the same order.
// Parameters θ drive freedoms: q = T(θ).
//
// A Figure is a cheap handle to shared constant data; copying it costs a reference count.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/shape.h"
#include "limber/base/vector.h"
#include "limber/figure/description.h"

namespace limber {

// --- A handle is a geometric quantity of a figure, the input of a goal.       ZB94 section 4 (1), (2)
//
// It is a list of one to three elements of R³: a point of a segment, a direction fixed to a segment, or the centre of
// mass; or the difference of two such elements. A frame is a point and two directions, which is the paper's e(θ) in R³
// × S² × S². A handle names places on the figure; kinematics/ computes it.

struct Element {
  enum class Kind { point, direction, mass_centre };
  Kind kind = Kind::point;
  int segment = 0;            // of a centre of mass: the first segment that counts
  Vec3 local = Vec3::Zero();  // in the segment; a unit vector for a direction
  int segment_end = 0;        // of a centre of mass: one past the last; 0: all segments of the figure count
};

struct Handle {
  std::string name;
  Shape shape = Shape::point;
  std::array<Element, max_elements> plus = {};
  std::array<Element, max_elements> minus = {};  // subtracted from the first minus_count elements
  int minus_count = 0;

  int count() const { return element_count(shape); }
};

// a - b, element by element: zero where the two coincide. `b` may have fewer elements than `a`: then only the leading
// ones are subtracted, so difference(ray, point) is a ray seen from a moving point. Rejected if the kinds of the
// elements differ, or a or b is itself a difference.
Expected<Handle> difference(const Expected<Handle>& a, const Expected<Handle>& b);

// Two or three points as one handle: its value is a list of points, for a goal of your own over several places
// (CustomGoal). Each is a point, or the centre of mass. Rejected: another number of them, other shapes, and
// differences.
Expected<Handle> together(const std::vector<Expected<Handle>>& points);  // W93 5.3.2, 5.3.3

// The part of a handle with the given shape: a frame contains a point, a ray, and one or two directions; a ray contains
// a point and a direction.
Expected<Handle> part(const Handle& handle, Shape shape);

inline constexpr int no_parent = -1;
inline constexpr int no_group = -1;

struct Segment {
  std::string name;
  int parent = no_parent;  // segment, or no_parent for the world
  int subtree_end = 0;     // one past the last segment below this one
  double mass = 0.0;
  Vec3 mass_centre = Vec3::Zero();
};

struct Joint {
  std::string name;
  Frame in_parent;
  Frame in_child;
  Frame in_child_inverse;
  bool turns_in_parent = false;  // in_parent has a rotation other than the identity
  bool turns_in_child = false;
  int freedom_begin = 0;
  int freedom_end = 0;
};

struct Term {
  int parameter = 0;
  Curve curve;
};

struct Freedom {
  std::string name;  // "joint.freedom"
  int joint = 0;
  Motion motion = Motion::rotate;
  Vec3 axis = Vec3::UnitX();
  double lower = -infinity;
  double upper = infinity;
  int term_begin = 0;  // into Figure::terms(): q = Σ curve(θ)
  int term_end = 0;
};

struct Parameter {
  std::string name;                    // "joint.freedom" or "group.parameter"
  std::string lower_name, upper_name;  // names of its limits, for reports
  Range range;
  int group = no_group;
  bool translates = false;  // in metres, else in radians
  std::vector<int> drives;  // indices of freedoms
};

// Σ coefficients · θ <= bound, or = bound.
struct LimitRow {
  std::string name;
  std::vector<int> parameters;
  std::vector<double> coefficients;
  Relation relation = Relation::at_most;
  double bound = 0.0;
};

struct Site {
  std::string name;
  int segment = 0;
  Frame frame;
};

struct Group {
  std::string name;
  std::vector<int> parameters;
};

// In the mirror image of a pose, `parameter` takes this one's value times `sign`.
struct MirrorImage {
  int parameter = 0;
  double sign = 1.0;
};

// The values of a figure's parameters.
struct Pose {
  VecX theta;
};

struct FigurePart;

class Figure {
 public:
  struct Data;

  const std::string& name() const;
  const std::vector<Segment>& segments() const;
  const std::vector<Joint>& joints() const;  // joint s carries segment s
  const std::vector<Freedom>& freedoms() const;
  const std::vector<Term>& terms() const;
  const std::vector<Parameter>& parameters() const;
  const std::vector<LimitRow>& limit_rows() const;
  const std::vector<Site>& sites() const;
  const std::vector<Group>& groups() const;
  const std::vector<MirrorImage>& mirror() const;  // one per parameter; empty without mirror pairs
  const FigureDescription& description() const;
  const std::vector<FigurePart>& parts() const;  // of join_figures() (join.h); else empty
  double mass() const;
  // The longest path from a root to a joint or site along the bones, in metres. Without bones: the distance of the
  // farthest mass centre or the longest translation; 1 for a figure without extent.
  double length() const;

  // Names to indices. The error for an unknown name suggests similar ones.
  Expected<int> find_segment(std::string_view name) const;
  Expected<int> find_parameter(std::string_view name) const;
  // The start of a chain: a joint, a segment or site (the joint that carries it), or a group (its joint nearest the
  // root).
  Expected<int> find_joint(std::string_view name) const;

  // Handles at a place: a site, a segment (its origin) or a joint (its centre). A place points along its x axis.
  Expected<Handle> point(std::string_view place) const;
  Expected<Handle> direction(std::string_view place, const Vec3& local = Vec3::UnitX()) const;
  Expected<Handle> ray(std::string_view place) const;
  Expected<Handle> frame(std::string_view place) const;
  Expected<Handle> mass_centre() const;
  Expected<Handle> mass_centre_of(std::string_view part) const;

  Pose rest() const;
  // q = T(θ). Freedoms driven by a group are clamped to their limits against rounding. A freedom that is its own
  // parameter is not clamped, so a recorded pose outside the limits is shown as recorded.
  void angles(const VecX& theta, VecX& q) const;
  // gradient_theta = (∂q/∂θ)ᵀ gradient_q.
  void pull_back(const VecX& theta, const VecX& gradient_q, VecX& gradient_theta) const;
  // Left and right swapped. The figure must have mirror pairs.
  Pose mirrored(const Pose& pose) const;

  Expected<double> value(const Pose& pose, std::string_view parameter) const;
  Expected<void> set(Pose& pose, std::string_view parameter, double value) const;

 private:
  Figure() = default;
  friend Expected<Figure> build_figure(FigureDescription description);
  friend Expected<Figure> join_figures(const std::vector<FigurePart>& parts, const std::string& name);
  std::shared_ptr<const Data> data_;
  Expected<Site> find_place(std::string_view name) const;
};

// One of the figures that were joined into one, and what is its own there. It is numbered there as on its own, from
// these beginnings on.
struct FigurePart {
  std::string name;
  Figure figure;
  Frame X_world_figure = {};  // where its world is
  int segment_begin = 0, segment_end = 0;
  int freedom_begin = 0, freedom_end = 0;
  int parameter_begin = 0, parameter_end = 0;
};

// Validates the description: finite numbers, a tree, proper rotations, nonzero axes, ordered limits, unique names,
// groups that keep the driven freedoms within their limits, symmetric mirror pairs.
Expected<Figure> build_figure(FigureDescription description);

// The segments [first, second) of an element that is a centre of mass.
std::pair<int, int> mass_range(const Figure& figure, const Element& element);

// --- A free root for figures that are fixed to the world, such as the description of a walking robot.

// The figure with a six-DOF root in place of the rigid joint between its first segment and the world. Unchanged if that
// joint is not rigid or the figure already has root_parameters, if only along a rail. The parameters are "root.x" and
// so on (description.h), or "free_root.x" if a joint "root" exists.
Expected<Figure> with_free_root(const Figure& figure);

// The parameters that move the whole figure: those of the first joint with DOF on the way from the root. Empty if there
// are several such joints, or if it only rotates: then the figure is fixed in place.
std::vector<int> root_parameters(const Figure& figure);
// The same, of each part of a joined figure.
std::vector<int> all_root_parameters(const Figure& figure);

}  // namespace limber
