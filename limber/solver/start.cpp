// Where a solve starts: the pose that was given, moved within the limits; the usual pose of the figure, where that is
// nearer to the goals; and other places for the next tries where a method is stuck (solver/restart.h).
#include "limber/program/feasible.h"
#include "limber/solver/solver_impl.h"

namespace limber {

namespace {

// A start that moves by less, in radians or metres, was outside by rounding only, as after a way through a file in
// degrees.
constexpr double rounding = 1e-12;
// With no more variables than this a few points can fill the limits evenly; with more, a start near by is better.
constexpr int max_spread = 16;

std::string_view limit_name(const Figure& figure, int parameter_count, int limit) {
  if (limit < parameter_count) return figure.parameters()[limit].lower_name;
  if (limit < 2 * parameter_count) return figure.parameters()[limit - parameter_count].upper_name;
  return figure.limit_rows()[limit - 2 * parameter_count].name;
}

}  // namespace

// Moves the start within the limits and hands it to the assembly.
bool Solver::Impl::begin(Pose& pose) {
  current_.theta = pose.theta;
  const Feasibility feasibility = make_feasible(figure_limits_, current_.theta);
  if (!feasibility.feasible) {
    std::string names;
    for (const int limit : feasibility.contradictory)
      names += (names.empty() ? "'" : "', '") +
               std::string(limit_name(problem_.figure(), figure_limits_.variables(), limit));
    report_.exit = Exit::infeasible;
    report_.rejection = Diagnostic{"figure '" + problem_.figure().name() + "'",
                                   "limits that contradict each other: " + names + "'", "limits that some pose keeps"};
    return false;
  }
  report_.start_projected = feasibility.moved > rounding;
  pose.theta = current_.theta;
  assembly_->start(current_.theta, phi_);
  start_ = phi_;
  return true;
}

// The pose that the figure usually has, its root where the goals are.
bool Solver::Impl::usual_start(VecX& phi) {
  if (!usual_) return false;
  usual_theta_ = current_.theta;
  for (Eigen::Index j = 0; j < usual_theta_.size(); ++j) {
    if (const auto* by_stiffness = std::get_if<PullByStiffness>(usual_);
        by_stiffness && by_stiffness->stiffness[j] > 0.0)
      usual_theta_[j] = by_stiffness->target[j];
    if (const auto* by_matrix = std::get_if<PullByMatrix>(usual_); by_matrix && !by_matrix->root.col(j).isZero())
      usual_theta_[j] = by_matrix->target[j];
  }
  if (!make_feasible(figure_limits_, usual_theta_).feasible) return false;
  alignment_.align(problem_, usual_theta_);
  assembly_->variables_of(usual_theta_, phi);
  return true;
}

// The start, moved rigidly to where the goals are. False where its root does not vary.
bool Solver::Impl::aligned_start(VecX& phi) {
  usual_theta_ = current_.theta;
  assembly_->theta_of(start_, usual_theta_);
  alignment_.align(problem_, usual_theta_);
  assembly_->variables_of(usual_theta_, phi);
  return phi != start_;
}

// The first is the usual pose, where there is one, or the start with its root where the goals are.
void Solver::Impl::next_start(Pace pace) {
  const int number = ++report_.restarts;
  if (number == 1 && usual_start(phi_)) return;
  if (number == 1 && pace == Pace::quick && aligned_start(phi_)) return;
  phi_ = best_;
  if (number > 1 && pace == Pace::quick && assembly_->variables() <= max_spread)
    restart_.spread(assembly_->limits(), number, phi_);
  else
    restart_.move(assembly_->limits(), number - (usual_ ? 1 : 0), phi_);
}

// A start far from all goals is as good as none: then the usual pose is a better one, and the answer does not hang on
// where the figure was before.
void Solver::Impl::choose_start(const Options& options) {
  start_ = phi_;
  assembly_->set_soft_scale(1.0);
  if (options.iterations == 0 || !usual_start(best_)) return;
  // With what must hold.
  const auto value = [&] {
    assembly_->residual(phi_, residual_);
    return residual_.squaredNorm();
  };
  const double given = value();
  phi_.swap(best_);
  if (!(value() < given)) phi_.swap(best_);
}

}  // namespace limber
