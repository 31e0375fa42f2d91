// Finds three rotations that form a ball: hinges in a row whose axes meet at a point, and parameters of joint groups.
#include <algorithm>

#include "limber/motion/channel.h"

namespace limber {

namespace {

// Relative to the length of the figure: axes meet if a point is as near as this to all of them. Files have six digits.
constexpr double meeting_tolerance = 1e-6;
// Sine of the angle between neighbouring axes.
constexpr double min_axis_sine = 1e-3;
// Axes are rounded to coordinate axes within this.
constexpr double coordinate_rounding = 1e-12;

// The ball of three parameters about unit axes, in one frame.
Ball ball_about(const BallAxes& axes, const std::array<int, 3>& parameters) {
  Ball ball{.parameters = parameters};
  for (std::size_t t = 0; t < 3; ++t) {
    int k;
    const double most = axes[t].cwiseAbs().maxCoeff(&k);
    if ((axes[t] - std::copysign(1.0, axes[t][k]) * Vec3::Unit(k)).norm() > coordinate_rounding || most == 0.0) {
      ball.signs.setOnes();
      ball.axes = std::make_shared<const BallAxes>(axes);
      return ball;
    }
    ball.order[t] = k;
    ball.signs[static_cast<Eigen::Index>(t)] = std::copysign(1.0, axes[t][k]);
  }
  return ball;
}

bool independent(const BallAxes& axes) {
  return axes[0].cross(axes[1]).norm() >= min_axis_sine && axes[1].cross(axes[2]).norm() >= min_axis_sine;
}

// Whether three lines p + s v have a common point: the one nearest to all, where Σ (I - v vᵀ) (x - p) = 0.
bool meet(const std::array<Vec3, 3>& p, const BallAxes& v, double tolerance) {
  Mat3 across[3], sum = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  for (std::size_t t = 0; t < 3; ++t) {
    across[t] = Mat3::Identity() - v[t] * v[t].transpose();
    sum += across[t];
    right += across[t] * (p[t] - p[0]);
  }
  const Vec3 x = p[0] + sum.inverse() * right;
  for (std::size_t t = 0; t < 3; ++t)
    if (!((across[t] * (x - p[t])).norm() <= tolerance)) return false;
  return true;
}

class BallFinder {
 public:
  explicit BallFinder(const Figure& figure)
      : figure_(figure), only_child_(figure.segments().size(), no_child), taken_(figure.parameters().size(), false) {
    for (std::size_t s = 0; s < figure.segments().size(); ++s)
      if (const int parent = figure.segments()[s].parent; parent != no_parent) {
        int& child = only_child_[static_cast<std::size_t>(parent)];
        child = child == no_child ? static_cast<int>(s) : many_children;
      }
  }

  std::vector<NamedBall> find(Rotations rotations) {
    for (const Joint& joint : figure_.joints())
      if (const std::optional<Ball> ball = ball_of(figure_, joint)) take(joint.name, *ball);
    if (rotations == Rotations::of_joints) return std::move(found_);
    for (std::size_t s = 0; s < figure_.joints().size(); ++s)
      for (int i = figure_.joints()[s].freedom_begin; i < figure_.joints()[s].freedom_end; ++i) take_run(s, i);
    for (const Group& group : figure_.groups()) take_group(group);
    return std::move(found_);
  }

 private:
  static constexpr int no_child = -1, many_children = -2;

  void take(const std::string& name, const Ball& ball) {
    for (const int j : ball.parameters) taken_[static_cast<std::size_t>(j)] = true;
    found_.push_back({name, ball});
  }

  // The parameter of a rotation that is free to join a ball, or -1.
  int own_parameter(int freedom) const {
    const Freedom& f = figure_.freedoms()[static_cast<std::size_t>(freedom)];
    const int j = figure_.terms()[static_cast<std::size_t>(f.term_begin)].parameter;
    const bool is_own =
        f.motion == Motion::rotate && figure_.parameters()[static_cast<std::size_t>(j)].group == no_group;
    return is_own && !taken_[static_cast<std::size_t>(j)] ? j : -1;
  }

  // Three rotations in a row from the one given on. Their axes meet in all poses if they meet where all three angles
  // are zero: a rotation about the second leaves its common point with the first and the third in place.
  void take_run(std::size_t s, int freedom) {
    BallAxes axes;
    std::array<Vec3, 3> points;
    std::array<int, 3> parameters;
    std::size_t count = 0;
    Frame X;  // from the frame before the first rotation to where the walk is
    for (int i = freedom;;) {
      const Joint& joint = figure_.joints()[s];
      for (; i < joint.freedom_end && count < 3; ++i) {
        const int j = own_parameter(i);
        if (j < 0) return;
        parameters[count] = j;
        axes[count] = (X.R * figure_.freedoms()[static_cast<std::size_t>(i)].axis).normalized();
        points[count++] = X.p;
      }
      if (count == 3) break;
      const int child = only_child_[s];
      if (child < 0) return;
      s = static_cast<std::size_t>(child);
      X = X * joint.in_child_inverse * figure_.joints()[s].in_parent;
      i = figure_.joints()[s].freedom_begin;
    }
    if (!independent(axes) || !meet(points, axes, meeting_tolerance * figure_.length())) return;
    take(figure_.joints()[s].name, ball_about(axes, parameters));
  }

  // Each of the three parameters drives another rotation of the joint, in exactly one way.
  void take_group(const Group& group) {
    if (group.parameters.size() != 3) return;
    for (auto joint = figure_.joints().rbegin(); joint != figure_.joints().rend(); ++joint) {
      if (joint->freedom_end - joint->freedom_begin != 3) continue;
      std::array<std::size_t, 3> order = {0, 1, 2};
      std::optional<Ball> ball;
      int ways = 0;
      do {
        if (std::optional<Ball> driven = driven_ball(group, *joint, order)) {
          ball = std::move(driven);
          ++ways;
        }
      } while (std::ranges::next_permutation(order).found);
      if (ways == 1) return take(group.name, *ball);
    }
  }

  // The k-th rotation of the joint by the order[k]-th parameter of the group.
  std::optional<Ball> driven_ball(const Group& group, const Joint& joint,
                                  const std::array<std::size_t, 3>& order) const {
    BallAxes axes;
    std::array<int, 3> parameters;
    for (std::size_t k = 0; k < 3; ++k) {
      const Freedom& freedom = figure_.freedoms()[static_cast<std::size_t>(joint.freedom_begin) + k];
      parameters[k] = group.parameters[order[k]];
      const double direction = freedom.motion == Motion::rotate ? direction_of(freedom, parameters[k]) : 0.0;
      if (direction == 0.0) return std::nullopt;
      axes[k] = direction * freedom.axis;
    }
    return independent(axes) ? std::optional(ball_about(axes, parameters)) : std::nullopt;
  }

  // 1 where the freedom grows with the parameter over its range, -1 where it shrinks, 0 where it does neither.
  double direction_of(const Freedom& freedom, int parameter) const {
    for (int t = freedom.term_begin; t < freedom.term_end; ++t) {
      const Term& term = figure_.terms()[static_cast<std::size_t>(t)];
      if (term.parameter != parameter) continue;
      const Range& range = figure_.parameters()[static_cast<std::size_t>(parameter)].range;
      const double lower = std::isfinite(range.lower) ? range.lower : -pi;
      const double upper = std::isfinite(range.upper) ? range.upper : pi;
      const double change = term.curve(upper).value - term.curve(lower).value;
      return change > 0.0 ? 1.0 : change < 0.0 ? -1.0 : 0.0;
    }
    return 0.0;
  }

  const Figure& figure_;
  std::vector<int> only_child_;  // by segment
  std::vector<bool> taken_;      // by parameter
  std::vector<NamedBall> found_;
};

}  // namespace

std::vector<NamedBall> balls_of(const Figure& figure, Rotations rotations) {
  return BallFinder(figure).find(rotations);
}

}  // namespace limber
