#include "limber/reach/reach.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/problem/assembly.h"
#include "limber/problem/figure_limits.h"
#include "limber/reach/survey.h"

namespace limber {

namespace {

constexpr double default_tolerance = 0.01;  // relative to the resolution
constexpr double rounding = 1e-9;           // relative to coordinates: a smaller box is a point
constexpr double max_length = 4096.0;       // of a map, in cells along an axis

// Hold at the place in the pose, as a goal that does not depend on the start of a solve.
Goal fixed_goal(const Handle& handle, const Hold& hold, std::array<Vec3, max_elements> x0) {
  if (handle.shape == Shape::point) return Position{x0[0]};
  if (handle.shape == Shape::frame && handle.minus_count == 0)
    return Placement{x0[0], Orientation{x0[1], x0[2], hold.c, hold.c}};
  const Coincide coincide{hold.c};
  const auto difference = [x0](const HandleValue& x, std::array<Vec3, max_elements>& d) {
    for (int k = 0; k < element_count(x.shape); ++k)
      d[static_cast<std::size_t>(k)] = x[k] - x0[static_cast<std::size_t>(k)];
    return HandleValue{x.shape, d.data()};
  };
  CustomGoal goal;
  goal.title = "hold";
  goal.shape = handle.shape;
  goal.row_count = coincide.rows(handle.shape);
  goal.residual = [coincide, difference](const HandleValue& x, Residual& out) {
    std::array<Vec3, max_elements> d;
    coincide.evaluate(difference(x, d), out);
  };
  goal.error_function = [coincide, difference](const HandleValue& x) {
    std::array<Vec3, max_elements> d;
    return coincide.error(difference(x, d));
  };
  return goal;
}

Expected<void> fix_holds(Problem& problem, const Pose& pose) {
  const Kinematics state = forward(problem.figure(), pose);
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    for (const Alternative& alternative : constraint.alternatives()) {
      const Hold* const hold = std::get_if<Hold>(&alternative.goal);
      if (!hold) continue;
      if (constraint.alternatives().size() > 1)
        return reject("constraint '" + constraint.name + "'", "Hold among several goals", "Hold as the only goal");
      std::array<Vec3, max_elements> x0;
      evaluate(problem.figure(), state, alternative.handle, x0.data());
      if (const Expected<void> set = problem.set_goal(constraint.id, fixed_goal(alternative.handle, *hold, x0)); !set)
        return set;
      break;
    }
  }
  return {};
}

// By segment: whether one of the parameters moves it.
std::vector<char> moved_by(const Figure& figure, const std::vector<int>& parameters) {
  std::vector<char> moves(figure.segments().size(), 0);
  for (const int j : parameters)
    for (const int i : figure.parameters()[static_cast<std::size_t>(j)].drives)
      moves[static_cast<std::size_t>(figure.freedoms()[static_cast<std::size_t>(i)].joint)] = 1;
  for (std::size_t s = 0; s < moves.size(); ++s)
    if (const int parent = figure.segments()[s].parent; parent != no_parent && moves[static_cast<std::size_t>(parent)])
      moves[s] = 1;
  return moves;
}

// Overlaps between parts that do not move would leave an empty map without an explanation.
Expected<void> check_fixed_parts(const Problem& problem, const Pose& pose, const std::vector<int>& variables,
                                 double tolerance) {
  const std::vector<char> moves = moved_by(problem.figure(), variables);
  const auto moving = [&](int segment) { return segment != no_index && moves[static_cast<std::size_t>(segment)] != 0; };
  const Kinematics state = forward(problem.figure(), pose);
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.clearance() || !constraint.counts()) continue;
    const Clearance& clearance = *constraint.clearance();
    const Penetrations all = penetrations(problem.figure(), state, clearance.capsules, Obstacles(clearance.obstacles),
                                          clearance.pairs, min_gap(problem, constraint, tolerance));
    for (const Penetration& found : all.list)
      if (!moving(found.segment) && !moving(found.other_segment))
        return reject("constraint '" + constraint.name + "'", found.text + ", and neither moves",
                      "a pose in which all parts that do not move are clear");
  }
  return {};
}

struct Prepared {
  Problem problem;
  VecX base;
  std::vector<int> variables;
  double tolerance;
};

Expected<Prepared> prepared(const Problem& given, const Pose& pose, const Expected<Handle>& handle,
                            const ReachOptions& options) {
  if (!given.rejections().empty()) return std::unexpected(given.rejections().front());
  if (!handle) return std::unexpected(handle.error());
  if (!(options.resolution > 0.0) || !std::isfinite(options.resolution))
    return reject("options, resolution", to_text(options.resolution), "a length above 0");
  if (!(options.tolerance >= 0.0) || !std::isfinite(options.tolerance))
    return reject("options, tolerance", to_text(options.tolerance), "a length, or 0");
  const Expected<Handle> mapped = part(*handle, options.orientation ? Shape::frame : Shape::point);
  if (!mapped) return std::unexpected(mapped.error());
  if (mapped->minus_count > 0 || mapped->plus[0].kind != Element::Kind::point)
    return reject("handle '" + handle->name + "'", "a difference or a centre of mass", "a point of a segment");
  if (options.orientation && !(rotation_defect(*options.orientation) < 1e-6))
    return reject("options, orientation", "a matrix that is not a rotation", "a rotation");
  if (pose.theta.size() != static_cast<Eigen::Index>(given.figure().parameters().size()) || !pose.theta.allFinite())
    return reject("pose", std::to_string(pose.theta.size()) + " values, or one that is not finite",
                  std::to_string(given.figure().parameters().size()) + " finite ones");
  for (const ConstraintId id : options.looking) {
    const Constraint* const constraint = given.find(id);
    if (!constraint || constraint->alternatives().size() != 1 || !aim_of(constraint->alternatives().front().goal))
      return reject("options, looking", constraint ? "constraint '" + constraint->name + "'" : "an unknown constraint",
                    "a constraint with the goal aim-at");
  }
  Prepared out{given, pose.theta, {}, options.tolerance};
  if (out.tolerance == 0.0) out.tolerance = default_tolerance * options.resolution;
  if (!FigureLimits(given.figure()).project(out.base).feasible)
    return reject("figure", "contradictory limits", "limits that some pose satisfies");
  if (const Expected<void> fixed = fix_holds(out.problem, {out.base}); !fixed) return std::unexpected(fixed.error());
  const Goal goal = options.orientation ? Goal{Placement{Vec3::Zero(), orientation(*options.orientation)}}
                                        : Goal{Position{Vec3::Zero()}};
  if (const auto added = out.problem.add(*mapped, goal, {.from = options.from}); !added)
    return std::unexpected(added.error());
  const Assembly assembly(out.problem);
  for (int i = 0; i < assembly.variables(); ++i) out.variables.push_back(assembly.parameter(i));
  if (const Expected<void> clear = check_fixed_parts(out.problem, {out.base}, out.variables, out.tolerance); !clear)
    return std::unexpected(clear.error());
  return out;
}

ReachBounds bounds_of(const Prepared& prepared) {
  Problem others = prepared.problem;
  const Element handle = others.constraints().back().alternatives().front().handle.plus[0];
  static_cast<void>(others.remove(others.constraints().back().id));
  return {others, {prepared.base}, handle, prepared.variables, prepared.tolerance};
}

// The box to map, with one extra cell on every side.
Expected<ReachBounds::Box> box_of(const ReachBounds& bounds, const ReachOptions& options) {
  std::optional<ReachBounds::Box> box = bounds.box();
  if (!box && !options.region)
    return reject("reach", "a figure that nothing fixes in space: its reach is unbounded",
                  "a chain that starts at a joint, a constraint on the position of a foot, or a region");
  if (const double size = box ? (box->max - box->min).maxCoeff() : 0.0;
      box && size > rounding * box->max.cwiseAbs().maxCoeff() && options.resolution > size)
    return reject("options, resolution", to_text(options.resolution) + " m",
                  "a length below " + to_text(size, 3) + " m, the size of the box that holds the whole reach");
  if (box) box = ReachBounds::Box{box->min.array() - options.resolution, box->max.array() + options.resolution};
  if (options.region) {
    if (!options.region->min.allFinite() || !options.region->max.allFinite() ||
        (options.region->min.array() > options.region->max.array()).any())
      return reject("options, region", "a number that is not finite, or a minimum above the maximum", "a box");
    if (!box) box = options.region;
    box = ReachBounds::Box{box->min.cwiseMax(options.region->min), box->max.cwiseMin(options.region->max)};
  }
  if ((box->min.array() > box->max.array()).any()) box = ReachBounds::Box{box->min, box->min};
  if ((box->max - box->min).maxCoeff() > max_length * options.resolution ||
      box->max.cwiseAbs().cwiseMax(box->min.cwiseAbs()).maxCoeff() > 1e5 * max_length * options.resolution)
    return reject("options, resolution", to_text(options.resolution) + " m",
                  "cells no smaller than 1/4096 of the region, " + to_text((box->max - box->min).maxCoeff(), 3) +
                      " m, or a smaller region");
  return *box;
}

}  // namespace

Expected<ReachMap> reach(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                         const ReachOptions& options) {
  const Expected<Prepared> ready = prepared(problem, pose, handle, options);
  if (!ready) return std::unexpected(ready.error());
  const ReachBounds bounds = bounds_of(*ready);
  const Expected<ReachBounds::Box> box = box_of(bounds, options);
  if (!box) return std::unexpected(box.error());
  ReachMap map;
  map.resolution = options.resolution;
  map.tolerance = ready->tolerance;
  map.base = ready->base;
  map.variables = ready->variables;
  ReachSurvey survey(ready->problem, bounds, options, map);
  survey.lay_out(*box);
  if (const Expected<void> done = survey.run(); !done) return std::unexpected(done.error());
  return map;
}

Expected<void> resume(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                      const ReachOptions& options, ReachMap& map) {
  const Expected<Prepared> ready = prepared(problem, pose, handle, options);
  if (!ready) return std::unexpected(ready.error());
  if (map.resolution != options.resolution || map.tolerance != ready->tolerance || map.base != ready->base ||
      map.variables != ready->variables)
    return reject("map", "a map of another problem, pose or resolution", "the map that was started with these");
  const ReachBounds bounds = bounds_of(*ready);
  ReachSurvey survey(ready->problem, bounds, options, map);
  return survey.run();
}

Expected<ReachAnswers> solve_wave(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                                  const ReachOptions& options, const ReachWave& part) {
  const Expected<Prepared> ready = prepared(problem, pose, handle, options);
  if (!ready) return std::unexpected(ready.error());
  const WaveSolver solver(ready->problem, options, ready->tolerance);
  std::vector<Goal> goals;
  for (const Vec3& x : part.points) solver.add_goals_at(x, goals);
  return solver.solve(goals, part.starts, part.restarts);
}

}  // namespace limber
