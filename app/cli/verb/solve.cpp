// limber solve: poses the figure of a scene and reports the result.
#include "limber/solver/solve.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/tracking_figure.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/document/report/report_json.h"
#include "limber/format/figure/figure_json.h"
#include "limber/format/text/path.h"
#include "limber/format/text/text.h"
#include "limber/solver/goal_jacobian.h"
#include "limber/solver/option_table.h"

namespace limber::cli {

namespace {

struct SolveOptions {
  std::string scene;
  std::string figure;
  std::string root;
  std::string output;
  bool json = false;
  bool quiet = false;
  bool jacobian = false;
  std::string method;
  std::vector<std::string> given;  // by row of option_table(); empty: not given
  std::vector<std::string> gains;  // "left_elbow.flexion=0.5"
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

void write_jacobian(JsonWriter& out, const GoalJacobian& jacobian) {
  out.key("jacobian").begin_object();
  out.key("rows").integer(jacobian.J.rows()).key("columns").integer(jacobian.J.cols());
  write_members(out, jacobian);
  out.end();
}

std::string in_words(const GoalJacobian& jacobian) {
  const auto size = std::to_string(jacobian.J.rows()) + " x " + std::to_string(jacobian.J.cols());
  std::string values;
  for (const double value : jacobian.singular_values) values += (values.empty() ? "" : ", ") + to_text(value, 4);
  const double condition = jacobian.condition();
  return "\nJacobian of the goals: " + size + ", rank " + std::to_string(jacobian.rank) + ", condition number " +
         (std::isfinite(condition) ? to_text(condition, 1) : "infinite: the pose is singular") +
         (values.empty() ? "" : "\n  singular values " + values) + "\n";
}

std::string as_json(const Scene& scene, const Report& report, const std::optional<GoalJacobian>& jacobian) {
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
  if (jacobian) write_jacobian(out, *jacobian);
  write_pose(out, scene, Unit::degrees, "pose_degrees");
  write_pose(out, scene, Unit::metres, "pose_metres");
  out.end();
  return out.take();
}

// The number of Options that a text stands for.
std::optional<double> option_value(const OptionRow& row, const std::string& text) {
  if (row.kind == OptionKind::flag) return text == "true" ? 1.0 : 0.0;
  if (row.unlimited && text == unlimited_word) return infinity;
  if (row.kind == OptionKind::name) {
    const auto at = std::ranges::find(row.names, text);
    return at == row.names.end() ? std::nullopt : std::optional<double>(at - row.names.begin());
  }
  const std::optional<double> number = to_number(text);
  return number && is_in_range(row, *number) ? number : std::nullopt;
}

std::expected<void, Failure> set_options(const SolveOptions& options, Scene& scene) {
  for (std::size_t k = 0; k < option_table().size(); ++k)
    if (!options.given[k].empty())
      option_table()[k].set(scene.options, *option_value(option_table()[k], options.given[k]));
  for (const std::string& gain : options.gains) {
    const std::size_t cut = gain.rfind('=');
    const std::optional<double> value = cut == std::string::npos ? std::nullopt : to_number(gain.substr(cut + 1));
    if (!value || !(*value >= 0.0))
      return std::unexpected(Failure{{"--gain", "'" + gain + "'", "PARAMETER=NUMBER, 0 or more"}, usage});
    const Expected<int> parameter = scene.figure.find_parameter(gain.substr(0, cut));
    if (!parameter)
      return std::unexpected(Failure{{"--gain", parameter.error().found, parameter.error().expected}, usage});
    VecX& all = scene.options.gain;
    if (all.size() == 0) all = VecX::Ones(static_cast<Eigen::Index>(scene.figure.parameters().size()));
    all[*parameter] = *value;
  }
  return {};
}

// A flag for every row of the table of options.
void add_options(CLI::App& verb, SolveOptions& options) {
  options.given.resize(option_table().size());
  for (std::size_t k = 0; k < option_table().size(); ++k) {
    const OptionRow& row = option_table()[k];
    std::string name = "--" + std::string(row.key);
    std::ranges::replace(name, '_', '-');
    std::string help(row.help);
    if (row.lists_methods()) help += "; of " + methods_of(row);
    if (row.kind == OptionKind::parameters) {
      verb.add_option(name, options.gains, help + "; PARAMETER=NUMBER, once per parameter")
          ->option_text("PARAMETER=NUMBER");
    } else if (row.kind == OptionKind::flag) {
      verb.add_flag_callback(name, [&options, k] { options.given[k] = "true"; }, help);
    } else {
      verb.add_option(name, options.given[k], help)->check([&row](const std::string& text) {
        return option_value(row, text) ? "" : "found " + text + "; expected " + expected_of(row);
      });
    }
  }
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
  if (const std::expected<void, Failure> set = set_options(options, scene); !set) return complain(set.error());
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
  std::optional<GoalJacobian> jacobian;
  if (options.jacobian) {
    Expected<GoalJacobian> found = goal_jacobian(loaded->problem, scene.pose);
    if (!found) return complain(found.error(), scene_is_wrong);
    jacobian = std::move(*found);
  }
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
    std::fputs(as_json(scene, *report, jacobian).c_str(), stdout);
  else if (!options.quiet)
    std::fputs(
        ((scene.title.empty() ? "" : scene.title + "\n") + to_text(*report) + (jacobian ? in_words(*jacobian) : ""))
            .c_str(),
        stdout);
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
  verb->add_flag("--jacobian", options->jacobian,
                 "Also print the singular values of the goals' Jacobian in the answer, and its condition number");
  verb->add_flag("-q,--quiet", options->quiet, "Print nothing; only set the exit status");
  verb->add_option("--method", options->method, "The method, instead of the scene's; see doc/method")->check(no_method);
  add_options(*verb, *options);
  verb->add_flag("--natural", options->natural,
                 "Prefer natural poses where the goals leave freedom (the figure's prior); see doc/prior.md");
  verb->add_option("--prior", options->prior, "The same, with a prior file made by limber prior");
  verb->get_option("--quiet")->excludes("--json")->excludes("--jacobian");
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
