// The answer to the goals of all grips, and what is shown of it.
//
// From the pose at the grab the goals are moved to where they are asked in a few strides. Then what is still missed is
// added to what is asked for (held_goals.h), a few times.
#include <algorithm>
#include <cmath>

#include "limber/posing/posing_impl.h"

namespace limber {

namespace {

// The way of a goal, relative to the figure's length, and the turn in radians, that one stride covers.
constexpr double stride_length = 0.1, stride_turn = 0.5;
constexpr int max_strides = 12;
// Iterations of a stride, and of each of the rounds after them; more where a goal is out of reach, so that the answer
// follows it calmly.
constexpr int stride_iterations = 4, round_iterations = 4, far_iterations = 16, max_rounds = 30;
// Where obstacles divide the ways, strides are shorter by this, with so many iterations, also in the end: contacts come
// and go within them, but with many more the solver leaps to the other side.
constexpr double detour_share = 0.25;
constexpr int detour_iterations = 12;
// Of the gradient of all squares, relative to the figure's squared length.
constexpr double solve_tolerance = 4e-12;
// What is held is where it should be up to this, relative to the figure's length.
constexpr double held_tolerance = 4e-6;
// A goal that has moved by less, relative to the figure's length, is where it was but for rounding.
constexpr double same_goal = 1e-12;
// A limb hangs beside the body where its tilt changes by no more, in radians.
constexpr double tilt_tolerance = 0.1 * pi / 180.0;
// The pose is at rest if nothing changes by more in a frame, in radians or metres.
constexpr double rest_tolerance = 1e-4;
// A weight that changes by less, relatively, counts as the same.
constexpr double weight_tolerance = 0.01;
// And until no foot that is pulled has moved by more than this, relative to the figure's length, against its support.
constexpr double foot_tolerance = 1e-4;
// A joint this near to the end of its range, in radians, begins bent by as much: a straight knee or elbow can only bend
// one way, but does not begin to when it is pulled along itself.
constexpr double bend = 30.0 * pi / 180.0;
// A turn, in radians, of a foot that is pulled weighs as much as the usual change of a joint: along the ground, and in
// the air.
constexpr double ground_turn = 1.0 * pi / 180.0, air_turn = 20.0 * pi / 180.0;
// A parameter that is set comes to its value to rounding, unless something holds against it.
constexpr double value_weight = 1e4;
// The max effort that a metre nearer to a goal is worth, in usual changes of a joint, squared. Chosen by eye.
constexpr double max_effort_per_metre = 4000.0;
// So far from the eyes, relative to the figure's length, a gaze begins to count less.
constexpr double near_eyes = 0.15;
// What a joint may turn in a frame that is shown, in radians: about the speed of a quick movement, 360 degrees per
// second at 60 frames; and more where goals move, as if about a lever of this part of the figure's length.
constexpr double max_turn = 6.0 * pi / 180.0;
constexpr double min_lever = 0.05;
// And where a joint or a part is turned: others may turn so many times as far.
constexpr double turn_gain = 2.0;
// Iterations of the pose that is shown between two answers, in which the pins hold.
constexpr int easing_iterations = 150;
// Up to this error, relative to the figure's length or in radians, what holds does so while a parameter is set.
constexpr double hold_tolerance = 1e-7;

}  // namespace

int Posing::Impl::strides() const {
  double count = 1.0;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip &grip = grips_[k], &from = from_[k];
    if (grip.options.moves) count = std::fmax(count, (grip.p - from.p).norm() / (stride_length * figure_.length()));
    if (grip.options.turns)
      count = std::fmax(count, Eigen::AngleAxisd(grip.R * from.R.transpose()).angle() / stride_turn);
    count = std::fmax(count, std::fabs(grip.value - from.value) / stride_turn);
  }
  if (goes_round_) count /= detour_share;
  return static_cast<int>(std::ceil(std::fmin(count, max_strides)));
}

// How far a grip whose goal is a line of sight is along it from where it would be at no cost.
Vec3 Posing::Impl::along_sight(std::size_t grip, const Vec3& way) const {
  const Grip& one = grips_[grip];
  if (!asked_[grip].sight) return Vec3::Zero();
  const Vec3 p = grip_place_of(figure_, state_, one.handle).p;
  return one.v.dot(p - one.p_grab - way) * one.v;
}

// The support where the pulled feet have come to be; whether that has moved.
bool Posing::Impl::follow_feet() {
  bool moved = false;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    const Vec3 way = grip.p - asked_[k].missing - grip.p_grab;
    const Vec3 to = way + along_sight(k, way);
    for (const std::size_t foot : asked_[k].feet) {
      moved = moved || (to - support_.moved(foot)).norm() > foot_tolerance * figure_.length();
      support_.move(foot, to);
    }
  }
  if (moved && balance_) held_.set(*problem_, *balance_, support_.polygon());
  return moved;
}

// The goals after this share of their way.
void Posing::Impl::state_goals(double share) {
  for (std::size_t k = 0; k < grips_.size(); ++k) state_grip(k, share);
  if (std::ranges::any_of(asked_, [](const Asked& asked) { return asked.value.has_value(); })) {
    for (const Asked& asked : asked_)
      if (asked.value) expect(problem_->set_pull(*asked.value, target_));
    expect(problem_->set_pull(*effort_, target_));
  }
  if (balance_ && support_.is_pulled()) held_.set(*problem_, *balance_, support_.polygon());
}

void Posing::Impl::state_grip(std::size_t k, double share) {
  const Grip &grip = grips_[k], &from = from_[k];
  const Asked& asked = asked_[k];
  if (asked.value) {
    target_[grip.parameter] = std::lerp(from.value, grip.value, share);
    return;
  }
  const Vec3 way = from.p + share * (grip.p - from.p) - asked.missing - grip.p_grab;
  if (look_ && looked_at_ == k) state_look(grip.p_grab + way);
  if (asked.sight) {
    expect(problem_->set_goal(*asked.position, Position{grip.p_grab + way}));
    held_.set(*problem_, *asked.sight, Line{grip.p_grab + way, grip.v});
  } else if (asked.position) {
    held_.set(*problem_, *asked.position, Position{grip.p_grab + way});
  }
  if (asked.orientation) {
    const Eigen::AngleAxisd turn(grip.R * from.R.transpose());
    held_.set(*problem_, *asked.orientation,
              firm_orientation(figure_, rotation(turn.axis(), share * turn.angle()) * from.R));
  }
  for (const std::size_t foot : asked.feet) support_.move(foot, way + along_sight(k, way));
  if (!asked.level || asked.feet.empty()) return;
  const double turn = std::lerp(ground_turn, air_turn, support_.lifted(asked.feet.front()));
  expect(problem_->set_weight(*asked.level, preference() / (turn * turn)));
}

// The direction to what is close to the eyes says little.
void Posing::Impl::state_look(const Vec3& p) {
  const double share = std::fmin(1.0, (p - eyes_).norm() / (near_eyes * figure_.length()));
  expect(problem_->set_goal(*look_, AimAt{p, share}));
}

void Posing::Impl::bend_straight(Pose& pose) const {
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const Parameter& parameter = figure_.parameters()[j];
    double& value = pose.theta[static_cast<Eigen::Index>(j)];
    const double lower = parameter.range.lower, upper = parameter.range.upper;
    if (!is_variable_[j] || parameter.translates || !(upper - lower > 4.0 * bend)) continue;
    if (value - lower < bend)
      value = lower + bend;
    else if (upper - value < bend)
      value = upper - bend;
  }
}

// What the goals have moved by since the last frame; whether any asks for something.
bool Posing::Impl::note_goals() {
  goal_way_ = goal_turn_ = 0.0;
  bool is_asked = is_asked_;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    Grip& before = before_[k];
    goal_way_ = std::fmax(goal_way_, (grip.p - before.p).norm());
    goal_turn_ = std::fmax(goal_turn_, std::fabs(grip.value - before.value));
    if (grip.R != before.R)
      goal_turn_ = std::fmax(goal_turn_, Eigen::AngleAxisd(grip.R * before.R.transpose()).angle());
    before.p = grip.p;
    before.R = grip.R;
    before.value = grip.value;
    const double way = (grip.p - asked_[k].missing - grip.p_grab).norm();
    is_asked = is_asked || (grip.options.moves && way > same_goal * figure_.length()) ||
               (grip.options.turns && grip.R != grip.R_grab) || (!is_of_part(grip) && grip.value != grip.value_grab);
  }
  return is_asked;
}

// Whether nothing else needs to move where parameters are set: all that holds does so.
bool Posing::Impl::holds_as_set() {
  state_goals(1.0);
  answer_.theta = target_;
  run(0);
  return std::ranges::all_of(solved_->constraints, [&](const ConstraintReport& one) {
    const Constraint* constraint = problem_->find(one.id);
    const bool is_firm = constraint->is_inequality() || std::ranges::find(firm_, one.id) != firm_.end();
    if (!one.counted || constraint->pull() || !is_firm) return true;
    return one.error.metres.value_or(0.0) <= hold_tolerance * figure_.length() &&
           one.error.radians.value_or(0.0) <= hold_tolerance && (one.met || !constraint->is_inequality());
  });
}

// What the body should tend to, for where the grips are asked to be.
void Posing::Impl::propose() {
  std::size_t point = 0;
  for (const Grip& grip : grips_) {
    if (!is_of_part(grip)) continue;
    AskedPoint& asked = points_[point++];
    if (grip.options.moves) asked.p_world = grip.p;
    if (grip.options.turns)
      asked.R_world_segment =
          grip.R * grip.R_grab.transpose() * at_grab_.segments[static_cast<std::size_t>(asked.segment)].R;
  }
  proposer_->propose_targets(points_, &start_);
}

void Posing::Impl::solve() {
  iterations_ = 0;
  before_answer_ = answer_.theta;
  answer_.theta = start_.theta;
  if (!note_goals()) return;
  target_ = start_.theta;
  const bool begins = !goes_round_ || before_answer_ == start_.theta;
  if (begins) {
    held_.restart(*problem_);
    limbs_.hang(*problem_);
  }
  if (only_parameters_ && !is_asked_ && holds_as_set()) return;
  if (proposes_) {
    propose();
    expect(proposer_->aim(*problem_));
  }
  answer_.theta = begins ? start_.theta : before_answer_;
  place(answer_);
  if (begins) {
    bend_straight(answer_);
    set_out();
    solver_->forget();
  }
  stride();
  finish();
  if (goes_round_) from_ = grips_;
}

// Strides begin at the grab.
void Posing::Impl::set_out() {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    from_[k].p = grips_[k].p_grab + asked_[k].missing;
    from_[k].R = grips_[k].R_grab;
    from_[k].value = grips_[k].value_grab;
  }
}

// To the goals in a few strides.
void Posing::Impl::stride() {
  for (Asked& asked : asked_) {
    asked.value_weight = 1.0;
    if (asked.value) expect(problem_->set_weight(*asked.value, value_weight));
  }
  moving_weight_ = 1.0;
  if (moving_ && !held_.contains(*moving_)) expect(problem_->set_weight(*moving_, moving_weight_));
  const int count = strides();
  for (int k = 1; k <= count; ++k) {
    state_goals(static_cast<double>(k) / count);
    place(answer_);
    held_.limit_force(*problem_, figure_, state_, max_force());
    (void)weigh_values();
    run(goes_round_ ? detour_iterations : stride_iterations);
  }
}

// Until everything that holds is where it should be.
void Posing::Impl::finish() {
  const bool rests = goal_way_ == 0.0 && goal_turn_ == 0.0;
  for (int round = 0; round < max_rounds; ++round) {
    // Beside obstacles the pointer is followed first; where it rests, so does the pose soon.
    const bool far = is_far() && (!goes_round_ || rests);
    before_round_ = answer_.theta;
    run(goes_round_ ? detour_iterations : far ? far_iterations : round_iterations);
    place(answer_);
    const HeldGoals::Change change = held_.shift(*problem_, figure_, state_, max_force());
    const bool moved = follow_feet(), reweighed = weigh_values();
    // What else is kept clear of each other is asked for with the obstacles.
    const bool tilted = !goes_round_ && limbs_.clear(*problem_, figure_, state_) > tilt_tolerance;
    if (far && (answer_.theta - before_round_).lpNorm<Eigen::Infinity>() > rest_tolerance) continue;
    if (!moved && !tilted && !reweighed && !change.reweighed && change.error <= held_tolerance * figure_.length())
      break;
  }
  held_.state(*problem_);
  run(0);
}

// Whether some goal is out of reach.
bool Posing::Impl::is_far() const {
  return held_.yields() || moving_weight_ < 1.0 - weight_tolerance ||
         std::ranges::any_of(asked_, [](const Asked& asked) { return asked.value_weight < 1.0 - weight_tolerance; });
}

void Posing::Impl::run(int iterations) {
  solved_ = &solver_->solve(answer_, {.method = options_.method,
                                      .iterations = iterations,
                                      .tolerance = solve_tolerance * figure_.length() * figure_.length(),
                                      .resumes = true,
                                      .restarts = 0});
  iterations_ += solved_->iterations;
}

// F of held_goals.h.
double Posing::Impl::max_force() const { return 0.5 * max_effort_per_metre * preference(); }

// Where a value, or what is stated and moved, cannot be reached, its error e counts as 2 F e instead of e². Whether a
// weight has changed.
bool Posing::Impl::weigh_values() {
  bool changed = false;
  const auto weigh = [&](ConstraintId id, double full, double e, double& share) {
    const double now = 1.0 / std::hypot(1.0, full * e / max_force());
    changed = changed || std::fabs(now - share) > weight_tolerance * share;
    share = now;
    expect(problem_->set_weight(id, full * now));
  };
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (!asked_[k].value) continue;
    const int j = grips_[k].parameter;
    const double unit = figure_.parameters()[static_cast<std::size_t>(j)].translates ? 1.0 : default_c;
    weigh(*asked_[k].value, value_weight, unit * std::fabs(answer_.theta[j] - target_[j]), asked_[k].value_weight);
  }
  if (moving_ && solved_ && !held_.contains(*moving_)) {
    const auto found = std::ranges::find(solved_->constraints, *moving_, &ConstraintReport::id);
    weigh(*moving_, 1.0, std::sqrt(found->value), moving_weight_);
  }
  return changed;
}

// What is shown goes towards the answer: at once, unless a joint jumps.
void Posing::Impl::show() {
  const double allowed = max_turn + goal_way_ / (min_lever * figure_.length()) + turn_gain * goal_turn_;
  double jump = 0.0;
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    if (!figure_.parameters()[j].translates) jump = std::fmax(jump, std::fabs(answer_.theta[i] - shown_.theta[i]));
  }
  report_.settled = !options_.eases || jump <= allowed;
  if (report_.settled) {
    shown_.theta = answer_.theta;
    // With obstacles, the next frame goes on.
    if (goes_round_) report_.settled = (answer_.theta - before_answer_).lpNorm<Eigen::Infinity>() <= rest_tolerance;
    return;
  }
  shown_.theta += (allowed / jump) * (answer_.theta - shown_.theta);
  expect(eased_->set_pull(*towards_, shown_.theta));
  (void)easing_->solve(shown_, {.iterations = easing_iterations, .tolerance = 1e-12, .restarts = 0});
}

}  // namespace limber
