// Simbody's Assembler: markers on a multibody system with restricted coordinates; what OpenSim tracks motions with.
#include <algorithm>
#include <memory>

#include "bench/peers/freedom.h"
#include "bench/peers/peers.h"
#include "bench/peers/simbody_tree.h"
#include "bench/peers/starts.h"
#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"

namespace limber::peers {

namespace {

constexpr int no_parameter = -1;  // of a weld
// A coordinate without limits gets these, in metres or radians, which no solution comes near: if all have limits,
// L-BFGS-B makes a better first step.
constexpr double far = 10.0;

// A figure as bodies on pins and sliders, one per degree of freedom, as far as the constraints' handles depend on it.
struct Tree {
  std::vector<TreeBody> bodies;
  std::vector<int> parameters;  // by body
  std::vector<TreeMarker> markers;
};

TreeFrame tree_frame(const Frame& X) { return {X.R, X.p}; }

// A frame whose z axis (for a rotation) or x axis (for a translation) is that of the degree of freedom.
Frame along(const Freedom& freedom) {
  const Vec3 from = freedom.motion == Motion::rotate ? Vec3::UnitZ() : Vec3::UnitX();
  return {Eigen::Quaterniond::FromTwoVectors(from, freedom.axis).toRotationMatrix(), Vec3::Zero()};
}

Expected<Tree> tree_of(const Problem& problem) {
  const Figure& figure = problem.figure();
  const Assembly assembly(problem);  // knows which parameters move
  std::vector<char> moves(figure.parameters().size(), 0), needed(figure.segments().size(), 0);
  for (int i = 0; i < assembly.variables(); ++i) moves[assembly.parameter(i)] = 1;
  for (const Constraint& constraint : problem.constraints())
    for (int s = constraint.alternatives().front().handle.plus[0].segment; s != no_parent;
         s = figure.segments()[s].parent)
      needed[s] = 1;

  Tree tree;
  std::vector<int> body_of(figure.segments().size(), no_parent);
  const auto add = [&](const TreeBody& body, int parameter) {
    tree.bodies.push_back(body);
    tree.parameters.push_back(parameter);
    return static_cast<int>(tree.bodies.size()) - 1;
  };
  for (std::size_t s = 0; s < needed.size(); ++s) {
    if (!needed[s]) continue;
    const Joint& joint = figure.joints()[s];
    const int parent = figure.segments()[s].parent;
    int at = parent == no_parent ? no_parent : body_of[parent];
    if (joint.freedom_begin == joint.freedom_end)
      at = add({at, Mobility::weld, tree_frame(joint.in_parent), tree_frame(joint.in_child), false, 0.0, 0.0},
               no_parameter);
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Expected<int> parameter = own_parameter(figure, i);
      if (!parameter) return std::unexpected(parameter.error());
      const Freedom& freedom = figure.freedoms()[i];
      const Frame before = i == joint.freedom_begin ? joint.in_parent : Frame{};
      const Frame after = i + 1 == joint.freedom_end ? joint.in_child : Frame{};
      const Range& range = figure.parameters()[*parameter].range;
      at = add({at, freedom.motion == Motion::rotate ? Mobility::pin : Mobility::slider,
                tree_frame(before * along(freedom)), tree_frame(after * along(freedom)), moves[*parameter] != 0,
                std::max(range.lower, -far), std::min(range.upper, far)},
               *parameter);
    }
    body_of[s] = at;
  }
  for (const Constraint& constraint : problem.constraints()) {
    const Element& point = constraint.alternatives().front().handle.plus[0];
    tree.markers.push_back({body_of[point.segment], point.local});
  }
  return tree;
}

class Simbody {
 public:
  Simbody(const Problem& problem, const Criteria& criteria, Tree tree)
      : problem_(problem),
        criteria_(criteria),
        tree_(std::move(tree)),
        simbody_(tree_.bodies, tree_.markers),
        starts_(limits_of(tree_)),
        q_(VecX::Zero(static_cast<Eigen::Index>(tree_.bodies.size()))) {}

  // Simbody's figure must be the same as ours.
  Expected<void> check() {
    const Figure& figure = problem_.figure();
    Random random(1);
    for (int k = 0; k < 20; ++k) {
      Pose pose = figure.rest();
      for (const int j : tree_.parameters)
        if (j != no_parameter) pose.theta[j] = random.between(-1.0, 1.0);
      take(pose.theta);
      const std::vector<Vec3> places = simbody_.places(q_);
      const Kinematics ours = forward(figure, pose);
      for (std::size_t c = 0; c < places.size(); ++c) {
        const Constraint& constraint = problem_.constraints()[c];
        const Vec3 place = evaluate(figure, ours, constraint.alternatives().front().handle.plus[0]);
        if (const double apart = (places[c] - place).norm(); !(apart <= same_place))
          return reject("the Simbody system of " + figure.name(),
                        constraint.name + " " + to_text(apart) + " m from ours", "the same place");
      }
    }
    return {};
  }

  void solve(Pose& pose, Clock::time_point deadline) {
    goals_.clear();
    for (const Constraint& constraint : problem_.constraints())
      goals_.push_back(std::get<Position>(constraint.alternatives().front().goal).p);
    simbody_.aim(goals_, criteria_.metres, deadline);
    starts_.begin();
    take(pose.theta);
    while (!simbody_.met() && Clock::now() < deadline) {
      starts_.next(q_);
      hold_still(pose.theta);
      simbody_.assemble(q_);
      simbody_.best(q_);
    }
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b)
      if (tree_.bodies[b].moves) pose.theta[tree_.parameters[b]] = q_[static_cast<Eigen::Index>(b)];
  }

 private:
  static Limits limits_of(const Tree& tree) {
    Limits limits(static_cast<int>(tree.bodies.size()));
    for (int b = 0; b < limits.variables(); ++b) {
      limits.lower[b] = tree.bodies[b].lower;
      limits.upper[b] = tree.bodies[b].upper;
    }
    return limits;
  }

  void take(const VecX& theta) {
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b)
      if (tree_.parameters[b] != no_parameter) q_[static_cast<Eigen::Index>(b)] = theta[tree_.parameters[b]];
  }

  // A start moves every coordinate; those that must not take their values back.
  void hold_still(const VecX& theta) {
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b)
      if (!tree_.bodies[b].moves && tree_.parameters[b] != no_parameter)
        q_[static_cast<Eigen::Index>(b)] = theta[tree_.parameters[b]];
  }

  const Problem& problem_;
  Criteria criteria_;
  Tree tree_;
  SimbodyTree simbody_;
  Starts starts_;
  VecX q_;
  std::vector<Vec3> goals_;
};

}  // namespace

std::vector<ComparedSolver> simbody_solvers() {
  return {{"Simbody Assembler", [](const Problem& problem, const Criteria& criteria) -> Expected<PoseSolver> {
             Expected<Tree> tree = tree_of(problem);
             if (!tree) return std::unexpected(tree.error());
             auto simbody = std::make_shared<Simbody>(problem, criteria, std::move(*tree));
             if (const Expected<void> same = simbody->check(); !same) return std::unexpected(same.error());
             return [simbody](Pose& pose, Clock::time_point deadline) {
               simbody->solve(pose, deadline);
               return true;
             };
           }}};
}

}  // namespace limber::peers
