// A scene that keeps clear, under a script: every frame does.
#include <gtest/gtest.h>

#include "limber/document/motion_script/motion_script.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {
namespace motion_script_clear_test {

Scene scene_with_bar(const std::string& keep_clear) {
  const Expected<Scene> scene = read_scene(
      R"({"limber": "scene 1", "figure": {"human": {}},
          "obstacles": [{"name": "bar", "box": [0.2, 0.04, 0.2], "p": [-0.25, 1.15, 0.4]}],
          "constraints": [{"handle": "left_foot", "goal": {"hold": true}, "weight": "must"}, )" +
          keep_clear + "]}",
      "bar.json");
  EXPECT_TRUE(scene) << scene.error().text();
  return *scene;
}

TEST(MotionScriptClear, KeepsEveryFrameClear) {
  const Expected<MotionScript> script = read_motion_script(
      "key 0\nkey 1 right_shoulder.elevation 80, right_elbow.flexion 20\nkey 2 pose\n", "swing.script");
  ASSERT_TRUE(script) << script.error().text();
  const Expected<ScriptedMotion> motion =
      scripted_motion(*script, scene_with_bar(R"({"keep_clear": {"margin": 0.01}})"));
  ASSERT_TRUE(motion) << motion.error().text();
  ASSERT_EQ(motion->clearances.size(), 1u);
  const Expected<SolvedMotion> solved = solve_motion(motion->problem, motion->given);
  ASSERT_TRUE(solved);
  const Expected<ClearedMotion> cleared = clear_motion(motion->problem, solved->clip, motion->clearances);
  ASSERT_TRUE(cleared) << cleared.error().text();
  EXPECT_TRUE(cleared->overlaps.empty());
  EXPECT_GT(cleared->changed, 0);
  EXPECT_TRUE(cleared->report.met());
}

TEST(MotionScriptClear, RejectsAClearanceThatNeedNotHold) {
  const Expected<MotionScript> script = read_motion_script("key 0\nkey 1 pose\n", "swing.script");
  ASSERT_TRUE(script) << script.error().text();
  const Expected<ScriptedMotion> motion =
      scripted_motion(*script, scene_with_bar(R"({"keep_clear": true, "weight": 0.5})"));
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().text().find("keep_clear"), std::string::npos) << motion.error().text();
}

// A motion has no loads yet: it says so, and ignores nothing.
TEST(MotionScriptClear, RejectsAStrengthLimit) {
  const Expected<MotionScript> script = read_motion_script("key 0\nkey 1 pose\n", "swing.script");
  ASSERT_TRUE(script) << script.error().text();
  const Expected<ScriptedMotion> motion = scripted_motion(*script, scene_with_bar(R"({"strength": true})"));
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().text().find("a strength limit"), std::string::npos) << motion.error().text();
}

}  // namespace motion_script_clear_test
}  // namespace limber
