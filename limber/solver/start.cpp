#include "limber/solver/start.h"

#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// A start that is moved by less than this, in radians or metres, violated its limits only by rounding, such as that of
// a file in degrees.
constexpr double rounding = 1e-12;
// Up to this many variables, a few points can cover the limits evenly; with more, nearby starts are better.
constexpr int max_spread = 16;

std::string_view limit_name(const Figure& figure, int parameter_count, int limit) {
  if (limit < parameter_count) return figure.parameters()[limit].lower_name;
  if (limit < 2 * parameter_count) return figure.parameters()[limit - parameter_count].upper_name;
  return figure.limit_rows()[limit - 2 * parameter_count].name;
}

}  // namespace

Starts::Starts(const Problem& problem)
    : problem_(problem), limits_(limits_of(problem.figure())), alignment_(problem.figure()) {}

void Starts::reserve(const Workspace& work) {
  restart_.reserve(work.assembly->limits());
  const auto parameters = static_cast<Eigen::Index>(problem_.figure().parameters().size());
  given_.resize(parameters);
  theta_.resize(parameters);
  usual_ = nullptr;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && constraint.soft && constraint.pull() &&
        !std::holds_alternative<PullToComfort>(*constraint.pull()))
      usual_ = constraint.pull();
}

Starts::Projected Starts::project(VecX& theta) {
  const Feasibility feasibility = make_feasible(limits_, theta);
  if (!feasibility.feasible) {
    std::string names;
    for (const int limit : feasibility.contradictory)
      names += (names.empty() ? "'" : "', '") + std::string(limit_name(problem_.figure(), limits_.variables(), limit));
    return {false, Diagnostic{"figure '" + problem_.figure().name() + "'",
                              "limits that contradict each other: " + names + "'", "limits that some pose satisfies"}};
  }
  given_ = theta;
  return {feasibility.moved > rounding};
}

bool Starts::usual(const Workspace& work, VecX& phi) {
  if (!usual_) return false;
  theta_ = given_;
  for (Eigen::Index j = 0; j < theta_.size(); ++j) {
    if (const auto* const by_stiffness = std::get_if<PullByStiffness>(usual_);
        by_stiffness && by_stiffness->stiffness[j] > 0.0)
      theta_[j] = by_stiffness->target[j];
    if (const auto* const by_matrix = std::get_if<PullByMatrix>(usual_); by_matrix && !by_matrix->root.col(j).isZero())
      theta_[j] = by_matrix->target[j];
  }
  if (!make_feasible(limits_, theta_).feasible) return false;
  alignment_.align(problem_, theta_);
  work.assembly->variables_of(theta_, phi);
  return true;
}

// The start, moved rigidly towards the goals. False if its root is not variable.
bool Starts::aligned(const Workspace& work, VecX& phi) {
  theta_ = given_;
  work.assembly->theta_of(work.start, theta_);
  alignment_.align(problem_, theta_);
  work.assembly->variables_of(theta_, phi);
  return phi != work.start;
}

void Starts::next(Workspace& work, int number, Order order, const VecX& best) {
  if (number == 1 && usual(work, work.phi)) return;
  if (number == 1 && order == Order::spread_first && aligned(work, work.phi)) return;
  work.phi = best;
  if (number > 1 && order == Order::spread_first && work.assembly->variables() <= max_spread)
    restart_.spread(work.assembly->limits(), number, work.phi);
  else
    restart_.move(work.assembly->limits(), number - (usual_ ? 1 : 0), work.phi);
}

}  // namespace limber
