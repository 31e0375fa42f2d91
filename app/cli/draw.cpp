// limber draw: a picture of a scene, or of a figure in any file, at rest or in a frame of its motion.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/picture/picture.h"

namespace limber::cli {

namespace {

struct DrawOptions {
  ContentOptions content;
  std::string figure;
  std::string output;
  std::optional<int> frame;
  bool solve = false;
};

int write_picture(const DrawOptions& options, const std::string& picture, int status) {
  if (const Expected<void> done = write_file(options.output, picture); !done)
    return complain(done.error(), file_trouble);
  return status;
}

int draw_scene(const DrawOptions& options, const std::string& text) {
  const std::string& path = options.content.file;
  std::expected<Loaded, Failure> loaded = load_scene(text, path, options.figure);
  if (!loaded) return complain(loaded.error());
  // Without a single iteration the report still measures what is left.
  if (!options.solve) loaded->scene.options.iterations = 0;
  const std::expected<Report, Failure> report = solve_scene(*loaded, path);
  if (!report) return complain(report.error());
  const std::string picture = draw_svg(loaded->problem, loaded->scene.pose, *report, {.title = loaded->scene.title});
  return write_picture(options, picture, report->met() || !options.solve ? all_met : not_all_met);
}

int draw_figure(const DrawOptions& options, const Figure& figure, const Pose& pose, const std::string& title) {
  return write_picture(options, draw_svg(Problem(figure), pose, Report{}, {.title = title}), all_met);
}

int draw_content(const DrawOptions& options, std::string bytes) {
  const std::string& path = options.content.file;
  const std::expected<Content, Failure> content = load_content(options.content, std::move(bytes));
  if (!content) return complain(content.error());
  std::string title = std::filesystem::path(shown(path)).filename().string();
  if (options.frame) title += ", frame " + std::to_string(*options.frame);
  if (content->figure) {
    const Expected<Pose> pose = pose_of(*content, options.content, options.frame);
    if (!pose) return complain(pose.error(), scene_is_wrong);
    return draw_figure(options, *content->figure, *pose, title);
  }
  const int frame = options.frame.value_or(0);
  if (frame >= content->markers->frames())
    return complain(
        {shown(path), "frame " + std::to_string(frame), "fewer than " + std::to_string(content->markers->frames())},
        scene_is_wrong);
  const Expected<MarkerFigure> points = marker_figure(*content->markers, frame);
  if (!points) return complain(points.error(), scene_is_wrong);
  return draw_figure(options, points->figure, points->pose, title);
}

int run(const DrawOptions& options) {
  Expected<std::string> bytes = read_file(options.content.file);
  if (!bytes) return complain(bytes.error(), file_trouble);
  return is_scene(*bytes) ? draw_scene(options, *bytes) : draw_content(options, std::move(*bytes));
}

}  // namespace

Verb add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* verb = app.add_subcommand("draw", "Draw a scene, or the figure of any file, as SVG");
  verb->add_option("FILE", options->content.file, "A scene, a figure, a motion or markers; - is standard input")
      ->required();
  verb->add_option("MOTION", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_option("-o,--output", options->output, "The picture, an SVG file")->required();
  verb->add_option("--frame", options->frame, "The frame of the motion, counted from 0; else the rest pose")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("--solve", options->solve, "Solve the scene first; else its pose is drawn as it stands");
  verb->add_option("--figure", options->figure, "A scene: with the figure of this file in place of its own");
  add_content_options(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber draw reach.json -o before.svg\n"
      "  limber draw reach.json -o after.svg --solve\n"
      "  limber draw walk.bvh -o step.svg --frame 120\n"
      "\n"
      "Exit status: 0 drawn (with --solve: and all constraints met), 1 drawn but not all met, 3 the file is wrong.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
