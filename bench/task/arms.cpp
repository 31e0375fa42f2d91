#include "app/cli/exit_code.h"
#include "bench/task/arm.h"

namespace limber::bench {

namespace {

constexpr Criteria arm_criteria = {.metres = 1e-5, .radians = 1e-5, .microseconds = 5000.0};

}  // namespace

std::expected<Table, Failure> arms_table(const TaskOptions& task, const std::vector<ComparedSolver>& solvers) {
  Table table{"arms", "reachable random poses of robot arms, from the middle of the limits, to 1e-5 m and rad in 5 ms"};
  const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms());
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(file, task.quick ? 200 : 2000);
    if (!arm) return std::unexpected(arm.error());
    for (const ComparedSolver& solver : solvers) {
      Problem problem(arm->figure);
      const Expected<ConstraintId> id = problem.add(arm->tool, arm->goals.front());
      if (!id) return std::unexpected(Failure{id.error(), cli::internal});
      const Expected<PoseSolver> solve = solver.make(problem, arm_criteria);
      if (!solve) return std::unexpected(Failure{solve.error(), cli::internal});
      Score score;
      for (const Placement& goal : arm->goals) {
        if (const auto set = problem.set_goal(*id, goal); !set)
          return std::unexpected(Failure{set.error(), cli::internal});
        Pose pose = arm->start;
        attempt(*solve, problem, arm_criteria, pose, score);
        if (score.rejected) break;
      }
      if (score.rejected) continue;
      table.rows.push_back(with_score({{"robot", arm->robot}, {"method", solver.name}}, score));
    }
  }
  return table;
}

std::expected<Table, Failure> bench_arms(const TaskOptions& task) {
  std::vector<ComparedSolver> solvers;
  for (const Method method : all_methods()) solvers.push_back(limber_solver(method));
  return arms_table(task, solvers);
}

}  // namespace limber::bench
