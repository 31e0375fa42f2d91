// Curves through keys, against the formulas of their papers, Eigen, and differences.
#include "limber/motion/spline.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "tests/support/figures.h"

namespace limber {
namespace spline_test {

Bend some_bend(Random& random) {
  const double t = random.between(-1.0, 1.0), c = random.between(-1.0, 1.0);
  return {t, c, random.between(-1.0, 1.0)};
}

Quaternion some_rotation(Random& random) {
  Quaternion q;
  do {
    for (int k = 0; k < 4; ++k) q.coeffs()[k] = random.between(-1.0, 1.0);
  } while (q.norm() < 0.1);
  return q.normalized();
}

// The paper's source and destination derivatives, per interval of u.
TEST(KochanekBartels, AreThePapersTangentsForEvenKeys) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const Bend bend = some_bend(random);
    const double t = bend.tension, c = bend.continuity, b = bend.bias, h = random.between(0.1, 3.0);
    const double p0 = random.between(-2.0, 2.0), p1 = random.between(-2.0, 2.0), p2 = random.between(-2.0, 2.0);
    const double ds = (1 - t) * (1 - c) * (1 + b) / 2 * (p1 - p0) + (1 - t) * (1 + c) * (1 - b) / 2 * (p2 - p1);
    const double dd = (1 - t) * (1 + c) * (1 + b) / 2 * (p1 - p0) + (1 - t) * (1 - c) * (1 - b) / 2 * (p2 - p1);
    const Velocities<double> v = kochanek_bartels(p1 - p0, h, p2 - p1, h, bend);
    EXPECT_NEAR(h * v.in, ds, 1e-12);
    EXPECT_NEAR(h * v.out, dd, 1e-12);
    const Velocities<double> plain = kochanek_bartels(p1 - p0, h, p2 - p1, h, {});
    EXPECT_NEAR(h * plain.in, (p2 - p0) / 2.0, 1e-12) << "Catmull-Rom";
  }
}

TEST(KochanekBartels, HaveContinuousVelocityAtUnevenKeysAndKeepALine) {
  Random random(22);
  for (int trial = 0; trial < 500; ++trial) {
    Bend bend = some_bend(random);
    bend.continuity = 0.0;
    const double before = random.between(0.1, 3.0), after = random.between(0.1, 3.0);
    const Velocities<Vec3> v =
        kochanek_bartels<Vec3>(testing::random_vector(random), before, testing::random_vector(random), after, bend);
    EXPECT_LT((v.in - v.out).norm(), 1e-12);
    const Vec3 line = testing::random_vector(random);
    const Velocities<Vec3> even = kochanek_bartels<Vec3>(before * line, before, after * line, after, {});
    EXPECT_LT((even.in - line).norm(), 1e-12);
  }
}

TEST(Hermite, HasItsEndsAndSlopes) {
  Random random(23);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 p0 = testing::random_vector(random), p1 = testing::random_vector(random);
    const Vec3 m0 = testing::random_vector(random), m1 = testing::random_vector(random);
    const Cubic<Vec3> cubic = hermite(p0, p1, m0, m1);
    EXPECT_EQ(cubic(0.0), p0);
    EXPECT_LT((cubic(1.0) - p1).norm(), 1e-14);
    EXPECT_EQ(cubic.slope(0.0), m0);
    EXPECT_LT((cubic.slope(1.0) - m1).norm(), 1e-14);
    const double u = random.unit(), h = 1e-5;
    EXPECT_LT((cubic.slope(u) - (cubic(u + h) - cubic(u - h)) / (2.0 * h)).norm(), 1e-8);
  }
}

TEST(Slerp, AgreesWithEigenFromZeroToHalfATurn) {
  Random random(24);
  for (int trial = 0; trial < 3000; ++trial) {
    const Quaternion a = some_rotation(random);
    Quaternion b = some_rotation(random);
    if (trial % 2 == 0) b = a * quaternion_exp(std::pow(10.0, random.between(-9.0, 0.0)) * random.direction());
    b = on_side_of(a, b);
    const double u = random.unit();
    const Quaternion expected = a.slerp(u, b);
    EXPECT_LT((Slerp(a, b)(u).coeffs() - expected.coeffs()).norm(), 1e-14);
    EXPECT_LT((slerp(a, b, u).coeffs() - expected.coeffs()).norm(), 1e-14);
    EXPECT_NEAR(Slerp(a, b)(u).norm(), 1.0, 1e-14);
  }
}

TEST(Slerp, LogarithmAndExponentialAreInverse) {
  Random random(25);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 v = std::pow(10.0, random.between(-12.0, 0.49)) * random.direction();
    EXPECT_LT((quaternion_log(quaternion_exp(v)) - v).norm(), 1e-14 * (1.0 + v.norm()) + 1e-15);
    const Quaternion q = some_rotation(random);
    EXPECT_LT((quaternion_exp(quaternion_log(q)).coeffs() - q.coeffs()).norm(), 1e-14);
  }
  EXPECT_EQ(quaternion_log(Quaternion::Identity()), Vec3::Zero());
  EXPECT_EQ(quaternion_exp(Vec3::Zero()).coeffs(), Quaternion::Identity().coeffs());
}

TEST(Squad, HasShoemakesInnerPointsForEvenKeys) {
  Random random(26);
  for (int trial = 0; trial < 300; ++trial) {
    const Quaternion q = some_rotation(random);
    const Quaternion before = on_side_of(q, some_rotation(random)), after = on_side_of(q, some_rotation(random));
    const Vec3 to_after = quaternion_log(q.conjugate() * after), to_before = quaternion_log(q.conjugate() * before);
    const Quaternion shoemake = q * quaternion_exp(-0.25 * (to_after + to_before));
    const Velocities<Quaternion> inner = quadrangle_points(q, -to_before, 0.7, to_after, 0.7, {});
    EXPECT_LT((inner.in.coeffs() - shoemake.coeffs()).norm(), 1e-14);
    EXPECT_LT((inner.out.coeffs() - shoemake.coeffs()).norm(), 1e-14);
  }
}

// The velocity on both sides of a key, by differences.
TEST(Squad, PassesItsKeysWithContinuousVelocityBetweenUnevenIntervals) {
  Random random(27);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Quaternion> q = {some_rotation(random)};
    std::vector<double> h;
    for (int k = 1; k < 5; ++k) {
      q.push_back(on_side_of(q.back(), some_rotation(random)));
      h.push_back(random.between(0.2, 2.0));
    }
    std::vector<Vec3> way;
    for (int k = 0; k < 4; ++k) way.push_back(quaternion_log(q[k].conjugate() * q[k + 1]));
    const Bend bend = {random.between(-0.5, 0.5), 0.0, random.between(-0.5, 0.5)};
    std::vector<Velocities<Quaternion>> inner(5);
    for (int k = 1; k < 4; ++k) inner[k] = quadrangle_points(q[k], way[k - 1], h[k - 1], way[k], h[k], bend);
    const Squad left{{q[1], q[2]}, {inner[1].out, inner[2].in}}, right{{q[2], q[3]}, {inner[2].out, inner[3].in}};
    EXPECT_LT((left(1.0).coeffs() - q[2].coeffs()).norm(), 1e-14);
    EXPECT_LT((right(0.0).coeffs() - q[2].coeffs()).norm(), 1e-14);
    const double d = 1e-4;  // seconds; one-sided, second order
    const auto l = [&](double s) { return left(1.0 - s / h[1]).coeffs(); };
    const auto r = [&](double s) { return right(s / h[2]).coeffs(); };
    const Eigen::Vector4d from_left = (3.0 * l(0) - 4.0 * l(d) + l(2 * d)) / (2.0 * d);
    const Eigen::Vector4d from_right = (-3.0 * r(0) + 4.0 * r(d) - r(2 * d)) / (2.0 * d);
    EXPECT_LT((from_left - from_right).norm(), 1e-4) << trial;
    const Vec3 v = kochanek_bartels(way[1], h[1], way[2], h[2], bend).out;
    EXPECT_LT(((q[2].conjugate() * Quaternion(from_right)).vec() - v).norm(), 1e-4) << trial;
    const double u = random.unit();
    const Quaternion step = left(u - 1e-4).conjugate() * left(u + 1e-4);
    EXPECT_NEAR(left.speed(u), 2.0 * quaternion_log(step).norm() / 2e-4, 1e-4 * (1.0 + left.speed(u)));
  }
}

TEST(MonotoneCurve, PassesItsKnotsAndIsMonotoneBetweenThem) {
  Random random(28);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<MonotoneCurve::Knot> knots = {{random.between(-1.0, 1.0), random.between(-1.0, 1.0)}};
    for (int k = 0; k < 6; ++k)
      knots.push_back({knots.back().x + random.between(0.05, 1.0),
                       knots.back().y + (random.chance(0.3) ? 0.0 : random.between(0.0, 2.0))});
    const MonotoneCurve curve(knots);
    for (const MonotoneCurve::Knot& knot : knots) EXPECT_EQ(curve(knot.x), knot.y);
    EXPECT_EQ(curve(-10.0), knots.front().y);
    EXPECT_EQ(curve(100.0), knots.back().y);
    double before = -infinity;
    for (int k = 0; k <= 2000; ++k) {
      const double y = curve(knots.front().x + (knots.back().x - knots.front().x) * k / 2000.0);
      EXPECT_GE(y, before - 1e-15);
      before = y;
    }
    const double x = knots[3].x, d = 1e-7;
    EXPECT_NEAR((curve(x) - curve(x - d)) / d, (curve(x + d) - curve(x)) / d, 2e-3);
  }
  const MonotoneCurve line({{0.0, 1.0}, {1.0, 3.0}, {4.0, 9.0}});
  for (const double x : {0.3, 1.7, 3.9}) EXPECT_NEAR(line(x), 1.0 + 2.0 * x, 1e-14);
}

TEST(LengthTable, HasConstantSpeedAlongAnArc) {
  // u² of a quarter circle: s = u² π/2.
  const LengthTable quarter([](double u) { return pi * u; });
  EXPECT_NEAR(quarter.length(), pi / 2.0, 1e-13);
  for (const double part : {0.01, 0.3, 0.5, 0.99}) EXPECT_NEAR(quarter.at(part), std::sqrt(part), 1e-10) << part;
  EXPECT_EQ(quarter.at(0.0), 0.0);
  EXPECT_EQ(quarter.at(1.0), 1.0);
  const LengthTable none([](double) { return 0.0; });
  EXPECT_EQ(none.at(0.25), 0.25);
  // A cubic in space, against its length in ten thousand chords.
  Random random(29);
  for (int trial = 0; trial < 50; ++trial) {
    const Cubic<Vec3> cubic = hermite<Vec3>(testing::random_vector(random), testing::random_vector(random),
                                            testing::random_vector(random, 3.0), testing::random_vector(random, 3.0));
    const LengthTable table([&](double u) { return cubic.slope(u).norm(); });
    constexpr int chords = 10000;
    std::vector<double> length = {0.0};
    for (int k = 0; k < chords; ++k)
      length.push_back(length.back() + (cubic((k + 1.0) / chords) - cubic(static_cast<double>(k) / chords)).norm());
    EXPECT_NEAR(table.length(), length.back(), 1e-5 * length.back());
    double before = 0.0;
    for (int k = 1; k < 100; ++k) {
      const double u = table.at(k / 100.0);
      EXPECT_GT(u, before);
      EXPECT_NEAR(length[static_cast<std::size_t>(u * chords)] / length.back(), k / 100.0, 5e-4);
      before = u;
    }
  }
}

}  // namespace spline_test
}  // namespace limber
