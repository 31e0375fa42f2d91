#include "app/cli/bench/task.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "limber/base/random.h"
#include "limber/solver/solve.h"

namespace limber::cli {

namespace {

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

}  // namespace

std::expected<Table, Failure> bench_arms(const TaskOptions& task) {
  Table table{"arms", "reachable random poses of robot arms, from the middle of the limits, to 1e-5 m and rad in 5 ms"};
  const int count = task.quick ? 200 : 2000;
  for (const char* robot : {"ur5.urdf", "panda.urdf", "iiwa14.urdf"}) {
    ContentOptions from;
    from.file = (std::filesystem::path(task.data) / "urdf" / robot).string();
    const std::expected<Content, Failure> content = load_content(from);
    if (!content) return std::unexpected(content.error());
    const Figure& figure = *content->figure;
    const Expected<Handle> tool = figure.frame(tool_of(figure));
    if (!tool) return std::unexpected(Failure{tool.error(), scene_is_wrong});
    for (const Method method : all_methods()) {
      Problem problem(figure);
      const Expected<ConstraintId> id = problem.add(tool, Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}});
      if (!id) return std::unexpected(Failure{id.error(), internal});
      Solver solver(problem);
      Random random(1);
      int solved = 0, within = 0;
      bool refused = false;
      std::vector<double> times;
      for (int k = 0; k < count && !refused; ++k) {
        Pose target = figure.rest(), pose = figure.rest();
        for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
          const Range& range = figure.parameters()[j].range;
          const auto at = static_cast<Eigen::Index>(j);
          const double lower = std::max(range.lower, -pi), upper = std::min(range.upper, pi);
          target.theta[at] = random.between(lower, upper);
          pose.theta[at] = 0.5 * (lower + upper);
        }
        Vec3 x[max_elements];
        evaluate(figure, forward(figure, target), *tool, x);
        if (const auto set = problem.set_goal(*id, Placement{x[0], {x[1], x[2]}}); !set)
          return std::unexpected(Failure{set.error(), internal});
        Options options{.method = method, .iterations = 1'000'000, .met_metres = 1e-5, .met_degrees = degrees(1e-5)};
        options.restarts = 10'000;
        const auto start = Clock::now();
        options.observer = [&](const limber::Progress&) { return microseconds_since(start) < 5000.0; };
        const Report& report = solver.solve(pose, options);
        times.push_back(microseconds_since(start));
        refused = report.exit == Exit::refused;
        solved += report.met();
        bool kept = true;
        for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
          const Range& range = figure.parameters()[j].range;
          const double theta = pose.theta[static_cast<Eigen::Index>(j)];
          kept = kept && theta >= range.lower && theta <= range.upper;
        }
        within += kept;
      }
      if (refused) continue;
      table.rows.push_back({{"robot", robot},
                            {"method", std::string(name_of(method))},
                            {"solved %", 100.0 * solved / count},
                            {"limits kept %", 100.0 * within / count},
                            {"mean us", mean_of(times)},
                            {"median us", quantile(times, 0.5)}});
    }
  }
  return table;
}

}  // namespace limber::cli
