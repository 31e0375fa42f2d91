// No allocation inside a solve once its workspace exists. Promise P8.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "limber/solver/solve.h"
#include "tests/law/allocation.h"
#include "tests/law/random_problem.h"

namespace limber::law {
namespace allocation_law_test {

// A compiler may leave out memory that nobody looks at.
const void* volatile seen = nullptr;

// Without these the law below could not fail.
TEST(Allocations, AreSeenWhoeverAsks) {
  long before = allocations();
  const auto number = std::make_unique<int>(1);
  seen = number.get();
  EXPECT_GT(allocations(), before) << "operator new";
  before = allocations();
  const std::vector<double> list(100, 1.0);
  seen = list.data();
  EXPECT_GT(allocations(), before) << "std::vector";
  before = allocations();
  const VecX vector = VecX::Ones(100);
  seen = vector.data();
  EXPECT_GT(allocations(), before) << "Eigen";
  before = allocations();
  const std::string text(100, static_cast<char>('a' + *number));
  seen = text.data();
  EXPECT_GT(allocations(), before) << "std::string";
}

TEST(Allocations, AreNotSeenWhereNobodyAsks) {
  VecX a = VecX::Ones(100), b = VecX::Ones(100);
  const long before = allocations();
  a += 2.0 * b;
  EXPECT_EQ(allocations(), before);
}

std::string allocates(long before, const char* where) {
  const long since = allocations() - before;
  return since == 0 ? std::string() : std::to_string(since) + " allocations in " + where;
}

// Different starts end at different limits, with other multipliers; the room for all must be there from the
// first solve on.
TEST(Solver, AllocatesNothingAfterItsFirstSolve) {
  check_law("allocation", 300, {.start_within_limits = true}, [](const Case& made) -> std::string {
    Built built = build(made);
    Random random(made.seed);
    Solver solver(built.problem);
    const Options options = options_of(made);
    std::vector<Pose> starts;
    for (int k = 0; k < 5; ++k) starts.push_back(random_pose(random, built.figure));
    Pose pose = built.start;
    (void)solver.solve(pose, options);
    for (const Pose& start : starts) {
      pose.theta = start.theta;
      const long before = allocations();
      const Report& report = solver.solve(pose, options);
      std::string wrong = allocates(before, "a later solve");
      if (!wrong.empty()) return wrong + (report.start_projected ? ", projected" : "");
    }
    return {};
  });
}

TEST(Solver, AllocatesNothingWithAnyMethod) {
  check_law("allocation, methods", 400, {.constraints_max = 4, .start_within_limits = true, .levels = true},
            [](const Case& made) -> std::string {
              Built built = build(made);
              Random random(made.seed);
              const bool has_levels = std::ranges::any_of(
                  made.constraints, [](const ConstraintSpec& spec) { return spec.priority != first_level; });
              Options options;
              options.iterations = 60;
              options.until_met = made.seed / std::size(method_table) % 4 == 0;
              options.method = method_table[has_levels ? 0 : made.seed % std::size(method_table)].method;
              Solver solver(built.problem);
              Pose pose = built.start;
              (void)solver.solve(pose, options);
              for (int k = 0; k < 3; ++k) {
                pose = random_pose(random, built.figure);
                const long before = allocations();
                const Report& report = solver.solve(pose, options);
                if (std::string wrong = allocates(before, "a later solve"); !wrong.empty())
                  return wrong + " by " + std::string(name_of(options.method)) +
                         (report.start_projected ? ", projected" : "");
              }
              return {};
            });
}

TEST(Solver, AllocatesNothingForLargeFigures) {
  check_law("allocation, large", 20,
            {.freedoms_min = 60, .freedoms_max = 200, .constraints_max = 12, .start_within_limits = true},
            [](const Case& made) -> std::string {
              Built built = build(made);
              Solver solver(built.problem);
              const Options options = options_of(made);
              Pose pose = built.start;
              (void)solver.solve(pose, options);
              pose.theta = built.start.theta;
              const long before = allocations();
              (void)solver.solve(pose, options);
              return allocates(before, "the second solve");
            });
}

TEST(Solver, AllocatesNothingForAnObserver) {
  check_law("allocation, observer", 100, {.start_within_limits = true}, [](const Case& made) -> std::string {
    Built built = build(made);
    Solver solver(built.problem);
    int seen = 0;
    Options options = options_of(made);
    options.observer = [&seen](const Progress& progress) {
      return seen += static_cast<int>(progress.pose.theta.size()), true;
    };
    Pose pose = built.start;
    (void)solver.solve(pose, options);
    pose.theta = built.start.theta;
    const long before = allocations();
    (void)solver.solve(pose, options);
    return allocates(before, "the second solve");
  });
}

// Dragging: a goal moves between solves, now within reach, now far out of it, so that limits begin to hold it
// back.
TEST(Solver, AllocatesNothingWhileAGoalIsDragged) {
  check_law("allocation, dragging", 200, {.constraints_max = 4, .start_within_limits = true},
            [](const Case& made) -> std::string {
              Built built = build(made);
              const double length = built.figure.length();
              const Expected<ConstraintId> hand =
                  built.problem.add(built.figure.point(built.figure.segments().back().name), Position{Vec3::Zero()});
              if (!hand) return "rejected";
              Random random(made.seed);
              Solver solver(built.problem);
              const Options options = options_of(made);
              Pose pose = built.start;
              (void)solver.solve(pose, options);
              for (int frame = 0; frame < 8; ++frame) {
                if (!built.problem.set_goal(*hand, Position{length * random.between(0.0, 3.0) * random.direction()}))
                  return "rejected";
                const long before = allocations();
                (void)solver.solve(pose, options);
                if (std::string wrong = allocates(before, "a frame"); !wrong.empty()) return wrong;
              }
              return {};
            });
}

}  // namespace allocation_law_test
}  // namespace limber::law
