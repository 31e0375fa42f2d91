// limber animate: runs a motion script on the figure of a scene, and reports which demands are met.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/file_kind.h"
#include "app/cli/motion_output.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/document/report/report_json.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber::cli {

namespace {

// All frames together, at most, unless the command line states another number: feet that must not slide take many.
constexpr int max_iterations_together = 200;

struct AnimateOptions {
  std::string scene;
  std::string script;
  std::string figure;
  std::string output;
  std::string picture;
  std::optional<double> rate;
  std::optional<int> iterations;
  bool frame_by_frame = false;
  bool keys_alone = false;
  bool json = false;
  bool quiet = false;
};

std::expected<MotionScript, Failure> load_script(const AnimateOptions& options) {
  const Expected<std::string> text = read_file(options.script);
  if (!text) return std::unexpected(Failure{text.error(), file_trouble});
  Expected<MotionScript> script = read_motion_script(*text, shown(options.script));
  if (!script) {
    const std::optional<KnownFile> known = known_file(*text, options.script);
    return std::unexpected(Failure{
        known ? misplaced(*known, options.script, "a motion script: limber animate SCENE SCRIPT") : script.error(),
        scene_is_wrong});
  }
  script->rate = options.rate.value_or(script->rate);
  return std::move(*script);
}

// --- The motion ----------------------------------------------------------------------------------

// Solving all frames together takes two matrices over the variables for each frame, two rows of them per number of an
// error, some vectors, and a goal per demand. So many pairs of numbers keep them within 48 MiB.
constexpr double max_numbers_together = 0x3p20, numbers_per_goal = 20.0, vectors_per_frame = 16.0;

struct FrameSize {
  double variables = 0.0, rows = 0.0, numbers = 0.0;
};

FrameSize frame_size(const Problem& problem) {
  FrameSize size{static_cast<double>(problem.variables().size())};
  for (const Constraint& slot : problem.constraints()) {
    const Alternative& only = slot.alternatives().front();
    size.rows += row_count(only.goal, only.handle.shape);
    size.numbers += numbers_per_goal;
  }
  size.rows += static_cast<double>(problem.figure().limit_rows().size());
  size.numbers += size.variables * (size.variables + size.rows + vectors_per_frame);
  return size;
}

std::expected<ClearedMotion, Failure> solve_together(const ScriptedMotion& motion, const std::string& label,
                                                     std::optional<int> iterations) {
  const FrameSize size = frame_size(motion.problem.problem());
  if (motion.given.frames() * size.numbers > max_numbers_together)
    return std::unexpected(Failure{
        {label,
         std::to_string(motion.given.frames()) + " frames of " + to_text(size.variables, 0) + " variables and " +
             to_text(size.rows, 0) + " numbers in errors to solve together",
         "at most " + to_text(std::floor(max_numbers_together / size.numbers), 0) + " frames, or --frame-by-frame"},
        scene_is_wrong});
  MotionOptions options;
  options.iterations = iterations.value_or(max_iterations_together);
  Progress progress("animating " + label, options.iterations);
  options.observer = [&](const MotionProgress&) {
    progress.step();
    return !time_is_over();
  };
  Expected<ClearedMotion> solved = solve_clear_motion(motion.problem, motion.given, motion.clearances, options);
  if (!solved) return std::unexpected(Failure{solved.error(), scene_is_wrong});
  return std::move(*solved);
}

std::expected<SolvedMotion, Failure> solve_each(const ScriptedMotion& motion, const std::string& label,
                                                std::optional<int> iterations) {
  PlaybackOptions options;
  options.iterations = iterations.value_or(options.iterations);
  const Progress progress("animating " + label);
  Expected<SolvedMotion> solved = play_motion(motion.problem, motion.given, options);
  if (!solved) return std::unexpected(Failure{solved.error(), scene_is_wrong});
  return std::move(*solved);
}

// Moves every frame clear of the obstacles of the scene. What is held stays where the solve put it.
std::expected<ClearedMotion, Failure> clear_frames(const ScriptedMotion& motion, const SolvedMotion& solved,
                                                   const std::string& label) {
  const Progress progress("keeping clear " + label);
  const ClearMotionOptions options{.hold_reference = &motion.given, .hold_at_first_activity = true};
  Expected<ClearedMotion> cleared = clear_motion(motion.problem, solved.clip, motion.clearances, options);
  if (!cleared) return std::unexpected(Failure{cleared.error(), scene_is_wrong});
  cleared->report.exit = solved.report.exit;
  cleared->report.iterations += solved.report.iterations;
  cleared->report.contradictions = solved.report.contradictions;
  return std::move(*cleared);
}

std::expected<ClearedMotion, Failure> play(const ScriptedMotion& motion, const std::string& label,
                                           std::optional<int> iterations) {
  std::expected<SolvedMotion, Failure> solved = solve_each(motion, label, iterations);
  if (!solved) return std::unexpected(solved.error());
  if (motion.clearances.empty()) return ClearedMotion{std::move(solved->clip), std::move(solved->report)};
  return clear_frames(motion, *solved, label);
}

// --- The report ----------------------------------------------------------------------------------

struct DemandRow {
  std::string name, when, met, error, at;
};

std::string in_seconds(double time) { return to_text(time, 2); }

std::string span_in_words(const Span& span) {
  if (span.from == span.to) return "at " + in_seconds(span.from);
  if (!std::isfinite(span.from) && !std::isfinite(span.to)) return "throughout";
  if (!std::isfinite(span.from)) return "until " + in_seconds(span.to);
  return in_seconds(span.from) + (std::isfinite(span.to) ? " to " + in_seconds(span.to) : " on");
}

std::string error_text(const DemandReport& demand) {
  std::string text;
  if (demand.error.metres) text += to_text(1000.0 * *demand.error.metres, 2) + " mm";
  if (demand.error.radians) text += (text.empty() ? "" : ", ") + to_text(degrees(*demand.error.radians), 2) + "°";
  return text;
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void print_table(const ScriptedMotion& motion, const SolvedMotion& solved) {
  const MotionReport& report = solved.report;
  std::printf("%s: %d frames, %d degrees of freedom, %d iterations\n", name_of(report.exit), solved.clip.frames(),
              report.variables, report.iterations);
  if (report.demands.empty()) return;
  std::vector<DemandRow> rows = {{"demand", "seconds", "met", "max error", "at"}};
  std::size_t never = 0;
  for (std::size_t d = 0; d < report.demands.size(); ++d) {
    const DemandReport& demand = report.demands[d];
    if (!demand.taken) continue;
    if (demand.frames == 0) {
      ++never;
      continue;
    }
    rows.push_back({demand.name, span_in_words(motion.problem.demands()[d].span), demand.met ? "yes" : "no",
                    error_text(demand), in_seconds(demand.worst * solved.clip.frame_time)});
  }
  std::string DemandRow::* const columns[] = {&DemandRow::name, &DemandRow::when, &DemandRow::met, &DemandRow::error,
                                              &DemandRow::at};
  std::puts("");
  std::vector<std::string> lines(rows.size());
  for (std::string DemandRow::* const column : columns) {
    std::size_t width = 0;
    for (const DemandRow& row : rows) width = std::max(width, characters_of(row.*column));
    for (std::size_t k = 0; k < rows.size(); ++k)
      lines[k] += "  " + rows[k].*column + std::string(width - characters_of(rows[k].*column), ' ');
  }
  for (std::string& line : lines) {
    while (line.ends_with(' ')) line.pop_back();
    std::puts(line.c_str());
  }
  if (never > 0) std::printf("\n  %zu more, active in no frame\n", never);
}

void print_contradictions(const SolvedMotion& solved) {
  for (const Contradiction& found : solved.report.contradictions) {
    std::string names;
    for (const int d : found.demands)
      names += (names.empty() ? "" : ", ") + solved.report.demands[static_cast<std::size_t>(d)].name;
    std::printf("\n  at %s s %s: %s\n", in_seconds(found.frame * solved.clip.frame_time).c_str(),
                found.demands.size() == 1 ? "out of reach" : "these contradict each other", names.c_str());
  }
}

std::string time_text(const FrameOverlap& overlap, const Clip& clip) {
  return in_seconds((overlap.frame + overlap.after) * clip.frame_time);
}

void print_clear(const ClearedMotion& cleared) {
  if (cleared.overlaps.empty()) {
    std::printf("\n  free of overlaps in all frames; %d of %d frames were changed for that\n", cleared.changed,
                cleared.clip.frames());
    return;
  }
  const auto deeper = [](const FrameOverlap& a, const FrameOverlap& b) {
    return a.found.min_clearance() < b.found.min_clearance();
  };
  const FrameOverlap& worst = *std::ranges::min_element(cleared.overlaps, deeper);
  const auto frames = std::ranges::count(cleared.overlaps, 0.0, &FrameOverlap::after);
  const auto between = static_cast<std::ptrdiff_t>(cleared.overlaps.size()) - frames;
  std::string where;
  if (frames > 0) where = " in " + std::to_string(frames) + (frames == 1 ? " frame" : " frames");
  if (between > 0) where += (where.empty() ? " " : " and ") + std::to_string(between) + " times between two frames";
  std::printf("\n  overlaps%s; at %s s %s\n", where.c_str(), time_text(worst, cleared.clip).c_str(),
              worst.found.list.front().text.c_str());
  for (const FrameOverlap& overlap : cleared.overlaps) {
    if (overlap.demands.empty()) continue;
    std::string names;
    for (const int d : overlap.demands)
      names += (names.empty() ? "" : ", ") + cleared.report.demands[static_cast<std::size_t>(d)].name;
    std::printf("  at %s s %s, contradicted by: %s\n", time_text(overlap, cleared.clip).c_str(),
                overlap.found.list.front().text.c_str(), names.c_str());
  }
}

void print_json(const ScriptedMotion& motion, const SolvedMotion& solved, const ClearedMotion* cleared) {
  const MotionReport& report = solved.report;
  JsonWriter out;
  out.begin_object();
  write_members(out, report, report.met() && (!cleared || cleared->overlaps.empty()));
  if (cleared) write_members(out, *cleared);
  out.key("frames").integer(solved.clip.frames()).member("frame_time", solved.clip.frame_time);
  out.key("demands").begin_array();
  for (std::size_t d = 0; d < report.demands.size(); ++d) {
    const Span& span = motion.problem.demands()[d].span;
    out.begin_object();
    write_members(out, report.demands[d]);
    if (std::isfinite(span.from)) out.member("from", span.from);
    if (std::isfinite(span.to)) out.member("until", span.to);
    out.end();
  }
  out.end().end();
  std::fputs(out.take().c_str(), stdout);
}

// --- The verb --------------------------------------------------------------------------------------

// Hard constraints at a fixed place, as contacts of a picture; of alternatives, the one that was taken.
std::vector<Contact> locks_of(const ScriptedMotion& motion, const MotionReport& report) {
  std::vector<Contact> locks;
  const double end = motion.given.duration();
  for (std::size_t d = 0; d < motion.problem.demands().size(); ++d) {
    const Demand& demand = motion.problem.demands()[d];
    const Constraint& slot = *motion.problem.problem().find(demand.slot);
    const bool is_taken = d < report.demands.size() ? report.demands[d].taken : demand.taken;
    if (!slot.must_hold() || !is_taken || !placed_point(demand.goal) || demand.moving || demand.span.to < 0.0 ||
        demand.span.from > end)
      continue;
    Contact lock;
    lock.place = slot.alternatives().front().handle.name;
    lock.start = std::max(demand.span.from, 0.0);
    lock.end = std::min(demand.span.to, end);
    locks.push_back(lock);
  }
  return locks;
}

// Those of one of several figures, by their names on it.
std::vector<Contact> own_locks(std::vector<Contact> locks, const std::string& figure) {
  const std::string prefix = figure + ".";
  std::erase_if(locks, [&](const Contact& lock) { return !lock.place.starts_with(prefix); });
  for (Contact& lock : locks) lock.place.erase(0, prefix.size());
  return locks;
}

int run(const AnimateOptions& options) {
  if (const std::optional<Failure> why = wrong_output(options.output)) return complain(*why);
  const Expected<std::string> text = read_file(options.scene);
  if (!text) return complain(text.error(), file_trouble);
  const bool of_one = !options.figure.empty() && has_several_figures(*text);
  const std::expected<Loaded, Failure> loaded = load_scene(*text, options.scene, of_one ? "" : options.figure);
  if (!loaded) return complain(loaded.error());
  const std::expected<MotionScript, Failure> script = load_script(options);
  if (!script) return complain(script.error());
  const Expected<ScriptedMotion> motion = scripted_motion(*script, loaded->scene);
  if (!motion) return complain(motion.error(), scene_is_wrong);
  if (!options.quiet) print_notes(options.scene, motion->notes, stderr);

  const std::string label = shown(options.script);
  const std::expected<ClearedMotion, Failure> ran = options.keys_alone ? ClearedMotion{motion->given, {}}
                                                    : options.frame_by_frame
                                                        ? play(*motion, label, options.iterations)
                                                        : solve_together(*motion, label, options.iterations);
  if (!ran) return complain(ran.error());
  const SolvedMotion solved{ran->clip, ran->report};
  const ClearedMotion* cleared = motion->clearances.empty() || options.keys_alone ? nullptr : &*ran;
  std::pair<Figure, Clip> shown_motion(loaded->scene.figure, solved.clip);
  if (of_one) {
    auto own = motion_of_part(loaded->scene.figure, solved.clip, options.scene, options.figure);
    if (!own) return complain(own.error());
    shown_motion = std::move(*own);
  }
  Content content;
  content.figure = shown_motion.first;
  MotionOutput output;
  const std::vector<Contact> locks = locks_of(*motion, solved.report);
  std::expected<void, Failure> done = output.add_motions(options.output, content, {shown_motion.second});
  if (done)
    done = output.add_page(options.picture, shown_motion.first, shown_motion.second, nullptr,
                           of_one ? own_locks(locks, options.figure) : locks,
                           std::filesystem::path(label).filename().string());
  if (done) done = output.write(options.quiet);
  if (!done) return complain(done.error());
  if (options.json) {
    print_json(*motion, solved, cleared);
  } else if (!options.quiet) {
    print_table(*motion, solved);
    print_contradictions(solved);
  }
  if (cleared && !options.json && !options.quiet) print_clear(*cleared);
  const bool is_clear = !cleared || cleared->overlaps.empty();
  return solved.report.met() && is_clear ? all_met : not_all_met;
}

}  // namespace

Verb add_animate(CLI::App& app) {
  auto options = std::make_shared<AnimateOptions>();
  CLI::App* verb =
      app.add_subcommand("animate", "Run a motion script on the figure of a scene, and report which demands are met");
  verb->add_option("SCENE", options->scene,
                   "The scene, a JSON file: the figure, its first pose, and constraints that are active all the time")
      ->required();
  verb->add_option("SCRIPT", options->script, "The motion script, see doc/motion_script.md; - is standard input")
      ->required();
  verb->add_option("-o,--output", options->output,
                   "Write the motion to this file; its extension determines the format");
  add_overwrite_option(*verb);
  verb->add_option("--picture", options->picture, "Draw the motion and its locks on one page, as SVG");
  verb->add_option(
      "--figure", options->figure,
      "Use the figure of this file instead of the scene's own; of a scene of several figures, write only the\n"
      "one of this name");
  verb->add_option("--rate", options->rate, "Frames per second, instead of the script's")
      ->check(CLI::Range(min_script_rate, max_script_rate));
  verb->add_option("--iterations", options->iterations,
                   "Max iterations over all frames together; with --frame-by-frame, per frame")
      ->check(CLI::Range(1, 100'000));
  verb->add_flag("--frame-by-frame", options->frame_by_frame,
                 "Solve each frame from the one before, as in live playback: faster, but less smooth");
  verb->add_flag("--keys-alone", options->keys_alone, "Only interpolate the keys, without constraints");
  verb->add_flag("--json", options->json, "Print the report as JSON");
  verb->add_flag("-q,--quiet", options->quiet, "Print nothing; only set the exit status");
  verb->get_option("--quiet")->excludes("--json");
  verb->get_option("--frame-by-frame")->excludes("--keys-alone");
  verb->footer(
      "Examples:\n"
      "  limber animate walk.json walk.script                      print what is met, and the max errors\n"
      "  limber animate walk.json walk.script -o walk.bvh          save the motion\n"
      "  limber animate walk.json walk.script -o walk.glb --rate 60\n"
      "\n"
      "Exit status: 0 all demands met in all frames, 1 not all met, 2 the command line is wrong, 3 the scene or the\n"
      "script is wrong, 4 a file cannot be opened or written, 5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
