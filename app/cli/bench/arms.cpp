#include "app/cli/bench/arm.h"
#include "app/cli/exit_code.h"

namespace limber::cli {

namespace {

constexpr Terms arm_terms = {.metres = 1e-5, .radians = 1e-5, .microseconds = 5000.0};

}  // namespace

std::expected<Table, Failure> arms_table(const TaskOptions& task, const std::vector<Contender>& contenders) {
  Table table{"arms", "reachable random poses of robot arms, from the middle of the limits, to 1e-5 m and rad in 5 ms"};
  const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms);
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(file, task.quick ? 200 : 2000);
    if (!arm) return std::unexpected(arm.error());
    for (const Contender& contender : contenders) {
      Problem problem(arm->figure);
      const Expected<ConstraintId> id = problem.add(arm->tool, arm->goals.front());
      if (!id) return std::unexpected(Failure{id.error(), internal});
      const Expected<PoseSolver> solve = contender.make(problem, arm_terms);
      if (!solve) return std::unexpected(Failure{solve.error(), internal});
      Score score;
      for (const Placement& goal : arm->goals) {
        if (const auto set = problem.set_goal(*id, goal); !set) return std::unexpected(Failure{set.error(), internal});
        Pose pose = arm->start;
        attempt(*solve, problem, arm_terms, pose, score);
        if (score.rejected) break;
      }
      if (score.rejected) continue;
      table.rows.push_back(with_score({{"robot", arm->robot}, {"method", contender.name}}, score));
    }
  }
  return table;
}

std::expected<Table, Failure> bench_arms(const TaskOptions& task) {
  std::vector<Contender> contenders;
  for (const Method method : all_methods()) contenders.push_back(limber_contender(method));
  return arms_table(task, contenders);
}

}  // namespace limber::cli
