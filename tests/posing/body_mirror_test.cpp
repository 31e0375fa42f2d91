// Left and right are alike: in the learned body, in what is proposed, and in a pose that is pulled.
#include "limber/posing/body_mirror.h"

#include <gtest/gtest.h>

#include <string>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/posing/posing_for.h"

namespace limber {
namespace body_mirror_test {

Vec3 mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

std::string other_side(std::string bone) {
  if (bone[0] == 'l' && bone != "lowerneck" && bone != "lowerback") return "r" + bone.substr(1);
  return bone[0] == 'r' && bone != "root" ? "l" + bone.substr(1) : bone;
}

// The body was measured of a person, whose sides differ by millimetres; here the left is the mirror image of the right.
CommonBody symmetric(CommonBody body) {
  for (CommonBone& bone : body.bones) {
    const CommonBone& other = body.bones[static_cast<std::size_t>(body.find(other_side(bone.name)))];
    if (&other == &bone) bone.b.x() = 0.0;
    if (bone.name[0] != 'l' || &other == &bone) continue;
    bone.b = mirrored(other.b);
    const Vec3 flip(-1.0, 1.0, 1.0);
    bone.C = flip.asDiagonal() * other.C * flip.asDiagonal();
  }
  return body;
}

// Against the body's own kinematics, which know nothing of mirrors.
TEST(BodyMirror, IsTheReflectionOfEveryJoint) {
  const CommonBody body = symmetric(PoseModel::embedded()->body());
  const BodyMirror mirror(body);
  Lengths ones;
  ones.fill(1.0);
  Random random(4);
  for (int k = 0; k < 50; ++k) {
    CommonPose pose, other;
    pose.angles.resize(static_cast<Eigen::Index>(body.columns.size()));
    for (double& angle : pose.angles) angle = random.between(-1.0, 1.0);
    pose.root = {random.rotation(), random.direction()};
    mirror.mirror(pose, other);
    CommonBody::State a, b;
    body.forward(pose.angles, pose.root, ones, a);
    body.forward(other.angles, other.root, ones, b);
    for (const HandlePart& part : handle_parts) {
      const auto s = static_cast<std::size_t>(body.find(part.bone)),
                 t = static_cast<std::size_t>(body.find(other_side(std::string(part.bone))));
      EXPECT_LT((mirrored(a.p[s]) - b.p[t]).norm(), 1e-12) << part.bone;
    }
  }
}

Vec3 at(const Figure& figure, const Pose& pose, const std::string& place) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), *figure.point(place), x);
  return x[0];
}

TEST(BodyMirror, MirroredPullsHaveMirroredAnswers) {
  const Figure figure = human();
  const PosingOptions options = posing_for(figure, figure.rest());
  const auto pulled = [&](const std::string& place, const Vec3& by) {
    Posing posing = Posing::make(figure, figure.rest(), options).value();
    const GripId grip = posing.grab(figure.point(place)).value();
    posing.move(grip, posing.grips()[0].p + by);
    (void)posing.frame();
    return posing.answer();
  };
  const struct {
    const char *right, *left;
    Vec3 by;
  } pulls[] = {{"right_palm", "left_palm", {0.1, 0.4, 0.4}},  {"right_palm", "left_palm", {0.0, -0.5, 0.3}},
               {"right_foot", "left_foot", {-0.1, 0.2, 0.3}}, {"pelvis", "pelvis", {0.0, -0.3, 0.0}},
               {"pelvis", "pelvis", {0.1, -0.1, 0.0}},        {"head", "head", {0.0, -0.1, 0.2}}};
  for (const auto& pull : pulls) {
    const Pose a = pulled(pull.right, pull.by), b = pulled(pull.left, mirrored(pull.by));
    for (const std::string part : {"palm", "elbow", "knee", "ankle", "shoulder", "hip"}) {
      // The sides of the learned body differ by millimetres.
      EXPECT_LT((mirrored(at(figure, a, "left_" + part)) - at(figure, b, "right_" + part)).norm(), 0.01)
          << pull.right << " " << pull.by.transpose() << ": left " << part;
      EXPECT_LT((mirrored(at(figure, a, "right_" + part)) - at(figure, b, "left_" + part)).norm(), 0.01)
          << pull.right << " " << pull.by.transpose() << ": right " << part;
    }
  }
}

}  // namespace body_mirror_test
}  // namespace limber
