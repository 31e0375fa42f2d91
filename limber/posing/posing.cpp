#include "limber/posing/posing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "limber/kinematics/forward.h"
#include "limber/kinematics/ground.h"
#include "limber/posing/effort.h"
#include "limber/posing/hang.h"
#include "limber/posing/support.h"
#include "limber/problem/balance.h"
#include "limber/solver/solve.h"

namespace limber {

namespace {

// y, relative to the figure's length: an error of the goal of this size weighs as much as the usual change of a joint.
// The effort of a whole pose then keeps a goal from being met by some hundredths of a millimetre.
constexpr double effort_length = 3e-4;
// The way of a goal, relative to the figure's length, and the turn in radians, that one stride covers.
constexpr double stride_length = 0.1, stride_turn = 0.5;
constexpr int max_strides = 12;
// Iterations of a stride but the last, and of the last.
constexpr int stride_iterations = 4, last_iterations = 150;
// Where obstacles divide the ways, strides are shorter by this, with so many iterations, also in the end: contacts come
// and go within them, but with many more the solver leaps to the other side.
constexpr double round_share = 0.25;
constexpr int round_iterations = 12;
// The pose is at rest if nothing changes by more in a frame, in radians or metres.
constexpr double rest_tolerance = 1e-4;
// How much softer everything is on the way.
constexpr double stride_softness = 100.0;
// The weights of the grips are adapted to their errors so many times at most, and until they change by less than this.
constexpr int max_rounds = 4;
constexpr double weight_tolerance = 0.01;
// And until no foot that is pulled has moved by more than this, relative to the figure's length, against its support.
constexpr double foot_tolerance = 1e-4;
// A joint this near to the end of its range, in radians, begins bent by as much: a straight knee or elbow can only bend
// one way, but does not begin to when it is pulled along itself.
constexpr double bend = 30.0 * pi / 180.0;
// A turn, in radians, of a pinned foot whose heel lifts, or that is pulled: in the air or along the ground; and of a
// hanging bone: each weighs as much as the usual change of a joint.
constexpr double level_turn = 20.0 * pi / 180.0, ground_turn = 1.0 * pi / 180.0, hang_turn = 10.0 * pi / 180.0;
// Weights relative to a grip: what holds against it gives way by ten or a hundred times less than it.
constexpr double pin_weight = 100.0, support_weight = 10.0;
// A parameter that is set comes to its value to rounding, unless something holds against it.
constexpr double value_weight = 1e4;
// What weighs less, such as a foot that stays level, is no goal that is met or not.
constexpr double min_goal_weight = 1e-3;
// The centre of mass that moves so far, relative to the figure's length, weighs as much as the usual change of a joint.
constexpr double sway_length = 0.04;
// So much along a line of sight, relative to the figure's length, weighs as much as the usual change of a joint.
constexpr double depth_length = 0.025;
// The max effort that a metre nearer to a goal is worth, in usual changes of a joint, squared. Chosen by eye, as the
// lengths and turns above.
constexpr double max_effort_per_metre = 4000.0;
// What a joint may turn in a frame that is shown, in radians: about the speed of a quick movement, 360 degrees per
// second at 60 frames; and more where goals move, as if about a lever of this part of the figure's length.
constexpr double max_turn = 6.0 * pi / 180.0;
constexpr double min_lever = 0.05;
// And where a joint or a part is turned: others may turn so many times as far.
constexpr double turn_gain = 2.0;
// Up to this error, relative to the figure's length or in radians, what holds does so while a parameter is set.
constexpr double hold_tolerance = 1e-7;

bool is_of_part(const Grip& grip) { return grip.parameter < 0; }

struct GripPlace {
  Vec3 p;
  Mat3 R;
};

GripPlace grip_place_of(const Figure& figure, const Kinematics& state, const Handle& handle) {
  Vec3 x[max_elements];
  evaluate(figure, state, handle, x);
  if (handle.shape != Shape::frame) return {x[0], state.segments[static_cast<std::size_t>(handle.plus[0].segment)].R};
  Mat3 R;
  R << x[1], x[2], x[1].cross(x[2]);
  return {x[0], R};
}

// What was accepted once is accepted with other values.
void expect([[maybe_unused]] const Expected<void>& done) { assert(done); }

// The parameters that move a segment's own joint.
std::vector<int> own_parameters(const Figure& figure, int segment) {
  std::vector<int> own;
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    for (int t = freedom.term_begin; t < freedom.term_end; ++t)
      own.push_back(figure.terms()[static_cast<std::size_t>(t)].parameter);
  }
  return own;
}

Handle frame_handle(int segment) {
  Handle handle{"", Shape::frame};
  handle.plus[0] = {Element::Kind::point, segment, Vec3::Zero()};
  handle.plus[1] = {Element::Kind::direction, segment, Vec3::UnitX()};
  handle.plus[2] = {Element::Kind::direction, segment, Vec3::UnitY()};
  return handle;
}

}  // namespace

class Posing::Impl {
 public:
  Impl(const Figure& figure, Pose pose, PosingOptions options)
      : figure_(figure),
        options_(std::move(options)),
        state_(figure),
        shown_(std::move(pose)),
        answer_(shown_),
        start_(shown_) {}

  Expected<void> begin();
  Expected<GripId> grab(const Expected<Handle>& handle, GrabOptions options);
  Expected<GripId> grab_parameter(int parameter);
  Expected<void> set_goal(ConstraintId constraint, const Goal& goal);
  void release(GripId id);
  const PosingReport& frame();

  Grip* find(GripId id) {
    const auto at = std::ranges::find(grips_, id, &Grip::id);
    return at == grips_.end() ? nullptr : &*at;
  }

  Figure figure_;
  PosingOptions options_;
  std::vector<Grip> grips_;
  Kinematics state_;
  VecX q_;
  Pose shown_, answer_;
  bool is_asked_ = false;               // to solve for what is stated, since the last grab or release
  std::optional<ConstraintId> moving_;  // a stated constraint whose goal changes: it gives way as a grip does

 private:
  // A grip in the problem.
  struct Asked {
    Vec3 missing = Vec3::Zero();  // from the point to its goal when the pull began: it was out of reach then
    std::optional<ConstraintId> position, sight, orientation, value;
    // What is weighed by its error.
    std::optional<ConstraintId> weighed() const { return value ? value : sight ? sight : position; }
    double share = 1.0;                  // weight of the position, or of the value
    std::vector<std::size_t> feet = {};  // of the support, that it moves
    std::optional<ConstraintId> level;   // of the foot that it holds
  };

  Expected<void> add_stated(Problem& problem);
  Expected<void> add_pins(Problem& problem);
  int toes_of(int segment) const;
  Expected<void> add_balance();
  Expected<void> add_grips();
  void place(const Pose& pose);
  Expected<GripId> keep(Grip grip);
  bool moves_part(int segment) const;
  bool holds_part(const Grip& grip, int segment) const;
  bool lifts(const Grip& grip, int foot) const;
  std::vector<int> limb_of(int segment) const;
  std::vector<bool> idle_parameters(std::size_t stated) const;
  int strides() const;
  void state_goals(double share);
  Vec3 along_sight(std::size_t grip, const Vec3& way) const;
  bool follow_feet();
  bool note_goals();
  bool holds_as_set();
  double error_of(const Grip& grip, const Asked& asked) const;
  void bend_straight(Pose& pose) const;
  void solve();
  void set_out();
  void stride();
  void finish();
  void soften(double softness);
  void run(int iterations);
  bool weigh(double softness);
  void show();
  void write_report();

  Pose start_;          // θ₀
  VecX before_answer_;  // of the last frame
  VecX target_;         // of the effort: θ₀ or what is proposed, with the parameters that are set
  std::vector<Asked> asked_;
  std::vector<Grip> before_;  // as stated in the last frame
  bool only_parameters_ = false;
  std::vector<Grip> from_;   // where the strides to the goals begin
  bool goes_round_ = false;  // obstacles: every frame goes on where the last one ended
  Support support_;
  std::vector<bool> is_variable_;                      // by parameter
  std::vector<std::pair<ConstraintId, double>> firm_;  // what holds, with its weight
  std::optional<Problem> problem_, eased_;
  std::optional<Solver> solver_, easing_;
  std::optional<ConstraintId> effort_, balance_, steady_, towards_;
  const Report* solved_ = nullptr;
  double moving_share_ = 1.0;                // its weight
  double goal_way_ = 0.0, goal_turn_ = 0.0;  // of this frame
  int iterations_ = 0;
  int next_id_ = 0;
  PosingReport report_;
};

void Posing::Impl::place(const Pose& pose) {
  figure_.angles(pose.theta, q_);
  forward(figure_, q_, state_);
}

// Whether a grip of the whole body moves the part that the segment is of.
bool Posing::Impl::moves_part(int segment) const {
  return std::ranges::any_of(grips_, [&](const Grip& grip) { return holds_part(grip, segment); });
}

bool Posing::Impl::holds_part(const Grip& grip, int segment) const {
  return is_of_part(grip) && chain_start(figure_, grip.handle.plus[0].segment, GripChain::part) ==
                                 chain_start(figure_, segment, GripChain::part);
}

// The segment after this one, such as the toes after the foot; -1 without one.
int Posing::Impl::toes_of(int segment) const {
  const std::vector<Segment>& segments = figure_.segments();
  for (int s = segment + 1; s < segments[static_cast<std::size_t>(segment)].subtree_end; ++s)
    if (figure_.joints()[static_cast<std::size_t>(s)].freedom_end >
        figure_.joints()[static_cast<std::size_t>(s)].freedom_begin)
      return s;
  return -1;
}

Expected<void> Posing::Impl::add_stated(Problem& problem) {
  if (!options_.constraints) return {};
  if (const Expected<void> done = options_.constraints(problem, grips_); !done) return done;
  for (const Constraint& one : problem.constraints())
    if (one.must_hold())
      if (const Expected<void> done = problem.set_weight(one.id, pin_weight); !done) return done;
  return {};
}

Expected<void> Posing::Impl::add_pins(Problem& problem) {
  for (const PinnedPlace& pin : options_.pins) {
    const Expected<Handle> handle = figure_.frame(pin.place);
    if (!handle) return std::unexpected(handle.error());
    const int segment = handle->plus[0].segment, toes = toes_of(segment);
    const bool is_loose = moves_part(segment);
    if (is_loose && pin.turns) continue;
    const GripPlace at = grip_place_of(figure_, state_, *handle);
    const ConstraintOptions firm{.weight = pin_weight, .name = pin.place + " pinned"};
    const double y = effort_length * figure_.length() / level_turn;
    const ConstraintOptions level{.weight = y * y, .name = pin.place + " level"};
    std::vector<Expected<ConstraintId>> added;
    if (is_loose) {
      added.push_back(
          problem.add(part(*handle, Shape::directions), Orientation{at.R.col(0), at.R.col(1), 1.0, 1.0}, level));
      for (std::size_t k = 0; k < grips_.size(); ++k)
        if (added[0] && &problem == &*problem_ && holds_part(grips_[k], segment)) asked_[k].level = *added[0];
    } else if (pin.turns) {
      added.push_back(problem.add(part(*handle, Shape::point), Position{at.p}, firm));
    } else if (pin.lifts && toes >= 0) {
      added.push_back(
          problem.add(part(*handle, Shape::directions), Orientation{at.R.col(0), at.R.col(1), 1.0, 1.0}, level));
      Handle ball = frame_handle(toes);
      const GripPlace toe = grip_place_of(figure_, state_, ball);
      added.push_back(problem.add(ball, Placement{toe.p, orientation(toe.R)}, firm));
      // Not into the ground.
      for (const FootPlace& place : places_on_foot(figure_, segment)) {
        if (place.segment != segment) continue;
        Handle point{"", Shape::point};
        point.plus[0] = {Element::Kind::point, segment, place.local};
        const Vec3 p = state_.segments[static_cast<std::size_t>(segment)] * place.local;
        added.push_back(problem.add(point, HalfSpace{p, Vec3::UnitY()},
                                    {.weight = support_weight, .name = pin.place + " on the ground"}));
      }
    } else {
      added.push_back(problem.add(*handle, Placement{at.p, orientation(at.R)}, firm));
    }
    for (const Expected<ConstraintId>& one : added)
      if (!one) return std::unexpected(one.error());
  }
  return {};
}

// Whether a grip takes a foot off the ground: it holds the foot, or a part above it, and the foot is not pinned.
bool Posing::Impl::lifts(const Grip& grip, int foot) const {
  const int part = chain_start(figure_, foot, GripChain::part);
  const int held = chain_start(figure_, grip.handle.plus[0].segment, GripChain::part);
  if (held == part) return true;
  const bool is_pinned = std::ranges::any_of(options_.pins, [&](const PinnedPlace& pin) {
    const Expected<Handle> handle = figure_.point(pin.place);
    return handle && chain_start(figure_, handle->plus[0].segment, GripChain::part) == part;
  });
  const std::vector<int> limb = limb_of(part);
  return !is_pinned && std::ranges::find(limb, held) != limb.end();
}

// The joints of a limb, from a segment up to where the limb branches off.
std::vector<int> Posing::Impl::limb_of(int segment) const {
  std::vector<int> limb;
  const int first = chain_start(figure_, segment, GripChain::limb);
  for (int s = segment; s != no_parent; s = figure_.segments()[static_cast<std::size_t>(s)].parent) {
    limb.push_back(s);
    if (s == first) break;
  }
  return limb;
}

Expected<void> Posing::Impl::add_balance() {
  Expected<Support> support = Support::make(figure_, start_, options_.feet, options_.balance_margin);
  if (!support) return std::unexpected(support.error());
  support_ = std::move(*support);
  for (std::size_t foot = 0; foot < support_.count(); ++foot)
    for (std::size_t k = 0; k < grips_.size(); ++k)
      if (grips_[k].options.moves && lifts(grips_[k], support_.segment(foot))) {
        support_.pull(foot);
        asked_[k].feet.push_back(foot);
      }
  balance_.reset();
  if (support_.empty() || !support_.stands()) return {};
  const Expected<ConstraintId> added =
      problem_->add(support_.centre(), support_.polygon(), {.weight = support_weight, .name = "balance"});
  if (!added) return std::unexpected(added.error());
  balance_ = *added;
  if (only_parameters_) return {};
  const double y = effort_length * figure_.length();
  const double sway = y / (sway_length * figure_.length());
  Vec3 c;
  evaluate(figure_, state_, support_.centre(), &c);
  const Expected<ConstraintId> steady =
      problem_->add(support_.centre(), Line{c, Vec3::UnitY()}, {.weight = sway * sway, .name = "steady"});
  if (!steady) return std::unexpected(steady.error());
  steady_ = *steady;
  return {};
}

Expected<void> Posing::Impl::add_grips() {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    if (!is_of_part(grip)) {
      VecX only = VecX::Zero(start_.theta.size());
      only[grip.parameter] = 1.0;
      const Expected<ConstraintId> added = problem_->add_pull(PullByStiffness{start_.theta, only}, {.name = "set"});
      if (!added) return std::unexpected(added.error());
      asked_[k].value = *added;
      continue;
    }
    const int from = chain_start(figure_, grip.handle.plus[0].segment, grip.options.chain);
    std::string joint = from == no_parent ? std::string() : figure_.joints()[static_cast<std::size_t>(from)].name;
    if (from != no_parent && !grip.options.from.empty()) joint = grip.options.from;
    if (grip.options.moves) {
      const Expected<ConstraintId> added =
          problem_->add(part(grip.handle, Shape::point), Position{grip.p_grab}, {.from = joint});
      if (!added) return std::unexpected(added.error());
      asked_[k].position = *added;
    }
    if (grip.options.moves && grip.options.by_sight) {
      const double depth = effort_length / depth_length;
      expect(problem_->set_weight(*asked_[k].position, depth * depth));
      const Expected<ConstraintId> added =
          problem_->add(part(grip.handle, Shape::point), Line{grip.p_grab, grip.v}, {.from = joint});
      if (!added) return std::unexpected(added.error());
      asked_[k].sight = *added;
    }
    if (!grip.options.turns) continue;
    const Expected<ConstraintId> added =
        problem_->add(part(grip.handle, Shape::directions), orientation(grip.R_grab), {.from = joint});
    if (!added) return std::unexpected(added.error());
    asked_[k].orientation = *added;
  }
  return {};
}

// The problem of the grips, from the pose that is shown.
Expected<void> Posing::Impl::begin() {
  start_ = answer_ = shown_;
  place(start_);
  solver_.reset();
  easing_.reset();
  solved_ = nullptr;
  problem_.emplace(figure_);
  firm_.clear();
  eased_.emplace(figure_);
  asked_.assign(grips_.size(), {});
  only_parameters_ = !grips_.empty() && std::ranges::none_of(grips_, is_of_part);
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (!is_of_part(grips_[k])) {
      grips_[k].value_grab = start_.theta[grips_[k].parameter];
      continue;
    }
    const GripPlace at = grip_place_of(figure_, state_, grips_[k].handle);
    asked_[k].missing = grips_[k].p - at.p;
    grips_[k].p_grab = at.p;
    grips_[k].R_grab = at.R;
  }
  before_ = grips_;
  is_asked_ = false;
  moving_.reset();
  for (const std::string& lock : options_.locks)
    for (Problem* problem : {&*problem_, &*eased_})
      if (const Expected<void> done = problem->set_rigidity(lock, 1.0); !done) return done;
  for (Problem* problem : {&*problem_, &*eased_})
    if (const Expected<void> done = add_stated(*problem); !done) return done;
  const std::size_t stated = problem_->constraints().size();
  const bool is_whole = grips_.empty() || std::ranges::any_of(grips_, [](const Grip& grip) {
                          return grip.options.chain == GripChain::body;
                        });
  if (is_whole)
    if (const Expected<void> done = add_pins(*problem_); !done) return done;
  if (const Expected<void> done = add_grips(); !done) return done;
  if (is_whole)
    if (const Expected<void> done = add_balance(); !done) return done;
  if (options_.clearance)
    if (const auto added = problem_->add_clearance(*options_.clearance); !added) return std::unexpected(added.error());
  const double y = effort_length * figure_.length();
  std::vector<bool> idle = idle_parameters(stated);
  const std::vector<HangingBone> hanging =
      is_whole && !only_parameters_ ? hanging_bones(figure_, state_, idle) : std::vector<HangingBone>();
  for (const HangingBone& bone : hanging) {
    const double weight = y / hang_turn;
    const auto added =
        problem_->add(bone.direction, Direction{bone.v, 1.0}, {.weight = weight * weight, .name = "hangs"});
    if (!added) return std::unexpected(added.error());
    for (const int j : own_parameters(figure_, bone.segment)) idle[static_cast<std::size_t>(j)] = false;
  }
  const Expected<ConstraintId> effort =
      problem_->add_pull(effort_from(figure_, start_, idle, options_.stiffness), {.weight = y * y, .name = "effort"});
  if (!effort) return std::unexpected(effort.error());
  effort_ = *effort;
  for (const Constraint& one : problem_->constraints())
    if (one.weight > 1.0) firm_.emplace_back(one.id, one.weight);
  if (const Expected<void> done = add_pins(*eased_); !done) return done;
  const Expected<ConstraintId> to = eased_->add_pull(PullByStiffness{start_.theta, VecX::Ones(start_.theta.size())});
  if (!to) return std::unexpected(to.error());
  towards_ = *to;
  goes_round_ = std::ranges::any_of(problem_->constraints(), [](const Constraint& one) { return one.clearance(); });
  before_answer_ = target_ = start_.theta;
  from_ = grips_;
  set_out();
  solver_.emplace(*problem_);
  easing_.emplace(*eased_);
  is_variable_.assign(figure_.parameters().size(), false);
  for (const int j : problem_->variables())
    is_variable_[static_cast<std::size_t>(j)] = problem_->rigidities()[static_cast<std::size_t>(j)] < 1.0;
  report_.grips.resize(grips_.size());
  return {};
}

// Those that no grip, no pin and no handle of the first `stated` constraints needs.
std::vector<bool> Posing::Impl::idle_parameters(std::size_t stated) const {
  std::vector<bool> idle(figure_.parameters().size(), true);
  const auto use = [&](const Handle& handle) {
    for (const int j : chain_of(figure_, handle, no_parent)) idle[static_cast<std::size_t>(j)] = false;
  };
  for (const Grip& grip : grips_)
    if (is_of_part(grip))
      use(grip.handle);
    else
      idle[static_cast<std::size_t>(grip.parameter)] = false;
  for (const PinnedPlace& pin : options_.pins)
    if (const Expected<Handle> handle = figure_.point(pin.place)) use(*handle);
  for (const Constraint& one : std::span(problem_->constraints()).first(stated))
    for (const Alternative& asked : one.alternatives())
      if (asked.handle.plus[0].kind != Element::Kind::mass_centre) use(asked.handle);
  return idle;
}

Expected<GripId> Posing::Impl::grab(const Expected<Handle>& handle, GrabOptions options) {
  if (!handle) return std::unexpected(handle.error());
  if (handle->shape != Shape::point && handle->shape != Shape::frame)
    return reject("grip '" + handle->name + "'", "a handle without a point", "a point or a frame");
  if (options.turns && handle->shape != Shape::frame)
    return reject("grip '" + handle->name + "'", "a point that turns", "a frame");
  place(shown_);
  const GripPlace at = grip_place_of(figure_, state_, *handle);
  Grip grip;
  grip.handle = *handle;
  grip.options = std::move(options);
  grip.p = grip.p_grab = at.p;
  grip.R = grip.R_grab = at.R;
  return keep(std::move(grip));
}

Expected<GripId> Posing::Impl::grab_parameter(int parameter) {
  if (parameter < 0 || parameter >= static_cast<int>(figure_.parameters().size()))
    return reject("parameter " + std::to_string(parameter), "none", "one of the figure");
  const double value = shown_.theta[parameter];
  Grip grip;
  grip.options.moves = false;
  grip.parameter = parameter;
  grip.value = grip.value_grab = value;
  return keep(std::move(grip));
}

Expected<GripId> Posing::Impl::keep(Grip grip) {
  const GripId id{next_id_++};
  grip.id = id;
  grips_.push_back(std::move(grip));
  if (const Expected<void> done = begin(); !done) {
    grips_.pop_back();
    expect(begin());
    return std::unexpected(done.error());
  }
  return id;
}

Expected<void> Posing::Impl::set_goal(ConstraintId constraint, const Goal& goal) {
  for (Problem* problem : {&*problem_, &*eased_})
    if (const Expected<void> done = problem->set_goal(constraint, goal); !done) return done;
  is_asked_ = true;
  moving_ = constraint;
  std::erase_if(firm_, [&](const auto& firm) { return firm.first == constraint; });
  return {};
}

void Posing::Impl::release(GripId id) {
  const auto at = std::ranges::find(grips_, id, &Grip::id);
  if (at == grips_.end()) return;
  grips_.erase(at);
  expect(begin());
}

int Posing::Impl::strides() const {
  double count = 1.0;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip &grip = grips_[k], &from = from_[k];
    if (grip.options.moves) count = std::fmax(count, (grip.p - from.p).norm() / (stride_length * figure_.length()));
    if (grip.options.turns)
      count = std::fmax(count, Eigen::AngleAxisd(grip.R * from.R.transpose()).angle() / stride_turn);
    count = std::fmax(count, std::fabs(grip.value - from.value) / stride_turn);
  }
  if (goes_round_) count /= round_share;
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
  if (moved && balance_) expect(problem_->set_goal(*balance_, support_.polygon()));
  return moved;
}

// The goals after this share of their way.
void Posing::Impl::state_goals(double share) {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    const Grip& from = from_[k];
    const Vec3 way = from.p + share * (grip.p - from.p) - asked_[k].missing - grip.p_grab;
    if (asked_[k].position) expect(problem_->set_goal(*asked_[k].position, Position{grip.p_grab + way}));
    if (asked_[k].sight) expect(problem_->set_goal(*asked_[k].sight, Line{grip.p_grab + way, grip.v}));
    if (asked_[k].orientation) {
      const Eigen::AngleAxisd turn(grip.R * from.R.transpose());
      const Mat3 R = rotation(turn.axis(), share * turn.angle()) * from.R;
      expect(problem_->set_goal(*asked_[k].orientation, orientation(R)));
    }
    for (const std::size_t foot : asked_[k].feet) support_.move(foot, way + along_sight(k, way));
    if (asked_[k].level && !asked_[k].feet.empty()) {
      const double lifted = support_.lifted(asked_[k].feet.front());
      const double y = effort_length * figure_.length() / (ground_turn + lifted * (level_turn - ground_turn));
      expect(problem_->set_weight(*asked_[k].level, y * y));
    }
    if (!asked_[k].value) continue;
    target_[grip.parameter] = from.value + share * (grip.value - from.value);
    answer_.theta[grip.parameter] = target_[grip.parameter];
  }
  if (std::ranges::any_of(asked_, [](const Asked& asked) { return asked.value.has_value(); })) {
    for (const Asked& asked : asked_)
      if (asked.value) expect(problem_->set_pull(*asked.value, target_));
    expect(problem_->set_pull(*effort_, target_));
  }
  if (balance_ && support_.is_pulled()) expect(problem_->set_goal(*balance_, support_.polygon()));
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
    is_asked = is_asked || (grip.options.moves && grip.p - asked_[k].missing != grip.p_grab) ||
               (grip.options.turns && grip.R != grip.R_grab) || (!is_of_part(grip) && grip.value != grip.value_grab);
  }
  return is_asked;
}

// Whether nothing else needs to move where parameters are set: all that holds does so.
bool Posing::Impl::holds_as_set() {
  answer_.theta = start_.theta;
  state_goals(1.0);
  run(0);
  return std::ranges::all_of(solved_->constraints, [&](const ConstraintReport& one) {
    const Constraint* constraint = problem_->find(one.id);
    if (!one.counted || constraint->pull() || constraint->weight < 1.0) return true;
    return one.error.metres.value_or(0.0) <= hold_tolerance * figure_.length() &&
           one.error.radians.value_or(0.0) <= hold_tolerance && (one.met || !constraint->is_inequality());
  });
}

void Posing::Impl::solve() {
  iterations_ = 0;
  before_answer_ = answer_.theta;
  answer_.theta = start_.theta;
  if (!note_goals()) return;
  target_ = start_.theta;
  if (options_.proposal) {
    options_.proposal(figure_, start_, grips_, answer_);
    target_ = answer_.theta;
    expect(problem_->set_pull(*effort_, target_));
    answer_.theta = start_.theta;
  }
  if (only_parameters_ && !is_asked_ && holds_as_set()) return;
  const bool begins = !goes_round_ || before_answer_ == start_.theta;
  answer_.theta = begins ? start_.theta : before_answer_;
  place(answer_);
  if (begins) {
    bend_straight(answer_);
    set_out();
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

// To the goals in a few strides; softly, unless obstacles divide the ways.
void Posing::Impl::stride() {
  const int count = strides();
  for (Asked& asked : asked_) {
    asked.share = 1.0;
    if (const std::optional<ConstraintId> id = asked.weighed())
      expect(problem_->set_weight(*id, asked.value ? value_weight : 1.0));
  }
  moving_share_ = 1.0;
  if (moving_) expect(problem_->set_weight(*moving_, 1.0));
  const double softness = goes_round_ ? 1.0 : stride_softness;
  const int iterations = goes_round_ ? round_iterations : stride_iterations;
  soften(softness);
  solver_->forget();
  for (int k = 1; k <= count; ++k) {
    state_goals(static_cast<double>(k) / count);
    run(iterations);
    (void)weigh(softness);
  }
  if (goes_round_) return;
  soften(std::sqrt(stride_softness));
  run(stride_iterations);
  (void)weigh(1.0);
  soften(1.0);
}

void Posing::Impl::finish() {
  for (int round = 0; round < max_rounds; ++round) {
    run(goes_round_ ? round_iterations : last_iterations);
    const bool is_reweighed = weigh(1.0);
    if (!follow_feet() && !is_reweighed) break;
  }
}

// With a softness above 1 what holds is softer and what resists is stiffer by it: the body then takes
// longer steps along the narrow valley of poses that hold everything.
void Posing::Impl::soften(double softness) {
  const double y = effort_length * figure_.length();
  for (const auto& [id, weight] : firm_) expect(problem_->set_weight(id, weight / softness));
  expect(problem_->set_weight(*effort_, y * y * softness));
}

void Posing::Impl::run(int iterations) {
  solved_ = &solver_->solve(
      answer_,
      {.method = options_.method, .iterations = iterations, .tolerance = 1e-11, .resumes = true, .restarts = 0});
  iterations_ += solved_->iterations;
}

// The error e of a grip counts as 2 d² (√(1 + e²/d²) - 1): as e² up to about d, then in proportion to e. As a weight
// of e² that follows e, it has the same slope. Whether a weight has changed.
bool Posing::Impl::weigh(double softness) {
  const double y = effort_length * figure_.length();
  const double d = 0.5 * max_effort_per_metre * y * y * softness;
  place(answer_);
  bool changed = false;
  const auto weigh_by = [&](ConstraintId id, double full, double e, double& share) {
    const double weight = full / std::sqrt(1.0 + (full * e / d) * (full * e / d));
    changed = changed || std::fabs(weight - share) > weight_tolerance * share;
    share = weight;
    expect(problem_->set_weight(id, weight));
  };
  for (std::size_t k = 0; k < grips_.size(); ++k)
    if (const std::optional<ConstraintId> id = asked_[k].weighed())
      weigh_by(*id, asked_[k].value ? value_weight : 1.0, error_of(grips_[k], asked_[k]), asked_[k].share);
  if (moving_) {
    const auto found = std::ranges::find(solved_->constraints, *moving_, &ConstraintReport::id);
    weigh_by(*moving_, 1.0, std::sqrt(found->value), moving_share_);
  }
  return changed;
}

// Of the position or the value, in metres; an angle counts as in the goals.
double Posing::Impl::error_of(const Grip& grip, const Asked& asked) const {
  if (asked.value)
    return std::fabs(answer_.theta[grip.parameter] - target_[grip.parameter]) *
           (figure_.parameters()[static_cast<std::size_t>(grip.parameter)].translates ? 1.0 : default_c);
  const Goal& goal = problem_->find(*asked.position)->alternatives()[0].goal;
  const Vec3 e = grip_place_of(figure_, state_, grip.handle).p - std::get<Position>(goal).p;
  return (asked.sight ? Vec3(e - grip.v.dot(e) * grip.v) : e).norm();
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
  (void)easing_->solve(shown_, {.iterations = last_iterations, .tolerance = 1e-12, .restarts = 0});
}

void Posing::Impl::write_report() {
  place(answer_);
  report_.solve = solved_;
  report_.iterations = iterations_;
  report_.met = true;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    GripReport& out = report_.grips[k];
    out = {.id = grip.id};
    if (is_of_part(grip)) {
      const GripPlace at = grip_place_of(figure_, state_, grip.handle);
      out.at = at.p;
      out.goal = grip.p - asked_[k].missing;
      if (grip.options.by_sight) out.goal += grip.v.dot(at.p - out.goal) * grip.v;
      if (grip.options.moves) out.metres = (at.p - out.goal).norm();
      if (grip.options.turns) out.radians = Eigen::AngleAxisd(grip.R * at.R.transpose()).angle();
    } else {
      const bool is_length = figure_.parameters()[static_cast<std::size_t>(grip.parameter)].translates;
      (is_length ? out.metres : out.radians) = std::fabs(answer_.theta[grip.parameter] - grip.value);
    }
    const Options met;
    out.met = out.metres <= met.met_metres && out.radians <= radians(met.met_degrees);
    report_.met = report_.met && out.met;
    if (!solved_) continue;
    for (const ConstraintReport& one : solved_->constraints)
      if (asked_[k].weighed() == one.id || (asked_[k].orientation == one.id && out.held_back_by.empty()))
        out.held_back_by = one.held_back_by;
  }
  if (solved_)
    for (const ConstraintReport& one : solved_->constraints) {
      const bool is_grip = std::ranges::any_of(
          asked_, [&](const Asked& asked) { return asked.weighed() == one.id || asked.orientation == one.id; });
      const bool tends = problem_->find(one.id)->weight < min_goal_weight;
      if (!is_grip && one.counted && !tends) report_.met = report_.met && one.met;
    }
}

const PosingReport& Posing::Impl::frame() {
  solve();
  show();
  write_report();
  return report_;
}

Expected<Posing> Posing::make(const Figure& figure, const Pose& pose, PosingOptions options) {
  if (pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()) || !pose.theta.allFinite())
    return reject("pose", std::to_string(pose.theta.size()) + " values, or one that is not finite",
                  std::to_string(figure.parameters().size()) + " finite ones");
  Posing posing(std::make_unique<Impl>(figure, pose, std::move(options)));
  if (const Expected<void> done = posing.impl_->begin(); !done) return std::unexpected(done.error());
  return posing;
}

Expected<GripId> Posing::grab_parameter(int parameter) { return impl_->grab_parameter(parameter); }

Posing::Posing(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Posing::~Posing() = default;
Posing::Posing(Posing&&) noexcept = default;
Posing& Posing::operator=(Posing&&) noexcept = default;

Expected<GripId> Posing::grab(const Expected<Handle>& handle, GrabOptions options) {
  return impl_->grab(handle, options);
}

void Posing::move(GripId grip, const Vec3& p_world) {
  if (Grip* at = impl_->find(grip)) at->p = p_world;
}

void Posing::sight(GripId grip, const Vec3& p_world, const Vec3& v_world) {
  Grip* at = impl_->find(grip);
  if (!at) return;
  at->p = p_world;
  at->v = v_world;
}

void Posing::turn(GripId grip, const Mat3& R_world) {
  if (Grip* at = impl_->find(grip)) at->R = R_world;
}

void Posing::set(GripId grip, double value) {
  if (Grip* at = impl_->find(grip)) at->value = value;
}

Expected<void> Posing::set_goal(ConstraintId constraint, const Goal& goal) { return impl_->set_goal(constraint, goal); }

void Posing::ask() { impl_->is_asked_ = true; }

void Posing::release(GripId grip) { impl_->release(grip); }
const PosingReport& Posing::frame() { return impl_->frame(); }
const Figure& Posing::figure() const { return impl_->figure_; }
const Pose& Posing::pose() const { return impl_->shown_; }
const Pose& Posing::answer() const { return impl_->answer_; }
std::span<const Grip> Posing::grips() const { return impl_->grips_; }

}  // namespace limber
