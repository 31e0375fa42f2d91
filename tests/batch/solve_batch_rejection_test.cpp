// What a batch refuses: wrong sizes, numbers, goals and options, each in words.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "limber/batch/solve_batch.h"
#include "tests/support/figures.h"

namespace limber {
namespace solve_batch_rejection_test {

using testing::built;
using testing::good;

// What is wrong with a call, in words; nothing is touched.
std::string rejection_of(const Problem& problem, std::span<const Goal> goals, const MatX& starts,
                         const BatchOptions& options = {}) {
  MatX poses = starts;
  const Expected<BatchReport> report = solve_batch(problem, goals, poses, options);
  EXPECT_TRUE(poses.cwiseEqual(starts).count() + starts.array().isNaN().count() == starts.size());
  return report ? "" : report.error().text();
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  EXPECT_FALSE(text.empty());
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

TEST(SolveBatch, RejectsWhatDoesNotFit) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{}));
  const std::vector<Goal> goals(3, Position{{1.0, 1.0, 0.0}});
  const MatX starts = MatX::Zero(2, 3);
  MatX poses = starts;
  ASSERT_TRUE(solve_batch(problem, goals, poses));
  expect_words(rejection_of(problem, std::span(goals).first(2), starts), {"goals", "found 2", "expected 3"});
  expect_words(rejection_of(problem, {}, starts), {"goals", "found 0"});
  expect_words(rejection_of(problem, goals, MatX::Zero(3, 3)), {"poses", "3 rows", "expected 2"});
  expect_words(rejection_of(problem, goals, MatX::Zero(2, 4)), {"goals", "found 3", "expected 4"});
  for (const double wrong : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    MatX odd = starts;
    odd(1, 2) = wrong;
    expect_words(rejection_of(problem, goals, odd), {"poses, column 2", "finite"});
    std::vector<Goal> odd_goals = goals;
    odd_goals[1] = Position{{0.0, wrong, 0.0}};
    expect_words(rejection_of(problem, odd_goals, starts), {"problem 1", "finite"});
  }
  for (const Goal& goal : {Goal(Direction{}), Goal(Placement{}), Goal(AimAt{})}) {
    std::vector<Goal> odd_goals = goals;
    odd_goals[2] = goal;
    expect_words(rejection_of(problem, odd_goals, starts), {"problem 2"});
  }
  expect_words(rejection_of(problem, goals, starts, {.met_metres = 0.0}), {"met_metres"});
  expect_words(rejection_of(problem, goals, starts, {.met_degrees = -1.0}), {"met_degrees"});
  expect_words(rejection_of(problem, goals, starts, {.met_metres = std::numeric_limits<double>::quiet_NaN()}),
               {"met_metres"});
  expect_words(rejection_of(problem, goals, starts, {.lane_tries = -1}), {"lane_tries", "-1", "0 or more"});
  expect_words(rejection_of(problem, goals, starts, {.threads = -2}), {"threads", "-2", "0 or more"});
  ASSERT_FALSE(problem.add(figure.point("no such place"), Position{}));
  expect_words(rejection_of(problem, goals, starts), {"no such place"});
}

// What Solver rejects is rejected here as well, and not answered with poses that nobody looked at.
TEST(SolveBatch, RejectsTheOptionsThatSolverRejects) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{}));
  const std::vector<Goal> goals(5, Position{{1.0, 1.0, 0.0}});
  for (const Options& wrong : {Options{.tolerance = 0.0}, Options{.iterations = -1}, Options{.restarts = -1}})
    EXPECT_NE(rejection_of(problem, goals, MatX::Zero(2, 5), {.thorough = wrong}), "");
}

}  // namespace solve_batch_rejection_test
}  // namespace limber
