// Motion scripts of several figures.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/document/motion_script/motion_script.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace motion_script_figures_test {

using testing::good;

const char* const two = R"({"limber": "scene 1", "figures": {
  "a": {"figure": {"human": {}}, "p": [0, 0, 1], "turns": [["y", 180]]}, "b": {"figure": {"human": {}}, "p": [0, 0, -1]}}})";
const char* const aside = R"({"limber": "scene 1", "figures": {
  "a": {"figure": {"human": {}}, "p": [1, 0, 0]}, "b": {"figure": {"human": {}}}}})";

Expected<ScriptedMotion> motion_of(const char* scene, const std::string& script) {
  const Expected<MotionScript> read = read_motion_script(script, "test.script");
  if (!read) return std::unexpected(read.error());
  return scripted_motion(*read, good(read_scene(scene, "scene")));
}

Vec3 place(const Figure& figure, const Pose& pose, const char* name) {
  return evaluate(figure, forward(figure, pose), good(figure.point(name)).plus[0]);
}

TEST(ScriptedFigures, TravelEachOnItsOwnOrTogether) {
  const Scene scene = good(read_scene(two, "scene"));
  const Figure& figure = scene.figure;
  const ScriptedMotion one = good(motion_of(two, "rate 1\nkey 0\nkey 1 a.travel (0.25, 0, 2) b.heading 90"));
  const Pose end = one.given.pose(1);
  EXPECT_LT((place(figure, end, "a.pelvis") - place(figure, scene.pose, "a.pelvis") - Vec3(0.25, 0, 2)).norm(), 1e-12);
  EXPECT_LT((place(figure, end, "b.pelvis") - place(figure, scene.pose, "b.pelvis")).norm(), 1e-12);
  // To its left: from +z to +x.
  EXPECT_GT(place(figure, end, "b.left_toe").x(), place(figure, scene.pose, "b.left_toe").x());
  const ScriptedMotion both = good(motion_of(two, "rate 1\nkey 0\nkey 1 travel (0, 0, 1)"));
  for (const char* pelvis : {"a.pelvis", "b.pelvis"})
    EXPECT_LT((place(figure, both.given.pose(1), pelvis) - place(figure, scene.pose, pelvis) - Vec3(0, 0, 1)).norm(),
              1e-12)
        << pelvis;
}

TEST(ScriptedFigures, MirrorInTheirCommonPlane) {
  const std::string block =
      "rate 1\nlength 1\nrepeat 2 every 1 mirrored\nkey 0 a.left_knee.flexion 30, b.left_knee.flexion 10\nend";
  const ScriptedMotion motion = good(motion_of(two, block));
  const Figure& figure = motion.problem.figure();
  EXPECT_NEAR(good(figure.value(motion.given.pose(1), "a.right_knee.flexion")), pi / 6.0, 1e-12);
  EXPECT_NEAR(good(figure.value(motion.given.pose(1), "b.right_knee.flexion")), pi / 18.0, 1e-12);
  const Expected<ScriptedMotion> not_shared = motion_of(aside, block);
  ASSERT_FALSE(not_shared);
  EXPECT_NE(not_shared.error().text().find("several planes of symmetry"), std::string::npos)
      << not_shared.error().text();
}

TEST(ScriptedFigures, NameWhatIsWrong) {
  EXPECT_NE(motion_of(two, "key 0 heading 30").error().text().find("\"a.heading\""), std::string::npos);
  EXPECT_NE(motion_of(two, "key 0 c.travel (0, 0, 1)").error().text().find("root that slides"), std::string::npos);
  EXPECT_NE(motion_of(two, "throughout lock left_foot").error().text().find("'a.left_foot', 'b.left_foot'"),
            std::string::npos);
  EXPECT_TRUE(motion_of(two, "stiff a.travel 3\nstiff b.heading 2\nlength 1\nthroughout keep a.mass_centre above 0.5"));
  EXPECT_FALSE(motion_of(two, "length 1\nthroughout keep c.mass_centre above 0.5"));
}

// The example: all feet stay where they strike, both hands stay on the beam, and it is carried along.
TEST(ScriptedFigures, CarryABeam) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "example/motion";
  const Scene scene = good(read_scene(read_sample(folder / "carry.json"), "carry.json"));
  MotionScript script = good(read_motion_script(read_sample(folder / "carry.script"), "carry.script"));
  script.rate = 10;
  const ScriptedMotion motion = good(scripted_motion(script, scene));
  const SolvedMotion solved = good(play_motion(motion.problem, motion.given, {}));
  EXPECT_TRUE(solved.report.met());
  const Figure& figure = scene.figure;
  const Vec3 start = place(figure, solved.clip.pose(0), "beam.middle");
  const int frames = solved.clip.frames();
  for (int k = 0; k < frames; ++k) {
    const Pose pose = solved.clip.pose(k);
    EXPECT_LT((place(figure, pose, "front.right_palm") - place(figure, pose, "beam.front grip")).norm(), 2e-3) << k;
    EXPECT_LT((place(figure, pose, "back.right_palm") - place(figure, pose, "beam.back grip")).norm(), 2e-3) << k;
    EXPECT_NEAR(place(figure, pose, "beam.corner 1").y(), place(figure, pose, "beam.corner 3").y(), 2e-2) << k;
  }
  EXPECT_GT((place(figure, solved.clip.pose(frames - 1), "beam.middle") - start).z(), 1.3);
}

}  // namespace motion_script_figures_test
}  // namespace limber
