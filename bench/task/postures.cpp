#include "bench/task/postures.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

// Other data may bring scenes of its own; those of the source tree are beside its data.
std::filesystem::path scene_folder(const std::string& data) {
  const std::filesystem::path own = std::filesystem::path(data) / "scene";
  std::error_code ignored;
  return std::filesystem::is_directory(own, ignored) ? own : std::filesystem::path(data) / ".." / "example" / "scene";
}

constexpr int quick_iterations = 200;

BenchRow posture_row(const cli::Loaded& loaded, const PaperPosture& posture, Method method, bool quick) {
  // The time limit is for slow methods.
  Options options{.method = method, .restarts = 0};
  if (quick) options.iterations = std::min(options.iterations, quick_iterations);
  const SolvedPosture solved = solve_posture(loaded, options, quick ? 2 : 50, quick ? 2e4 : 5e5);
  BenchRow row = {{"posture", posture.figure},
                  {"method", std::string(name_of(method))},
                  {"us", nullptr},
                  {"iterations", nullptr},
                  {"error cm", nullptr},
                  {"error deg", nullptr},
                  {"exit", name_of(solved.report.exit)}};
  if (solved.report.exit == Exit::rejected) return row;
  const GoalError error = max_error(solved.report);
  row["us"] = solved.microseconds;
  row["iterations"] = solved.report.iterations;
  row["error cm"] = 100.0 * error.metres.value_or(0.0);
  row["error deg"] = degrees(error.radians.value_or(0.0));
  return row;
}

}  // namespace

std::expected<cli::Loaded, Failure> load_posture(const std::string& data, const PaperPosture& posture) {
  const auto missing = [&](const std::string& what) {
    return std::unexpected(Failure{{"--data " + data, "no " + what,
                                    "a folder with the papers' scenes in its scene/, or in example/scene beside it"},
                                   cli::file_trouble});
  };
  std::error_code ignored;
  if (!std::filesystem::is_directory(data, ignored)) return missing("folder of that name");
  const std::filesystem::path file = scene_folder(data) / (posture.scene + std::string(".json"));
  if (!std::filesystem::exists(file, ignored)) return missing("scene " + file.lexically_normal().string());
  return cli::load_scene_file(file.string());
}

SolvedPosture solve_posture(const cli::Loaded& loaded, const Options& options, int max_solves,
                            double max_microseconds) {
  Solver solver(loaded.problem);
  SolvedPosture solved{loaded.scene.pose, {}, infinity};
  double spent = 0.0;
  for (int k = 0; k < max_solves && spent < max_microseconds; ++k) {
    solved.pose = loaded.scene.pose;
    const auto start = Clock::now();
    const Report& report = solver.solve(solved.pose, options);
    const double time = microseconds_since(start);
    solved.report = report;
    solved.microseconds = std::min(solved.microseconds, time);
    spent += time;
    if (report.exit == Exit::rejected) break;
  }
  return solved;
}

GoalError max_error(const Report& report) {
  GoalError error;
  const auto add = [](std::optional<double>& to, const std::optional<double>& value) {
    if (value) to = std::max(to.value_or(0.0), *value);
  };
  for (const ConstraintReport& constraint : report.constraints) {
    add(error.metres, constraint.error.metres);
    add(error.radians, constraint.error.radians);
  }
  return error;
}

std::expected<Table, Failure> bench_postures(const TaskOptions& task) {
  Table table{"postures", "the postures of ZB94 and ZB89, each from its start pose; min time and max error"};
  for (const PaperPosture& posture : paper_postures) {
    const std::expected<cli::Loaded, Failure> loaded = load_posture(task.data, posture);
    if (!loaded) return std::unexpected(loaded.error());
    for (const Method method : all_methods()) table.rows.push_back(posture_row(*loaded, posture, method, task.quick));
  }
  return table;
}

}  // namespace limber::bench
