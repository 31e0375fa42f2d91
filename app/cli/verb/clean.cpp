// limber clean: removes foot sliding from a motion.
#include "limber/motion/clean/clean.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/motion_output.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "app/cli/tracking_figure.h"
#include "limber/base/number.h"

namespace limber::cli {

namespace {

struct CleanArguments {
  ContentOptions content;
  CleanOptions clean;
  std::string output, picture;
  bool feet = false;
  bool limits = false;
  bool json = false;
};

void print_contacts(const std::vector<Contact>& contacts) {
  for (const Contact& contact : contacts)
    std::printf("%-18s in contact from %s to %s s, frames %d to %d\n", contact.place.c_str(),
                to_text(contact.start, 3).c_str(), to_text(contact.end, 3).c_str(), contact.first, contact.last);
}

nlohmann::ordered_json cleaned_json(const Cleaned& cleaned, double seconds) {
  nlohmann::ordered_json json;
  json["frames"] = cleaned.clip.frames();
  json["seconds"] = seconds;
  json["exit"] = name_of(cleaned.report.exit);
  json["iterations"] = cleaned.report.iterations;
  json["met"] = cleaned.report.met();
  json["contacts"] = nlohmann::ordered_json::array();
  for (const Contact& contact : cleaned.contacts)
    json["contacts"].push_back({{"place", contact.place},
                                {"from", contact.start},
                                {"until", contact.end},
                                {"frames", {contact.first, contact.last}},
                                {"at", {contact.at.x(), contact.at.y(), contact.at.z()}}});
  json["sliding_before_after"] = sliding_json(cleaned.before, cleaned.after);
  return json;
}

// One motion before and after, with the figure that it was solved on.
struct CleanedMotion {
  const Clip* source;
  Figure figure;
  Cleaned cleaned;
  double seconds;
};

std::expected<CleanedMotion, Failure> clean_one(const LoadedContent& content, const Clip& clip,
                                                const CleanArguments& arguments) {
  const std::string& path = arguments.content.file;
  Expected<Figure> figure = figure_for(*content.figure, content.roles(), clip, !arguments.limits);
  if (!figure) return std::unexpected(Failure{figure.error(), scene_is_wrong});
  const auto begin = std::chrono::steady_clock::now();
  Progress progress("cleaning " + shown(path) + of_motion(content, clip), arguments.clean.motion.iterations);
  CleanOptions options = arguments.clean;
  options.motion.observer = [&](const MotionProgress&) {
    progress.step();
    return !time_is_over();
  };
  Expected<Cleaned> cleaned = clean_feet(*figure, clip, options);
  if (!cleaned)
    return std::unexpected(Failure{
        {shown(path) + ": " + cleaned.error().where, cleaned.error().found, cleaned.error().expected}, scene_is_wrong});
  return CleanedMotion{&clip, std::move(*figure), std::move(*cleaned),
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

void print_cleaned(const CleanedMotion& motion) {
  const Cleaned& cleaned = motion.cleaned;
  print_contacts(cleaned.contacts);
  print_sliding(cleaned.before, cleaned.after);
  print_unmet(cleaned.report, motion.source->frame_time);
  std::printf("%d frames, %d iterations, %s s\n", motion.source->frames(), cleaned.report.iterations,
              to_text(motion.seconds, 3).c_str());
}

std::expected<void, Failure> write_cleaned(const std::vector<CleanedMotion>& all, const LoadedContent& content,
                                           const CleanArguments& arguments) {
  MotionOutput output;
  std::vector<Clip> clips;
  clips.reserve(all.size());
  for (const CleanedMotion& motion : all) clips.push_back(motion.cleaned.clip);
  std::expected<void, Failure> done = output.add_motions(arguments.output, content, clips);
  const CleanedMotion& first = all.front();
  if (done)
    done = output.add_page(arguments.picture, first.figure, first.cleaned.clip, first.source, first.cleaned.contacts,
                           std::filesystem::path(shown(arguments.content.file)).filename().string() + ", feet locked");
  return done ? output.write() : done;
}

int run_clean(const CleanArguments& arguments) {
  if (const std::optional<Failure> why = wrong_output(arguments.output)) return complain(*why);
  const std::string& path = arguments.content.file;
  if (!arguments.feet)
    return complain({"limber clean", "nothing to clean", "--feet, which removes foot sliding"}, usage);
  const std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure || content->clips.empty())
    return complain({shown(path), "no motion", "a figure with a motion"}, scene_is_wrong);
  std::vector<CleanedMotion> all;
  for (const Clip* const clip : wanted_clips(*content, arguments.content, arguments.output)) {
    std::expected<CleanedMotion, Failure> motion = clean_one(*content, *clip, arguments);
    if (!motion) return complain(motion.error());
    all.push_back(std::move(*motion));
  }
  bool met = true;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CleanedMotion& motion : all) {
    met = met && motion.cleaned.report.met();
    json.push_back(cleaned_json(motion.cleaned, motion.seconds));
    if (all.size() > 1) json.back()["name"] = motion.source->name;
    if (!arguments.json && all.size() > 1) std::printf("%s:\n", motion.source->name.c_str());
    if (!arguments.json) print_cleaned(motion);
  }
  if (arguments.json) std::printf("%s\n", (all.size() == 1 ? json[0] : json).dump(2).c_str());
  const std::expected<void, Failure> done = write_cleaned(all, *content, arguments);
  if (!done) return complain(done.error());
  return met ? all_met : not_all_met;
}

}  // namespace

Verb add_clean(CLI::App& app) {
  auto options = std::make_shared<CleanArguments>();
  CLI::App* verb = app.add_subcommand("clean", "Remove foot sliding from a motion");
  verb->add_option("MOTION", options->content.file, "A motion, with its figure; - is standard input")->required();
  verb->add_option("AMC", options->content.motion, "The AMC file that belongs to an ASF file");
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_roles_option(*verb, options->content);
  verb->add_flag("--feet", options->feet, "Find foot contacts, and lock the feet there");
  verb->add_option("--places", options->clean.places,
                   "Places that touch the ground [heel or ankle, and ball or toe, of both feet]")
      ->delimiter(',');
  verb->add_option("--ease", options->clean.ease, "Seconds of easing before and after each contact")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  verb->add_option("--smooth", options->clean.motion.smooth_time, "Seconds over which the correction begins and fades")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  verb->add_option("--height", options->clean.contacts.enter_height,
                   "Max height of a place above its ground level during contact, in metres")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--speed", options->clean.contacts.enter_speed,
                   "Max speed of a place during contact, in metres per second")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_flag("--limits", options->limits,
                 "Enforce the joint limits of the file; default: widen them to contain the motion");
  verb->add_option("-o,--output", options->output, "Write the motion");
  add_overwrite_option(*verb);
  verb->add_option("--picture", options->picture, "Write a page with the motion before and after, as SVG");
  verb->add_flag("--json", options->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  limber clean walk.bvh --feet -o clean.bvh\n"
      "  limber clean 02_01.amc --feet -o clean.amc --picture clean.svg\n"
      "\n"
      "Exit status: 0 all contacts are held, 1 some could not be held to 0.1 mm, others as\n"
      "limber --help says.");
  return [options] {
    ContactOptions& contacts = options->clean.contacts;
    // The wider bounds go with the narrower ones.
    const ContactOptions usual = standing_still();
    contacts.leave_height = usual.leave_height / usual.enter_height * contacts.enter_height;
    contacts.leave_speed = usual.leave_speed / usual.enter_speed * contacts.enter_speed;
    return run_clean(*options);
  };
}

}  // namespace limber::cli
