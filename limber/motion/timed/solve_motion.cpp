#include "limber/motion/timed/solve_motion.h"

#include <algorithm>
#include <utility>

#include "limber/base/number.h"
#include "limber/motion/timed/alternatives.h"
#include "limber/motion/timed/frame_program.h"
#include "limber/motion/timed/program.h"

namespace limber {

namespace {

Expected<void> checked(const TimedProblem& problem, const Clip& given, const MotionOptions& options) {
  const std::string motion = given.name.empty() ? "motion" : "motion '" + given.name + "'";
  const auto parameters = static_cast<Eigen::Index>(problem.figure().parameters().size());
  if (given.frames() == 0) return reject(motion, "no frame", "at least one");
  if (given.poses.rows() != parameters)
    return reject(motion, std::to_string(given.poses.rows()) + " numbers per frame",
                  std::to_string(parameters) + ", the parameters of the figure");
  if (!given.poses.allFinite()) return reject(motion, "a number that is not finite", "finite numbers");
  if (!(given.frame_time > 0.0 && std::isfinite(given.frame_time)))
    return reject(motion, to_text(given.frame_time) + " s per frame", "a number above 0");
  if (!(options.guide > 0.0 && std::isfinite(options.guide)))
    return reject("guide", to_text(options.guide), "a finite number above 0");
  if (!(options.smooth_time >= 0.0 && std::isfinite(options.smooth_time)))
    return reject("smooth_time", to_text(options.smooth_time) + " s", "a finite time, 0 or more");
  if (!(options.exact >= 0.0)) return reject("exact", to_text(options.exact), "0 or more");
  if (options.iterations < 0) return reject("iterations", std::to_string(options.iterations), "0 or more");
  for (const int k : options.kept)
    if (k < 0 || k >= given.frames())
      return reject("kept", "frame " + std::to_string(k), "a frame from 0 to " + std::to_string(given.frames() - 1));
  return {};
}

// A frame is moved onto its locks at the cost of a solve. After so many in turn for which that failed, it is tried for
// one in so many: what contradicts in one frame does in the next.
constexpr int max_failed = 5, few_of_failing = 20;

// Moves frames that break locks onto them. Where that fails but the locks hold frame by frame, the frame is the one of
// that solve.
void mend(const MotionOptions& options, FrameProgram& frames, MotionProgram& program) {
  const std::vector<char> held = program.held(options.met_metres, options.met_degrees);
  VecX theta;
  int failed = 0;  // in turn
  for (int k = 0; k < static_cast<int>(held.size()); ++k) {
    if (held[static_cast<std::size_t>(k)] || std::ranges::find(options.kept, k) != options.kept.end()) continue;
    theta = program.pose(k);
    const bool is_tried = failed < max_failed || k % few_of_failing == 0;
    if (is_tried && frames.project(k, theta)) {
      program.set_pose(k, theta);
      failed = 0;
    } else if (frames.holds(k)) {
      program.set_change(k, frames.changes().col(k));
      failed = 0;
    } else {
      ++failed;
    }
  }
}

// Why hard demands are not met: one contradiction for each, in its worst frame, unless another one names it.
std::vector<Contradiction> contradictions(const TimedProblem& problem, const SolvedMotion& solved,
                                          const std::vector<int>& kept, FrameProgram& frames) {
  std::vector<Contradiction> out;
  std::vector<char> is_named(solved.report.demands.size(), 0);
  for (std::size_t d = 0; d < is_named.size(); ++d) {
    const DemandReport& demand = solved.report.demands[d];
    if (demand.met || is_named[d] || !problem.problem().find(problem.demands()[d].slot)->must_hold() ||
        std::ranges::find(kept, demand.worst) != kept.end())
      continue;
    Contradiction found{demand.worst, frames.contradiction(demand.worst, solved.clip.poses.col(demand.worst))};
    bool is_new = false;
    for (const int other : found.demands)
      is_new = std::exchange(is_named[static_cast<std::size_t>(other)], 1) == 0 || is_new;
    if (is_new) out.push_back(std::move(found));
  }
  return out;
}

}  // namespace

void DemandReport::take(int frame, const GoalError& distance) {
  const auto exceeds = [](const std::optional<double>& value, const std::optional<double>& max) {
    return value && !(*value <= max.value_or(-1.0));
  };
  if (exceeds(distance.metres, error.metres) || exceeds(distance.radians, error.radians)) worst = frame;
  if (distance.metres) error.metres = std::fmax(*distance.metres, error.metres.value_or(0.0));
  if (distance.radians) error.radians = std::fmax(*distance.radians, error.radians.value_or(0.0));
  ++frames;
}

bool MotionReport::met() const {
  return std::all_of(demands.begin(), demands.end(), [](const DemandReport& demand) { return demand.met; });
}

Expected<SolvedMotion> solve_motion(const TimedProblem& problem, const Clip& given, const MotionOptions& options) {
  if (const Expected<void> valid = checked(problem, given, options); !valid) return std::unexpected(valid.error());
  if (problem.is_open()) {
    const Expected<TimedProblem> chosen = settled(problem, given, options.guide);
    if (!chosen) return std::unexpected(chosen.error());
    return solve_motion(*chosen, given, options);
  }
  MotionProgram program(problem, options.guide, options.smooth_time);
  program.schedule().hold(given, Schedule::HoldAt::span_start);
  if (const Expected<void> ready = program.set_given(given, 0.0, options.kept); !ready)
    return std::unexpected(ready.error());
  // The given motion may be far from the locks. Steps of all frames from there are long, and end in postures from which
  // the locks cannot be met; single frames find the way.
  FrameProgram frames(problem, given, options);
  const bool has_locks = program.has_locks() && options.iterations > 0;
  const bool has_start = has_locks && given.frames() > 1;
  if (has_start) {
    if (const Expected<void> ready = frames.solve_all(); !ready) return std::unexpected(ready.error());
    program.start_from(frames.changes());
  }
  SolvedMotion out;
  program.solve(options.iterations, options.exact, options.observer, out.report);
  program.write(options.met_metres, options.met_degrees, out.clip, out.report);
  if (!has_locks || out.report.met() || out.report.exit == Exit::cancelled) return out;
  if (has_start) {
    mend(options, frames, program);
    program.write(options.met_metres, options.met_degrees, out.clip, out.report);
  }
  out.report.contradictions = contradictions(problem, out, options.kept, frames);
  return out;
}

}  // namespace limber
