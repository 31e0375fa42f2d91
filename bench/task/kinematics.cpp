// Forward kinematics and Jacobian as the fast solver computes them: the first half of an iteration.
#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/arm.h"
#include "bench/task/min_time.h"
#include "limber/motion/track/track.h"
#include "limber/solver/quick_marquardt.h"

namespace limber::bench {

namespace {

std::expected<BenchRow, Failure> kinematics_row(const std::string& what, const Problem& problem, bool quick) {
  const Figure& figure = problem.figure();
  const VecX theta = figure.rest().theta;
  Kinematics state(figure);
  VecX q, phi;
  figure.angles(theta, q);
  Assembly assembly(problem);
  assembly.start(theta, phi);
  QuickMarquardt method;
  if (!method.accepts(assembly))
    return std::unexpected(
        Failure{{"bench " + what, "a problem for the general method", "pins in a box"}, cli::internal});
  const double forward_time = microseconds_of([&] { forward(figure, q, state); }, quick);
  const double both_time = microseconds_of([&] { method.minimize(assembly, phi, {.iterations = 0}); }, quick);
  return BenchRow{{"figure", what},
                  {"dof", assembly.variables()},
                  {"frames", problem.constraints().size()},
                  {"forward, all segments us", forward_time},
                  {"forward and Jacobian us", both_time}};
}

}  // namespace

std::expected<Table, Failure> bench_kinematics(const TaskOptions& task) {
  Table table{"kinematics", "forward kinematics and Jacobian: an arm with one frame, a human with five"};
  const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms());
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(file, 1);
    if (!arm) return std::unexpected(arm.error());
    Problem problem(arm->figure);
    (void)problem.add(arm->tool, arm->goals.front());
    std::expected<BenchRow, Failure> row = kinematics_row(arm->robot, problem, task.quick);
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(std::move(*row));
  }
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"131_04"});
  if (!all) return std::unexpected(all.error());
  for (const Subject& subject : *all) {
    const Figure& figure = subject.recorded.figure;
    Problem problem(figure);
    for (const std::string& place : cli::places_of({"head", "hands", "feet"}))
      (void)problem.add(figure.frame(place), Placement{});
    std::expected<BenchRow, Failure> row = kinematics_row(subject.motion, problem, task.quick);
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(std::move(*row));
  }
  return table;
}

}  // namespace limber::bench
