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
// How much softer everything is on the way.
constexpr double stride_softness = 100.0;
// The weights of the grips are adapted to their errors so many times at most, and until they change by less than this.
constexpr int max_rounds = 4;
constexpr double weight_tolerance = 0.01;
// A joint this near to the end of its range, in radians, begins bent by as much: a straight knee or elbow can only bend
// one way, but does not begin to when it is pulled along itself.
constexpr double bend = 30.0 * pi / 180.0;
// A turn, in radians, of a pinned foot whose heel lifts, or that is pulled; and of a hanging bone: each weighs as much
// as the usual change of a joint.
constexpr double level_turn = 20.0 * pi / 180.0, hang_turn = 10.0 * pi / 180.0;
// Weights relative to a grip: what holds against it gives way by ten or a hundred times less than it.
constexpr double pin_weight = 100.0, support_weight = 10.0;
// The centre of mass that moves so far, relative to the figure's length, weighs as much as the usual change of a joint.
constexpr double sway_length = 0.04;
// The max effort that a metre nearer to a goal is worth, in usual changes of a joint, squared. Chosen by eye, as the
// lengths and turns above.
constexpr double max_effort_per_metre = 4000.0;
// What a joint may turn in a frame that is shown, in radians: about the speed of a quick movement, 360 degrees per
// second at 60 frames; and more where goals move, as if about a lever of this part of the figure's length.
constexpr double max_turn = 6.0 * pi / 180.0;
constexpr double min_lever = 0.05;

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

 private:
  // A grip in the problem.
  struct Asked {
    Vec3 missing = Vec3::Zero();  // from the point to its goal when the pull began: it was out of reach then
    std::optional<ConstraintId> position, orientation;
    double share = 1.0;                  // weight of the position
    std::vector<std::size_t> feet = {};  // of the support, that it moves
  };

  Expected<void> add_pins(Problem& problem);
  int toes_of(int segment) const;
  Expected<void> add_balance();
  Expected<void> add_grips();
  void place(const Pose& pose);
  bool moves_part(int segment) const;
  bool lifts(const Grip& grip, int foot) const;
  std::vector<int> limb_of(int segment) const;
  std::vector<bool> idle_parameters() const;
  int strides() const;
  void state_goals(double share);
  void bend_straight(Pose& pose) const;
  void solve();
  void soften(double softness);
  void run(int iterations);
  bool weigh(double softness);
  void show();
  void write_report();

  Pose start_;  // θ₀
  std::vector<Asked> asked_;
  std::vector<Vec3> goals_before_;  // of the last frame
  Support support_;
  std::vector<bool> is_variable_;                      // by parameter
  std::vector<std::pair<ConstraintId, double>> firm_;  // what holds, with its weight
  std::optional<Problem> problem_, eased_;
  std::optional<Solver> solver_, easing_;
  std::optional<ConstraintId> effort_, balance_, steady_, towards_;
  const Report* solved_ = nullptr;
  double goal_way_ = 0.0;  // of this frame
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
  const int part = chain_start(figure_, segment, GripChain::part);
  return std::ranges::any_of(grips_, [&](const Grip& grip) {
    return chain_start(figure_, grip.handle.plus[0].segment, GripChain::part) == part;
  });
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
    const int from = chain_start(figure_, grip.handle.plus[0].segment, grip.options.chain);
    const std::string joint = from == no_parent ? std::string() : figure_.joints()[static_cast<std::size_t>(from)].name;
    if (grip.options.moves) {
      const Expected<ConstraintId> added =
          problem_->add(part(grip.handle, Shape::point), Position{grip.p_grab}, {.from = joint});
      if (!added) return std::unexpected(added.error());
      asked_[k].position = *added;
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
  goals_before_.resize(grips_.size());
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const GripPlace at = grip_place_of(figure_, state_, grips_[k].handle);
    asked_[k].missing = grips_[k].p - at.p;
    grips_[k].p_grab = at.p;
    grips_[k].R_grab = at.R;
    goals_before_[k] = grips_[k].p;
  }
  for (const std::string& lock : options_.locks)
    for (Problem* problem : {&*problem_, &*eased_})
      if (const Expected<void> done = problem->set_rigidity(lock, 1.0); !done) return done;
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
  std::vector<bool> idle = idle_parameters();
  const std::vector<HangingBone> hanging = is_whole ? hanging_bones(figure_, state_, idle) : std::vector<HangingBone>();
  for (const HangingBone& bone : hanging) {
    const double weight = y / hang_turn;
    const auto added =
        problem_->add(bone.direction, Direction{bone.v, 1.0}, {.weight = weight * weight, .name = "hangs"});
    if (!added) return std::unexpected(added.error());
    for (const int j : own_parameters(figure_, bone.segment)) idle[static_cast<std::size_t>(j)] = false;
  }
  const Expected<ConstraintId> effort =
      problem_->add_pull(effort_from(figure_, start_, idle), {.weight = y * y, .name = "effort"});
  if (!effort) return std::unexpected(effort.error());
  effort_ = *effort;
  for (const Constraint& one : problem_->constraints())
    if (one.weight > 1.0) firm_.emplace_back(one.id, one.weight);
  if (const Expected<void> done = add_pins(*eased_); !done) return done;
  const Expected<ConstraintId> to = eased_->add_pull(PullByStiffness{start_.theta, VecX::Ones(start_.theta.size())});
  if (!to) return std::unexpected(to.error());
  towards_ = *to;
  solver_.emplace(*problem_);
  easing_.emplace(*eased_);
  is_variable_.assign(figure_.parameters().size(), false);
  for (const int j : problem_->variables())
    is_variable_[static_cast<std::size_t>(j)] = problem_->rigidities()[static_cast<std::size_t>(j)] < 1.0;
  report_.grips.resize(grips_.size());
  return {};
}

std::vector<bool> Posing::Impl::idle_parameters() const {
  std::vector<bool> idle(figure_.parameters().size(), true);
  const auto use = [&](const Handle& handle) {
    for (const int j : chain_of(figure_, handle, no_parent)) idle[static_cast<std::size_t>(j)] = false;
  };
  for (const Grip& grip : grips_) use(grip.handle);
  for (const PinnedPlace& pin : options_.pins)
    if (const Expected<Handle> handle = figure_.point(pin.place)) use(*handle);
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
  const GripId id{next_id_++};
  grips_.push_back({id, *handle, options, at.p, at.R, at.p, at.R});
  if (const Expected<void> done = begin(); !done) {
    grips_.pop_back();
    expect(begin());
    return std::unexpected(done.error());
  }
  return id;
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
    const Grip& grip = grips_[k];
    if (grip.options.moves)
      count = std::fmax(count, (grip.p - asked_[k].missing - grip.p_grab).norm() / (stride_length * figure_.length()));
    if (grip.options.turns)
      count = std::fmax(count, Eigen::AngleAxisd(grip.R * grip.R_grab.transpose()).angle() / stride_turn);
  }
  return static_cast<int>(std::ceil(std::fmin(count, max_strides)));
}

// The goals after this share of their way.
void Posing::Impl::state_goals(double share) {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    const Vec3 way = share * (grip.p - asked_[k].missing - grip.p_grab);
    if (asked_[k].position) expect(problem_->set_goal(*asked_[k].position, Position{grip.p_grab + way}));
    if (asked_[k].orientation) {
      const Eigen::AngleAxisd turn(grip.R * grip.R_grab.transpose());
      const Mat3 R = rotation(turn.axis(), share * turn.angle()) * grip.R_grab;
      expect(problem_->set_goal(*asked_[k].orientation, orientation(R)));
    }
    for (const std::size_t foot : asked_[k].feet) support_.move(foot, way);
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

void Posing::Impl::solve() {
  iterations_ = 0;
  goal_way_ = 0.0;
  bool is_asked = false;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    goal_way_ = std::fmax(goal_way_, (grip.p - goals_before_[k]).norm());
    goals_before_[k] = grip.p;
    is_asked = is_asked || (grip.options.moves && grip.p - asked_[k].missing != grip.p_grab) ||
               (grip.options.turns && grip.R != grip.R_grab);
  }
  answer_.theta = start_.theta;
  if (!is_asked) return;
  if (options_.proposal) {
    options_.proposal(figure_, start_, grips_, answer_);
    expect(problem_->set_pull(*effort_, answer_.theta));
    answer_.theta = start_.theta;
  }
  bend_straight(answer_);
  const int count = strides();
  for (Asked& asked : asked_) {
    asked.share = 1.0;
    if (asked.position) expect(problem_->set_weight(*asked.position, 1.0));
  }
  soften(stride_softness);
  solver_->forget();
  for (int k = 1; k <= count; ++k) {
    state_goals(static_cast<double>(k) / count);
    run(stride_iterations);
    (void)weigh(stride_softness);
  }
  soften(std::sqrt(stride_softness));
  run(stride_iterations);
  (void)weigh(1.0);
  soften(1.0);
  for (int round = 0; round < max_rounds; ++round) {
    run(last_iterations);
    if (!weigh(1.0)) break;
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
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (!asked_[k].position) continue;
    const Goal& goal = problem_->find(*asked_[k].position)->alternatives()[0].goal;
    const double e = (grip_place_of(figure_, state_, grips_[k].handle).p - std::get<Position>(goal).p).norm();
    const double weight = 1.0 / std::sqrt(1.0 + (e / d) * (e / d));
    changed = changed || std::fabs(weight - asked_[k].share) > weight_tolerance * asked_[k].share;
    asked_[k].share = weight;
    expect(problem_->set_weight(*asked_[k].position, weight));
  }
  return changed;
}

// What is shown goes towards the answer: at once, unless a joint jumps.
void Posing::Impl::show() {
  const double allowed = max_turn + goal_way_ / (min_lever * figure_.length());
  double jump = 0.0;
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    if (!figure_.parameters()[j].translates) jump = std::fmax(jump, std::fabs(answer_.theta[i] - shown_.theta[i]));
  }
  report_.settled = !options_.eases || jump <= allowed;
  if (report_.settled) {
    shown_.theta = answer_.theta;
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
    const GripPlace at = grip_place_of(figure_, state_, grip.handle);
    GripReport& out = report_.grips[k];
    out = {grip.id, at.p, grip.p - asked_[k].missing};
    if (grip.options.moves) out.metres = (at.p - out.goal).norm();
    if (grip.options.turns) out.radians = Eigen::AngleAxisd(grip.R * at.R.transpose()).angle();
    const Options met;
    out.met = out.metres <= met.met_metres && out.radians <= radians(met.met_degrees);
    report_.met = report_.met && out.met;
    if (!solved_) continue;
    for (const ConstraintReport& one : solved_->constraints)
      if (asked_[k].position == one.id || (asked_[k].orientation == one.id && out.held_back_by.empty()))
        out.held_back_by = one.held_back_by;
  }
  if (solved_)
    for (const ConstraintReport& one : solved_->constraints) {
      const bool is_grip = std::ranges::any_of(
          asked_, [&](const Asked& asked) { return asked.position == one.id || asked.orientation == one.id; });
      if (!is_grip && one.counted) report_.met = report_.met && one.met;
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

void Posing::turn(GripId grip, const Mat3& R_world) {
  if (Grip* at = impl_->find(grip)) at->R = R_world;
}

void Posing::release(GripId grip) { impl_->release(grip); }
const PosingReport& Posing::frame() { return impl_->frame(); }
const Figure& Posing::figure() const { return impl_->figure_; }
const Pose& Posing::pose() const { return impl_->shown_; }
const Pose& Posing::answer() const { return impl_->answer_; }
std::span<const Grip> Posing::grips() const { return impl_->grips_; }

}  // namespace limber
