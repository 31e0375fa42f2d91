#include <algorithm>
#include <filesystem>

#include "app/cli/bench/task.h"
#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "limber/base/random.h"
#include "limber/kinematics/handle.h"

namespace limber::cli {

namespace {

constexpr Terms arm_terms = {.metres = 1e-5, .radians = 1e-5, .microseconds = 5000.0};

// The site that most turning parameters move: the flange or the hand, not the fingers of a gripper.
std::string tool_of(const Figure& figure) {
  std::string best;
  std::size_t most = 0;
  for (const Site& site : figure.sites()) {
    const Expected<Handle> point = figure.point(site.name);
    if (!point) continue;
    const std::vector<int> chain = chain_of(figure, *point, no_parent);
    const auto turning = static_cast<std::size_t>(
        std::count_if(chain.begin(), chain.end(), [&](int j) { return !figure.parameters()[j].translates; }));
    if (turning > most) {
      most = turning;
      best = site.name;
    }
  }
  return best;
}

// A robot, where it starts, and goals that it can reach.
struct Arm {
  std::string robot;
  Figure figure;
  Handle tool;
  Pose start;
  std::vector<Placement> goals;
};

std::expected<Arm, Failure> arm_of(const TaskOptions& task, const std::string& file) {
  ContentOptions from;
  from.file = file;
  const std::expected<Content, Failure> content = load_content(from);
  if (!content) return std::unexpected(content.error());
  const Figure& figure = *content->figure;
  const Expected<Handle> tool = figure.frame(tool_of(figure));
  if (!tool) return std::unexpected(Failure{tool.error(), scene_is_wrong});
  Arm arm{std::filesystem::path(file).filename().string(), figure, *tool, figure.rest(), {}};
  const int count = task.quick ? 200 : 2000;
  Random random(1);
  for (int k = 0; k < count; ++k) {
    Pose target = figure.rest();
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      const auto at = static_cast<Eigen::Index>(j);
      const double lower = std::max(range.lower, -pi), upper = std::min(range.upper, pi);
      target.theta[at] = random.between(lower, upper);
      arm.start.theta[at] = 0.5 * (lower + upper);
    }
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, target), *tool, x);
    arm.goals.push_back(Placement{x[0], {x[1], x[2]}});
  }
  return arm;
}

}  // namespace

std::expected<Table, Failure> arms_table(const TaskOptions& task, const std::vector<Contender>& contenders) {
  Table table{"arms", "reachable random poses of robot arms, from the middle of the limits, to 1e-5 m and rad in 5 ms"};
  const std::expected<std::vector<std::string>, Failure> files =
      robots(task.data, {"ur5.urdf", "panda.urdf", "iiwa14.urdf"});
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(task, file);
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
        if (score.refused) break;
      }
      if (score.refused) continue;
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
