// Writing BVH: round trips, and joint positions of any figure.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/figure/human.h"
#include "limber/format/text/json.h"
#include "tests/format/bvh/bvh_sample.h"

namespace limber {
namespace bvh_write_test {

using namespace bvh_sample;

// Names, frames, freedoms, limits and sites.
void expect_same_figure(const Figure& a, const Figure& b, double tolerance) {
  ASSERT_EQ(a.segments().size(), b.segments().size());
  ASSERT_EQ(a.freedoms().size(), b.freedoms().size());
  ASSERT_EQ(a.sites().size(), b.sites().size());
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    EXPECT_EQ(a.segments()[s].name, b.segments()[s].name);
    EXPECT_EQ(a.segments()[s].parent, b.segments()[s].parent);
    EXPECT_EQ(a.joints()[s].name, b.joints()[s].name);
    EXPECT_LE((a.joints()[s].in_parent.p - b.joints()[s].in_parent.p).norm(), tolerance) << a.joints()[s].name;
    EXPECT_LE((a.joints()[s].in_parent.R - b.joints()[s].in_parent.R).norm(), tolerance) << a.joints()[s].name;
  }
  for (std::size_t i = 0; i < a.freedoms().size(); ++i) {
    EXPECT_EQ(a.freedoms()[i].name, b.freedoms()[i].name);
    EXPECT_EQ(a.freedoms()[i].motion, b.freedoms()[i].motion);
    EXPECT_EQ(a.freedoms()[i].axis, b.freedoms()[i].axis);
    EXPECT_EQ(a.freedoms()[i].lower, b.freedoms()[i].lower);
    EXPECT_NEAR(a.parameters()[i].range.rest, b.parameters()[i].range.rest, tolerance) << a.parameters()[i].name;
  }
  for (std::size_t k = 0; k < a.sites().size(); ++k) {
    EXPECT_EQ(a.sites()[k].name, b.sites()[k].name);
    EXPECT_LE((a.sites()[k].frame.p - b.sites()[k].frame.p).norm(), tolerance) << a.sites()[k].name;
  }
}

TEST(BvhWrite, RoundTripsEveryFileExactly) {
  for (const std::filesystem::path& path : bvh_files()) {
    Content content = read_file(path);
    MatX& poses = content.clips[0].poses;
    poses = poses.leftCols(std::max<Eigen::Index>(1, poses.cols() / stride(20))).eval();
    const Written written = good(write_bvh(content, first_clip(content)));
    EXPECT_TRUE(written.notes.empty()) << path << ": " << written.notes.front().text;
    const Content again = good(read_bvh(written.bytes, path.filename().string()));
    EXPECT_EQ(again.space.metres_per_unit, content.space.metres_per_unit) << path;
    EXPECT_EQ(again.space.up, content.space.up) << path;
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure, 1e-12));
    ASSERT_EQ(again.clips.size(), content.clips.size());
    EXPECT_EQ(again.clips[0].frame_time, content.clips[0].frame_time);
    EXPECT_LE((again.clips[0].poses - content.clips[0].poses).cwiseAbs().maxCoeff(), 1e-13) << path;
    // Writing is stable: the second text equals the first.
    EXPECT_EQ(good(write_bvh(again, first_clip(again))).bytes, written.bytes) << path;
  }
}

// Joint centres by joint name, and sites by name; both as the file will have them.
Places expected_places(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places out;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    out[figure.joints()[s].name] = state.segments[s] * figure.joints()[s].in_child.p;
  for (const Site& site : figure.sites()) out["site " + site.name] = state.segments[site.segment] * site.frame.p;
  return out;
}

double worst_joint(const Figure& from, const Clip& clip, const Content& to) {
  double worst = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    const Places a = expected_places(from, clip.pose(k));
    const Places b = places(*to.figure, to.clips.at(0).pose(k));
    for (const Joint& joint : from.joints()) {
      EXPECT_TRUE(b.contains(joint.name)) << joint.name;
      if (b.contains(joint.name)) worst = std::fmax(worst, (a.at(joint.name) - b.at(joint.name)).norm());
    }
    // Every site is where some joint or tip of the file is.
    for (const Site& site : from.sites()) {
      double nearest = infinity;
      for (const auto& [name, place] : b) nearest = std::fmin(nearest, (place - a.at("site " + site.name)).norm());
      worst = std::fmax(worst, nearest);
    }
  }
  return worst;
}

TEST(BvhWrite, KeepsTheJointsAndTipsOfTheHuman) {
  Content content;
  content.figure = human();
  const Clip clip = random_clip(*content.figure, 1, 20);
  const Written written = good(write_bvh(content, &clip));
  for (const char* kind : {"limits", "groups", "masses", "mirror pairs", "names of", "linear limits"})
    EXPECT_TRUE(has_note(written.notes, kind)) << kind;
  const Content again = read(written.bytes, {.metres_per_unit = 0.01, .up = Up::y});
  EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8);
}

TEST(BvhWrite, KeepsTheJointsAndTipsOfAnyFigure) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Content content;
    content.figure = built(testing::random_tree(
        random, {.segments = 2 + static_cast<int>(seed) % 9, .free_root = seed % 3 != 0, .groups = seed % 2 == 0}));
    const Clip clip = random_clip(*content.figure, seed, 5);
    WriteOptions options;
    options.up = seed % 2 == 0 ? Up::z : Up::y;
    options.metres_per_unit = 0.0254;
    const Content again =
        read(good(write_bvh(content, &clip, options)).bytes, {.metres_per_unit = 0.0254, .up = options.up});
    EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8) << "seed " << seed;
  }
}

TEST(BvhWrite, ConvertsToAnotherUnitAndAxis) {
  for (const char* file : {"cmu_02_01", "mh_benchmark", "mh_walk1", "mh_dance1"}) {
    Content content = read_file(data_folder() / "bvh" / (std::string(file) + ".bvh"));
    MatX& poses = content.clips[0].poses;
    poses = poses.leftCols(std::min<Eigen::Index>(20, poses.cols())).eval();
    WriteOptions options;
    options.metres_per_unit = 1.0;
    options.up = content.space.up == Up::y ? Up::z : Up::y;
    const Written written = good(write_bvh(content, first_clip(content), options));
    const Content again = read(written.bytes, {.metres_per_unit = 1.0, .up = options.up});
    EXPECT_LE(worst_joint(*content.figure, content.clips[0], again), 1e-9) << file;
  }
}

TEST(BvhWrite, IsReadCorrectlyByItsOwnRuleForAnyFrames) {
  // Replaced, with the first frame cut off; and added, with a first frame that is the OFFSET.
  const Content content = read(one_bone("0 9 0", "3 Xposition Yposition Zposition",
                                        "0 9 0 0 0 0 0 -4 0\n0 1 0 0 0 0 0 -1 0\n0 9 0 0 0 0 0 -4 0\n"));
  const Content added = read(one_bone("0 9 0", "3 Xposition Yposition Zposition",
                                      "0 1 0 0 0 0 0 -1 0\n0 9 0 0 0 0 0 -4 0\n0 2 0 0 0 0 0 -1 0\n"));
  ASSERT_TRUE(has_note(content.notes, "in place of"));
  ASSERT_TRUE(has_note(added.notes, "added to"));
  // The same without positions of the bone: what remains decides by the floor, or by its first frame.
  const Content on_floor = read(one_bone("0 9 0", "1 Xrotation", "0 9 0 0 0 0 0\n0 1 0 0 0 0 0\n5 40 0 0 0 0 0\n"));
  const Content relative = read(one_bone("0 9 0", "1 Xrotation", "0 0 0 0 0 0 0\n0 9 0 0 0 0 0\n5 8 0 0 0 0 0\n"));
  ASSERT_TRUE(has_note(on_floor.notes, "in place of"));
  ASSERT_TRUE(has_note(relative.notes, "added to"));
  for (const Content& whole : {content, added, on_floor, relative})
    for (int first = 0; first < 3; ++first) {
      Clip cut = whole.clips[0];
      cut.poses = whole.clips[0].poses.rightCols(3 - first).eval();
      const Content again =
          read(good(write_bvh(whole, &cut)).bytes, {.metres_per_unit = whole.space.metres_per_unit, .up = Up::y});
      EXPECT_LE(worst_joint(*whole.figure, cut, again), 1e-9) << "from frame " << first;
    }
}

TEST(BvhWrite, IsContinuousBetweenFrames) {
  FigureDescription description;
  description.name = "top";
  description.segments = {{"base"}, {"top"}};
  description.joints = {{"pin", "base", "top", at({0, 1, 0}), {}, {testing::turn("spin", Vec3(0.1, 1.0, 0.2))}}};
  Content content;
  content.figure = built(description);
  Clip clip;
  constexpr double step = 0.1;  // radians; three turns in all
  clip.poses.resize(1, 190);
  for (int k = 0; k < clip.frames(); ++k) clip.poses(0, k) = step * k;
  const Content again = read(good(write_bvh(content, &clip)).bytes);
  const MatX& poses = again.clips[0].poses;
  ASSERT_EQ(poses.rows(), 6);
  for (int k = 1; k < clip.frames(); ++k)
    EXPECT_LE((poses.col(k) - poses.col(k - 1)).cwiseAbs().maxCoeff(), 2.0 * step) << k;
  EXPECT_GT(poses.cwiseAbs().maxCoeff(), 17.0);
}

TEST(BvhWrite, KeepsChannelsOnFileAxesAndWritesOthersAsThree) {
  FigureDescription description;
  description.name = "mixed";
  description.segments = {{"base"}, {"hinge"}, {"fixed"}, {"skew"}};
  description.joints = {
      {"base", "", "base", {}, {}, {testing::shift("slide", -Vec3::UnitY()), testing::turn("turn", Vec3::UnitY())}},
      {"hinge", "base", "hinge", at({0, 1, 0}), {}, {testing::turn("bend", -Vec3::UnitX(), {-1, 2})}},
      {"fixed", "hinge", "fixed", at({0, 1, 0}), {}, {}},
      {"skew", "fixed", "skew", at({0, 1, 0}), {}, {testing::turn("bend", Vec3(1, 1, 0))}}};
  Content content;
  content.figure = built(description);
  Clip clip;
  clip.poses.resize(4, 1);
  clip.poses << 0.25, radians(10), radians(20), radians(0);
  const std::string text = good(write_bvh(content, &clip)).bytes;
  EXPECT_NE(text.find("ROOT base\n{\n\tOFFSET 0 0 0\n\tCHANNELS 2 Yposition Yrotation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t\tOFFSET 0 100 0\n\t\tCHANNELS 1 Xrotation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t\t\tOFFSET 0 100 0\n\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"), std::string::npos);
  EXPECT_NE(text.find("\t\t\t\tEnd Site\n\t\t\t\t{\n\t\t\t\t\tOFFSET 0 0 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n-25 10 -20 0 0 0 0 0 0\n"), std::string::npos) << text;
}

// A translation after a rotation moves along a rotated axis: no channel of the file does.
TEST(BvhWrite, KeepsTranslationsAfterRotations) {
  FigureDescription description;
  description.name = "crank";
  description.segments = {{"base"}, {"arm"}, {"slide"}};
  description.joints = {{"arm",
                         "base",
                         "arm",
                         at({0, 1, 0}),
                         {},
                         {testing::turn("turn", Vec3::UnitY()), testing::shift("out", Vec3::UnitX())}},
                        {"slide",
                         "arm",
                         "slide",
                         at({1, 0, 0}),
                         {},
                         {testing::shift("x", Vec3::UnitX()), testing::shift("again", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 7, 5);
  const Content again = read(good(write_bvh(content, &clip)).bytes, {.metres_per_unit = 0.01, .up = Up::y});
  EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8);
}

TEST(BvhWrite, KeepsNamesUniqueAndOnOneLine) {
  FigureDescription description;
  description.name = "names";
  description.segments = {{"a"}, {"b"}, {"c"}};
  description.joints = {
      {" x\ny {1", "", "a", {}, {}, {}}, {"x y (1", "a", "b", {}, {}, {}}, {"\t", "b", "c", {}, {}, {}}};
  Content content;
  content.figure = built(description);
  const Written written = good(write_bvh(content, nullptr));
  EXPECT_TRUE(has_note(written.notes, "names changed"));
  const Content again = read(written.bytes);
  EXPECT_EQ(again.figure->segments()[0].name, "x y (1");
  EXPECT_EQ(again.figure->segments()[1].name, "x y (1_2");
  EXPECT_EQ(again.figure->segments()[2].name, "joint");
}

TEST(BvhWrite, ShortensOnlyNamesThatTheReaderRejects) {
  const auto name_after = [](const std::string& name) {
    FigureDescription description;
    description.name = "long";
    description.segments = {{name}};
    Content content;
    content.figure = built(description);
    return read(good(write_bvh(content, nullptr)).bytes).figure->segments()[0].name;
  };
  EXPECT_EQ(name_after(std::string(250, 'x')), std::string(250, 'x'));
  EXPECT_EQ(name_after(std::string(251, 'x')), std::string(240, 'x'));
  std::string accents;
  for (int k = 0; k < 200; ++k) accents += k == 0 ? "x" : "é";
  EXPECT_EQ(name_after(accents), accents.substr(0, 239));
}

TEST(BvhWrite, WritesTheRestPoseWithoutAClip) {
  const Content content = read(one_bone("0 9 0", "1 Xrotation", "0 9 0 0 0 0 5\n"));
  const Content again = read(good(write_bvh(content, nullptr)).bytes);
  ASSERT_EQ(again.clips.size(), 1u);
  ASSERT_EQ(again.clips[0].frames(), 1);
  const Places a = places(*content.figure, content.figure->rest()), b = places(*again.figure, again.clips[0].pose(0));
  for (const auto& [name, place] : a) EXPECT_LE((place - b.at(name)).norm(), 1e-12) << name;
}

TEST(BvhWrite, RejectsUnwritableContent) {
  Content content;
  EXPECT_FALSE(write_bvh(content, nullptr));
  content = read(one_bone("0 0 0", "1 Xrotation", ""));
  Clip clip;
  clip.poses = MatX::Zero(3, 1);
  EXPECT_NE(write_bvh(content, &clip).error().text().find("poses of 3 parameters"), std::string::npos);
  clip.poses = MatX::Constant(7, 1, infinity);
  EXPECT_NE(write_bvh(content, &clip).error().text().find("not finite"), std::string::npos);
  clip.poses = MatX::Zero(7, 1);
  clip.frame_time = 0.0;
  EXPECT_NE(write_bvh(content, &clip).error().text().find("frame time"), std::string::npos);
  clip.frame_time = 1.0;
  EXPECT_FALSE(write_bvh(content, &clip, {.metres_per_unit = 0.0, .up = {}}));
  EXPECT_TRUE(write_bvh(content, &clip));
}

}  // namespace bvh_write_test
}  // namespace limber
