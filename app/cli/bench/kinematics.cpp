// Forward kinematics and Jacobian, as the quick solver has them: nothing but the first half of an iteration.
#include "app/cli/bench/arm.h"
#include "app/cli/bench/quickest.h"
#include "app/cli/exit_code.h"
#include "app/cli/tracked.h"
#include "limber/motion/track/track.h"
#include "limber/solver/quick_marquardt.h"

namespace limber::cli {

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
    return std::unexpected(Failure{{"bench " + what, "a problem for the general method", "pins in a box"}, internal});
  const double plain = microseconds_of([&] { forward(figure, q, state); }, quick);
  const double both = microseconds_of([&] { method.minimize(assembly, phi, {.iterations = 0}); }, quick);
  return BenchRow{{"figure", what},
                  {"freedoms", assembly.variables()},
                  {"frames", problem.constraints().size()},
                  {"forward, all segments us", plain},
                  {"forward and Jacobian us", both}};
}

}  // namespace

std::expected<Table, Failure> bench_kinematics(const TaskOptions& task) {
  Table table{"kinematics", "forward kinematics and Jacobian: an arm with one frame, a human with five"};
  const std::expected<std::vector<std::string>, Failure> files = robots(task.data, known_arms);
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const std::expected<Arm, Failure> arm = arm_of(file, 1);
    if (!arm) return std::unexpected(arm.error());
    Problem problem(arm->figure);
    problem.add(arm->tool, arm->goals.front());
    std::expected<BenchRow, Failure> row = kinematics_row(arm->robot, problem, task.quick);
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(std::move(*row));
  }
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"131_04"});
  if (!all) return std::unexpected(all.error());
  for (const Subject& subject : *all) {
    const Figure& figure = subject.recorded.figure;
    Problem problem(figure);
    for (const std::string& place : places_of({"head", "hands", "feet"})) problem.add(figure.frame(place), Placement{});
    std::expected<BenchRow, Failure> row = kinematics_row(subject.motion, problem, task.quick);
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(std::move(*row));
  }
  return table;
}

}  // namespace limber::cli
