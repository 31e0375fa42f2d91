#include <algorithm>

#include "limber/base/number.h"
#include "limber/motion/timed/alternatives.h"
#include "limber/motion/timed/program.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

namespace {

Expected<void> checked(double time, const PlaybackOptions& options) {
  if (!std::isfinite(time)) return reject("time", to_text(time) + " s", "a finite number");
  if (!(options.guide > 0.0 && std::isfinite(options.guide)))
    return reject("guide", to_text(options.guide), "a finite number above 0");
  if (options.iterations < 0) return reject("iterations", std::to_string(options.iterations), "0 or more");
  return {};
}

}  // namespace

struct Playback::State {
  State(const TimedProblem& timed, const PlaybackOptions& playback)
      : options(playback),
        asked(timed),
        problem(timed),
        program(problem, playback.guide, 0.0),
        has_goal(timed.demands().size(), 0) {}

  PlaybackOptions options;
  const TimedProblem& asked;
  TimedProblem problem;  // with alternatives as they have been taken
  MotionProgram program;
  std::vector<char> has_goal;  // by demand: a Hold has taken its goal
  MatX changes;                // of the previous frame; empty if none
  Clip frame, answer;
  MotionReport report;
};

Playback::Playback(const TimedProblem& timed, const PlaybackOptions& options)
    : state_(std::make_unique<State>(timed, options)) {}

Playback::~Playback() = default;

void Playback::restart() {
  state_->changes.resize(0, 0);
  std::fill(state_->has_goal.begin(), state_->has_goal.end(), 0);
  if (state_->problem.groups() > 0) state_->problem = state_->asked;
}

Expected<const MotionReport*> Playback::solve(double time, const Pose& given, Pose& pose) {
  State& state = *state_;
  const TimedProblem& timed = state.problem;
  if (const Expected<void> valid = checked(time, state.options); !valid) return std::unexpected(valid.error());
  const auto parameters = static_cast<Eigen::Index>(timed.figure().parameters().size());
  if (given.theta.size() != parameters || !given.theta.allFinite())
    return reject("the given pose", "numbers that do not fit the figure",
                  std::to_string(parameters) + " finite numbers, the parameters of '" + timed.figure().name() + "'");
  state.frame.poses = given.theta;
  if (const Expected<void> done = choose_alternatives(state.problem, state.frame, time, state.options.guide); !done)
    return std::unexpected(done.error());
  for (std::size_t d = 0; d < timed.demands().size(); ++d) {
    if (!timed.demands()[d].holds || state.has_goal[d] || !(timed.demands()[d].activity(time) > 0.0)) continue;
    state.program.schedule().hold(static_cast<int>(d), given.theta);
    state.has_goal[d] = 1;
  }
  if (const Expected<void> ready = state.program.set_given(state.frame, time); !ready)
    return std::unexpected(ready.error());
  if (state.changes.size() > 0) state.program.start_from(state.changes);
  state.report.iterations = 0;
  state.program.solve(state.options.iterations, MotionOptions{}.exact, {}, state.report);
  state.program.write(state.options.met_metres, state.options.met_degrees, state.answer, state.report);
  state.changes = state.program.changes();
  pose.theta = state.answer.poses.col(0);
  return &state.report;
}

Expected<SolvedMotion> play_motion(const TimedProblem& problem, const Clip& given, const PlaybackOptions& options) {
  const std::string motion = given.name.empty() ? "motion" : "motion '" + given.name + "'";
  if (given.frames() == 0) return reject(motion, "no frame", "at least one");
  if (!(given.frame_time > 0.0 && std::isfinite(given.frame_time)))
    return reject(motion, to_text(given.frame_time) + " s per frame", "a number above 0");
  Playback playback(problem, options);
  SolvedMotion out{given, {}};
  Pose pose;
  for (const Demand& demand : problem.demands()) out.report.demands.push_back({.name = demand.name});
  for (int k = 0; k < given.frames(); ++k) {
    const Expected<const MotionReport*> report = playback.solve(k * given.frame_time, given.pose(k), pose);
    if (!report) return std::unexpected(report.error());
    out.clip.poses.col(k) = pose.theta;
    out.report.variables = (*report)->variables;
    out.report.iterations += (*report)->iterations;
    if ((*report)->exit != Exit::converged) out.report.exit = (*report)->exit;
    for (std::size_t d = 0; d < out.report.demands.size(); ++d)
      if ((*report)->demands[d].frames > 0) {
        out.report.demands[d].take(k, (*report)->demands[d].error);
        out.report.demands[d].met = out.report.demands[d].met && (*report)->demands[d].met;
      }
    for (std::size_t d = 0; d < out.report.demands.size(); ++d)
      out.report.demands[d].taken = (*report)->demands[d].taken;
  }
  return out;
}

}  // namespace limber
