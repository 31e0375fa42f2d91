// Many goals in one call on a GPU. Random problems are made and checked on the card, so that the rows count its work
// alone; "whole call" is solve_batch() with goals and poses in the memory of the machine.
#include <algorithm>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/arm.h"
#include "bench/task/warm_frames.h"
#include "limber/base/number.h"
#include "limber/batch/card.h"
#include "limber/batch/worker.h"
#include "limber/figure/figure.h"

namespace limber::bench {

namespace {

struct GpuCase {
  std::string what;
  const Problem& problem;
  MatX poses;  // the start, or the first problem's
  std::vector<Goal> goals;
  double tolerance = 1e-5;  // metres and radians
  CudaTrial trial = {};
};

// Rounds with different random problems; the median time counts.
constexpr int gpu_rounds = 8;

// On the card alone.
std::expected<BenchRow, Failure> gpu_row(GpuCase one, long count) {
  const BatchOptions options{.met_metres = one.tolerance, .met_degrees = degrees(one.tolerance), .device = Device::gpu};
  BatchWorker worker(one.problem, one.goals, one.poses, options, 0);
  std::vector<double> times;
  long met = 0, violations = 0, steps = 0;
  for (int round = 0; round < gpu_rounds; ++round) {
    one.trial.seed = static_cast<unsigned long long>(round) * static_cast<unsigned long long>(count);
    one.trial.call.count = count;
    if (const char* why = worker.run(one.trial))
      return std::unexpected(
          Failure{{"--task gpu, " + one.what, why, "a GPU and liblimber_cuda.so"}, cli::file_trouble});
    times.push_back(one.trial.call.kernel_seconds);
    met += one.trial.met;
    violations += one.trial.violations;
    steps += one.trial.call.iterations;
  }
  const double number = static_cast<double>(count) * gpu_rounds;
  return BenchRow{{"what", one.what},
                  {"card", worker.count().card},
                  {"problems", gpu_rounds * count},
                  {"tolerance", to_text(one.tolerance)},
                  {"met %", to_text(100.0 * static_cast<double>(met) / number, 4)},
                  {"violations", violations},
                  {"steps each", static_cast<double>(steps) / number},
                  {"million/s", 1e-6 * static_cast<double>(count) / quantile(times, 0.5)}};
}

// solve_batch() on goals and poses in the memory of the machine, all cores beside the card: million problems per
// second.
std::expected<double, Failure> whole_call_rate(const Problem& problem, const Arm& arm, double tolerance) {
  const std::vector<Goal> goals(arm.goals.begin(), arm.goals.end());
  const BatchOptions options{
      .met_metres = tolerance, .met_degrees = degrees(tolerance), .threads = 0, .device = Device::gpu};
  std::vector<double> times;
  for (int round = 0; round < gpu_rounds; ++round) {
    MatX poses = arm.start.theta.replicate(1, static_cast<Eigen::Index>(goals.size()));
    const auto begin = Clock::now();
    const Expected<BatchReport> report = solve_batch(problem, goals, poses, options);
    times.push_back(microseconds_since(begin));
    if (!report) return std::unexpected(Failure{report.error(), cli::internal});
  }
  return static_cast<double>(goals.size()) / quantile(times, 0.5);
}

struct GpuTable {
  const TaskOptions& task;
  Table table{"gpu",
              "many goals in one call on a GPU, of kernels alone; every answer checked there in double precision"};

  std::expected<void, Failure> add(const std::expected<BenchRow, Failure>& row) {
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(*row);
    return {};
  }

  std::expected<void, Failure> add_arms() {
    const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms());
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      const std::expected<Arm, Failure> arm = arm_of(file, task.quick ? 2'000 : 1'000'000);
      if (!arm) return std::unexpected(arm.error());
      Problem problem(arm->figure);
      const Expected<ConstraintId> id = problem.add(arm->tool, arm->goals.front());
      if (!id) return std::unexpected(Failure{id.error(), cli::internal});
      for (const double tolerance : {1e-5, 1e-3}) {
        const GpuCase one{arm->robot, problem, arm->start.theta, {arm->goals.front()}, tolerance};
        std::expected<BenchRow, Failure> row = gpu_row(one, task.quick ? 20'000 : 32'000'000);
        const std::expected<double, Failure> rate = whole_call_rate(problem, *arm, tolerance);
        if (!rate) return std::unexpected(rate.error());
        if (row) (*row)["whole call, million/s"] = *rate;
        if (const auto done = add(row); !done) return done;
      }
    }
    return {};
  }

  // Both hands and feet of a humanoid robot placed, from a pose in which each joint is up to `spread` away.
  std::expected<void, Failure> add_humanoid() {
    cli::ContentOptions from;
    from.file = folder_in(task.data, "urdf") + "/g1_29dof.urdf";
    const std::expected<Content, Failure> content = cli::load_content(from);
    if (!content) return std::unexpected(content.error());
    const Expected<Figure> figure = with_free_root(*content->figure);
    if (!figure) return std::unexpected(Failure{figure.error(), cli::internal});
    Problem problem(*figure);
    std::vector<Goal> goals;
    for (const char* end : {"left_ankle_roll_link", "right_ankle_roll_link", "left_rubber_hand", "right_rubber_hand"}) {
      const Expected<Handle> frame = figure->frame(end);
      if (!frame) return std::unexpected(Failure{frame.error(), cli::scene_is_wrong});
      goals.push_back(Placement{});
      if (const auto id = problem.add(*frame, goals.back()); !id)
        return std::unexpected(Failure{id.error(), cli::internal});
    }
    constexpr double spread = 0.1;
    GpuCase one{"g1, hands and feet, warm", problem, figure->rest().theta, goals, 1e-4};
    one.trial.spread = spread;
    return add(gpu_row(one, task.quick ? 2'000 : 4'000'000));
  }

  // Recorded frames, each from the solution 1/30 s before.
  std::expected<void, Failure> add_human() {
    const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"131_04"});
    if (!all) return std::unexpected(all.error());
    for (const Subject& subject : *all) {
      const Recorded& motion = subject.recorded;
      Expected<Tracker> tracker = Tracker::make(motion.figure, cli::places_of({"head", "hands", "feet"}), {});
      if (!tracker) return std::unexpected(Failure{tracker.error(), cli::scene_is_wrong});
      const WarmFrames frames = warm_frames(motion, *tracker);
      const GpuCase one{subject.motion + ", five positions, warm", tracker->problem(), frames.starts, frames.goals,
                        1e-4};
      if (const auto done = add(gpu_row(one, task.quick ? 2'000 : 8'000'000)); !done) return done;
    }
    return {};
  }
};

}  // namespace

std::expected<Table, Failure> bench_gpu(const TaskOptions& task) {
  GpuTable rows{task};
  if (const Expected<CardWorkspace> card = CardWorkspace::open(0); !card) {
    rows.table.title = "not measured: no GPU (" + card.error().found + ")";
    return rows.table;
  }
  for (const auto add : {&GpuTable::add_arms, &GpuTable::add_humanoid, &GpuTable::add_human})
    if (const auto done = (rows.*add)(); !done) return std::unexpected(done.error());
  return rows.table;
}

}  // namespace limber::bench
