// Options::resumes: a goal that moves a little from solve to solve is followed in few iterations each.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/balance.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace resume_test {

using testing::good;

// A human on planted feet whose palm goes round in a circle before it.
class Following {
 public:
  Following() : figure_(human()), problem_(figure_), pose_(figure_.rest()) {
    for (const char* foot : {"left_foot", "right_foot"}) {
      const Expected<Handle> handle = figure_.frame(foot);
      feet_.push_back(*handle);
      (void)good(problem_.add(handle, Hold{}, {.weight = must, .name = foot}));
    }
    const Expected<Handle> palm = figure_.point("right_palm");
    centre_ = Vec3(-0.3, 1.2, 0.3);
    palm_ = good(problem_.add(palm, Position{centre_}, {.name = "palm"}));
    (void)good(problem_.add_pull(towards(figure_, pose_), {.weight = calm, .name = "calm"}));
    (void)good(add_balance(problem_, pose_, {"left_foot", "right_foot"}, {.margin = 0.02}));
    solver_.emplace(problem_);
    (void)solver_->solve(pose_, {.restarts = 0});
  }

  // The mean error over the frames of a turn, in metres.
  double turn(const Options& options, double radius, int frames) {
    double sum = 0.0;
    for (int k = 1; k <= frames; ++k) {
      const double angle = 2.0 * pi * k / frames;
      sum += to(centre_ + radius * Vec3(std::sin(angle), 1.0 - std::cos(angle), 0.0), options);
    }
    return sum / frames;
  }

  // One frame: the error, in metres.
  double to(const Vec3& goal, const Options& options) {
    (void)problem_.set_goal(palm_, Position{goal});
    const Report& report = solver_->solve(pose_, options);
    iterations += report.iterations;
    return report.constraints[2].error.metres.value_or(0.0);
  }

  Solver& solver() { return *solver_; }
  const Pose& pose() const { return pose_; }

  // How far the feet are from where they were planted, in metres.
  double feet_off() const {
    const Kinematics now = forward(figure_, pose_), then = forward(figure_, figure_.rest());
    double max_distance = 0.0;
    for (const Handle& foot : feet_)
      max_distance = std::fmax(max_distance,
                               (evaluate(figure_, now, foot.plus[0]) - evaluate(figure_, then, foot.plus[0])).norm());
    return max_distance;
  }

  int iterations = 0;

 private:
  static constexpr double calm = 3e-4;
  Figure figure_;
  Problem problem_;
  Pose pose_;
  std::vector<Handle> feet_;
  Vec3 centre_;
  ConstraintId palm_;
  std::optional<Solver> solver_;
};

// The second turn: in the first frames of a drag nothing is remembered yet.
TEST(Resume, FollowsInFewIterations) {
  for (const double radius : {0.1, 0.2, 0.3}) {
    Following resumed, afresh, at_length;
    const auto second_turn = [&](Following& figure, const Options& options) {
      (void)figure.turn(options, radius, 60);
      figure.iterations = 0;
      return figure.turn(options, radius, 60);
    };
    const double error = second_turn(resumed, {.iterations = 4, .resumes = true, .restarts = 0});
    const double error_afresh = second_turn(afresh, {.iterations = 4, .restarts = 0});
    (void)second_turn(at_length, {.iterations = 12, .restarts = 0});
    EXPECT_LT(error, 0.2 * error_afresh) << "radius " << radius;
    EXPECT_LT(error, 0.015) << "radius " << radius;
    EXPECT_LT(resumed.iterations, 0.5 * at_length.iterations) << "radius " << radius;
    EXPECT_LT(resumed.feet_off(), 1e-9) << "radius " << radius;
  }
}

TEST(Resume, ASolveBetweenThatDoesNotResumeChangesNothing) {
  Following with, without;
  const Options resuming{.iterations = 4, .resumes = true, .restarts = 0};
  (void)with.turn(resuming, 0.1, 20);
  (void)without.turn(resuming, 0.1, 20);
  Pose aside = with.pose();
  (void)with.solver().solve(aside, {.iterations = 3, .restarts = 0});
  (void)with.turn(resuming, 0.1, 20);
  (void)without.turn(resuming, 0.1, 20);
  EXPECT_EQ(with.pose().theta, without.pose().theta);
}

// A solve that has stalled leaves nothing to go on with: its steps were none.
TEST(Resume, MovesOnAfterAGoalOutOfReachAsIfAfresh) {
  const auto error_after = [](bool resumes) {
    Following figure;
    const Options options{.iterations = 4, .resumes = resumes, .restarts = 0};
    for (int k = 0; k < 400; ++k) (void)figure.to(Vec3(-3.0, 1.2, 0.3), options);
    double error = infinity;
    for (int k = 0; k < 12; ++k) error = figure.to(Vec3(-0.3, 1.2, 0.3), options);
    return error;
  };
  EXPECT_LT(error_after(true), 1.1 * error_after(false));
}

TEST(Resume, GivesTheSameBitsAgain) {
  Following one, other;
  const Options resuming{.iterations = 4, .resumes = true, .restarts = 0};
  (void)one.turn(resuming, 0.12, 30);
  (void)other.turn(resuming, 0.12, 30);
  EXPECT_EQ(one.pose().theta, other.pose().theta);
}

}  // namespace resume_test
}  // namespace limber
