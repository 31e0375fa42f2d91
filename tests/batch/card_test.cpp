// Batches by the module for GPUs, compiled for the processor: the same promises as without it.
#include "limber/batch/card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "limber/batch/solve_batch.h"
#include "limber/kinematics/forward.h"
#include "tests/law/random_figure.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace card_test {

using testing::built;
using testing::good;

constexpr double metres = 1e-5, chord = 1e-5;

class Card : public ::testing::Test {
 protected:
  void SetUp() override { setenv("LIMBER_CUDA", cuda_twin_path().c_str(), 1); }
  void TearDown() override { unsetenv("LIMBER_CUDA"); }
};

BatchOptions options_on(Device device) {
  return {.met_metres = metres, .met_degrees = degrees(chord), .device = device};
}

// Reachable placements and positions of sites, in turn, from random poses, with random starts.
struct Reachable {
  Figure figure;
  Problem problem;
  std::vector<Handle> handles;
  std::vector<std::vector<Frame>> targets;  // by problem
  std::vector<Goal> goals;
  MatX starts;

  Reachable(Random& random, Figure of, int ends, int count)
      : figure(std::move(of)), problem(figure), starts(figure.rest().theta.size(), count) {
    for (int e = 0; e < ends; ++e) {
      const std::string& site = figure.sites()[static_cast<std::size_t>(e) % figure.sites().size()].name;
      if (e % 2 == 0)
        good(problem.add(figure.frame(site), Placement{}));
      else
        good(problem.add(figure.point(site), Position{}));
    }
    for (int p = 0; p < count; ++p) {
      const Kinematics state = forward(figure, law::random_pose(random, figure));
      targets.emplace_back();
      for (int e = 0; e < ends; ++e) {
        const Site& site = figure.sites()[static_cast<std::size_t>(e) % figure.sites().size()];
        const Frame X = state.segments[static_cast<std::size_t>(site.segment)] * site.frame;
        targets.back().push_back(X);
        if (e % 2 == 0)
          goals.emplace_back(Placement{X.p, orientation(X.R, 1.0)});
        else
          goals.emplace_back(Position{X.p});
      }
      starts.col(p) = law::random_pose(random, figure).theta;
    }
    const Goal first = goals.front();
    EXPECT_TRUE(problem.set_goal(problem.constraints().front().id, first).has_value());
  }

  // By the kinematics of the figure, which shares nothing with the lanes.
  bool is_met(Eigen::Index p, const VecX& theta) const {
    const Kinematics state = forward(figure, Pose{theta});
    for (std::size_t e = 0; e < targets[static_cast<std::size_t>(p)].size(); ++e) {
      const Frame& to = targets[static_cast<std::size_t>(p)][e];
      const Site& site = figure.sites()[e % figure.sites().size()];
      const Frame X = state.segments[static_cast<std::size_t>(site.segment)] * site.frame;
      constexpr double last_digits = 1.0 + 1e-6;
      if ((X.p - to.p).norm() > last_digits * metres) return false;
      if (e % 2 == 0 &&
          std::max((X.R.col(0) - to.R.col(0)).norm(), (X.R.col(1) - to.R.col(1)).norm()) > last_digits * chord)
        return false;
    }
    return true;
  }

  void expect_promises(const BatchReport& report, const MatX& poses) const {
    for (Eigen::Index p = 0; p < poses.cols(); ++p) {
      for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
        const Range& range = figure.parameters()[j].range;
        const double x = poses(static_cast<Eigen::Index>(j), p);
        ASSERT_TRUE(x >= range.lower && x <= range.upper) << figure.parameters()[j].name << " of problem " << p;
      }
      if (report.met[static_cast<std::size_t>(p)]) {
        EXPECT_TRUE(is_met(p, poses.col(p))) << "problem " << p;
      }
    }
  }
};

TEST_F(Card, MeetsReachableGoalsOfAnArmWithinItsLimits) {
  Random random(2901);
  const int count = 400;
  FigureDescription narrow = testing::seven_joint_arm();
  for (JointDescription& joint : narrow.joints) joint.freedoms.front().range = {-1.0, 1.0};
  const Reachable arm(random, built(narrow), 1, count);
  MatX poses = arm.starts;
  const BatchReport report = good(solve_batch(arm.problem, arm.goals, poses, options_on(Device::gpu)));
  EXPECT_EQ(report.card, "the processor, in place of a GPU");
  EXPECT_EQ(report.no_card, "");
  arm.expect_promises(report, poses);
  EXPECT_GE(report.in_lanes, static_cast<std::size_t>(count) * 98 / 100);
  EXPECT_GE(report.met_count, static_cast<std::size_t>(count) - 1);
  int on_a_limit = 0;
  for (std::size_t j = 0; j < arm.figure.parameters().size(); ++j) {
    const Range& range = arm.figure.parameters()[j].range;
    const auto row = poses.row(static_cast<Eigen::Index>(j)).array();
    on_a_limit += static_cast<int>((row == range.lower || row == range.upper).count());
  }
  EXPECT_GE(on_a_limit, 10) << "exactly there";
}

TEST_F(Card, MeetsWhatTheProcessorMeetsOfAnyFigure) {
  Random random(2902);
  int simple = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Figure figure = built(law::random_figure(
        random, {.freedoms = random.integer(8, 30), .groups = false, .rows = false, .decades = 0.3}));
    const Reachable any(random, figure, random.integer(1, 3), 5);
    MatX on_card = any.starts, on_processor = any.starts;
    const BatchReport report = good(solve_batch(any.problem, any.goals, on_card, options_on(Device::gpu)));
    const BatchReport expected = good(solve_batch(any.problem, any.goals, on_processor, options_on(Device::cpu)));
    any.expect_promises(report, on_card);
    EXPECT_GE(report.met_count + 1, expected.met_count) << "figure " << trial;
    EXPECT_EQ(report.in_lanes == 0, expected.in_lanes == 0) << "figure " << trial;
    simple += report.in_lanes > 0;
  }
  EXPECT_GE(simple, 8);
}

TEST_F(Card, GivesTheSameBitsInAnyCompanyAndOrder) {
  Random random(2903);
  const Reachable arm(random, built(testing::seven_joint_arm()), 1, 60);
  MatX all = arm.starts;
  good(solve_batch(arm.problem, arm.goals, all, options_on(Device::gpu)));
  MatX reversed = arm.starts.rowwise().reverse();
  const std::vector<Goal> goals(arm.goals.rbegin(), arm.goals.rend());
  good(solve_batch(arm.problem, goals, reversed, options_on(Device::gpu)));
  EXPECT_EQ(MatX(reversed.rowwise().reverse()), all);
  for (const Eigen::Index p : {0, 17, 59}) {
    MatX alone = arm.starts.col(p);
    const std::vector<Goal> goal = {arm.goals[static_cast<std::size_t>(p)]};
    good(solve_batch(arm.problem, goal, alone, options_on(Device::gpu)));
    EXPECT_EQ(alone, MatX(all.col(p))) << "problem " << p;
  }
}

TEST_F(Card, LeavesTheWorkToTheProcessorWhereThereIsNone) {
  Random random(2904);
  const Reachable arm(random, built(testing::seven_joint_arm()), 1, 20);
  setenv("LIMBER_CUDA", "no/such/module.so", 1);
  MatX poses = arm.starts, expected = arm.starts;
  const BatchReport report = good(solve_batch(arm.problem, arm.goals, poses, options_on(Device::gpu)));
  good(solve_batch(arm.problem, arm.goals, expected, options_on(Device::cpu)));
  EXPECT_EQ(poses, expected);
  EXPECT_EQ(report.card, "");
  EXPECT_EQ(
      report.no_card,
      "No GPU: found no no/such/module.so, expected liblimber_cuda.so beside the program, or its path in LIMBER_CUDA; "
      "the processor solves the problems.");
}

TEST_F(Card, SaysThatCoupledJointsAreForTheProcessor) {
  Random random(2905);
  FigureDescription coupled = testing::seven_joint_arm();
  coupled.limits.push_back({"together", {{"joint 2.turn", 1.0}, {"joint 4.turn", 1.0}}, Relation::at_most, 1.0});
  const Reachable arm(random, built(coupled), 1, 3);
  MatX poses = arm.starts;
  const BatchReport report = good(solve_batch(arm.problem, arm.goals, poses, options_on(Device::gpu)));
  EXPECT_EQ(report.no_card,
            "These problems are not for a GPU, which solves simple ones only: they are solved one by one.");
  EXPECT_EQ(report.in_lanes, 0U);
  arm.expect_promises(report, poses);
}

}  // namespace card_test
}  // namespace limber
