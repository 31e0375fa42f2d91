// What every solve keeps, whatever the problem: limits, descent, honest exits. Promises P3 to P5 and P7.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/problem/assembly.h"
#include "limber/program/kkt.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace solve_law_test {

const CaseKind small{};
const CaseKind medium{.freedoms_min = 12, .freedoms_max = 60, .constraints_max = 12};
const CaseKind large{.freedoms_min = 100, .freedoms_max = 200, .constraints_max = 12};
// What is kept clear with a weight is a goal among others: all that holds for goals holds with it.
const CaseKind beside_obstacles{.clear = Clear::softly};

// Every pose that the observer sees, and the answer, keeps the box exactly and the rows to 1e-12 of their
// scale.
std::string keeps_limits(const Case& made) {
  Built built = build(made);
  std::string wrong;
  Options options = options_of(made);
  options.observer = [&](const Progress& progress) {
    if (const double defect = limit_defect(built.figure, progress.pose.theta); !(defect <= 1.0) && wrong.empty())
      wrong = "iteration " + std::to_string(progress.iteration) + " is off a limit by " + to_text(defect) +
              " of what is allowed";
    return true;
  };
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (report.exit == Exit::infeasible || report.exit == Exit::rejected) return "rejected: " + to_text(report);
  if (const double defect = limit_defect(built.figure, pose.theta); !(defect <= 1.0))
    return "the answer is off a limit by " + to_text(defect) + " of what is allowed";
  return wrong;
}

std::string never_rises(const Case& made) {
  Built built = build(made);
  std::string wrong;
  double before = infinity;
  int last = 0;
  Options options = options_of(made);
  options.observer = [&](const Progress& progress) {
    if (!(progress.objective <= before))
      wrong = "iteration " + std::to_string(progress.iteration) + " increases the objective";
    if (progress.iteration != last + 1)
      wrong = "iteration " + std::to_string(progress.iteration) + " follows " + std::to_string(last);
    before = progress.objective;
    last = progress.iteration;
    return true;
  };
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (!(report.objective <= report.objective_before)) return "the answer is worse than the start";
  if (last > 0 && report.objective != before)
    return "the report's objective is " + to_text(report.objective) + ", the last iteration's " + to_text(before);
  if (last != report.iterations)
    return "the observer saw " + std::to_string(last) + " iterations of " + std::to_string(report.iterations);
  return wrong;
}

// `converged` means what it says, by code that the solver does not share; the objective is that of the
// definition.
std::string converged_is_true(const Case& made, int* converged) {
  Built built = build(made);
  Pose pose = built.start;
  const Options options = options_of(made);
  const Report report = solve(built.problem, pose, options);
  if (report.exit != Exit::converged) return {};
  if (converged) ++*converged;
  Assembly assembly(built.problem);
  VecX phi, g(assembly.variables());
  assembly.start(pose.theta, phi);
  // What hold() holds is the start, moved within the limits, not the answer.
  Pose held = built.start;
  Options none;
  none.iterations = 0;
  (void)solve(built.problem, held, none);
  const bool holds = std::any_of(made.constraints.begin(), made.constraints.end(), [](const ConstraintSpec& spec) {
    return std::any_of(spec.alternatives.begin(), spec.alternatives.end(),
                       [](const AlternativeSpec& a) { return std::holds_alternative<Hold>(a.goal) && !a.shell; });
  });
  VecX unused;
  if (holds) assembly.start(held.theta, unused);
  assembly(phi, g);
  const double kkt = reference_kkt(built.problem, pose.theta, g);
  // 1 % for the two ways of rounding a residual at the tolerance, and for limits that one side takes as
  // active.
  if (!(kkt <= 1.01 * options.tolerance))
    return "converged with a Kuhn-Tucker residual of " + to_text(kkt) + ", reported " + to_text(report.kkt);
  if (made.clearance) return {};  // the gaps have their oracles in tests/obstacle
  const double reference = reference_objective(made, built.figure, pose.theta, held.theta);
  // Relative to what the residuals are made of: lengths of the figure, squared, times the weights.
  if (!(std::fabs(reference - report.objective) <= 1e-10 * std::max(reference, assembly.objective_scale())))
    return "objective " + to_text(report.objective) + ", by the definition " + to_text(reference);
  return {};
}

TEST(Solve, NeverLeavesTheLimits) { check_law("limits", 2000, small, keeps_limits); }
TEST(Solve, NeverLeavesTheLimitsOfMediumFigures) { check_law("limits, medium", 300, medium, keeps_limits); }
TEST(Solve, NeverLeavesTheLimitsOfLargeFigures) { check_law("limits, large", 50, large, keeps_limits); }
TEST(Solve, NeverLeavesTheLimitsBesideObstacles) {
  check_law("limits, obstacles", 1000, beside_obstacles, keeps_limits);
}

TEST(Solve, NeverRaisesTheObjective) { check_law("descent", 1000, small, never_rises); }
TEST(Solve, NeverRaisesTheObjectiveOfMediumFigures) { check_law("descent, medium", 200, medium, never_rises); }
TEST(Solve, NeverRaisesTheObjectiveOfLargeFigures) { check_law("descent, large", 30, large, never_rises); }
TEST(Solve, NeverRaisesTheObjectiveBesideObstacles) {
  check_law("descent, obstacles", 1000, beside_obstacles, never_rises);
}

TEST(Solve, SaysConvergedOnlyAtAKuhnTuckerPoint) {
  int converged = 0;
  const int count = 2000;
  check_law("kkt", count, small, [&](const Case& made) { return converged_is_true(made, &converged); });
  // Nearly all small problems converge; the rest stall at kinks (disjunctions, polyhedra) where no gradient
  // vanishes.
  EXPECT_GE(converged, law_count(count) * 9 / 10);
  RecordProperty("converged", converged);
}

TEST(Solve, SaysConvergedOnlyAtAKuhnTuckerPointOfMediumAndLargeFigures) {
  int converged = 0;
  check_law("kkt, medium", 200, medium, [&](const Case& made) { return converged_is_true(made, &converged); });
  EXPECT_GE(converged, law_count(200) * 6 / 10);
  check_law("kkt, large", 30, large, [&](const Case& made) { return converged_is_true(made, nullptr); });
}

// Edges and corners are kinks too, so that fewer converge.
TEST(Solve, SaysConvergedOnlyAtAKuhnTuckerPointBesideObstacles) {
  int converged = 0;
  check_law("kkt, obstacles", 1000, beside_obstacles,
            [&](const Case& made) { return converged_is_true(made, &converged); });
  EXPECT_GE(converged, law_count(1000) * 7 / 10);
  RecordProperty("converged", converged);
}

// The multipliers of the limits in use push back, and only limits that the pose is on have one.
TEST(Solve, EndsWithMultipliersOfTheRightSign) {
  int seen = 0;
  check_law("multipliers", 500, small, [&](const Case& made) -> std::string {
    Built built = build(made);
    Pose pose = built.start;
    const Report report = solve(built.problem, pose, options_of(made));
    for (const ConstraintReport& constraint : report.constraints) {
      double total = 0.0;
      for (const HoldingLimit& holding : constraint.held_back_by) {
        if (!(holding.share > 0.0 && holding.share <= 1.0)) return "a share of " + to_text(holding.share);
        if (holding.parameter >= 0) {
          const Range& range = built.figure.parameters()[static_cast<std::size_t>(holding.parameter)].range;
          const double theta = pose.theta[holding.parameter];
          // On it to the slack that the solver takes for rounding, 1e-12 of an angle or of the figure.
          const double near = 1e-12 * span_of(built.figure, holding.parameter);
          if (theta - range.lower > near && range.upper - theta > near)
            return std::string(holding.name) + " is named where the pose is not on it";
        }
        total += holding.share;
      }
      if (total > 1.0 + 1e-12) return "shares that add up to " + to_text(total);
      if (constraint.met && !constraint.held_back_by.empty()) return "a constraint that is met is held back";
    }
    if (report.exit != Exit::converged) return {};
    Assembly assembly(built.problem);
    VecX phi, g(assembly.variables());
    assembly.start(pose.theta, phi);
    assembly(phi, g);
    Kkt kkt;
    kkt.check(assembly.limits(), phi, g, 1e-12);
    for (const Kkt::Multiplier& multiplier : kkt.multipliers()) {
      ++seen;
      if (!assembly.limits().is_equality(multiplier.limit) && !(multiplier.lambda > 0.0))
        return "a multiplier of " + to_text(multiplier.lambda);
      if (assembly.limits().slack(multiplier.limit, phi) > 1e-12 && !assembly.limits().is_equality(multiplier.limit))
        return "a multiplier on a limit with slack";
    }
    return {};
  });
  EXPECT_GT(seen, law_count(500) / 4);
}

TEST(Solve, TakesAtMostOneIterationFromItsOwnAnswer) {
  check_law("restart", 1000, small, [](const Case& made) -> std::string {
    // From the answer Hold would hold something else.
    for (const ConstraintSpec& spec : made.constraints)
      for (const AlternativeSpec& alternative : spec.alternatives)
        if (std::holds_alternative<Hold>(alternative.goal) && !alternative.shell) return {};
    Built built = build(made);
    Pose pose = built.start;
    Options options = options_of(made);
    options.restarts = 0;
    if (solve(built.problem, pose, options).exit != Exit::converged) return {};
    const Report again = solve(built.problem, pose, options);
    if (again.exit != Exit::converged) return std::string("the second solve ends as ") + name_of(again.exit);
    if (again.start_projected) return "the answer counts as outside the limits";
    if (again.iterations > 1) return std::to_string(again.iterations) + " iterations from the answer";
    return {};
  });
}

TEST(Solve, GivesTheSameBitsTwice) {
  check_law("determinism", 300, small, [](const Case& made) -> std::string {
    Built one = build(made), two = build(made);
    Pose first = one.start, second = two.start, third = one.start;
    Solver solver(one.problem);
    const Options options = options_of(made);
    const Report a = solver.solve(first, options);
    const Report b = solve(two.problem, second, options);
    const Report c = solver.solve(third, options);  // the workspace has been used
    if (first.theta != second.theta || a.iterations != b.iterations || a.evaluations != b.evaluations ||
        a.objective != b.objective || a.kkt != b.kkt)
      return "two solves differ";
    if (first.theta != third.theta || a.evaluations != c.evaluations)
      return "the second solve of a solver differs from its first";
    if (to_text(a) != to_text(b)) return "two reports differ";
    return {};
  });
}

}  // namespace solve_law_test
}  // namespace limber::law
