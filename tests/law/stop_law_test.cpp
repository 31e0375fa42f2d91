// A solve may be stopped at any moment, by the caller or by a goal that fails. Promise P6.
#include <gtest/gtest.h>

#include <limits>

#include "limber/base/number.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace stop_law_test {

// The poses after each iteration of the whole solve.
std::vector<VecX> path_of(const Built& built, Options options) {
  std::vector<VecX> path;
  options.observer = [&](const Progress& progress) {
    path.push_back(progress.pose.theta);
    return true;
  };
  Pose pose = built.start;
  (void)solve(built.problem, pose, options);
  return path;
}

std::string feasible_and_no_worse(const Built& built, const Pose& pose, const Report& report) {
  if (!pose.theta.allFinite()) return "a pose that is not finite";
  if (!(limit_defect(built.figure, pose.theta) <= 1.0)) return "a pose outside the limits";
  if (!(report.objective <= report.objective_before)) return "a pose worse than the start";
  return {};
}

std::string gives_prefix_when_cancelled(const Case& made) {
  Built built = build(made);
  const std::vector<VecX> path = path_of(built, options_of(made));
  if (path.empty()) return {};
  Random random(made.seed);
  const int k = random.integer(1, static_cast<int>(path.size()));
  Options options = options_of(made);
  int calls = 0;
  options.observer = [&](const Progress& progress) {
    ++calls;
    return progress.iteration < k;
  };
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (report.exit != Exit::cancelled) return std::string("cancelled, yet it ends as ") + name_of(report.exit);
  if (calls != k || report.iterations != k) return "goes on after it was cancelled";
  if (pose.theta != path[static_cast<std::size_t>(k) - 1])
    return "another pose than the whole run has after " + std::to_string(k) + " iterations";
  return feasible_and_no_worse(built, pose, report);
}

std::string gives_prefix_at_limit(const Case& made) {
  Built built = build(made);
  const std::vector<VecX> path = path_of(built, options_of(made));
  Random random(made.seed);
  const int k = random.integer(0, static_cast<int>(path.size()));
  Options options = options_of(made);
  options.iterations = k;
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (report.iterations != k) return std::to_string(report.iterations) + " iterations of " + std::to_string(k);
  if (k > 0 && pose.theta != path[static_cast<std::size_t>(k) - 1])
    return "another pose than the whole run has after " + std::to_string(k) + " iterations";
  if (k < static_cast<int>(path.size()) && report.exit != Exit::iteration_limit && report.exit != Exit::converged)
    return std::string("ends as ") + name_of(report.exit);
  return feasible_and_no_worse(built, pose, report);
}

const CaseKind beside_soft_obstacles{.clear = Clear::softly};

TEST(Solve, GivesThePrefixOfTheWholeRunWhenCancelled) { check_law("cancel", 400, {}, gives_prefix_when_cancelled); }
TEST(Solve, GivesThePrefixOfTheWholeRunAtAnIterationLimit) {
  check_law("iteration limit", 400, {}, gives_prefix_at_limit);
}
TEST(Solve, GivesThePrefixOfTheWholeRunBesideObstacles) {
  check_law("cancel, obstacles", 300, beside_soft_obstacles, gives_prefix_when_cancelled);
  check_law("iteration limit, obstacles", 300, beside_soft_obstacles, gives_prefix_at_limit);
}

// A goal that gives NaN from its n-th evaluation on, in the residual or in the derivative.
Goal failing_goal(const Shell& shell, int* evaluations, int fails_at, bool in_derivative) {
  CustomGoal goal = std::get<CustomGoal>(shell_goal(shell));
  goal.residual = [good = goal.residual, evaluations, fails_at, in_derivative](const HandleValue& x, Residual& out) {
    good(x, out);
    if (++*evaluations < fails_at) return;
    if (in_derivative)
      out.J.setConstant(std::numeric_limits<double>::quiet_NaN());
    else
      out.r.setConstant(std::numeric_limits<double>::quiet_NaN());
  };
  return goal;
}

TEST(Solve, SurvivesAGoalThatBeginsToGiveNaN) {
  check_law("NaN", 600, {.constraints_max = 3}, [](const Case& made) -> std::string {
    Built built = build(made);
    Random random(made.seed);
    int evaluations = 0;
    const int fails_at = random.integer(3, 40);  // the first two are the evaluation of the start
    const Shell shell{built.figure.length() * random.direction(), 0.5 * built.figure.length()};
    // In the place of the first constraint, which is removed, so that the shell's evaluations are counted
    // from 1.
    if (!built.problem.add(built.figure.point(built.figure.segments().back().name),
                           failing_goal(shell, &evaluations, fails_at, random.chance(0.5))))
      return "rejected";
    Pose pose = built.start;
    const Report report = solve(built.problem, pose, options_of(made));
    if (std::string wrong = feasible_and_no_worse(built, pose, report); !wrong.empty()) return wrong;
    if (evaluations >= fails_at && report.exit == Exit::converged && !(report.kkt <= Options{}.tolerance))
      return "converged with a residual of " + to_text(report.kkt);
    if (!std::isfinite(report.objective)) return "an objective that is not finite";
    return {};
  });
}

TEST(Solve, SaysNotFiniteWhenAGoalGivesNaNAtTheStart) {
  check_law("NaN at the start", 100, {}, [](const Case& made) -> std::string {
    Built built = build(made);
    int evaluations = 0;
    const Shell shell{Vec3::Zero(), built.figure.length()};
    (void)built.problem.add(built.figure.point("segment0"), failing_goal(shell, &evaluations, 0, false));
    Pose pose = built.start;
    const Report report = solve(built.problem, pose, options_of(made));
    if (report.exit != Exit::not_finite) return std::string("ends as ") + name_of(report.exit);
    if (!report.rejection || report.rejection->found.empty()) return "no diagnostic";
    if (report.met()) return "counts as met";
    if (!pose.theta.allFinite() || !(limit_defect(built.figure, pose.theta) <= 1.0)) return "a pose outside the limits";
    return {};
  });
}

// Regions of NaN rather than moments: the line search must find its way around them.
TEST(Solve, StopsShortOfARegionWhereAGoalIsNotANumber) {
  check_law("NaN region", 200, {.constraints_max = 2}, [](const Case& made) -> std::string {
    Built built = build(made);
    const double border = 0.3 * built.figure.length();
    CustomGoal goal = std::get<CustomGoal>(shell_goal({Vec3::Zero(), 0.2 * built.figure.length()}));
    goal.residual = [good = goal.residual, border](const HandleValue& x, Residual& out) {
      good(x, out);
      if (x[0].x() > border) out.r[0] = std::numeric_limits<double>::quiet_NaN();
    };
    (void)built.problem.add(built.figure.point(built.figure.segments().back().name), goal);
    Pose pose = built.start;
    const Report report = solve(built.problem, pose, options_of(made));
    if (report.exit == Exit::not_finite) return {};
    return feasible_and_no_worse(built, pose, report);
  });
}

// Constraints added, removed, switched and weighed on the way leave nothing behind.
TEST(Problem, BuiltStepByStepEqualsOneBuiltFromScratch) {
  check_law("step by step", 400, {}, [](const Case& made) -> std::string {
    Built whole = build(made);
    Random random(made.seed + 1);
    Problem steps(whole.figure);
    Solver solver(steps);  // lives through all changes
    for (const ConstraintSpec& spec : made.constraints) {
      // One that is not in the problem, with a chain of its own.
      add_to(steps, {{random_goal(random, whole.figure, whole.start, random.integer(0, goal_kinds - 1), 1.0)}});
      const ConstraintId passing = steps.constraints().back().id;
      if (random.chance(0.5)) {
        Pose pose = whole.start;
        Options few = options_of(made);
        few.iterations = 3;
        (void)solver.solve(pose, few);
      }
      if (random.chance(0.5)) (void)steps.set_enabled(passing, false);
      add_to(steps, spec);
      const ConstraintId stays = steps.constraints().back().id;
      if (random.chance(0.3)) (void)steps.set_weight(stays, 0.0);
      if (random.chance(0.3)) (void)steps.set_enabled(stays, false);
      (void)steps.remove(passing);
      (void)steps.set_weight(stays, spec.weight);
      (void)steps.set_enabled(stays, true);
    }
    if (steps.variables() != whole.problem.variables()) return "other variables";
    Pose a = whole.start, b = whole.start;
    const Report one = solve(whole.problem, a, options_of(made));
    const Report two = solver.solve(b, options_of(made));
    if (a.theta != b.theta || one.objective != two.objective || one.iterations != two.iterations || one.kkt != two.kkt)
      return "another answer";
    return {};
  });
}

}  // namespace stop_law_test
}  // namespace limber::law
