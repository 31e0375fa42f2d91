#include "app/cli/verb.h"

#include <cstdio>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/solver/solve.h"

namespace limber::cli {

int complain(const Diagnostic& diagnostic, int exit_code) {
  std::fprintf(stderr, "limber: %s\n", diagnostic.text().c_str());
  return exit_code;
}

std::expected<Loaded, int> load(const std::string& path) {
  const Expected<std::string> text = read_file(path);
  if (!text) return std::unexpected(complain(text.error(), file_trouble));
  Expected<Scene> scene = read_scene(*text, shown(path));
  if (!scene) return std::unexpected(complain(scene.error(), scene_is_wrong));
  Expected<Problem> problem = problem_of(*scene);
  if (!problem) return std::unexpected(complain(problem.error(), scene_is_wrong));
  return Loaded{std::move(*scene), std::move(*problem)};
}

std::expected<Report, int> solve_scene(Loaded& loaded, const std::string& path) {
  Report report = solve(loaded.problem, loaded.scene.pose, loaded.scene.options);
  if (report.exit != Exit::refused && report.exit != Exit::infeasible && report.exit != Exit::not_finite) return report;
  Diagnostic reason =
      report.refusal.value_or(Diagnostic{"problem", name_of(report.exit), "a problem that can be solved"});
  reason.where = shown(path) + ": " + reason.where;
  return std::unexpected(complain(reason, scene_is_wrong));
}

}  // namespace limber::cli
