// limber retarget: transfers a motion to another figure.
#include "limber/motion/retarget/retarget.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/motion_output.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/format/roles_file.h"

namespace limber::cli {

namespace {

struct RetargetArguments {
  ContentOptions content;
  std::string figure;
  std::string roles, figure_roles;  // files of parts; empty: recognised
  RetargetOptions retarget;
  std::string output, picture;
  bool slide = false;
  bool json = false;
};

// The figure to carry the motion to, as it will be written and as it is posed.
struct Target {
  Content content;
  Figure figure;
};

// With the places of a body, recognised or as a file names its parts.
std::expected<Figure, Failure> named_body(const Figure& figure, const std::string& roles_file) {
  Roles roles = roles_of(figure);
  if (!roles_file.empty()) {
    const Expected<std::string> text = read_file(roles_file);
    if (!text) return std::unexpected(Failure{text.error(), file_trouble});
    Expected<Roles> given = read_roles(figure, *text, shown(roles_file));
    if (!given) return std::unexpected(Failure{given.error(), scene_is_wrong});
    roles = std::move(*given);
  }
  Expected<Figure> with_names = with_common_names(figure, roles);
  if (!with_names) return std::unexpected(Failure{with_names.error(), scene_is_wrong});
  return std::move(*with_names);
}

std::expected<Target, Failure> load_target(const std::string& name, const std::string& roles_file) {
  if (name == "human") {
    Content content;
    content.figure = human();
    return Target{std::move(content), human()};
  }
  ContentOptions options;
  options.file = name;
  options.for_one_file = false;
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->figure) return std::unexpected(Failure{{shown(name), "no figure", "a file with one"}, scene_is_wrong});
  const Expected<Figure> free = with_free_root(*content->figure);
  if (!free) return std::unexpected(Failure{free.error(), scene_is_wrong});
  std::expected<Figure, Failure> body = named_body(*free, roles_file);
  if (!body) return std::unexpected(body.error());
  if (free->parameters().size() != content->figure->parameters().size()) content->figure = *free;
  return Target{std::move(*content), std::move(*body)};
}

nlohmann::ordered_json retargeted_json(const Retargeted& out, double seconds) {
  nlohmann::ordered_json json;
  json["frames"] = out.clip.frames();
  json["seconds"] = seconds;
  json["scale"] = out.scale;
  json["bones_off_degrees"] = out.mean_deviation_deg;
  json["contacts"] = out.contacts.size();
  json["met"] = out.report.met();
  if (!out.contacts.empty()) json["sliding_before_after"] = sliding_json(out.before, out.after);
  return json;
}

int run_retarget(const RetargetArguments& arguments) {
  if (const std::optional<Failure> why = wrong_output(arguments.output)) return complain(*why);
  const std::string& path = arguments.content.file;
  const std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure || content->clips.empty())
    return complain({shown(path), "no motion", "a figure with a motion"}, scene_is_wrong);
  const std::expected<Figure, Failure> from = named_body(*content->figure, arguments.roles);
  if (!from) return complain(from.error());
  const std::expected<Target, Failure> target = load_target(arguments.figure, arguments.figure_roles);
  if (!target) return complain(target.error());
  const Clip& clip = content->clips[static_cast<std::size_t>(chosen_clip(*content, arguments.content))];
  const auto begin = std::chrono::steady_clock::now();
  const Expected<Retargeted> out = [&] {
    RetargetOptions options = arguments.retarget;
    options.contacts = !arguments.slide;
    Progress progress("retargeting " + shown(path), (clip.frames() - 1) / options.every + 1);
    options.observer = [&](int, int) {
      progress.step();
      return !time_is_over();
    };
    return retarget(*from, clip, target->figure, options);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!out) return complain(out.error(), scene_is_wrong);
  if (arguments.json) {
    std::printf("%s\n", retargeted_json(*out, seconds).dump(2).c_str());
  } else {
    std::printf("%d frames in %s s; the path is scaled by %s; mean error of limb directions: %s degrees\n",
                out->clip.frames(), to_text(seconds, 3).c_str(), to_text(out->scale, 3).c_str(),
                to_text(out->mean_deviation_deg, 1).c_str());
    if (!out->contacts.empty()) print_sliding(out->before, out->after);
    print_unmet(out->report, out->clip.frame_time);
  }
  MotionOutput output;
  std::expected<void, Failure> done = output.add_motion(arguments.output, target->content, out->clip);
  if (done)
    done = output.add_page(arguments.picture, target->figure, out->clip, nullptr, out->contacts,
                           (clip.name.empty() ? shown(path) : clip.name) + " on " + target->figure.name());
  if (done) done = output.write();
  if (!done) return complain(done.error());
  return out->report.met() ? all_met : not_all_met;
}

}  // namespace

Verb add_retarget(CLI::App& app) {
  auto options = std::make_shared<RetargetArguments>();
  CLI::App* verb = app.add_subcommand("retarget", "Transfer a motion to another figure");
  verb->add_option("MOTION", options->content.file, "A motion, with its figure; - is standard input")->required();
  verb->add_option("FIGURE", options->figure, "The other figure: a file with a figure, or human")->required();
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  verb->add_option("--roles", options->roles, "The parts of the motion's figure, as limber roles -o writes them");
  verb->add_option("--figure-roles", options->figure_roles, "The parts of the other figure");
  verb->add_option("--every", options->retarget.every, "Use every k-th frame")->check(CLI::Range(1, 1'000'000));
  verb->add_flag("--slide", options->slide, "Do not lock foot contacts");
  verb->add_option("-o,--output", options->output, "Write the motion on the other figure");
  add_overwrite_option(*verb);
  verb->add_option("--picture", options->picture, "Write a page with the motion, as SVG");
  verb->add_flag("--json", options->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  limber retarget 02_01.amc human -o walk.glb\n"
      "  limber retarget walk.bvh character.glb -o walking.glb\n"
      "  limber retarget walk.bvh robot.urdf -o walking.bvh --picture walking.svg\n"
      "\n"
      "The parts of both bodies are recognised by their shape (limber roles shows them); without knees or elbows the\n"
      "motion is rejected. A figure that is fixed to the world gets a root with six degrees of freedom.\n"
      "\n"
      "Exit status: 0 done, and all contacts are held, 1 some could not be held to 0.1 mm, others\n"
      "as limber --help says.");
  return [options] { return run_retarget(*options); };
}

}  // namespace limber::cli
