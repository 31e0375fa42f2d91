// limber track: a figure follows a motion of which only a few places are known, frame by frame.      EE09 section 4
#include "limber/motion/track.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/tracked.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"

namespace limber::cli {

namespace {

using Json = nlohmann::ordered_json;

struct TrackArguments {
  ContentOptions content;
  std::vector<std::string> goals = {"head", "hands", "feet"};
  std::string root = "free";
  std::string method = "automatic";
  std::string output;
  int every = 1;
  int iterations = 100;
  int restarts = 0;
  bool orientations = false;
  bool widen = false;
  bool json = false;
};

struct Numbers {
  std::vector<double> error;  // metres, mean over the places, by frame
  double largest = 0.0;
  double seconds = 0.0;
  long iterations = 0;
  int stuck = 0;

  double mean() const {
    double sum = 0.0;
    for (const double e : error) sum += e;
    return error.empty() ? 0.0 : sum / static_cast<double>(error.size());
  }
  double percentile_95() const {
    std::vector<double> sorted = error;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0.0 : sorted[(sorted.size() - 1) * 95 / 100];
  }
};

void print(const TrackArguments& arguments, const std::vector<std::string>& places, const Numbers& numbers,
           Method method) {
  const double frames = std::max(1.0, static_cast<double>(numbers.error.size()));
  Json json;
  json["method"] = std::string(name_of(method));
  json["places"] = places;
  json["frames"] = numbers.error.size();
  json["every"] = arguments.every;
  json["most_iterations"] = arguments.iterations;
  json["root"] = arguments.root;
  json["microseconds"] = 1e6 * numbers.seconds / frames;
  json["error_cm"] = {
      {"mean", 100.0 * numbers.mean()}, {"p95", 100.0 * numbers.percentile_95()}, {"max", 100.0 * numbers.largest}};
  json["iterations"] = static_cast<double>(numbers.iterations) / frames;
  json["frames_not_met"] = numbers.stuck;
  if (arguments.json) {
    std::fputs((json.dump(2) + "\n").c_str(), stdout);
    return;
  }
  const auto row = [](const char* what, const std::string& text) { std::printf("%-18s %s\n", what, text.c_str()); };
  row("method", json["method"].get<std::string>());
  row("frames", std::to_string(numbers.error.size()));
  row("a frame", to_text(1e6 * numbers.seconds / frames, 0) + " µs, " + to_text(json["iterations"].get<double>(), 1) +
                     " iterations");
  row("error, mean", to_text(100.0 * numbers.mean(), 4) + " cm");
  row("error, 95 %", to_text(100.0 * numbers.percentile_95(), 4) + " cm");
  row("error, largest", to_text(100.0 * numbers.largest, 4) + " cm");
  row("frames not met", std::to_string(numbers.stuck));
}

int run(const TrackArguments& arguments) {
  const std::string& path = arguments.content.file;
  std::expected<Content, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure || content->clips.empty())
    return complain({shown(path), "no motion", "a figure with a motion to follow"}, scene_is_wrong);
  const Clip& reference = content->clips[static_cast<std::size_t>(chosen_clip(*content, arguments.content))];
  const Expected<Figure> figure = figure_for(*content->figure, reference, arguments.widen);
  if (!figure) return complain(figure.error(), scene_is_wrong);
  const std::vector<std::string> places = places_of(arguments.goals);
  Expected<Tracker> tracker =
      Tracker::make(*figure, places, {.orientations = arguments.orientations, .root_given = arguments.root == "given"});
  if (!tracker)
    return complain({shown(path) + ": " + tracker.error().where, tracker.error().found, tracker.error().expected},
                    scene_is_wrong);

  Options options{.method = *method_of(arguments.method), .iterations = arguments.iterations, .met_metres = 1e-4};
  options.restarts = arguments.restarts;
  const int frames = (reference.frames() + arguments.every - 1) / arguments.every;
  Clip tracked{.name = reference.name, .frame_time = reference.frame_time * arguments.every};
  tracked.poses.resize(reference.poses.rows(), frames);
  Numbers numbers;
  Method method = options.method;
  Pose pose = reference.frames() > 0 ? reference.pose(0) : figure->rest();
  {
    Progress progress("tracking " + shown(path), frames);
    for (int k = 0; k < frames; ++k) {
      tracker->aim(reference.pose(k * arguments.every), pose);
      const auto start = std::chrono::steady_clock::now();
      const Report& report = tracker->solve(pose, options);
      numbers.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (report.refusal) return complain(*report.refusal, scene_is_wrong);
      method = report.method;
      numbers.error.push_back(tracker->mean_distance());
      numbers.largest = std::max(numbers.largest, tracker->largest_distance());
      numbers.iterations += report.iterations;
      if (!report.met()) ++numbers.stuck;
      tracked.poses.col(k) = pose.theta;
      progress.step();
    }
  }
  if (!arguments.output.empty()) {
    const Expected<WrittenFiles> written = write_content(*content, {tracked}, arguments.output);
    if (!written) return complain(written.error(), scene_is_wrong);
    for (const WrittenFile& file : written->files)
      if (const Expected<void> done = write_file(file.name, file.bytes); !done)
        return complain(done.error(), file_trouble);
    print_notes(arguments.output, written->notes, stderr);
  }
  print(arguments, places, numbers, method);
  return numbers.stuck == 0 ? all_met : not_all_met;
}

}  // namespace

Verb add_track(CLI::App& app) {
  auto options = std::make_shared<TrackArguments>();
  CLI::App* verb = app.add_subcommand("track", "Follow a motion of which only a few places are known");
  verb->add_option("FILE", options->content.file, "The figure with its motion; - is standard input")->required();
  verb->add_option("MOTION", options->content.motion, "The AMC file that belongs to an ASF file");
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  verb->add_option("--goals", options->goals, "Places to follow; hands and feet are both of them")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--every", options->every, "Take every k-th frame")->check(CLI::Range(1, 1'000'000));
  verb->add_option("--iterations", options->iterations, "Most iterations a frame")->check(CLI::Range(0, 1'000'000'000));
  verb->add_option("--restarts", options->restarts, "Other poses to start from where a frame is stuck")
      ->check(CLI::Range(0, 1'000'000));
  verb->add_option("--method", options->method, "How to solve; see doc/method")->check(no_method);
  verb->add_option("--root", options->root, "free, or given by the motion")->check(CLI::IsMember({"free", "given"}));
  verb->add_flag("--orientations", options->orientations, "Follow how the places are turned, too");
  verb->add_flag("--widen", options->widen, "Make the limits as wide as the motion needs");
  verb->add_option("-o,--output", options->output, "Write the motion that was found");
  verb->add_flag("--json", options->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  limber track 02.asf 02_01.amc                        head, hands and feet, the root free\n"
      "  limber track 02_01.amc --root given --every 20       with the root's motion, every 20th frame\n"
      "  limber track walk.bvh --goals head,hands -o out.bvh  keep the motion that was found\n"
      "\n"
      "Exit status: 0 all goals met in all frames, 1 not all.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
