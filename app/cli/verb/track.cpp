// limber track: a figure follows a motion of which only a few places are known, or the markers of a recording, frame by
// frame.                                                                                             EE09 section 4
#include "limber/motion/track/track.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/marker_arguments.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "app/cli/tracking_figure.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"

namespace limber::cli {

namespace {

using Json = nlohmann::ordered_json;

struct TrackArguments {
  ContentOptions content;
  MarkerArguments markers;         // their file: none where a motion is followed
  std::vector<std::string> goals;  // empty: head, hands, feet
  std::string root = "free";
  std::string method = "automatic";
  std::string output;
  int every = 1;
  std::optional<int> iterations;
  std::optional<int> restarts;
  bool orientations = false;
  bool natural = false;
  std::string prior;  // a file; empty: the figure's own
  bool widen = false;
  bool json = false;

  bool is_natural() const { return natural || !prior.empty(); }
  bool follows_markers() const { return !markers.file.empty(); }
  int max_iterations() const { return iterations.value_or(Options{}.iterations); }
  // Markers are seldom met exactly: another start would make no difference, or a jump.
  std::optional<int> max_restarts() const { return restarts || !follows_markers() ? restarts : 0; }
};

// What is followed.
struct Course {
  Tracker tracker;
  std::vector<std::string> names;  // of places or markers
  std::string name;
  double frame_time;
  int frames;
  Pose start;
  // Sets the goals of a frame, and returns how many are seen in it.
  std::function<std::size_t(Tracker& tracker, int frame, Pose& pose)> aim;
  std::size_t min_seen = 1;  // fewer say too little of where the body is: the pose stays
};

// Three points place a rigid body; of a larger set a quarter must be seen, for those of one limb do not place the rest.
std::size_t enough_markers(std::size_t count) {
  constexpr std::size_t points_of_a_placement = 3, min_share = 4;
  return std::min(count, std::max(points_of_a_placement, count / min_share));
}

struct Numbers {
  std::vector<double> error;  // metres, mean over the places, by frame
  std::vector<double> sums;   // metres, over the frames, by place
  std::vector<int> counts;    // of frames in which it was seen, by place
  double max = 0.0;
  double seconds = 0.0;
  long iterations = 0;
  int not_met = 0;
  int stuck = 0;  // frames in which no minimum was found within the iterations
  int within = 0;
  int unseen = 0;
  int few = 0;  // frames with markers, but too few

  double frames() const { return std::max(1.0, static_cast<double>(error.size())); }
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

Json as_json(const TrackArguments& arguments, const Course& course, const Numbers& numbers, Method method) {
  const bool markers = arguments.follows_markers();
  Json json;
  json["method"] = std::string(name_of(method));
  json[markers ? "markers" : "places"] = course.names;
  json["frames"] = numbers.error.size();
  json["every"] = arguments.every;
  json["max_iterations"] = arguments.max_iterations();
  json["root"] = arguments.root;
  json["microseconds"] = 1e6 * numbers.seconds / numbers.frames();
  json["error_cm"] = {
      {"mean", 100.0 * numbers.mean()}, {"p95", 100.0 * numbers.percentile_95()}, {"max", 100.0 * numbers.max}};
  Json each = Json::object();
  for (std::size_t k = 0; k < course.names.size(); ++k)
    each[course.names[k]] = numbers.counts[k] > 0 ? Json(100.0 * numbers.sums[k] / numbers.counts[k]) : Json(nullptr);
  json["error_each_cm"] = each;
  json["iterations"] = static_cast<double>(numbers.iterations) / numbers.frames();
  json["limits_kept"] = numbers.within;
  json["frames_not_met"] = numbers.not_met;
  json["frames_stuck"] = numbers.stuck;
  if (markers) json["frames_without_markers"] = numbers.unseen;
  if (markers) json["frames_with_too_few_markers"] = numbers.few;
  return json;
}

void print(const TrackArguments& arguments, const Course& course, const Numbers& numbers, Method method) {
  if (arguments.json) {
    std::fputs((as_json(arguments, course, numbers, method).dump(2) + "\n").c_str(), stdout);
    return;
  }
  const auto row = [](const char* what, const std::string& text) { std::printf("%-18s %s\n", what, text.c_str()); };
  const std::string frames = std::to_string(numbers.error.size());
  row("method", std::string(name_of(method)));
  if (arguments.follows_markers()) row("markers", std::to_string(course.names.size()));
  row("frames", frames);
  if (numbers.unseen > 0) row("without markers", std::to_string(numbers.unseen) + " more");
  if (numbers.few > 0)
    row("too few markers", std::to_string(numbers.few) + " more, where the pose stays: at least " +
                               std::to_string(course.min_seen) + " of " + std::to_string(course.names.size()) +
                               " must be seen");
  row("per frame", to_text(1e6 * numbers.seconds / numbers.frames(), 0) + " µs, " +
                       to_text(static_cast<double>(numbers.iterations) / numbers.frames(), 1) + " iterations");
  row("error, mean", to_text(100.0 * numbers.mean(), 4) + " cm");
  row("error, 95 %", to_text(100.0 * numbers.percentile_95(), 4) + " cm");
  row("error, max", to_text(100.0 * numbers.max, 4) + " cm");
  row("within limits", numbers.within == static_cast<int>(numbers.error.size())
                           ? "in all frames"
                           : "in " + std::to_string(numbers.within) + " of " + frames + " frames");
  if (!arguments.follows_markers()) row("frames not met", std::to_string(numbers.not_met));
  row("frames stuck", std::to_string(numbers.stuck));
}

Failure wrong_file(const std::string& path, const Diagnostic& why) {
  return {{shown(path) + (why.where.empty() ? "" : ": ") + why.where, why.found, why.expected}, scene_is_wrong};
}

std::optional<Failure> wrong_for_motion(const TrackArguments& arguments) {
  const MarkerArguments& markers = arguments.markers;
  const char* const option = !markers.set.empty()      ? "--markers"
                             : !markers.single.empty() ? "--marker"
                             : markers.unit            ? "--marker-unit"
                             : markers.up              ? "--marker-up"
                             : markers.turn_deg        ? "--turn"
                                                       : nullptr;
  if (!option) return std::nullopt;
  return without_effect(option, "no markers", "FILE and a TRC or C3D file");
}

// With the requested prior.
std::expected<Figure, Failure> figure_to_follow(const LoadedContent& content, const Clip& clip,
                                                const TrackArguments& arguments) {
  const Expected<Figure> figure = figure_for(*content.figure, content.roles(), clip, arguments.widen);
  if (!figure) return std::unexpected(Failure{figure.error(), scene_is_wrong});
  if (arguments.prior.empty()) return *figure;
  return with_prior_file(*figure, arguments.prior);
}

std::expected<Course, Failure> course_of_motion(const TrackArguments& arguments, const LoadedContent& content) {
  const std::string& path = arguments.content.file;
  if (const std::optional<Failure> why = wrong_for_motion(arguments)) return std::unexpected(*why);
  if (content.clips.empty())
    return std::unexpected(wrong_file(path, {"", "no motion", "a figure with a motion to follow, or markers"}));
  const Clip& reference = content.clips[static_cast<std::size_t>(chosen_clip(content, arguments.content))];
  const std::expected<Figure, Failure> figure = figure_to_follow(content, reference, arguments);
  if (!figure) return std::unexpected(figure.error());
  const std::vector<std::string> places =
      places_of(arguments.goals.empty() ? std::vector<std::string>{"head", "hands", "feet"} : arguments.goals);
  Expected<Tracker> tracker = Tracker::make(*figure, places,
                                            {.orientations = arguments.orientations,
                                             .root_given = arguments.root == "given",
                                             .natural = arguments.is_natural()});
  if (!tracker) return std::unexpected(wrong_file(path, tracker.error()));
  return Course{std::move(*tracker),
                places,
                reference.name,
                reference.frame_time,
                reference.frames(),
                reference.frames() > 0 ? reference.pose(0) : figure->rest(),
                [&reference](Tracker& following, int frame, Pose& pose) {
                  following.aim(reference.pose(frame), pose);
                  return following.places();
                }};
}

// Markers are points, and all that is known.
std::optional<Failure> wrong_for_markers(const TrackArguments& arguments, const Content& content) {
  const std::string markers = "markers, ";
  if (arguments.root == "given")
    return without_effect("--root given", markers + "which do not give the root", "a motion, or --root free");
  if (arguments.orientations) return without_effect("--orientations", markers + "which have none", "a motion");
  if (!arguments.goals.empty())
    return without_effect("--goals", markers + "which are the goals", "a motion, or --marker NAME=PLACE");
  if (arguments.widen && content.clips.empty())
    return without_effect("--widen", shown(arguments.content.file) + ", which has no motion", "a figure with one");
  return std::nullopt;
}

std::expected<Course, Failure> course_of_markers(const TrackArguments& arguments, const LoadedContent& content) {
  const std::string& path = arguments.markers.file;
  if (const std::optional<Failure> why = wrong_for_markers(arguments, content)) return std::unexpected(*why);
  std::expected<LoadedMarkers, Failure> loaded = load_markers(arguments.markers);
  if (!loaded) return std::unexpected(loaded.error());
  const Clip* const clip =
      arguments.widen ? &content.clips[static_cast<std::size_t>(chosen_clip(content, arguments.content))] : nullptr;
  const std::expected<Figure, Failure> figure = figure_to_follow(content, clip ? *clip : Clip{}, arguments);
  if (!figure) return std::unexpected(figure.error());
  const std::expected<MarkerSet, Failure> set =
      marker_set_of(*figure, loaded->markers, arguments.markers, loaded->notes);
  if (!set) return std::unexpected(set.error());
  Expected<Tracker> tracker = Tracker::with_markers(*figure, set->markers, {.natural = arguments.is_natural()});
  if (!tracker) return std::unexpected(wrong_file(arguments.content.file, tracker.error()));
  print_notes(path, loaded->notes, stderr);

  std::vector<std::string> names;
  std::vector<int> rows;
  for (const Attachment& attachment : set->markers) {
    names.push_back(attachment.marker);
    rows.push_back(*loaded->markers.find(attachment.marker));
  }
  const std::size_t min_seen = enough_markers(rows.size());
  const double rate = loaded->markers.rate;
  const int frames = loaded->markers.frames();
  auto markers = std::make_shared<const Markers>(turned(std::move(loaded->markers), set->turn));
  std::vector<std::optional<Vec3>> points(rows.size());
  bool placed = false;
  return Course{std::move(*tracker),
                std::move(names),
                "markers",
                rate > 0.0 ? 1.0 / rate : Clip{}.frame_time,
                frames,
                figure->rest(),
                [markers, rows = std::move(rows), points = std::move(points), placed, min_seen](
                    Tracker& following, int frame, Pose& pose) mutable {
                  std::size_t count = 0;
                  for (std::size_t k = 0; k < rows.size(); ++k) {
                    const bool seen = markers->seen(frame, rows[k]);
                    points[k] = seen ? std::optional(markers->position(frame, rows[k])) : std::nullopt;
                    count += seen ? 1 : 0;
                  }
                  if (count < min_seen) return count;
                  following.aim(points);
                  if (!placed) following.align(pose);
                  placed = true;
                  return count;
                },
                min_seen};
}

// Solves every k-th frame from the one before.
std::expected<Clip, Failure> follow(const TrackArguments& arguments, Course& course, Numbers& numbers, Method& method) {
  Options options{.method = *method_of(arguments.method), .iterations = arguments.max_iterations(), .met_metres = 1e-4};
  options.restarts = arguments.max_restarts();
  const int max = options.iterations, frames = (course.frames + arguments.every - 1) / arguments.every;
  const Figure& figure = course.tracker.figure();
  Clip tracked{.name = course.name, .frame_time = course.frame_time * arguments.every};
  tracked.poses.resize(static_cast<Eigen::Index>(figure.parameters().size()), frames);
  numbers.sums.resize(course.names.size());
  numbers.counts.resize(course.names.size());
  method = options.method;
  Pose pose = course.start;
  Progress progress("tracking " + shown(arguments.follows_markers() ? arguments.markers.file : arguments.content.file),
                    frames);
  for (int k = 0; k < frames; ++k, progress.step()) {
    if (time_is_over() && k > 0) {
      tracked.poses.conservativeResize(Eigen::NoChange, k);
      break;
    }
    const std::size_t seen = course.aim(course.tracker, k * arguments.every, pose);
    if (seen < course.min_seen) {
      ++(seen > 0 ? numbers.few : numbers.unseen);
      tracked.poses.col(k) = pose.theta;
      continue;
    }
    // Markers do not determine the pose to start from: the first is a solve of its own.
    const bool is_far = arguments.follows_markers() && numbers.error.empty();
    options.iterations = is_far ? std::max(max, Options{}.iterations) : max;
    const auto start = std::chrono::steady_clock::now();
    const Report& report = course.tracker.solve(pose, options);
    numbers.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (report.rejection) return std::unexpected(Failure{*report.rejection, scene_is_wrong});
    method = report.method;
    numbers.error.push_back(course.tracker.mean_distance());
    numbers.max = std::max(numbers.max, course.tracker.max_distance());
    for (std::size_t j = 0; j < course.names.size(); ++j) {
      if (!report.constraints[j].counted) continue;
      numbers.sums[j] += report.constraints[j].error.metres.value_or(0.0);
      ++numbers.counts[j];
    }
    numbers.iterations += report.iterations;
    numbers.not_met += !report.met();
    numbers.stuck += !report.met() && report.exit != Exit::converged && report.exit != Exit::stalled;
    numbers.within += keeps_limits(figure, pose);
    tracked.poses.col(k) = pose.theta;
  }
  return tracked;
}

int run(const TrackArguments& arguments) {
  std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure)
    return complain({shown(arguments.content.file), "no figure", "a figure with a motion, or with markers to follow"},
                    scene_is_wrong);
  std::expected<Course, Failure> course =
      arguments.follows_markers() ? course_of_markers(arguments, *content) : course_of_motion(arguments, *content);
  if (!course) return complain(course.error());
  Numbers numbers;
  Method method = Method::automatic;
  const std::expected<Clip, Failure> tracked = follow(arguments, *course, numbers, method);
  if (!tracked) return complain(tracked.error());
  if (!arguments.output.empty()) {
    const Expected<WrittenFiles> written = write_content(*content, {*tracked}, arguments.output);
    if (!written) return complain(written.error(), scene_is_wrong);
    if (const std::expected<void, Failure> alone = spare_others(arguments.output, *written); !alone)
      return complain(alone.error());
    if (const Expected<void> done = write_files(written->files); !done) return complain(done.error(), file_trouble);
    print_notes(arguments.output, written->notes, stderr);
  }
  print(arguments, *course, numbers, method);
  const int missed = arguments.follows_markers() ? numbers.stuck + numbers.few : numbers.not_met;
  return missed == 0 ? all_met : not_all_met;
}

}  // namespace

Verb add_track(CLI::App& app) {
  auto options = std::make_shared<TrackArguments>();
  CLI::App* verb = app.add_subcommand("track", "Make a figure follow a few places of a motion, or markers");
  verb->add_option("FILE", options->content.file, "The figure, with or without its motion; - is standard input")
      ->required();
  verb->add_option("MOTION", options->content.motion,
                   "The AMC file that belongs to an ASF file; or a TRC or C3D file with markers to follow");
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_roles_option(*verb, options->content);
  verb->add_option("--goals", options->goals, "Places to follow; hands and feet stand for both sides [head,hands,feet]")
      ->delimiter(',');
  verb->add_option("--markers", options->markers.set,
                   "JSON file with the attachment of the markers; see limber attach");
  verb->add_option("--marker", options->markers.single,
                   "NAME=PLACE[:x,y,z]: attach the marker to the place, at an offset in metres along its axes")
      ->check(no_attachment)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_marker_options(*verb, options->markers);
  verb->add_option("--every", options->every, "Take every k-th frame")->check(CLI::Range(1, 1'000'000));
  verb->add_option("--iterations", options->iterations, "Max iterations per frame [1000]")
      ->check(CLI::Range(0, 1'000'000'000));
  verb->add_option("--restarts", options->restarts,
                   "Max restarts from other poses if a frame is stuck [a few milliseconds; with markers 0]")
      ->check(CLI::Range(0, 1'000'000));
  verb->add_option("--method", options->method, "The method; see doc/method")->check(no_method);
  verb->add_option("--root", options->root, "Whether the root is solved for (free) or copied from the motion (given)")
      ->check(CLI::IsMember({"free", "given"}));
  verb->add_flag("--orientations", options->orientations, "Follow the orientations of the places as well");
  verb->add_flag("--natural", options->natural,
                 "Prefer natural poses where the goals leave freedom; the figure must have a prior");
  verb->add_option("--prior", options->prior, "The same, with a prior file made by limber prior");
  verb->add_flag("--widen", options->widen, "Widen the joint limits to contain the motion of FILE");
  verb->add_option("-o,--output", options->output, "Write the resulting motion");
  add_overwrite_option(*verb);
  verb->add_flag("--json", options->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  limber track 02.asf 02_01.amc                        head, hands and feet, the root free\n"
      "  limber track 02_01.amc --root given --every 20       with the root's motion, every 20th frame\n"
      "  limber track walk.bvh --goals head,hands -o out.bvh  save the resulting motion\n"
      "  limber track 02.asf 02_01.c3d --markers markers.json -o out.amc      follow markers\n"
      "  limber track human.json walk.trc --marker Top.Head=head_top --marker R.Heel=right_ankle:0,-0.05,-0.05\n"
      "\n"
      "A marker with the name of a site is attached to that site. A marker that is missing in a frame is ignored\n"
      "there. doc/track.md describes the file of --markers.\n"
      "\n"
      "Exit status: 0 all goals met in all frames, 1 not all. For markers, which are seldom met exactly: 0 no frame\n"
      "is stuck or shows too few markers, 1 some are or do. Others as limber --help says.");
  return [options] {
    if (is_marker_file(options->content.motion)) options->markers.file = std::exchange(options->content.motion, "");
    return run(*options);
  };
}

}  // namespace limber::cli
