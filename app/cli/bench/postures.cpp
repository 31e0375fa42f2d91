#include <algorithm>
#include <filesystem>

#include "app/cli/bench/task.h"
#include "app/cli/exit_code.h"
#include "limber/solver/solve.h"

namespace limber::cli {

namespace {

struct PaperPosture {
  const char* scene;
  const char* figure;  // of the paper
};

constexpr PaperPosture paper_postures[] = {
    {"tube", "ZB94 Fig. 3 left"}, {"tube_independent", "ZB94 Fig. 3 right"},
    {"zb94_fig6", "ZB94 Fig. 6"}, {"zb94_fig7", "ZB94 Fig. 7"},
    {"zb94_fig8", "ZB94 Fig. 8"}, {"zb89_fig4", "ZB89 Fig. 4"},
    {"zb89_fig5", "ZB89 Fig. 5"}, {"zb89_fig7", "ZB89 Fig. 7"},
};

// Other data may bring scenes of its own; those of the source tree lie beside its data.
std::filesystem::path scene_folder(const std::string& data) {
  const std::filesystem::path own = std::filesystem::path(data) / "scene";
  std::error_code ignored;
  return std::filesystem::is_directory(own, ignored) ? own : std::filesystem::path(data) / ".." / "example" / "scene";
}

BenchRow posture_row(const Loaded& loaded, const PaperPosture& posture, Method method, bool quick) {
  const Options options{.method = method, .restarts = 0};
  const int max_runs = quick ? 2 : 50;
  const double enough = quick ? 2e4 : 5e5;  // microseconds, so that a slow method does not run all day
  Solver solver(loaded.problem);
  Report report;
  double quickest = infinity, spent = 0.0;  // the quickest: what is slower is the machine's other work
  for (int run = 0; run < max_runs && spent < enough; ++run) {
    Pose pose = loaded.scene.pose;
    const auto start = Clock::now();
    report = solver.solve(pose, options);
    const double time = microseconds_since(start);
    quickest = std::min(quickest, time);
    spent += time;
    if (report.exit == Exit::rejected) break;
  }
  BenchRow row = {{"posture", posture.figure},
                  {"method", std::string(name_of(method))},
                  {"us", nullptr},
                  {"iterations", nullptr},
                  {"left cm", nullptr},
                  {"left deg", nullptr},
                  {"exit", name_of(report.exit)}};
  if (report.exit == Exit::rejected) return row;
  double metres = 0.0, angle = 0.0;
  for (const ConstraintReport& constraint : report.constraints) {
    metres = std::max(metres, constraint.error.metres.value_or(0.0));
    angle = std::max(angle, constraint.error.radians.value_or(0.0));
  }
  row["us"] = quickest;
  row["iterations"] = report.iterations;
  row["left cm"] = 100.0 * metres;
  row["left deg"] = degrees(angle);
  return row;
}

}  // namespace

std::expected<Table, Failure> bench_postures(const TaskOptions& task) {
  Table table{"postures", "the postures of ZB94 and ZB89, each from its start, once; the largest distance left"};
  const auto missing = [&](const std::string& what) {
    return std::unexpected(Failure{{"--data " + task.data, "no " + what,
                                    "a folder with the papers' scenes in its scene/, or in example/scene beside it"},
                                   file_trouble});
  };
  std::error_code ignored;
  if (!std::filesystem::is_directory(task.data, ignored)) return missing("folder of that name");
  const std::filesystem::path folder = scene_folder(task.data);
  for (const PaperPosture& posture : paper_postures) {
    const std::filesystem::path file = folder / (posture.scene + std::string(".json"));
    if (!std::filesystem::exists(file, ignored)) return missing("scene " + file.lexically_normal().string());
    const std::expected<Loaded, Failure> loaded = load_scene_file(file.string());
    if (!loaded) return std::unexpected(loaded.error());
    for (const Method method : all_methods()) table.rows.push_back(posture_row(*loaded, posture, method, task.quick));
  }
  return table;
}

}  // namespace limber::cli
