// Laws that hold for every goal: zero exactly where it is met, its derivative, its distance.
#include <gtest/gtest.h>

#include <functional>

#include "limber/goal/goal.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace law_test {

using testing::expect_derivative;
using testing::good;
using testing::random_vector;

using Elements = std::vector<Vec3>;

struct Sample {
  Elements x;
  GoalError error = {};  // by another way than the goal's own
};

// One kind of goal at random, with places where it is met and places where it is not.
struct Case {
  Goal goal;
  Shape shape;
  std::function<Sample(Random&)> met;
  std::function<Sample(Random&)> missed;
};

GoalError metres(double d) { return {d, {}}; }
GoalError angle(double a) { return {{}, a}; }

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }
Vec3 across(const Vec3& v, Random& random) { return v.cross(random.direction()).normalized(); }

// A box turned at random, with its centre at c and half sides h.
std::vector<Face> box(const Frame& X, const Vec3& h) {
  std::vector<Face> faces;
  for (int k = 0; k < 3; ++k)
    for (const double side : {-1.0, 1.0}) faces.push_back({X * Vec3(side * h[k] * Vec3::Unit(k)), side * X.R.col(k)});
  return faces;
}

Goal custom_position(const Vec3& p) {
  return CustomGoal{"own position", Shape::point, 3,
                    [p](const HandleValue& x, Residual& out) {
                      out.r = x[0] - p;
                      out.block(0, 0).setIdentity();
                    },
                    [p](const HandleValue& x) { return GoalError{(x[0] - p).norm(), {}}; }};
}

Case position_case(Random& random, bool custom) {
  const Vec3 p = random_vector(random);
  return {custom ? custom_position(p) : Goal(Position{p}), Shape::point, [p](Random&) { return Sample{{p}}; },
          [p](Random& r) {
            const double d = r.between(0.1, 2.0);
            return Sample{{p + d * r.direction()}, metres(d)};
          }};
}

Case direction_case(Random& random) {
  const Vec3 v = random.direction();
  return {Direction{v, random.between(0.2, 2.0)}, Shape::direction, [v](Random&) { return Sample{{v}}; },
          [v](Random& r) {
            const Vec3 x = r.direction();
            return Sample{{x}, angle(angle_between(x, v))};
          }};
}

Case orientation_case(Random& random) {
  const Mat3 R = random.rotation();
  return {Orientation{R.col(0), R.col(1), random.between(0.2, 2.0), random.between(0.2, 2.0)}, Shape::directions,
          [R](Random&) { return Sample{{R.col(0), R.col(1)}}; },
          [R](Random& r) {
            const Mat3 Q = r.rotation();
            return Sample{{Q.col(0), Q.col(1)},
                          angle(std::fmax(angle_between(Q.col(0), R.col(0)), angle_between(Q.col(1), R.col(1))))};
          }};
}

Case placement_case(Random& random) {
  const Frame X = testing::random_frame(random);
  const double w = random.between(0.1, 0.9);
  return {Placement{X.p, Orientation{X.R.col(0), X.R.col(1), 0.7, 1.3}, w, 1.0 - w}, Shape::frame,
          [X](Random&) { return Sample{{X.p, X.R.col(0), X.R.col(1)}}; },
          [X](Random& r) {
            const Mat3 Q = r.rotation();
            const double d = r.between(0.1, 2.0);
            return Sample{{X.p + d * r.direction(), Q.col(0), Q.col(1)},
                          {d, std::fmax(angle_between(Q.col(0), X.R.col(0)), angle_between(Q.col(1), X.R.col(1)))}};
          }};
}

Case aim_case(Random& random) {
  const Vec3 p = random_vector(random);
  return {AimAt{p, random.between(0.2, 2.0)}, Shape::ray,
          [p](Random& r) {
            const Vec3 v = r.direction();
            return Sample{{p - r.between(0.5, 2.0) * v, v}};
          },
          [p](Random& r) {
            const Vec3 eye = p + r.between(0.5, 2.0) * r.direction(), v = r.direction();
            return Sample{{eye, v}, angle(angle_between(p - eye, v))};
          }};
}

Case line_case(Random& random) {
  const Vec3 p = random_vector(random), v = random.direction();
  return {Line{p, v}, Shape::point, [=](Random& r) { return Sample{{p + r.between(-2.0, 2.0) * v}}; },
          [=](Random& r) {
            const double d = r.between(0.1, 2.0);
            return Sample{{p + r.between(-2.0, 2.0) * v + d * across(v, r)}, metres(d)};
          }};
}

Case plane_case(Random& random, bool half) {
  const Vec3 p = random_vector(random), v = random.direction();
  const auto in_plane = [=](Random& r) -> Vec3 { return p + r.between(-2.0, 2.0) * across(v, r); };
  return {half ? Goal(HalfSpace{p, v}) : Goal(Plane{p, v}), Shape::point,
          [=](Random& r) { return Sample{{in_plane(r) + (half ? r.between(0.1, 2.0) : 0.0) * v}}; },
          [=](Random& r) {
            const double d = r.between(0.1, 2.0);
            return Sample{{in_plane(r) - (half || r.chance(0.5) ? d : -d) * v}, metres(d)};
          }};
}

Case distance_case(Random& random, Distance::Bound bound) {
  using Bound = Distance::Bound;
  const Vec3 p = random_vector(random);
  const double d = random.between(0.5, 1.0);
  // Farther from p than d by this; nearer where it is negative.
  const auto off = [=](Random& r, double by) -> Vec3 { return p + (d + by) * r.direction(); };
  return {
      Distance{p, d, bound}, Shape::point,
      [=](Random& r) {
        return Sample{{off(r, bound == Bound::equal ? 0.0 : r.between(0.0, 0.4) * (bound == Bound::at_most ? -1 : 1))}};
      },
      [=](Random& r) {
        const bool far = bound == Bound::equal ? r.chance(0.5) : bound == Bound::at_most;
        const double by = r.between(0.1, 0.4);
        return Sample{{off(r, far ? by : -by)}, metres(by)};
      }};
}

Case polyhedron_case(Random& random, bool inside) {
  const Frame X = testing::random_frame(random);
  const Vec3 h(0.5, 0.7, 0.9);
  const std::vector<Face> faces = box(X, h);
  const auto in = [=](Random& r) -> Vec3 {
    return X * Vec3(r.between(-0.45, 0.45), r.between(-0.6, 0.6), r.between(-0.8, 0.8));
  };
  // Out over one face, no other.
  const auto out = [=](Random& r, double d) -> Vec3 {
    Vec3 local(r.between(-0.4, 0.4), r.between(-0.6, 0.6), r.between(-0.8, 0.8));
    const int k = r.integer(0, 2);
    local[k] = (r.chance(0.5) ? 1.0 : -1.0) * (h[k] + d);
    return X * local;
  };
  if (inside)
    return {InsidePolyhedron{faces}, Shape::point, [=](Random& r) { return Sample{{in(r)}}; },
            [=](Random& r) {
              const double d = r.between(0.1, 2.0);
              return Sample{{out(r, d)}, metres(d)};
            }};
  return {OutsidePolyhedron{faces}, Shape::point, [=](Random& r) { return Sample{{out(r, r.between(0.01, 2.0))}}; },
          [=](Random& r) {
            // The nearest face is over the smallest gap; 0.02 apart from the next, so that there is no kink.
            while (true) {
              const Vec3 x = in(r);
              Vec3 gap = h - (X.inverse() * x).cwiseAbs();
              std::sort(gap.data(), gap.data() + 3);
              if (gap[1] - gap[0] > 0.02 && (X.inverse() * x).cwiseAbs().minCoeff() > 0.02)
                return Sample{{x}, metres(gap[0])};
            }
          }};
}

Case capsule_case(Random& random, bool inside, bool ball) {
  const Vec3 a = random_vector(random), v = random.direction();
  const double length = ball ? 0.0 : 1.0, radius = 0.4;
  const Capsule capsule = ball ? sphere(a, radius) : Capsule{a, a + v, radius};
  // At the distance d from the stretch: beside it, or beyond an end.
  const auto away = [=](Random& r, double d) -> Vec3 {
    if (!ball && r.chance(0.5)) return a + r.between(0.1, 0.9) * v + d * across(v, r);
    const bool far = r.chance(0.5);
    Vec3 n = r.direction();
    if (!ball && n.dot(v) * (far ? 1.0 : -1.0) < 0.1) n = far ? v : Vec3(-v);
    return a + (far ? length : 0.0) * v + d * n;
  };
  const auto near = [=](Random& r, double min) { return r.between(min, radius - 0.01); };
  if (inside)
    return {InsideCapsule{capsule}, Shape::point, [=](Random& r) { return Sample{{away(r, near(r, 0.0))}}; },
            [=](Random& r) {
              const double d = r.between(0.05, 2.0);
              return Sample{{away(r, radius + d)}, metres(d)};
            }};
  return {OutsideCapsule{capsule}, Shape::point, [=](Random& r) { return Sample{{away(r, r.between(radius, 2.0))}}; },
          [=](Random& r) {
            const double d = near(r, 0.1);
            return Sample{{away(r, d)}, metres(radius - d)};
          }};
}

Case coincide_case(Random& random, bool hold, Shape shape) {
  const double c = random.between(0.2, 2.0);
  Hold held;
  held.c = c;
  const int count = element_count(shape);
  return {hold ? Goal(held) : Goal(Coincide{c}), shape,
          [=](Random&) { return Sample{Elements(static_cast<std::size_t>(count), Vec3::Zero())}; },
          [=](Random& r) {
            Sample sample;
            for (int k = 0; k < count; ++k)
              if (is_point(shape, k)) {
                sample.x.push_back(random_vector(r));
                sample.error.metres = std::fmax(sample.error.metres.value_or(0.0), sample.x.back().norm());
              } else {
                const Vec3 a = r.direction(), b = r.direction();
                sample.x.push_back(a - b);
                sample.error.radians = std::fmax(sample.error.radians.value_or(0.0), angle_between(a, b));
              }
            return sample;
          }};
}

std::vector<Case> every_goal(Random& random) {
  std::vector<Case> cases = {position_case(random, false),
                             position_case(random, true),
                             direction_case(random),
                             orientation_case(random),
                             placement_case(random),
                             aim_case(random),
                             line_case(random),
                             plane_case(random, false),
                             plane_case(random, true),
                             polyhedron_case(random, true),
                             polyhedron_case(random, false)};
  for (const Distance::Bound bound : {Distance::Bound::equal, Distance::Bound::at_most, Distance::Bound::at_least})
    cases.push_back(distance_case(random, bound));
  for (const bool inside : {true, false})
    for (const bool ball : {true, false}) cases.push_back(capsule_case(random, inside, ball));
  for (const Shape shape : {Shape::point, Shape::direction, Shape::directions, Shape::ray, Shape::frame,
                            Shape::two_points, Shape::three_points})
    for (const bool hold : {true, false}) cases.push_back(coincide_case(random, hold, shape));
  return cases;
}

struct Evaluated {
  VecX r;
  MatX J;
};

Evaluated evaluated(const Goal& goal, Shape shape, const VecX& flat) {
  Elements x(static_cast<std::size_t>(element_count(shape)));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = flat.segment<3>(static_cast<Eigen::Index>(3 * k));
  const int rows = row_count(goal, shape);
  // Filled with rubbish: a goal must write all of it.
  Evaluated result{VecX::Constant(rows, 7.0), MatX::Constant(rows, 3 * element_count(shape), 7.0)};
  Residual out{{result.r.data(), rows}, {result.J.data(), rows, result.J.cols()}};
  evaluate(goal, {shape, x.data()}, out);
  return result;
}

VecX flat(const Elements& x) {
  VecX all(static_cast<Eigen::Index>(3 * x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) all.segment<3>(static_cast<Eigen::Index>(3 * k)) = x[k];
  return all;
}

template <class Law>
void for_every_goal(std::uint64_t seed, Law&& law) {
  Random random(seed);
  std::vector<bool> seen(std::variant_size_v<Goal>, false);
  for (int trial = 0; trial < 40; ++trial)
    for (Case& c : every_goal(random)) {
      SCOPED_TRACE(name_of(c.goal));
      c.goal = good(checked(c.goal));
      seen[c.goal.index()] = true;
      law(c, random);
    }
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_TRUE(seen[k]) << "no case for goal " << k;
}

TEST(EveryGoal, IsZeroExactlyWhereItIsMet) {
  for_every_goal(90, [](const Case& c, Random& random) {
    const Sample met = c.met(random);
    EXPECT_LE(evaluated(c.goal, c.shape, flat(met.x)).r.norm(), 1e-14);  // made of a few products of size 1
    const GoalError error = error_of(c.goal, {c.shape, met.x.data()});
    EXPECT_LE(error.metres.value_or(0.0), 1e-14);
    EXPECT_LE(error.radians.value_or(0.0), 1e-14);
    const Sample missed = c.missed(random);
    EXPECT_GT(evaluated(c.goal, c.shape, flat(missed.x)).r.norm(), 1e-3);
  });
}

TEST(EveryGoal, HasItsDerivative) {
  for_every_goal(91, [](const Case& c, Random& random) {
    const VecX x = flat(c.missed(random).x);
    expect_derivative([&](const VecX& y) { return evaluated(c.goal, c.shape, y).r; }, x,
                      evaluated(c.goal, c.shape, x).J, random);
  });
}

TEST(EveryGoal, SaysHowFarItIsInMetresAndRadians) {
  for_every_goal(92, [](const Case& c, Random& random) {
    const Sample missed = c.missed(random);
    const GoalError error = error_of(c.goal, {c.shape, missed.x.data()});
    ASSERT_EQ(error.metres.has_value(), missed.error.metres.has_value());
    ASSERT_EQ(error.radians.has_value(), missed.error.radians.has_value());
    EXPECT_NEAR(error.metres.value_or(0.0), missed.error.metres.value_or(0.0), 1e-14);
    // By the chord, an angle near π is known to √ε only.
    EXPECT_NEAR(error.radians.value_or(0.0), missed.error.radians.value_or(0.0),
                error.radians.value_or(0.0) > 3.0 ? 1e-7 : 1e-14);
  });
}

TEST(EveryGoal, SaysWhichShapeItNeeds) {
  for_every_goal(93, [](const Case& c, Random&) {
    const bool any = std::holds_alternative<Coincide>(c.goal) || std::holds_alternative<Hold>(c.goal);
    EXPECT_EQ(shape_of(c.goal), any ? std::nullopt : std::optional(c.shape));
  });
}

// Goals that place say so, with r = scale (x - target); all others have a residual of another form.
TEST(EveryGoal, SaysWhatItPlaces) {
  for_every_goal(95, [](const Case& c, Random& random) {
    const VecX x = flat(c.missed(random).x);
    const Evaluated at = evaluated(c.goal, c.shape, x);
    if (!places(c.goal)) {
      EXPECT_FALSE(has_targets(c.goal));
      EXPECT_FALSE(placed_point(c.goal));
      EXPECT_FALSE(holds(c.goal));
      return;
    }
    for (int k = 0; k < element_count(c.shape); ++k) {
      const Placed placed = placed_element(c.goal, c.shape, k);
      EXPECT_LE((at.r.segment<3>(3 * k) - placed.scale * (x.segment<3>(3 * k) - placed.target)).norm(), 1e-14);
      EXPECT_LE((at.J.block<3, 3>(3 * k, 3 * k) - placed.scale * Mat3::Identity()).norm(), 1e-15);
    }
    EXPECT_EQ(placed_point(c.goal).has_value(), has_targets(c.goal) && starts_with_point(c.shape));
  });
}

TEST(EveryGoal, IsMetWhereItsTargetsAreSet) {
  for_every_goal(96, [](Case& c, Random& random) {
    if (!has_targets(c.goal)) return;
    const Sample missed = c.missed(random);
    set_targets(c.goal, missed.x.data());
    EXPECT_EQ(evaluated(c.goal, c.shape, flat(missed.x)).r.norm(), 0.0);
    if (starts_with_point(c.shape)) {
      EXPECT_EQ(*placed_point(c.goal), missed.x[0]);
    }
  });
}

TEST(EveryGoal, WithItsPointMovedIsTheSameForAHandleMovedAlong) {
  for_every_goal(97, [](const Case& c, Random& random) {
    const std::optional<Vec3> p = target_of(c.goal);
    const Vec3 shift = random_vector(random);
    Sample sample = c.missed(random);
    const VecX before = evaluated(c.goal, c.shape, flat(sample.x)).r;
    if (!p) {
      EXPECT_EQ(evaluated(with_target(c.goal, shift), c.shape, flat(sample.x)).r, before);
      return;
    }
    EXPECT_EQ(*target_of(with_target(c.goal, shift)), shift);
    sample.x[0] += shift;
    EXPECT_LE((evaluated(with_target(c.goal, *p + shift), c.shape, flat(sample.x)).r - before).norm(), 1e-14);
  });
}

TEST(AimAtGoal, IsTheGoalThatAims) {
  EXPECT_EQ(aim_of(AimAt{Vec3(1, 2, 3)}), Vec3(1, 2, 3));
  EXPECT_FALSE(aim_of(Position{}));
  EXPECT_TRUE(holds(Hold{}));
  EXPECT_FALSE(holds(Coincide{}));
}

TEST(PlacementGoal, WithoutAWeightOfThePositionPlacesNoPoint) {
  EXPECT_TRUE(placed_point(Placement{Vec3::Zero(), {}, 0.5, 0.5}));
  EXPECT_FALSE(placed_point(Placement{Vec3::Zero(), {}, 0.0, 1.0}));
}

TEST(DistanceGoal, LeadsUpFromItsOwnPoint) {
  const Vec3 p(1, 2, 3);
  for (const Distance::Bound bound : {Distance::Bound::equal, Distance::Bound::at_least}) {
    const Evaluated at = evaluated(Distance{p, 0.5, bound}, Shape::point, p);
    const double sign = bound == Distance::Bound::equal ? 1.0 : -1.0;
    EXPECT_EQ(at.r[0], -sign * 0.5);
    EXPECT_EQ(at.J, MatX(sign * Vec3::UnitY().transpose()));
  }
}

TEST(DistanceGoal, OnItsBoundHasADerivativeOnlyWhereItIsExact) {
  using Bound = Distance::Bound;
  const Vec3 x(2, 0, 0);
  EXPECT_EQ(evaluated(Distance{Vec3::Zero(), 2.0, Bound::equal}, Shape::point, x).J, MatX(Vec3::UnitX().transpose()));
  for (const Bound bound : {Bound::at_most, Bound::at_least})
    EXPECT_TRUE(evaluated(Distance{Vec3::Zero(), 2.0, bound}, Shape::point, x).J.isZero(0.0));
}

TEST(CustomGoal, WorksLikeTheBuiltInOne) {
  Random random(94);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 p = random_vector(random), x = random_vector(random);
    const Goal own = custom_position(p), position = Position{p};
    const Evaluated a = evaluated(own, Shape::point, x), b = evaluated(position, Shape::point, x);
    EXPECT_EQ(a.r, b.r);
    EXPECT_EQ(a.J, b.J);
    EXPECT_EQ(error_of(own, {Shape::point, &x}).metres, error_of(position, {Shape::point, &x}).metres);
  }
}

}  // namespace law_test
}  // namespace limber
