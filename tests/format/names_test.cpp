// The same names on every rig: their positions show whether each is on the right part.
#include "limber/format/names.h"

#include <gtest/gtest.h>

#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace names_test {

Content read_data(const std::string& name, const Content* skeleton = nullptr) {
  const std::string path = source_dir() + "/data/" + name;
  Expected<Content> content = read_content(read_sample(path), path, {}, {}, skeleton);
  if (!content) ADD_FAILURE() << content.error().text();
  return std::move(*content);
}

struct RigCase {
  const char* file;
  const char* rig;
};

class KnownRig : public ::testing::TestWithParam<RigCase> {};

TEST_P(KnownRig, HasABodyUnderstood) {
  const Content content = read_data(GetParam().file);
  ASSERT_TRUE(content.figure);
  EXPECT_EQ(common_names(*content.figure).plan, BodyPlan::person);
  const Expected<Figure> figure = with_common_names(*content.figure);
  ASSERT_TRUE(figure) << figure.error().text();
  const Kinematics rest = forward(*figure, figure->rest());
  const auto frame = [&](const std::string& name) {
    const Expected<Handle> found = figure->frame(name);
    EXPECT_TRUE(found) << name << ": " << (found ? "" : found.error().text());
    if (!found) return Frame{};
    const Frame& X = rest.segments[found->plus[0].segment];
    Frame out;
    out.p = X * found->plus[0].local;
    out.R = rotation_from_xy(X.R * found->plus[1].local, X.R * found->plus[2].local);
    return out;
  };
  const Frame pelvis = frame("pelvis"), head = frame("head"), eyes = frame("eyes");
  const double height = head.p.y() - frame("left_ankle").p.y();
  EXPECT_GT(height, 0.5) << "metres from ankle to head";
  EXPECT_LT(height, 5.0);
  EXPECT_GT(head.p.y(), pelvis.p.y());
  const Vec3 forward_axis = eyes.R.col(0), left = Vec3::UnitY().cross(forward_axis);
  EXPECT_NEAR(forward_axis.y(), 0.0, 1e-9);
  for (const std::string part : {"shoulder", "elbow", "hand", "palm", "hip", "knee", "ankle", "foot"}) {
    const Vec3 l = frame("left_" + part).p, r = frame("right_" + part).p;
    EXPECT_GT((l - r).dot(left), 0.02 * height) << part << ": left must be left of right";
    EXPECT_LT(std::fabs(l.y() - r.y()), 0.1 * height) << part;
  }
  for (const std::string side : {"left_", "right_"}) {
    EXPECT_LT(frame(side + "knee").p.y(), frame(side + "hip").p.y());
    EXPECT_LT(frame(side + "ankle").p.y(), frame(side + "knee").p.y());
    EXPECT_GT(frame(side + "shoulder").p.y(), pelvis.p.y());
    // The toes are in front: this distinguishes the table's forward from backward.
    if (figure->frame(side + "ball")) {
      EXPECT_GT((frame(side + "ball").p - frame(side + "ankle").p).dot(forward_axis), 0.0) << side;
    }
    // A chain can begin at a common name.
    EXPECT_TRUE(figure->find_joint(side + "shoulder"));
  }
  EXPECT_TRUE(figure->find_joint("waist"));
}

INSTANTIATE_TEST_SUITE_P(Data, KnownRig,
                         ::testing::Values(RigCase{"acclaim/02.asf", "CMU"}, RigCase{"bvh/cmu_02_01.bvh", "cgspeed"},
                                           RigCase{"bvh/max_131_03.bvh", "cgspeed for 3ds Max"},
                                           RigCase{"bvh/mh_walk1.bvh", "MakeHuman"},
                                           RigCase{"bvh/three_pirouette.bvh", "Poser"},
                                           RigCase{"gltf/vrm1_humanoid_min.vrm", "VRM"},
                                           RigCase{"gltf/kaykit_Rogue.glb", "Blender"}),
                         [](const auto& rig) {
                           std::string name = rig.param.rig;
                           std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return name;
                         });

// Rigs without a whole body: a robot has no head, and a character may have names of which none says what it is.
class SparseRig : public ::testing::TestWithParam<RigCase> {};

TEST_P(SparseRig, HasLimbsInOrderOnTheirSides) {
  const Content content = read_data(GetParam().file);
  ASSERT_TRUE(content.figure);
  EXPECT_EQ(common_names(*content.figure).plan, BodyPlan::person);
  const Figure figure = *with_common_names(*content.figure);
  const Kinematics rest = forward(figure, figure.rest());
  const auto place = [&](const std::string& name) {
    const Expected<Handle> found = figure.point(name);
    EXPECT_TRUE(found) << name;
    return found ? found->plus[0] : Element{};
  };
  const auto x = [&](const std::string& name) { return Vec3(rest.segments[place(name).segment] * place(name).local); };
  const auto is_below = [&](const std::string& lower, const std::string& upper) {
    const int a = place(lower).segment, b = place(upper).segment;
    return a > b && a < figure.segments()[b].subtree_end;
  };
  // The robot looks along x, the character along z.
  const Vec3 forward_axis = GetParam().rig == std::string("Unitree") ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 left = Vec3::UnitY().cross(forward_axis);
  for (const std::string part : {"shoulder", "elbow", "wrist", "hip", "knee", "ankle"}) {
    const Vec3 across = x("left_" + part) - x("right_" + part);
    EXPECT_GT(across.dot(left), 0.9 * across.norm()) << part;
    EXPECT_GT(across.norm(), 0.05) << part;
  }
  for (const std::string side : {"left_", "right_"})
    for (const auto& [upper, middle, lower] : {std::tuple{"shoulder", "elbow", "wrist"}, {"hip", "knee", "ankle"}}) {
      EXPECT_TRUE(is_below(side + middle, side + upper)) << side << middle;
      EXPECT_TRUE(is_below(side + lower, side + middle)) << side << lower;
      EXPECT_GT((x(side + middle) - x(side + upper)).norm(), 0.1) << side << middle;
      EXPECT_GT((x(side + lower) - x(side + middle)).norm(), 0.1) << side << lower;
      EXPECT_TRUE(is_below(side + upper, "pelvis") || place("pelvis").segment == place(side + upper).segment);
    }
  for (const std::string side : {"left_", "right_"}) {
    EXPECT_LT(x(side + "knee").y(), x(side + "hip").y());
    EXPECT_LT(x(side + "ankle").y(), x(side + "knee").y());
    EXPECT_GT(x(side + "shoulder").y(), x("waist").y());
  }
  EXPECT_GT(x("chest").y(), x("pelvis").y());
  // Sites point forward.
  const Handle foot = *figure.direction("left_foot");
  EXPECT_GT((rest.segments[foot.plus[0].segment].R * foot.plus[0].local).dot(forward_axis), 0.99);
}

INSTANTIATE_TEST_SUITE_P(Data, SparseRig,
                         ::testing::Values(RigCase{"urdf/g1_29dof.urdf", "Unitree"},
                                           RigCase{"gltf/CesiumMan.glb", "Cesium Man"}),
                         [](const auto& rig) { return std::string(rig.param.rig).substr(0, 6); });

// In the frame of the robot's file x is ahead and y to the left.
TEST(CommonNames, OfTheRobotAreItsOwnSides) {
  const Content robot = read_data("urdf/g1_29dof.urdf");
  const Kinematics rest = forward(*robot.figure, robot.figure->rest());
  for (const char* part : {"hip_pitch_link", "knee_link", "shoulder_pitch_link", "elbow_link"}) {
    const int left = *robot.figure->find_segment(std::string("left_") + part);
    const Vec3 in_file = robot.space.in_file(rest.segments[left].p);
    EXPECT_GT(in_file.y(), 0.05) << part;
  }
}

TEST(CommonNames, MixamoWithItsPrefix) {
  FigureDescription d;
  d.segments = {{"mixamorig:Hips"}};
  d.joints = {free_root("mixamorig:Hips", "mixamorig:Hips")};
  const auto add = [&](const char* name, const char* parent, const Vec3& p) {
    d.segments.push_back({name});
    d.joints.push_back({name, parent, name, at(p), {}, {{"rx", Motion::rotate, Vec3::UnitX()}}});
  };
  add("mixamorig:Spine", "mixamorig:Hips", {0, 0.1, 0});
  add("mixamorig:Head", "mixamorig:Spine", {0, 0.5, 0});
  for (const double side : {1.0, -1.0}) {
    const std::string s = side > 0 ? "mixamorig:Left" : "mixamorig:Right";
    add((s + "Arm").c_str(), "mixamorig:Spine", {0.2 * side, 0.4, 0});
    add((s + "ForeArm").c_str(), (s + "Arm").c_str(), {0.3 * side, 0, 0});
    add((s + "Hand").c_str(), (s + "ForeArm").c_str(), {0.3 * side, 0, 0});
    add((s + "UpLeg").c_str(), "mixamorig:Hips", {0.1 * side, 0, 0});
  }
  const Figure figure = built(d);
  const CommonNames names = common_names(figure);
  EXPECT_EQ(names.plan, BodyPlan::person);
  const Figure named = *with_common_names(figure);
  EXPECT_TRUE(named.point("right_hand"));
  EXPECT_EQ(named.point("right_hand")->plus[0].segment, *named.find_segment("mixamorig:RightHand"));
}

TEST(CommonNames, AreNotAddedToUnknownRigs) {
  EXPECT_EQ(common_names(built(crane())).plan, BodyPlan::unknown);
  EXPECT_EQ(common_names(*read_data("urdf/panda.urdf").figure).plan, BodyPlan::unknown);
  // What the figure has by that name stays.
  const Figure human_again = *with_common_names(human());
  EXPECT_EQ(human_again.sites().size(), human().sites().size());
}

}  // namespace names_test
}  // namespace limber
