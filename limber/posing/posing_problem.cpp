// What is asked of a figure, stated as a problem: pins, grips, balance, and what the body prefers.
#include <algorithm>
#include <array>
#include <cmath>

#include "limber/kinematics/ground.h"
#include "limber/posing/effort.h"
#include "limber/posing/hang.h"
#include "limber/posing/posing_impl.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

// y, relative to the figure's length: an error of this size weighs as much as the usual change of a joint, if its
// constraint has the weight 1.
constexpr double effort_length = 3e-4;
// A turn, in radians, of a pinned foot whose heel lifts, or of a hanging bone: each weighs as much as the usual change
// of a joint.
constexpr double level_turn = 20.0 * pi / 180.0, hang_turn = 10.0 * pi / 180.0;
// A gaze that misses what it follows by this, in radians, weighs as much as the usual change of a joint.
constexpr double look_turn = 10.0 * pi / 180.0;
// The centre of mass that moves so far, relative to the figure's length, weighs as much as the usual change of a joint.
constexpr double sway_length = 0.04;
// So much along a line of sight, relative to the figure's length, weighs as much as the usual change of a joint.
constexpr double depth_length = 0.025;
// What holds has this weight if it cannot be held by shifts (held_goals.h); while what is shown follows the answer,
// nothing else is asked.
constexpr double firm_weight = 1.0, eased_weight = 100.0;
// The change of pose of which so much is proposed: how much the own stiffness and inertia of the body count beside it.
// Chosen on the drags of the benchmark: with 0.1 the error is 7.8 cm, with 0.3 it is 7.9 and goals are followed more
// smoothly. Other values were not measured.
constexpr double effort_beside_proposal = 0.3;

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

Expected<void> done_if(const Expected<ConstraintId>& added) {
  return added ? Expected<void>() : std::unexpected(added.error());
}

}  // namespace

// y², in square metres.
double Posing::Impl::preference() const {
  const double y = effort_length * figure_.length();
  return y * y;
}

// Whether pins and balance hold: they do not while a limb or a part is moved alone.
bool Posing::Impl::is_whole() const {
  return grips_.empty() ||
         std::ranges::any_of(grips_, [](const Grip& grip) { return grip.options.chain == GripChain::body; });
}

// The problem of the grips, from the pose that is shown.
Expected<void> Posing::Impl::begin() {
  start_ = answer_ = shown_;
  place(start_);
  at_grab_ = state_;
  solver_.reset();
  easing_.reset();
  solved_ = nullptr;
  problem_.emplace(figure_);
  eased_.emplace(figure_);
  firm_.clear();
  begin_grips();
  for (const std::string& lock : options_.locks)
    for (Problem* problem : {&*problem_, &*eased_})
      if (const Expected<void> done = problem->set_rigidity(lock, 1.0); !done) return done;
  for (Problem* problem : {&*problem_, &*eased_})
    if (const Expected<void> done = add_stated(*problem); !done) return done;
  const std::size_t stated = problem_->constraints().size();
  if (is_whole())
    if (const Expected<void> done = add_pins(*problem_); !done) return done;
  for (std::size_t k = 0; k < grips_.size(); ++k)
    if (const Expected<void> done = add_grip(k); !done) return done;
  if (is_whole())
    if (const Expected<void> done = add_balance(); !done) return done;
  if (options_.clearance)
    if (const auto added = problem_->add_clearance(*options_.clearance); !added) return std::unexpected(added.error());
  hold_firmly();
  if (const Expected<void> done = add_preference(stated); !done) return done;
  if (const Expected<void> done = make_eased(); !done) return done;
  goes_round_ = std::ranges::any_of(problem_->constraints(), [](const Constraint& one) { return one.clearance(); });
  before_answer_ = target_ = start_.theta;
  from_ = grips_;
  set_out();
  solver_.emplace(*problem_);
  is_variable_.assign(figure_.parameters().size(), false);
  for (const int j : problem_->variables())
    is_variable_[static_cast<std::size_t>(j)] = problem_->rigidities()[static_cast<std::size_t>(j)] < 1.0;
  report_.grips.resize(grips_.size());
  holding_.resize(grips_.size());
  for (std::vector<HoldingLimit>& holding : holding_) holding.reserve(figure_.parameters().size());
  J_.resize(3, static_cast<Eigen::Index>(figure_.freedoms().size()));
  row_.resize(J_.cols());
  slope_.resize(start_.theta.size());
  return {};
}

void Posing::Impl::begin_grips() {
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
}

Expected<void> Posing::Impl::add_stated(Problem& problem) {
  if (!options_.constraints) return {};
  if (const Expected<void> done = options_.constraints(problem, grips_); !done) return done;
  for (const Constraint& one : problem.constraints())
    if (one.must_hold())
      if (const Expected<void> done = make_firm(problem, one.id); !done) return done;
  return {};
}

Expected<void> Posing::Impl::make_firm(Problem& problem, const Expected<ConstraintId>& added) {
  if (!added) return std::unexpected(added.error());
  const bool is_eased = &problem == &*eased_;
  if (!is_eased) firm_.push_back(*added);
  return problem.set_weight(*added, is_eased ? eased_weight : firm_weight);
}

// Goals with targets are held (held_goals.h): pins, grips, and what is stated to hold exactly.
void Posing::Impl::hold_firmly() {
  held_.clear();
  for (const Constraint& one : problem_->constraints()) {
    const bool is_grip = std::ranges::any_of(asked_, [&](const Asked& asked) {
      return one.id == asked.sight || one.id == asked.orientation || (one.id == asked.position && !asked.sight);
    });
    if (is_grip || std::ranges::find(firm_, one.id) != firm_.end()) (void)held_.add(one, is_grip);
  }
}

// The effort of a change of pose, in part of what is proposed, and what hangs.
Expected<void> Posing::Impl::add_preference(std::size_t stated) {
  std::vector<bool> idle = idle_parameters(stated);
  const std::vector<HangingBone> hanging =
      is_whole() && !only_parameters_ ? hanging_bones(figure_, state_, idle) : std::vector<HangingBone>();
  std::vector<ConstraintId> hang;
  for (const HangingBone& bone : hanging) {
    const double weight = preference() / (hang_turn * hang_turn);
    const Expected<ConstraintId> added =
        problem_->add(bone.direction, Direction{bone.v, 1.0}, {.weight = weight, .name = "hangs"});
    if (!added) return std::unexpected(added.error());
    hang.push_back(*added);
    for (const int j : own_parameters(figure_, bone.segment)) idle[static_cast<std::size_t>(j)] = false;
  }
  limbs_.begin(figure_, hanging, hang);
  if (const Expected<void> done = add_look(); !done) return done;
  proposes_ = proposer_ && is_whole() && !only_parameters_ && !grips_.empty();
  if (proposes_)
    if (const Expected<void> done = add_proposal(hanging); !done) return done;
  const double weight = preference() * (proposes_ ? effort_beside_proposal : 1.0);
  const Expected<ConstraintId> effort =
      problem_->add_pull(effort_from(figure_, start_, idle, options_.stiffness), {.weight = weight, .name = "effort"});
  if (!effort) return std::unexpected(effort.error());
  effort_ = *effort;
  return {};
}

// The eyes follow the arm that was grabbed first.
Expected<void> Posing::Impl::add_look() {
  look_.reset();
  const Expected<Handle> eyes = figure_.ray("eyes");
  const auto grip = std::ranges::find_if(grips_, [this](const Grip& one) { return holds_arm(one); });
  if (!options_.looks || !is_whole() || !eyes || grip == grips_.end()) return {};
  looked_at_ = static_cast<std::size_t>(grip - grips_.begin());
  eyes_ = evaluate(figure_, state_, eyes->plus[0]);
  const Expected<ConstraintId> added =
      problem_->add(eyes, AimAt{grip->p, 1.0}, {.weight = preference() / (look_turn * look_turn), .name = "look"});
  if (added) look_ = *added;
  return done_if(added);
}

// By segment: whether it follows the proposal. What hangs goes on hanging, an arm that nothing is asked of stays as it
// is to the trunk, and a head may look at a hand.
std::vector<bool> Posing::Impl::following(std::span<const HangingBone> hanging) const {
  std::vector<bool> follows(figure_.segments().size(), true);
  const auto end_of = [this](int s) { return figure_.segments()[static_cast<std::size_t>(s)].subtree_end; };
  const auto stay = [&](int first) {
    for (int s = first; s < end_of(first); ++s) follows[static_cast<std::size_t>(s)] = false;
  };
  for (const HangingBone& bone : hanging) stay(bone.segment);
  for (const int shoulder : proposer_->shoulders())
    if (std::ranges::none_of(points_, [&](const AskedPoint& point) {
          return point.segment >= shoulder && point.segment < end_of(shoulder);
        }))
      stay(shoulder);
  if (look_) follows[static_cast<std::size_t>(figure_.ray("eyes")->plus[0].segment)] = false;
  return follows;
}

Expected<void> Posing::Impl::add_proposal(std::span<const HangingBone> hanging) {
  points_.clear();
  for (const Grip& grip : grips_) {
    if (!is_of_part(grip)) continue;
    const Element& at = grip.handle.plus[0];
    points_.push_back({at.segment, at.local, {}, {}});
  }
  for (const PinnedPlace& pin : options_.pins) {
    const Element at = figure_.frame(pin.place)->plus[0];
    if (moves_part(at.segment)) continue;
    points_.push_back({at.segment, at.local, evaluate(figure_, state_, at), {}});
    if (!pin.turns) points_.back().R_world_segment = state_.segments[static_cast<std::size_t>(at.segment)].R;
  }
  const double a = metres_per_spread * figure_.length();
  propose();
  return proposer_->add_firmly(*problem_, preference() / (a * a), following(hanging));
}

// What is shown goes towards the answer, and the pins hold on the way.
Expected<void> Posing::Impl::make_eased() {
  if (const Expected<void> done = add_pins(*eased_); !done) return done;
  const Expected<ConstraintId> to = eased_->add_pull(PullByStiffness{start_.theta, VecX::Ones(start_.theta.size())});
  if (!to) return std::unexpected(to.error());
  towards_ = *to;
  easing_.emplace(*eased_);
  Pose pose = start_;
  (void)easing_->solve(pose, {.iterations = 0, .restarts = 0});  // it allocates here, not in a frame
  return {};
}

Expected<void> Posing::Impl::add_pins(Problem& problem) {
  for (const PinnedPlace& pin : options_.pins)
    if (const Expected<void> done = add_pin(problem, pin); !done) return done;
  return {};
}

Expected<void> Posing::Impl::add_pin(Problem& problem, const PinnedPlace& pin) {
  const Expected<Handle> handle = figure_.frame(pin.place);
  if (!handle) return std::unexpected(handle.error());
  const int segment = handle->plus[0].segment, toes = toes_of(segment);
  const GripPlace at = grip_place_of(figure_, state_, *handle);
  const ConstraintOptions pinned{.name = pin.place + " pinned"};
  if (moves_part(segment)) {
    if (pin.turns) return {};
    const Expected<ConstraintId> level =
        problem.add(part(*handle, Shape::directions), Orientation{at.R.col(0), at.R.col(1), 1.0, 1.0},
                    {.weight = preference() / (level_turn * level_turn), .name = pin.place + " level"});
    for (std::size_t k = 0; k < grips_.size(); ++k)
      if (level && &problem == &*problem_ && holds_part(grips_[k], segment)) asked_[k].level = *level;
    return done_if(level);
  }
  if (pin.turns) return make_firm(problem, problem.add(part(*handle, Shape::point), Position{at.p}, pinned));
  if (pin.lifts && toes >= 0) return add_lifting_pin(problem, pin, *handle, toes);
  return make_firm(problem, problem.add(*handle, Placement{at.p, firm_orientation(figure_, at.R)}, pinned));
}

// The toes stay, the foot turns about them, and its heel does not go into the ground.
Expected<void> Posing::Impl::add_lifting_pin(Problem& problem, const PinnedPlace& pin, const Handle& frame, int toes) {
  const int segment = frame.plus[0].segment;
  const GripPlace at = grip_place_of(figure_, state_, frame);
  if (const Expected<void> done =
          done_if(problem.add(part(frame, Shape::directions), Orientation{at.R.col(0), at.R.col(1), 1.0, 1.0},
                              {.weight = preference() / (level_turn * level_turn), .name = pin.place + " level"}));
      !done)
    return done;
  const Handle ball = frame_handle(toes);
  const GripPlace toe = grip_place_of(figure_, state_, ball);
  if (const Expected<void> done = make_firm(
          problem,
          problem.add(ball, Placement{toe.p, firm_orientation(figure_, toe.R)}, {.name = pin.place + " pinned"}));
      !done)
    return done;
  for (const FootPlace& place : places_on_foot(figure_, segment)) {
    if (place.segment != segment) continue;
    Handle point{"", Shape::point};
    point.plus[0] = {Element::Kind::point, segment, place.local};
    const Vec3 p = state_.segments[static_cast<std::size_t>(segment)] * place.local;
    if (const Expected<void> done =
            make_firm(problem, problem.add(point, HalfSpace{p, Vec3::UnitY()}, {.name = pin.place + " on the ground"}));
        !done)
      return done;
  }
  return {};
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
  const Expected<ConstraintId> added = problem_->add(support_.centre(), support_.polygon(), {.name = "balance"});
  if (const Expected<void> done = make_firm(*problem_, added); !done) return done;
  balance_ = *added;
  if (only_parameters_) return {};
  const double sway = sway_length * figure_.length();
  Vec3 c;
  evaluate(figure_, state_, support_.centre(), &c);
  return done_if(problem_->add(support_.centre(), Line{c, Vec3::UnitY()},
                               {.weight = preference() / (sway * sway), .name = "steady"}));
}

Expected<void> Posing::Impl::add_grip(std::size_t k) {
  const Grip& grip = grips_[k];
  Asked& asked = asked_[k];
  if (!is_of_part(grip)) {
    VecX only = VecX::Zero(start_.theta.size());
    only[grip.parameter] = 1.0;
    const Expected<ConstraintId> added = problem_->add_pull(PullByStiffness{start_.theta, only}, {.name = "set"});
    if (added) asked.value = *added;
    return done_if(added);
  }
  const int from = chain_start(figure_, grip.handle.plus[0].segment, grip.options.chain);
  std::string joint = from == no_parent ? std::string() : figure_.joints()[static_cast<std::size_t>(from)].name;
  if (from != no_parent && !grip.options.from.empty()) joint = grip.options.from;
  const auto add = [&](Shape shape, const Goal& goal, double weight, std::optional<ConstraintId>& id) {
    const Expected<ConstraintId> added =
        problem_->add(part(grip.handle, shape), goal, {.weight = weight, .from = joint});
    if (added) id = *added;
    return done_if(added);
  };
  const double depth = depth_length * figure_.length();
  constexpr double held = 1.0;  // until it is held
  if (grip.options.moves)
    if (const Expected<void> done = add(Shape::point, Position{grip.p_grab},
                                        grip.options.by_sight ? preference() / (depth * depth) : held, asked.position);
        !done)
      return done;
  if (grip.options.moves && grip.options.by_sight)
    if (const Expected<void> done = add(Shape::point, Line{grip.p_grab, grip.v}, held, asked.sight); !done) return done;
  if (!grip.options.turns) return {};
  return add(Shape::directions, firm_orientation(figure_, grip.R_grab), held, asked.orientation);
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

bool Posing::Impl::holds_arm(const Grip& grip) const {
  if (!is_of_part(grip) || !grip.options.moves) return false;
  const int held = grip.handle.plus[0].segment;
  return std::ranges::any_of(std::array{"left_shoulder", "right_shoulder"}, [&](const char* name) {
    const Expected<Handle> shoulder = figure_.point(name);
    if (!shoulder) return false;
    const int first = shoulder->plus[0].segment;
    return held >= first && held < figure_.segments()[static_cast<std::size_t>(first)].subtree_end;
  });
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

}  // namespace limber
