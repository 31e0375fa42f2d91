// Handles computed: values, Jacobians, and the transposed Jacobian as one sweep.
#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace handle_test {

using testing::built;
using testing::expect_derivative;
using testing::good;
using testing::random_pose;
using testing::random_tree;
using testing::random_values;
using testing::random_vector;
using testing::seven_joint_arm;

std::string random_site(const Figure& figure, Random& random) {
  return figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))].name;
}

std::vector<Handle> every_kind(const Figure& figure, Random& random) {
  const auto site = [&] { return random_site(figure, random); };
  const auto centre = figure.mass_centre();
  std::vector<Expected<Handle>> handles = {figure.point(site()),
                                           figure.direction(site(), random.direction()),
                                           figure.ray(site()),
                                           figure.frame(site()),
                                           difference(figure.point(site()), figure.point(site())),
                                           difference(figure.frame(site()), figure.frame(site())),
                                           difference(figure.ray(site()), figure.point(site())),
                                           difference(figure.direction(site()), figure.direction(site())),
                                           centre,
                                           difference(centre, figure.point(site())),
                                           difference(figure.point(site()), centre),
                                           part(*figure.frame(site()), Shape::directions)};
  std::vector<Handle> good_ones;
  for (const Expected<Handle>& handle : handles) good_ones.push_back(good(handle));
  return good_ones;
}

VecX value(const Figure& figure, const VecX& q, const Handle& handle) {
  Kinematics state(figure);
  forward(figure, q, state);
  Vec3 x[max_elements];
  evaluate(figure, state, handle, x);
  VecX flat(3 * handle.count());
  for (int k = 0; k < handle.count(); ++k) flat.segment<3>(3 * k) = x[k];
  return flat;
}

TEST(HandleValue, OfASiteIsItsWorldFrame) {
  Random random(70);
  for (int trial = 0; trial < 20; ++trial) {
    const Figure figure = built(random_tree(random));
    const Kinematics state = forward(figure, random_pose(figure, random));
    for (const Site& site : figure.sites()) {
      const Frame X = state.segments[site.segment] * site.frame;
      Vec3 x[max_elements];
      evaluate(figure, state, good(figure.frame(site.name)), x);
      EXPECT_LE((x[0] - X.p).norm() + (x[1] - X.R.col(0)).norm() + (x[2] - X.R.col(1)).norm(), 1e-14);
    }
  }
}

TEST(HandleValue, OfAJointIsWhereItsAxesMeet) {
  Random random(71);
  const Figure figure = built(seven_joint_arm());
  const Kinematics state = forward(figure, random_pose(figure, random));
  for (int s = 1; s <= 7; ++s) {
    Vec3 x;
    evaluate(figure, state, good(figure.point(figure.joints()[s].name)), &x);
    EXPECT_LE((x - state.points[figure.joints()[s].freedom_begin]).norm(), 1e-15);
  }
}

TEST(HandleValue, OfTheMassCentreIsTheWeightedMean) {
  Random random(72);
  const Figure figure = built(random_tree(random, {.segments = 10}));
  const Kinematics state = forward(figure, random_pose(figure, random));
  Vec3 moment = Vec3::Zero();
  double mass = 0.0;
  for (const SegmentDescription& segment : figure.description().segments) {
    const Frame& X = state.segments[static_cast<std::size_t>(good(figure.find_segment(segment.name)))];
    moment += segment.mass * (X.R * segment.mass_centre + X.p);
    mass += segment.mass;
  }
  EXPECT_NEAR(figure.mass(), mass, 1e-14);
  Vec3 x;
  evaluate(figure, state, good(figure.mass_centre()), &x);
  EXPECT_LE((x - moment / mass).norm(), 1e-14);
}

TEST(HandleValue, OfADifferenceVanishesWhereTheTwoCoincide) {
  Random random(73);
  const Figure figure = built(random_tree(random));
  const VecX q = random_values(random, static_cast<Eigen::Index>(figure.freedoms().size()));
  const auto a = figure.frame("site s3"), b = figure.frame("site s5");
  EXPECT_EQ(value(figure, q, good(difference(a, a))), VecX(VecX::Zero(9)));
  EXPECT_LE((value(figure, q, good(difference(a, b))) - (value(figure, q, *a) - value(figure, q, *b))).norm(), 1e-15);
  const VecX ray = value(figure, q, good(difference(figure.ray("site s3"), figure.point("site s5"))));
  EXPECT_LE((ray.tail<3>() - value(figure, q, *a).segment<3>(3)).norm(), 1e-15);  // the direction stays
}

TEST(HandleJacobian, IsTheDerivativeOfEveryKindOfHandle) {
  Random random(74);
  for (int trial = 0; trial < 25; ++trial) {
    const Figure figure = built(random_tree(random, {random.integer(2, 12), random.chance(0.7), false}));
    const VecX q = random_values(random, static_cast<Eigen::Index>(figure.freedoms().size()));
    Kinematics state(figure);
    forward(figure, q, state);
    for (const Handle& handle : every_kind(figure, random)) {
      MatX J = MatX::Constant(2, 2, 7.0);  // what it held before does not matter
      jacobian(figure, state, handle, J);
      expect_derivative([&](const VecX& x) { return value(figure, x, handle); }, q, J, random);
    }
  }
}

std::vector<int> all_segments(const Figure& figure) {
  std::vector<int> all(figure.segments().size());
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = static_cast<int>(s);
  return all;
}

TEST(Sweep, IsTheTransposedJacobianOfAllHandlesAtOnce) {
  Random random(75);
  for (int trial = 0; trial < 50; ++trial) {
    const Figure figure = built(random_tree(random, {random.integer(2, 12), random.chance(0.7), false}));
    const auto n = static_cast<Eigen::Index>(figure.freedoms().size());
    Kinematics state(figure);
    forward(figure, random_values(random, n), state);
    Sweep sweep(figure);
    VecX gradient = VecX::Constant(n, 99.0);
    // Twice, to see that clear() forgets.
    for (int round = 0; round < 2; ++round) {
      sweep.clear(all_segments(figure));
      VecX expected = VecX::Zero(n);
      double scale = 1.0;
      for (const Handle& handle : every_kind(figure, random)) {
        if (random.chance(0.5)) continue;
        Vec3 c[max_elements];
        MatX J;
        jacobian(figure, state, handle, J);
        for (int k = 0; k < handle.count(); ++k) {
          c[k] = random_vector(random);
          expected += J.middleRows(3 * k, 3).transpose() * c[k];
        }
        scale += J.norm();
        sweep.pull(state, handle, c);
      }
      sweep.gradient(figure, state, all_segments(figure), gradient);
      EXPECT_LE((gradient - expected).cwiseAbs().maxCoeff(), 1e-13 * scale);
    }
  }
}

TEST(Sweep, GivesZeroOffTheHandlesWayAndLeavesUnlistedFreedomsAlone) {
  Random random(76);
  for (int trial = 0; trial < 50; ++trial) {
    const Figure figure = built(random_tree(random, {.segments = 10, .groups = false}));
    const auto n = static_cast<Eigen::Index>(figure.freedoms().size());
    Kinematics state(figure);
    forward(figure, random_values(random, n), state);
    const Handle handle = good(figure.ray(random_site(figure, random)));
    std::vector<int> way;
    for (int s = handle.plus[0].segment; s != no_parent; s = figure.segments()[s].parent) way.insert(way.begin(), s);
    const Vec3 c[2] = {random_vector(random), random_vector(random)};
    Sweep sweep(figure);
    sweep.clear(all_segments(figure));
    sweep.pull(state, handle, c);
    VecX whole = VecX::Constant(n, 99.0), part = VecX::Constant(n, 99.0);
    sweep.gradient(figure, state, all_segments(figure), whole);
    sweep.clear(way);
    sweep.pull(state, handle, c);
    sweep.gradient(figure, state, way, part);
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool on_way = std::find(way.begin(), way.end(), figure.freedoms()[i].joint) != way.end();
      if (!on_way) {
        EXPECT_EQ(whole[i], 0.0);
      }
      EXPECT_EQ(part[i], on_way ? whole[i] : 99.0);
    }
  }
}

}  // namespace handle_test
}  // namespace limber
