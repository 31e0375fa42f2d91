#include "limber/posing/posing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/posing/posing_impl.h"

namespace limber {

namespace {

// What weighs less, such as a foot that stays level, is no goal that is met or not.
constexpr double min_goal_weight = 1e-3;
// A joint this near to a limit, in radians, is held back by it if the goal is out of reach: the effort of the last
// degrees keeps a body from stretching fully.
constexpr double near_limit = 10.0 * pi / 180.0;
// Limits with a smaller share are not named.
constexpr double min_share = 0.05;

}  // namespace

GripPlace grip_place_of(const Figure& figure, const Kinematics& state, const Handle& handle) {
  Vec3 x[max_elements];
  evaluate(figure, state, handle, x);
  if (handle.shape != Shape::frame) return {x[0], state.segments[static_cast<std::size_t>(handle.plus[0].segment)].R};
  Mat3 R;
  R << x[1], x[2], x[1].cross(x[2]);
  return {x[0], R};
}

Posing::Impl::Impl(const Figure& figure, Pose pose, PosingOptions options)
    : figure_(figure),
      options_(std::move(options)),
      shown_(std::move(pose)),
      answer_(shown_),
      state_(figure),
      at_grab_(figure),
      start_(shown_),
      limbs_(figure_) {
  for (const Parameter& parameter : figure_.parameters())
    for (const char* end : {" lower limit", " upper limit"}) limit_names_.push_back(parameter.name + end);
  if (!options_.natural) return;
  Expected<Proposer> proposer = Proposer::make(figure_);
  if (proposer) proposer_.emplace(std::move(*proposer));
}

void Posing::Impl::place(const Pose& pose) {
  figure_.angles(pose.theta, q_);
  forward(figure_, q_, state_);
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
  if (!held_.make_yield(constraint))
    if (const Constraint* stated = problem_->find(constraint)) (void)held_.add(*stated, true);
  for (Problem* problem : {&*problem_, &*eased_})
    if (const Expected<void> done = problem->set_goal(constraint, goal); !done) return done;
  held_.set(*problem_, constraint, goal);
  is_asked_ = true;
  moving_ = constraint;
  return {};
}

void Posing::Impl::release(GripId id) {
  const auto at = std::ranges::find(grips_, id, &Grip::id);
  if (at == grips_.end()) return;
  grips_.erase(at);
  expect(begin());
}

void Posing::Impl::write_report() {
  place(answer_);
  report_.solve = solved_;
  report_.iterations = iterations_;
  report_.met = true;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    write_grip_report(k);
    report_.met = report_.met && report_.grips[k].met;
  }
  if (!solved_) return;
  for (const ConstraintReport& one : solved_->constraints) {
    const bool is_grip = std::ranges::any_of(
        asked_, [&](const Asked& asked) { return asked.yielding() == one.id || asked.orientation == one.id; });
    const bool tends = problem_->find(one.id)->weight < min_goal_weight;
    if (!is_grip && one.counted && !tends) report_.met = report_.met && one.met;
  }
}

void Posing::Impl::write_grip_report(std::size_t k) {
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
  if (!solved_) return;
  for (const ConstraintReport& one : solved_->constraints)
    if (asked_[k].yielding() == one.id || (asked_[k].orientation == one.id && out.held_back_by.empty()))
      out.held_back_by = one.held_back_by;
  if (out.met || !out.held_back_by.empty() || !is_of_part(grip)) return;
  find_holding_limits(k);
  out.held_back_by = holding_[k];
}

// The limits that joints are near to which could else bring the grip nearer to its goal; by how much, relative to the
// usual change of a joint, is their share.
void Posing::Impl::find_holding_limits(std::size_t k) {
  const Grip& grip = grips_[k];
  Handle point{"", Shape::point};
  point.plus[0] = grip.handle.plus[0];
  jacobian(figure_, state_, point, J_);
  row_.noalias() = J_.transpose() * (report_.grips[k].goal - report_.grips[k].at);
  slope_.setZero(answer_.theta.size());
  figure_.pull_back(answer_.theta, row_, slope_);
  std::vector<HoldingLimit>& holding = holding_[k];
  holding.clear();
  double sum = 0.0;
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const Parameter& parameter = figure_.parameters()[j];
    const auto i = static_cast<Eigen::Index>(j);
    if (!is_variable_[j] || parameter.translates || slope_[i] == 0.0) continue;
    const double theta = answer_.theta[i];
    const double slack = slope_[i] > 0.0 ? parameter.range.upper - theta : theta - parameter.range.lower;
    const double share = std::fabs(slope_[i]) * (parameter.range.upper - parameter.range.lower);
    sum += std::isfinite(share) ? share : 0.0;
    if (slack > near_limit) continue;
    holding.push_back({limit_names_[2 * j + (slope_[i] > 0.0 ? 1 : 0)], static_cast<int>(j), share});
  }
  for (HoldingLimit& one : holding) one.share /= sum;
  std::erase_if(holding, [](const HoldingLimit& one) { return one.share < min_share; });
  std::ranges::sort(holding, std::greater(), &HoldingLimit::share);
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
std::optional<Step> Posing::suggest_step() const { return impl_->suggest_step(); }
const PosingReport& Posing::frame() { return impl_->frame(); }
const Figure& Posing::figure() const { return impl_->figure_; }
const Pose& Posing::pose() const { return impl_->shown_; }
const Pose& Posing::answer() const { return impl_->answer_; }
std::span<const Grip> Posing::grips() const { return impl_->grips_; }

}  // namespace limber
