// Constraints over time, of a scene with spans or of a motion script.
#include <algorithm>

#include "binding/wasm/exchange.h"
#include "limber/document/report/report_json.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

// How a motion is solved.
struct How {
  std::vector<Span> spans = {};                       // by constraint
  std::vector<std::optional<ScriptPath>> paths = {};  // of its goal's point
  std::vector<int> kept = {};
  std::optional<int> iterations = {};
  bool each = false;  // frame by frame
};

ScriptPath path_of(const JsonValue& value) {
  ScriptPath path;
  if (!value.object({"points", "progress", "straight", "evenly"})) return path;
  if (value["points"].array())
    for (const JsonValue point : value["points"]) path.points.push_back(point.vector());
  if (value["progress"] && value["progress"].array())
    for (const JsonValue key : value["progress"])
      if (key.array(2, "a time and the part of the way until then")) {
        auto number = key.begin();
        const double time = (*number).number();
        path.progress.push_back({time, (*++number).number()});
      }
  path.straight = value["straight"] && value["straight"].boolean();
  path.evenly = value["evenly"] && value["evenly"].boolean();
  return path;
}

Expected<How> how_of(std::string_view text) {
  JsonDocument document(text, "how");
  const JsonValue root = document.root();
  How how;
  if (root.object({"spans", "kept", "iterations", "each"})) {
    if (root["spans"] && root["spans"].array())
      for (const JsonValue one : root["spans"]) {
        if (!one.object({"from", "to", "ease_in", "ease_out", "path"})) break;
        how.spans.push_back({one["from"].number_or(-infinity), one["to"].number_or(infinity),
                             one["ease_in"].number_or(0.0), one["ease_out"].number_or(0.0)});
        how.paths.push_back(one["path"] ? std::optional(path_of(one["path"])) : std::nullopt);
      }
    if (root["kept"] && root["kept"].array())
      for (const JsonValue frame : root["kept"]) how.kept.push_back(frame.integer(0, 1 << 30));
    if (root["iterations"]) how.iterations = root["iterations"].integer(0, 1'000'000);
    how.each = root["each"] && root["each"].boolean();
  }
  if (document.error()) return std::unexpected(*document.error());
  if (how.each && !how.kept.empty())
    return reject("kept", "frames that stay as they are", "none: frame by frame, each depends on the one before");
  return how;
}

// Constraints of a scene that do not count in a motion, in words.
using Notes = std::vector<std::string>;

const char* without_effect_of(const SceneConstraint& constraint) {
  if (std::holds_alternative<ScenePull>(constraint.what)) return "a pull";
  if (std::holds_alternative<SceneStrength>(constraint.what)) return "a strength limit";
  return nullptr;
}

class SceneOverTime {
 public:
  SceneOverTime(const Scene& scene, const Clip& clip, const How& how)
      : timed(scene.figure), scene_(scene), clip_(clip) {
    timed.stiffen(stiffness_of(scene));
    how_ = &how;
  }

  Expected<void> add() {
    if (how_->spans.size() != scene_.constraints.size())
      return reject("spans", std::to_string(how_->spans.size()),
                    std::to_string(scene_.constraints.size()) + ", one per constraint");
    for (const auto& [parameter, rigidity] : scene_.rigidities)
      if (const Expected<void> set = timed.set_rigidity(parameter, rigidity); !set) return set;
    for (std::size_t k = 0; k < scene_.constraints.size(); ++k)
      if (const SceneConstraint& asked = scene_.constraints[k]; asked.enabled && asked.weight > 0.0)
        if (const Expected<void> added = add(k, asked); !added)
          return reject(named(k) + ": " + added.error().where, added.error().found, added.error().expected);
    if (scene_.natural != 0.0) notes.push_back("\"natural\" does not count in a motion");
    return {};
  }

  TimedProblem timed;
  std::vector<Clearance> clearances;  // in all frames, whatever their spans
  Notes notes;

 private:
  std::string named(std::size_t k) const {
    const std::string& name = scene_.constraints[k].name;
    return "constraint " + std::to_string(k + 1) + (name.empty() ? "" : ", '" + name + "'");
  }

  Expected<void> add(std::size_t k, const SceneConstraint& asked) {
    if (const char* what = without_effect_of(asked)) {
      notes.push_back(named(k) + ": " + what + " does not count in a motion");
      return {};
    }
    if (const SceneClearance* clear = std::get_if<SceneClearance>(&asked.what)) {
      Expected<Clearance> clearance = clearance_of(scene_, *clear);
      if (!clearance) return std::unexpected(clearance.error());
      clearances.push_back(*std::move(clearance));
      return {};
    }
    if (asked.priority != first_level) notes.push_back(named(k) + ": its priority does not count in a motion");
    if (asked.soft) notes.push_back(named(k) + ": it counts by its weight in a motion, and is not soft");
    const ConstraintOptions options{
        .weight = asked.weight, .weighting = asked.weighting, .from = asked.from, .name = asked.name};
    const Expected<int> added = add_demand(k, asked, options);
    if (!added) return std::unexpected(added.error());
    return {};
  }

  Expected<int> add_demand(std::size_t k, const SceneConstraint& asked, const ConstraintOptions& options) {
    const Span& span = how_->spans[k];
    const std::optional<ScriptPath>& path = how_->paths[k];
    if (!path) return add_over_time(scene_, asked, clip_.pose(0), span, options, timed);
    if (!asked.sole_goal())
      return reject("path", std::holds_alternative<SceneBalance>(asked.what) ? "a balance" : "one of several goals",
                    "a goal with a point");
    const SceneAlternative& one = *asked.sole_goal();
    const Goal goal = goal_of(one.goal);
    if (!target_of(goal)) return reject("path", std::string("the goal ") + name_of(goal), "a goal with a point");
    Expected<GoalAt> way = moving_along(*path, span);
    if (!way) return std::unexpected(way.error());
    GoalAt moving = [goal, way = *std::move(way)](double time) { return with_target(goal, *target_of(way(time))); };
    return timed.add(handle_of(scene_.figure, one.handle), std::move(moving), span, options);
  }

  const Scene& scene_;
  const Clip& clip_;
  const How* how_;
};

Expected<ClearedMotion> solve_each(const TimedProblem& timed, const Clip& given,
                                   const std::vector<Clearance>& clearances, const How& how) {
  PlaybackOptions options;
  options.iterations = how.iterations.value_or(options.iterations);
  Expected<SolvedMotion> solved = play_motion(timed, given, options);
  if (!solved) return std::unexpected(solved.error());
  if (clearances.empty()) return ClearedMotion{std::move(solved->clip), std::move(solved->report)};
  Expected<ClearedMotion> cleared =
      clear_motion(timed, solved->clip, clearances, {.hold_reference = &given, .hold_at_first_activity = true});
  if (cleared) cleared->report.iterations += solved->report.iterations;
  return cleared;
}

int keep_solved(const TimedProblem& timed, const Clip& given, const std::vector<Clearance>& clearances, const How& how,
                const Notes& notes) {
  MotionOptions options{.exact = 1e-6, .kept = how.kept};
  options.iterations = how.iterations.value_or(options.iterations);
  Expected<ClearedMotion> solved =
      how.each ? solve_each(timed, given, clearances, how) : solve_clear_motion(timed, given, clearances, options);
  if (!solved) return rejected(solved.error());
  JsonWriter out;
  out.begin_object();
  write_report(out, solved->report);
  if (!clearances.empty()) write_members(out, *solved);
  out.key("notes").begin_array();
  for (const std::string& note : notes) out.value(note);
  out.end().end();
  set_text(out.take());
  return keep_clip(timed.figure(), std::move(solved->clip));
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_clip_keep(int number, const char* json, int size, const char* how_text, int how_size) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  if (!motion) return 0;
  const Expected<Scene> scene = scene_of(motion->figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  const Expected<How> how = how_of(text_at(how_text, how_size));
  if (!how) return rejected(how.error());
  SceneOverTime asked(*scene, motion->clip, *how);
  if (const Expected<void> added = asked.add(); !added) return rejected(added.error());
  return keep_solved(asked.timed, motion->clip, asked.clearances, *how, asked.notes);
}

int limber_clip_of_script(int number, const char* json, int size, const char* script_text, int script_size,
                          const char* how_text, int how_size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  const Expected<Scene> scene = scene_of(*figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  const Expected<How> how = how_of(text_at(how_text, how_size));
  if (!how) return rejected(how.error());
  const Expected<MotionScript> script = read_motion_script(text_at(script_text, script_size), "script");
  if (!script) return rejected(script.error());
  const Expected<ScriptedMotion> motion = scripted_motion(*script, *scene);
  if (!motion) return rejected(motion.error());
  Notes notes;
  for (const Note& note : motion->notes) notes.push_back(note.text);
  return keep_solved(motion->problem, motion->given, motion->clearances, *how, notes);
}
