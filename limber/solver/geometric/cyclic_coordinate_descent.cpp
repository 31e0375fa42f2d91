#include "limber/solver/geometric/cyclic_coordinate_descent.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "limber/kinematics/forward.h"
#include "limber/program/loop.h"

namespace limber {

namespace {

// The gain of a rotation counts as rounding error below this fraction of the product of the lengths.
constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();

bool fits(const Goal& goal) { return has_targets(goal) || holds(goal); }

bool has_mass_centre(const Handle& handle) {
  for (int k = 0; k < handle.count(); ++k)
    if (handle.plus[k].kind == Element::Kind::mass_centre) return true;
  return false;
}

// The unsupported feature of one constraint that counts, if any: found, expected. Does not allocate if there is none.
std::optional<std::pair<const char*, const char*>> trouble(const Constraint& constraint) {
  using Trouble = std::pair<const char*, const char*>;
  if (constraint.clearance()) return Trouble{"a clearance", "a goal"};
  if (constraint.strength()) return Trouble{"a strength limit", "a goal"};
  if (constraint.pull()) return Trouble{"a pull towards a pose", "a goal"};
  if (constraint.alternatives().size() != 1) return Trouble{"one of several goals", "a single goal"};
  if (!std::isfinite(constraint.weight)) return Trouble{"the weight 'must'", "a finite weight"};
  if (constraint.priority != first_level) return Trouble{"a priority other than 1", "priority 1"};
  if (constraint.weighting_root.size() > 0) return Trouble{"a weighting matrix", "a weight"};
  const Alternative& alternative = constraint.alternatives().front();
  if (alternative.handle.minus_count > 0) return Trouble{"a difference of two handles", "a handle on a single segment"};
  if (has_mass_centre(alternative.handle)) return Trouble{"the centre of mass", "a handle on a single segment"};
  if (!fits(alternative.goal)) return Trouble{"", "position, direction, orientation, placement or hold"};
  return std::nullopt;
}

// Whether a parameter of Θ can move at all.
bool moves(const Problem& problem, int parameter) {
  const Range& range = problem.figure().parameters()[parameter].range;
  return problem.rigidities()[parameter] < 1.0 && range.lower < range.upper;
}

std::optional<Diagnostic> figure_rejection(const Problem& problem) {
  const Figure& figure = problem.figure();
  std::vector<char> variable(figure.parameters().size(), 0);
  for (const int j : problem.variables()) {
    if (!moves(problem, j)) continue;
    variable[j] = 1;
    const Parameter& parameter = figure.parameters()[j];
    const std::string where = "parameter '" + parameter.name + "'";
    if (parameter.drives.size() != 1)
      return Diagnostic{where, "one that drives " + std::to_string(parameter.drives.size()) + " freedoms",
                        "a parameter of a single freedom"};
    const Freedom& freedom = figure.freedoms()[parameter.drives.front()];
    if (freedom.term_end - freedom.term_begin != 1)
      return Diagnostic{where, "a share in '" + freedom.name + "', which others drive too",
                        "a freedom with a parameter of its own"};
    const Curve& curve = figure.terms()[freedom.term_begin].curve;
    if (!curve.is_linear() || curve.slope() == 0.0)
      return Diagnostic{where, "one that drives '" + freedom.name + "' by a curve", "a straight line"};
  }
  for (const LimitRow& row : figure.limit_rows())
    for (std::size_t t = 0; t < row.parameters.size(); ++t)
      if (variable[row.parameters[t]] && row.coefficients[t] != 0.0)
        return Diagnostic{"limit '" + row.name + "'",
                          "a row that holds '" + figure.parameters()[row.parameters[t]].name + "'",
                          "limits on single parameters"};
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> rejection(const Problem& problem) {
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.counts()) continue;
    if (const auto found = trouble(constraint)) {
      const std::string what = found->first[0] == '\0'
                                   ? std::string("the goal ") + name_of(constraint.alternatives().front().goal)
                                   : std::string(found->first);
      return Diagnostic{"constraint '" + constraint.name + "'", what, found->second};
    }
  }
  return figure_rejection(problem);
}

CyclicCoordinateDescent::CyclicCoordinateDescent(const Problem& problem)
    : problem_(problem), structure_(problem.structure()), fits_(!rejection(problem)), state_(problem.figure()) {
  const Figure& figure = problem.figure();
  theta_ = best_ = figure.rest().theta;
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
  if (!fits_) return;

  std::vector<char> needed(figure.segments().size(), 0);
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (!constraint.counts()) continue;
    const Handle& handle = constraint.alternatives().front().handle;
    for (int k = 0; k < handle.count(); ++k) {
      Target target;
      target.constraint = static_cast<int>(c);
      target.element = k;
      target.at = handle.plus[k];
      targets_.push_back(target);
      for (int s = target.at.segment; s != no_parent; s = figure.segments()[s].parent) needed[s] = 1;
    }
  }
  std::stable_sort(targets_.begin(), targets_.end(),
                   [](const Target& a, const Target& b) { return a.at.segment < b.at.segment; });
  for (std::size_t s = 0; s < needed.size(); ++s)
    if (needed[s]) segments_.push_back(static_cast<int>(s));

  const auto first_target_from = [&](int segment) {
    return static_cast<int>(std::lower_bound(targets_.begin(), targets_.end(), segment,
                                             [](const Target& t, int s) { return t.at.segment < s; }) -
                            targets_.begin());
  };
  for (const int j : problem.variables()) {
    if (!moves(problem, j)) continue;
    const Parameter& parameter = figure.parameters()[j];
    Variable variable;
    variable.parameter = j;
    variable.freedom = parameter.drives.front();
    const Freedom& freedom = figure.freedoms()[variable.freedom];
    variable.slope = figure.terms()[freedom.term_begin].curve.slope();
    variable.unit = parameter.translates ? figure.length() : 1.0;
    variable.give = (1.0 - problem.rigidities()[j]) / std::fmax(1.0, parameter.range.stiffness);
    variable.begin = first_target_from(freedom.joint);
    variable.end = first_target_from(figure.segments()[freedom.joint].subtree_end);
    variables_.push_back(variable);
  }
  // From the leaves: segments are numbered depth first, freedoms along them.
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable& a, const Variable& b) { return a.freedom > b.freedom; });
}

bool CyclicCoordinateDescent::accepts() const {
  return fits_ && std::ranges::none_of(problem_.constraints(), [](const Constraint& constraint) {
           return constraint.counts() && trouble(constraint);
         });
}

// d and the weight of one target, as the goal has them; a Hold keeps where the target is.
void CyclicCoordinateDescent::aim(Target& target, const Alternative& alternative, double weight) const {
  const Placed placed = placed_element(alternative.goal, alternative.handle.shape, target.element);
  target.d = holds(alternative.goal) ? target.x : placed.target;
  target.weight = weight * placed.scale * placed.scale;
}

void CyclicCoordinateDescent::take_goals(const CyclicCoordinateDescentOptions& own) {
  double weights = 0.0;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts()) weights += constraint.weight;
  const double length = problem_.figure().length();
  scale_ = weights > 0.0 ? weights * length * length : 1.0;
  for (Target& target : targets_) {
    const Constraint& constraint = problem_.constraints()[target.constraint];
    aim(target, constraint.alternatives().front(), constraint.weight);
    target.share = target.weight;
    if (own.weights == CyclicCoordinateDescentOptions::Weights::objective || target.weight == 0.0) continue;
    // DEVIATION: 4.2.1 has α = k / W. The product of two lengths in (4.16) grows with W², so α must decrease with W².
    target.share = constraint.weight * (target.is_point() ? own.k / (length * length) : 1.0);
  }
}

// All targets where θ puts them; returns f.
double CyclicCoordinateDescent::place(const VecX& theta) {
  problem_.figure().angles(theta, q_);
  forward(problem_.figure(), q_, segments_, state_);
  double sum = 0.0;
  for (Target& target : targets_) {
    target.x = evaluate(problem_.figure(), state_, target.at);
    sum += target.weight * (target.x - target.d).squaredNorm();
  }
  return sum / scale_;
}

// [WC91]: a point counts more at joints from which it and its goal are equally far, ρ = min / max of the distances.
double CyclicCoordinateDescent::share_of(const Target& target, const Vec3& from,
                                         const CyclicCoordinateDescentOptions& own) const {
  if (own.weights == CyclicCoordinateDescentOptions::Weights::objective || !target.is_point()) return target.share;
  const double to_d = (target.d - from).norm(), to_x = (target.x - from).norm();
  const double longer = std::fmax(to_d, to_x);
  return target.share * (1.0 + (longer > 0.0 ? std::fmin(to_d, to_x) / longer : 1.0));
}

CyclicCoordinateDescent::Move CyclicCoordinateDescent::turn(const Variable& variable, double lower, double upper,
                                                            const CyclicCoordinateDescentOptions& own) const {
  const Vec3& u = state_.axes[variable.freedom];
  const Vec3& j = state_.points[variable.freedom];
  double k1 = 0.0, k2 = 0.0, k3 = 0.0, size = 0.0;
  for (int t = variable.begin; t < variable.end; ++t) {
    const Target& target = targets_[t];
    const double w = share_of(target, j, own);
    const Vec3 x = target.is_point() ? Vec3(target.x - j) : target.x;
    const Vec3 d = target.is_point() ? Vec3(target.d - j) : target.d;
    k1 += w * d.dot(u) * x.dot(u);  // (4.20)
    k2 += w * d.dot(x);             // (4.21)
    k3 += w * u.dot(x.cross(d));    // (4.22)
    size += w * d.norm() * x.norm();
  }
  Move move;
  move.slope = -2.0 * k3;
  if (std::hypot(k3, k2 - k1) <= rounding * size) return move;

  // The decrease of E for a turn by φ: 2 (g(φ) - g(0)), with 1 - cos φ = 2 sin² ½φ.   (4.19)
  const auto decrease = [&](double phi) {
    const double half = std::sin(0.5 * phi);
    return 2.0 * (2.0 * (k1 - k2) * half * half + k3 * std::sin(phi));
  };
  const auto consider = [&](double by) {
    if (const double gained = decrease(by); gained > move.decrease) {
      move.by = by;
      move.decrease = gained;
    }
  };
  // DEVIATION: (4.23) by atan2 is the maximum at once.
  const double phi = std::atan2(k3, k2 - k1);
  const double by = variable.give * phi;
  if (lower <= by && by <= upper) {
    consider(by);
    return move;
  }
  // DEVIATION: the paper clamps to the nearer limit. The other limit may be better, or the maximum plus a full turn may
  // lie within the limits: (4.19) decides, evaluated where the stiffness lets the joint go.
  consider(by < lower ? lower : upper);
  const double round = variable.give * (phi > 0.0 ? phi - 2.0 * pi : phi + 2.0 * pi);
  if (lower <= round && round <= upper) consider(round);
  const double far_end = variable.give * (by < lower ? upper : lower);
  if (std::isfinite(far_end)) consider(far_end);
  return move;
}

CyclicCoordinateDescent::Move CyclicCoordinateDescent::slide(const Variable& variable, double lower, double upper,
                                                             const CyclicCoordinateDescentOptions& own) const {
  const Vec3& u = state_.axes[variable.freedom];
  double pull = 0.0, weights = 0.0;
  for (int t = variable.begin; t < variable.end; ++t) {
    const Target& target = targets_[t];
    if (!target.is_point()) continue;
    const double w = share_of(target, state_.points[variable.freedom], own);
    pull += w * (target.d - target.x).dot(u);
    weights += w;
  }
  Move move;
  if (!(weights > 0.0)) return move;
  move.by = std::clamp(variable.give * pull / weights, lower, upper);  // (4.24), over several goals
  move.decrease = move.by * (2.0 * pull - weights * move.by);
  move.slope = -2.0 * pull;
  return move;
}

CyclicCoordinateDescent::Move CyclicCoordinateDescent::best_move(const Variable& variable, const VecX& theta,
                                                                 double longest,
                                                                 const CyclicCoordinateDescentOptions& own) const {
  const Range& range = problem_.figure().parameters()[variable.parameter].range;
  const double now = theta[variable.parameter];
  const double max_change = longest * variable.unit * variable.give;
  double lower = variable.slope * std::fmax(range.lower - now, -max_change);
  double upper = variable.slope * std::fmin(range.upper - now, max_change);
  if (lower > upper) std::swap(lower, upper);
  const bool rotates = problem_.figure().freedoms()[variable.freedom].motion == Motion::rotate;
  return rotates ? turn(variable, lower, upper, own) : slide(variable, lower, upper, own);
}

// Moves the targets below the freedom, in place.
void CyclicCoordinateDescent::carry(const Variable& variable, double by) {
  const Vec3& u = state_.axes[variable.freedom];
  if (problem_.figure().freedoms()[variable.freedom].motion == Motion::translate) {
    for (int t = variable.begin; t < variable.end; ++t)
      if (targets_[t].is_point()) targets_[t].x += by * u;
    return;
  }
  const Vec3& j = state_.points[variable.freedom];
  const Mat3 R = rotation(u, by);
  for (int t = variable.begin; t < variable.end; ++t) {
    Target& target = targets_[t];
    if (target.is_point())
      target.x = j + R * (target.x - j);
    else
      target.x = R * target.x;
  }
}

// ∂f/∂φ of one variable from dE/dq, or 0 if a limit blocks it.
double CyclicCoordinateDescent::projected(const Variable& variable, const VecX& theta, double slope) const {
  const Range& range = problem_.figure().parameters()[variable.parameter].range;
  const double gradient = slope * variable.slope * variable.unit * variable.give / scale_;
  const double now = theta[variable.parameter];
  if ((now <= range.lower && gradient > 0.0) || (now >= range.upper && gradient < 0.0)) return 0.0;
  return std::fabs(gradient);
}

// Visits every joint once, from the leaves. Returns the max projected slope, and the max mean slope over a move: at a
// maximum of E the slope is small, but the mean slope of the move away from it is not.
double CyclicCoordinateDescent::sweep(VecX& theta, double longest, const CyclicCoordinateDescentOptions& own) {
  double steepest = 0.0;
  for (const Variable& variable : variables_) {
    const Move move = best_move(variable, theta, longest, own);
    steepest = std::fmax(steepest, projected(variable, theta, move.slope));
    if (move.by == 0.0) continue;
    const Range& range = problem_.figure().parameters()[variable.parameter].range;
    double& now = theta[variable.parameter];
    double next = std::clamp(now + move.by / variable.slope, range.lower, range.upper);
    // On the limit, not next to it.
    const double close = rounding * std::fmax(std::fabs(now), std::fabs(next));
    if (next - range.lower <= close) next = range.lower;
    if (range.upper - next <= close) next = range.upper;
    if (next == now) continue;
    steepest = std::fmax(steepest, projected(variable, theta, -move.decrease / move.by));
    carry(variable, variable.slope * (next - now));
    now = next;
  }
  return steepest;
}

// The largest entry of the projected gradient of f at θ, where place() has just been.
double CyclicCoordinateDescent::projected_gradient(const VecX& theta) const {
  double largest = 0.0;
  for (const Variable& variable : variables_) {
    const Vec3& u = state_.axes[variable.freedom];
    const Vec3& j = state_.points[variable.freedom];
    const bool rotates = problem_.figure().freedoms()[variable.freedom].motion == Motion::rotate;
    double slope = 0.0;
    for (int t = variable.begin; t < variable.end; ++t) {
      const Target& target = targets_[t];
      const Vec3 r = target.x - target.d;
      if (rotates)
        slope += 2.0 * target.weight * r.dot(u.cross(target.is_point() ? Vec3(target.x - j) : target.x));
      else if (target.is_point())
        slope += 2.0 * target.weight * r.dot(u);
    }
    largest = std::fmax(largest, projected(variable, theta, slope));
  }
  return largest;
}

Outcome CyclicCoordinateDescent::minimize(VecX& theta, const MethodOptions& options,
                                          const CyclicCoordinateDescentOptions& own, const Observer& observer) {
  assert(structure_ == problem_.structure());
  assert(theta.size() == theta_.size());
  constexpr Outcome rejected{.exit = Exit::rejected};
  if (!accepts() || !(options.longest_step > 0.0) || !(own.k >= 0.0)) return rejected;

  theta_ = theta;
  for (const Variable& variable : variables_) {
    const Range& range = problem_.figure().parameters()[variable.parameter].range;
    theta_[variable.parameter] = std::clamp(theta_[variable.parameter], range.lower, range.upper);
  }
  place(theta_);
  take_goals(own);
  Loop loop(options, observer, &best_);
  double value = place(theta_);
  loop.count_evaluation();
  loop.start(value, std::isfinite(value), theta_);
  if (!loop.runs()) return loop.outcome();

  const bool monotone = own.weights == CyclicCoordinateDescentOptions::Weights::objective;
  while (loop.next()) {
    const double steepest = sweep(theta_, options.longest_step, own);
    value = place(theta_);
    loop.count_evaluation();
    const bool better = value < loop.value();
    if (monotone && !better) {  // a further decrease would be rounding
      theta_ = best_;
      loop.keep(place(theta_), theta_);
      loop.stop(projected_gradient(theta_) <= options.tolerance ? Exit::converged : Exit::stalled);
      break;
    }
    if (better) loop.keep(value, theta_);
    loop.observe(value, theta_);
    if (!loop.runs()) break;
    if (!std::isfinite(value)) loop.stop(Exit::stalled);
    if (loop.runs() && steepest <= options.tolerance) {
      const bool flat = value <= loop.value() && projected_gradient(theta_) <= options.tolerance;
      if (flat || !monotone) loop.stop(flat ? Exit::converged : Exit::stalled);
    }
  }
  return loop.finish(theta);
}

}  // namespace limber
