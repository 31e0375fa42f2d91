// limber reach: maps the points that a handle of a figure can reach, as a surface, a volume, slices and numbers.
#include "limber/reach/reach.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/document/files.h"
#include "limber/figure/human.h"
#include "limber/format/text/json.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/reach/reach_slice.h"
#include "limber/reach/summary.h"

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

struct ReachCall {
  std::string figure;
  std::string handle;
  std::string from;
  std::string constraints;  // a scene; empty: none
  std::string resolution = "2cm";
  std::string tolerance;
  std::vector<std::string> outputs;
  std::string map;  // a file to continue
  std::optional<double> stature;
  std::string sex = "male";
  std::string colour = "margin";
  bool orientation = false;
  bool statures = false;
  bool json = false;
  int threads = 0;
  int waves = 0;  // 0: until all is done
};

// --- Lengths, files, figures ---------------------------------------------------------------------------------------

// "2cm", "15 mm", "0.02": metres if no unit is given.
std::optional<double> length_of(std::string text) {
  double scale = 1.0;
  for (const auto& [unit, metres] : {std::pair{"mm", 0.001}, {"cm", 0.01}, {"dm", 0.1}, {"m", 1.0}})
    if (text.ends_with(unit)) {
      scale = metres;
      text.resize(text.size() - std::string_view(unit).size());
      break;
    }
  while (text.ends_with(' ')) text.pop_back();
  const std::optional<double> value = to_number(text);
  if (!value || !(*value > 0.0) || !std::isfinite(*value)) return std::nullopt;
  return scale * *value;
}

std::string wrong_length(const std::string& text) {
  return length_of(text) ? "" : "found " + text + "; expected a length above 0, such as 2cm, 15mm or 0.02";
}

constexpr std::string_view kinds[] = {".glb", ".ply", ".nrrd", ".vtk", ".svg"};

std::string wrong_output_kind(const std::string& file) {
  if (std::ranges::find(kinds, fs::path(file).extension().string()) != std::end(kinds)) return "";
  return "found " + file + "; expected a file that ends in .glb, .ply, .nrrd, .vtk or .svg";
}

// What is mapped: a figure in a pose, and its other constraints.
struct Posed {
  Problem problem;
  Pose pose;
};

std::expected<Figure, Failure> figure_of(const ReachCall& call, double stature) {
  if (call.figure != "human") return named_figure(call.figure);
  Expected<Figure> figure = human({.sex = call.sex == "female" ? Sex::female : Sex::male, .stature = stature});
  if (!figure) return std::unexpected(Failure{figure.error(), usage});
  return *figure;
}

std::expected<Posed, Failure> posed_of(const ReachCall& call, double stature) {
  if (call.constraints.empty()) {
    const std::expected<Figure, Failure> figure = figure_of(call, stature);
    if (!figure) return std::unexpected(figure.error());
    return Posed{Problem(*figure), figure->rest()};
  }
  std::expected<Loaded, Failure> loaded = load_scene_file(call.constraints, call.figure == "human" ? "" : call.figure);
  if (!loaded) return std::unexpected(loaded.error());
  return Posed{std::move(loaded->problem), loaded->scene.pose};
}

// --- The map -------------------------------------------------------------------------------------------------------

std::atomic<bool> is_interrupted = false;
void interrupt(int) { is_interrupted = true; }

struct Mapped {
  ReachMap map;
  ReachSurface surface;
  ReachSummary summary;
  PoseMeasure measure;
  Figure figure;
  Pose pose;
  Vec3 from = Vec3::Zero();  // what directions and slices go through
  double seconds = 0.0;
  std::size_t solves = 0;  // of this call
  std::vector<std::string> left_out = {};
  std::vector<Obstacle> obstacles = {};  // that it keeps clear of
};

ReachOptions options_of(const ReachCall& call, const ReachSubject& subject, const Pose& pose, const Handle& handle) {
  ReachOptions options;
  options.resolution = *length_of(call.resolution);
  options.tolerance = call.tolerance.empty() ? 0.0 : *length_of(call.tolerance);
  options.from = call.from;
  options.threads = call.threads;
  options.looking = subject.looking;
  if (call.orientation) {
    std::array<Vec3, max_elements> x;
    evaluate(subject.problem.figure(), forward(subject.problem.figure(), pose), handle, x.data());
    options.orientation = rotation_from_xy(x[1], x[2]);
  }
  return options;
}

// Continues the map of the file, or begins a new one.
std::expected<ReachMap, Failure> survey(const ReachCall& call, const Problem& problem, const Pose& pose,
                                        const Handle& handle, ReachOptions& options, std::size_t& solves) {
  const auto wrong = [](const Diagnostic& why) { return std::unexpected(Failure{why, scene_is_wrong}); };
  Progress progress("reach");
  options.after_wave = [&](const ReachProgress& now) {
    solves = now.solves;
    progress.set(static_cast<long>(now.cells - now.open), static_cast<long>(now.cells));
    return !is_interrupted && !time_is_over() && (call.waves == 0 || now.wave < call.waves);
  };
  const bool goes_on = !call.map.empty() && fs::exists(call.map);
  std::string bytes;
  if (goes_on) {
    Expected<std::string> read = read_file(call.map);
    if (!read) return std::unexpected(Failure{read.error(), file_trouble});
    bytes = *std::move(read);
  }
  Expected<ReachMap> map = goes_on ? read_reach_map(bytes, call.map) : reach(problem, pose, handle, options);
  if (!map) return wrong(map.error());
  if (!goes_on) return *std::move(map);
  if (const Expected<void> done = resume(problem, pose, handle, options, *map); !done)
    return wrong({call.map, done.error().found, done.error().expected});
  return *std::move(map);
}

// What the poses are coloured by.
Expected<PoseMeasure> measure_of(const ReachCall& call, const Figure& figure, const std::vector<int>& variables) {
  if (call.colour == "margin") return from_limits(figure, variables);
  Expected<JointComfort> comfort = JointComfort::make(figure);
  if (!comfort) return std::unexpected(comfort.error());
  return from_comfort(*std::move(comfort), variables);
}

std::expected<Mapped, Failure> mapped(const ReachCall& call, double stature) {
  std::expected<Posed, Failure> posed = posed_of(call, stature);
  if (!posed) return std::unexpected(posed.error());
  const auto wrong = [](const Diagnostic& why) { return std::unexpected(Failure{why, scene_is_wrong}); };
  const Figure figure = posed->problem.figure();
  const Expected<Handle> handle = figure.frame(call.handle);
  if (!handle) return wrong(handle.error());
  const ReachSubject subject = reach_subject(std::move(posed->problem), handle->plus[0]);
  ReachOptions options = options_of(call, subject, posed->pose, *handle);
  const auto started = std::chrono::steady_clock::now();
  std::size_t solves = 0;
  std::expected<ReachMap, Failure> map = survey(call, subject.problem, posed->pose, *handle, options, solves);
  if (!map) return std::unexpected(map.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  Expected<PoseMeasure> measure = measure_of(call, figure, map->variables);
  if (!measure) return wrong(measure.error());
  Mapped out{std::move(*map), {}, {}, *std::move(measure), figure, posed->pose};
  out.seconds = seconds;
  out.solves = solves;
  out.left_out = subject.left_out;
  for (const Constraint& constraint : subject.problem.constraints())
    if (constraint.clearance() && constraint.counts())
      out.obstacles.insert(out.obstacles.end(), constraint.clearance()->obstacles.begin(),
                           constraint.clearance()->obstacles.end());
  out.from = reach_origin(figure, out.pose, call.from, handle->plus[0]);
  out.surface = surface_of(out.map, out.measure);
  out.summary = summary_of(out.map, out.surface, out.from);
  return out;
}

// --- What is written and printed -----------------------------------------------------------------------------------

std::string title_of(const ReachCall& call) {
  return "Reach of " + call.handle + (call.from.empty() ? "" : " from " + call.from) + ", " + call.figure;
}

Expected<std::string> bytes_for(const std::string& file, const ReachCall& call, const Mapped& mapped) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".glb") return write_reach_glb(mapped.surface, title_of(call));
  if (extension == ".ply") return write_reach_ply(mapped.surface);
  if (extension == ".nrrd") return write_reach_nrrd(mapped.map);
  if (extension == ".vtk") return write_reach_vtk(mapped.map, mapped.measure);
  SliceOptions options{mapped.from, title_of(call)};
  options.obstacles = mapped.obstacles;
  if (call.colour == "comfort") {
    options.measure = mapped.measure;
    options.measure_name = "comfort";
  }
  return draw_reach_slices(mapped.map, mapped.surface, mapped.figure, mapped.pose, options);
}

void write_numbers(JsonWriter& out, const Mapped& mapped) {
  write_reach_summary(out, mapped.figure, mapped.map, mapped.summary, mapped.from);
}

void print(const ReachCall& call, const Mapped& mapped) {
  const ReachSummary& sum = mapped.summary;
  std::printf("%s\n", title_of(call).c_str());
  std::printf("  %.1f litres within %.2f square metres%s\n", sum.litres_of_surface, sum.square_metres,
              mapped.map.finished ? "" : ", as far as it was mapped");
  std::printf("  %zu cells: %zu reached, %zu not (%zu of them proved), %zu undecided\n", sum.cells, sum.reached,
              sum.not_reached, sum.proved, sum.undecided);
  if (mapped.solves > 0)
    std::printf("  %zu solves in %.1f s, %.0f cells per second\n", mapped.solves, mapped.seconds,
                static_cast<double>(sum.cells) / mapped.seconds);
  std::printf("  farthest from (%.3f, %.3f, %.3f), in cm:\n", mapped.from[0], mapped.from[1], mapped.from[2]);
  for (std::size_t k = 0; k < sum.farthest.size(); ++k) {
    const std::string name = direction_name(neighbour_directions()[k]);
    std::printf("    %-16s %s%s", name.c_str(), sum.farthest[k] ? to_text(100.0 * *sum.farthest[k], 1).c_str() : "-",
                k % 3 == 2 || k + 1 == sum.farthest.size() ? "\n" : "\t");
  }
  if (!sum.held_back_by.empty()) std::printf("  held back by:\n");
  for (std::size_t k = 0; k < std::min<std::size_t>(sum.held_back_by.size(), 8); ++k)
    std::printf("    %4.1f %%  %s\n", 100.0 * static_cast<double>(sum.held_back_by[k].share),
                limit_name(mapped.figure, sum.held_back_by[k].limit).c_str());
}

// --- The verb ------------------------------------------------------------------------------------------------------

int run_statures(const ReachCall& call) {
  JsonWriter rows;
  rows.begin_array();
  if (!call.json)
    std::printf("%-10s %9s %10s %9s %9s %9s\n", "percentile", "stature", "litres", "front", "up", "aside");
  for (const StatureRow& row : published_statures) {
    const double stature = call.sex == "female" ? row.female : row.male;
    const std::expected<Mapped, Failure> one = mapped(call, stature);
    if (!one) return complain(one.error());
    if (is_interrupted || time_is_over()) return not_all_met;
    const Vec3 most = one->summary.max, least = one->summary.min;
    if (call.json) {
      rows.begin_object().member("percentile", row.name).member("stature_m", stature);
      write_numbers(rows, *one);
      rows.end();
      continue;
    }
    std::printf("%-10s %7.3f m %8.1f l %6.1f cm %6.1f cm %6.1f cm\n", row.name, stature, one->summary.litres_of_surface,
                100.0 * (most[2] - one->from[2]), 100.0 * most[1],
                100.0 * std::fmax(most[0] - one->from[0], one->from[0] - least[0]));
  }
  rows.end();
  if (call.json) std::fputs(rows.take().c_str(), stdout);
  return all_met;
}

int run(const ReachCall& call) {
  if (call.figure != "human" && (call.stature || call.statures))
    return complain(without_effect(call.statures ? "--statures" : "--stature", call.figure, "the figure human"));
  if (!call.constraints.empty() && (call.stature || call.statures))
    return complain(without_effect(call.statures ? "--statures" : "--stature", "--constraints",
                                   "the figure human without a scene, which has a figure of its own"));
  if (call.statures && (!call.outputs.empty() || !call.map.empty()))
    return complain(without_effect("--statures", "a file to write", "the table alone"));
  if (call.waves > 0 && call.map.empty())
    return complain(without_effect("--waves", "no --map", "a file to continue, --map FILE"));
  const auto before = std::signal(SIGINT, interrupt);
  struct Restore {
    decltype(before) handler;
    ~Restore() { std::signal(SIGINT, handler); }
  } const restore{before};
  if (call.statures) return run_statures(call);
  const std::expected<Mapped, Failure> one = mapped(call, call.stature.value_or(0.0));
  if (!one) return complain(one.error());
  for (const std::string& name : one->left_out)
    std::fprintf(stderr, "limber: %s: note: ignored, as it constrains the handle: '%s'\n",
                 shown(call.constraints).c_str(), name.c_str());
  std::vector<WrittenFile> files;
  if (!call.map.empty()) files.push_back({call.map, write_reach_map(one->map)});
  for (const std::string& file : call.outputs) {
    Expected<std::string> bytes = bytes_for(file, call, *one);
    if (!bytes) return complain(bytes.error(), scene_is_wrong);
    files.push_back({file, std::move(*bytes)});
  }
  if (const Expected<void> done = write_files(files); !done) return complain(done.error(), file_trouble);
  if (call.json) {
    JsonWriter out;
    out.begin_object();
    write_numbers(out, *one);
    out.end();
    std::fputs(out.take().c_str(), stdout);
  } else {
    print(call, *one);
  }
  return one->map.finished ? all_met : not_all_met;
}

}  // namespace

Verb add_reach(CLI::App& app) {
  auto call = std::make_shared<ReachCall>();
  CLI::App* verb = app.add_subcommand("reach", "Map the points that a hand or another place can reach");
  verb->add_option("FIGURE", call->figure, "human, or a file with a figure")->required();
  verb->add_option("--handle", call->handle, "The place that reaches: a site, a segment or a joint")->required();
  verb->add_option("--from", call->from,
                   "The first joint that may move: waist, right_shoulder, …; default: all joints move");
  verb->add_option("--constraints", call->constraints,
                   "A scene: its pose and constraints, which hold at every point; also its figure, if FIGURE is human");
  verb->add_flag("--orientation", call->orientation, "The handle keeps its orientation of the start pose");
  verb->add_option("--resolution", call->resolution, "Edge length of the finest cells: 2cm, 15mm, 0.02 [2cm]")
      ->check(wrong_length);
  verb->add_option("--tolerance", call->tolerance,
                   "Max distance of the handle from a reached point [1/100 of the resolution]")
      ->check(wrong_length);
  verb->add_option(
          "-o,--output", call->outputs,
          "Write the surface (.glb, .ply), the volume (.nrrd, .vtk) or slices (.svg); may be given several times")
      ->check(wrong_output_kind);
  verb->add_option("--colour", call->colour,
                   "What the colours show: margin (distance of the poses from their limits) or comfort [margin]")
      ->check(CLI::IsMember({"margin", "comfort"}));
  verb->add_option("--map", call->map, "Save the map in this file, and continue it if the file exists");
  verb->add_option("--waves", call->waves, "Stop after this many waves of cells; with --map")
      ->check(CLI::Range(1, 1'000'000'000));
  verb->add_option("--stature", call->stature, "Stature of the human, in metres")->check(not_above_zero);
  verb->add_option("--sex", call->sex, "Sex of the human")->check(CLI::IsMember({"male", "female"}));
  verb->add_flag("--statures", call->statures, "Print a table for the 5th, 50th and 95th percentile of stature");
  verb->add_option("--threads", call->threads, "Number of threads; 0: one per core")->check(CLI::Range(0, 4096));
  verb->add_flag("--json", call->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  limber reach human --handle right_palm --from waist -o reach.glb\n"
      "  limber reach human --handle right_palm --from right_shoulder --resolution 1cm -o reach.svg -o reach.vtk\n"
      "  limber reach human --handle right_palm --constraints standing.json --map begun.reach\n"
      "  limber reach human --handle right_palm --from waist --statures\n"
      "\n"
      "Ctrl-C stops; with --map, the same command continues. See doc/reach.md.\n"
      "Exit status: 0 mapped, 1 stopped before the end, 2 the command line is wrong, 3 a figure, scene or map is "
      "wrong,\n"
      "4 a file cannot be opened or written, 5 internal error.");
  return [call] { return run(*call); };
}

}  // namespace limber::cli
