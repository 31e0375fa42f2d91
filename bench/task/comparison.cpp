#include "bench/task/comparison.h"

#include <memory>

#include "app/cli/tracking_figure.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

constexpr int unlimited = 1'000'000;           // more than the time limit allows
constexpr int iterations_per_clock_check = 8;  // a check costs a tenth of an iteration

}  // namespace

ComparedSolver limber_solver(Method method) {
  const auto make = [method](const Problem& problem, const Criteria& criteria) -> Expected<PoseSolver> {
    Options options{.method = method, .iterations = unlimited, .met_metres = tolerance_margin * criteria.metres};
    options.met_degrees = tolerance_margin * degrees(criteria.radians);
    options.until_met = true;
    options.restarts = unlimited;
    return [options, solver = std::make_shared<Solver>(problem)](Pose& pose, Clock::time_point deadline) mutable {
      options.observer = [deadline](const limber::Progress& progress) {
        return progress.iteration % iterations_per_clock_check != 0 || Clock::now() < deadline;
      };
      return solver->solve(pose, options).exit != Exit::rejected;
    };
  };
  return {std::string(name_of(method)), make};
}

void attempt(const PoseSolver& solve, const Problem& problem, const Criteria& criteria, Pose& pose, Score& score) {
  const auto start = Clock::now();
  const auto limit = std::chrono::duration<double, std::micro>(criteria.microseconds);
  score.rejected = !solve(pose, start + std::chrono::duration_cast<Clock::duration>(limit));
  const double time = microseconds_since(start);
  score.times.push_back(time);
  const bool within_limits = cli::keeps_limits(problem.figure(), pose);
  score.within_limits += within_limits;
  score.solved += within_limits && time <= criteria.microseconds && meets_goals(problem, pose, criteria);
}

bool meets_goals(const Problem& problem, const Pose& pose, const Criteria& criteria) {
  if (!pose.theta.allFinite()) return false;
  const Figure& figure = problem.figure();
  const Kinematics state = forward(figure, pose);
  for (const Constraint& constraint : problem.constraints()) {
    const Alternative& asked = constraint.alternatives().front();
    Vec3 x[max_elements];
    evaluate(figure, state, asked.handle, x);
    const GoalError error = error_of(asked.goal, {asked.handle.shape, x});
    if (error.metres.value_or(0.0) > criteria.metres || error.radians.value_or(0.0) > criteria.radians) return false;
  }
  return true;
}

BenchRow with_score(BenchRow row, const Score& score) {
  row["solved %"] = score.solved_percent();
  row["within limits %"] = score.within_limits_percent();
  row["mean us"] = mean_of(score.times);
  row["median us"] = quantile(score.times, 0.5);
  return row;
}

}  // namespace limber::bench
