// Priors of poses: estimated, stored in figures, used in a solve.
#include "limber/figure/prior.h"

#include <gtest/gtest.h>

#include "limber/format/figure/prior_file.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/learn.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/law/allocation.h"
#include "tests/support/dense.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace prior_test {

using testing::good;

void done(const Expected<void>& expected) {
  if (!expected) throw std::runtime_error(expected.error().text());
}

// Poses around a mean with known spreads, some angles shifted by a full turn or given as the other triple of a
// joint with three axes.
TEST(PriorEstimate, FindsMeanAndSpreadWhateverTheRepresentationOfAngles) {
  const Figure figure = good(human({.spine = Spine::independent}));
  const int flexion = good(figure.find_parameter("left_hip.flexion")),
            abduction = good(figure.find_parameter("left_hip.abduction")),
            rotation = good(figure.find_parameter("left_hip.rotation")),
            knee = good(figure.find_parameter("left_knee.flexion"));
  Random random(3);
  Clip clip{"made", 1.0 / 30.0, MatX(figure.rest().theta.size(), 4000)};
  VecX sum = VecX::Zero(clip.poses.rows()), squares = sum;
  for (int k = 0; k < clip.frames(); ++k) {
    VecX theta = figure.rest().theta;
    theta[flexion] = 0.6 + random.between(-0.4, 0.4);
    theta[abduction] = 0.1 + random.between(-0.1, 0.1);
    theta[rotation] = -0.2 + random.between(-0.2, 0.2);
    theta[knee] = 0.8 + (theta[flexion] - 0.6);  // they go together
    sum += theta;
    squares += theta.cwiseAbs2();
    if (k % 3 == 0) theta[knee] += 2.0 * pi;
    if (k % 5 == 0) {
      theta[flexion] += pi;
      theta[abduction] = pi - theta[abduction];
      theta[rotation] -= pi;
    }
    clip.poses.col(k) = theta;
  }
  FigureDescription one_sided = figure.description();  // poses are not mirrored
  one_sided.mirror_pairs.clear();
  const Figure plain = testing::built(one_sided);
  PriorEstimate estimate(plain);
  done(estimate.add(plain, clip));
  EXPECT_EQ(estimate.poses(), clip.frames());
  const PriorDescription prior = good(estimate.prior({.trust = 1.0, .min_spread = 0.01}));
  const auto term = [&](int j) {
    for (std::size_t k = 0; k < prior.terms.size(); ++k)
      if (prior.terms[k].parameter == plain.parameters()[j].name) return static_cast<Eigen::Index>(k);
    return Eigen::Index{-1};
  };
  for (const int j : {flexion, abduction, rotation, knee}) {
    const double mean = sum[j] / clip.frames(), variance = squares[j] / clip.frames() - mean * mean;
    ASSERT_GE(term(j), 0);
    EXPECT_NEAR(prior.terms[term(j)].mean, mean, 1e-9);
    EXPECT_NEAR(prior.terms[term(j)].spread, std::sqrt(variance + 1e-4), 1e-9);
  }
  EXPECT_GT(prior.correlation(term(flexion), term(knee)), 0.99);
  EXPECT_LT(std::fabs(prior.correlation(term(flexion), term(abduction))), 0.05);
  EXPECT_EQ(term(good(plain.find_parameter("root.turn"))), -1) << "where a body is says nothing about its pose";
  EXPECT_LE((prior.up - Vec3::UnitY()).norm(), 1e-12);
}

TEST(PriorEstimate, CountsEachPoseMirroredToo) {
  const Figure figure = human();
  Clip clip{"one arm", 1.0 / 30.0, MatX(figure.rest().theta.size(), 2)};
  for (int k = 0; k < 2; ++k) {
    Pose pose = figure.rest();
    done(figure.set(pose, "left_elbow.flexion", 1.0 + k));
    clip.poses.col(k) = pose.theta;
  }
  PriorEstimate estimate(figure);
  done(estimate.add(figure, clip));
  EXPECT_EQ(estimate.poses(), 4);
  const PriorDescription prior = good(estimate.prior());
  double left = 0.0, right = 1.0;
  for (const PriorTerm& term : prior.terms) {
    if (term.parameter == "left_elbow.flexion") left = term.mean;
    if (term.parameter == "right_elbow.flexion") right = term.mean;
  }
  const double rest = good(figure.value(figure.rest(), "left_elbow.flexion"));
  EXPECT_NEAR(left, 0.5 * (1.5 + rest), 1e-12);
  EXPECT_NEAR(left, right, 1e-12);
}

TEST(PriorEstimate, RejectsInvalidInput) {
  const Figure figure = human();
  PriorEstimate estimate(figure);
  EXPECT_FALSE(estimate.prior()) << "no pose";
  EXPECT_FALSE(estimate.add(testing::built(testing::planar_arm()), {}));
  Clip clip{"broken", 1.0 / 30.0, MatX::Constant(figure.rest().theta.size(), 3, std::nan(""))};
  EXPECT_FALSE(estimate.add(figure, clip));
  clip.poses = MatX::Zero(3, 100);
  EXPECT_FALSE(estimate.add(figure, clip)) << "poses of another figure";
  clip.poses = figure.rest().theta.replicate(1, 3);
  EXPECT_FALSE(estimate.add(figure, clip, -1.0));
  done(estimate.add(figure, clip));
  EXPECT_FALSE(estimate.prior({.trust = 1.5}));
  EXPECT_FALSE(estimate.prior({.min_spread = 0.0}));
  // Correlations are as many as the square of the parameters.
  constexpr int bones = 1100;
  FigureDescription chain;
  chain.segments = {{"s0"}};
  for (int k = 1; k < bones; ++k) {
    chain.segments.push_back({"s" + std::to_string(k)});
    chain.joints.push_back({"j" + std::to_string(k),
                            "s" + std::to_string(k - 1),
                            "s" + std::to_string(k),
                            at({0.1, 0, 0}),
                            {},
                            {testing::turn("turn", Vec3::UnitZ())}});
  }
  const Figure long_chain = testing::built(chain);
  PriorEstimate many(long_chain);
  done(many.add(long_chain, {"still", 1.0 / 30.0, long_chain.rest().theta.replicate(1, 2)}));
  EXPECT_FALSE(many.prior());
  EXPECT_TRUE(many.prior({.correlation = false}));
  EXPECT_TRUE(estimate.prior());
}

// --- As part of a figure

TEST(Prior, IsCheckedWithItsFigure) {
  const FigureDescription good_one = human().description();
  ASSERT_EQ(good_one.prior.terms.size(), 36U);
  const auto rejected = [&](auto spoil) {
    FigureDescription description = good_one;
    spoil(description.prior);
    const Expected<Figure> figure = build_figure(description);
    EXPECT_FALSE(figure);
    return figure ? std::string() : figure.error().where;
  };
  EXPECT_EQ(rejected([](PriorDescription& p) { p.terms[3].parameter = "tail.wag"; }), "prior, parameter 'tail.wag'");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.terms[3].spread = 0.0; }),
            "prior, parameter '" + good_one.prior.terms[3].parameter + "', spread");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.terms[3].translates = true; }),
            "prior, parameter '" + good_one.prior.terms[3].parameter + "'");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.terms[1] = p.terms[0]; }),
            "prior, parameter '" + good_one.prior.terms[0].parameter + "'");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.correlation(0, 1) = 5.0; }), "prior, correlation");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.correlation(0, 1) = p.correlation(1, 0) = 5.0; }),
            "prior, correlation");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.correlation.resize(2, 2); }), "prior, correlation");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.up_segment = "tail"; }), "prior, up");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.up.setZero(); }), "prior, up");
  EXPECT_EQ(rejected([](PriorDescription& p) { p.up_spread = -1.0; }), "prior, up, spread");
}

TEST(Prior, IsCarriedOverByName) {
  const Figure figure = human();
  const PriorDescription& whole = figure.description().prior;
  const Figure stiff = good(human({.spine = Spine::independent}));
  const PriorDescription& fitted = stiff.description().prior;
  ASSERT_EQ(fitted.terms.size(), whole.terms.size() - 3) << "without the three of the grouped spine";
  EXPECT_EQ(fitted.terms.front().parameter, "neck.flexion");
  EXPECT_EQ(fitted.correlation(0, 1), whole.correlation(3, 4));
  EXPECT_FALSE(with_prior(testing::built(testing::planar_arm()), whole));
}

TEST(Prior, ComesBackFromAFile) {
  PriorDescription prior = human().description().prior;
  prior.terms.push_back({"rail.x", 0.25, 0.125, true});
  prior.correlation = MatX::Identity(37, 37);
  prior.correlation(36, 2) = prior.correlation(2, 36) = -0.25;
  const PriorDescription back = good(read_prior(write_prior(prior), "prior.json"));
  ASSERT_EQ(back.terms.size(), prior.terms.size());
  for (std::size_t k = 0; k < prior.terms.size(); ++k) {
    EXPECT_EQ(back.terms[k].parameter, prior.terms[k].parameter);
    EXPECT_EQ(back.terms[k].mean, prior.terms[k].mean);
    EXPECT_EQ(back.terms[k].spread, prior.terms[k].spread);
    EXPECT_EQ(back.terms[k].translates, prior.terms[k].translates);
  }
  EXPECT_EQ(back.correlation, prior.correlation);
  EXPECT_EQ(back.up_segment, prior.up_segment);
  EXPECT_EQ(back.up, prior.up);
  EXPECT_EQ(back.up_spread, prior.up_spread);

  const Figure figure = human();
  const Figure again = good(read_figure(write_figure(figure), "human.json")).figure;
  EXPECT_EQ(write_figure(again), write_figure(figure));
  EXPECT_EQ(again.description().prior.correlation, figure.description().prior.correlation);
}

TEST(Prior, RejectsABrokenFileInWords) {
  const auto error = [](const char* text) {
    const Expected<PriorDescription> prior = read_prior(text, "p.json");
    EXPECT_FALSE(prior) << text;
    return prior ? std::string() : prior.error().text();
  };
  EXPECT_NE(error(R"({"limber": "prior 2", "prior": {}})").find("prior 1"), std::string::npos);
  EXPECT_NE(error(R"({"limber": "prior 1", "prior": {"terms": [{"parameter": "a.x", "mean": 1}]}})").find("spread"),
            std::string::npos);
  EXPECT_NE(error(R"({"limber": "prior 1", "prior": {"terms": [
      {"parameter": "a.x", "mean": 1, "spread": 2, "unit": "ft"}]}})")
                .find("degrees"),
            std::string::npos);
  EXPECT_NE(error(R"({"limber": "prior 1", "prior": {"terms": [
      {"parameter": "a.x", "mean": 1, "spread": 2}, {"parameter": "a.y", "mean": 1, "spread": 2}],
      "correlation": [[], [1, 2]]}})")
                .find("one number per preceding term"),
            std::string::npos);
}

// --- In a problem

TEST(Prior, HasTheDerivativesOfAGaussian) {
  Random random(8);
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}}));
  done(problem.add_prior(0.7));
  const PriorDescription& prior = figure.description().prior;
  Assembly assembly(problem);
  VecX phi, r, rubbish;
  assembly.start(figure.rest().theta, phi);
  for (Eigen::Index i = 0; i < phi.size(); ++i)
    phi[i] = std::clamp(phi[i] + random.between(-0.2, 0.2), assembly.limits().lower[i] + 0.01,
                        assembly.limits().upper[i] - 0.01);
  for (const double soft_scale : {1.0, 0.01}) {
    assembly.set_soft_scale(soft_scale);
    VecX gradient(phi.size());
    rubbish.resize(phi.size());
    MatX J;
    const double f = assembly(phi, gradient);
    assembly.residual(phi, r);
    assembly.jacobian(phi, J);
    EXPECT_NEAR(r.squaredNorm(), f, 1e-13 * f);
    EXPECT_LE((2.0 * J.transpose() * r - gradient).norm(), 1e-12 * gradient.norm());
    testing::expect_derivative([&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); }, phi,
                               gradient.transpose(), random);
    testing::expect_derivative(
        [&](const VecX& x) {
          VecX at;
          assembly.residual(x, at);
          return at;
        },
        phi, J, random);
  }
  // The squared Mahalanobis distance, by the inverse of the covariance.
  const auto n = static_cast<Eigen::Index>(prior.terms.size());
  VecX off(n), spread(n);
  assembly.set_theta(phi);
  for (Eigen::Index k = 0; k < n; ++k) {
    const PriorTerm& term = prior.terms[static_cast<std::size_t>(k)];
    off[k] = assembly.theta()[good(figure.find_parameter(term.parameter))] - term.mean;
    spread[k] = term.spread;
  }
  const MatX covariance = spread.asDiagonal() * prior.correlation * spread.asDiagonal();
  const double metres = metres_per_spread * figure.length();
  const double mahalanobis = off.dot(testing::solve_dense(covariance, off));
  assembly(phi, rubbish);
  EXPECT_NEAR(assembly.value(1), metres * metres * mahalanobis, 1e-9 * assembly.value(1));
}

// The goals are met although the prior pulls away from them; the pose does not depend on the start; nothing
// outside the chains moves.
TEST(Prior, GivesWayToTheGoals) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.35, 1.35, 0.45}}));
  good(problem.add(figure.frame("left_foot"), hold()));
  good(problem.add(figure.frame("right_foot"), hold()));
  done(problem.add_prior());
  Random random(2);
  std::optional<VecX> first;
  for (int k = 0; k < 6; ++k) {
    Pose pose = figure.rest();
    for (const char* joint : {"right_elbow.flexion", "spine.axial", "spine.lateral", "right_shoulder.abduction"})
      done(figure.set(pose, joint, random.between(-0.3, 0.3) + 0.3));
    const Report report = solve(problem, pose);
    ASSERT_TRUE(report.met()) << to_text(report);
    EXPECT_LE(*report.constraints[0].error.metres, 1e-3);
    EXPECT_LT(report.soft_scale, 1.0);
    EXPECT_LE(report.objective, report.objective_before);
    EXPECT_LE(report.kkt, 1e-8);
    if (!first) first = pose.theta;
    EXPECT_LE((pose.theta - *first).cwiseAbs().maxCoeff(), 1e-4) << "start " << k;
  }

  Problem arm(figure);
  good(arm.add(figure.point("right_palm"), Position{{-0.35, 1.35, 0.45}}, {.from = "right_shoulder"}));
  done(arm.add_prior());
  Pose pose = figure.rest();
  EXPECT_TRUE(solve(arm, pose).met());
  for (const char* other : {"root.x", "root.pitch", "left_elbow.flexion", "spine.forward"})
    EXPECT_EQ(good(figure.value(pose, other)), good(figure.value(figure.rest(), other))) << other;
}

// A heavy constraint beside the goals does not reduce the prior to rounding; a solved pose stays when it is
// solved again, and without iterations the pose does not change.
TEST(Prior, GivesWayNoMoreThanItMust) {
  const Figure figure = human();
  for (const double heavy : {1.0, 1000.0}) {
    Problem problem(figure);
    good(problem.add(figure.point("right_palm"), Position{{-0.35, 1.35, 0.45}}));
    good(problem.add(figure.frame("left_foot"), hold(), {.weight = must}));
    good(problem.add(figure.mass_centre(), HalfSpace{{0.0, 0.0, 0.3}, Vec3::UnitZ()}, {.weight = heavy}));
    done(problem.add_prior());
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    ASSERT_TRUE(report.met()) << to_text(report);
    EXPECT_GT(report.soft_scale, 1e-4) << heavy;
    Pose again = pose;
    (void)solve(problem, again, {.iterations = 0});
    EXPECT_EQ(again.theta, pose.theta);
    (void)solve(problem, again);
    EXPECT_LE((again.theta - pose.theta).cwiseAbs().maxCoeff(), 0.05);
  }
}

// The usual lean of the pelvis is forward or back, never sideways, although a site of that name points elsewhere.
TEST(Prior, LeansAsTheSegmentDoes) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("pelvis"), Position{{0.0, 0.9, 0.0}}));
  done(problem.add_prior());
  Pose pose = figure.rest();
  ASSERT_TRUE(solve(problem, pose).met());
  EXPECT_NEAR(good(figure.value(pose, "root.roll")), 0.0, 1e-6);
  const Kinematics state = forward(figure, pose);
  const int pelvis = good(figure.find_segment("pelvis"));
  EXPECT_LE((state.segments[pelvis].R * figure.description().prior.up.normalized() - Vec3::UnitY()).norm(), 1e-6);
}

TEST(Prior, LeavesWhatIsOutOfReachExplained) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-3.0, 1.2, 0.4}}, {.from = "waist"}));
  done(problem.add_prior());
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_FALSE(report.met());
  EXPECT_FALSE(report.constraints[0].met);
  EXPECT_TRUE(report.constraints[1].met) << "soft constraints count as met";
  EXPECT_LE(report.objective, report.objective_before);
  Problem alone(figure);
  good(alone.add(figure.point("right_palm"), Position{{-3.0, 1.2, 0.4}}, {.from = "waist"}));
  Pose without = figure.rest();
  const Report plain = solve(alone, without, {.restarts = report.restarts});  // from as many poses
  EXPECT_LE(*report.constraints[0].error.metres, *plain.constraints[0].error.metres + 1e-3);
}

TEST(Prior, AllocatesNothingAfterTheFirstSolve) {
  const Figure figure = human();
  Problem problem(figure);
  const ConstraintId hand = good(problem.add(figure.point("right_palm"), Position{{-0.35, 1.35, 0.45}}));
  good(problem.add(figure.point("left_foot"), hold()));
  done(problem.add_prior());
  Solver solver(problem);
  Pose pose = figure.rest();
  (void)solver.solve(pose);
  for (const Vec3& goal : {Vec3(-0.2, 1.5, 0.3), Vec3(-2.0, 1.0, 1.0), Vec3(0.3, 0.4, 0.4)}) {
    done(problem.set_goal(hand, Position{goal}));
    const long before = law::allocations();
    (void)solver.solve(pose);
    EXPECT_EQ(law::allocations(), before) << goal.transpose();
  }
}

TEST(Prior, IsRejectedWhereThereIsNone) {
  const Figure figure = testing::built(testing::planar_arm());
  Problem problem(figure);
  EXPECT_FALSE(problem.add_prior());
  Pose pose = figure.rest();
  EXPECT_EQ(solve(problem, pose).exit, Exit::rejected);
  Problem lock(figure);
  EXPECT_FALSE(lock.add(figure.point("hand"), Position{}, {.weight = must, .soft = true}));
}

// --- Of a recorded skeleton

Content recorded(const char* skeleton, const char* motion) {
  const auto bytes = [](const char* name) {
    return read_sample(std::filesystem::path(source_dir()) / "data" / "acclaim" / name);
  };
  const Content figure = good(read_content(bytes(skeleton), skeleton));
  return good(read_content(bytes(motion), motion, {}, {}, &figure));
}

TEST(MirrorPairs, AreFoundByTheNamesOfARig) {
  const Content walk = recorded("02.asf", "zeros.amc");
  const Figure figure = with_mirror_pairs(*walk.figure);
  ASSERT_FALSE(figure.mirror().empty());
  const MirrorImage& image = figure.mirror()[good(figure.find_parameter("lfemur.rz"))];
  EXPECT_EQ(image.parameter, good(figure.find_parameter("rfemur.rz")));
  EXPECT_EQ(image.sign, -1.0);
  EXPECT_EQ(figure.mirror()[good(figure.find_parameter("lowerback.rx"))].parameter,
            good(figure.find_parameter("lowerback.rx")));
  EXPECT_TRUE(with_mirror_pairs(testing::built(testing::planar_arm())).mirror().empty());
  EXPECT_EQ(good(with_common_names(*walk.figure)).description().prior.terms.size(), 56U);
}

}  // namespace prior_test
}  // namespace limber
