#include "limber/picture/mark.h"

#include <algorithm>
#include <array>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/hull.h"
#include "limber/obstacle/triangle.h"

namespace limber::picture {

namespace {

// Shares of the figure's length.
constexpr double near_share = 0.05;
constexpr double axis_share = 0.09;
constexpr double line_share = 0.45;
constexpr double plane_share = 0.2;
constexpr double tick_share = 0.035;
constexpr double region_share = 1.0;  // where an unbounded polyhedron is cut off
constexpr double frame_share = 0.8;   // farther from its handle than this, a goal is not in the frame
constexpr double near_angle = radians(10.0);

// The polygon of a face: a large square cut down by all other faces.
std::vector<Vec3> face_polygon(const std::vector<Face>& faces, std::size_t which, const Vec3& middle, double reach) {
  const Face& face = faces[which];
  const Vec3 centre = middle - face.outside(middle) * face.v;
  const Vec3 a = face.v.unitOrthogonal() * reach, b = face.v.cross(a);
  std::vector<Vec3> polygon = {centre + a + b, centre - a + b, centre - a - b, centre + a - b};
  for (std::size_t k = 0; k < faces.size() && !polygon.empty(); ++k) {
    if (k == which) continue;
    std::vector<Vec3> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double out_p = faces[k].outside(p), out_q = faces[k].outside(q);
      if (out_p <= 0.0) kept.push_back(p);
      if ((out_p < 0.0 && out_q > 0.0) || (out_p > 0.0 && out_q < 0.0))
        kept.push_back(p + out_p / (out_p - out_q) * (q - p));
    }
    polygon = std::move(kept);
  }
  return polygon;
}

// Writes one goal into a mark.
class Painter {
 public:
  Painter(const Figure& figure, const Kinematics& state, const Handle& handle, Mark& mark)
      : mark_(mark), size_(figure.length()) {
    const auto place = [&](const Element& element) -> Vec3 {
      if (element.kind != Element::Kind::direction) return evaluate(figure, state, element);
      const std::size_t s = static_cast<std::size_t>(element.segment);
      return state.segments[s] * figure.joints()[s].in_child.p;
    };
    at_ = place(handle.plus[0]);
    if (handle.minus_count > 0) {
      other_ = place(handle.minus[0]);
      linked_ = true;
      if (starts_with_point(handle.shape)) origin_ = other_;
    }
    for (int k = 0; k < handle.count(); ++k)
      if (handle.plus[static_cast<std::size_t>(k)].kind == Element::Kind::direction)
        directions_.push_back(evaluate(figure, state, handle.plus[static_cast<std::size_t>(k)]));
    mark_.badge = at_;
    mark_.handles.push_back(at_);
    mark_.framed.push_back(at_);
  }

  void operator()(const Position& goal) { target(origin_ + goal.p); }

  void operator()(const Placement& goal) {
    target(origin_ + goal.p);
    orient(origin_ + goal.p, goal.orientation);
  }

  void operator()(const Direction& goal) {
    axis(at_, goal.v, 1.6);
    current_axes();
  }

  void operator()(const Orientation& goal) {
    orient(at_, goal);
    current_axes();
  }

  void operator()(const AimAt& goal) {
    const Vec3 p = origin_ + goal.p;
    mark_.strokes.push_back({at_, p, Stroke::Kind::dashed});
    mark_.glyphs.push_back({Glyph::Kind::aim, p});
    if (!directions_.empty())
      mark_.strokes.push_back({at_, at_ + 2.0 * axis_share * size_ * directions_[0], Stroke::Kind::arrow});
    frame(p);
    mark_.badge = p;
  }

  void operator()(const Line& goal) {
    const Vec3 p = origin_ + goal.p;
    const Vec3 foot = p + goal.v.dot(at_ - p) * goal.v;
    const double half = line_share * size_;
    mark_.strokes.push_back({foot - half * goal.v, foot + half * goal.v, Stroke::Kind::plain});
    error_to(foot);
  }

  void operator()(const Plane& goal) { plane(origin_ + goal.p, goal.v, false); }
  void operator()(const HalfSpace& goal) { plane(origin_ + goal.p, goal.v, true); }
  // The length d from the point towards the handle, dashed where the goal is met, and the error.
  void operator()(const Distance& goal) {
    const Vec3 p = origin_ + goal.p, x = at_ - origin_;
    const Vec3 end = p + goal.d * goal.away(x);
    mark_.strokes.push_back({p, end, goal.violation(x) == 0.0 ? Stroke::Kind::dashed : Stroke::Kind::plain});
    mark_.handles.push_back(p);
    frame(p);
    error_to(goal.violation(x) == 0.0 ? at_ : end);
    mark_.badge = 0.5 * (p + end);
  }

  void operator()(const InsidePolyhedron& goal) {
    const bool is_upright = std::ranges::all_of(goal.faces, [](const Face& face) { return face.v.y() == 0.0; });
    return is_upright && goal.faces.size() >= 3 ? support(goal.faces) : polyhedron(goal.faces);
  }
  void operator()(const OutsidePolyhedron& goal) { polyhedron(goal.faces); }

  void operator()(const InsideCapsule& goal) {
    capsule(goal.capsule);
    outside_error(goal.capsule);
  }
  void operator()(const OutsideCapsule& goal) { capsule(goal.capsule); }

  void operator()(const Hold&) { mark_.glyphs.push_back({Glyph::Kind::pin, at_}); }

  void operator()(const Coincide&) {
    const Vec3 to = linked_ ? other_ : Vec3(Vec3::Zero());
    mark_.strokes.push_back({at_, to, Stroke::Kind::plain});
    mark_.glyphs.push_back({Glyph::Kind::link, Vec3(0.5 * (at_ + to))});
    mark_.handles.push_back(to);
    frame(to);
    mark_.badge = 0.5 * (at_ + to);
  }

  void operator()(const CustomGoal&) { mark_.glyphs.push_back({Glyph::Kind::diamond, at_}); }

 private:
  void frame(const Vec3& x) {
    const double length = (x - at_).norm(), max_length = frame_share * size_;
    mark_.framed.push_back(length > max_length ? Vec3(at_ + max_length / length * (x - at_)) : x);
  }

  void target(const Vec3& p) {
    mark_.glyphs.push_back({Glyph::Kind::target, p});
    error_to(p);
    mark_.badge = p;
  }

  void error_to(const Vec3& p) {
    if ((p - at_).norm() > 0.0) mark_.strokes.push_back({at_, p, Stroke::Kind::thin});
    frame(p);
  }

  void axis(const Vec3& from, const Vec3& v, double length) {
    mark_.strokes.push_back({from, from + length * axis_share * size_ * v, Stroke::Kind::arrow});
  }

  // The longer arrow is x.
  void orient(const Vec3& from, const Orientation& goal) {
    if (goal.c_x > 0.0) axis(from, goal.x, 1.4);
    if (goal.c_y > 0.0) axis(from, goal.y, 0.8);
  }

  void current_axes() {
    for (std::size_t k = 0; k < directions_.size(); ++k)
      mark_.strokes.push_back(
          {at_, at_ + (k == 0 ? 1.6 : 0.9) * axis_share * size_ * directions_[k], Stroke::Kind::thin});
  }

  void plane(const Vec3& p, const Vec3& v, bool hatched) {
    const double half = plane_share * size_;
    const Vec3 foot = at_ - v.dot(at_ - p) * v;
    // Sides along the world's axes where the plane allows it.
    const Vec3 guide = std::fabs(v.x()) < 0.8 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitZ());
    const Vec3 a = half * (guide - v.dot(guide) * v).normalized(), b = v.cross(a);
    const std::array<Vec3, 4> corners = {foot + a + b, foot - a + b, foot - a - b, foot + a - b};
    mark_.faces.push_back({corners.begin(), corners.end()});
    if (v.dot(at_ - p) != 0.0 && (!hatched || v.dot(at_ - p) < 0.0)) error_to(foot);
    frame(foot + a);
    frame(foot - a);
    mark_.badge = corners[0];
    if (!hatched) return;
    constexpr int ticks = 8;
    for (std::size_t side = 0; side < 4; ++side) {
      const Vec3 &from = corners[side], &to = corners[(side + 1) % 4];
      for (int k = 0; k < ticks; ++k) {
        const Vec3 x = from + (k + 0.5) / ticks * (to - from);
        mark_.strokes.push_back({x, x + tick_share * size_ * (0.5 * (to - from).normalized() - v), Stroke::Kind::thin});
      }
    }
  }

  void polyhedron(const std::vector<Face>& faces) {
    Vec3 middle = Vec3::Zero();
    for (const Face& face : faces) middle += face.p;
    middle /= static_cast<double>(std::max<std::size_t>(1, faces.size()));
    double reach = region_share * size_;
    for (const Face& face : faces) reach = std::fmax(reach, 2.0 * (face.p - middle).norm());
    for (std::size_t k = 0; k < faces.size(); ++k) {
      std::vector<Vec3> polygon = face_polygon(faces, k, middle, reach);
      if (polygon.size() < 3) continue;
      for (Vec3& x : polygon) {
        x += origin_;
        frame(x);
      }
      mark_.badge = polygon[0];
      mark_.faces.push_back(std::move(polygon));
    }
  }

  // The support of a balance, which is unbounded above and below: drawn on its ground, with a plumb line.
  void support(const std::vector<Face>& sides) {
    std::vector<Face> faces = sides;
    Vec3 middle = Vec3::Zero();
    for (const Face& side : sides) middle += side.p / static_cast<double>(sides.size());
    faces.push_back({middle, -Vec3::UnitY()});
    std::vector<Vec3> polygon = face_polygon(faces, sides.size(), middle, region_share * size_);
    for (Vec3& x : polygon) {
      x += origin_;
      frame(x);
    }
    const Vec3 below(at_.x(), origin_.y() + middle.y(), at_.z());
    mark_.strokes.push_back({at_, below, Stroke::Kind::thin});
    frame(below);
    mark_.badge = below;
    if (polygon.size() >= 3) mark_.faces.push_back(std::move(polygon));
  }

  void capsule(const Capsule& c) {
    const Vec3 a = origin_ + c.a, b = origin_ + c.b;
    mark_.bodies.push_back({Ellipsoid::ball(a, c.radius), Ellipsoid::ball(b, c.radius)});
    for (const Vec3& end : {a, b})
      for (const Vec3& out : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
        frame(end + c.radius * out);
        frame(end - c.radius * out);
      }
    mark_.badge = 0.5 * (a + b) + c.radius * Vec3::UnitY();
  }

  void outside_error(const Capsule& c) {
    const Vec3 away = c.away(at_ - origin_);
    if (away.norm() > c.radius) error_to(at_ - (1.0 - c.radius / away.norm()) * away);
  }

  Mark& mark_;
  double size_;
  Vec3 at_ = Vec3::Zero();
  Vec3 other_ = Vec3::Zero();
  Vec3 origin_ = Vec3::Zero();  // what the goal's points are measured from
  bool linked_ = false;
  std::vector<Vec3> directions_;
};

// Writes the shape of an obstacle into a mark. A half-space is not drawn: the ground is there already.
struct ObstaclePainter {
  const Frame& X;
  Mark& mark;

  void face(std::vector<Vec3> corners) const {
    for (Vec3& x : corners) {
      x = X * x;
      mark.framed.push_back(x);
    }
    mark.faces.push_back(std::move(corners));
  }
  void operator()(const HalfSpaceShape&) const {}
  void operator()(const BallShape& ball) const { (*this)(sphere(Vec3::Zero(), ball.radius)); }
  void operator()(const Capsule& c) const {
    mark.bodies.push_back({Ellipsoid::ball(X * c.a, c.radius), Ellipsoid::ball(X * c.b, c.radius)});
    for (const Vec3& end : {c.a, c.b})
      for (int axis = 0; axis < 3; ++axis)
        for (const double side : {1.0, -1.0}) mark.framed.push_back(X * end + side * c.radius * Vec3::Unit(axis));
  }
  void operator()(const BoxShape& box) const {
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {1.0, -1.0}) {
        const Vec3 centre = side * box.half[axis] * Vec3::Unit(axis);
        const Vec3 u = box.half[(axis + 1) % 3] * Vec3::Unit((axis + 1) % 3);
        const Vec3 v = box.half[(axis + 2) % 3] * Vec3::Unit((axis + 2) % 3);
        face({centre + u + v, centre - u + v, centre - u - v, centre + u - v});
      }
  }
  void operator()(const Polyhedron& polyhedron) const {
    const Hull& hull = polyhedron.hull();
    const auto corner = [&](int k) { return hull.corners[static_cast<std::size_t>(k)]; };
    for (const auto& [a, b, c] : hull.triangles) face({corner(a), corner(b), corner(c)});
  }
  void operator()(const TriangleMesh& mesh) const {
    for (int k = 0; k < mesh.triangle_count(); ++k) {
      const Triangle& triangle = mesh.triangle(k);
      face({triangle[0], triangle[1], triangle[2]});
    }
  }
};

// All obstacles of a clearance in one mark, its letter over the first.
Mark clearance_mark(const Clearance& clearance) {
  Mark mark;
  for (const Obstacle& obstacle : clearance.obstacles)
    std::visit(ObstaclePainter{obstacle.X_world_shape, mark}, obstacle.shape);
  if (!mark.framed.empty()) mark.badge = mark.framed.front();
  return mark;
}

// Which alternative is nearest: one metre counts as one radian times the figure's length.
double score(const Figure& figure, const Kinematics& state, const Alternative& alternative) {
  std::array<Vec3, max_elements> x;
  evaluate(figure, state, alternative.handle, x.data());
  const GoalError error = error_of(alternative.goal, {alternative.handle.shape, x.data()});
  return error.metres.value_or(0.0) + error.radians.value_or(0.0) * figure.length();
}

const ConstraintReport* find_report(const Report& report, ConstraintId id) {
  for (const ConstraintReport& one : report.constraints)
    if (one.id == id) return &one;
  return nullptr;
}

}  // namespace

State state_of(const ConstraintReport* report, double size) {
  if (!report || !report->counted) return State::off;
  if (report->met) return State::met;
  const bool near =
      report->error.metres.value_or(0.0) <= near_share * size && report->error.radians.value_or(0.0) <= near_angle;
  return near ? State::near : State::far;
}

Colour colour_of(State state) {
  switch (state) {
    case State::met:
      return {22, 145, 75};
    case State::near:
      return {222, 135, 0};
    case State::far:
      return {205, 45, 50};
    case State::off:
      return {140, 150, 160};
  }
  return {};
}

std::vector<Mark> make_marks(const Problem& problem, const Kinematics& state, const Report& report) {
  const Figure& figure = problem.figure();
  std::vector<Mark> marks;
  int index = 0;
  for (const Constraint& constraint : problem.constraints()) {
    const std::size_t first = marks.size();
    std::size_t nearest = first;
    double min_score = infinity;
    for (const Alternative& alternative : constraint.alternatives()) {
      if (constraint.alternatives().size() > 1) {
        const double here = score(figure, state, alternative);
        if (here < min_score) {
          min_score = here;
          nearest = marks.size();
        }
      }
      Mark mark;
      mark.state = constraint.counts() ? state_of(find_report(report, constraint.id), figure.length()) : State::off;
      mark.constraint = index;
      std::visit(Painter(figure, state, alternative.handle, mark), alternative.goal);
      std::erase_if(mark.framed, [](const Vec3& x) { return !x.allFinite(); });
      marks.push_back(std::move(mark));
    }
    for (std::size_t k = first; k < marks.size(); ++k) marks[k].faint = k != nearest;
    if (constraint.clearance() && !constraint.clearance()->obstacles.empty()) {
      Mark mark = clearance_mark(*constraint.clearance());
      mark.state = constraint.counts() ? state_of(find_report(report, constraint.id), figure.length()) : State::off;
      mark.constraint = index;
      marks.push_back(std::move(mark));
    }
    ++index;
  }
  return marks;
}

std::string letter(int constraint) {
  const char last = static_cast<char>('A' + constraint % 26);
  return constraint < 26 ? std::string(1, last) : letter(constraint / 26 - 1) + last;
}

}  // namespace limber::picture
