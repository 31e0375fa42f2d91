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
  std::string figure_roles;  // a file of parts; empty: recognised
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

// With the places of a body.
std::expected<Figure, Failure> named_body(const Figure& figure, const Roles& roles) {
  Expected<Figure> body = with_common_names(figure, roles);
  if (!body) return std::unexpected(Failure{body.error(), scene_is_wrong});
  return std::move(*body);
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
  options.roles = roles_file;
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->figure) return std::unexpected(Failure{{shown(name), "no figure", "a file with one"}, scene_is_wrong});
  const Expected<Figure> free = with_free_root(*content->figure);
  if (!free) return std::unexpected(Failure{free.error(), scene_is_wrong});
  std::expected<Figure, Failure> body = named_body(*free, content->roles());  // the segments are the same
  if (!body) return std::unexpected(body.error());
  if (free->parameters().size() != content->figure->parameters().size()) content->figure = *free;
  return Target{std::move(*content), std::move(*body)};
}

// One motion and its result.
struct Carried {
  const Clip* source;
  Retargeted out;
  double seconds;
};

std::string name_of_motion(const Clip& clip, const std::string& path) { return clip.name.empty() ? path : clip.name; }

nlohmann::ordered_json carried_json(const Carried& carried, double frame_time) {
  const Retargeted& out = carried.out;
  nlohmann::ordered_json json;
  json["name"] = carried.source->name;
  json["frames"] = out.clip.frames();
  json["start"] = out.skipped * frame_time;
  json["seconds"] = carried.seconds;
  json["scale"] = out.scale;
  json["bones_off_degrees"] = out.mean_deviation_deg;
  for (const LimbDeviation& limb : out.limbs) json["limbs_off_degrees"][limb.bone] = limb.mean_deg;
  json["contacts"] = out.contacts.size();
  json["met"] = out.report.met();
  if (!out.contacts.empty()) json["sliding_before_after"] = sliding_json(out.before, out.after);
  return json;
}

void print_carried(const Carried& carried) {
  const Retargeted& out = carried.out;
  std::printf("%d frames in %s s; the path is scaled by %s; mean error of limb directions: %s degrees\n",
              out.clip.frames(), to_text(carried.seconds, 3).c_str(), to_text(out.scale, 3).c_str(),
              to_text(out.mean_deviation_deg, 1).c_str());
  if (out.skipped > 0)
    std::printf("the first %d %s left out: a still pose before a jump\n", out.skipped,
                out.skipped == 1 ? "frame is" : "frames are");
  if (!out.contacts.empty()) print_sliding(out.before, out.after);
  print_unmet(out.report, out.clip.frame_time);
}

// The limbs that do not follow the recorded ones, on standard error.
void warn_of_limbs(const Retargeted& out, const std::string& motion) {
  std::string list;
  for (const LimbDeviation& limb : out.limbs)
    if (limb.mean_deg > max_limb_deviation_deg)
      list += (list.empty() ? "" : ", ") + limb.bone + " " + to_text(limb.mean_deg, 0);
  if (!list.empty())
    std::fprintf(
        stderr, "limber: warning: %s: limbs differ from the recorded ones by more than %s degrees on the average: %s\n",
        motion.c_str(), to_text(max_limb_deviation_deg, 0).c_str(), list.c_str());
}

std::expected<Carried, Failure> carry(const Figure& from, const Clip& clip, const Figure& to,
                                      const RetargetArguments& arguments) {
  RetargetOptions options = arguments.retarget;
  options.contacts = !arguments.slide;
  const auto begin = std::chrono::steady_clock::now();
  Progress progress("retargeting " + name_of_motion(clip, shown(arguments.content.file)),
                    (clip.frames() - 1) / options.every + 1);
  options.observer = [&](int, int) {
    progress.step();
    return !time_is_over();
  };
  Expected<Retargeted> out = retarget(from, clip, to, options);
  if (!out) return std::unexpected(Failure{out.error(), scene_is_wrong});
  return Carried{&clip, std::move(*out),
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

std::expected<void, Failure> write_carried(const std::vector<Carried>& all, const RetargetArguments& arguments,
                                           const Target& target) {
  MotionOutput output;
  std::vector<Clip> clips;
  clips.reserve(all.size());
  for (const Carried& carried : all) clips.push_back(carried.out.clip);
  std::expected<void, Failure> done = output.add_motions(arguments.output, target.content, clips);
  const Carried& first = all.front();
  if (done)
    done =
        output.add_page(arguments.picture, target.figure, first.out.clip, nullptr, first.out.contacts,
                        name_of_motion(*first.source, shown(arguments.content.file)) + " on " + target.figure.name());
  return done ? output.write() : done;
}

int run_retarget(const RetargetArguments& arguments) {
  if (const std::optional<Failure> why = wrong_output(arguments.output)) return complain(*why);
  const std::string& path = arguments.content.file;
  const std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure || content->clips.empty())
    return complain({shown(path), "no motion", "a figure with a motion"}, scene_is_wrong);
  const std::expected<Figure, Failure> from = named_body(*content->figure, content->roles());
  if (!from) return complain(from.error());
  const std::expected<Target, Failure> target = load_target(arguments.figure, arguments.figure_roles);
  if (!target) return complain(target.error());
  std::vector<Carried> all;
  for (const Clip* const clip : wanted_clips(*content, arguments.content, arguments.output)) {
    std::expected<Carried, Failure> carried = carry(*from, *clip, target->figure, arguments);
    if (!carried) return complain(carried.error());
    all.push_back(std::move(*carried));
  }
  int status = all_met;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Carried& carried : all) {
    json.push_back(carried_json(carried, carried.source->frame_time));
    if (!arguments.json && all.size() > 1) std::printf("%s: ", name_of_motion(*carried.source, path).c_str());
    if (!arguments.json) print_carried(carried);
    warn_of_limbs(carried.out, name_of_motion(*carried.source, shown(path)));
    if (!carried.out.report.met() && status == all_met) status = not_all_met;
    if (!carried.out.is_alike()) status = not_alike;
  }
  if (arguments.json) std::printf("%s\n", (all.size() == 1 ? json[0] : json).dump(2).c_str());
  const std::expected<void, Failure> done = write_carried(all, arguments, *target);
  return done ? status : complain(done.error());
}

}  // namespace

Verb add_retarget(CLI::App& app) {
  auto options = std::make_shared<RetargetArguments>();
  CLI::App* verb = app.add_subcommand("retarget", "Transfer a motion to another figure");
  verb->add_option("MOTION", options->content.file, "A motion, with its figure; - is standard input")->required();
  verb->add_option("FIGURE", options->figure, "The other figure: a file with a figure, or human")->required();
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_roles_option(*verb, options->content);
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
      "A still pose before a jump, such as a T-pose in the first frame, is left out. All motions of a file are\n"
      "carried over unless --clip chooses one.\n"
      "\n"
      "Exit status: 0 done, and all contacts are held, 1 some could not be held to 0.1 mm, 6 a limb differs from the\n"
      "recorded one by more than 25 degrees on the average, others as limber --help says.");
  return [options] { return run_retarget(*options); };
}

}  // namespace limber::cli
