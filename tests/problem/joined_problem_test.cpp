// Problems on several figures: each by itself where nothing joins them, and together where something does.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/balance.h"
#include "limber/solver/solve.h"
#include "tests/law/allocation.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber {
namespace joined_problem_test {

using testing::good;

// The handle of a specification, on one of several figures.
Expected<Handle> handle_of(const Figure& joined, const std::string& part, law::HandleSpec spec) {
  if (spec.kind == law::HandleSpec::Kind::mass_centre && spec.less.empty()) return joined.mass_centre_of(part);
  spec.place = part + "." + spec.place;
  if (!spec.less.empty()) spec.less = part + "." + spec.less;
  return law::make_handle(joined, spec);
}

void add(Problem& problem, const std::string& part, const std::vector<law::ConstraintSpec>& constraints) {
  for (const law::ConstraintSpec& spec : constraints) {
    std::vector<std::pair<Expected<Handle>, Goal>> alternatives;
    for (const law::AlternativeSpec& alternative : spec.alternatives)
      alternatives.emplace_back(handle_of(problem.figure(), part, alternative.handle), law::make_goal(alternative));
    ConstraintOptions options{.weight = spec.weight};
    if (!spec.from.empty()) options.from = part + "." + spec.from;
    (void)problem.add_one_of(std::move(alternatives), std::move(options));
  }
}

// What is held is held where a solve begins; a difference with a centre of mass has no name here.
bool is_left_out(const law::ConstraintSpec& spec) {
  return std::ranges::any_of(spec.alternatives, [](const law::AlternativeSpec& alternative) {
    return holds(alternative.goal) ||
           (alternative.handle.kind == law::HandleSpec::Kind::mass_centre && !alternative.handle.less.empty());
  });
}

constexpr law::CaseKind few{.freedoms_max = 8, .constraints_max = 3, .start_within_limits = true};

// Two copies of a random problem, from different starts, in one solve: what one of them finds is a minimum for the
// whole as it was for the part, with the same objective, and a solve from there stays.
TEST(JoinedProblem, HasTheMinimumOfEachFigureWhereNothingJoinsThem) {
  law::check_law("joined, separate", 200, few, [](law::Case made) -> std::string {
    std::erase_if(made.constraints, is_left_out);
    if (made.constraints.empty()) return {};
    law::Built one = law::build(made), two = law::build(made);
    Random random(made.seed);
    two.start = law::random_pose(random, two.figure);
    const Options options{.iterations = 300, .restarts = 0};
    const Report first = solve(one.problem, one.start, options), second = solve(two.problem, two.start, options);
    if (first.exit != Exit::converged || second.exit != Exit::converged) return {};

    const Figure joined = good(join_figures({{"a", one.figure, {}}, {"b", two.figure, {}}}));
    Problem problem(joined);
    add(problem, "a", made.constraints);
    add(problem, "b", made.constraints);
    Pose pose = joined_pose(joined, {one.start, two.start});
    const Pose start = pose;
    const Report report = solve(problem, pose, options);
    if (report.exit == Exit::rejected) return "rejected: " + report.rejection->text();
    const double sum = first.objective + second.objective;
    if (std::fabs(report.objective_before - sum) > 1e-9 * (1.0 + std::fabs(sum)))
      return "objective " + std::to_string(report.objective_before) + ", not " + std::to_string(sum);
    const double moved = (pose.theta - start.theta).norm();
    return moved > 1e-3 ? "moves by " + std::to_string(moved) + " from the minima" : "";
  });
}

// Three people who touch each other: the order in which they are named does not count.
TEST(JoinedProblem, DoesNotDependOnTheOrderOfTheFigures) {
  const std::vector<FigurePart> parts = {
      {"one", good(human({.stature = 1.9})), at({0, 0, -0.45})},
      {"two", good(human({.sex = Sex::female})), {rotation(Vec3::UnitY(), pi), Vec3(0, 0, 0.45)}},
      {"arm", testing::built(testing::seven_joint_arm()), at({-0.8, 0.9, 0})},
  };
  const auto solved = [&](const std::vector<int>& order) {
    std::vector<FigurePart> list;
    for (const int k : order) list.push_back(parts[static_cast<std::size_t>(k)]);
    const Figure joined = good(join_figures(list));
    Problem problem(joined);
    (void)problem.add(difference(joined.point("one.right_palm"), joined.point("two.right_palm")), Coincide{});
    (void)problem.add(difference(joined.point("arm.tip"), joined.point("two.left_palm")), Coincide{});
    for (const char* foot : {"one.left_foot", "one.right_foot", "two.left_foot", "two.right_foot"})
      (void)problem.add(joined.frame(foot), Hold{}, {.weight = must});
    (void)problem.add_pull(towards(joined, joined.rest()), {.weight = 0.01});
    Pose pose = joined.rest();
    const Report report = solve(problem, pose, {.tolerance = 1e-9, .restarts = 0});
    EXPECT_EQ(report.exit, Exit::converged);
    EXPECT_GT(report.objective, 1e-6) << "else any pose is as good";
    std::map<std::string, double> values;
    for (std::size_t j = 0; j < joined.parameters().size(); ++j)
      values[joined.parameters()[j].name] = pose.theta[static_cast<Eigen::Index>(j)];
    return std::pair(report.objective, values);
  };
  const auto [objective, values] = solved({0, 1, 2});
  for (const std::vector<int>& order : {std::vector{2, 1, 0}, std::vector{1, 2, 0}}) {
    const auto [other_objective, other] = solved(order);
    EXPECT_NEAR(other_objective, objective, 1e-8 * objective);
    for (const auto& [name, value] : values) EXPECT_NEAR(other.at(name), value, 1e-4) << name;
  }
}

TEST(JoinedProblem, BalancesTheOneWhoseFeetAreNamed) {
  const Frame far_off{Mat3::Identity(), Vec3(0, 0, 3)};
  const Figure joined = good(join_figures({{"one", human(), {}}, {"two", good(human({.stature = 1.6})), far_off}}));
  Problem problem(joined);
  const Pose rest = joined.rest();
  for (const char* foot : {"two.left_foot", "two.right_foot"}) {
    const Handle handle = good(joined.frame(foot));
    (void)problem.add(handle, Hold{}, {.weight = must});
  }
  // Far behind the heels: it must not fall.
  (void)problem.add(joined.point("two.right_palm"), Position{{-0.2, 0.9, 2.2}});
  ASSERT_TRUE(add_balance(problem, rest, {"two.left_foot", "two.right_foot"}));
  Pose pose = rest;
  const Report report = solve(problem, pose);
  const Handle centre = good(joined.mass_centre_of("two"));
  const Vec3 at_end = evaluate(joined, forward(joined, pose), centre.plus[0]);
  const auto contacts = good(contact_points(joined, rest, {"two.left_foot", "two.right_foot"}));
  double back = infinity;
  for (const Vec3& x : contacts) back = std::fmin(back, x.z());
  EXPECT_GT(at_end.z(), back - 0.002);
  EXPECT_LT(at_end.z(), 3.0) << "it leans back";
  // The other one is not asked.
  EXPECT_EQ(pose_of(joined.parts()[0], pose).theta, pose_of(joined.parts()[0], rest).theta);

  Problem both(joined);
  const Expected<ConstraintId> mixed = add_balance(both, rest, {"one.left_foot", "two.right_foot"});
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().text().find("of two figures"), std::string::npos) << mixed.error().text();
}

// The support is that of the figure alone, wherever a longer one stands.
TEST(JoinedProblem, MeasuresFeetByTheirOwnFigure) {
  const Figure small = good(human({.stature = 1.5}));
  FigureDescription long_arm = testing::planar_arm();
  for (JointDescription& joint : long_arm.joints) joint.in_parent.p *= 50.0;
  const Figure joined = good(join_figures({{"crane", testing::built(long_arm), {}}, {"small", small, {}}}));
  const std::vector<Vec3> alone = good(contact_points(small, small.rest(), {"left_foot"}));
  const std::vector<Vec3> there = good(contact_points(joined, joined.rest(), {"small.left_foot"}));
  EXPECT_EQ(alone, there);
}

TEST(JoinedProblem, HasThePriorAndTheComfortOfEach) {
  const Figure one = human(), two = good(human({.sex = Sex::female, .stature = 1.55}));
  const Figure arm = testing::built(testing::seven_joint_arm());
  const Figure joined = good(join_figures({{"one", one, {}}, {"arm", arm, {}}, {"two", two, at({1, 0, 0})}}));
  Problem problem(joined);
  ASSERT_TRUE(problem.add_prior());
  ASSERT_EQ(problem.constraints().size(), 3u) << "one pull, and up for each person";
  EXPECT_EQ(problem.constraints()[1].name, "one.pelvis as upright as usual");
  EXPECT_EQ(problem.constraints()[2].name, "two.pelvis as upright as usual");
  const PullByMatrix whole = towards_usual(joined), own = towards_usual(two);
  const FigurePart& part = joined.parts()[2];
  EXPECT_EQ(whole.root.bottomRows(own.root.rows()).middleCols(part.parameter_begin, own.root.cols()), own.root);
  EXPECT_EQ(whole.target.segment(part.parameter_begin, own.target.size()), own.target);
  EXPECT_EQ(whole.root.rows(), towards_usual(one).root.rows() + own.root.rows());

  const JointComfort comfort = good(JointComfort::make(joined)), of_two = good(JointComfort::make(two));
  ASSERT_EQ(comfort.parameters(), static_cast<int>(joined.parameters().size()));
  for (int j = 0; j < of_two.parameters(); ++j) {
    EXPECT_EQ(comfort.counts(part.parameter_begin + j), of_two.counts(j));
    EXPECT_EQ(comfort.lower(part.parameter_begin + j), of_two.lower(j));
    EXPECT_EQ(comfort.upper(part.parameter_begin + j), of_two.upper(j));
  }
  const Figure arms = good(join_figures({{"a", arm, {}}, {"b", arm, {}}}));
  EXPECT_FALSE(Problem(arms).add_prior());
}

TEST(JoinedProblem, KeepsTwoFiguresClearOfEachOther) {
  const Figure person = human();
  const Frame facing{rotation(Vec3::UnitY(), pi), Vec3(0, 0, 0.75)};
  const Figure joined = good(join_figures({{"one", person, {}}, {"two", person, facing}}));
  const std::vector<SegmentCapsule> capsules = capsules_of(joined);
  const auto solved = [&](bool is_clear) {
    Problem problem(joined);
    for (const char* foot : {"one.left_foot", "one.right_foot", "two.left_foot", "two.right_foot"})
      (void)problem.add(joined.frame(foot), Hold{}, {.weight = must});
    // One reaches to a point behind the other, straight through the trunk.
    (void)problem.add(joined.point("one.right_palm"), Position{{0.0, 1.2, 0.95}});
    (void)problem.add_pull(towards(joined, joined.rest()), {.weight = 0.001});
    if (is_clear) (void)problem.add_clearance({capsules, {}, good(pairs_between(joined, capsules, "one", "two"))});
    Pose pose = joined.rest();
    const Report report = solve(problem, pose, {.iterations = 300, .restarts = 0});
    EXPECT_NE(report.exit, Exit::rejected);
    const Kinematics state = forward(joined, pose);
    double gap = infinity;
    for (const CapsulePair& pair : good(pairs_between(joined, capsules, "one", "two"))) {
      const SegmentCapsule &a = capsules[static_cast<std::size_t>(pair.first)],
                           &b = capsules[static_cast<std::size_t>(pair.second)];
      // Sampled, which is no code of the library's.
      const Frame &X = state.segments[static_cast<std::size_t>(a.segment)],
                  &Y = state.segments[static_cast<std::size_t>(b.segment)];
      constexpr int samples = 12;
      for (int i = 0; i <= samples; ++i)
        for (int j = 0; j <= samples; ++j) {
          const Vec3 x = X * Vec3(a.capsule.a + (a.capsule.b - a.capsule.a) * i / samples);
          const Vec3 y = Y * Vec3(b.capsule.a + (b.capsule.b - b.capsule.a) * j / samples);
          gap = std::fmin(gap, (x - y).norm() - a.capsule.radius - b.capsule.radius);
        }
    }
    return gap;
  };
  EXPECT_LT(solved(false), -0.01);
  EXPECT_GT(solved(true), -1e-3);
}

TEST(JoinedProblem, AllocatesNothingAfterItsFirstSolve) {
  const Frame facing{rotation(Vec3::UnitY(), pi), Vec3(0, 0, 0.9)};
  const Figure joined = good(join_figures({{"one", human(), {}}, {"two", human(), facing}}));
  Problem problem(joined);
  (void)problem.add(difference(joined.point("one.right_palm"), joined.point("two.right_palm")), Coincide{});
  for (const char* person : {"one", "two"}) {
    for (const char* foot : {".left_foot", ".right_foot"})
      (void)problem.add(joined.frame(std::string(person) + foot), Hold{}, {.weight = must});
    (void)add_balance(problem, joined.rest(),
                      {std::string(person) + ".left_foot", std::string(person) + ".right_foot"});
  }
  Solver solver(problem);
  Pose pose = joined.rest();
  (void)solver.solve(pose);
  pose.theta = joined.rest().theta;
  const long before = law::allocations();
  (void)solver.solve(pose);
  EXPECT_EQ(law::allocations() - before, 0);
}

}  // namespace joined_problem_test
}  // namespace limber
