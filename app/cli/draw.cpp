// limber draw: a picture of a scene.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/picture/picture.h"

namespace limber::cli {

namespace {

struct DrawOptions {
  std::string scene;
  std::string output;
  bool solve = false;
};

int run(const DrawOptions& options) {
  std::expected<Loaded, int> loaded = load(options.scene);
  if (!loaded) return loaded.error();
  // Without a single iteration the report still measures what is left.
  if (!options.solve) loaded->scene.options.iterations = 0;
  const std::expected<Report, int> report = solve_scene(*loaded, options.scene);
  if (!report) return report.error();
  const std::string picture = draw_svg(loaded->problem, loaded->scene.pose, *report, {.title = loaded->scene.title});
  if (const Expected<void> done = write_file(options.output, picture); !done)
    return complain(done.error(), file_trouble);
  return report->met() || !options.solve ? all_met : not_all_met;
}

}  // namespace

Verb add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* verb = app.add_subcommand("draw", "Draw a scene as SVG: the figure, its goals, and what is left to them");
  verb->add_option("SCENE", options->scene, "The scene, a JSON file; - is standard input")->required();
  verb->add_option("-o,--output", options->output, "The picture, an SVG file")->required();
  verb->add_flag("--solve", options->solve, "Solve the scene first; else the pose is drawn as it stands");
  verb->footer(
      "Examples:\n"
      "  limber draw reach.json -o before.svg\n"
      "  limber draw reach.json -o after.svg --solve\n"
      "\n"
      "Exit status: 0 drawn (with --solve: and all constraints met), 1 drawn but not all met, 3 the scene is "
      "wrong.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
