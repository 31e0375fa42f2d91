// join_figures(): several figures as one.
#include "limber/figure/join.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/body/body_mesh.h"
#include "limber/body/bone.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/body.h"
#include "tests/law/random_figure.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace join_test {

using testing::good;

constexpr std::uint64_t seed = 1993;

// Two to four random figures at random places; every second one where its own world is.
std::vector<FigurePart> random_parts(Random& random) {
  std::vector<FigurePart> parts;
  const int count = random.integer(2, 4);
  for (int k = 0; k < count; ++k) {
    const law::FigureKind kind{.freedoms = random.integer(1, 20)};
    Figure figure = testing::built(law::random_figure(random, kind));
    const Frame place = k % 2 == 0 ? Frame{} : testing::random_frame(random);
    parts.push_back({.name = "part " + std::to_string(k), .figure = std::move(figure), .X_world_figure = place});
  }
  return parts;
}

std::vector<Pose> random_poses(Random& random, const std::vector<FigurePart>& parts) {
  std::vector<Pose> poses;
  for (const FigurePart& part : parts) poses.push_back(law::random_pose(random, part.figure));
  return poses;
}

TEST(JoinedFigures, PlaceEverySegmentAsTheFigureAlone) {
  Random random(seed);
  for (int k = 0; k < law::law_count(100); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", case " << k);
    const std::vector<FigurePart> parts = random_parts(random);
    const Figure joined = good(join_figures(parts));
    const std::vector<Pose> poses = random_poses(random, parts);
    const Pose pose = joined_pose(joined, poses);
    const Kinematics whole = forward(joined, pose);
    ASSERT_EQ(joined.parts().size(), parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const FigurePart& part = joined.parts()[p];
      EXPECT_EQ(pose_of(part, pose).theta, poses[p].theta);
      const Kinematics alone = forward(part.figure, poses[p]), within = state_of(part, whole);
      for (std::size_t s = 0; s < alone.segments.size(); ++s) {
        EXPECT_EQ(joined.segments()[static_cast<std::size_t>(part.segment_begin) + s].name,
                  part.name + "." + part.figure.segments()[s].name);
        const Frame expected = part.X_world_figure * alone.segments[s];
        // To the bit where the figure stands in its own world.
        const double tolerance = p % 2 == 0 ? 0.0 : 1e-12 * (1.0 + part.figure.length() + expected.p.norm());
        EXPECT_LE((within.segments[s].p - expected.p).norm(), tolerance);
        EXPECT_LE((within.segments[s].R - expected.R).norm(), p % 2 == 0 ? 0.0 : 1e-12);
      }
    }
  }
}

TEST(JoinedFigures, KeepParametersLimitsSitesAndMassesInOrder) {
  Random random(seed);
  for (int k = 0; k < law::law_count(100); ++k) {
    const std::vector<FigurePart> parts = random_parts(random);
    const Figure joined = good(join_figures(parts));
    double mass = 0.0, length = 0.0;
    std::size_t parameters = 0, rows = 0, sites = 0;
    for (const FigurePart& part : joined.parts()) {
      const Figure& own = part.figure;
      EXPECT_EQ(static_cast<std::size_t>(part.parameter_begin), parameters);
      for (const Parameter& parameter : own.parameters()) {
        const Parameter& there = joined.parameters()[parameters++];
        EXPECT_EQ(there.name, part.name + "." + parameter.name);
        EXPECT_EQ(there.upper_name, part.name + "." + parameter.upper_name);
        EXPECT_EQ(there.range.lower, parameter.range.lower);
        EXPECT_EQ(there.range.upper, parameter.range.upper);
        EXPECT_EQ(there.range.rest, parameter.range.rest);
        EXPECT_EQ(there.translates, parameter.translates);
      }
      for (const LimitRow& row : own.limit_rows()) {
        const LimitRow& there = joined.limit_rows()[rows++];
        EXPECT_EQ(there.name, part.name + "." + row.name);
        ASSERT_EQ(there.parameters.size(), row.parameters.size());
        for (std::size_t t = 0; t < row.parameters.size(); ++t)
          EXPECT_EQ(there.parameters[t], part.parameter_begin + row.parameters[t]);
        EXPECT_EQ(there.coefficients, row.coefficients);
        EXPECT_EQ(there.bound, row.bound);
      }
      for (const Site& site : own.sites()) EXPECT_EQ(joined.sites()[sites++].name, part.name + "." + site.name);
      mass += own.mass();
      length = std::fmax(length, own.length());
    }
    EXPECT_EQ(joined.parameters().size(), parameters);
    EXPECT_EQ(joined.limit_rows().size(), rows);
    EXPECT_NEAR(joined.mass(), mass, 1e-12 * mass);
    EXPECT_NEAR(joined.length(), length, 1e-12 * length);
    std::set<std::string> names;
    for (const Segment& segment : joined.segments()) EXPECT_TRUE(names.insert(segment.name).second) << segment.name;
  }
}

TEST(JoinedFigures, HaveTheCentreOfMassOfEachAndItsDerivative) {
  Random random(seed);
  int found = 0;
  for (int k = 0; k < law::law_count(60); ++k) {
    const std::vector<FigurePart> parts = random_parts(random);
    const Figure joined = good(join_figures(parts));
    const std::vector<Pose> poses = random_poses(random, parts);
    const Kinematics state = forward(joined, joined_pose(joined, poses));
    Vec3 moment = Vec3::Zero();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const FigurePart& part = joined.parts()[p];
      const Expected<Handle> centre = joined.mass_centre_of(part.name), own = part.figure.mass_centre();
      ASSERT_EQ(centre.has_value(), own.has_value());
      if (!centre) continue;
      ++found;
      const Kinematics alone = forward(part.figure, poses[p]);
      const Vec3 there = evaluate(joined, state, centre->plus[0]);
      const Vec3 expected = part.X_world_figure * evaluate(part.figure, alone, own->plus[0]);
      EXPECT_LE((there - expected).norm(), 1e-12 * (1.0 + part.figure.length() + expected.norm()));
      moment += part.figure.mass() * there;
      MatX J, J_alone;
      jacobian(joined, state, *centre, J);
      jacobian(part.figure, alone, *own, J_alone);
      MatX expected_J = MatX::Zero(3, J.cols());
      expected_J.middleCols(part.freedom_begin, J_alone.cols()) = part.X_world_figure.R * J_alone;
      EXPECT_LE((J - expected_J).norm(), 1e-11 * (1.0 + J.norm()));
      // The sweep is its transpose.
      Sweep sweep(joined);
      std::vector<int> all(joined.segments().size());
      for (std::size_t s = 0; s < all.size(); ++s) all[s] = static_cast<int>(s);
      sweep.clear(all);
      const Vec3 c = random.direction();
      sweep.pull(state, *centre, &c);
      VecX gradient = VecX::Zero(J.cols());
      sweep.gradient(joined, state, all, gradient);
      EXPECT_LE((gradient - J.transpose() * c).norm(), 1e-11 * (1.0 + J.norm()));
    }
    if (!(joined.mass() > 0.0)) continue;
    const Vec3 whole = evaluate(joined, state, good(joined.mass_centre()).plus[0]);
    EXPECT_LE((whole - moment / joined.mass()).norm(), 1e-11 * (1.0 + joined.length() + whole.norm()));
  }
  EXPECT_GT(found, 2);
}

TEST(JoinedFigures, HaveTheBodiesOfEach) {
  const Figure tall = good(human({.stature = 1.9})), small = good(human({.sex = Sex::female, .stature = 1.5}));
  const Frame turned{rotation(Vec3::UnitY(), pi), Vec3(0, 0, 0.8)};
  const Figure joined = good(join_figures({{"tall", tall, turned}, {"small", small, {}}}));
  const auto same = [](const SegmentCapsule& a, const SegmentCapsule& b) {
    return a.segment == b.segment && a.capsule.a == b.capsule.a && a.capsule.b == b.capsule.b &&
           a.capsule.radius == b.capsule.radius;
  };
  const std::vector<SegmentCapsule> whole = capsules_of(joined);
  std::size_t at = 0;
  for (const FigurePart& part : joined.parts())
    for (SegmentCapsule own : capsules_of(part.figure)) {
      own.segment += part.segment_begin;
      ASSERT_LT(at, whole.size());
      EXPECT_TRUE(same(whole[at++], own));
    }
  EXPECT_EQ(at, whole.size());

  constexpr int detail = 4;
  const body::BodyMesh mesh = body::body_mesh(joined, detail), first = body::body_mesh(tall, detail),
                       second = body::body_mesh(small, detail);
  ASSERT_EQ(mesh.position.size(), first.position.size() + second.position.size());
  ASSERT_EQ(mesh.triangle.size(), first.triangle.size() + second.triangle.size());
  for (std::size_t v = 0; v < second.position.size(); ++v)
    EXPECT_EQ(mesh.position[first.position.size() + v], second.position[v]);
  for (std::size_t t = 0; t < second.triangle.size(); ++t)
    EXPECT_EQ(mesh.triangle[first.triangle.size() + t], second.triangle[t] + static_cast<int>(first.position.size()));
  EXPECT_EQ(measure_bones(joined).list.size(), joined.segments().size());

  // Pairs within each; none between them.
  const std::size_t pairs = pairs_to_check(tall, capsules_of(tall)).size();
  EXPECT_EQ(pairs_to_check(joined, whole).size(), pairs + pairs_to_check(small, capsules_of(small)).size());
  const std::vector<CapsulePair> between = good(pairs_between(joined, whole, "tall", "small"));
  EXPECT_EQ(between.size(), capsules_of(tall).size() * capsules_of(small).size());
  EXPECT_FALSE(pairs_between(joined, whole, "tall", "tall.head"));
  EXPECT_FALSE(pairs_between(joined, whole, "tall", "nobody"));
}

TEST(JoinedFigures, MirrorEachInItsOwnPlane) {
  const Frame turned{rotation(Vec3::UnitY(), 1.0), Vec3(0.3, 0, 0.8)};
  const Figure person = human(), arm = testing::built(testing::planar_arm());
  const Figure joined = good(join_figures({{"one", person, turned}, {"arm", arm, {}}}));
  Random random(seed);
  const std::vector<Pose> poses = {law::random_pose(random, person), law::random_pose(random, arm)};
  const Pose image = joined.mirrored(joined_pose(joined, poses));
  EXPECT_EQ(pose_of(joined.parts()[0], image).theta, person.mirrored(poses[0]).theta);
  EXPECT_EQ(pose_of(joined.parts()[1], image).theta, poses[1].theta);
  // A common plane only where they stand behind one another.
  EXPECT_FALSE(shared_mirror_normal(joined));
  const Frame facing{rotation(Vec3::UnitY(), pi), Vec3(0, 0, 0.8)};
  EXPECT_TRUE(shared_mirror_normal(good(join_figures({{"one", person, facing}, {"two", person, {}}}))));
  EXPECT_FALSE(shared_mirror_normal(good(join_figures({{"one", person, at({0.5, 0, 0})}, {"two", person, {}}}))));
}

TEST(JoinedFigures, AreHungFromAFootOfOne) {
  const Figure person = human();
  const Frame turned{rotation(Vec3::UnitY(), 1.0), Vec3(0.3, 0, 0.8)};
  const Figure joined = good(join_figures({{"one", person, turned}, {"two", person, {}}}));
  const Figure hung = good(hung_from(joined, "one.left_foot"));
  ASSERT_EQ(hung.parts().size(), 2u);
  EXPECT_TRUE(hung.find_parameter("one.left_foot_root.x"));
  EXPECT_TRUE(hung.find_parameter("two.root.x"));
  Random random(seed);
  const Pose pose = joined_pose(joined, {law::random_pose(random, person), law::random_pose(random, person)});
  const Kinematics before = forward(joined, pose), after = forward(hung, placed_as(joined, pose, hung));
  for (std::size_t s = 0; s < joined.segments().size(); ++s) {
    const int there = good(hung.find_segment(joined.segments()[s].name));
    EXPECT_LT((after.segments[static_cast<std::size_t>(there)].p - before.segments[s].p).norm(), 1e-9);
  }
}

TEST(JoinedFigures, AFigureAtAPlaceIsThePartWithItsOwnNames) {
  Random random(seed);
  for (int k = 0; k < law::law_count(50); ++k) {
    const Figure figure = testing::built(law::random_figure(random, {.freedoms = 6}));
    const Frame place = testing::random_frame(random);
    const Figure placed = good(placed_at(figure, place));
    const Pose pose = law::random_pose(random, figure);
    const Kinematics a = forward(figure, pose), b = forward(placed, pose);
    ASSERT_EQ(placed.parameters().size(), figure.parameters().size());
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      EXPECT_EQ(placed.segments()[s].name, figure.segments()[s].name);
      const Frame expected = place * a.segments[s];
      EXPECT_LE((b.segments[s].p - expected.p).norm(), 1e-12 * (1.0 + figure.length() + expected.p.norm()));
    }
  }
}

TEST(JoinedFigures, NameWhatIsWrong) {
  const Figure arm = testing::built(testing::planar_arm());
  Frame skew;
  skew.R(0, 0) = 2.0;
  const std::pair<std::vector<FigurePart>, const char*> cases[] = {
      {{}, "figures: found none"},
      {{{"", arm, {}}}, "an empty name"},
      {{{"one", arm, {}}, {"one", arm, {}}}, "figure 'one': found the name twice"},
      {{{"a.b", arm, {}}}, "figure 'a.b': found a dot in the name"},
      {{{"one", arm, at({infinity, 0, 0})}}, "figure 'one': found a place that is not finite"},
      {{{"one", arm, skew}}, "figure 'one': found a matrix that deviates from a rotation"},
  };
  for (const auto& [parts, expected] : cases) {
    const Expected<Figure> joined = join_figures(parts);
    ASSERT_FALSE(joined);
    EXPECT_NE(joined.error().text().find(expected), std::string::npos) << joined.error().text();
  }
  const Figure joined = good(join_figures({{"one", arm, {}}, {"two", arm, {}}}));
  EXPECT_NE(joined.mass_centre_of("three").error().text().find("'one', 'two'"), std::string::npos);
  // A name without its figure: those that have it.
  EXPECT_NE(joined.point("tip").error().text().find("such as 'one.tip', 'two.tip'"), std::string::npos)
      << joined.point("tip").error().text();
}

}  // namespace join_test
}  // namespace limber
