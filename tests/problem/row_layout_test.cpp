#include "limber/problem/row_layout.h"

#include <gtest/gtest.h>

#include "tests/support/figures.h"

namespace limber {
namespace row_layout_test {

using testing::built;
using testing::good;

TEST(RowLayout, OrdersRowsByLevelThenByConstraint) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  const auto add = [&](ConstraintOptions options) {
    return good(problem.add(figure.point("tip"), Position{}, std::move(options)));
  };
  add({.priority = 3});
  add({.weight = 2.0});
  add({.weight = must});
  const ConstraintId off = add({});
  add({.weight = 5.0});
  ASSERT_TRUE(problem.set_enabled(off, false));
  const RowLayout rows(problem, {1, 2, 3, 4, 0});
  EXPECT_EQ(rows.order(), (std::vector<std::size_t>{2, 1, 4, 0}));
  EXPECT_EQ(rows.level_ends(), (std::vector<int>{3, 5, 6}));
  EXPECT_EQ(rows.of(2).begin, 0);
  EXPECT_EQ(rows.of(1).begin, 3);
  EXPECT_EQ(rows.of(1).count, 2);
  EXPECT_EQ(rows.of(0).begin, 5);
  EXPECT_EQ(rows.of(3).count, 0);
  EXPECT_FALSE(rows.has_one_level());
  EXPECT_TRUE(rows.is_within(1, 3, 5));
  EXPECT_TRUE(rows.is_within(4, 3, 5)) << "no rows, but it counts";
  EXPECT_FALSE(rows.is_within(1, 0, 4));
  EXPECT_FALSE(rows.is_within(3, 0, 6)) << "it does not count";
}

// The squares of the scales are w / (ℓ² Σ w), with the soft scale on soft ones and the whole Σ w; 1 / ℓ² for hard ones.
TEST(RowLayout, ScalesByWeightAndLength) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{}, {.weight = 3.0}));
  good(problem.add(figure.point("tip"), Position{}, {.weight = 1.0, .soft = true}));
  good(problem.add(figure.point("tip"), Position{}, {.weight = must}));
  RowLayout rows(problem, {3, 3, 3});
  rows.start();
  const double length = figure.length(), whole = 4.0 * length * length;
  EXPECT_DOUBLE_EQ(rows.objective_scale(), whole);
  rows.set_soft_scale(0.25);
  EXPECT_DOUBLE_EQ(rows.objective_scale(), whole);
  EXPECT_DOUBLE_EQ(rows.square_scale(0), 3.0 / whole);
  EXPECT_DOUBLE_EQ(rows.square_scale(1), 0.25 / whole);
  EXPECT_DOUBLE_EQ(rows.row_scale(1), 0.5 / (2.0 * length));
  EXPECT_DOUBLE_EQ(rows.row_scale(2), 1.0 / length);
  ASSERT_TRUE(problem.set_weight(problem.constraints()[0].id, 7.0));
  rows.start();
  EXPECT_DOUBLE_EQ(rows.objective_scale(), 8.0 * length * length);
}

}  // namespace row_layout_test
}  // namespace limber
