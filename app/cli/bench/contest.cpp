#include "app/cli/bench/contest.h"

#include <memory>

#include "app/cli/tracked.h"
#include "limber/kinematics/handle.h"
#include "limber/solver/solve.h"

namespace limber::cli {

namespace {

// More than there is time for.
constexpr int no_end = 1'000'000;
constexpr int iterations_a_look = 8;  // at the clock, which costs a tenth of an iteration

}  // namespace

Contender limber_contender(Method method) {
  const auto make = [method](const Problem& problem, const Terms& terms) -> Expected<PoseSolver> {
    Options options{.method = method, .iterations = no_end, .met_metres = within_terms * terms.metres};
    options.met_degrees = within_terms * degrees(terms.radians);
    options.until_met = true;
    options.restarts = no_end;
    return [options, solver = std::make_shared<Solver>(problem)](Pose& pose, Clock::time_point deadline) mutable {
      options.observer = [deadline](const limber::Progress& progress) {
        return progress.iteration % iterations_a_look != 0 || Clock::now() < deadline;
      };
      return solver->solve(pose, options).exit != Exit::rejected;
    };
  };
  return {std::string(name_of(method)), make};
}

void attempt(const PoseSolver& solve, const Problem& problem, const Terms& terms, Pose& pose, Score& score) {
  const auto start = Clock::now();
  const auto limit = std::chrono::duration<double, std::micro>(terms.microseconds);
  score.rejected = !solve(pose, start + std::chrono::duration_cast<Clock::duration>(limit));
  const double time = microseconds_since(start);
  score.times.push_back(time);
  const bool kept = keeps_limits(problem.figure(), pose);
  score.kept += kept;
  score.solved += kept && time <= terms.microseconds && meets_goals(problem, pose, terms);
}

bool meets_goals(const Problem& problem, const Pose& pose, const Terms& terms) {
  if (!pose.theta.allFinite()) return false;
  const Figure& figure = problem.figure();
  const Kinematics state = forward(figure, pose);
  for (const Constraint& constraint : problem.constraints()) {
    const Alternative& asked = constraint.alternatives().front();
    Vec3 x[max_elements];
    evaluate(figure, state, asked.handle, x);
    const GoalError error = distance(asked.goal, {asked.handle.shape, x});
    if (error.metres.value_or(0.0) > terms.metres || error.radians.value_or(0.0) > terms.radians) return false;
  }
  return true;
}

BenchRow with_score(BenchRow row, const Score& score) {
  row["solved %"] = score.solved_percent();
  row["limits kept %"] = score.kept_percent();
  row["mean us"] = mean_of(score.times);
  row["median us"] = quantile(score.times, 0.5);
  return row;
}

}  // namespace limber::cli
