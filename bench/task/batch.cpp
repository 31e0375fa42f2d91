// Many goals in one call: arms from the middle of their limits, and a human from the frame before.
#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/arm.h"
#include "bench/task/warm_frames.h"
#include "limber/batch/solve_batch.h"

namespace limber::bench {

namespace {

constexpr Criteria arm_batch_criteria = {.metres = 1e-5, .radians = 1e-5, .microseconds = infinity};
constexpr Criteria human_batch_criteria = {.metres = 1e-4, .radians = 1e-4, .microseconds = infinity};
constexpr int max_restarts = 100;
constexpr int batch_rounds = 3;  // the min time counts

// Solves them on one thread and on all cores, and checks every solution.
std::expected<std::vector<BenchRow>, Failure> batch_rows(const std::string& what, Problem problem,
                                                         const std::vector<Goal>& goals, const MatX& starts,
                                                         const Criteria& criteria) {
  std::vector<BenchRow> rows;
  for (const int threads : {1, 0}) {
    BatchOptions options{.met_metres = tolerance_margin * criteria.metres,
                         .met_degrees = tolerance_margin * degrees(criteria.radians)};
    options.thorough.restarts = max_restarts;
    options.threads = threads;
    double min_time = infinity;
    MatX poses;
    BatchReport report;
    for (int round = 0; round < batch_rounds; ++round) {
      poses = starts;
      const auto start = Clock::now();
      Expected<BatchReport> solved = solve_batch(problem, goals, poses, options);
      min_time = std::min(min_time, microseconds_since(start));
      if (!solved) return std::unexpected(Failure{solved.error(), cli::internal});
      report = std::move(*solved);
    }
    const auto count = static_cast<std::size_t>(starts.cols());
    const std::size_t constraints = problem.constraints().size();
    std::size_t met = 0, within_limits = 0;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < constraints; ++c)
        if (const auto set = problem.set_goal(problem.constraints()[c].id, goals[k * constraints + c]); !set)
          return std::unexpected(Failure{set.error(), cli::internal});
      const Pose pose{poses.col(static_cast<Eigen::Index>(k))};
      const bool within = cli::keeps_limits(problem.figure(), pose);
      within_limits += within;
      met += within && meets_goals(problem, pose, criteria);
    }
    const auto number = static_cast<double>(count);
    rows.push_back({{"what", what},
                    {"threads", threads == 1 ? "1" : "all cores"},
                    {"problems", count},
                    {"solved %", 100.0 * static_cast<double>(met) / number},
                    {"within limits %", 100.0 * static_cast<double>(within_limits) / number},
                    {"us each", min_time / number},
                    {"million/s", number / min_time},
                    {"steps each", static_cast<double>(report.lane_steps) / number},
                    {"one by one", report.one_by_one}});
  }
  return rows;
}

std::expected<std::vector<BenchRow>, Failure> arm_batch(const Arm& arm) {
  Problem problem(arm.figure);
  const Expected<ConstraintId> id = problem.add(arm.tool, arm.goals.front());
  if (!id) return std::unexpected(Failure{id.error(), cli::internal});
  const std::vector<Goal> goals(arm.goals.begin(), arm.goals.end());
  const MatX starts = arm.start.theta.replicate(1, static_cast<Eigen::Index>(goals.size()));
  return batch_rows(arm.robot, std::move(problem), goals, starts, arm_batch_criteria);
}

// Every recorded frame, from the solution 1/30 s before; repeated `times` times to get a measurable duration.
std::expected<std::vector<BenchRow>, Failure> human_batch(const Subject& subject, bool given, int times) {
  const Recorded& motion = subject.recorded;
  Expected<Tracker> tracker =
      Tracker::make(motion.figure, cli::places_of({"head", "hands", "feet"}), {.root_given = given});
  if (!tracker) return std::unexpected(Failure{tracker.error(), cli::scene_is_wrong});
  const WarmFrames once = warm_frames(motion, *tracker);
  std::vector<Goal> goals;
  for (int t = 0; t < times; ++t) goals.insert(goals.end(), once.goals.begin(), once.goals.end());
  const MatX starts = once.starts.replicate(1, times);
  const std::string what = subject.motion + (given ? ", root given" : ", root free");
  return batch_rows(what, tracker->problem(), goals, starts, human_batch_criteria);
}

}  // namespace

std::expected<Table, Failure> bench_batch(const TaskOptions& task) {
  Table table{"batch", "many goals in one call: arms to 1e-5 m and rad, a human from the frame before to 0.1 mm"};
  const auto add = [&](const std::expected<std::vector<BenchRow>, Failure>& rows) {
    if (rows) table.rows.insert(table.rows.end(), rows->begin(), rows->end());
    return rows.has_value();
  };
  const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms());
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(file, task.quick ? 5'000 : 100'000);
    if (!arm) return std::unexpected(arm.error());
    if (const auto rows = arm_batch(*arm); !add(rows)) return std::unexpected(rows.error());
  }
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"131_04"});
  if (!all) return std::unexpected(all.error());
  for (const Subject& subject : *all)
    for (const bool given : {false, true})
      if (const auto rows = human_batch(subject, given, task.quick ? 1 : 16); !add(rows))
        return std::unexpected(rows.error());
  return table;
}

}  // namespace limber::bench
