// Builds the problem of a scene: handles, constraints, rigidities and stiffness.
#include <utility>

#include "limber/base/number.h"
#include "limber/document/scene/scene.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/kinematics/forward.h"
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
      return handle.place.empty() ? figure.mass_centre() : figure.mass_centre_of(handle.place);
    case SceneHandle::Kind::difference:
      break;
  }
  return reject("difference", "a handle that is a difference already", "two plain handles");
}

struct ConstraintAdder {
  Problem& problem;
  const Scene& scene;
  ConstraintOptions options;

  Expected<ConstraintId> operator()(const SceneGoals& goals) {
    std::vector<std::pair<Expected<Handle>, Goal>> alternatives;
    for (const auto& [handle, goal] : goals) alternatives.emplace_back(handle_of(scene.figure, handle), goal_of(goal));
    return problem.add_one_of(std::move(alternatives), std::move(options));
  }
  Expected<ConstraintId> operator()(const SceneBalance& balance) {
    return add_balance(problem, scene.pose, balance.feet, {.margin = balance.margin, .constraint = std::move(options)});
  }
  Expected<ConstraintId> operator()(const ScenePull& pull) {
    if (options.name.empty()) options.name = std::string("pull towards ") + name_of(pull.towards);
    return problem.add_pull(pull_of(scene, pull), std::move(options));
  }
  Expected<ConstraintId> operator()(const SceneClearance& asked) {
    Expected<Clearance> clearance = clearance_of(scene, asked);
    if (!clearance) return std::unexpected(clearance.error());
    return problem.add_clearance(*std::move(clearance), std::move(options));
  }
  Expected<ConstraintId> operator()(const SceneStrength& asked) {
    Expected<StrengthLimit> limit = strength_of(scene, asked);
    if (!limit) return std::unexpected(limit.error());
    return problem.add_strength(*std::move(limit), std::move(options));
  }
};

// Notes the place that the figure, or one of several, is hung from.
void set_root(Scene& scene, std::string_view place) {
  if (JoinedFigures* joined = std::get_if<JoinedFigures>(&scene.source)) {
    const std::size_t dot = place.find('.');
    for (SourcedPart& part : joined->parts)
      if (part.name == place.substr(0, dot) && !std::holds_alternative<InlineFigure>(part.source))
        part.root = place.substr(dot + 1);
    return;
  }
  scene.root = std::holds_alternative<InlineFigure>(scene.source) ? "" : std::string(place);
}

}  // namespace

Expected<Handle> handle_of(const Figure& figure, const SceneHandle& handle) {
  if (handle.kind != SceneHandle::Kind::difference) return plain_handle(figure, handle);
  if (handle.of.size() != 2) return reject("difference", std::to_string(handle.of.size()) + " handles", "two");
  return difference(plain_handle(figure, handle.of[0]), plain_handle(figure, handle.of[1]));
}

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
  return std::visit(ConstraintAdder{problem, scene,
                                    ConstraintOptions{.weight = constraint.weight,
                                                      .priority = constraint.priority,
                                                      .weighting = constraint.weighting,
                                                      .from = constraint.from,
                                                      .name = constraint.name,
                                                      .soft = constraint.soft}},
                    constraint.what);
}

Expected<Scene> hung_from(const Scene& scene, std::string_view place) {
  Expected<Figure> figure = hung_from(scene.figure, place);
  if (!figure) return std::unexpected(figure.error());
  Scene hung = scene;
  hung.pose = placed_as(scene.figure, scene.pose, *figure);
  if (scene.options.gain.size() > 0) {
    hung.options.gain = VecX::Ones(static_cast<Eigen::Index>(figure->parameters().size()));
    for (std::size_t j = 0; j < figure->parameters().size(); ++j)
      if (const Expected<int> same = scene.figure.find_parameter(figure->parameters()[j].name))
        hung.options.gain[static_cast<Eigen::Index>(j)] = scene.options.gain[*same];
  }
  hung.figure = std::move(*figure);
  set_root(hung, place);
  return hung;
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
