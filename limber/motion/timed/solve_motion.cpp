#include "limber/motion/timed/solve_motion.h"

#include <algorithm>

#include "limber/base/number.h"
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
  MotionProgram program(problem, options.guide, options.smooth_time);
  program.schedule().hold(given, Schedule::HoldAt::span_start);
  if (const Expected<void> ready = program.set_given(given, 0.0, options.kept); !ready)
    return std::unexpected(ready.error());
  SolvedMotion out;
  program.solve(options.iterations, options.exact, options.observer, out.report);
  program.write(options.met_metres, options.met_degrees, out.clip, out.report);
  return out;
}

}  // namespace limber
