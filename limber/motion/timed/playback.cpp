#include "limber/motion/timed/playback.h"

#include <algorithm>
#include <cassert>

#include "limber/motion/timed/schedule.h"

namespace limber {

namespace {

// Parameters as stiff as timed/solve_motion.h has them: there a unit is a radian or a length of the figure, and G is
// measured in squares of its length.
PosePull pull_towards_given(const TimedProblem& timed) {
  const Figure& figure = timed.figure();
  PosePull pull{figure.rest().theta, timed.stiffness(), {}};
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const double length = figure.parameters()[j].translates ? 1.0 : figure.length() / default_c;
    const double moves = 1.0 - timed.problem().rigidities()[j];
    pull.stiffness[static_cast<Eigen::Index>(j)] *= moves > 0.0 ? length * length / (moves * moves) : 0.0;
  }
  return pull;
}

}  // namespace

struct Playback::State {
  State(const TimedProblem& timed, PlaybackOptions how)
      : options(std::move(how)),
        schedule(timed),
        problem(timed.problem()),
        pull(*problem.add_pull(pull_towards_given(timed), {.weight = options.guide})),
        solver(problem),
        stiffness(schedule.stiffness(options.guide)),
        is_held(timed.demands().size(), 0) {}

  void take_held(const Pose& given);
  void set_up(const Pose& given);
  void start_from(const Pose& given, Pose& pose) const;

  PlaybackOptions options;
  Schedule schedule;
  Problem problem;
  ConstraintId pull;
  Solver solver;
  VecX stiffness;
  std::vector<char> is_held;  // by demand: it has taken its place
  std::vector<InForce> in_force;
  VecX changed;  // what the last frame differed by from the given one; empty: there was none
  VecX phi, r;
  MatX J;
  Report refused;
};

void Playback::State::take_held(const Pose& given) {
  for (const InForce& entry : in_force) {
    char& is_known = is_held[static_cast<std::size_t>(entry.demand)];
    if (is_known || !schedule.timed().demands()[static_cast<std::size_t>(entry.demand)].holds) continue;
    schedule.hold(entry.demand, given.theta);
    is_known = 1;
  }
}

// The constraints as they are in this frame.
void Playback::State::set_up(const Pose& given) {
  schedule.place(in_force, given.theta, phi);
  if (std::any_of(in_force.begin(), in_force.end(), [](const InForce& entry) { return !entry.wholly(); })) {
    schedule.assembly().residual(phi, r);
    schedule.assembly().jacobian(J);
  }
  for (std::size_t slot = 0; slot < schedule.problem().constraints().size(); ++slot) {
    const Constraint& asked = schedule.problem().constraints()[slot];
    const auto entry =
        std::find_if(in_force.begin(), in_force.end(), [&](const InForce& one) { return one.slot == slot; });
    const bool enabled = entry != in_force.end();
    if (problem.find(asked.id)->enabled != enabled) (void)problem.set_enabled(asked.id, enabled);
    if (!enabled) continue;
    (void)problem.set_goal(asked.id, asked.alternatives.front().goal);
    const double weight = schedule.weight(*entry, J, stiffness);
    if (problem.find(asked.id)->weight != weight) (void)problem.set_weight(asked.id, weight);
  }
  (void)problem.set_pull(pull, given.theta);
}

void Playback::State::start_from(const Pose& given, Pose& pose) const {
  pose = given;
  if (changed.size() == 0) return;
  for (const int j : problem.variables()) pose.theta[j] += changed[j];
}

Playback::Playback(const TimedProblem& timed, PlaybackOptions options)
    : state_(std::make_unique<State>(timed, std::move(options))) {}

Playback::~Playback() = default;

void Playback::restart() {
  state_->changed.resize(0);
  std::fill(state_->is_held.begin(), state_->is_held.end(), 0);
}

const Report& Playback::solve(double time, const Pose& given, Pose& pose) {
  State& state = *state_;
  const auto parameters = static_cast<Eigen::Index>(state.problem.figure().parameters().size());
  state.schedule.forget_moving();
  Expected<void> known = state.schedule.in_force(time, state.in_force);
  if (known && (given.theta.size() != parameters || !given.theta.allFinite()))
    known = refuse(
        "the given pose", "numbers that are none of the figure",
        std::to_string(parameters) + " finite numbers, the parameters of '" + state.problem.figure().name() + "'");
  if (!known) {
    state.refused = Report{};
    state.refused.refusal = known.error();
    return state.refused;
  }
  state.take_held(given);
  state.set_up(given);
  state.start_from(given, pose);
  const Report& report = state.solver.solve(pose, state.options.solve);
  if (!report.refusal) state.changed = pose.theta - given.theta;
  return report;
}

}  // namespace limber
