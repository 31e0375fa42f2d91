// Comfort as a weak constraint: the value and the derivatives of its definition, and goals that hold beside it.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace comfort_pull_test {

using testing::built;
using testing::central_difference;
using testing::good;
using testing::taylor_order;
using testing::taylor_tolerance;

Pose pose_anywhere(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    if (std::isfinite(range.lower) && std::isfinite(range.upper))
      pose.theta[static_cast<Eigen::Index>(j)] = random.between(range.lower, range.upper);
  }
  return pose;
}

// d of its definition (assess/comfort.h), with the width a quarter: t²/(2 w n) up to w, (t - w/2)/n beyond.
double discomfort_by_definition(double t) {
  const double w = 0.25, n = 0.875;
  return t <= 0.0 ? 0.0 : t < w ? t * t / (2.0 * w * n) : (t - 0.5 * w) / n;
}

// Over the parameters that move.
double square_by_definition(const Assembly& assembly, const JointComfort& comfort) {
  double sum = 0.0;
  for (int i = 0; i < assembly.variables(); ++i) {
    const int j = assembly.parameter(i);
    if (!comfort.counts(j)) continue;
    const Range& range = assembly.figure().parameters()[static_cast<std::size_t>(j)].range;
    const double a = comfort.lower(j), b = comfort.upper(j), x = assembly.theta()[j];
    const double t = x > b ? (x - b) / (range.upper - b) : (x < a ? (a - x) / (a - range.lower) : 0.0);
    sum += std::pow(default_c * discomfort_by_definition(t), 2);
  }
  return sum;
}

// Both checks of tests/support/derivative.h, with shorter steps: some vertebrae bend by a degree from comfort to their
// limit, and a step must be short beside that.
template <class Function>
void expect_short_derivative(Function&& f, const VecX& x, const VecX& gradient, Random& random) {
  constexpr double step = 1e-6, tolerance = 1e-8;
  const MatX expected = central_difference(f, x, step);
  EXPECT_LE((gradient.transpose() - expected).cwiseAbs().maxCoeff(), tolerance * (1.0 + expected.norm()));
  VecX d(x.size());
  for (Eigen::Index k = 0; k < d.size(); ++k) d[k] = 0.1 * random.between(-1.0, 1.0);
  EXPECT_NEAR(taylor_order(f, x, gradient.transpose(), d), 2.0, taylor_tolerance);
}

TEST(ComfortPull, HasTheValueAndDerivativesOfItsDefinition) {
  Random random(41);
  for (const Figure& figure : {human(), good(simple_human()), built(testing::torso_with_arms())}) {
    Problem problem(figure);
    good(problem.add(figure.point(figure.segments().back().name), Position{{0.3, 0.7, 0.4}}, {.weight = 2.0}));
    good(problem.add(figure.mass_centre(), Position{{0.0, 1.0, 0.0}}));
    const JointComfort comfort = good(JointComfort::make(figure));
    good(problem.add_pull(towards_comfort(figure), {.weight = 0.3}));
    EXPECT_EQ(problem.constraints().back().name, "pull towards comfort");
    Assembly assembly(problem);
    for (int k = 0; k < 10; ++k) {
      VecX phi, r;
      MatX J;
      assembly.start(pose_anywhere(figure, random).theta, phi);
      VecX gradient(phi.size()), part(phi.size()), rubbish(phi.size());
      const double f = assembly(phi, gradient);
      assembly.residual(phi, r);
      assembly.jacobian(phi, J);
      EXPECT_NEAR(r.squaredNorm(), f, 1e-13);
      EXPECT_LE((2.0 * J.transpose() * r - gradient).norm(), 1e-12 * (1.0 + gradient.norm()));
      EXPECT_NEAR(assembly.value(2), square_by_definition(assembly, comfort), 1e-12);
      EXPECT_GT(assembly.value(2), 0.0);
      const double factor = 0.3 / assembly.objective_scale();
      assembly.gradient_of(2, phi, part);
      const auto of_comfort = [&](const VecX& x) {
        assembly.evaluate_at(x);
        return VecX(VecX::Constant(1, factor * assembly.value(2)));
      };
      expect_short_derivative(of_comfort, phi, part, random);
      const auto of_all = [&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); };
      expect_short_derivative(of_all, phi, gradient, random);
    }
  }
}

TEST(ComfortPull, LeavesAComfortablePoseAlone) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Hold{}, {.from = "waist"}));
  good(problem.add_pull(towards_comfort(figure)));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_EQ(pose.theta, figure.rest().theta);
  EXPECT_EQ(report.constraints[1].comfort, 1.0);
}

struct Reached {
  bool met = false;
  double off = 0.0;   // of the hand, in metres
  double feet = 0.0;  // the larger one
  double discomfort = 0.0;
};

// A person on two feet that must stay, with a hand at p.
Reached reach_for(const Figure& figure, const Vec3& p, const std::optional<ConstraintOptions>& comfort) {
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{p}));
  for (const char* foot : {"left_foot", "right_foot"}) good(problem.add(figure.frame(foot), Hold{}, {.weight = must}));
  if (comfort) good(problem.add_pull(towards_comfort(figure), *comfort));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  const double D = good(JointComfort::make(figure)).discomfort(pose.theta);
  if (comfort) {
    EXPECT_NEAR(report.constraints.back().comfort.value_or(-1.0), 1.0 - D, 1e-12);
  }
  return {report.met(), *report.constraints[0].error.metres,
          std::fmax(*report.constraints[1].error.metres, *report.constraints[2].error.metres), D};
}

// Where a hand goes to what it can reach, comfort uses the degrees of freedom that the goals leave: they are met all
// the same, the hard ones to rounding, and the pose is more comfortable than without. Places at a shelf and at the
// floor too, where not all can be comfortable.
TEST(ComfortPull, IsWeak) {
  const Figure figure = human();
  Random random(42);
  struct Way {
    ConstraintOptions options;
    double max_off;  // of the hand, in metres
  };
  const Way ways[] = {{{.weight = 1e-4}, 3e-4}, {{.weight = 1e-5}, 3e-5}, {{.priority = 2}, 1e-6}};
  double without = 0.0, with[3] = {};
  for (int k = 0; k < law::whole_or_quick(24, 6); ++k) {
    const Vec3 p(random.between(-0.6, 0.2), random.between(0.2, 2.1), random.between(0.3, 0.8));
    const Reached plain = reach_for(figure, p, std::nullopt);
    if (!plain.met) continue;
    without += plain.discomfort;
    for (std::size_t way = 0; way < 3; ++way) {
      const Reached at = reach_for(figure, p, ways[way].options);
      EXPECT_TRUE(at.met) << p.transpose() << ", way " << way;
      EXPECT_LE(at.off, ways[way].max_off) << p.transpose() << ", way " << way;
      EXPECT_LE(at.feet, 1e-9) << p.transpose() << ", way " << way;
      EXPECT_LE(at.discomfort, plain.discomfort + 1e-6) << p.transpose() << ", way " << way;
      with[way] += at.discomfort;
    }
  }
  EXPECT_GT(without, 0.0);
  for (const double D : with) EXPECT_LE(D, 0.5 * without);
}

TEST(ComfortPull, RejectsWhatDoesNotFit) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  PullToComfort of_another = towards_comfort(human());
  of_another.stiffness = VecX::Ones(figure.rest().theta.size());
  EXPECT_FALSE(problem.add_pull(of_another));
  PullToComfort negative = towards_comfort(figure);
  negative.stiffness[0] = -1.0;
  EXPECT_FALSE(problem.add_pull(negative));
  EXPECT_FALSE(problem.add_pull(towards_comfort(figure), {.weight = must}));
  problem.clear_rejections();
  const ConstraintId pull = good(problem.add_pull(towards_comfort(figure)));
  EXPECT_FALSE(problem.set_pull(pull, figure.rest().theta));
}

}  // namespace comfort_pull_test
}  // namespace limber
