// Linear limits do not depend on the size of the figure: from a micrometre to a thousand kilometres, rows over sliding
// joints hold to 1e-12 of their scale, those that can hold are met, and those that contradict each other are named.
#include <gtest/gtest.h>

#include <string>

#include "limber/problem/figure_limits.h"
#include "limber/solver/solve.h"
#include "tests/law/reference.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber::law {
namespace scale_law_test {

constexpr double named_sizes[] = {1e-6, 33e-6, 3e-3, 1.0, 1e6};

double size_of(Random& random, int k) {
  return k % 2 == 0 ? named_sizes[random.integer(0, 4)] : std::pow(10.0, random.between(-6.0, 6.0));
}

// A chain of slides and hinges of that size, and a pose within its ranges.
struct Sketch {
  FigureDescription figure{"slides"};
  std::vector<double> spans, kept;

  Sketch(Random& random, double size) {
    const int joints = random.integer(2, 7);
    const bool has_bones = random.chance(0.5), has_hinges = random.chance(0.5);
    figure.segments.push_back({"base", 1.0});
    for (int k = 0; k < joints; ++k) {
      const bool turns = has_hinges && random.chance(0.3);
      const double span = turns ? 1.0 : size;
      const Range range{-span * random.between(0.3, 1.0), span * random.between(0.3, 1.0)};
      spans.push_back(span);
      kept.push_back(random.between(range.lower, range.upper));
      const std::string name = std::to_string(k);
      figure.segments.push_back({"s" + name, 1.0});
      figure.joints.push_back(
          {"j" + name,
           k == 0 ? "base" : "s" + std::to_string(k - 1),
           "s" + name,
           at(has_bones ? Vec3(0.0, size, 0.0) : Vec3(0.0, 0.0, 0.0)),
           {},
           {turns ? testing::turn("q", random.direction(), range) : testing::shift("q", random.direction(), range)}});
    }
    figure.sites.push_back({"tip", figure.segments.back().name, at(Vec3(0.0, has_bones ? size : 0.0, 0.0))});
  }

  void add_row(Random& random) {
    LimitDescription row{"row" + std::to_string(figure.limits.size()), {}, Relation::at_most, 0.0};
    for (std::size_t k = 0; k < spans.size(); ++k) {
      if (random.chance(0.5)) continue;
      row.terms.push_back({figure.joints[k].name + ".q", random.between(-2.0, 2.0) / spans[k]});
      row.bound += row.terms.back().coefficient * kept[k];
    }
    if (row.terms.empty()) return;
    if (random.chance(0.3))
      row.relation = Relation::equal;
    else if (random.chance(0.5))
      row.bound += random.between(0.0, 0.3);
    figure.limits.push_back(row);
  }
};

TEST(Scale, RowsThatCanHoldAreKeptAtAnySize) {
  Random random(2101);
  for (int k = 0; k < law_count(3000) && !::testing::Test::HasFailure(); ++k) {
    const double size = size_of(random, k);
    SCOPED_TRACE(std::to_string(k) + ", size " + std::to_string(size));
    Sketch sketch(random, size);
    for (int rows = random.integer(1, 4); rows > 0; --rows) sketch.add_row(random);
    const Figure figure = testing::built(sketch.figure);
    Problem problem(figure);
    Vec3 goal = Vec3::Zero();
    for (const double span : sketch.spans) goal += std::fmin(span, size) * random.direction();
    ASSERT_TRUE(problem.add(figure.point("tip"), Position{goal}));
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
      pose.theta[j] = sketch.spans[static_cast<std::size_t>(j)] * random.between(-1.5, 1.5);
    const Report report = solve(problem, pose, {.iterations = 60, .restarts = 0});
    EXPECT_NE(report.exit, Exit::infeasible) << (report.rejection ? report.rejection->text() : "");
    EXPECT_LE(limit_defect(figure, pose.theta), 1.0) << "in units of the tolerance";
  }
}

TEST(Scale, RowsThatContradictEachOtherAreNamedAtAnySize) {
  Random random(2102);
  for (int k = 0; k < law_count(500) && !::testing::Test::HasFailure(); ++k) {
    const double size = size_of(random, k);
    SCOPED_TRACE(std::to_string(k) + ", size " + std::to_string(size));
    Sketch sketch(random, size);
    while (sketch.figure.limits.empty()) sketch.add_row(random);
    LimitDescription less = sketch.figure.limits.front(), more = less;
    for (LimitTerm& term : more.terms) term.coefficient = -term.coefficient;
    less.relation = more.relation = Relation::at_most;
    less.bound -= 0.1;
    more.bound = -less.bound - 0.1;
    less.name = "less";
    more.name = "more";
    sketch.figure.limits = {less, more};
    const Figure figure = testing::built(sketch.figure);
    Problem problem(figure);
    ASSERT_TRUE(problem.add(figure.point("tip"), Position{}));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    ASSERT_EQ(report.exit, Exit::infeasible);
    EXPECT_NE(report.rejection->found.find("more"), std::string::npos);
  }
}

TEST(Scale, APoseWithinTheLimitsStaysAsItIs) {
  Random random(2103);
  for (int k = 0; k < law_count(500); ++k) {
    Sketch sketch(random, size_of(random, k));
    sketch.add_row(random);
    const Figure figure = testing::built(sketch.figure);
    FigureLimits limits(figure);
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
      pose.theta[j] = sketch.spans[static_cast<std::size_t>(j)] * random.between(-1.5, 1.5);
    if (!limits.project(pose.theta).feasible) continue;
    const VecX within = pose.theta;
    EXPECT_EQ(limits.project(pose.theta).moved, 0.0);
    EXPECT_EQ(pose.theta, within);
  }
}

}  // namespace scale_law_test
}  // namespace limber::law
