#include "tests/law/reference.h"

#include <algorithm>
#include <cmath>

namespace limber::law {

namespace {

using Mat4 = Eigen::Matrix4d;

Mat4 rigid(const Frame& frame) {
  Mat4 M = Mat4::Identity();
  M.topLeftCorner<3, 3>() = frame.R;
  M.topRightCorner<3, 1>() = frame.p;
  return M;
}

class Placed {
 public:
  Placed(const Case& from, const Figure& figure, const VecX& theta)
      : figure_(from.figure), built_(figure), theta_(theta) {
    for (const SegmentDescription& segment : figure_.segments) world_[segment.name] = place(segment.name);
  }

  // The elements of a handle: points and directions as the handle's kind asks for.
  std::vector<Vec3> value(const HandleSpec& spec) const {
    std::vector<Vec3> x = plain(spec.kind, spec.place, spec.local);
    if (spec.less.empty()) return x;
    const bool whole = spec.kind == HandleSpec::Kind::direction || spec.kind == HandleSpec::Kind::frame;
    const std::vector<Vec3> less = plain(whole ? spec.kind : HandleSpec::Kind::point, spec.less, spec.local);
    for (std::size_t k = 0; k < less.size(); ++k) x[k] -= less[k];
    return x;
  }

 private:
  double parameter(const std::string& name) const { return theta_[*built_.find_parameter(name)]; }

  double freedom(const std::string& joint, const FreedomDescription& freedom) const {
    for (const GroupDescription& group : figure_.groups)
      for (const GroupDriver& driver : group.drivers)
        if (driver.joint == joint && driver.freedom == freedom.name) {
          double sum = 0.0;
          for (const GroupTerm& term : driver.terms)
            sum += term.curve(parameter(group.name + "." + term.parameter)).value;
          return sum;
        }
    return parameter(joint + "." + freedom.name);
  }

  Mat4 place(const std::string& segment) {
    if (const auto known = world_.find(segment); known != world_.end()) return known->second;
    for (const JointDescription& joint : figure_.joints) {
      if (joint.child != segment) continue;
      Mat4 M = joint.parent.empty() ? Mat4(Mat4::Identity()) : place(joint.parent);
      M *= rigid(joint.in_parent);
      for (const FreedomDescription& f : joint.freedoms) {
        const double q = freedom(joint.name, f);
        Mat4 D = Mat4::Identity();
        if (f.motion == Motion::translate)
          D.topRightCorner<3, 1>() = q * f.axis.normalized();
        else
          D.topLeftCorner<3, 3>() = Eigen::Quaterniond(Eigen::AngleAxisd(q, f.axis.normalized())).toRotationMatrix();
        M *= D;
      }
      M *= rigid(joint.in_child).inverse();
      return world_[segment] = M;
    }
    return world_[segment] = Mat4::Identity();
  }

  std::vector<Vec3> plain(HandleSpec::Kind kind, const std::string& place_name, const Vec3& local) const {
    using Kind = HandleSpec::Kind;
    if (kind == Kind::mass_centre) {
      Vec3 sum = Vec3::Zero();
      double mass = 0.0;
      for (const SegmentDescription& segment : figure_.segments) {
        sum += segment.mass * (world_.at(segment.name) * segment.mass_centre.homogeneous()).head<3>();
        mass += segment.mass;
      }
      return {sum / mass};
    }
    Mat4 M = Mat4::Zero();
    for (const SiteDescription& site : figure_.sites)
      if (site.name == place_name) M = world_.at(site.segment) * rigid(site.frame);
    if (M.isZero()) M = world_.at(place_name);
    const Mat3 R = M.topLeftCorner<3, 3>();
    const Vec3 p = M.topRightCorner<3, 1>();
    switch (kind) {
      case Kind::direction:
        return {R * local.normalized()};
      case Kind::ray:
        return {p, R.col(0)};
      case Kind::frame:
        return {p, R.col(0), R.col(1)};
      default:
        return {p};
    }
  }

  const FigureDescription& figure_;
  const Figure& built_;
  const VecX& theta_;
  std::map<std::string, Mat4> world_;
};

double square(double x) { return x * x; }

// ‖r‖² of a goal at the handle value x; `first` is the place of the first direction in it.
struct Square {
  const std::vector<Vec3>& x;
  int first = 0;

  double operator()(const Position& g) const { return (x[0] - g.p).squaredNorm(); }
  double operator()(const Direction& g) const {
    return square(g.c) * (x[static_cast<std::size_t>(first)] - g.v).squaredNorm();
  }
  double operator()(const Orientation& g) const {
    const auto k = static_cast<std::size_t>(first);
    return square(g.c_x) * (x[k] - g.x).squaredNorm() + square(g.c_y) * (x[k + 1] - g.y).squaredNorm();
  }
  double operator()(const Placement& g) const {
    return g.w_p * (x[0] - g.p).squaredNorm() + g.w_o * Square{x, 1}(g.orientation);
  }
  double operator()(const AimAt& g) const { return square(g.c) * ((g.p - x[0]).normalized() - x[1]).squaredNorm(); }
  double operator()(const Line& g) const { return (x[0] - g.p).cross(g.v).squaredNorm(); }
  double operator()(const Plane& g) const { return square((x[0] - g.p).dot(g.v)); }
  double operator()(const HalfSpace& g) const { return square(std::min(0.0, (x[0] - g.p).dot(g.v))); }
  double operator()(const Distance& g) const {
    const double excess = std::sqrt((x[0] - g.p).squaredNorm()) - g.d;
    if ((g.bound == Distance::Bound::at_most && excess < 0.0) || (g.bound == Distance::Bound::at_least && excess > 0.0))
      return 0.0;
    return square(excess);
  }
  double operator()(const InsidePolyhedron& g) const {
    double sum = 0.0;
    for (const Face& face : g.faces) sum += square(std::max(0.0, (x[0] - face.p).dot(face.v)));
    return sum;
  }
  double operator()(const OutsidePolyhedron& g) const {
    double min_value = infinity;
    for (const Face& face : g.faces)
      min_value = std::min(min_value, square(std::min(0.0, (x[0] - face.p).dot(face.v))));
    return min_value;
  }
  double to_axis(const Capsule& c) const {
    const Vec3 ab = c.b - c.a, ax = x[0] - c.a;
    if (ab.dot(ax) <= 0.0) return ax.norm();
    if (ab.dot(x[0] - c.b) >= 0.0) return (x[0] - c.b).norm();
    return ab.normalized().cross(ax).norm();
  }
  double operator()(const InsideCapsule& g) const {
    return square(std::max(0.0, to_axis(g.capsule) - g.capsule.radius));
  }
  double operator()(const OutsideCapsule& g) const {
    return square(std::max(0.0, g.capsule.radius - to_axis(g.capsule)));
  }
  double operator()(const CustomGoal&) const { return 0.0; }
  double operator()(const Coincide& g) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += (static_cast<int>(k) < first ? 1.0 : square(g.c)) * x[k].squaredNorm();
    return sum;
  }
};

}  // namespace

double reference_objective(const Case& from, const Figure& figure, const VecX& theta, const VecX& held) {
  const Placed now(from, figure, theta), past(from, figure, held);
  double total = 0.0;
  for (const ConstraintSpec& spec : from.constraints) {
    double min_value = infinity;
    for (const AlternativeSpec& alternative : spec.alternatives) {
      std::vector<Vec3> x = now.value(alternative.handle);
      if (std::holds_alternative<Hold>(alternative.goal) && !alternative.shell) {
        const std::vector<Vec3> before = past.value(alternative.handle);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= before[k];
      }
      const int first = alternative.handle.kind == HandleSpec::Kind::direction ? 0 : 1;
      double value = 0.0;
      if (alternative.shell)
        value = square(((x[0] - alternative.shell->p).squaredNorm() - square(alternative.shell->radius)) /
                       alternative.shell->radius);
      else
        value = std::visit(Square{x, first}, alternative.goal);
      min_value = std::min(min_value, value);
    }
    total += spec.weight * min_value;
  }
  return total;
}

double limit_defect(const Figure& figure, const VecX& theta) {
  double worst = 0.0;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const double value = theta[static_cast<Eigen::Index>(j)];
    if (!(value >= figure.parameters()[j].range.lower && value <= figure.parameters()[j].range.upper)) return infinity;
  }
  for (const LimitRow& row : figure.limit_rows()) {
    // Its scale is that of its terms: of their values, and of a radian or the figure's length.
    double sum = 0.0, square = 0.0, size = std::fabs(row.bound);
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      const bool translates = figure.parameters()[static_cast<std::size_t>(row.parameters[k])].translates;
      const double span = row.coefficients[k] * (translates ? figure.length() : 1.0);
      const double part = row.coefficients[k] * theta[row.parameters[k]];
      sum += part;
      square += span * span;
      size = std::max(size, std::fabs(part));
    }
    const double over = sum - row.bound;
    const double scale = 1e-12 * std::max(size, std::sqrt(square));
    worst = std::max(worst, (row.relation == Relation::equal ? std::fabs(over) : over) / scale);
  }
  return worst;
}

Variables variables_of(const Problem& problem) {
  Variables variables;
  std::vector<char> used(problem.figure().parameters().size(), 0);
  for (const Constraint& constraint : problem.constraints())
    if (constraint.enabled && constraint.weight > 0.0)
      for (const int j : constraint.chain) used[static_cast<std::size_t>(j)] = 1;
  // What equalities couple moves together; as often as there are rows, one after the other.
  for (std::size_t turn = 0; turn < problem.figure().limit_rows().size(); ++turn)
    for (const LimitRow& row : problem.figure().limit_rows()) {
      bool is_used = false;
      for (const int j : row.parameters) is_used = is_used || used[static_cast<std::size_t>(j)];
      for (const int j : row.parameters)
        if (is_used && row.relation == Relation::equal) used[static_cast<std::size_t>(j)] = 1;
    }
  for (std::size_t j = 0; j < used.size(); ++j) {
    const Parameter& parameter = problem.figure().parameters()[j];
    const double scale = (1.0 - problem.rigidities()[j]) * (parameter.translates ? problem.figure().length() : 1.0);
    if (!used[j] || scale == 0.0 || parameter.range.lower == parameter.range.upper) continue;
    variables.parameters.push_back(static_cast<int>(j));
    variables.scales.push_back(scale);
  }
  return variables;
}

double reference_kkt(const Problem& problem, const VecX& theta, const VecX& g, const std::vector<VecX>& more) {
  const Variables variables = variables_of(problem);
  const int n = static_cast<int>(variables.parameters.size());
  // Limits that hold with equality to the rounding that P3 allows.
  constexpr double active = 1e-11;
  struct Active {
    VecX a;
    bool equality;
    double lambda = 0.0;
  };
  std::vector<Active> set;
  std::vector<int> place(problem.figure().parameters().size(), -1);
  VecX d = -g;
  for (int i = 0; i < n; ++i) {
    const int j = variables.parameters[static_cast<std::size_t>(i)];
    place[static_cast<std::size_t>(j)] = i;
    const Range& range = problem.figure().parameters()[static_cast<std::size_t>(j)].range;
    const double unit = variables.scales[static_cast<std::size_t>(i)];
    if (theta[j] - range.lower <= active * unit) set.push_back({-VecX::Unit(n, i), false});
    if (range.upper - theta[j] <= active * unit) set.push_back({VecX::Unit(n, i), false});
  }
  bool rows = false;
  for (const LimitRow& row : problem.figure().limit_rows()) {
    VecX a = VecX::Zero(n);
    double slack = row.bound;
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      slack -= row.coefficients[k] * theta[row.parameters[k]];
      if (const int i = place[static_cast<std::size_t>(row.parameters[k])]; i >= 0)
        a[i] = row.coefficients[k] * variables.scales[static_cast<std::size_t>(i)];
    }
    const double norm = a.norm();
    if (norm == 0.0) continue;
    if (row.relation == Relation::equal || slack / norm <= active * std::max(1.0, std::fabs(row.bound) / norm)) {
      set.push_back({a / norm, row.relation == Relation::equal});
      rows = true;
    }
  }
  for (const VecX& a : more) {
    if (a.norm() == 0.0) continue;
    set.push_back({a.normalized(), false});
    rows = true;
  }
  if (!rows) {  // the projection onto a box's cone, entry by entry
    for (const Active& limit : set)
      for (int i = 0; i < n; ++i)
        if (limit.a[i] * d[i] > 0.0) d[i] = 0.0;
    return n == 0 ? 0.0 : d.cwiseAbs().maxCoeff();
  }
  // Hildreth: min ‖d0 - A λ‖ over λ >= 0, one λ at a time; d = d0 - A λ.
  constexpr int max_sweeps = 200000;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0.0;
    for (Active& limit : set) {
      double step = limit.a.dot(d);
      if (!limit.equality) step = std::max(step, -limit.lambda);
      limit.lambda += step;
      d -= step * limit.a;
      change = std::max(change, std::fabs(step));
    }
    if (change <= 1e-14 * std::max(1e-6, g.norm())) break;
  }
  return d.cwiseAbs().maxCoeff();
}

}  // namespace limber::law
