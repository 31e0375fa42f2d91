// With default options, a goal that some pose meets is met: positions and placements of one limb and of all limbs, from
// rest and from anywhere, for every kind of figure. A goal that no pose meets gets its nearest pose, in few iterations.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber::law {
namespace reach_law_test {

using testing::good;

struct Sample {
  std::string name;
  Figure figure;
  std::vector<std::string> tips;
};

Sample read(const std::string& file, std::vector<std::string> tips, bool free_root = false) {
  const std::string path = (std::filesystem::path(source_dir()) / "data" / file).string();
  const Content content = good(read_content(read_sample(path), path));
  const Figure named = good(with_common_names(*content.figure));
  return {file, free_root ? good(with_free_root(named)) : named, std::move(tips)};
}

std::vector<Sample> samples() {
  const std::vector<std::string> ends = {"left_hand", "right_hand", "left_foot", "right_foot", "head"};
  const std::vector<std::string> limbs = {"left_hand", "right_hand", "left_foot", "right_foot"};
  const std::vector<std::string> paws = {"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
  return {{"human()", human(), ends},
          read("acclaim/02.asf", ends),
          read("gltf/CesiumMan.glb", ends),
          read("urdf/g1_29dof.urdf", limbs),
          read("urdf/g1_29dof.urdf", limbs, true),
          read("urdf/go2.urdf", paws),
          read("urdf/go2.urdf", paws, true),
          read("urdf/allegro_right.urdf", {"link_3_tip", "link_7_tip", "link_11_tip", "link_15_tip"}),
          read("urdf/panda.urdf", {"panda_hand"}),
          read("urdf/ur5.urdf", {"tool0"}),
          read("urdf/iiwa14.urdf", {"iiwa_link_ee"})};
}

// Angles within the limits and half a turn, places within a metre. What does not vary is as in `from`.
Pose random_pose(const Figure& figure, const std::vector<int>& varies, const Pose& from, Random& random) {
  FigureLimits limits(figure);
  for (;;) {
    Pose pose = from;
    for (const int j : varies) {
      const Parameter& parameter = figure.parameters()[static_cast<std::size_t>(j)];
      const double far = parameter.translates ? 1.0 : pi;
      if (parameter.range.rigidity < 1.0)
        pose.theta[j] = random.between(std::fmax(parameter.range.lower, pose.theta[j] - far),
                                       std::fmin(parameter.range.upper, pose.theta[j] + far));
    }
    EXPECT_TRUE(limits.project(pose.theta).feasible);
    bool kept = true;
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
      kept = kept && (std::ranges::binary_search(varies, static_cast<int>(j)) || pose.theta[j] == from.theta[j]);
    if (kept) return pose;
  }
}

// Whether the default call meets the places that a random pose has.
bool meets(const Sample& sample, bool all_limbs, bool placed, bool from_rest, Random& random) {
  const Figure& figure = sample.figure;
  std::vector<std::string> tips = sample.tips;
  if (!all_limbs) tips = {tips[static_cast<std::size_t>(random.integer(0, static_cast<int>(tips.size()) - 1))]};
  Problem problem(figure);
  std::vector<ConstraintId> ids;
  const auto handle_of = [&](const std::string& tip) { return good(placed ? figure.frame(tip) : figure.point(tip)); };
  for (const std::string& tip : tips)
    ids.push_back(good(problem.add(
        handle_of(tip), placed ? Goal(Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}}) : Goal(Position{}))));
  const std::vector<int> varies = problem.variables();
  Pose pose = from_rest ? figure.rest() : random_pose(figure, varies, figure.rest(), random);
  const Kinematics state = forward(figure, random_pose(figure, varies, pose, random));
  for (std::size_t k = 0; k < tips.size(); ++k) {
    Vec3 x[max_elements];
    evaluate(figure, state, handle_of(tips[k]), x);
    EXPECT_TRUE(problem.set_goal(ids[k], placed ? Goal(Placement{x[0], {x[1], x[2]}}) : Goal(Position{x[0]})));
  }
  return solve(problem, pose).met();
}

TEST(Solve, MeetsGoalsThatCanBeMetWithDefaultOptions) {
  const int count = law_count(30);
  int unmet_of_all = 0, solved = 0;
  for (const Sample& sample : samples()) {
    Random random(1994);
    int unmet = 0;
    for (int k = 0; k < 8 * count; ++k)
      if (const int kind = k % 8; sample.tips.size() > 1 || !(kind & 1)) {
        unmet += !meets(sample, kind & 1, kind & 2, kind & 4, random);
        ++solved;
      }
    EXPECT_LE(unmet, std::max(1, 8 * count / 50)) << sample.name << ": of " << 8 * count;
    unmet_of_all += unmet;
  }
  EXPECT_LE(unmet_of_all, std::max(1, solved / 300)) << "of " << solved;
}

// The iterations of Gauss-Newton alone are used up long before it converges.
TEST(Solve, ConvergesQuicklyWhereAHandIsFarOutOfReachOfPlantedFeet) {
  constexpr double near_tolerance = 1e-7;  // where a step is below the rounding of the objective
  const Figure figure = human();
  Random random(7);
  for (int k = 0; k < law_count(20); ++k) {
    Problem problem(figure);
    Vec3 direction = random.direction();
    direction.y() = std::fabs(direction.y());
    const Vec3 goal = Vec3(0, 1.1, 0) + random.between(2.0, 4.0) * direction;
    (void)good(problem.add(figure.point("right_palm"), Position{goal}));
    for (const char* foot : {"left_foot", "right_foot"})
      (void)good(problem.add(figure.frame(foot), hold(), {.weight = must}));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    EXPECT_TRUE(report.exit == Exit::converged || report.kkt <= near_tolerance) << to_text(report);
    EXPECT_LE(report.iterations, 300);  // of all starts
    EXPECT_TRUE(report.constraints[1].met && report.constraints[2].met);
    Pose alone = figure.rest();
    const Report one = solve(problem, alone, {.restarts = 0});
    EXPECT_TRUE(one.exit == Exit::converged || one.kkt <= near_tolerance) << to_text(one);
    EXPECT_LE(one.iterations, 150);
    EXPECT_LE(report.objective, 1.02 * one.objective);
  }
}

// How far the hand stays from its goal with both feet where they are at rest.
double error_with_planted_feet(const Figure& figure, const Vec3& goal, Pose from, const Options& options) {
  Problem problem(figure);
  (void)good(problem.add(figure.point("right_palm"), Position{goal}));
  const Kinematics rest = forward(figure, figure.rest());
  for (const char* foot : {"left_foot", "right_foot"}) {
    const Handle frame = good(figure.frame(foot));
    Vec3 x[max_elements];
    evaluate(figure, rest, frame, x);
    (void)good(problem.add(frame, Placement{x[0], {x[1], x[2]}}, {.weight = must}));
  }
  const Report report = solve(problem, from, options);
  const bool held = report.constraints[1].met && report.constraints[2].met;
  return held ? report.constraints[0].error.metres.value_or(infinity) : infinity;
}

// An arm that points at its goal may be twisted the wrong way, or the hips turned; other starts find that, though they
// gain little of the metres that remain.
TEST(Solve, EndsWithinACentimetreOfTheBestOfManyStartsWhereAHandIsFarOutOfReach) {
  constexpr int starts = 20;
  const Figure figure = human();
  const std::vector<int> varies = Problem(figure).variables();
  Random random(7);
  const int count = law_count(20);
  int far_off = 0;
  for (int k = 0; k < count; ++k) {
    Vec3 direction = random.direction();
    direction.y() = std::fabs(direction.y());
    const Vec3 goal = Vec3(0, 1.1, 0) + random.between(2.0, 4.0) * direction;
    const double error = error_with_planted_feet(figure, goal, figure.rest(), {});
    double best = error;
    for (int start = 0; start < starts; ++start)
      best = std::fmin(best, error_with_planted_feet(figure, goal, random_pose(figure, varies, figure.rest(), random),
                                                     {.restarts = 0}));
    far_off += error > best + 0.01;
  }
  EXPECT_LE(far_off, std::max(1, count / 20)) << "of " << count;
}

}  // namespace reach_law_test
}  // namespace limber::law
