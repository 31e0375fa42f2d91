// limber solve: poses the figure of a scene and reports the result.
#include "limber/solver/solve.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/tracking_figure.h"
#include "app/cli/verb.h"
#include "limber/document/report/report_json.h"
#include "limber/format/figure/figure_json.h"
#include "limber/format/text/path.h"
#include "limber/format/text/text.h"

namespace limber::cli {

namespace {

struct SolveOptions {
  std::string scene;
  std::string figure;
  std::string root;
  std::string output;
  bool json = false;
  bool quiet = false;
  std::string method;
  std::optional<int> iterations;
  std::optional<int> restarts;
  std::optional<double> tolerance;
  bool natural = false;
  std::string prior;  // a file; empty: the figure's own
};

void write_pose(JsonWriter& out, const Scene& scene, Unit unit, const char* key) {
  out.key(key).begin_object();
  for (std::size_t j = 0; j < scene.figure.parameters().size(); ++j) {
    const Parameter& parameter = scene.figure.parameters()[j];
    if ((unit_of(scene.figure, parameter) == Unit::metres) == (unit == Unit::metres))
      out.member(parameter.name, written(scene.pose.theta[static_cast<Eigen::Index>(j)], unit));
  }
  out.end();
}

std::string as_json(const Scene& scene, const Report& report) {
  JsonWriter out;
  out.begin_object();
  if (!scene.title.empty()) out.member("title", scene.title);
  write_members(out, report);
  out.key("constraints").begin_array();
  for (const ConstraintReport& constraint : report.constraints) {
    out.begin_object();
    write_members(out, report, constraint);
    out.end();
  }
  out.end();
  write_pose(out, scene, Unit::degrees, "pose_degrees");
  write_pose(out, scene, Unit::metres, "pose_metres");
  out.end();
  return out.take();
}

int run(const SolveOptions& options) {
  if (options.output == "-" && !options.quiet)
    return complain(without_effect("--output", "standard output, where the report goes", "a file, or --quiet"));
  std::expected<Loaded, Failure> loaded = load_scene_file(options.scene, options.figure, options.root);
  if (!loaded) return complain(loaded.error());
  Scene& scene = loaded->scene;
  if (!scene.left_out.empty())
    std::fprintf(
        stderr, "limber: %s: note: ignored, the figure of %s has no %s%s\n", shown(options.scene).c_str(),
        options.figure.c_str(), in_quotes(scene.left_out.front()).c_str(),
        scene.left_out.size() > 1 ? (", nor " + std::to_string(scene.left_out.size() - 1) + " more").c_str() : "");
  const Options written_options = scene.options;
  if (!options.method.empty()) scene.options.method = *method_of(options.method);
  if (options.restarts) scene.options.restarts = options.restarts;
  scene.options.iterations = options.iterations.value_or(scene.options.iterations);
  scene.options.tolerance = options.tolerance.value_or(scene.options.tolerance);
  if (!options.prior.empty()) {
    std::expected<Figure, Failure> figure = with_prior_file(scene.figure, options.prior);
    if (!figure) return complain(figure.error());
    Scene with = scene;
    with.figure = *figure;
    Expected<Problem> problem = problem_of(with);
    if (!problem) return complain(problem.error(), scene_is_wrong);
    loaded->problem = std::move(*problem);
  }
  if ((options.natural || !options.prior.empty()) && scene.natural == 0.0)
    if (const Expected<void> added = loaded->problem.add_prior(); !added)
      return complain({shown(options.scene) + ": " + added.error().where, added.error().found, added.error().expected},
                      scene_is_wrong);
  const std::expected<Report, Failure> report = solve_scene(*loaded, options.scene);
  if (!report) return complain(report.error());
  scene.options = written_options;  // the command line is for this run only
  if (!options.output.empty()) {
    move_scene(scene, options.scene, options.output);
    const std::string text = write_scene(scene);
    if (options.output == "-")
      std::fputs(text.c_str(), stdout);
    else if (const Expected<void> done = write_file(options.output, text); !done)
      return complain(done.error(), file_trouble);
    if (const FileFigure* figure = std::get_if<FileFigure>(&scene.source);
        !options.quiet && figure && wrong_with_path(figure->file))
      std::fprintf(stderr, "%s: note: its figure is %s, outside its folder; reading it needs --allow-outside\n",
                   options.output.c_str(), figure->file.c_str());
  }

  if (options.json)
    std::fputs(as_json(scene, *report).c_str(), stdout);
  else if (!options.quiet)
    std::fputs(((scene.title.empty() ? "" : scene.title + "\n") + to_text(*report)).c_str(), stdout);
  return report->met() ? all_met : not_all_met;
}

}  // namespace

Verb add_solve(CLI::App& app) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* verb = app.add_subcommand("solve", "Solve a scene: find a pose that meets its constraints, and report");
  verb->add_option("SCENE", options->scene, "The scene, a JSON file; - is standard input")->required();
  verb->add_option("--figure", options->figure, "Use the figure of this file instead of the scene's own");
  verb->add_option("--root", options->root, "Make this segment the root of the figure; the pose stays the same");
  verb->add_option("-o,--output", options->output,
                   "Write the scene with the solved pose to this file; with --quiet, - is standard output");
  verb->add_flag("--json", options->json, "Print the report as JSON, with the pose");
  verb->add_flag("-q,--quiet", options->quiet, "Print nothing; only set the exit status");
  verb->add_option("--method", options->method, "The method, instead of the scene's; see doc/method")->check(no_method);
  verb->add_option("--restarts", options->restarts, "Max restarts from other poses while a constraint is unmet")
      ->check(CLI::Range(0, 1'000'000));
  verb->add_option("--iterations", options->iterations, "Max iterations, instead of the scene's")
      ->check(CLI::Range(0, 1'000'000'000));
  verb->add_option("--tolerance", options->tolerance,
                   "Kuhn-Tucker residual at which the solve ends, instead of the scene's")
      ->check(not_above_zero);
  verb->add_flag("--natural", options->natural,
                 "Prefer natural poses where the goals leave freedom (the figure's prior); see doc/prior.md");
  verb->add_option("--prior", options->prior, "The same, with a prior file made by limber prior");
  verb->get_option("--quiet")->excludes("--json");
  verb->footer(
      "Examples:\n"
      "  limber solve reach.json                   print which constraints are met, and what blocks the others\n"
      "  limber solve reach.json -o posed.json     save the pose\n"
      "  limber solve reach.json -o reach.json     save it in the scene itself\n"
      "  limber solve reach.json --figure 02.asf   the same scene with another figure\n"
      "  limber solve - --json < reach.json        read standard input, print JSON\n"
      "\n"
      "Exit status: 0 all constraints met, 1 not all met, 2 the command line is wrong, 3 the scene is wrong,\n"
      "4 a file cannot be opened or written, 5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
