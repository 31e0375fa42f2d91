// limber draw: a picture of a scene, or of a figure in any file, at rest or in a frame of its motion; or of the whole
// motion, on a page or as a film.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/motion_picture.h"
#include "app/cli/verb.h"
#include "limber/format/text/text.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/picture.h"
#include "limber/roles/roles.h"

namespace limber::cli {

namespace {

struct DrawOptions {
  ContentOptions content;
  std::string figure;
  std::string output;
  std::optional<int> frame;
  bool solve = false;
  MovingOptions moving;
};

int write_picture(const DrawOptions& options, const std::string& picture, int status) {
  if (options.output == "-") {
    std::fwrite(picture.data(), 1, picture.size(), stdout);  // main() reports what cannot be written
    return status;
  }
  if (const Expected<void> done = write_file(options.output, picture); !done)
    return complain(done.error(), file_trouble);
  return status;
}

// A scene has its own pose and is in metres; what says otherwise would do nothing.
std::optional<Failure> wrong_for_scene(const DrawOptions& options) {
  const ContentOptions& content = options.content;
  const std::pair<const char*, bool> given_here[] = {{"MOTION", !content.motion.empty()},
                                                     {"--frame", options.frame.has_value()},
                                                     {"--clip", !content.clip.empty()},
                                                     {"--fps", content.fps.has_value()},
                                                     {"--unit", content.unit.has_value()},
                                                     {"--up", content.up.has_value()},
                                                     {"--root-offset", content.root_offset.has_value()},
                                                     {"--skeleton", !content.skeleton.empty()}};
  if (options.moving.any())
    return without_effect(given(options.moving).value_or(options.output),
                          shown(content.file) + ", a scene, which has one pose", "a file with a motion");
  for (const auto& [option, is_given] : given_here)
    if (is_given)
      return without_effect(option, shown(content.file) + ", a scene, which has its pose and is in metres",
                            "a file of a figure or a motion");
  return std::nullopt;
}

int draw_scene(const DrawOptions& options, const std::string& text) {
  const std::string& path = options.content.file;
  if (const std::optional<Failure> why = wrong_for_scene(options)) return complain(*why);
  const bool of_one = !options.figure.empty() && has_several_figures(text);
  std::expected<Loaded, Failure> loaded = load_scene(text, path, of_one ? "" : options.figure);
  if (!loaded) return complain(loaded.error());
  // Even without iterations the report measures the errors.
  if (!options.solve) loaded->scene.options.iterations = 0;
  const std::expected<Report, Failure> report = solve_scene(*loaded, path);
  if (!report) return complain(report.error());
  const int status = report->met() || !options.solve ? all_met : not_all_met;
  if (of_one) {
    const std::expected<PartAlone, Failure> one = part_alone(loaded->scene, path, options.figure);
    if (!one) return complain(one.error());
    const std::string alone = draw_svg(Problem(one->figure), one->pose, Report{}, {.title = options.figure});
    return write_picture(options, alone, status);
  }
  const std::string picture = draw_svg(loaded->problem, loaded->scene.pose, *report, {.title = loaded->scene.title});
  return write_picture(options, picture, status);
}

// More would be some pixels each, and the picture tens of megabytes.
constexpr std::size_t max_segments_drawn = 4000;

int draw_figure(const DrawOptions& options, const Figure& figure, const Pose& pose, const PictureOptions& how) {
  if (figure.segments().size() > max_segments_drawn)
    return complain({shown(options.content.file), std::to_string(figure.segments().size()) + " segments",
                     "at most " + std::to_string(max_segments_drawn) + " in a picture"},
                    scene_is_wrong);
  return write_picture(options, draw_svg(Problem(figure), pose, Report{}, how), all_met);
}

// Where the left of a body is in a pose; zero where that is not known.
Vec3 left_of(const Figure& figure, const Roles& roles, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  for (const Role role : {Role::hip, Role::shoulder}) {
    const RolePart *left = roles.find(role, Side::left), *right = roles.find(role, Side::right);
    if (left && right && roles.side_confidence >= sure_confidence)
      return state.segments[static_cast<std::size_t>(left->first)].p -
             state.segments[static_cast<std::size_t>(right->first)].p;
  }
  return Vec3::Zero();
}

bool sees_any(const Markers& markers, int frame) {
  for (std::size_t m = 0; m < markers.names.size(); ++m)
    if (markers.seen(frame, static_cast<int>(m))) return true;
  return false;
}

// The first frame in which a marker is seen, if there is one.
std::optional<int> first_seen(const Markers& markers) {
  for (int k = 0; k < markers.frames(); ++k)
    if (sees_any(markers, k)) return k;
  return std::nullopt;
}

int draw_markers(const DrawOptions& options, const Content& content, const std::string& title) {
  const Expected<int> frame = marker_frame(content, options.content, options.frame);
  if (!frame) return complain(frame.error(), scene_is_wrong);
  if (!sees_any(*content.markers, *frame)) {
    const std::optional<int> seen = first_seen(*content.markers);
    return complain({shown(options.content.file), "no marker that is seen in frame " + std::to_string(*frame),
                     seen ? "another frame, such as --frame " + std::to_string(*seen) : "a file with markers"},
                    scene_is_wrong);
  }
  const Expected<MarkerFigure> points = marker_figure(*content.markers, *frame);
  if (!points) return complain(points.error(), scene_is_wrong);
  return draw_figure(options, points->figure, points->pose, {.title = title});
}

int draw_motion(const DrawOptions& options, std::string bytes) {
  if (options.frame)
    return complain(without_effect("--frame", "a picture of the whole motion", "--frame alone, for one of its frames"));
  const std::expected<LoadedContent, Failure> content = load_content(options.content, std::move(bytes));
  if (!content) return complain(content.error());
  if (const std::optional<Failure> why = wrong_sampling(*content, options.content, 0)) return complain(*why);
  const std::string title = std::filesystem::path(shown(options.content.file)).filename().string();
  const std::expected<std::string, Failure> picture = draw_moving(options.moving, options.content, *content, title);
  if (!picture) return complain(picture.error());
  return write_picture(options, *picture, all_met);
}

int draw_content(const DrawOptions& options, std::string bytes) {
  const std::string& path = options.content.file;
  if (options.solve || !options.figure.empty())
    return complain(
        without_effect(options.solve ? "--solve" : "--figure", shown(path) + ", which is no scene", "a scene"));
  if (options.moving.any()) return draw_motion(options, std::move(bytes));
  if (options.content.fps && !options.frame)
    return complain(without_effect("--fps", "no --frame", "--frame with the number of one at that rate"));
  const std::expected<LoadedContent, Failure> content = load_content(options.content, std::move(bytes));
  if (!content) return complain(content.error());
  if (const std::optional<Failure> why = wrong_sampling(*content, options.content, options.frame))
    return complain(*why);
  std::string title = std::filesystem::path(shown(path)).filename().string();
  if (options.frame) title += ", frame " + std::to_string(*options.frame);
  if (!content->figure) return draw_markers(options, *content, title);
  const Expected<Pose> pose = pose_of(*content, options.content, options.frame);
  if (!pose) return complain(pose.error(), scene_is_wrong);
  if (options.frame)
    title += of_motion(*content, content->clips[static_cast<std::size_t>(chosen_clip(*content, options.content))]);
  return draw_figure(
      options, *content->figure, *pose,
      {.title = title, .left = left_of(*content->figure, content->roles(), *pose), .objects = content->objects});
}

int run(DrawOptions& options) {
  if (const std::optional<Failure> why = settle(options.moving, options.output)) return complain(*why);
  Expected<std::string> bytes = read_file(options.content.file);
  if (!bytes) return complain(bytes.error(), file_trouble);
  return is_scene(*bytes) ? draw_scene(options, *bytes) : draw_content(options, std::move(*bytes));
}

}  // namespace

Verb add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* verb = app.add_subcommand("draw", "Draw a scene, a figure or a motion, as SVG or as a film");
  verb->add_option("FILE", options->content.file, "A scene, a figure, a motion or markers; - is standard input")
      ->required();
  verb->add_option("MOTION", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_option("-o,--output", options->output,
                   "The picture (SVG) or film (GIF or MP4) to write; - is standard output")
      ->required();
  add_frame_option(*verb, options->frame, "Draw this frame of the motion, counted from 0; default: the rest pose");
  verb->add_flag("--solve", options->solve, "Solve the scene first; default: draw its pose unchanged");
  verb->add_option(
      "--figure", options->figure,
      "For a scene: use the figure of this file instead of the scene's own; of several figures, draw this one");
  add_content_options(*verb, options->content);
  add_roles_option(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_sampling_option(*verb, options->content);
  add_moving_options(*verb, options->moving);
  verb->footer(
      "Examples:\n"
      "  limber draw reach.json -o before.svg\n"
      "  limber draw reach.json -o after.svg --solve\n"
      "  limber draw walk.bvh -o step.svg --frame 120\n"
      "  limber draw walk.bvh -o walk.svg --strip --trace left_toe,right_toe --contact left_toe:0.2:0.8\n"
      "  limber draw clean.bvh -o change.svg --strip --compare walk.bvh\n"
      "  limber draw walk.bvh -o knee.svg --curve LeftLeg,Hips\n"
      "  limber draw walk.bvh -o walk.mp4\n"
      "\n"
      "--strip draws the whole motion on one page: frames, each with a few pale bodies of earlier moments; the motion\n"
      "from the side with the paths of places; and their height and speed over time. The times of a --contact are\n"
      "coloured: a place that moves there slides. --curve draws parameters over time: joint angles\n"
      "in degrees, translations in metres. If OUTPUT ends in .gif or .mp4, a film from a fixed camera is made with "
      "the\n"
      "program ffmpeg (Debian: apt-get install ffmpeg).\n"
      "\n"
      "Exit status: 0 drawn (with --solve: and all constraints met), 1 drawn but not all met, 2 the command line is\n"
      "wrong, 3 the file is wrong, 4 it cannot be opened or written, 5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
