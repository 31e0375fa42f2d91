#include "binding/wasm/exchange.h"
#include "limber/document/report/report_json.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

int keep_clip(const Figure& figure, Clip clip) { return keep(std::make_unique<Motion>(figure, std::move(clip))); }

void write_report(JsonWriter& out, const MotionReport& report) {
  write_members(out, report);
  out.key("demands").begin_array();
  for (const DemandReport& demand : report.demands) {
    out.begin_object(JsonWriter::Layout::row);
    write_members(out, demand);
    out.end();
  }
  out.end();
}

// Goals and balance of a scene become demands over time; pulls and alternatives do not.
Expected<void> add_demand(const Scene& scene, const SceneConstraint& demand, const Span& span, const Clip& clip,
                          TimedProblem& timed) {
  ConstraintOptions options{.weight = demand.weight, .from = demand.from, .name = demand.name};
  if (const SceneBalance* balance = std::get_if<SceneBalance>(&demand.what)) {
    const Expected<Balance> asked = balance_over(scene.figure, clip.pose(0), balance->feet, balance->margin);
    if (!asked) return std::unexpected(asked.error());
    const Expected<int> added = timed.add(asked->centre, Goal(asked->support), span, options);
    if (!added) return std::unexpected(added.error());
    return {};
  }
  const SceneAlternative* one = demand.sole_goal();
  if (!one) return {};
  const Expected<int> added = timed.add(handle_of(scene.figure, one->handle), goal_of(one->goal), span, options);
  if (!added) return std::unexpected(added.error());
  return {};
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_clip_new(int number, int frames, double frame_time, const double* poses) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  if (frames < 1 || !(frame_time > 0.0))
    return rejected(
        {"clip", std::to_string(frames) + " frames", "one or more, and a time above 0 from one to the next"});
  Clip clip{.frame_time = frame_time};
  clip.poses = Eigen::Map<const MatX>(poses, size_of(figure->parameters()), frames);
  if (!clip.poses.allFinite()) return rejected({"clip", "numbers that are not finite", "poses"});
  return keep_clip(*figure, std::move(clip));
}

int limber_clip_frames(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.frames() : 0;
}

double limber_clip_frame_time(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.frame_time : 0.0;
}

int limber_clip_figure(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? keep(motion->figure) : 0;
}

const double* limber_clip_poses(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.poses.data() : nullptr;
}

int limber_clip_keep(int number, const char* json, int size, const double* spans, int kept_count, const double* kept,
                     int iterations) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  if (!motion) return 0;
  const Expected<Scene> scene = scene_of(motion->figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  TimedProblem timed(motion->figure);
  std::vector<Clearance> clearances;  // in all frames, whatever their spans
  for (const auto& [parameter, rigidity] : scene->rigidities)
    if (const Expected<void> set = timed.set_rigidity(parameter, rigidity); !set) return rejected(set.error());
  timed.stiffen(stiffness_of(*scene));
  for (std::size_t k = 0; k < scene->constraints.size(); ++k, spans += 4)
    if (const SceneConstraint& asked = scene->constraints[k]; asked.enabled && asked.weight > 0.0) {
      if (const SceneClearance* clear = std::get_if<SceneClearance>(&asked.what)) {
        Expected<Clearance> clearance = clearance_of(*scene, *clear);
        if (!clearance) return rejected(clearance.error());
        clearances.push_back(*std::move(clearance));
        continue;
      }
      const Span span{spans[0], spans[1], spans[2], spans[3]};
      const Expected<void> added = add_demand(*scene, asked, span, motion->clip, timed);
      if (!added) return rejected(added.error());
    }
  MotionOptions options{.iterations = iterations, .exact = 1e-6};
  for (int k = 0; k < kept_count; ++k) options.kept.push_back(static_cast<int>(kept[k]));
  Expected<ClearedMotion> solved = solve_clear_motion(timed, motion->clip, clearances, options);
  if (!solved) return rejected(solved.error());
  JsonWriter out;
  out.begin_object();
  write_report(out, solved->report);
  if (!clearances.empty()) write_members(out, *solved);
  out.end();
  set_text(out.take());
  return keep_clip(motion->figure, std::move(solved->clip));
}

int limber_clip_clean(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  if (!motion) return 0;
  Expected<Cleaned> cleaned = clean_feet(motion->figure, motion->clip);
  if (!cleaned) return rejected(cleaned.error());
  JsonWriter out;
  out.begin_object();
  write_report(out, cleaned->report);
  out.key("contacts").integer(size_of(cleaned->contacts)).end();
  set_text(out.take());
  return keep_clip(motion->figure, std::move(cleaned->clip));
}

int limber_clip_retarget(int number, int to) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  const Figure* figure = figure_at(to);
  if (!motion || !figure) return 0;
  Expected<Retargeted> carried = retarget(motion->figure, motion->clip, *figure);
  if (!carried) return rejected(carried.error());
  JsonWriter out;
  out.begin_object().member("scale", carried->scale).member("bones_off_degrees", carried->mean_deviation_deg);
  write_report(out, carried->report);
  out.end();
  set_text(out.take());
  return keep_clip(*figure, std::move(carried->clip));
}

int limber_tracker_new(int number, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  JsonDocument document(text_at(json, size), "tracker");
  const JsonValue root = document.root();
  auto track = std::make_unique<Track>();
  TrackOptions options;
  std::vector<std::string> places;
  if (root.object({"places", "method", "iterations", "root_given", "orientations"})) {
    if (root["places"].array())
      for (const JsonValue place : root["places"]) places.push_back(place.text());
    options.root_given = root["root_given"] && root["root_given"].boolean();
    options.orientations = root["orientations"] && root["orientations"].boolean();
    if (root["iterations"]) track->options.iterations = root["iterations"].integer(1, 1'000'000);
    const std::optional<Method> method = method_of(root["method"].text_or("automatic"));
    if (!method)
      root["method"].fail("the name '" + root["method"].text() + "'", "a method");
    else
      track->options.method = *method;
  }
  if (document.error()) return rejected(*document.error());
  track->options.restarts = 0;
  Expected<Tracker> tracker = Tracker::make(*figure, places, options);
  if (!tracker) return rejected(tracker.error());
  track->tracker = std::make_unique<Tracker>(std::move(*tracker));
  return keep(std::move(track));
}

int limber_tracker_follow(int number, const double* reference, double* theta, double* distances) {
  Track* track = find<Track>(number);
  if (!track) return static_cast<int>(Exit::rejected);
  Tracker& tracker = *track->tracker;
  Pose pose{wasm::pose_at(tracker.figure(), theta)};
  tracker.aim(Pose{wasm::pose_at(tracker.figure(), reference)}, pose);
  const Report& report = tracker.solve(pose, track->options);
  Eigen::Map<VecX>(theta, pose.theta.size()) = pose.theta;
  distances[0] = tracker.mean_distance();
  distances[1] = tracker.max_distance();
  return static_cast<int>(report.exit);
}
