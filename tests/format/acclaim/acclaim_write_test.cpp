// Writing Acclaim: round trips, and conversion to BVH and back.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/vector.h"
#include "limber/figure/human.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/text/json.h"
#include "tests/format/acclaim/acclaim_sample.h"

namespace limber {
namespace acclaim_write_test {

using namespace acclaim_sample;

void expect_same_figure(const Figure& a, const Figure& b) {
  constexpr double tolerance = 1e-9;
  ASSERT_EQ(a.segments().size(), b.segments().size());
  ASSERT_EQ(a.freedoms().size(), b.freedoms().size());
  ASSERT_EQ(a.sites().size(), b.sites().size());
  EXPECT_EQ(a.name(), b.name());
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    EXPECT_EQ(a.segments()[s].name, b.segments()[s].name);
    EXPECT_EQ(a.segments()[s].parent, b.segments()[s].parent);
    EXPECT_NEAR(a.segments()[s].mass, b.segments()[s].mass, tolerance);
    EXPECT_LE((a.segments()[s].mass_centre - b.segments()[s].mass_centre).norm(), tolerance);
    const Joint &p = a.joints()[s], &q = b.joints()[s];
    EXPECT_LE((p.in_parent.p - q.in_parent.p).norm(), tolerance) << p.name;
    EXPECT_LE((p.in_parent.R - q.in_parent.R).norm(), tolerance) << p.name;
    EXPECT_LE((p.in_child.R - q.in_child.R).norm(), tolerance) << p.name;
  }
  for (std::size_t i = 0; i < a.freedoms().size(); ++i) {
    EXPECT_EQ(a.freedoms()[i].name, b.freedoms()[i].name);
    EXPECT_LE((a.freedoms()[i].axis - b.freedoms()[i].axis).norm(), tolerance);
    const Range &p = a.parameters()[i].range, &q = b.parameters()[i].range;
    EXPECT_TRUE(p.lower == q.lower || std::fabs(p.lower - q.lower) <= tolerance) << a.freedoms()[i].name;
    EXPECT_TRUE(p.upper == q.upper || std::fabs(p.upper - q.upper) <= tolerance) << a.freedoms()[i].name;
    EXPECT_NEAR(p.rest, q.rest, tolerance);
  }
  for (std::size_t k = 0; k < a.sites().size(); ++k) {
    EXPECT_EQ(a.sites()[k].name, b.sites()[k].name);
    EXPECT_LE((a.sites()[k].frame.p - b.sites()[k].frame.p).norm(), tolerance) << a.sites()[k].name;
  }
}

TEST(AcclaimWrite, RoundTripsEverySkeletonAndMotion) {
  for (const Take& take : takes) {
    const Content content = skeleton(take);
    Clip clip = motion(take, content).clip;
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const Written written = good(write_asf(content));
    EXPECT_TRUE(written.notes.empty()) << written.notes.front().text;
    const Content again = read(written.bytes);
    EXPECT_EQ(again.space.metres_per_unit, content.space.metres_per_unit);
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure));
    const Written rows = good(write_amc(content, clip));
    EXPECT_TRUE(rows.notes.empty());
    EXPECT_LE((motion(rows.bytes, again).clip.poses - clip.poses).cwiseAbs().maxCoeff(), 1e-13) << take.amc;
    EXPECT_EQ(good(write_amc(again, clip)).bytes, rows.bytes) << take.amc;
  }
}

TEST(AcclaimWrite, RoundTripsRareFeatures) {
  const std::string text = small(
      "direction 0.6 0.8 0\nlength 2\naxis 10 20 30 XYZ\nbodymass 4\ncofmass 0.5\ndof rz l rx ty ry\n"
      "limits (-170 170) (-1 1) (-inf inf) (-inf 3) (5 50)",
      "order RY TZ RX TX\naxis XYZ\nposition 1 2 3\norientation 15 25 35");
  const std::string rows = ":DEGREES\n1\nroot 40 7 50 8\narm 11 0.5 12 2.5 13\n";
  for (const Up up : {Up::y, Up::z}) {
    const Content content = read(text, {.metres_per_unit = {}, .up = up});
    const Clip clip = motion(rows, content).clip;
    const Content again = read(good(write_asf(content)).bytes, {.metres_per_unit = {}, .up = up});
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure));
    EXPECT_EQ(again.row_order, content.row_order);
    EXPECT_LE((motion(good(write_amc(content, clip)).bytes, again).clip.poses - clip.poses).cwiseAbs().maxCoeff(),
              1e-13);
    // With another axis up and another unit it is another file of the same thing.
    const WriteOptions options{.metres_per_unit = 0.01, .up = up == Up::y ? Up::z : Up::y};
    const Content turned = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    EXPECT_NEAR(turned.space.metres_per_unit, 0.01, 1e-15);
    const Clip turned_clip = motion(good(write_amc(content, clip, options)).bytes, turned).clip;
    const Places a = places(*content.figure, clip.pose(0)), b = places(*turned.figure, turned_clip.pose(0));
    for (const auto& [name, place] : a) EXPECT_LE((place - b.at(name)).norm(), 1e-8) << name;
  }
}

TEST(AcclaimWrite, ConvertsEveryTakeToBvh) {
  for (const Take& take : takes) {
    const Content content = skeleton(take);
    Clip clip = motion(take, content).clip;
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const Written written = good(write_bvh(content, &clip));
    EXPECT_TRUE(has_note(written.notes, "limits"));
    const Content bvh = good(read_bvh(written.bytes, "f", {.metres_per_unit = 0.01, .up = Up::y}));
    Pairs pairs;
    for (std::size_t bone = 0; bone < content.figure->segments().size(); ++bone) {
      const Segment& segment = content.figure->segments()[bone];
      pairs.emplace_back(segment.name, segment.name);
      if (segment.subtree_end == static_cast<int>(bone) + 1)
        pairs.emplace_back(segment.name + "_tip", segment.name + "_End");
    }
    const double worst = worst_distance(*content.figure, clip, *bvh.figure, bvh.clips[0], pairs);
    EXPECT_LE(worst / content.space.metres_per_unit, 1e-6) << take.amc;
    EXPECT_EQ(bvh.figure->sites().size(), 31u + 7u);
    EXPECT_DOUBLE_EQ(bvh.clips[0].frame_time, clip.frame_time);
  }
}

// The place of every joint and tip of a BVH file in the Acclaim file made of it.
TEST(AcclaimWrite, ConvertsEveryBvhFile) {
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "bvh")) {
    const Content content = good(read_bvh(read_sample(entry.path()), "f"));
    Clip clip = content.clips.front();
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const WriteOptions options{.metres_per_unit = {}, .up = content.space.up};
    const Content again = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    const Clip rows = motion(good(write_amc(content, clip, options)).bytes, again).clip;
    ASSERT_EQ(rows.frames(), clip.frames());
    Pairs pairs;
    for (const Segment& segment : content.figure->segments()) {
      const std::string bone = segment.parent == no_parent ? "root" : segment.name == "End" ? "End_" : segment.name;
      pairs.emplace_back(segment.name, bone);
      if (std::ranges::find(content.figure->sites(), segment.name + "_End", &Site::name) !=
          content.figure->sites().end())
        pairs.emplace_back(segment.name + "_End", bone + "_tip");
    }
    const double worst = worst_distance(*content.figure, clip, *again.figure, rows, pairs);
    EXPECT_LE(worst / content.space.metres_per_unit, 1e-6) << entry.path();
  }
}

// Joint centres of any figure in the Acclaim file made of it, and the tips of its leaves.
double worst_joint(const Content& content, const Clip& clip, const Content& again, const Clip& rows) {
  const Figure& figure = *content.figure;
  double worst = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    const Kinematics state = forward(figure, clip.pose(k));
    const Places b = places(*again.figure, rows.pose(k));
    const auto roots = std::ranges::count(figure.segments(), no_parent, &Segment::parent);
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const bool is_root = figure.segments()[s].parent == no_parent && roots == 1;
      std::string bone = is_root ? "root" : figure.joints()[s].name;
      std::ranges::replace(bone, ' ', '_');
      worst = std::fmax(worst, (state.segments[s] * figure.joints()[s].in_child.p - b.at(bone)).norm());
      if (figure.segments()[s].subtree_end > static_cast<int>(s) + 1) continue;
      double nearest = infinity;
      bool any = false;
      for (const Site& site : figure.sites()) {
        if (site.segment != static_cast<int>(s)) continue;
        any = true;
        nearest = std::fmin(nearest, (state.segments[s] * site.frame.p - b.at(bone + "_tip")).norm());
      }
      if (any) worst = std::fmax(worst, nearest);
    }
  }
  return worst;
}

TEST(AcclaimWrite, KeepsTheJointsOfTheHumanAndTheLimitsOfItsHinges) {
  Content content;
  content.figure = human();
  const Clip clip = random_clip(*content.figure, 1, 20);
  const Written written = good(write_asf(content));
  for (const char* kind : {"linear limits", "groups", "masses", "mirror pairs", "sites"})
    EXPECT_TRUE(has_note(written.notes, kind)) << kind;
  const Content again = read(written.bytes);
  const Written rows = good(write_amc(content, clip));
  EXPECT_TRUE(has_note(rows.notes, "frame time"));
  EXPECT_LE(worst_joint(content, clip, again, motion(rows.bytes, again).clip), 1e-8);
  // Every freedom with limits has one as wide in the file.
  std::multiset<long> before, after;
  const auto micro = [](const Freedom& freedom) { return std::lround((freedom.upper - freedom.lower) * 1e6); };
  for (const Freedom& freedom : content.figure->freedoms())
    if (std::isfinite(freedom.lower) && std::isfinite(freedom.upper)) before.insert(micro(freedom));
  for (const Freedom& freedom : again.figure->freedoms())
    if (std::isfinite(freedom.lower) && std::isfinite(freedom.upper)) after.insert(micro(freedom));
  EXPECT_GT(after.size(), 50u);
  EXPECT_TRUE(std::ranges::includes(before, after));
  EXPECT_TRUE(before.size() == after.size() || has_note(written.notes, "limits not written"));
}

TEST(AcclaimWrite, KeepsTheJointsOfAnyFigure) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Content content;
    content.figure = built(testing::random_tree(
        random, {.segments = 2 + static_cast<int>(seed) % 9, .free_root = seed % 3 != 0, .groups = seed % 2 == 0}));
    const Clip clip = random_clip(*content.figure, seed, 5);
    WriteOptions options;
    options.up = seed % 2 == 0 ? Up::z : Up::y;
    const Content again = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    const Clip rows = motion(good(write_amc(content, clip, options)).bytes, again).clip;
    EXPECT_LE(worst_joint(content, clip, again, rows), 1e-8) << "seed " << seed;
  }
}

TEST(AcclaimWrite, WritesOrthogonalAxesAsDofsWithLimits) {
  Random random(5);
  for (const bool left_handed : {false, true})
    for (int count = 1; count <= 3; ++count) {
      const Mat3 R = random.rotation();
      FigureDescription description;
      description.name = "axes";
      description.segments = {{"base"}, {"arm"}};
      description.joints = {free_root("root", "base"),
                            {"arm", "base", "arm", testing::random_frame(random), testing::random_frame(random), {}}};
      const Vec3 axes[] = {left_handed ? Vec3(-R.col(0)) : Vec3(R.col(0)), R.col(1), R.col(2)};
      for (int k = 0; k < count; ++k)
        description.joints[1].freedoms.push_back(
            testing::turn(std::string(1, static_cast<char>('a' + k)), axes[k], {-1.0 - 0.1 * k, 2.0}));
      description.sites = {{"arm_tip", "arm", at({0.1, 0.2, 0.3})}};
      Content content;
      content.figure = built(description);
      const Clip clip = random_clip(*content.figure, 3, 4);
      const Content again = read(good(write_asf(content)).bytes);
      const Clip rows = motion(good(write_amc(content, clip)).bytes, again).clip;
      EXPECT_LE(worst_joint(content, clip, again, rows), 1e-8);
      const auto& freedoms = again.figure->freedoms();
      ASSERT_EQ(freedoms.size(), 6u + static_cast<std::size_t>(count));
      for (int k = 0; k < count; ++k) EXPECT_NEAR(freedoms[6 + k].upper - freedoms[6 + k].lower, 3.0 + 0.1 * k, 1e-9);
    }
}

TEST(AcclaimWrite, KeepsTranslationsAfterRotations) {
  FigureDescription description;
  description.name = "crank";
  description.segments = {{"base"}, {"arm"}};
  description.joints = {free_root("root", "base"),
                        {"arm",
                         "base",
                         "arm",
                         at({0, 1, 0}),
                         {},
                         {testing::turn("turn", Vec3::UnitY(), {-1, 1}), testing::shift("out", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 7, 5);
  const Written written = good(write_asf(content));
  EXPECT_TRUE(has_note(written.notes, "limits not written"));
  const Content again = read(written.bytes);
  EXPECT_LE(worst_joint(content, clip, again, motion(good(write_amc(content, clip)).bytes, again).clip), 1e-8);
}

TEST(AcclaimWrite, JoinsSeveralRootsAndKeepsNamesToOneWord) {
  FigureDescription description;
  description.name = "pair";
  description.segments = {{"a"}, {"b"}, {"c"}, {"d"}};
  description.joints = {free_root("left one", "a"),
                        free_root("end", "b"),
                        {"12", "b", "c", at({0, 1, 0}), {}, {testing::turn("t", Vec3::UnitX())}},
                        {"left_one", "b", "d", at({1, 0, 0}), {}, {testing::turn("t", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 9, 3);
  const Written written = good(write_asf(content));
  EXPECT_TRUE(has_note(written.notes, "several roots"));
  EXPECT_TRUE(has_note(written.notes, "names changed"));
  const Content again = read(written.bytes);
  const Clip rows = motion(good(write_amc(content, clip)).bytes, again).clip;
  const Kinematics state = forward(*content.figure, clip.pose(2));
  const Places b = places(*again.figure, rows.pose(2));
  for (const auto& [s, bone] :
       {std::pair{0, "left_one"}, std::pair{1, "end_"}, std::pair{2, "b12"}, std::pair{3, "left_one_2"}})
    EXPECT_LE((state.segments[s].p - b.at(bone)).norm(), 1e-8) << bone;
}

TEST(AcclaimWrite, RejectsUnwritableContent) {
  EXPECT_FALSE(write_asf({}));
  EXPECT_FALSE(write_amc({}, {}));
  EXPECT_FALSE(read_amc("1\n", "f", {}));
  const Content content = read(small(plain_arm));
  Clip clip;
  clip.poses = MatX::Zero(5, 1);
  EXPECT_FALSE(write_amc(content, clip));
  clip.poses = MatX::Zero(6, 1);
  EXPECT_TRUE(write_amc(content, clip));
  clip.poses(2, 0) = std::nan("");
  EXPECT_FALSE(write_amc(content, clip));
}

}  // namespace acclaim_write_test
}  // namespace limber
