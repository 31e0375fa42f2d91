// Links against their plain counterparts: forward() for positions, Sweep for the transposed Jacobian.
#include "limber/kinematics/linkage.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "tests/law/random_figure.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber {
namespace linkage_test {

using testing::built;
using testing::good;
using testing::random_vector;

// Of the figure's length; chains of up to forty degrees of freedom.
constexpr double linkage_rounding = 1e-12;

// Axes that are nearly a coordinate axis, by a little more or less than rounding, are where a tilt or a spin is easily
// lost.
void make_axes_odd(Random& random, FigureDescription& figure) {
  for (JointDescription& joint : figure.joints) {
    if (random.chance(0.3)) joint.in_parent.p.setZero();
    if (random.chance(0.3)) joint.in_parent.R = rotation(Vec3::Unit(random.integer(0, 2)), 0.5 * pi);
    for (FreedomDescription& freedom : joint.freedoms) {
      if (!random.chance(0.4)) continue;
      const Vec3 nearly = Vec3::Unit(random.integer(0, 2)) * (random.chance(0.5) ? 1.0 : -1.0);
      freedom.axis = nearly + std::pow(10.0, random.between(-17.0, -5.0)) * random.direction();
    }
  }
}

struct LinkedFigure {
  Figure figure;
  std::vector<char> moves, needed;
  std::vector<int> needed_segments;  // ascending
};

// `moves` is closed downwards and `needed` upwards, as the assembly makes them.
LinkedFigure random_linked_figure(Random& random) {
  FigureDescription description =
      law::random_figure(random, {.freedoms = random.integer(1, 40), .groups = true, .rows = false});
  if (random.chance(0.6)) make_axes_odd(random, description);
  LinkedFigure made{built(std::move(description)), {}, {}, {}};
  const auto& segments = made.figure.segments();
  made.moves.assign(segments.size(), random.chance(0.5));
  made.needed.assign(segments.size(), 0);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (random.chance(0.3)) made.moves[s] = 1;
    if (const int parent = segments[s].parent; parent != no_parent && made.moves[static_cast<std::size_t>(parent)])
      made.moves[s] = 1;
    if (!random.chance(0.3)) continue;
    for (int up = static_cast<int>(s); up != no_parent; up = segments[static_cast<std::size_t>(up)].parent)
      made.needed[static_cast<std::size_t>(up)] = 1;
  }
  for (std::size_t s = 0; s < segments.size(); ++s)
    if (made.needed[s]) made.needed_segments.push_back(static_cast<int>(s));
  return made;
}

Frame frame_of(const PackedFrame& packed_frame) {
  Frame X;
  X.R << unpacked(packed_frame.x), unpacked(packed_frame.y), unpacked(packed_frame.z);
  X.p = unpacked(packed_frame.p);
  return X;
}

// A pose of the figure, seen both ways.
struct BothWays {
  Kinematics plain;
  LinkageState linked;
  VecX q;

  BothWays(const Figure& figure, Linkage& linkage, const Pose& pose) : plain(forward(figure, pose)) {
    // Segments that are still become bases when they are asked for.
    for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) linkage.placement(s);
    q.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
    figure.angles(pose.theta, q);
    linked.resize(linkage);
    place_bases(linkage, plain, linked);
    forward(linkage, q, linked);
  }
};

TEST(Linkage, CarriesEverySegmentWhereForwardHasIt) {
  Random random(2301);
  const int figures = law::law_count(400);
  for (int trial = 0; trial < figures; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    const std::vector<char> all(made.needed.size(), 1);
    Linkage linkage(made.figure, made.moves, all);
    const BothWays at(made.figure, linkage, law::random_pose(random, made.figure));
    for (int s = 0; s < static_cast<int>(made.figure.segments().size()); ++s) {
      const LinkPlacement carried = linkage.placement(s);
      const Frame linked = frame_of(at.linked.frame(carried.link)) * carried.in_link;
      const Frame& plain = at.plain.segments[static_cast<std::size_t>(s)];
      ASSERT_LE((linked.p - plain.p).norm(), linkage_rounding * made.figure.length()) << "trial " << trial;
      ASSERT_LE((linked.R - plain.R).norm(), linkage_rounding) << "trial " << trial;
    }
  }
}

TEST(Linkage, HasTheAxisOfAFreedomAsTheZAxisOfItsLink) {
  Random random(2302);
  const int figures = law::law_count(300);
  for (int trial = 0; trial < figures; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    Linkage linkage(made.figure, made.moves, made.needed);
    const BothWays at(made.figure, linkage, law::random_pose(random, made.figure));
    std::vector<int> seen(made.figure.freedoms().size(), 0);
    for (std::size_t k = 0; k < linkage.links().size(); ++k) {
      const Link& link = linkage.links()[k];
      const auto i = static_cast<std::size_t>(link.freedom);
      ++seen[i];
      const Frame X = frame_of(at.linked.frames[k]);
      const Vec3 &u = at.plain.axes[i], &r = at.plain.points[i];
      ASSERT_LE((X.R.col(2) - u).norm(), linkage_rounding) << "trial " << trial;
      ASSERT_LE((X.p - r).cross(u).norm(), linkage_rounding * made.figure.length()) << "trial " << trial;
      EXPECT_EQ(link.turns, made.figure.freedoms()[i].motion == Motion::rotate);
      EXPECT_LT(link.parent, static_cast<int>(k));
    }
    // One link per degree of freedom that moves and is needed, and no others.
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const auto s = static_cast<std::size_t>(made.figure.freedoms()[i].joint);
      EXPECT_EQ(seen[i], made.moves[s] && made.needed[s] ? 1 : 0);
    }
  }
}

TEST(Linkage, KeepsWhatHangsOnALinkTogether) {
  Random random(2303);
  for (int trial = 0; trial < 100; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    const Linkage linkage(made.figure, made.moves, made.needed);
    const std::vector<Link>& links = linkage.links();
    for (int k = 0; k < static_cast<int>(links.size()); ++k)
      for (int other = 0; other < static_cast<int>(links.size()); ++other) {
        int up = other;
        while (up > k) up = links[static_cast<std::size_t>(up)].parent;
        EXPECT_EQ(up == k, other >= k && other < links[static_cast<std::size_t>(k)].subtree_end);
      }
  }
}

// How a link is cut does not depend on what else there is: the same bits.
TEST(Linkage, IsTheSameForThoseThatAreNeeded) {
  Random random(2304);
  const int figures = law::law_count(300);
  for (int trial = 0; trial < figures; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    const Pose pose = law::random_pose(random, made.figure);
    Linkage whole(made.figure, made.moves, std::vector<char>(made.needed.size(), 1)),
        part(made.figure, made.moves, made.needed);
    const BothWays in_whole(made.figure, whole, pose), in_part(made.figure, part, pose);
    EXPECT_LE(part.links().size(), whole.links().size());
    for (const int s : made.needed_segments) {
      const LinkPlacement a = whole.placement(s), b = part.placement(s);
      EXPECT_EQ(a.in_link.R, b.in_link.R);
      EXPECT_EQ(a.in_link.p, b.in_link.p);
      const Frame in_a = frame_of(in_whole.linked.frame(a.link)), in_b = frame_of(in_part.linked.frame(b.link));
      EXPECT_EQ(in_a.R, in_b.R);
      EXPECT_EQ(in_a.p, in_b.p);
    }
  }
}

TEST(Linkage, HasStillSegmentsAsBases) {
  Random random(2305);
  for (int trial = 0; trial < 100; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    Linkage linkage(made.figure, made.moves, made.needed);
    const BothWays at(made.figure, linkage, law::random_pose(random, made.figure));
    for (int s = 0; s < static_cast<int>(made.figure.segments().size()); ++s) {
      if (made.moves[static_cast<std::size_t>(s)]) continue;
      const LinkPlacement carried = linkage.placement(s);
      ASSERT_LT(carried.link, 0);
      EXPECT_EQ(linkage.bases()[static_cast<std::size_t>(-1 - carried.link)], s);
      EXPECT_EQ(carried.in_link.R, Mat3(Mat3::Identity()));
      EXPECT_EQ(carried.in_link.p, Vec3(Vec3::Zero()));
      const Frame base = frame_of(at.linked.frame(carried.link));
      EXPECT_EQ(base.R, at.plain.segments[static_cast<std::size_t>(s)].R);
      EXPECT_EQ(base.p, at.plain.segments[static_cast<std::size_t>(s)].p);
    }
  }
}

// A base that is moved takes all below it along, though the linkage was made before.
TEST(Linkage, FollowsItsBases) {
  const Figure figure = built(testing::torso_with_arms());
  std::vector<char> moves(figure.segments().size(), 0), needed(figure.segments().size(), 1);
  for (const char* name : {"right upper arm", "right lower arm"})
    moves[static_cast<std::size_t>(good(figure.find_segment(name)))] = 1;
  Linkage linkage(figure, moves, needed);
  Random random(2306);
  for (int trial = 0; trial < 20; ++trial) {
    const BothWays at(figure, linkage, testing::random_pose(figure, random));
    const int hand = good(figure.find_segment("right lower arm"));
    const LinkPlacement carried = linkage.placement(hand);
    ASSERT_GE(carried.link, 0);
    const Frame linked = frame_of(at.linked.frame(carried.link)) * carried.in_link;
    EXPECT_LE((linked.p - at.plain.segments[static_cast<std::size_t>(hand)].p).norm(), linkage_rounding);
  }
}

TEST(Linkage, CollectsTheGradientThatASweepDoes) {
  Random random(2307);
  const int figures = law::law_count(300);
  for (int trial = 0; trial < figures; ++trial) {
    const LinkedFigure made = random_linked_figure(random);
    const Figure& figure = made.figure;
    Linkage linkage(figure, made.moves, std::vector<char>(made.needed.size(), 1));
    BothWays at(figure, linkage, law::random_pose(random, figure));
    std::vector<int> all_of_them;
    for (std::size_t s = 0; s < figure.segments().size(); ++s) all_of_them.push_back(static_cast<int>(s));
    Sweep sweep(figure);
    sweep.clear(all_of_them);
    clear_forces(at.linked);
    constexpr int pulls = 4;
    for (int pull = 0; pull < pulls; ++pull) {
      const Site& site =
          figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))];
      const Handle handle = good(figure.frame(site.name));
      // Torques are lengths times forces.
      const Vec3 c[3] = {random_vector(random), figure.length() * random_vector(random),
                         figure.length() * random_vector(random)};
      sweep.pull(at.plain, handle, c);
      Vec3 x[max_elements];
      evaluate(figure, at.plain, handle, x);
      const int link = linkage.placement(site.segment).link;
      pull_point(link, packed(x[0]), packed(c[0]), at.linked);
      pull_direction(link, packed(x[1]), packed(c[1]), at.linked);
      pull_direction(link, packed(x[2]), packed(c[2]), at.linked);
    }
    const auto n = static_cast<Eigen::Index>(figure.freedoms().size());
    VecX expected = VecX::Zero(n), collected = VecX::Constant(n, 99.0);
    sweep.gradient(figure, at.plain, all_of_them, expected);
    collect(linkage, at.linked, collected);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
      if (!made.moves[static_cast<std::size_t>(freedom.joint)]) {
        EXPECT_EQ(collected[i], 99.0);
        continue;
      }
      const double scale = pulls * (freedom.motion == Motion::rotate ? figure.length() : 1.0);
      ASSERT_LE(std::fabs(collected[i] - expected[i]), linkage_rounding * scale) << "trial " << trial;
    }
  }
}

}  // namespace linkage_test
}  // namespace limber
