#include "limber/motion/timed/frame_program.h"

namespace limber {

namespace {

constexpr int max_frame_iterations = PlaybackOptions{}.iterations;
// Of the frames where a solve of all of them starts, which makes them exact; relative to the figure's length.
constexpr double start_exact = 1e-5;
// After so many frames in turn whose hard demands do not hold, a frame gets few iterations, from the one before; all of
// them only where its error is then smaller by this factor.
constexpr int max_failed = 5, few_iterations = 6;
constexpr double clear_decrease = 0.99;

}  // namespace

FrameProgram::FrameProgram(const TimedProblem& timed, const Clip& given, const MotionOptions& options,
                           MotionContacts* contacts)
    : timed_(timed),
      given_(given),
      options_(options),
      program_(timed, options.guide, 0.0),
      contacts_(contacts),
      frame_{given.name, given.frame_time, {}} {
  program_.set_contacts(contacts);
  program_.schedule().hold(given, Schedule::HoldAt::span_start);
}

Expected<void> FrameProgram::solve_all() {
  changes_.setZero(program_.variables(), given_.frames());
  program_.schedule().limit_to({});
  int failed = 0;  // in turn
  double error = infinity;
  for (int k = 0; k < given_.frames(); ++k) {
    frame_.poses = given_.poses.col(k);
    const auto solve = [&](int iterations) -> Expected<bool> {
      if (const Expected<void> ready = program_.set_given(frame_, k * given_.frame_time); !ready)
        return std::unexpected(ready.error());
      if (k > 0) program_.start_from(changes_.col(k - 1));
      MotionReport report;
      program_.solve(iterations, std::fmax(options_.exact, start_exact), {}, report, MotionProgram::Accuracy::rough);
      return report.exit == Exit::converged;
    };
    const bool is_short = failed >= max_failed;
    Expected<bool> is_solved = solve(is_short ? few_iterations : max_frame_iterations);
    if (is_short && is_solved && !*is_solved && program_.max_error() < clear_decrease * error)
      is_solved = solve(max_frame_iterations);
    if (!is_solved) return std::unexpected(is_solved.error());
    failed = *is_solved ? 0 : failed + 1;
    error = program_.max_error();
    changes_.col(k) = program_.changes();
  }
  return {};
}

bool FrameProgram::holds(int frame) {
  program_.schedule().limit_to({});
  frame_.poses = given_.poses.col(frame);
  if (!program_.set_given(frame_, frame * given_.frame_time)) return false;
  program_.start_from(changes_.col(frame));
  return program_.held(options_.met_metres, options_.met_degrees).front();
}

// By demand, whether it is hard and fully active.
std::vector<char> FrameProgram::locks_at(double time) const {
  std::vector<char> out;
  for (const Demand& demand : timed_.demands())
    out.push_back(demand.activity(time * given_.frame_time) >= 1.0 && timed_.problem().find(demand.slot)->must_hold());
  return out;
}

// Whether these demands hold in the pose nearest to this one. The goals are known to be valid.
bool FrameProgram::solve_only(const std::vector<char>& demands, double time, const VecX& theta) {
  program_.schedule().limit_to(demands);
  frame_.poses = theta;
  if (contacts_) contacts_->start(1);
  if (!program_.set_given(frame_, time * given_.frame_time)) return false;
  MotionReport report;
  program_.solve(max_frame_iterations, options_.exact, {}, report);
  return program_.held(options_.met_metres, options_.met_degrees).front() && program_.shortfall() <= 0.0;
}

bool FrameProgram::project(int frame, VecX& theta) {
  if (!solve_only(locks_at(frame), frame, theta)) return false;
  theta = program_.pose(0);
  return true;
}

std::vector<int> FrameProgram::contradiction(double time, const VecX& theta) {
  const int frame = static_cast<int>(time);
  const auto can_hold = [&](const std::vector<char>& demands) {
    return solve_only(demands, time, theta) || solve_only(demands, time, given_.poses.col(frame));
  };
  std::vector<char> kept = locks_at(time);
  std::vector<int> out;
  if (can_hold(kept)) return out;
  for (std::size_t d = 0; d < kept.size(); ++d) {
    if (!kept[d]) continue;
    kept[d] = 0;
    if (!can_hold(kept)) continue;
    kept[d] = 1;
    out.push_back(static_cast<int>(d));
  }
  return out;
}

}  // namespace limber
