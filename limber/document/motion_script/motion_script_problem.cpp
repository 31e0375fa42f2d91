// Builds the timed problem of a script: looks up names, repeats blocks and adds the constraints of the scene.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/document/motion_script/motion_script_side.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/figure/join.h"
#include "limber/motion/path.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

using Check = Expected<void>;

// The fractions of the time in which a handle accelerates and decelerates on its path, unless it moves evenly.
constexpr double gentle = 0.25;

PointMap map_of(const ScriptPass& pass) {
  return {[&pass](const Vec3& p) { return pass.point(p); }, [&pass](const Vec3& v) { return pass.vector(v); }};
}

Goal placed_at(const Vec3& p, const std::optional<SceneOrientation>& turned) {
  return turned ? goal_of(ScenePlacement{p, *turned}) : Goal(Position{p});
}

ScriptPath moved(ScriptPath path, const ScriptPass& pass) {
  for (Vec3& p : path.points) p = pass.point(p);
  for (SpeedProfile::Key& key : path.progress) key.time += pass.later;
  if (path.turned) path.turned = moved(*path.turned, map_of(pass));
  return path;
}

class ScriptProblem {
 public:
  ScriptProblem(const MotionScript& script, ScriptedMotion& motion)
      : script_(script), figure_(motion.problem.figure()), given_(motion.given), problem_(motion.problem) {}

  Check add(const ScriptDemand& demand) {
    const Expected<std::vector<ScriptPass>> passes = passes_of(script_, demand.block, figure_);
    if (!passes) return std::unexpected(passes.error());
    for (const ScriptPass& pass : *passes)
      if (Check added = add(demand, pass); !added) return added;
    return {};
  }

 private:
  Check add(const ScriptDemand& demand, const ScriptPass& pass) {
    ConstraintOptions options{
        .weight = demand.weight, .from = sided(demand.chain.text, pass), .name = sided(demand.name, pass)};
    if (!options.from.empty())
      if (const Expected<int> joint = figure_.find_joint(options.from); !joint)
        return reject_at(script_, demand.chain.place, joint.error());
    Span span = demand.span;
    span.from += pass.later;
    span.to += pass.later;
    std::vector<TimedAlternative> all;
    Expected<TimedAlternative> asked = alternative_of(demand, pass, span);
    if (asked) all.push_back(*std::move(asked));
    for (std::size_t k = 0; asked && k < demand.others.size(); ++k)
      if (asked = alternative_of(demand.others[k], pass, span); asked) all.push_back(*std::move(asked));
    if (!asked) return std::unexpected(asked.error());
    const Expected<int> added =
        all.size() > 1 ? problem_.add_one_of(all, span, options) : add(all.front(), span, options);
    if (!added) return reject_at(script_, demand.place, added.error());
    return {};
  }

  Expected<int> add(const TimedAlternative& one, const Span& span, const ConstraintOptions& options) {
    return std::visit([&](const auto& goal) { return problem_.add(one.handle, goal, span, options); }, one.goal);
  }

  static std::string sided(const std::string& name, const ScriptPass& pass) {
    return pass.mirrored ? other_side(name) : name;
  }

  // What a demand, or one of its alternatives, asks in a pass.
  Expected<TimedAlternative> alternative_of(const ScriptDemand& demand, const ScriptPass& pass,
                                            const Span& span) const {
    if (const ScriptBalance* balance = std::get_if<ScriptBalance>(&demand.goal))
      return balance_of(*balance, sided(demand.name, pass), pass, span);
    SceneHandle asked = demand.handle;
    asked.place = sided(asked.place, pass);
    for (SceneHandle& one : asked.of) one.place = sided(one.place, pass);
    const bool difference = asked.kind == SceneHandle::Kind::difference;
    if (difference) {
      if (Check known = find(asked.of[0], demand.place_of_name); !known) return std::unexpected(known.error());
      if (Check known = find(asked.of[1], demand.place_of_other); !known) return std::unexpected(known.error());
    } else if (Check known = find(asked, demand.place_of_name); !known) {
      return std::unexpected(known.error());
    }
    TimedAlternative out{handle_of(figure_, asked), {}, sided(demand.name, pass)};
    if (const ScriptPath* path = std::get_if<ScriptPath>(&demand.goal)) {
      Expected<GoalAt> goal = moving_along(moved(*path, pass), span);
      if (!goal) return reject_at(script_, demand.place, goal.error());
      out.goal = *std::move(goal);
    } else {
      // The goal of a difference is not a place in the world, so it does not move.
      const SceneGoal& written = std::get<SceneGoal>(demand.goal);
      out.goal = goal_of(difference ? written : moved(written, map_of(pass)));
    }
    return out;
  }

  // Over the feet as the keys have them where the demand begins, as with Hold.
  Expected<TimedAlternative> balance_of(const ScriptBalance& balance, std::string name, const ScriptPass& pass,
                                        const Span& span) const {
    std::vector<std::string> feet;
    for (const ScriptName& foot : balance.feet) {
      feet.push_back(sided(foot.text, pass));
      if (const Expected<Handle> known = figure_.point(feet.back()); !known)
        return reject_at(script_, foot.place, known.error());
    }
    const double begin = std::clamp(span.from / given_.frame_time, 0.0, given_.frames() - 1.0);
    const Pose pose = given_.pose(static_cast<int>(std::lround(begin)));
    Expected<Balance> over = balance_over(figure_, pose, feet, balance.margin);
    if (!over) return reject_at(script_, balance.feet.front().place, over.error());
    return TimedAlternative{over->centre, Goal(std::move(over->support)), std::move(name)};
  }

  Check find(const SceneHandle& handle, const Place& place) const {
    const Expected<Handle> found = handle_of(figure_, handle);
    if (!found) return reject_at(script_, place, found.error());
    return {};
  }

  const MotionScript& script_;
  const Figure& figure_;
  const Clip& given_;
  TimedProblem& problem_;
};

const std::string& parameter_name(const Figure& figure, int j) {
  return figure.parameters()[static_cast<std::size_t>(j)].name;
}

Check add_stiffness(const MotionScript& script, const ScriptStiffness& stiff, TimedProblem& problem) {
  const Figure& figure = problem.figure();
  const ScriptName& name = stiff.parameter;
  std::vector<std::string> parameters;
  for (const ScriptCarrier& carrier : carriers_of(figure)) {
    if (name.text == "travel" || name.text == carrier.travel)
      for (const int slide : carrier.slides) parameters.push_back(parameter_name(figure, slide));
    if ((name.text == "heading" || name.text == carrier.heading) && carrier.turn >= 0)
      parameters.push_back(parameter_name(figure, carrier.turn));
  }
  if (parameters.empty() && (name.text == "travel" || name.text == "heading"))
    return reject_at(script, name.place, "\"" + name.text + "\" of a figure whose root has none", "a parameter");
  if (parameters.empty()) parameters = {name.text};
  for (const std::string& parameter : parameters)
    if (const Check set = problem.set_stiffness(parameter, stiff.stiffness); !set)
      return reject_at(script, name.place, set.error());
  return {};
}

Check add_clearance(const Scene& scene, const SceneClearance& asked, double weight, const std::string& which,
                    std::vector<Clearance>& clearances) {
  if (std::isfinite(weight))
    return reject(which, "\"keep_clear\" with a weight of " + to_text(weight),
                  "\"must\": every frame of a motion keeps clear, or its report says which do not");
  Expected<Clearance> clearance = clearance_of(scene, asked);
  if (!clearance) return std::unexpected(clearance.error());
  clearances.push_back(*std::move(clearance));
  return {};
}

// The whole time, as they are in the scene's pose.
Expected<int> add_throughout(const Scene& scene, const SceneConstraint& constraint, TimedProblem& problem) {
  return add_over_time(scene, constraint, scene.pose, Span{},
                       {.weight = constraint.weight,
                        .priority = constraint.priority,
                        .weighting = constraint.weighting,
                        .from = constraint.from,
                        .name = constraint.name,
                        .soft = constraint.soft},
                       problem);
}

Check add_scene(const Scene& scene, ScriptedMotion& motion) {
  TimedProblem& problem = motion.problem;
  std::vector<Note>& notes = motion.notes;
  for (const auto& [parameter, rigidity] : scene.rigidities)
    if (Check set = problem.set_rigidity(parameter, rigidity); !set) return set;
  problem.stiffen(stiffness_of(scene));
  int k = 0;
  for (const SceneConstraint& constraint : scene.constraints) {
    const std::string which = "constraint " + std::to_string(++k) + " of the scene";
    if (!constraint.enabled) continue;
    if (std::holds_alternative<ScenePull>(constraint.what)) {
      notes.push_back({which + " is a pull, and does not count: the keys are what a motion is pulled to"});
      continue;
    }
    if (const SceneClearance* clearance = std::get_if<SceneClearance>(&constraint.what)) {
      if (Check added = add_clearance(scene, *clearance, constraint.weight, which, motion.clearances); !added)
        return added;
      continue;
    }
    if (std::holds_alternative<SceneStrength>(constraint.what))
      return reject(which, "a strength limit", "goals of handles, balance or clearance, in a motion");
    const Expected<int> added = add_throughout(scene, constraint, problem);
    if (!added) return reject(which + ": " + added.error().where, added.error().found, added.error().expected);
  }
  if (scene.natural != 0.0)
    notes.push_back({"\"natural\" of the scene does not count: the keys say what is natural in a motion"});
  return {};
}

}  // namespace

Expected<int> add_over_time(const Scene& scene, const SceneConstraint& constraint, const Pose& standing,
                            const Span& span, ConstraintOptions options, TimedProblem& problem) {
  if (const SceneBalance* balance = std::get_if<SceneBalance>(&constraint.what)) {
    Expected<Balance> over = balance_over(scene.figure, standing, balance->feet, balance->margin);
    if (!over) return std::unexpected(over.error());
    if (options.name.empty()) options.name = "balance";
    return problem.add(over->centre, Goal(std::move(over->support)), span, std::move(options));
  }
  const SceneGoals* goals = std::get_if<SceneGoals>(&constraint.what);
  if (!goals) return reject("a constraint over time", "another kind", "goals of handles, or a balance");
  if (const SceneAlternative* only = constraint.sole_goal())
    return problem.add(handle_of(scene.figure, only->handle), goal_of(only->goal), span, std::move(options));
  std::vector<TimedAlternative> all;
  for (const SceneAlternative& one : *goals)
    all.push_back({handle_of(scene.figure, one.handle), goal_of(one.goal),
                   options.name.empty() ? "" : options.name + " (" + std::to_string(all.size() + 1) + ")"});
  return problem.add_one_of(all, span, options);
}

Expected<GoalAt> moving_along(const ScriptPath& path, const Span& span) {
  const SpaceCurve::Kind kind = path.straight ? SpaceCurve::Kind::straight : SpaceCurve::Kind::spline;
  Expected<SpaceCurve> curve = SpaceCurve::make(path.points, false, kind);
  if (!curve) return std::unexpected(curve.error());
  const double ease = path.evenly ? 0.0 : gentle;
  const Expected<SpeedProfile> profile = path.progress.empty() ? SpeedProfile::eased(span.from, span.to, ease, ease)
                                                               : SpeedProfile::by_keys(path.progress);
  if (!profile) return std::unexpected(profile.error());
  return GoalAt([way = std::make_shared<const SpaceCurve>(std::move(*curve)), profile = *profile,
                 turned = path.turned](double time) { return placed_at(along(*way, profile, time), turned); });
}

Expected<std::vector<ScriptPass>> passes_of(const MotionScript& script, int block, const Figure& figure) {
  if (block == no_block) return std::vector<ScriptPass>{ScriptPass{}};
  const ScriptBlock& repeated = script.blocks[static_cast<std::size_t>(block)];
  const std::optional<Vec3> shared = shared_mirror_normal(figure);
  if (repeated.mirrored && !figure.parts().empty() && !shared)
    return reject_at(script, repeated.place, "a mirrored block for figures in several planes of symmetry",
                     "figures that stand in one plane through the origin, one behind the other");
  std::vector<ScriptPass> passes;
  for (int k = 0; k < repeated.passes; ++k)
    passes.push_back({.later = k * repeated.every,
                      .shift = k * repeated.shift,
                      .mirrored = repeated.mirrored && k % 2 == 1,
                      .normal = shared.value_or(figure.description().mirror_normal.normalized())});
  return passes;
}

std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, std::string found,
                                      std::string expected) {
  const std::string where = script.file_name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  return std::unexpected(Diagnostic{where, std::move(found), std::move(expected), place.line, place.column});
}

std::unexpected<Diagnostic> reject_at(const MotionScript& script, const Place& place, const Diagnostic& why) {
  std::unexpected<Diagnostic> rejected = reject_at(script, place, why.found, why.expected);
  if (!why.where.empty()) rejected.error().where += ": " + why.where;
  return rejected;
}

Expected<ScriptedMotion> scripted_motion(const MotionScript& script, const Scene& scene) {
  Expected<Clip> given = keyed_motion(script, scene);
  if (!given) return std::unexpected(given.error());
  ScriptedMotion motion{std::move(*given), TimedProblem(scene.figure)};
  if (Check added = add_scene(scene, motion); !added) return std::unexpected(added.error());
  for (const ScriptStiffness& stiff : script.stiffnesses)
    if (Check set = add_stiffness(script, stiff, motion.problem); !set) return std::unexpected(set.error());
  ScriptProblem problem(script, motion);
  for (const ScriptDemand& demand : script.demands)
    if (Check added = problem.add(demand); !added) return std::unexpected(added.error());
  const auto demands = static_cast<double>(motion.problem.demands().size());
  if (demands * motion.given.frames() > max_script_goals)
    return reject_at(
        script, script.place_of_length,
        to_text(demands, 0) + " demands, with repetitions, in " + std::to_string(motion.given.frames()) + " frames",
        "at most " + to_text(max_script_goals, 0) + " in all, demands times frames");
  return motion;
}

}  // namespace limber
