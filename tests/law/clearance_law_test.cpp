// What every solve keeps where something is to be clear exactly, over random figures, goals and obstacles: the limits,
// the iterations that were allowed, the bits; an answer that is clear, or a report that says of what it is not.
// Promises P3 and P5 to P8 with obstacles on. What is kept clear softly is a goal among others, and has its turns in
// the laws of the other files.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/law/allocation.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace clearance_law_test {

const CaseKind clear_small{.freedoms_max = 10, .constraints_max = 4, .clear = Clear::exactly};
const CaseKind clear_medium{.freedoms_min = 12, .freedoms_max = 40, .clear = Clear::exactly};

// A length that is rounding, where points of so far away were turned and shifted.
double gap_rounding(const Figure& figure, const Clearance& clearance) {
  double far = figure.length();
  for (const Obstacle& obstacle : clearance.obstacles) far = std::fmax(far, obstacle.X_world_shape.p.norm());
  return 1e-11 * far;
}

const Clearance& clearance_in(const Built& built) { return *built.problem.constraints().back().clearance(); }

// What the report says of the clearance against all gaps, computed anew.
std::string says_what_is_clear(const Built& built, const Pose& pose, const Report& report) {
  const Clearance& clearance = clearance_in(built);
  const ConstraintReport& stated = report.constraints.back();
  const std::vector<PairGap> gaps = all_gaps(built.figure, pose.theta, clearance);
  const double rounding = gap_rounding(built.figure, clearance);
  const double shortfall = std::fmax(0.0, clearance.margin - min_gap_of(gaps));
  if (stated.met ? shortfall > rounding : shortfall < -rounding)
    return std::string(stated.met ? "met" : "not met") + " with a gap too small by " + to_text(shortfall);
  if (std::fabs(stated.error.metres.value_or(-1.0) - shortfall) > rounding)
    return to_text(stated.error.metres.value_or(-1.0)) + " m of error, by all gaps " + to_text(shortfall);
  if (shortfall <= rounding) return {};
  if (stated.met || report.met()) return "an overlap that counts as met";
  if (stated.touches.empty()) return "an overlap that is not named";
  if (std::fabs(stated.touches.front().gap - min_gap_of(gaps)) > rounding)
    return "the deepest overlap is not the first";
  constexpr std::size_t max_named = 32;
  if (stated.touches.size() >= max_named) return {};
  for (const PairGap& pair : gaps) {
    if (pair.gap >= clearance.margin - rounding) continue;
    const auto is_it = [&](const Touch& touch) {
      return touch.segment == pair.segment && touch.other_segment == pair.other_segment &&
             touch.obstacle == pair.obstacle;
    };
    if (std::none_of(stated.touches.begin(), stated.touches.end(), is_it))
      return "an overlap of " + to_text(pair.gap) + " m is not named";
  }
  return {};
}

std::string is_lawful(const Case& made) {
  const Built built = build(made);
  Options options = options_of(made);
  std::string wrong;
  int last = 0;
  options.observer = [&](const Progress& progress) {
    if (!(limit_defect(built.figure, progress.pose.theta) <= 1.0)) wrong = "an iterate outside the limits";
    if (progress.iteration != last + 1) wrong = "iterations that do not count up";
    if (!std::isfinite(progress.objective)) wrong = "an objective that is not finite";
    last = progress.iteration;
    return true;
  };
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (report.exit == Exit::infeasible) return {};  // rows of limits that hardly meet: obstacles have no part in it
  if (report.exit == Exit::rejected || report.exit == Exit::not_finite)
    return std::string("ends as ") + name_of(report.exit);
  if (!wrong.empty()) return wrong;
  if (last != report.iterations || last > options.iterations)
    return std::to_string(report.iterations) + " iterations, seen " + std::to_string(last);
  if (!(limit_defect(built.figure, pose.theta) <= 1.0)) return "an answer outside the limits";
  if (!std::isfinite(report.objective) || !std::isfinite(report.kkt)) return "a report that is not finite";
  return says_what_is_clear(built, pose, report);
}

TEST(KeepClear, KeepsLimitsAndSaysWhatIsClear) { check_law("keep clear", 1000, clear_small, is_lawful); }
TEST(KeepClear, KeepsLimitsAndSaysWhatIsClearOfMediumFigures) {
  check_law("keep clear, medium", 100, clear_medium, is_lawful);
}

// Few random problems have no clear answer: starts deep inside of something, goals in the middle of it.
TEST(KeepClear, NearlyAlwaysEndsClearWhereItBeganClear) {
  int began = 0, ended = 0;
  check_law("keep clear, from clear", 1000, clear_small, [&](const Case& made) -> std::string {
    const Built built = build(made);
    const Clearance& clearance = clearance_in(built);
    Pose pose = built.start;
    (void)solve(built.problem, pose, {.iterations = 0});
    if (min_gap_of(all_gaps(built.figure, pose.theta, clearance)) < clearance.margin) return {};
    ++began;
    if (solve(built.problem, pose, options_of(made)).constraints.back().met) ++ended;
    return {};
  });
  EXPECT_GT(began, law_count(1000) / 10);
  EXPECT_GE(ended, began * 99 / 100) << "of " << began;
  RecordProperty("ended_clear", ended);
}

// Stopped wherever it is, by iterations or by the observer: limits hold, the report tells the truth, and what was clear
// at the start is clear.
std::string stops_well(const Case& made, bool cancels) {
  const Built built = build(made);
  Options options = options_of(made);
  const int stop = Random(made.seed).integer(0, 30);
  if (cancels) {
    options.observer = [stop](const Progress& progress) { return progress.iteration <= stop; };
  } else {
    options.iterations = stop;
  }
  const Clearance& clearance = clearance_in(built);
  Pose start = built.start;
  (void)solve(built.problem, start, {.iterations = 0});
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  if (report.exit == Exit::infeasible) return {};
  if (report.iterations > (cancels ? stop + 1 : stop)) return std::to_string(report.iterations) + " iterations";
  if (!(limit_defect(built.figure, pose.theta) <= 1.0)) return "an answer outside the limits";
  if (std::string wrong = says_what_is_clear(built, pose, report); !wrong.empty()) return wrong;
  const double before = clearance.margin - min_gap_of(all_gaps(built.figure, start.theta, clearance));
  const double after = clearance.margin - min_gap_of(all_gaps(built.figure, pose.theta, clearance));
  if (after > std::fmax(0.0, before) + gap_rounding(built.figure, clearance))
    return "off the margin by " + to_text(after) + " m, at the start by " + to_text(before);
  if (before <= 0.0 && !(report.objective <= report.objective_before))
    return "objective " + to_text(report.objective) + ", at a clear start " + to_text(report.objective_before);
  return {};
}

TEST(KeepClear, IsNoDeeperThanAtTheStartWhenIterationsEnd) {
  check_law("keep clear, iterations", 1000, clear_small, [](const Case& made) { return stops_well(made, false); });
}
TEST(KeepClear, IsNoDeeperThanAtTheStartWhenCancelled) {
  check_law("keep clear, cancelled", 1000, clear_small, [](const Case& made) { return stops_well(made, true); });
}

// `converged` with obstacles: what is left of the gradient of the goals is held by limits and by what touches, each
// pushing its own way only. So the multipliers have the right sign, or there are none. (Where nothing is clear, it is
// the overlap that has come to rest.)
TEST(KeepClear, SaysConvergedOnlyAtAKuhnTuckerPoint) {
  int seen = 0, pushed = 0;
  CaseKind kind = clear_small;
  kind.rows = false;  // rows that are nearly parallel take the reference's projections too long
  check_law("keep clear, kkt", 1000, kind, [&](const Case& made) -> std::string {
    for (const ConstraintSpec& spec : made.constraints)
      for (const AlternativeSpec& alternative : spec.alternatives)
        if (std::holds_alternative<Hold>(alternative.goal) && !alternative.shell) return {};
    const Built built = build(made);
    Pose pose = built.start;
    const Options options = options_of(made);
    const Report report = solve(built.problem, pose, options);
    if (report.exit != Exit::converged || !report.constraints.back().met) return {};
    // Without the obstacles, and with obstacles of a margin that takes in all that may push.
    Case free = made, wider = made;
    free.clearance.reset();
    wider.clearance->margin += 1e-4 * built.figure.length();
    const Built goals = build(free), near = build(wider);
    Assembly assembly(goals.problem), contacts(near.problem);
    VecX phi, g(assembly.variables()), r;
    MatX J;
    assembly.start(pose.theta, phi);
    assembly(phi, g);
    contacts.start(pose.theta, phi);
    contacts.residual(phi, r);
    contacts.jacobian(phi, J);
    const std::size_t c = near.problem.constraints().size() - 1;
    // The nearest are enough where more push than are listed: those are the deepest of this wider margin.
    const auto listed = static_cast<int>(contacts.contacts_of(c)->list().size());
    if (listed == contacts.contacts_of(c)->max_count()) return {};
    std::vector<VecX> more;
    for (int k = 0; k < listed; ++k) more.push_back(J.row(contacts.rows_of(c).begin + k).transpose());
    ++seen;
    pushed += more.empty() ? 0 : 1;
    const double kkt = reference_kkt(goals.problem, pose.theta, g, more);
    // Nearly parallel contacts take the reference's projections long; what is not held at all is thousands of times as
    // much.
    constexpr double projected = 100.0;
    if (!(kkt <= projected * options.tolerance)) return "a Kuhn-Tucker residual of " + to_text(kkt);
    return {};
  });
  EXPECT_GT(seen, law_count(1000) / 8);
  EXPECT_GT(pushed, law_count(1000) / 40);
  RecordProperty("converged_in_touch", pushed);
}

TEST(KeepClear, GivesTheSameBitsTwice) {
  check_law("keep clear, determinism", 100, clear_small, [](const Case& made) -> std::string {
    const Built one = build(made), two = build(made);
    Pose first = one.start, second = two.start, third = one.start, away = one.figure.rest();
    Solver solver(one.problem);
    const Options options = options_of(made);
    const Report a = solver.solve(first, options), b = solve(two.problem, second, options);
    (void)solver.solve(away, options);  // the workspace has been used, elsewhere
    const Report c = solver.solve(third, options);
    if (first.theta != second.theta || a.evaluations != b.evaluations || a.kkt != b.kkt) return "two solves differ";
    if (first.theta != third.theta || a.evaluations != c.evaluations) return "a used solver differs from a new one";
    if (to_text(a) != to_text(b) || to_text(a) != to_text(c)) return "two reports differ";
    return {};
  });
}

TEST(KeepClear, AllocatesNothingAfterItsFirstSolve) {
  CaseKind kind = clear_small;
  kind.start_within_limits = true;
  check_law("keep clear, allocation", 150, kind, [](const Case& made) -> std::string {
    const Built built = build(made);
    Random random(made.seed);
    Solver solver(built.problem);
    const Options options = options_of(made);
    std::vector<Pose> starts;
    for (int k = 0; k < 4; ++k) starts.push_back(random_pose(random, built.figure));
    Pose pose = built.start;
    (void)solver.solve(pose, options);
    for (const Pose& start : starts) {
      pose.theta = start.theta;
      const long before = allocations();
      (void)solver.solve(pose, options);
      if (allocations() != before) return std::to_string(allocations() - before) + " allocations in a later solve";
    }
    return {};
  });
}

// What is met stays met beside an obstacle that is far away. Tries are shorter beside obstacles, and other starts do
// the rest.
TEST(KeepClear, IgnoresWhatIsFarAway) {
  CaseKind kind = clear_small;
  kind.clear = Clear::of_nothing;
  int met = 0;
  check_law("keep clear, far", 300, kind, [&](const Case& made) -> std::string {
    Case with = made;
    Frame far;
    const Figure figure = *try_build(made);
    far.p = Vec3(1e4 * figure.length(), 0.0, 0.0);
    with.clearance = ClearanceSpec{{*build_obstacle("far", BallShape{figure.length()}, far)}};
    const Built a = build(made), b = build(with);
    Pose one = a.start, two = b.start;
    const Options options = options_of(made);
    const Report first = solve(a.problem, one, options), second = solve(b.problem, two, options);
    if (!second.constraints.back().met || !second.constraints.back().touches.empty()) return "touches what is far";
    constexpr int short_try = 150;
    if (!first.met() || (options.restarts == 0 && first.iterations > short_try)) return {};
    ++met;
    if (!second.met()) return "not met: " + to_text(second);
    return {};
  });
  EXPECT_GE(met, law_count(300) / 5);
}

// From its own answer a solve goes nowhere: what was clear is clear, and no goal is farther.
TEST(KeepClear, StaysAtItsOwnAnswer) {
  int seen = 0;
  check_law("keep clear, again", 400, clear_small, [&](const Case& made) -> std::string {
    for (const ConstraintSpec& spec : made.constraints)
      for (const AlternativeSpec& alternative : spec.alternatives)
        if (std::holds_alternative<Hold>(alternative.goal) && !alternative.shell) return {};
    const Built built = build(made);
    Pose pose = built.start;
    const Report first = solve(built.problem, pose, options_of(made));
    if (first.exit != Exit::converged || !first.constraints.back().met) return {};
    ++seen;
    const Report again = solve(built.problem, pose, options_of(made));
    if (again.start_projected) return "the answer counts as outside the limits";
    if (!again.constraints.back().met) return "no longer clear";
    return {};
  });
  EXPECT_GT(seen, law_count(400) / 4);
}

}  // namespace clearance_law_test
}  // namespace limber::law
