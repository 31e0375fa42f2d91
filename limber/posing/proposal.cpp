#include "limber/posing/proposal.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

namespace {

// Of figures that do not have the joints of the common body: how far its parts are from where a body of other build
// would have them, added to the error of the proposal; in metres of the common body.
constexpr double build_metres = 0.04, build_radians = radians(15.0);
// How freely their own angles leave the start. Chosen: about the spread of a joint over all recorded poses.
constexpr double own_radians = radians(40.0);
constexpr std::string_view turned_parts[] = {"pelvis", "chest", "head", "left_foot", "right_foot"};
// Two directions that turn by ω differ by |ω|² (1 + 1 - 2/3) on average over all axes.
constexpr double chords_per_turn = 4.0 / 3.0;
// Of the root in a fit, per square metre or radian: only against singular systems.
constexpr double root_damping = 1e-6;

}  // namespace

Expected<Proposer> Proposer::make(const Figure& figure) {
  const Expected<PoseModel>& model = PoseModel::embedded();
  if (!model) return std::unexpected(model.error());
  return make(figure, *model);
}

Expected<Proposer> Proposer::make(const Figure& figure, const PoseModel& model) {
  Expected<HandlePlaces> places = find_handle_places(figure, model.body());
  if (!places) return std::unexpected(places.error());
  const std::optional<RootPlacer> root = RootPlacer::make(figure, places->part[0].segment);
  if (!root)
    return reject("figure '" + figure.name() + "'", "a root that is not free",
                  "a root with three shifts and three turns about axes at right angles, which carries the pelvis");
  return Proposer(figure, model, std::move(*places), *root);
}

Proposer::Proposer(const Figure& figure, const PoseModel& model, HandlePlaces places, RootPlacer root)
    : figure_(figure),
      model_(&model),
      places_(std::move(places)),
      root_(std::move(root)),
      same_joints_(!places_.parameter_of_angle.empty()),
      rest_(figure.rest().theta),
      zero_state_(forward(figure, Pose{places_.zero})),
      state_(figure),
      work_(model.workspace()),
      start_work_(model.workspace()),
      still_work_(model.workspace()),
      mirror_(model.body()),
      mirrored_work_(model.workspace()),
      pose_(figure.rest()),
      target_(pose_.theta) {
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
  for (const PriorTerm& term : figure.description().prior.terms)
    if (const Expected<int> j = figure.find_parameter(term.parameter)) rest_[*j] = term.mean;
  common_start_.angles = model.mean();
  for (std::size_t k = 0; k < handle_parts.size(); ++k) bone_[k] = model.body().find(handle_parts[k].bone);
  for (CommonBody::State* state : {&proposed_, &started_})
    model.body().forward(model.mean(), Frame{}, places_.lengths, *state);
  const auto add = [&](std::size_t k, bool turned) {
    const HandlePlace& place = places_.part[k];
    if (!place.known || (turned && !place.has_rotation)) return;
    PartPull pull;
    pull.part = static_cast<int>(k);
    pull.turned = turned;
    pull.handle.name = std::string(handle_parts[k].name);
    pull.handle.shape = turned ? Shape::directions : Shape::point;
    if (turned) {
      pull.handle.plus[0] = {Element::Kind::direction, place.segment, Vec3::UnitX()};
      pull.handle.plus[1] = {Element::Kind::direction, place.segment, Vec3::UnitY()};
    } else {
      pull.handle.plus[0] = {Element::Kind::point, place.segment, place.local};
    }
    pulls_.push_back(std::move(pull));
  };
  for (std::size_t k = 0; k < handle_parts.size(); ++k)
    if (k == 0 || !same_joints_) add(k, false);
  for (const std::string_view name : turned_parts)
    if (name == "pelvis" || !same_joints_) add(handle_part(name), true);
  if (!same_joints_) prepare_fit();
}

// The fit gives the parts the same weights as the pulls of a drag.
void Proposer::prepare_fit() {
  std::vector<PartFit::Part> parts;
  for (const PartPull& pull : pulls_) {
    const double spread = pull.turned ? build_radians : places_.unit * build_metres;
    parts.push_back({pull.handle, 1.0 / (spread * spread) / (pull.turned ? chords_per_turn : 1.0)});
  }
  VecX damping = VecX::Constant(rest_.size(), root_damping);
  for (const int j : own_parameters()) damping[j] = 1.0 / (own_radians * own_radians);
  fit_.emplace(figure_, std::move(parts), std::move(damping));
  fit_targets_.resize(fit_->targets());
}

// All angles but those of the root.
std::vector<int> Proposer::own_parameters() const {
  std::vector<int> own;
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const Parameter& parameter = figure_.parameters()[j];
    const bool of_root =
        std::ranges::any_of(parameter.drives, [&](int i) { return root_.is_root(figure_.freedoms()[i].joint); });
    if (!of_root && !parameter.translates) own.push_back(static_cast<int>(j));
  }
  return own;
}

// Where the parts of the figure are, and how they are turned since the zero pose.
void Proposer::measure(const Pose& pose, HandlePositions& p, HandleRotations& R) {
  figure_.angles(pose.theta, q_);
  forward(figure_, q_, state_);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const HandlePlace& place = places_.part[k];
    if (!place.known) continue;
    const Frame& X = state_.segments[static_cast<std::size_t>(place.segment)];
    p[k] = X * place.local;
    R[k] = X.R * place.R_zero.transpose();
  }
}

// The mean of what the network proposes, and of the mirror image of what it proposes for the mirror image: so left and
// right are alike.
void Proposer::ask(const PartGoals& goals, const CommonStart* start, PoseModel::Workspace& work) {
  model_->propose(goals, places_.lengths, start, work);
  mirror_.mirror(goals, mirrored_goals_);
  if (start) mirror_.mirror(*start, mirrored_start_);
  model_->propose(mirrored_goals_, places_.lengths, start ? &mirrored_start_ : nullptr, mirrored_work_);
  mirror_.mirror(mirrored_work_.pose, other_);
  CommonPose& pose = work.pose;
  pose.angles = 0.5 * (pose.angles + other_.angles);
  pose.root.p = 0.5 * (pose.root.p + other_.root.p);
  pose.root.R =
      Eigen::Quaterniond(pose.root.R).slerp(0.5, Eigen::Quaterniond(other_.root.R)).normalized().toRotationMatrix();
}

// The start as a pose of the common body: its own angles, or what the network proposes for the places of all parts.
void Proposer::set_common_start(const Pose& start) {
  measure(start, p_start_, R_start_);
  if (same_joints_) {
    for (std::size_t k = 0; k < places_.parameter_of_angle.size(); ++k)
      common_start_.angles[static_cast<Eigen::Index>(k)] = start.theta[places_.parameter_of_angle[k]];
    common_start_.root = {R_start_[0], p_start_[0] / places_.unit};
    for (std::size_t k = 0; k < p_start_.size(); ++k) common_start_.p[k] = p_start_[k] / places_.unit;
    common_start_.R = R_start_;
    return;
  }
  for (std::size_t k = 0; k < p_start_.size(); ++k) {
    start_goals_.has_position[k] = places_.part[k].known;
    start_goals_.has_rotation[k] = places_.part[k].has_rotation;
    start_goals_.p[k] = p_start_[k] / places_.unit;
    start_goals_.R[k] = R_start_[k];
  }
  ask(start_goals_, nullptr, start_work_);
  common_start_.angles = start_work_.pose.angles;
  common_start_.root = start_work_.pose.root;
  model_->body().forward(common_start_.angles, common_start_.root, places_.lengths, started_);
  for (std::size_t k = 0; k < p_start_.size(); ++k) {
    common_start_.p[k] = started_.p[static_cast<std::size_t>(bone_[k])];
    common_start_.R[k] = started_.R[static_cast<std::size_t>(bone_[k])];
  }
}

// The part nearest to the point at rest, of those on its segment or joined to it; of all if there is none.
int Proposer::nearest_part(const AskedPoint& point) const {
  int best = -1;
  double best_distance = infinity;
  for (const bool joined : {true, false}) {
    for (std::size_t k = 0; k < places_.part.size(); ++k) {
      const HandlePlace& place = places_.part[k];
      if (!place.known) continue;
      const std::vector<Segment>& segments = figure_.segments();
      const bool near = place.segment == point.segment ||
                        segments[static_cast<std::size_t>(place.segment)].parent == point.segment ||
                        segments[static_cast<std::size_t>(point.segment)].parent == place.segment;
      if (joined && !near) continue;
      const Vec3 p_part = zero_state_.segments[static_cast<std::size_t>(place.segment)] * place.local;
      const Vec3 p_point = zero_state_.segments[static_cast<std::size_t>(point.segment)] * point.local;
      if (const double distance = (p_part - p_point).norm(); distance < best_distance) {
        best_distance = distance;
        best = static_cast<int>(k);
      }
    }
    if (best >= 0) return best;
  }
  return best;
}

// What is asked, as goals for the parts of the common body. A point beside the joint of its part is shifted there with
// its segment as turned as is asked, else as at the start.
void Proposer::collect(std::span<const AskedPoint> asked, const Pose* start) {
  goals_.has_position.fill(false);
  goals_.has_rotation.fill(false);
  for (const AskedPoint& point : asked) {
    const auto k = static_cast<std::size_t>(nearest_part(point));
    const HandlePlace& place = places_.part[k];
    const auto segment = static_cast<std::size_t>(point.segment);
    if (point.p_world && !goals_.has_position[k]) {
      const Kinematics& state = start ? state_ : zero_state_;
      const Frame& X = state.segments[segment];
      const Vec3 p_part = state.segments[static_cast<std::size_t>(place.segment)] * place.local;
      const Vec3 beside = X.inverse() * p_part - point.local;
      const Mat3& R = point.R_world_segment ? *point.R_world_segment : X.R;
      goals_.p[k] = (*point.p_world + R * beside) / places_.unit;
      if (start) goals_.p[k] += common_start_.p[k] - p_start_[k] / places_.unit;
      goals_.has_position[k] = true;
    }
    if (point.R_world_segment && place.has_rotation && point.segment == place.segment && !goals_.has_rotation[k]) {
      goals_.R[k] = *point.R_world_segment * place.R_zero.transpose();
      if (start) goals_.R[k] = goals_.R[k] * R_start_[k].transpose() * common_start_.R[k];
      goals_.has_rotation[k] = true;
    }
  }
}

void Proposer::propose(std::span<const AskedPoint> asked, const Pose* start) {
  propose_targets(asked, start);
  set_pose();
}

// In a drag the start stays the same; what the network says of it is computed once.
bool Proposer::knows(const Pose* start) {
  const bool is_known = start && known_start_.size() == start->theta.size() && known_start_ == start->theta;
  if (!start)
    known_start_.resize(0);
  else if (!is_known)
    known_start_ = start->theta;
  return is_known;
}

void Proposer::propose_targets(std::span<const AskedPoint> asked, const Pose* start) {
  bool is_known = knows(start);
  if (start && !is_known) set_common_start(*start);
  collect(asked, start);
  is_known = is_known && known_positions_ == goals_.has_position && known_rotations_ == goals_.has_rotation;
  known_positions_ = goals_.has_position;
  known_rotations_ = goals_.has_rotation;
  kind_ = kind_of(goals_, start != nullptr);
  ask(goals_, start ? &common_start_ : nullptr, work_);
  if (start) propose_change(is_known);
  if (!same_joints_) model_->body().forward(work_.pose.angles, work_.pose.root, places_.lengths, proposed_);
  set_targets(start);
}

// Takes from the proposal what the network proposes where every part stays.
void Proposer::propose_change(bool is_known) {
  if (!is_known) {
    still_goals_ = goals_;
    still_goals_.p = common_start_.p;
    still_goals_.R = common_start_.R;
    ask(still_goals_, &common_start_, still_work_);
  }
  CommonPose& pose = work_.pose;
  const CommonPose& still = still_work_.pose;
  pose.angles += common_start_.angles - still.angles;
  pose.root.p += common_start_.root.p - still.root.p;
  pose.root.R = pose.root.R * still.root.R.transpose() * common_start_.root.R;
}

// Where the parts of the figure should be: as proposed, or changed from the start as proposed.
void Proposer::set_targets(const Pose* start) {
  target_ = start ? start->theta : rest_;
  for (std::size_t k = 0; k < places_.parameter_of_angle.size(); ++k)
    target_[places_.parameter_of_angle[k]] = work_.pose.angles[static_cast<Eigen::Index>(k)];
  p_target_[0] = places_.unit * work_.pose.root.p;
  R_target_[0] = work_.pose.root.R * places_.part[0].R_zero;
  if (same_joints_) return;
  for (std::size_t k = 0; k < p_target_.size(); ++k) {
    const auto bone = static_cast<std::size_t>(bone_[k]);
    const HandlePlace& place = places_.part[k];
    p_target_[k] = places_.unit * proposed_.p[bone];
    R_target_[k] = proposed_.R[bone] * place.R_zero;
    if (!start || !place.known) continue;
    p_target_[k] += p_start_[k] - places_.unit * common_start_.p[k];
    R_target_[k] = proposed_.R[bone] * started_.R[bone].transpose() * R_start_[k] * place.R_zero;
  }
}

void Proposer::set_pose() {
  pose_.theta = target_;
  // The pelvis's joint may be away from the origin of its segment.
  const HandlePlace& pelvis = places_.part[0];
  root_.place({R_target_[0], p_target_[0] - R_target_[0] * pelvis.local}, pose_.theta);
  for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
    const Range& range = figure_.parameters()[j].range;
    double& theta = pose_.theta[static_cast<Eigen::Index>(j)];
    theta = std::clamp(theta, range.lower, range.upper);
  }
  if (!fit_) return;
  std::size_t next = 0;
  for (const PartPull& pull : pulls_) {
    const auto k = static_cast<std::size_t>(pull.part);
    if (pull.turned) {
      fit_targets_[next++] = R_target_[k].col(0);
      fit_targets_[next++] = R_target_[k].col(1);
    } else {
      fit_targets_[next++] = p_target_[k];
    }
  }
  fit_->fit(fit_targets_, target_, pose_.theta);
}

// A with A (θ - t) in metres: a standard deviation counts as much as in the figure's prior.
MatX Proposer::pull_matrix(AskedKind kind) const {
  const auto columns = static_cast<Eigen::Index>(figure_.parameters().size());
  const double a = metres_per_spread * figure_.length();
  if (same_joints_) {
    const ProposalError& error = model_->error(kind);
    MatX A = MatX::Zero(error.A.rows(), columns);
    for (std::size_t k = 0; k < places_.parameter_of_angle.size(); ++k)
      A.col(places_.parameter_of_angle[k]) += a * error.A.col(static_cast<Eigen::Index>(k));
    return A;
  }
  const std::vector<int> own = own_parameters();
  MatX A = MatX::Zero(static_cast<Eigen::Index>(own.size()), columns);
  for (std::size_t k = 0; k < own.size(); ++k) A(static_cast<Eigen::Index>(k), own[k]) = a / own_radians;
  return A;
}

Expected<void> Proposer::add_to(Problem& problem, double weight) {
  if (const Expected<void> done = add_angles(problem, weight, nullptr); !done) return done;
  for (PartPull& pull : pulls_)
    if (const Expected<void> done = add_part(problem, weight, true, pull); !done) return done;
  return aim(problem);
}

Expected<void> Proposer::add_firmly(Problem& problem, double weight, const std::vector<bool>& follows) {
  angles_id_.reset();
  if (same_joints_)
    if (const Expected<void> done = add_angles(problem, weight, &follows); !done) return done;
  for (PartPull& pull : pulls_) {
    pull.id.reset();
    const auto k = static_cast<std::size_t>(pull.part);
    const bool is_asked = pull.turned ? goals_.has_rotation[k] : goals_.has_position[k];
    if (is_asked || !follows[static_cast<std::size_t>(places_.part[k].segment)]) continue;
    if (const Expected<void> done = add_part(problem, weight, false, pull); !done) return done;
  }
  return aim(problem);
}

// Soft, unless only some segments follow: then those of the others are as proposed, wherever they are.
Expected<void> Proposer::add_angles(Problem& problem, double weight, const std::vector<bool>* follows) {
  MatX A = pull_matrix(kind_);
  for (std::size_t j = 0; follows && j < figure_.parameters().size(); ++j)
    for (const int i : figure_.parameters()[j].drives)
      if (!(*follows)[static_cast<std::size_t>(figure_.freedoms()[static_cast<std::size_t>(i)].joint)])
        A.col(static_cast<Eigen::Index>(j)).setZero();
  const Expected<ConstraintId> angles = problem.add_pull(
      PullByMatrix{target_, std::move(A)}, {.weight = weight, .name = "proposed", .soft = follows == nullptr});
  if (!angles) return std::unexpected(angles.error());
  angles_id_ = *angles;
  return {};
}

Expected<void> Proposer::add_part(Problem& problem, double weight, bool soft, PartPull& pull) {
  const double a = metres_per_spread * figure_.length();
  const ProposalError& error = model_->error(kind_);
  const double spread = pull.turned ? error.rotation + (same_joints_ ? 0.0 : build_radians)
                                    : places_.unit * (error.position + (same_joints_ ? 0.0 : build_metres));
  const double share = a * a / (spread * spread) / (pull.turned ? chords_per_turn : 1.0);
  const Goal goal = pull.turned ? Goal(Orientation{Vec3::UnitX(), Vec3::UnitY(), 1.0, 1.0}) : Goal(Position{});
  const Expected<ConstraintId> id =
      problem.add(pull.handle, goal,
                  {.weight = weight * share,
                   .name = pull.handle.name + (pull.turned ? " turned as proposed" : " as proposed"),
                   .soft = soft});
  if (!id) return std::unexpected(id.error());
  pull.id = *id;
  return {};
}

Expected<void> Proposer::aim(Problem& problem) const {
  if (angles_id_)
    if (Expected<void> set = problem.set_pull(*angles_id_, target_); !set) return set;
  for (const PartPull& pull : pulls_) {
    if (!pull.id) continue;
    const auto k = static_cast<std::size_t>(pull.part);
    const Mat3& R = R_target_[k];
    const Goal goal = pull.turned ? Goal(Orientation{R.col(0), R.col(1), 1.0, 1.0}) : Goal(Position{p_target_[k]});
    if (Expected<void> set = problem.set_goal(*pull.id, goal); !set) return set;
  }
  return {};
}

}  // namespace limber
