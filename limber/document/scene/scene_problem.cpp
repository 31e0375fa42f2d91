// From what a person wrote to what is solved.
#include <utility>

#include "limber/base/number.h"
#include "limber/document/scene/scene.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

Expected<Handle> plain_handle(const Figure& figure, const SceneHandle& handle) {
  switch (handle.kind) {
    case SceneHandle::Kind::point:
      return figure.point(handle.place);
    case SceneHandle::Kind::direction:
      return figure.direction(handle.place, handle.local);
    case SceneHandle::Kind::ray:
      return figure.ray(handle.place);
    case SceneHandle::Kind::frame:
      return figure.frame(handle.place);
    case SceneHandle::Kind::mass_centre:
      return figure.mass_centre();
    case SceneHandle::Kind::difference:
      break;
  }
  return reject("difference", "a handle that is a difference already", "two plain handles");
}

// A unit vector across v, for an axis that does not count but must be there.
Vec3 across(const Vec3& v) {
  Eigen::Index least = 0;
  v.cwiseAbs().minCoeff(&least);
  return v.cross(Vec3::Unit(least)).normalized();
}

Orientation orientation_of(const SceneOrientation& from) {
  const double c = per_metre(from.degrees_per_metre);
  Orientation to;
  to.x = from.x ? *from.x : from.y ? across(*from.y) : to.x;
  to.y = from.y ? *from.y : from.x ? across(*from.x) : to.y;
  to.c_x = from.x ? c : 0.0;
  to.c_y = from.y ? c : 0.0;
  return to;
}

// Two faces an axis.
std::vector<Face> faces_of(const SceneBox& box) {
  std::vector<Face> faces;
  for (int k = 0; k < 3; ++k)
    for (const double side : {1.0, -1.0}) {
      const Vec3 v = side * box.frame.R.col(k);
      faces.push_back({box.frame.p + 0.5 * box.size[k] * v, v});
    }
  return faces;
}

struct RegionGoal {
  bool inside;

  Goal operator()(const SceneSphere& s) const { return (*this)(sphere(s.centre, s.radius)); }
  Goal operator()(const Capsule& capsule) const {
    return inside ? Goal(InsideCapsule{capsule}) : Goal(OutsideCapsule{capsule});
  }
  Goal operator()(const SceneBox& box) const { return (*this)(ScenePolyhedron{faces_of(box)}); }
  Goal operator()(const ScenePolyhedron& p) const {
    return inside ? Goal(InsidePolyhedron{p.faces}) : Goal(OutsidePolyhedron{p.faces});
  }
};

struct GoalMaker {
  Goal operator()(const Position& g) const { return g; }
  Goal operator()(const SceneDirection& g) const { return Direction{g.v, per_metre(g.degrees_per_metre)}; }
  Goal operator()(const SceneOrientation& g) const { return orientation_of(g); }
  Goal operator()(const ScenePlacement& g) const {
    return Placement{g.p, orientation_of(g.orientation), g.w_p, 1.0 - g.w_p};
  }
  Goal operator()(const SceneAimAt& g) const { return AimAt{g.p, per_metre(g.degrees_per_metre)}; }
  Goal operator()(const Line& g) const { return g; }
  Goal operator()(const Plane& g) const { return g; }
  Goal operator()(const HalfSpace& g) const { return g; }
  Goal operator()(const SceneRegion& g) const {
    return std::visit(RegionGoal{g.side == SceneRegion::Side::inside}, g.region);
  }
  Goal operator()(const SceneCoincide& g) const { return Coincide{per_metre(g.degrees_per_metre)}; }
  Goal operator()(const SceneHold& g) const { return Hold{{per_metre(g.degrees_per_metre)}}; }
};

}  // namespace

Expected<Handle> handle_of(const Figure& figure, const SceneHandle& handle) {
  if (handle.kind != SceneHandle::Kind::difference) return plain_handle(figure, handle);
  if (handle.of.size() != 2) return reject("difference", std::to_string(handle.of.size()) + " handles", "two");
  return difference(plain_handle(figure, handle.of[0]), plain_handle(figure, handle.of[1]));
}

Goal goal_of(const SceneGoal& goal) { return std::visit(GoalMaker{}, goal); }

PosePull pull_of(const Scene& scene, const ScenePull& pull) {
  const Figure& figure = scene.figure;
  if (pull.towards == ScenePull::Towards::middle) return towards_middle(figure);
  if (pull.towards == ScenePull::Towards::comfort) return towards_comfort(figure);
  if (pull.towards == ScenePull::Towards::start) return towards(figure, scene.pose);
  PullByStiffness made = towards(figure, figure.rest());
  for (const auto& [parameter, value] : pull.pose)
    if (const Expected<int> j = figure.find_parameter(parameter)) {
      made.target[*j] = value;
      made.stiffness[*j] = 1.0;  // one that carries a root as well, where it is named
    }
  return made;
}

Expected<ConstraintId> add_constraint(Problem& problem, const Scene& scene, const SceneConstraint& constraint) {
  ConstraintOptions options{.weight = constraint.weight,
                            .priority = constraint.priority,
                            .from = constraint.from,
                            .name = constraint.name,
                            .soft = constraint.soft};
  if (constraint.balance)
    return add_balance(problem, scene.pose, constraint.balance->feet,
                       {.margin = constraint.balance->margin, .constraint = std::move(options)});
  if (constraint.clearance) {
    Expected<Clearance> clearance = clearance_of(scene, *constraint.clearance);
    if (!clearance) return std::unexpected(clearance.error());
    return problem.add_clearance(*std::move(clearance), std::move(options));
  }
  if (constraint.pull) {
    if (options.name.empty()) options.name = std::string("pull towards ") + name_of(constraint.pull->towards);
    return problem.add_pull(pull_of(scene, *constraint.pull), std::move(options));
  }
  std::vector<std::pair<Expected<Handle>, Goal>> alternatives;
  for (const auto& [handle, goal] : constraint.alternatives)
    alternatives.emplace_back(handle_of(scene.figure, handle), goal_of(goal));
  return problem.add_one_of(std::move(alternatives), std::move(options));
}

VecX stiffness_of(const Scene& scene) {
  VecX stiffness = VecX::Zero(static_cast<Eigen::Index>(scene.figure.parameters().size()));
  for (const auto& [parameter, value] : scene.stiffnesses)
    if (const Expected<int> j = scene.figure.find_parameter(parameter)) stiffness[*j] = value;
  return stiffness;
}

Expected<Problem> problem_of(const Scene& scene) {
  Problem problem(scene.figure);
  for (const auto& [parameter, rigidity] : scene.rigidities)
    if (const Expected<void> set = problem.set_rigidity(parameter, rigidity); !set) return std::unexpected(set.error());
  for (const SceneConstraint& constraint : scene.constraints) {
    const Expected<ConstraintId> id = add_constraint(problem, scene, constraint);
    if (!id) return std::unexpected(id.error());
    if (constraint.enabled) continue;
    if (const Expected<void> set = problem.set_enabled(*id, false); !set) return std::unexpected(set.error());
  }
  if (scene.natural != 0.0)
    if (const Expected<void> set = problem.add_prior(scene.natural); !set) return std::unexpected(set.error());
  if (const VecX stiffness = stiffness_of(scene); !stiffness.isZero(0.0)) {
    const Expected<ConstraintId> id =
        problem.add_pull(stiffly_towards(scene.pose, stiffness), {.weight = stiffness_weight, .name = "stiffness"});
    if (!id) return std::unexpected(id.error());
  }
  return problem;
}

}  // namespace limber
