#include "limber/solver/start.h"

#include <algorithm>

#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// A start that is moved by less than this, in radians or lengths of the figure, violated its limits only by rounding,
// such as that of a file in degrees.
constexpr double rounding = 1e-12;
// So many of the first starts are near the best point.
constexpr int near_tries = 1;
// A run starts from the best of so many points.
constexpr int candidates = 4;

std::string_view limit_name(const Figure& figure, int parameter_count, int limit) {
  if (limit < parameter_count) return figure.parameters()[limit].lower_name;
  if (limit < 2 * parameter_count) return figure.parameters()[limit - parameter_count].upper_name;
  return figure.limit_rows()[limit - 2 * parameter_count].name;
}

}  // namespace

Starts::Starts(const Problem& problem) : problem_(problem), limits_(problem.figure()), alignment_(problem.figure()) {}

void Starts::reserve(const Workspace& work) {
  restart_.reserve(work.assembly->limits());
  const auto parameters = static_cast<Eigen::Index>(problem_.figure().parameters().size());
  given_.resize(parameters);
  theta_.resize(parameters);
  candidate_.resize(work.assembly->variables());
  aligned_.resize(work.assembly->variables());
  chosen_.assign(static_cast<std::size_t>(work.assembly->variables()), 0);
  moves_.clear();
  for (const Constraint& constraint : problem_.constraints()) {
    moves_.emplace_back();
    if (!constraint.counts() || constraint.soft || constraint.alternatives().empty()) continue;
    moves_.back().assign(chosen_.size(), 0);
    const std::vector<int> chain = problem_.reconciled_chain(constraint.id);
    for (int i = 0; i < work.assembly->variables(); ++i)
      moves_.back()[i] = std::binary_search(chain.begin(), chain.end(), work.assembly->parameter(i));
  }
  moves_root_ = alignment_.has_free_root();
  usual_ = nullptr;
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && constraint.soft && constraint.pull() &&
        !std::holds_alternative<PullToComfort>(*constraint.pull()))
      usual_ = constraint.pull();
}

Starts::Projected Starts::project(VecX& theta) {
  const Feasibility feasibility = limits_.project(theta);
  if (!feasibility.feasible) {
    std::string names;
    for (const int limit : feasibility.contradictory)
      names += (names.empty() ? "'" : "', '") + std::string(limit_name(problem_.figure(), limits_.parameters(), limit));
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
  if (!limits_.project(theta_).feasible) return false;
  alignment_.align(problem_, theta_);
  work.assembly->variables_of(theta_, phi);
  return true;
}

// The start, moved rigidly towards the goals. False if its root is not variable, or a limit does not let it.
bool Starts::aligned(const Workspace& work, VecX& phi) {
  theta_ = given_;
  work.assembly->theta_of(work.start, theta_);
  alignment_.align(problem_, theta_);
  work.assembly->variables_of(theta_, phi);
  return phi != work.start && rows_hold(work.assembly->limits(), phi);
}

// The alignment knows the ranges of a root, but no limits on several parameters.
bool Starts::rows_hold(const Limits& limits, const VecX& phi) {
  for (int limit = 2 * limits.variables(); limit < limits.count(); ++limit) {
    const double excess = limits.along(limit, phi) - limits.bound(limit);
    if ((limits.is_equality(limit) ? std::fabs(excess) : excess) > row_tolerance * limit_scale(limits, limit, phi))
      return false;
  }
  return true;
}

void Starts::move_root_to_goals(const Workspace& work, VecX& phi) {
  if (!moves_root_) return;
  theta_ = given_;
  work.assembly->theta_of(phi, theta_);
  alignment_.align(problem_, theta_);
  work.assembly->variables_of(theta_, aligned_);
  if (rows_hold(work.assembly->limits(), aligned_)) phi = aligned_;
}

// Adds the variables that move what a chosen one moves, and so on: two arms on a torso that does not move have nothing
// to do with each other. A constraint of which that is unknown may couple anything.
void Starts::add_coupled() {
  for (std::size_t c = 0; c < moves_.size(); ++c)
    if (moves_[c].empty() && problem_.constraints()[c].counts()) std::fill(chosen_.begin(), chosen_.end(), char{1});
  for (bool changes = true; changes;) {
    changes = false;
    for (const std::vector<char>& moves : moves_) {
      bool is_touched = false, is_whole = true;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        is_touched = is_touched || (moves[i] && chosen_[i]);
        is_whole = is_whole && (!moves[i] || chosen_[i]);
      }
      if (!is_touched || is_whole) continue;
      for (std::size_t i = 0; i < moves.size(); ++i) chosen_[i] = chosen_[i] || moves[i];
      changes = true;
    }
  }
}

// The variables of a try. False where there are none.
bool Starts::choose(Extent extent, const std::vector<char>& met) {
  std::fill(chosen_.begin(), chosen_.end(), 0);
  const auto mark = [&](bool is_met, char value) {
    for (std::size_t c = 0; c < moves_.size(); ++c)
      if ((met[c] != 0) == is_met)
        for (std::size_t i = 0; i < moves_[c].size(); ++i)
          if (moves_[c][i]) chosen_[i] = value;
  };
  mark(false, 1);
  if (extent == Extent::limbs) mark(true, 0);
  if (extent == Extent::everything) add_coupled();
  return std::count(chosen_.begin(), chosen_.end(), char{1}) > 0;
}

void Starts::next(Workspace& work, int number, Order order, const VecX& best, const std::vector<char>& met) {
  if (number == 1 && usual(work, work.phi)) return;
  if (number == 1 && order == Order::spread_first && aligned(work, work.phi)) return;
  work.phi = best;
  const Limits& limits = work.assembly->limits();
  const int turn = number - (usual_ ? 1 : 0);
  if (turn <= near_tries && (order == Order::near_first || number == 1))
    return restart_.move_near(limits, turn, work.phi);
  constexpr Extent extents[] = {Extent::limbs, Extent::everything, Extent::chains, Extent::limbs};
  Extent extent = extents[number % static_cast<int>(std::size(extents))];
  if (!choose(extent, met) && !choose(extent = Extent::everything, met))
    std::fill(chosen_.begin(), chosen_.end(), char{1});
  double least = infinity;
  for (int k = 0; k < candidates; ++k) {
    work.phi = best;
    restart_.move_anywhere(limits, candidates * number + k, chosen_, work.phi);
    if (extent != Extent::limbs) move_root_to_goals(work, work.phi);
    work.assembly->residual(work.phi, work.residual);
    if (const double value = work.residual.squaredNorm(); k == 0 || value < least) {
      least = value;
      candidate_ = work.phi;
    }
  }
  work.phi = candidate_;
}

}  // namespace limber
