// The skeleton script: the thesis's example, frames and mirrors, and any figure written and read again.
#include "limber/format/skeleton_script/skeleton_script.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/format/urdf/urdf.h"
#include "limber/kinematics/forward.h"
#include "tests/format/note.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace skeleton_script_test {

const std::filesystem::path source = source_dir();

Content read(std::string_view bytes, const ReadOptions& options = {}) {
  Expected<Content> content = read_skeleton_script(bytes, "s.scr", options);
  if (!content) {
    ADD_FAILURE() << content.error().text() << "\n" << bytes.substr(0, 2000);
    return {};
  }
  EXPECT_TRUE(content->figure);
  return std::move(*content);
}

Written written(const Figure& figure, const WriteOptions& options = {}) {
  Content content;
  content.figure = figure;
  return *write_skeleton_script(content, options);
}

std::string stickman() { return read_sample(source / "example" / "skeleton" / "stickman.scr"); }

std::string parent_of(const Figure& figure, std::string_view segment) {
  const int parent = figure.segments()[*figure.find_segment(segment)].parent;
  return parent == no_parent ? "" : figure.segments()[parent].name;
}

const Range& range_of(const Figure& figure, std::string_view parameter) {
  return figure.parameters()[*figure.find_parameter(parameter)].range;
}

VecX random_angles(const Figure& figure, Random& random) {
  VecX q(figure.freedoms().size());
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = random.between(-1.0, 1.0);
  return q;
}

// --- Reading -------------------------------------------------------------------------------------

// Figure 6.1 as it is printed.
constexpr const char* figure_6_1 = R"(
# Example .scr file for a stick figure.

define skeleton "stickman"
  joint "pelvis"
  group "Upper body"
    joint "torso"
    group "Right Arm"
      joint "right arm"
      joint "right hand"
    end group
    group "Left arm"
      joint "left arm"
      joint "left hand"
    end group
    joint "head" # "head" is a child of "torso"
  end group
  group "Right leg"
    joint "right leg"
    joint "right foot"
  end group
  group "Left leg"
    joint "left leg"
    joint "left foot"
  end group
end skeleton

define joint "right leg"
  object "r_lleg.pol"
  offset 0 -0.32 0
  hinge x 0 170
  mass 1
  orientation 0 0 0
  mirror "left leg"
end joint
)";

TEST(SkeletonScript, TheExampleOfTheThesis) {
  const Content content = read(figure_6_1);
  const Figure& figure = *content.figure;
  EXPECT_EQ(content.format, "skeleton script");
  EXPECT_EQ(figure.name(), "stickman");
  ASSERT_EQ(figure.segments().size(), 11u);
  const std::pair<const char*, const char*> parents[] = {
      {"pelvis", ""},         {"torso", "pelvis"},       {"right arm", "torso"},     {"right hand", "right arm"},
      {"left arm", "torso"},  {"left hand", "left arm"}, {"head", "torso"},          {"right leg", "pelvis"},
      {"left leg", "pelvis"}, {"left foot", "left leg"}, {"right foot", "right leg"}};
  for (const auto& [name, parent] : parents) EXPECT_EQ(parent_of(figure, name), parent) << name;
  ASSERT_EQ(figure.freedoms().size(), 5u);
  EXPECT_EQ(figure.freedoms()[0].name, "pelvis.tx");
  EXPECT_EQ(range_of(figure, "right leg.angle").lower, 0.0);
  EXPECT_EQ(range_of(figure, "right leg.angle").upper, radians(170.0));
  // Defined as the mirror image.
  EXPECT_EQ(range_of(figure, "left leg.angle").upper, radians(170.0));
  EXPECT_EQ(figure.mass(), 2.0);
  EXPECT_EQ(figure.joints()[*figure.find_segment("left leg")].in_parent.p, Vec3(0, -0.32, 0));
  ASSERT_EQ(figure.description().mirror_pairs.size(), 1u);
  EXPECT_EQ(figure.description().mirror_pairs[0].left, "left leg");
  EXPECT_EQ(figure.description().segments[7].object, "r_lleg.pol");
  EXPECT_TRUE(has_note(content.notes, "joint \"pelvis\" is not defined, and 8 more"));
  EXPECT_TRUE(has_note(content.notes, "names of groups are not kept: 5"));
  EXPECT_TRUE(has_note(content.notes, "an object cannot be mirrored"));
}

TEST(SkeletonScript, TheStickman) {
  const Content content = read(stickman());
  const Figure& figure = *content.figure;
  EXPECT_EQ(figure.segments().size(), 29u);
  EXPECT_EQ(figure.freedoms().size(), 32u);
  EXPECT_EQ(figure.description().mirror_pairs.size(), 10u);
  EXPECT_EQ(figure.mirror().size(), 32u);
  EXPECT_EQ(content.notes.size(), 2u);  // group names, and the leg's object
  EXPECT_EQ(parent_of(figure, "neck turn"), "torso");
  EXPECT_EQ(parent_of(figure, "left hip swing"), "pelvis");
  const Kinematics state = forward(figure, figure.rest());
  const auto at = [&](std::string_view site) {
    for (const Site& one : figure.sites())
      if (one.name == site) return Vec3(state.segments[one.segment] * one.frame.p);
    ADD_FAILURE() << site;
    return Vec3(Vec3::Zero());
  };
  EXPECT_NEAR(at("top of head").y(), 1.32, 1e-12);
  EXPECT_NEAR(at("right foot tip").y(), 0.0, 1e-12);
  EXPECT_LT((at("left hand tip") - Vec3(0.14, 0.54, 0)).norm(), 1e-12);
  EXPECT_LT((at("right hand tip") - Vec3(-0.14, 0.54, 0)).norm(), 1e-12);
  EXPECT_EQ(range_of(figure, "left shoulder lift.angle").lower, radians(-30.0));
  EXPECT_EQ(range_of(figure, "left shoulder lift.angle").upper, radians(150.0));
  EXPECT_NEAR(figure.mass(), 32.0, 1e-12);
}

std::string script(const std::string& definitions, const std::string& tree = "joint \"a\" joint \"b\"") {
  return "define skeleton \"s\" " + tree + " end skeleton\n" + definitions;
}

TEST(SkeletonScript, TheFrameOfAJoint) {
  const Mat3 R = rotation(Vec3::UnitZ(), radians(30.0)) * rotation(Vec3::UnitY(), radians(20.0)) *
                 rotation(Vec3::UnitX(), radians(10.0));
  const std::string placed = "offset 1 2 3 orientation 10 20 30 ";
  const auto frame = [&](const std::string& motion, double q) {
    const Figure figure = *read(script("define joint \"b\" " + placed + motion + " end joint")).figure;
    VecX all = VecX::Zero(figure.freedoms().size());
    if (all.size() > 3) all[3] = q;
    Kinematics state(figure);
    forward(figure, all, state);
    return state.segments[1];
  };
  const auto expect = [](const Frame& X, const Mat3& R_expected, const Vec3& p) {
    EXPECT_LT((X.R - R_expected).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((X.p - p).norm(), 1e-14);
  };
  const Vec3 p(1, 2, 3);
  expect(frame("", 0.0), R, p);
  expect(frame("hinge y", 0.5), R * rotation(Vec3::UnitY(), 0.5), p);
  expect(frame("HINGE Z -10 90", 0.5), R * rotation(Vec3::UnitZ(), 0.5), p);
  expect(frame("hinge 0 3 4", 0.5), R * rotation(Vec3(0, 0.6, 0.8), 0.5), p);
  expect(frame("slide x -1 1", 0.5), R, p + R * Vec3(0.5, 0, 0));
  expect(frame("slide 0 -2 0 -1 1", 0.5), R, p + R * Vec3(0, -0.5, 0));
}

TEST(SkeletonScript, LimitsAndRest) {
  const auto range = [](const std::string& statements) {
    return read(script("define joint \"b\" " + statements + " end joint")).figure->parameters()[3].range;
  };
  EXPECT_EQ(range("hinge x").lower, -infinity);
  EXPECT_EQ(range("hinge x 10 20").lower, radians(10.0));
  EXPECT_EQ(range("hinge x 10 20").rest, radians(10.0));
  EXPECT_EQ(range("hinge x 10 20 rest 15").rest, radians(15.0));
  EXPECT_EQ(range("rest -15 hinge x none 20").rest, radians(-15.0));
  EXPECT_EQ(range("hinge x none 20").lower, -infinity);
  EXPECT_EQ(range("hinge 1 0 0 -20 none").upper, infinity);
  EXPECT_EQ(range("hinge 1 0 0 -20 none").lower, radians(-20.0));
  EXPECT_EQ(range("slide z -0.5 +.25").upper, 0.25);
}

TEST(SkeletonScript, TheRootMovesAlongTheAxesOfTheFile) {
  const std::string text = script("define joint \"a\" offset 1 2 3 orientation 0 90 0 hinge x rest 1 0 0 0 end joint");
  const Figure figure = *read(text).figure;
  EXPECT_EQ(figure.rest().theta[0], 1.0);
  VecX q = VecX::Zero(4);
  q.head<3>() = Vec3(0.1, 0.2, 0.3);
  Kinematics state(figure);
  forward(figure, q, state);
  EXPECT_LT((state.segments[0].p - Vec3(1.1, 2.2, 3.3)).norm(), 1e-14);
  EXPECT_LT((state.segments[0].R - rotation(Vec3::UnitY(), pi / 2)).cwiseAbs().maxCoeff(), 1e-14);
  // Centimetres, Z up: the file's z is our y.
  const Content scaled = read(text, {.metres_per_unit = 0.01, .up = Up::z});
  forward(*scaled.figure, q, state);
  EXPECT_LT((state.segments[0].p - Vec3(0.01 + 0.1, 0.03 + 0.3, -0.02 - 0.2)).norm(), 1e-14);
  EXPECT_DOUBLE_EQ(scaled.figure->rest().theta[0], 0.01);
}

TEST(SkeletonScript, MassObjectAndTips) {
  const Content content =
      read(script("define joint \"b\" object \"b # c.pol\" mass 2 0.1 0.2 0.3 tip 1 2 3 tip 0 0 0 \n"
                  "tip 4 5 6 90 0 0 \"nail\" tip 1 1 1 \"a\" end joint"));
  const FigureDescription& figure = content.figure->description();
  EXPECT_EQ(figure.segments[1].object, "b # c.pol");
  EXPECT_EQ(figure.segments[1].mass, 2.0);
  EXPECT_EQ(figure.segments[1].mass_centre, Vec3(0.1, 0.2, 0.3));
  ASSERT_EQ(figure.sites.size(), 6u);
  EXPECT_EQ(figure.sites[2].name, "b tip");
  EXPECT_EQ(figure.sites[2].frame.p, Vec3(1, 2, 3));
  EXPECT_EQ(figure.sites[3].name, "b tip_2");
  EXPECT_EQ(figure.sites[4].name, "nail");
  EXPECT_LT((figure.sites[4].frame.R.col(1) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_EQ(figure.sites[5].name, "a_2");
  EXPECT_TRUE(has_note(content.notes, "the tip \"a\""));
}

TEST(SkeletonScript, LayoutOfTheTextDoesNotMatter) {
  const std::string text = stickman();
  const std::string expected = written(*read(text).figure).bytes;
  std::string crlf, cr, tabs, wide, keywords;
  bool in_quotes = false, in_comment = false;
  for (const char c : text) {
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
    if (c == '\n') in_comment = false;
    if (c == '#') in_comment = true;
    if (c == '"' && !in_comment) in_quotes = !in_quotes;
    tabs += c == ' ' && !in_quotes ? '\t' : c;
    wide += c == ' ' && !in_quotes && !in_comment ? '\n' : c;
    keywords += c >= 'a' && c <= 'z' && !in_quotes && !in_comment ? static_cast<char>(c - 'a' + 'A') : c;
  }
  const std::string cut = text.substr(0, text.size() - 1);
  for (const std::string& variant : {crlf, cr, tabs, wide, keywords, cut, "\xEF\xBB\xBF" + text, text + "# end"})
    EXPECT_EQ(written(*read(variant).figure).bytes, expected);
}

TEST(SkeletonScript, TheExampleOfItsPage) {
  const std::string page = read_sample(source / "doc" / "skeleton_script.md");
  const std::size_t begin = page.find("    define skeleton"), end = page.find("\nMetres");
  ASSERT_NE(end, std::string::npos);
  const Figure figure = *read(page.substr(begin, end - begin)).figure;
  EXPECT_EQ(figure.segments().size(), 4u);
  EXPECT_EQ(parent_of(figure, "thumb"), "elbow");
  EXPECT_EQ(parent_of(figure, "index"), "elbow");
}

TEST(SkeletonScript, EveryPrefixGivesAFigureOrAnError) {
  for (const std::string& text : {stickman(), std::string(figure_6_1)})
    for (std::size_t size = 0; size < text.size(); size += law::whole_or_quick(1U, 11U)) {
      const Expected<Content> content = read_skeleton_script(std::string_view(text).substr(0, size), "p");
      if (content) {
        EXPECT_TRUE(content->figure);
      } else {
        EXPECT_GT(content.error().line, 0) << content.error().text();
      }
    }
}

// --- Mirrors -------------------------------------------------------------------------------------

// In the mirror image of a pose, every site of one side stands where the other side's stood, reflected.
void expect_mirror(const Figure& figure, Random& random) {
  ASSERT_EQ(figure.mirror().size(), figure.parameters().size());
  std::map<std::string, std::string> partner;
  for (const MirrorPair& pair : figure.description().mirror_pairs) {
    partner[pair.left] = pair.right;
    partner[pair.right] = pair.left;
  }
  for (int k = 0; k < 10; ++k) {
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = random.between(-1.0, 1.0);
    const Kinematics a = forward(figure, pose), b = forward(figure, figure.mirrored(pose));
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const std::string& name = figure.segments()[s].name;
      const int image = *figure.find_segment(partner.contains(name) ? partner[name] : name);
      const Vec3 p = a.segments[s].p;
      EXPECT_LT((b.segments[image].p - Vec3(-p.x(), p.y(), p.z())).norm(), 1e-12) << name;
    }
  }
}

TEST(SkeletonScript, AMirroredPoseIsMirrored) {
  Random random(3);
  expect_mirror(*read(stickman()).figure, random);
}

TEST(SkeletonScript, UndefinedJointsAreMirrorImages) {
  const Content content = read(
      script("define joint \"right 1\" offset -1 2 3 orientation 10 20 30 hinge y -10 50 rest 5 tip 1 2 3 0 0 90 "
             "\"nail\" mirror \"left 1\" end joint\n"
             "define joint \"right 2\" offset -1 0.5 0 orientation -50 20 30 slide x -1 2 mass 2 1 0 0 mirror \"left "
             "2\" end joint\n"
             "define joint \"right 3\" offset -1 0.5 1 hinge 1 2 3 -10 50 mirror \"left 3\" end joint\n"
             "define joint \"right 4\" offset -1 0.5 1 slide 1 2 3 -10 50 mirror \"left 4\" end joint\n"
             "define joint \"right 5\" offset 0 0.5 1 orientation 0 5 0 hinge x -10 50 mirror \"left 5\" end joint\n",
             "joint \"middle\" group \"r\" joint \"right 1\" joint \"right 2\" joint \"right 3\" joint \"right 4\" "
             "joint \"right 5\" end group "
             "joint \"left 1\" joint \"left 2\" joint \"left 3\" joint \"left 4\" joint \"left 5\""));
  const Figure& figure = *content.figure;
  EXPECT_EQ(range_of(figure, "left 1.angle").lower, radians(-50.0));
  EXPECT_EQ(range_of(figure, "left 1.angle").upper, radians(10.0));
  EXPECT_EQ(range_of(figure, "left 1.angle").rest, radians(-5.0));
  EXPECT_EQ(range_of(figure, "left 2.slide").lower, -2.0);
  EXPECT_EQ(range_of(figure, "left 3.angle").lower, radians(-10.0));
  EXPECT_EQ(range_of(figure, "left 4.slide").upper, 50.0);
  EXPECT_EQ(range_of(figure, "left 5.angle").upper, radians(50.0));
  EXPECT_EQ(figure.description().segments[7].mass_centre, Vec3(-1, 0, 0));
  const SiteDescription& tip = figure.description().sites.back();
  EXPECT_EQ(tip.name, "left 1 tip");
  EXPECT_EQ(tip.frame.p, Vec3(-1, 2, 3));
  EXPECT_LT((tip.frame.R.col(0) - Vec3::UnitY()).norm(), 1e-15);  // as the right one points
  EXPECT_LT((tip.frame.R.col(1) - Vec3::UnitX()).norm(), 1e-15);  // reflected
  Random random(4);
  expect_mirror(figure, random);
}

TEST(SkeletonScript, AFigureWithoutSymmetryHasNoMirror) {
  // The middle turns about an axis that is not its own image.
  const Content content =
      read(script("define joint \"m\" hinge 1 1 0 end joint\n"
                  "define joint \"right\" hinge x mirror \"left\" end joint\n",
                  "joint \"m\" group \"g\" joint \"left\" end group joint \"right\""));
  EXPECT_TRUE(content.figure->mirror().empty());
  EXPECT_TRUE(has_note(content.notes, "not symmetric"));
  // A declared mirror pair that is not symmetric.
  const Content pair =
      read(script("define joint \"left\" hinge y end joint define joint \"right\" hinge x mirror \"left\" end joint",
                  "joint \"m\" group \"g\" joint \"left\" end group joint \"right\""));
  EXPECT_TRUE(pair.figure->description().mirror_pairs.empty());
  EXPECT_TRUE(has_note(pair.notes, "not symmetric"));
}

// --- Writing -------------------------------------------------------------------------------------

// Written and read again, all joints and sites stand where they stood, for any values of the freedoms; limits, rest,
// masses and mass centres are kept.
void expect_same_after_writing(const Figure& figure, const WriteOptions& options = {}) {
  SCOPED_TRACE(figure.name());
  const Written text = written(figure, options);
  const Content content = read(text.bytes, {options.metres_per_unit, options.up});
  ASSERT_TRUE(content.figure) << text.bytes;
  const Figure& again = *content.figure;
  const auto n = static_cast<Eigen::Index>(figure.freedoms().size()),
             gained = static_cast<Eigen::Index>(again.freedoms().size()) - n;
  ASSERT_TRUE(gained == 0 || gained == 3) << gained;
  EXPECT_EQ(gained == 3, has_note(text.notes, "gains the unlimited degrees of freedom"));

  const double scale = figure.length();
  Random random(7);
  Kinematics a(figure), b(again);
  for (int k = 0; k < 5; ++k) {
    const VecX q = random_angles(figure, random);
    VecX q_again = VecX::Zero(n + gained);
    q_again.tail(n) = q;
    forward(figure, q, a);
    forward(again, q_again, b);
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const Expected<int> image = again.find_segment(figure.segments()[s].name);
      ASSERT_TRUE(image) << figure.segments()[s].name;
      const Vec3 centre = a.segments[s] * figure.joints()[s].in_child.p;
      EXPECT_LT((b.segments[*image].p - centre).norm(), 1e-12 * scale) << figure.segments()[s].name;
      EXPECT_LT((b.segments[*image].R - a.segments[s].R).cwiseAbs().maxCoeff(), 1e-12) << figure.segments()[s].name;
      EXPECT_EQ(again.segments()[*image].mass, figure.segments()[s].mass);
      if (figure.segments()[s].mass > 0.0) {
        EXPECT_LT((b.segments[*image] * again.segments()[*image].mass_centre -
                   a.segments[s] * figure.segments()[s].mass_centre)
                      .norm(),
                  1e-12 * scale);
      }
    }
    for (const Site& site : figure.sites()) {
      const auto image = std::ranges::find(again.sites(), site.name, &Site::name);
      if (image == again.sites().end() || figure.find_segment(site.name)) continue;  // its name was taken
      const Frame X = a.segments[site.segment] * site.frame, Y = b.segments[image->segment] * image->frame;
      EXPECT_LT((X.p - Y.p).norm(), 1e-12 * scale) << site.name;
      EXPECT_LT((X.R - Y.R).cwiseAbs().maxCoeff(), 1e-12) << site.name;
    }
  }
  VecX rest(n), rest_again(n + gained);
  figure.angles(figure.rest().theta, rest);
  again.angles(again.rest().theta, rest_again);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Freedom& before = figure.freedoms()[i];
    const Freedom& after = again.freedoms()[i + gained];
    EXPECT_NEAR(std::fmax(before.lower, -1e9), std::fmax(after.lower, -1e9), 1e-12 * std::fmax(1.0, scale))
        << before.name;
    EXPECT_NEAR(std::fmin(before.upper, 1e9), std::fmin(after.upper, 1e9), 1e-12 * std::fmax(1.0, scale))
        << before.name;
    EXPECT_NEAR(rest[i], rest_again[i + gained], 1e-12 * std::fmax(1.0, scale)) << before.name;
    EXPECT_EQ(before.motion, after.motion);
  }
  EXPECT_EQ(figure.mirror().empty(), again.mirror().empty());
}

TEST(SkeletonScript, FiguresRoundTrip) {
  expect_same_after_writing(*read(stickman()).figure);
  expect_same_after_writing(*read(figure_6_1).figure);
  expect_same_after_writing(human());
  expect_same_after_writing(*human({.spine = Spine::independent, .root = Root::fixed}));
  expect_same_after_writing(*simple_human({.clavicles = true}));
  expect_same_after_writing(testing::built(testing::planar_arm()));
  expect_same_after_writing(testing::built(testing::torso_with_arms()));
  Random random(11);
  for (int k = 0; k < 40; k += law::whole_or_quick(1, 7))
    expect_same_after_writing(
        testing::built(testing::random_tree(random, {.segments = 3 + k / 2, .free_root = k % 2 == 0})));
}

TEST(SkeletonScript, RobotsRoundTrip) {
  for (const auto& entry : std::filesystem::directory_iterator(source / "data" / "urdf")) {
    const Expected<Content> robot = read_urdf(read_sample(entry.path()), entry.path().filename().string());
    ASSERT_TRUE(robot);
    expect_same_after_writing(*robot->figure);
  }
}

TEST(SkeletonScript, OtherUnitsAndAxesRoundTrip) {
  expect_same_after_writing(human(), {.metres_per_unit = 0.001});
  expect_same_after_writing(human(), {.metres_per_unit = 0.0254, .up = Up::y});
  // Its translation is not along the axes of such a file: it becomes three slides.
  const Written text = written(human(), {.up = Up::z});
  EXPECT_TRUE(has_note(text.notes, "need its unit and up axis"));
  expect_same_after_writing(human(), {.up = Up::z});
}

TEST(SkeletonScript, WrittenTwiceIsTheSameText) {
  const std::string first = written(*read(stickman()).figure).bytes;
  EXPECT_EQ(written(*read(first).figure).bytes, first);
  EXPECT_TRUE(written(*read(stickman()).figure).notes.empty());
  EXPECT_NE(first.find("  hinge x 0 170\n"), std::string::npos);
  EXPECT_NE(first.find("  hinge z -30 150\n"), std::string::npos);
  EXPECT_NE(first.find("  offset 0 -0.32 0\n"), std::string::npos);
  EXPECT_NE(first.find("  mirror \"left leg\"\n"), std::string::npos);
  EXPECT_NE(first.find("  object \"r_lleg.pol\"\n"), std::string::npos);
  EXPECT_NE(first.find("    group \"neck turn\"\n"), std::string::npos);
}

TEST(SkeletonScript, TheMirrorPairsOfTheHumanRoundTrip) {
  const Figure figure = *read(written(*simple_human()).bytes).figure;
  EXPECT_GT(figure.description().mirror_pairs.size(), 5u);
  Random random(5);
  expect_mirror(figure, random);
}

TEST(SkeletonScript, LossesAreNoted) {
  const Written text = written(human());
  EXPECT_TRUE(has_note(text.notes, "groups of parameters are not written"));
  EXPECT_TRUE(has_note(text.notes, "names of joints"));
  Content content;
  content.figure = built(crane());
  content.clips.resize(2);
  content.markers.emplace();
  const Written crane_text = *write_skeleton_script(content);
  EXPECT_TRUE(has_note(crane_text.notes, "limits over several parameters are not written: 3"));
  EXPECT_TRUE(has_note(crane_text.notes, "rigidity and stiffness"));
  EXPECT_TRUE(has_note(crane_text.notes, "inertia tensors"));
  EXPECT_TRUE(has_note(crane_text.notes, "names were changed"));
  EXPECT_TRUE(has_note(crane_text.notes, "motions are not written: 2"));
  EXPECT_TRUE(has_note(crane_text.notes, "markers"));
  EXPECT_TRUE(has_note(crane_text.notes, "the origins of other segments"));
  EXPECT_NE(crane_text.bytes.find("define skeleton \"crane 'é'\""), std::string::npos);
  EXPECT_NE(crane_text.bytes.find("object \"cart.pol\""), std::string::npos);
  expect_same_after_writing(built(crane()));
  EXPECT_FALSE(write_skeleton_script(Content{}));
  FigureDescription skewed = testing::torso_with_arms();
  skewed.mirror_pairs = {{"left upper arm", "right upper arm"}, {"left lower arm", "right lower arm"}};
  EXPECT_FALSE(has_note(written(built(skewed)).notes, "mirror"));
  skewed.mirror_normal = -Vec3(1, 1e-6, 0);
  EXPECT_TRUE(has_note(written(built(skewed)).notes, "mirror pairs are not written"));
}

TEST(SkeletonScript, SeveralRootsGetACommonRoot) {
  FigureDescription two;
  two.name = "two";
  two.segments = {{"world"}, {"a"}, {"b"}};
  two.joints = {free_root("ja", "a"), {"jb", "", "b", at({1, 2, 3}), {}, {{"turn", Motion::rotate, Vec3::UnitZ()}}}};
  const Written text = written(built(two));
  EXPECT_TRUE(has_note(text.notes, "one root"));
  EXPECT_EQ(parent_of(*read(text.bytes).figure, "world"), "world_2");
  expect_same_after_writing(built(two));
}

TEST(SkeletonScript, NamesRoundTrip) {
  FigureDescription odd;  // and it has no name itself
  odd.segments = {{"a \"b\""}, {"a 'b'"}, {"# c"}, {" d\n"}};
  odd.joints = {{"1", "a \"b\"", "a 'b'", {}, {}, {{"turn"}, {"twist"}}}, {"2", "a 'b'", "# c"}, {"3", "# c", " d\n"}};
  odd.sites = {{"# c", "a 'b'"}};
  const Figure figure = *read(written(built(odd)).bytes).figure;
  std::vector<std::string> names;
  for (const Segment& segment : figure.segments()) names.push_back(segment.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a 'b'", "1 turn", "a 'b'_2", "# c", " d "}));
  EXPECT_EQ(figure.sites().back().name, "# c_2");
}

}  // namespace skeleton_script_test
}  // namespace limber
