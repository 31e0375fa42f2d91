// Starting points of restarts: all over the limits, wherever the best point is.
#include "limber/solver/restart.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace restart_test {

constexpr int restarts = 60;

// The values of every variable (columns) in restarts 1, 2, … from x.
MatX points_from(const VecX& x, const Limits& limits) {
  Restart restart;
  restart.reserve(limits);
  const std::vector<char> all(static_cast<std::size_t>(limits.variables()), 1);
  MatX points(restarts, limits.variables());
  for (int number = 1; number <= restarts; ++number) {
    VecX point = x;
    restart.move_anywhere(limits, number, all, point);
    points.row(number - 1) = point.transpose();
  }
  return points;
}

Limits box(int n, double lower, double upper) {
  Limits limits(n);
  limits.lower.setConstant(lower);
  limits.upper.setConstant(upper);
  return limits;
}

TEST(Restart, VariesAJointFromOneLimitToTheOther) {
  for (const double at : {-2.9, 0.0, 2.9}) {
    const MatX points = points_from(VecX::Constant(7, at), box(7, -2.9, 2.9));
    for (int i = 0; i < 7; ++i) {
      EXPECT_LT(points.col(i).minCoeff(), -2.3) << "from " << at;
      EXPECT_GT(points.col(i).maxCoeff(), 2.3) << "from " << at;
    }
  }
}

TEST(Restart, VariesAWideRangeByOneTurn) {
  for (const double at : {-10.0, 1.0, 9.0}) {
    const MatX points = points_from(VecX::Constant(2, at), box(2, -10.0, 10.0));
    EXPECT_GE(points.minCoeff(), -10.0);
    EXPECT_LE(points.maxCoeff(), 10.0);
    EXPECT_LE(points.maxCoeff() - points.minCoeff(), 2.0 * pi);
    EXPECT_LE(points.minCoeff(), at + 0.5);
    EXPECT_GE(points.maxCoeff(), at - 0.5);
  }
  const MatX points = points_from(VecX::Constant(2, 40.0), Limits(2));
  EXPECT_LE((points.array() - 40.0).abs().maxCoeff(), pi);
}

// However many variables there are: no sequence may give one of them the same few values again and again.
TEST(Restart, TriesEveryPartOfEveryRange) {
  constexpr int parts = 6;
  for (int n = 1; n <= 20; ++n) {
    const MatX points = points_from(VecX::Constant(n, 0.5), box(n, 0.0, 1.0));
    for (int i = 0; i < n; ++i) {
      std::vector<int> hits(parts, 0);
      for (int k = 0; k < restarts; ++k) ++hits[static_cast<std::size_t>(std::min(parts - 1.0, points(k, i) * parts))];
      EXPECT_GT(*std::min_element(hits.begin(), hits.end()), 0) << "variable " << i << " of " << n;
    }
  }
}

}  // namespace restart_test
}  // namespace limber
