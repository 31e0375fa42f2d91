// Motions, on one core: queries of a sequence, feet and gaze held over many frames, a motion retargeted to other
// bodies, foot cleanup.
//
// A recorded walk is a few seconds long. To get more frames it is played forwards and backwards alternately, so that
// nothing jumps and every step keeps its length.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/min_time.h"
#include "bench/task/task.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/edit.h"
#include "limber/motion/retarget/retarget.h"
#include "limber/motion/sampler.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber::bench {

namespace {

constexpr double motion_frame_time = 1.0 / 60.0;
constexpr int motion_frames = 1000, quick_motion_frames = 100;
constexpr double lock_ease = 0.1;  // seconds
// The tolerance of hard constraints, relative to the figure's length: about a micrometre, as in foot cleanup.
const double lock_exact = CleanOptions{}.motion.exact;
// The gaze target is this far ahead of the walk, and this far below the eyes, in metres.
constexpr double gaze_ahead = 3.0, gaze_below = 0.3;
constexpr int frames_per_key = 10;
// Query times are spread evenly over a sequence in irregular order, by the golden ratio.
constexpr int query_count = 1000;
constexpr double golden_part = 0.6180339887498949;

Failure motion_failure(const Diagnostic& why) { return {why, cli::internal}; }

// A row with the columns of all parts; those that a part does not have stay null.
BenchRow motion_row(const std::string& part, const std::string& motion, int frames) {
  return {{"part", part},
          {"motion", motion},
          {"frames", frames},
          {"s", nullptr},
          {"us", nullptr},
          {"goal", nullptr},
          {"iterations", nullptr},
          {"exit", nullptr},
          {"error mm", nullptr},
          {"error deg", nullptr},
          {"gaze deg", nullptr},
          {"slide before mm", nullptr},
          {"slide after mm", nullptr}};
}

// The time of all frames together in microseconds, and the max that is allowed, as text.
void set_time(BenchRow& row, double all, const char* goal = nullptr) {
  row["s"] = 1e-6 * all;
  row["us"] = all / row["frames"].get<int>();
  if (goal) row["goal"] = goal;
}

// The max drift of a place along the floor during a contact, before and after.
void set_sliding(BenchRow& row, const SlidingReport& before, const SlidingReport& after) {
  row["slide before mm"] = 1000.0 * before.all.max_drift;
  row["slide after mm"] = 1000.0 * after.all.max_drift;
}

void set_report(BenchRow& row, const MotionReport& report) {
  double metres = 0.0, feet = 0.0;
  std::optional<double> gaze;
  for (const DemandReport& demand : report.demands) {
    const double angle = degrees(demand.error.radians.value_or(0.0));
    metres = std::max(metres, demand.error.metres.value_or(0.0));
    if (demand.name == "gaze")
      gaze = std::max(gaze.value_or(0.0), angle);
    else
      feet = std::max(feet, angle);
  }
  row["iterations"] = report.iterations;
  row["exit"] = name_of(report.exit);
  row["error mm"] = 1000.0 * metres;
  row["error deg"] = feet;
  if (gaze) row["gaze deg"] = *gaze;
}

template <class Result>
struct Measured {
  double microseconds;
  Result result;
};

// The min time of several runs, and the result of the last one.
template <class Work>
auto fastest_run(bool quick, const Work& work) {
  using Result = typename decltype(work())::value_type;
  double min_time = infinity;
  for (int run = quick ? 1 : 3;;) {
    const auto start = Clock::now();
    auto result = work();
    min_time = std::min(min_time, microseconds_since(start));
    if (!result) return std::expected<Measured<Result>, Failure>(std::unexpected(motion_failure(result.error())));
    if (--run == 0) return std::expected<Measured<Result>, Failure>(Measured<Result>{min_time, std::move(*result)});
  }
}

// The motion at 60 frames per second, played forwards and backwards alternately, `frames` long.
Expected<Clip> ping_pong(const Figure& figure, const Clip& clip, int frames) {
  const Expected<Clip> once = resampled(figure, clip, motion_frame_time);
  if (!once) return once;
  const int last = std::max(1, once->frames() - 1);
  Clip out{clip.name, motion_frame_time, MatX(once->poses.rows(), frames)};
  for (int k = 0; k < frames; ++k) {
    const int at = k % (2 * last);
    out.poses.col(k) = once->poses.col(std::min(at <= last ? at : 2 * last - at, once->frames() - 1));
  }
  return out;
}

Placement placed(const Figure& figure, const Pose& pose, const Handle& frame) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), frame, x);
  return {x[0], {x[1], x[2]}};
}

// Locks both feet while the whole sole is on the ground, at their placement in the middle of that time.
Expected<void> lock_soles(const Figure& figure, const Clip& clip, TimedProblem& problem) {
  for (const std::string side : {"left_", "right_"}) {
    const Expected<Handle> foot = figure.frame(side + "foot");
    const Expected<std::vector<Contact>> heels = find_contacts(figure, clip, {side + "heel"}),
                                         balls = find_contacts(figure, clip, {side + "ball"});
    if (!foot || !heels || !balls)
      return std::unexpected((!foot ? foot.error() : !heels ? heels.error() : balls.error()));
    for (const Contact& heel : *heels)
      for (const Contact& ball : *balls) {
        const int first = std::max(heel.first, ball.first), last = std::min(heel.last, ball.last);
        if (first >= last) continue;
        const Span span{first * clip.frame_time, last * clip.frame_time, lock_ease, lock_ease};
        const Placement at = placed(figure, clip.pose((first + last) / 2), *foot);
        if (const auto added = problem.add(foot, at, span, {.weight = must}); !added)
          return std::unexpected(added.error());
      }
  }
  return {};
}

// Both feet locked, and the eyes on a point ahead of the walk.
Expected<TimedProblem> feet_and_gaze(const Figure& figure, const Clip& clip) {
  TimedProblem problem(figure);
  if (const Expected<void> done = lock_soles(figure, clip, problem); !done) return std::unexpected(done.error());
  const Expected<Handle> eyes = figure.frame("eyes");
  if (!eyes) return std::unexpected(eyes.error());
  Vec3 ahead = Vec3::Zero(), looks = Vec3::Zero();
  for (int k = 0; k < clip.frames(); ++k) looks += placed(figure, clip.pose(k), *eyes).orientation.x;
  looks.y() = 0.0;
  looks.normalize();
  double farthest = -infinity;
  for (int k = 0; k < clip.frames(); ++k)
    if (const Vec3 x = placed(figure, clip.pose(k), *eyes).p; x.dot(looks) > farthest) {
      farthest = x.dot(looks);
      ahead = x;
    }
  ahead += gaze_ahead * looks;
  ahead.y() -= gaze_below;
  if (const auto added = problem.add(figure.ray("eyes"), AimAt{ahead}, Span{}, {.name = "gaze"}); !added)
    return std::unexpected(added.error());
  return problem;
}

std::expected<BenchRow, Failure> query_row(const std::string& part, const std::string& motion,
                                           const Expected<Sequence>& sequence, bool quick) {
  if (!sequence) return std::unexpected(motion_failure(sequence.error()));
  const Sampler sampler(*sequence);
  Pose pose = sequence->figure().rest();
  const double time = microseconds_of(
      [&] {
        double part_of = 0.0;
        for (int k = 0; k < query_count; ++k) {
          part_of += golden_part;
          if (part_of >= 1.0) part_of -= 1.0;
          sampler.at(sampler.start() + part_of * (sampler.end() - sampler.start()), pose);
        }
      },
      quick);
  BenchRow row = motion_row(part + ", " + std::to_string(sequence->keys().size()) + " keys", motion, query_count);
  set_time(row, time, "2 us");
  return row;
}

std::expected<void, Failure> add_queries(const Subject& subject, bool quick, Table& table) {
  const auto& [figure, clip] = subject.recorded;
  const Expected<Sequence> keys = sequence_of(figure, clip, frames_per_key);
  const Expected<Sequence> all = sequence_of(figure, clip, 1);
  if (!all) return std::unexpected(motion_failure(all.error()));
  const Expected<Edit> fewer = reduce(*all);
  if (!fewer) return std::unexpected(motion_failure(fewer.error()));
  for (const auto& [part, sequence] : {std::pair("query", keys), std::pair("query, reduced", apply(*all, *fewer))}) {
    std::expected<BenchRow, Failure> row = query_row(part, subject.motion, sequence, quick);
    if (!row) return std::unexpected(row.error());
    table.rows.push_back(std::move(*row));
  }
  return {};
}

// Feet and gaze on a walk that was retargeted to human(), whose feet slide; all frames together and frame by frame.
std::expected<void, Failure> add_locks(const Subject& subject, int usual_frames, bool quick, Table& table) {
  const Figure to = human();
  const auto& [figure, clip] = subject.recorded;
  for (const int frames : {usual_frames / 2, usual_frames, 2 * usual_frames}) {
    const Expected<Clip> walk = ping_pong(figure, clip, frames);
    if (!walk) return std::unexpected(motion_failure(walk.error()));
    const Expected<Clip> given = retargeted(figure, *walk, to, {.contacts = false});
    if (!given) return std::unexpected(motion_failure(given.error()));
    const Expected<TimedProblem> problem = feet_and_gaze(to, *given);
    if (!problem) return std::unexpected(motion_failure(problem.error()));
    const auto add = [&](const char* part, const char* goal, const auto& solve) -> std::expected<void, Failure> {
      BenchRow row = motion_row(part, subject.motion, frames);
      const auto solved = fastest_run(quick, solve);
      if (!solved) return std::unexpected(solved.error());
      set_time(row, solved->microseconds, frames == motion_frames ? goal : nullptr);
      set_report(row, solved->result.report);
      table.rows.push_back(std::move(row));
      return {};
    };
    if (const auto done =
            add("feet and gaze", "0.3 s", [&] { return solve_motion(*problem, *given, {.exact = lock_exact}); });
        !done)
      return done;
    if (frames != usual_frames) continue;
    if (const auto done = add("the same, frame by frame", nullptr, [&] { return play_motion(*problem, *given); });
        !done)
      return done;
  }
  return {};
}

std::expected<void, Failure> add_retargeting(const Subject& subject, const TaskOptions& task, int frames,
                                             Table& table) {
  const auto& [figure, clip] = subject.recorded;
  const Expected<Clip> walk = ping_pong(figure, clip, frames);
  if (!walk) return std::unexpected(motion_failure(walk.error()));
  const std::filesystem::path data = task.data;
  std::error_code none;
  for (const std::string& name :
       {std::string("human"), (data / "gltf" / "CesiumMan.glb").string(), (data / "urdf" / "g1_29dof.urdf").string()}) {
    if (name != "human" && !std::filesystem::exists(name, none)) continue;
    const std::expected<Figure, Failure> named = cli::named_figure(name);
    if (!named) return std::unexpected(named.error());
    const Expected<Figure> to = with_free_root(*named);
    if (!to) return std::unexpected(motion_failure(to.error()));
    BenchRow row = motion_row("retarget to " + std::filesystem::path(name).stem().string(), subject.motion, frames);
    const auto out = fastest_run(task.quick, [&] { return retarget(figure, *walk, *to); });
    if (!out) return std::unexpected(out.error());
    set_time(row, out->microseconds, name == "human" && frames == motion_frames ? "0.5 s" : nullptr);
    set_report(row, out->result.report);
    set_sliding(row, out->result.before, out->result.after);
    table.rows.push_back(std::move(row));
  }
  return {};
}

std::expected<BenchRow, Failure> clean_row(const std::string& motion, const Figure& figure, const Clip& clip,
                                           bool quick) {
  BenchRow row = motion_row("clean feet", motion, clip.frames());
  const auto out = fastest_run(quick, [&] { return clean_feet(figure, clip); });
  if (!out) return std::unexpected(out.error());
  set_time(row, out->microseconds);
  set_report(row, out->result.report);
  set_sliding(row, out->result.before, out->result.after);
  return row;
}

std::expected<void, Failure> add_cleaning(const Subject& subject, const TaskOptions& task, Table& table) {
  std::expected<BenchRow, Failure> row =
      clean_row(subject.motion, subject.recorded.figure, subject.recorded.clip, task.quick);
  if (!row) return std::unexpected(row.error());
  table.rows.push_back(std::move(*row));
  cli::ContentOptions options;
  options.file = (std::filesystem::path(task.data) / "bvh" / "cmu_49_06.bvh").string();
  std::error_code none;
  if (task.quick || !std::filesystem::exists(options.file, none)) return {};
  const std::expected<cli::LoadedContent, Failure> content = cli::load_content(options);
  if (!content) return std::unexpected(content.error());
  const Expected<Figure> figure = cli::figure_for(*content->figure, content->clips.front(), true);
  if (!figure) return std::unexpected(motion_failure(figure.error()));
  row = clean_row("cmu_49_06", *figure, content->clips.front(), task.quick);
  if (!row) return std::unexpected(row.error());
  table.rows.push_back(std::move(*row));
  return {};
}

}  // namespace

std::expected<Table, Failure> bench_motion(const TaskOptions& task) {
  Table table{"motion", "queries of a pose, locks over time, retargeting, foot cleanup; us per frame, on one core"};
  std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"02_01"});
  if (!all) return std::unexpected(all.error());
  const int frames = task.quick ? quick_motion_frames : motion_frames;
  for (Subject& subject : *all) {
    const Expected<Figure> standing = with_common_names(subject.recorded.figure);  // on the ground at rest
    if (!standing) return std::unexpected(motion_failure(standing.error()));
    subject.recorded.figure = *standing;
    if (const auto done = add_queries(subject, task.quick, table); !done) return std::unexpected(done.error());
    if (const auto done = add_locks(subject, frames, task.quick, table); !done) return std::unexpected(done.error());
    if (const auto done = add_retargeting(subject, task, frames, table); !done) return std::unexpected(done.error());
    if (const auto done = add_cleaning(subject, task, table); !done) return std::unexpected(done.error());
  }
  return table;
}

}  // namespace limber::bench
