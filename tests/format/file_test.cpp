// Conversion of any file into any other: same positions, and losses are noted.
#include "limber/format/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "limber/format/format_table.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace file_test {

const std::string data = source_dir() + "/data/";

Content read_data(const std::string& name, const Content* skeleton = nullptr) {
  Expected<Content> content = read_content(read_sample(data + name), name, {}, {}, skeleton);
  if (!content) ADD_FAILURE() << content.error().text();
  return std::move(*content);
}

TEST(FileKind, IsRecognisedByNameAndByBytes) {
  const std::map<std::string, FileKind> files = {
      {"bvh/bvh_anim_simple.bvh", FileKind::bvh}, {"acclaim/02.asf", FileKind::asf},
      {"acclaim/zeros.amc", FileKind::amc},       {"urdf/ur5.urdf", FileKind::urdf},
      {"gltf/SimpleSkin.gltf", FileKind::gltf},   {"gltf/RiggedSimple.glb", FileKind::glb},
      {"trc/exampleFormat.trc", FileKind::trc},   {"c3d/02_01.c3d", FileKind::c3d}};
  for (const auto& [file, kind] : files) {
    EXPECT_EQ(kind_of_name(file), kind) << file;
    EXPECT_EQ(kind_of("standard input", read_sample(data + file)), kind) << file;
  }
  EXPECT_EQ(kind_of("x", read_sample(source_dir() + "/example/skeleton/stickman.scr")), FileKind::skeleton_script);
  EXPECT_EQ(kind_of("x", write_figure(human())), FileKind::limber);
  EXPECT_EQ(kind_of_name("WALK.BVH"), FileKind::bvh);
  EXPECT_EQ(kind_of("x", "who knows"), std::nullopt);
  EXPECT_EQ(kind_of("x", ""), std::nullopt);
}

// Every format has an input in the corpus of the fuzz targets. It is recognised by its bytes alone.
TEST(FileFormat, HasARowThatIsComplete) {
  std::set<std::string_view> keys;
  std::set<int> preferences;
  for (const FormatRow& row : format_table()) {
    const FileFormat& format = row.format;
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(keys.insert(format.key).second) << "another format has this key";
    EXPECT_TRUE(preferences.insert(format.preference).second) << "another format has this preference";
    EXPECT_GT(format.preference, 0) << "the rank of a file that no format knows";
    EXPECT_EQ(format.writes, row.write != nullptr);
    for (const FormatRow& other : format_table())
      if (other.format.needs == format.kind) {
        EXPECT_LT(format.preference, other.format.preference) << "a motion goes before its skeleton";
      }
    int recognised = 0, files = 0;
    const std::filesystem::path corpus = std::filesystem::path(source_dir()) / "fuzz" / "corpus" / format.key;
    ASSERT_TRUE(std::filesystem::exists(corpus));
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("crash-") || name.starts_with("hostile-")) continue;
      ++files;
      recognised += kind_of("standard input", read_sample(entry.path())) == format.kind ? 1 : 0;
    }
    EXPECT_GT(files, 0);
    EXPECT_EQ(recognised, files);
  }
}

TEST(FileFormat, FindsTheSkeletonOfAMotion) {
  const auto found = [](std::string_view motion, std::vector<std::string> files) {
    return skeleton_of(motion, files).value_or("none");
  };
  EXPECT_EQ(found("walk.amc", {"other.asf", "walk.ASF"}), "walk.ASF");
  EXPECT_EQ(found("02_01.amc", {"01.asf", "02.asf"}), "02.asf");
  EXPECT_EQ(found("02-a_01.amc", {"01.asf", "02.asf"}), "02.asf");
  EXPECT_EQ(found("walk.amc", {"walk.bvh", "figure.asf"}), "figure.asf");
  EXPECT_EQ(found("walk.amc", {"a.asf", "b.asf"}), "none");
  EXPECT_EQ(found("walk.bvh", {"walk.asf"}), "none") << "a BVH file contains its skeleton";
}

TEST(FileKind, UnknownKindsAreRejectedWithTheKnownOnes) {
  const Expected<Content> content = read_content("who knows", "x.docx");
  ASSERT_FALSE(content);
  EXPECT_NE(content.error().expected.find(".bvh"), std::string::npos);
  const Expected<Content> motion = read_content(":FULLY-SPECIFIED\n1\n", "x.amc");
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().expected.find("ASF"), std::string::npos);
  const Expected<WrittenFiles> written = write_content(read_data("urdf/ur5.urdf"), {}, "x.urdf");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().found.find("only read"), std::string::npos);
}

using Places = std::map<std::string, Vec3>;

// Every joint of the file, by the name of its segment.
Places joints_of(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places places;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) places[figure.segments()[s].name] = state.segments[s].p;
  return places;
}

struct Pair {
  std::string from;
  std::string to;
};

class Conversion : public ::testing::TestWithParam<Pair> {};

// Where segment s of the one figure is in the other: by its name, or its joint's, which files without segments write;
// the root of an Acclaim skeleton is "root".
const Vec3* same_place(const Figure& figure, int s, const Places& there) {
  for (const std::string& name :
       {figure.segments()[s].name, figure.joints()[s].name, std::string(s == 0 ? "root" : "")})
    if (const auto found = there.find(name); found != there.end()) return &found->second;
  return nullptr;
}

// A converter may add joints, never lose one.
TEST_P(Conversion, KeepsEveryJointWhereItWas) {
  const std::string from = GetParam().from, to = "out" + GetParam().to;
  std::optional<Content> skeleton;
  if (from.ends_with(".amc")) skeleton = read_data("acclaim/02.asf");
  const Content content = read_data(from, skeleton ? &*skeleton : nullptr);
  const Figure& figure = *content.figure;
  const Expected<WrittenFiles> written = write_content(content, content.clips, to);
  ASSERT_TRUE(written) << written.error().text();
  ReadOptions options;
  if (to.ends_with(".bvh"))  // which does not say
    options = {.metres_per_unit = content.format == "bvh" ? content.space.metres_per_unit : 0.01,
               .up = content.format == "bvh" ? content.space.up : Up::y};
  std::optional<Content> again;
  for (const WrittenFile& file : written->files) {
    Expected<Content> read = read_content(file.bytes, file.name, options, {}, again ? &*again : nullptr);
    ASSERT_TRUE(read) << file.name << ": " << read.error().text();
    again = std::move(*read);
  }
  std::vector<std::pair<Pose, Pose>> poses;
  if (to.ends_with(".asf")) {
    // A skeleton alone has no position.
    poses.emplace_back(Pose{VecX::Zero(figure.rest().theta.size())},
                       Pose{VecX::Zero(again->figure->rest().theta.size())});
  } else if (content.clips.empty() && to.ends_with(".bvh")) {
    poses.emplace_back(figure.rest(), again->clips.at(0).pose(0));  // its zero pose is all that a BVH tree has
  } else if (content.clips.empty() || to.ends_with(".json") || to.ends_with(".scr")) {
    poses.emplace_back(figure.rest(), again->figure->rest());
  } else {
    ASSERT_FALSE(again->clips.empty());
    const Clip &before = content.clips[0], &after = again->clips[0];
    ASSERT_EQ(after.frames(), before.frames());
    EXPECT_NEAR(after.frame_time, to.ends_with(".amc") ? 1.0 / 120.0 : before.frame_time, 1e-6 * before.frame_time);
    for (const int k : {0, before.frames() / 3, before.frames() - 1}) poses.emplace_back(before.pose(k), after.pose(k));
  }
  for (const auto& [before, after] : poses) {
    const Kinematics here = forward(figure, before);
    const Places there = joints_of(*again->figure, after);
    const Vec3* const root = same_place(figure, 0, there);
    ASSERT_TRUE(root) << "the root is lost";
    const Vec3 shift = to.ends_with(".asf") ? Vec3(here.segments[0].p - *root) : Vec3::Zero();
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const Vec3* const found = same_place(figure, static_cast<int>(s), there);
      ASSERT_TRUE(found) << figure.segments()[s].name << " is lost";
      EXPECT_LT((*found + shift - here.segments[s].p).norm(), 2e-6 * std::fmax(1.0, figure.length()))
          << figure.segments()[s].name;
    }
  }
}

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const char* from : {"acclaim/02_01.amc", "bvh/mh_walk1.bvh", "bvh/pybvh_test2.bvh", "urdf/g1_29dof.urdf",
                           "urdf/panda.urdf", "gltf/CesiumMan.glb", "gltf/RobotExpressive.glb"})
    for (const FileFormat& to : file_formats())
      if (to.writes && (to.holds != FileHolds::motion || !std::string(from).ends_with(".urdf")))
        pairs.push_back({from, std::string(to.extensions.substr(0, to.extensions.find(' ')))});
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, Conversion, ::testing::ValuesIn(all_pairs()), [](const auto& pair) {
  std::string name = pair.param.from + "_to_" + pair.param.to.substr(1);
  std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Conversion, NotesLosses) {
  const Content content = read_data("acclaim/02.asf");
  const Expected<WrittenFiles> written = write_content(content, {}, "x.glb");
  ASSERT_TRUE(written);
  std::string all;
  for (const Note& note : written->notes) all += note.text + "\n";
  EXPECT_NE(all.find("limit"), std::string::npos) << all;
}

TEST(MarkerFigure, StandsWhereTheMarkersAre) {
  const Content content = read_data("c3d/02_01.c3d");
  const Expected<MarkerFigure> points = marker_figure(*content.markers, 100);
  ASSERT_TRUE(points) << points.error().text();
  const Places places = joints_of(points->figure, points->pose);
  for (std::size_t m = 0; m < content.markers->names.size(); ++m)
    if (content.markers->seen(100, static_cast<int>(m))) {
      EXPECT_EQ(places.at(content.markers->names[m]), content.markers->position(100, static_cast<int>(m)));
    }
}

// Its shoulders shift a little while it walks; a solve leaves them where they are.
TEST(ReadFigure, KeepsItsBonesInASolve) {
  const Figure figure = *read_data("gltf/CesiumMan.glb").figure;
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("Skeleton_arm_joint_R__3_"), Position{{-0.2, 1.2, 0.5}}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.met()) << to_text(report);
  int inner = 0;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    if (!parameter.translates || parameter.name.starts_with("Skeleton_torso_joint_1.")) continue;
    EXPECT_EQ(pose.theta[static_cast<Eigen::Index>(j)], 0.0) << parameter.name;
    ++inner;
  }
  EXPECT_GT(inner, 0);
  const std::string bvh =
      "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
      "Yrotation JOINT b { OFFSET 0 1 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
      "Yrotation End Site { OFFSET 0 1 0 } } } MOTION Frames: 0 Frame Time: 0.1";
  const Expected<Content> content = read_content(bvh, "x.bvh");
  ASSERT_TRUE(content) << content.error().text();
  for (const Parameter& parameter : content->figure->parameters())
    EXPECT_EQ(parameter.range.rigidity, parameter.name.starts_with("b.t") ? 1.0 : 0.0) << parameter.name;
}

// The markers of a take and the skeleton that was fitted to them: the ankle keeps its distance from the marker on it,
// 47.6 mm with a standard deviation of 0.2 mm. A frame too early or too late, it would be ten times that.
TEST(SameTake, AnkleKeepsItsDistanceFromItsMarker) {
  const Content skeleton = read_data("acclaim/02.asf");
  const Content motion = read_data("acclaim/02_01.amc", &skeleton);
  const Content raw = read_data("c3d/02_01.c3d");
  ASSERT_EQ(motion.clips[0].frames(), 343);
  ASSERT_EQ(raw.markers->frames(), 343);
  const auto marker =
      std::ranges::find_if(raw.markers->names, [](const std::string& name) { return name.ends_with("LANK"); });
  ASSERT_NE(marker, raw.markers->names.end());
  const int m = static_cast<int>(marker - raw.markers->names.begin());
  const Handle ankle = *motion.figure->point("lfoot");  // where the foot begins
  double sum = 0.0, squares = 0.0;
  for (int k = 0; k < 343; ++k) {
    const Kinematics state = forward(*motion.figure, motion.clips[0].pose(k));
    const Vec3 joint = state.segments[ankle.plus[0].segment] * ankle.plus[0].local;
    // The laboratory's (x, y, z) are the motion's (z, x, y), in millimetres.
    const Vec3 lab = 1000.0 * Vec3(joint.z(), joint.x(), joint.y());
    const double distance = (lab - raw.space.in_file(raw.markers->position(k, m))).norm();
    EXPECT_NEAR(distance, 47.6, 1.1) << "frame " << k;
    sum += distance;
    squares += distance * distance;
  }
  const double mean = sum / 343.0;
  EXPECT_NEAR(mean, 47.6, 0.05);
  EXPECT_LT(std::sqrt(squares / 343.0 - mean * mean), 0.3);
}

}  // namespace file_test
}  // namespace limber
