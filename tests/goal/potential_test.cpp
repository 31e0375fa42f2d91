// The potentials and gradients of ZB94 section 5.2, written out as the paper prints them; conventions at kinks.
#include <gtest/gtest.h>

#include "limber/goal/goal.h"
#include "tests/support/figures.h"

namespace limber {
namespace potential_test {

using testing::random_vector;

// Coordinates of size 1 and c below 4: products of a dozen numbers.
constexpr double rounding = 1e-13;

struct Potential {
  double P;
  std::vector<Vec3> gradient;  // 2 Jᵀ r, by element
};

Potential potential(const Goal& goal, Shape shape, const std::vector<Vec3>& x) {
  const int rows = row_count(goal, shape), columns = 3 * element_count(shape);
  VecX r(rows);
  MatX J = MatX::Constant(rows, columns, 7.0);
  Residual out{{r.data(), rows}, {J.data(), rows, columns}};
  evaluate(goal, {shape, x.data()}, out);
  Potential result{r.squaredNorm(), {}};
  const VecX g = 2.0 * J.transpose() * r;
  for (int k = 0; k < columns / 3; ++k) result.gradient.push_back(g.segment<3>(3 * k));
  return result;
}

double square(const Vec3& v) { return v.x() * v.x() + v.y() * v.y() + v.z() * v.z(); }

TEST(PerMetre, IsEquation8) {
  for (const double d : {1.0, 5.0, 100.0, 360.0}) {
    EXPECT_NEAR(1.0 / per_metre(d), 2.0 * pi / 360.0 * d, 1e-15 * d);
    EXPECT_NEAR(per_metre(d) * radians(d), 1.0, 1e-15);
  }
  EXPECT_EQ(Direction{}.c, per_metre(100.0));
}

TEST(PositionPotential, IsEquations6And7) {
  Random random(100);
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = random_vector(random), r = random_vector(random);
    const Potential got = potential(Position{p}, Shape::point, {r});
    EXPECT_NEAR(got.P, square(p - r), rounding);
    EXPECT_LE((got.gradient[0] - 2.0 * (r - p)).norm(), rounding);
  }
}

TEST(DirectionPotential, IsTheFirstHalfOfEquation9) {
  Random random(101);
  const Vec3 v = random.direction(), x = random.direction();
  const Potential got = potential(Direction{v, 1.7}, Shape::direction, {x});
  EXPECT_NEAR(got.P, 1.7 * 1.7 * square(v - x), rounding);
  EXPECT_LE((got.gradient[0] + 2.0 * 1.7 * 1.7 * (v - x)).norm(), rounding);
}

// (10) and (11) with the sign mended: -2 c² (x_g - x_e).
TEST(OrientationPotential, IsEquations9To11) {
  Random random(102);
  for (int k = 0; k < 50; ++k) {
    const Mat3 g = random.rotation(), e = random.rotation();
    const double c_x = random.between(0.0, 3.0), c_y = random.between(0.0, 3.0);
    const Potential got = potential(Orientation{g.col(0), g.col(1), c_x, c_y}, Shape::directions, {e.col(0), e.col(1)});
    EXPECT_NEAR(got.P, c_x * c_x * square(g.col(0) - e.col(0)) + c_y * c_y * square(g.col(1) - e.col(1)), rounding);
    EXPECT_LE((got.gradient[0] + 2.0 * c_x * c_x * (g.col(0) - e.col(0))).norm(), rounding);
    EXPECT_LE((got.gradient[1] + 2.0 * c_y * c_y * (g.col(1) - e.col(1))).norm(), rounding);
  }
}

TEST(OrientationPotential, OfARotationHasItsAxesAndOneC) {
  Random random(103);
  const Mat3 R = random.rotation();
  const Orientation goal = orientation(R, 5.0);
  EXPECT_EQ(goal.x, Vec3(R.col(0)));
  EXPECT_EQ(goal.y, Vec3(R.col(1)));
  EXPECT_EQ(goal.c_x, per_metre(5.0));
  EXPECT_EQ(goal.c_y, per_metre(5.0));
}

TEST(OrientationPotential, IsBlindToADirectionWithCZero) {
  Random random(104);
  const Mat3 g = random.rotation(), spun = rotation(g.col(0), 1.0) * g, rolled = rotation(g.col(1), 1.0) * g;
  const Orientation no_y{g.col(0), g.col(1), 1.0, 0.0}, no_x{g.col(0), g.col(1), 0.0, 1.0};
  const Vec3 a[2] = {spun.col(0), spun.col(1)}, b[2] = {rolled.col(0), rolled.col(1)};
  EXPECT_LE(potential(no_y, Shape::directions, {a[0], a[1]}).P, rounding);
  EXPECT_LE(*no_y.error({Shape::directions, a}).radians, rounding);
  EXPECT_NEAR(*no_x.error({Shape::directions, a}).radians, 1.0, rounding);
  EXPECT_LE(potential(no_x, Shape::directions, {b[0], b[1]}).P, rounding);
  EXPECT_LE(*no_x.error({Shape::directions, b}).radians, rounding);
  EXPECT_NEAR(*no_y.error({Shape::directions, b}).radians, 1.0, rounding);
}

TEST(PlacementPotential, IsEquation12) {
  Random random(105);
  for (int k = 0; k < 50; ++k) {
    const Mat3 g = random.rotation(), e = random.rotation();
    const Vec3 p = random_vector(random), r = random_vector(random);
    const double c_x = random.between(0.0, 3.0), c_y = random.between(0.0, 3.0), w_p = random.unit(), w_o = 1.0 - w_p;
    const Potential got =
        potential(Placement{p, {g.col(0), g.col(1), c_x, c_y}, w_p, w_o}, Shape::frame, {r, e.col(0), e.col(1)});
    EXPECT_NEAR(got.P,
                w_p * square(p - r) + w_o * c_x * c_x * square(g.col(0) - e.col(0)) +
                    w_o * c_y * c_y * square(g.col(1) - e.col(1)),
                rounding);
    EXPECT_LE((got.gradient[0] - w_p * 2.0 * (r - p)).norm(), rounding);
    EXPECT_LE((got.gradient[1] + w_o * 2.0 * c_x * c_x * (g.col(0) - e.col(0))).norm(), rounding);
    EXPECT_LE((got.gradient[2] + w_o * 2.0 * c_y * c_y * (g.col(1) - e.col(1))).norm(), rounding);
  }
}

TEST(PlacementPotential, LeavesOutWhatWeighsNothing) {
  const Vec3 far[3] = {Vec3(3, 4, 0), -Vec3::UnitX(), Vec3::UnitY()};
  const GoalError only_p = Placement{Vec3::Zero(), {}, 1.0, 0.0}.error({Shape::frame, far});
  EXPECT_EQ(only_p.metres, 5.0);
  EXPECT_FALSE(only_p.radians);
  const GoalError only_o = Placement{Vec3::Zero(), {}, 0.0, 1.0}.error({Shape::frame, far});
  EXPECT_FALSE(only_o.metres);
  EXPECT_DOUBLE_EQ(*only_o.radians, pi);
}

TEST(AimPotential, IsEquations13To15) {
  Random random(106);
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = random_vector(random), r = p + random.between(0.5, 2.0) * random.direction(), v = random.direction();
    const double c = random.between(0.1, 3.0), n = (p - r).norm();
    const Potential got = potential(AimAt{p, c}, Shape::ray, {r, v});
    EXPECT_NEAR(got.P, c * c * square((p - r) / n - v), rounding);
    EXPECT_LE((got.gradient[0] - 2.0 * c * c * (n * n * v - (p - r).dot(v) * (p - r)) / (n * n * n)).norm(), rounding);
    EXPECT_LE((got.gradient[1] + 2.0 * c * c * ((p - r) / n - v)).norm(), rounding);
  }
}

TEST(AimPotential, IsMetWhereTheTargetIsAtTheEye) {
  const Vec3 p(1, 2, 3), x[2] = {p, Vec3::UnitX()};
  const Potential got = potential(AimAt{p, 1.0}, Shape::ray, {x[0], x[1]});
  EXPECT_EQ(got.P, 0.0);
  EXPECT_EQ(got.gradient[0], Vec3::Zero());
  EXPECT_EQ(got.gradient[1], Vec3::Zero());
  EXPECT_EQ((AimAt{p, 1.0}.error({Shape::ray, x}).radians), 0.0);
}

TEST(LinePotential, IsEquations16And17) {
  Random random(107);
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = random_vector(random), nu = random.direction(), r = random_vector(random);
    const Potential got = potential(Line{p, nu}, Shape::point, {r});
    EXPECT_NEAR(got.P, square((p - r) - (p - r).dot(nu) * nu), rounding);
    EXPECT_LE((got.gradient[0] - 2.0 * (nu.dot(p - r) * nu - (p - r))).norm(), rounding);
  }
}

TEST(PlanePotential, IsEquations18And19) {
  Random random(108);
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = random_vector(random), nu = random.direction(), r = random_vector(random);
    const Potential got = potential(Plane{p, nu}, Shape::point, {r});
    EXPECT_NEAR(got.P, (p - r).dot(nu) * (p - r).dot(nu), rounding);
    EXPECT_LE((got.gradient[0] + 2.0 * nu.dot(p - r) * nu).norm(), rounding);
  }
}

TEST(HalfSpacePotential, IsEquations20And21) {
  Random random(109);
  int outside = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 p = random_vector(random), nu = random.direction(), r = random_vector(random);
    const Potential got = potential(HalfSpace{p, nu}, Shape::point, {r});
    const double s = (p - r).dot(nu);
    EXPECT_NEAR(got.P, s < 0.0 ? 0.0 : s * s, rounding);
    EXPECT_LE((got.gradient[0] - (s < 0.0 ? Vec3(Vec3::Zero()) : Vec3(-2.0 * s * nu))).norm(), rounding);
    outside += s > 0.0 ? 1 : 0;
  }
  EXPECT_GT(outside, 20);
  EXPECT_LT(outside, 80);
}

const std::vector<Face> cube = {{{1, 0, 0}, {1, 0, 0}},   {{-1, 0, 0}, {-1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}},
                                {{0, -1, 0}, {0, -1, 0}}, {{0, 0, 1}, {0, 0, 1}},   {{0, 0, -1}, {0, 0, -1}}};

// (27) over the outward half-spaces.
TEST(OutsidePolyhedron, IsTheSmallestOfItsHalfSpaces) {
  Random random(110);
  for (int k = 0; k < 200; ++k) {
    const Vec3 r = random_vector(random, 1.3);
    double min = infinity;
    for (const Face& face : cube) min = std::fmin(min, potential(HalfSpace{face.p, face.v}, Shape::point, {r}).P);
    EXPECT_NEAR(potential(OutsidePolyhedron{cube}, Shape::point, {r}).P, min, rounding);
    double sum = 0.0;
    for (const Face& face : cube) sum += potential(HalfSpace{face.p, -face.v}, Shape::point, {r}).P;
    EXPECT_NEAR(potential(InsidePolyhedron{cube}, Shape::point, {r}).P, sum, rounding);
  }
}

TEST(OutsidePolyhedron, TakesTheLowestFaceInATie) {
  EXPECT_EQ(potential(OutsidePolyhedron{cube}, Shape::point, {Vec3::Zero()}).gradient[0], Vec3(-2, 0, 0));
  EXPECT_EQ(potential(OutsidePolyhedron{cube}, Shape::point, {Vec3(0, -0.5, 0.5)}).gradient[0], Vec3(0, 1, 0));
}

TEST(InsidePolyhedron, ReportsItsWorstFaceAndAddsAllInTheResidual) {
  const Vec3 x(2, 3, 0);
  EXPECT_EQ(InsidePolyhedron{cube}.error({Shape::point, &x}).metres, 2.0);
  EXPECT_EQ(potential(InsidePolyhedron{cube}, Shape::point, {x}).P, 5.0);
  EXPECT_EQ(row_count(InsidePolyhedron{cube}, Shape::point), 6);
}

TEST(OutsideCapsule, IsLeftUpwardFromItsAxis) {
  const Capsule capsule{{0, 0, 0}, {1, 0, 0}, 0.5};
  const Potential got = potential(OutsideCapsule{capsule}, Shape::point, {Vec3(0.5, 0, 0)});
  EXPECT_EQ(got.P, 0.25);
  EXPECT_EQ(got.gradient[0], Vec3(0, -1, 0));
  EXPECT_EQ(potential(OutsideCapsule{sphere({1, 1, 1}, 2.0)}, Shape::point, {Vec3(1, 1, 1)}).gradient[0],
            Vec3(0, -4, 0));
  EXPECT_EQ(potential(OutsideCapsule{sphere({1, 1, 1}, 0.0)}, Shape::point, {Vec3(1, 1, 1)}).gradient[0], Vec3::Zero());
}

TEST(CoincidePotential, CountsDirectionsByCAndPointsInMetres) {
  const Vec3 a(1, 0, 0), b(0, 2, 0), d(0, 0, 3);
  EXPECT_DOUBLE_EQ(potential(Coincide{0.5}, Shape::point, {b}).P, 4.0);
  EXPECT_DOUBLE_EQ(potential(Coincide{0.5}, Shape::direction, {b}).P, 1.0);
  EXPECT_DOUBLE_EQ(potential(Coincide{0.5}, Shape::directions, {a, b}).P, 0.25 * 5.0);
  EXPECT_DOUBLE_EQ(potential(Coincide{0.5}, Shape::ray, {a, b}).P, 1.0 + 1.0);
  EXPECT_DOUBLE_EQ(potential(Coincide{0.5}, Shape::frame, {a, b, d}).P, 1.0 + 0.25 * 13.0);
}

TEST(AngleOfChord, GoesFromZeroToPi) {
  for (const double a : {0.0, 0.1, 1.0, 3.0}) EXPECT_NEAR(angle_of_chord(2.0 * std::sin(a / 2)), a, 1e-14);
  EXPECT_EQ(angle_of_chord(2.0 + 1e-12), pi);
}

}  // namespace potential_test
}  // namespace limber
