// Orocos KDL: Levenberg-Marquardt, which does not support limits, and Newton's method with joint limits, on a chain.
#include <algorithm>
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <memory>

#include "bench/peers/freedom.h"
#include "bench/peers/peers.h"
#include "bench/peers/starts.h"
#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/kinematics/forward.h"

namespace limber::peers {

namespace {

KDL::Vector vector_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

KDL::Frame frame_of(const Frame& X) {
  return {KDL::Rotation(vector_of(X.R.col(0)), vector_of(X.R.col(1)), vector_of(X.R.col(2))), vector_of(X.p)};
}

// A rotation about a coordinate axis has a type of its own, which is faster.
KDL::Joint joint_of(const Freedom& freedom) {
  const bool turns = freedom.motion == Motion::rotate;
  if (freedom.axis == Vec3::UnitX()) return KDL::Joint(turns ? KDL::Joint::RotX : KDL::Joint::TransX);
  if (freedom.axis == Vec3::UnitY()) return KDL::Joint(turns ? KDL::Joint::RotY : KDL::Joint::TransY);
  if (freedom.axis == Vec3::UnitZ()) return KDL::Joint(turns ? KDL::Joint::RotZ : KDL::Joint::TransZ);
  return KDL::Joint(KDL::Vector::Zero(), vector_of(freedom.axis), turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
}

// The chain from the world to a handle's frame: in KDL a segment is a joint and the fixed frame after it.
struct KdlChain {
  KDL::Chain chain;
  std::vector<int> parameters;  // by joint of the chain

  KDL::JntArray joints_of(const VecX& theta) const {
    KDL::JntArray q(chain.getNrOfJoints());
    for (std::size_t i = 0; i < parameters.size(); ++i) q(static_cast<unsigned>(i)) = theta[parameters[i]];
    return q;
  }
};

Frame tip_of(const Handle& handle) {
  return {rotation_from_xy(handle.plus[1].local, handle.plus[2].local), handle.plus[0].local};
}

Expected<KdlChain> chain_to(const Figure& figure, const Handle& handle) {
  std::vector<int> segments;
  for (int s = handle.plus[0].segment; s != no_parent; s = figure.segments()[s].parent) segments.push_back(s);
  std::reverse(segments.begin(), segments.end());

  KdlChain out;
  KDL::Joint joint(KDL::Joint::None);
  Frame after;  // the fixed frame since the last joint
  for (const int s : segments) {
    after = after * figure.joints()[s].in_parent;
    for (int i = figure.joints()[s].freedom_begin; i < figure.joints()[s].freedom_end; ++i) {
      const Expected<int> parameter = own_parameter(figure, i);
      if (!parameter) return std::unexpected(parameter.error());
      out.chain.addSegment(KDL::Segment(joint, frame_of(after)));
      out.parameters.push_back(*parameter);
      joint = joint_of(figure.freedoms()[i]);
      after = {};
    }
    after = after * figure.joints()[s].in_child_inverse;
  }
  out.chain.addSegment(KDL::Segment(joint, frame_of(after * tip_of(handle))));
  return out;
}

// KDL's arm must be the same as ours.
Expected<void> check_chain(const Figure& figure, const Handle& handle, const KdlChain& chain) {
  KDL::ChainFkSolverPos_recursive fk(chain.chain);
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    Pose pose = figure.rest();
    for (const int j : chain.parameters) pose.theta[j] = random.between(-1.0, 1.0);
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, pose), handle, x);
    KDL::Frame tip;
    fk.JntToCart(chain.joints_of(pose.theta), tip);
    const double apart = std::max({(vector_of(x[0]) - tip.p).Norm(), (vector_of(x[1]) - tip.M.UnitX()).Norm(),
                                   (vector_of(x[2]) - tip.M.UnitY()).Norm()});
    if (!(apart <= same_place))
      return reject("the KDL chain of " + figure.name(), "a tool " + to_text(apart) + " m from ours", "the same place");
  }
  return {};
}

// One of KDL's solvers, restarted while there is time.
class Kdl {
 public:
  using Solver = std::function<int(const KDL::JntArray& from, const KDL::Frame& goal, KDL::JntArray& q)>;

  Kdl(const Problem& problem, KdlChain chain, const Limits& limits)
      : problem_(problem), chain_(std::move(chain)), starts_(limits), q_(chain_.chain.getNrOfJoints()) {}

  const KDL::Chain& chain() const { return chain_.chain; }
  const Limits& limits() const { return starts_.limits(); }
  void use(Solver solver) { solver_ = std::move(solver); }

  void solve(Pose& pose, Clock::time_point deadline) {
    const auto& placement = std::get<Placement>(problem_.constraints().front().alternatives().front().goal);
    const KDL::Frame goal = frame_of({rotation_from_xy(placement.orientation.x, placement.orientation.y), placement.p});
    const VecX first = chain_.joints_of(pose.theta).data;
    bool found = false;
    starts_.begin();
    while (!found && Clock::now() < deadline) {
      x_ = first;
      starts_.next(x_);
      from_.data = x_;
      const bool there = solver_(from_, goal, q_) >= 0;
      found = bring_within_limits() && there;
    }
    // Solved or not, within the limits or not: KDL's last result.
    for (std::size_t i = 0; i < chain_.parameters.size(); ++i)
      pose.theta[chain_.parameters[i]] = q_(static_cast<unsigned>(i));
  }

 private:
  // Adds full turns to bring the joints within their limits. False if one stays outside.
  bool bring_within_limits() {
    bool within = true;
    for (unsigned i = 0; i < q_.rows(); ++i) {
      double& q = q_(i);
      if (q > limits().upper[i]) q -= 2.0 * pi * std::ceil((q - limits().upper[i]) / (2.0 * pi));
      if (q < limits().lower[i]) q += 2.0 * pi * std::ceil((limits().lower[i] - q) / (2.0 * pi));
      within = within && q >= limits().lower[i] && q <= limits().upper[i];
    }
    return within;
  }

  const Problem& problem_;
  KdlChain chain_;
  Starts starts_;
  Solver solver_;
  KDL::JntArray from_, q_;
  VecX x_;
};

Expected<std::shared_ptr<Kdl>> kdl_of(const Problem& problem) {
  const Figure& figure = problem.figure();
  const Handle& handle = problem.constraints().front().alternatives().front().handle;
  Expected<KdlChain> chain = chain_to(figure, handle);
  if (!chain) return std::unexpected(chain.error());
  if (const Expected<void> same = check_chain(figure, handle, *chain); !same) return std::unexpected(same.error());
  Limits limits(static_cast<int>(chain->parameters.size()));
  for (int i = 0; i < limits.variables(); ++i) {
    limits.lower[i] = figure.parameters()[chain->parameters[i]].range.lower;
    limits.upper[i] = figure.parameters()[chain->parameters[i]].range.upper;
  }
  return std::make_shared<Kdl>(problem, std::move(*chain), limits);
}

PoseSolver pose_solver(std::shared_ptr<Kdl> kdl) {
  return [kdl](Pose& pose, Clock::time_point deadline) {
    kdl->solve(pose, deadline);
    return true;
  };
}

// KDL compares each component of the error, or their norm; both leave a margin for rounding.
constexpr double part_of_tolerance = 0.5;
// Iterations per start: most successful starts need fewer, and the time is better spent on other starts.
constexpr int lma_iterations = 30;
constexpr int newton_iterations = 15;

Expected<PoseSolver> lma(const Problem& problem, const Criteria& criteria) {
  const Expected<std::shared_ptr<Kdl>> kdl = kdl_of(problem);
  if (!kdl) return std::unexpected(kdl.error());
  // A metre counts as much as a radian: with KDL's own weights, 1 and 0.01, the angles would not be exact enough.
  const Eigen::Matrix<double, 6, 1> weights = Eigen::Matrix<double, 6, 1>::Ones();
  const double eps = part_of_tolerance * std::min(criteria.metres, criteria.radians);
  auto solver = std::make_shared<KDL::ChainIkSolverPos_LMA>((*kdl)->chain(), weights, eps, lma_iterations);
  (*kdl)->use([solver](const KDL::JntArray& from, const KDL::Frame& goal, KDL::JntArray& q) {
    return solver->CartToJnt(from, goal, q);
  });
  return pose_solver(*kdl);
}

struct Newton {
  KDL::ChainFkSolverPos_recursive fk;
  KDL::ChainIkSolverVel_pinv velocity;
  KDL::ChainIkSolverPos_NR_JL solver;

  Newton(const KDL::Chain& chain, const KDL::JntArray& lower, const KDL::JntArray& upper, double eps)
      : fk(chain), velocity(chain), solver(chain, lower, upper, fk, velocity, newton_iterations, eps) {}
};

Expected<PoseSolver> newton(const Problem& problem, const Criteria& criteria) {
  const Expected<std::shared_ptr<Kdl>> kdl = kdl_of(problem);
  if (!kdl) return std::unexpected(kdl.error());
  KDL::JntArray lower, upper;
  lower.data = (*kdl)->limits().lower;
  upper.data = (*kdl)->limits().upper;
  const double eps = part_of_tolerance * std::min(criteria.metres, criteria.radians);
  auto newton = std::make_shared<Newton>((*kdl)->chain(), lower, upper, eps);
  (*kdl)->use([newton](const KDL::JntArray& from, const KDL::Frame& goal, KDL::JntArray& q) {
    return newton->solver.CartToJnt(from, goal, q);
  });
  return pose_solver(*kdl);
}

}  // namespace

std::vector<ComparedSolver> kdl_solvers() { return {{"KDL LMA", lma}, {"KDL NR_JL", newton}}; }

}  // namespace limber::peers
