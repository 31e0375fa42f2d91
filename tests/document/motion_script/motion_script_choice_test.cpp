// Balance and alternatives in motion scripts, and those of their scenes.                            ZB94 (27),
// W93 7.2.1
#include <gtest/gtest.h>

#include "limber/document/motion_script/motion_script.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/problem/balance.h"

namespace limber {
namespace motion_script_choice_test {

Scene standing_human() { return Scene(human(), HumanOptions{}); }

const Figure& scene_figure() {
  static const Figure figure = human();
  return figure;
}

Vec3 point_of(const Figure& figure, const Expected<Handle>& handle, const VecX& theta) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, Pose{theta}), *handle, x);
  return x[0];
}

ScriptedMotion motion_of(const std::string& text, const Scene& scene = standing_human()) {
  const Expected<MotionScript> script = read_motion_script(text, "f");
  EXPECT_TRUE(script) << script.error().text();
  Expected<ScriptedMotion> motion = scripted_motion(script ? *script : MotionScript{}, scene);
  EXPECT_TRUE(motion) << text << "\n" << motion.error().text();
  return motion ? std::move(*motion) : ScriptedMotion{{}, TimedProblem(scene.figure)};
}

// From above, how far the centre of mass is outside the hull of these places; at most 0 inside. By their convex hull,
// gone through edge by edge.
double outside_of(const Figure& figure, const VecX& theta, const std::vector<Vec3>& places) {
  const Vec3 c = point_of(figure, figure.mass_centre(), theta);
  double max = -infinity;
  for (const Vec3& a : places)
    for (const Vec3& b : places) {
      const Vec3 n = (b - a).cross(Vec3::UnitY());
      if (n.norm() < 1e-6) continue;
      const bool is_edge = std::ranges::all_of(places, [&](const Vec3& p) { return n.dot(p - a) <= 1e-9 * n.norm(); });
      if (is_edge) max = std::fmax(max, n.dot(c - a) / n.norm());
    }
  return max;
}

// The keys lean the figure far over its feet; the balance brings the centre of mass back over them, in every frame.
TEST(ScriptedBalance, KeepsTheCentreOfMassOverTheFeet) {
  const std::string lean =
      "key 0 pose\nkey 0.5 travel (0, -0.05, 0.3), spine.forward 60\n"
      "throughout lock left_foot, must\nthroughout lock right_foot, must\n";
  const char* feet[] = {"left_foot", "right_foot"};
  double worst = -infinity;
  for (const bool balanced : {false, true}) {
    const ScriptedMotion motion =
        motion_of(lean + (balanced ? "throughout balance over left_foot right_foot, margin 0.01" : ""));
    const Figure& figure = motion.problem.figure();
    const Expected<SolvedMotion> solved = solve_motion(motion.problem, motion.given, {.iterations = 100});
    ASSERT_TRUE(solved);
    const std::vector<Vec3> places = *contact_points(figure, motion.given.pose(0), {feet[0], feet[1]});
    double max = -infinity;
    for (int k = 0; k < solved->clip.frames(); ++k)
      max = std::fmax(max, outside_of(figure, solved->clip.poses.col(k), places));
    if (balanced) {
      EXPECT_TRUE(solved->report.met());
      EXPECT_LE(max, -0.009);
      EXPECT_GT(worst, 0.02) << "without it, the figure would fall";
      EXPECT_EQ(solved->report.demands.back().name, "balance");
    }
    worst = max;
  }
}

// A scene's balance counts in a motion, over the feet of its pose; and one of a script over those of the keys.
TEST(ScriptedBalance, IsOverTheFeetWhereItBegins) {
  Scene scene = standing_human();
  scene.constraints = {{.what = SceneBalance{{"left_foot", "right_foot"}, 0.0}, .weight = 1000.0}};
  const ScriptedMotion motion = motion_of(
      "key 0 linear pose\nkey 1 travel (0, 0, 1)\nfrom 1 balance over left_foot\n"
      "repeat 2 every 0.5 mirrored\nfrom 0 until 0.1 balance over left_foot, ease 0.1\nend",
      scene);
  const std::vector<Demand>& demands = motion.problem.demands();
  ASSERT_EQ(demands.size(), 4u);
  const auto mean_of = [&](std::size_t d) {
    Vec3 sum = Vec3::Zero();
    const auto& faces = std::get<InsidePolyhedron>(demands[d].goal).faces;
    for (const Face& face : faces) sum += face.p / static_cast<double>(faces.size());
    return sum;
  };
  const Figure& figure = scene.figure;
  const auto foot = [&](const char* name) { return point_of(figure, figure.point(name), figure.rest().theta); };
  EXPECT_NEAR(mean_of(0).z(), foot("left_foot").z(), 0.2);
  EXPECT_NEAR(mean_of(0).x(), 0.0, 1e-6);
  EXPECT_NEAR(mean_of(1).z(), foot("left_foot").z() + 1.0, 0.2);
  EXPECT_NEAR(mean_of(1).x(), foot("left_foot").x(), 0.08);
  EXPECT_NEAR(mean_of(3).x(), foot("right_foot").x(), 0.08) << "mirrored";
  EXPECT_NEAR(mean_of(3).z(), foot("right_foot").z() + 0.5, 0.2);
  EXPECT_EQ(demands[1].name, "balance");
}

TEST(ScriptedAlternatives, OneOfSeveralIsMetFromItsBeginningToItsEnd) {
  const std::string feet = "throughout lock left_foot, must\nthroughout lock right_foot, must\n";
  const ScriptedMotion motion =
      motion_of("key 0 pose\nkey 1\n" + feet +
                "from 0.4 until 0.8 place left_palm at (0.3, 2.6, 0), or place left_palm at (0.3, 1.2, 0.35),\n"
                "  or place right_palm at (-0.5, 1.6, 0.6), must, ease 0.2");
  ASSERT_EQ(motion.problem.demands().size(), 5u);
  const Expected<SolvedMotion> solved = solve_motion(motion.problem, motion.given, {.iterations = 100});
  ASSERT_TRUE(solved);
  EXPECT_TRUE(solved->report.met());
  EXPECT_FALSE(solved->report.demands[2].taken);
  EXPECT_TRUE(solved->report.demands[3].taken);
  EXPECT_FALSE(solved->report.demands[4].taken);
  for (int k = 12; k <= 24; ++k)
    EXPECT_LE(
        (point_of(scene_figure(), scene_figure().point("left_palm"), solved->clip.poses.col(k)) - Vec3(0.3, 1.2, 0.35))
            .norm(),
        1e-4);
}

TEST(ScriptedAlternatives, TheScenesAlternativesCount) {
  Scene scene = standing_human();
  const auto palm = [](const char* name, const Vec3& p) {
    return SceneAlternative{{.kind = SceneHandle::Kind::point, .place = name}, Position{p}};
  };
  scene.constraints = {{.name = "grip",
                        .what = SceneGoals{palm("left_palm", {0.3, 1.2, 2.0}), palm("left_palm", {0.3, 1.1, 0.3})},
                        .weight = must}};
  const ScriptedMotion motion = motion_of("key 0\nkey 0.3\nthroughout lock left_foot, must", scene);
  ASSERT_EQ(motion.problem.demands().size(), 3u);
  EXPECT_EQ(motion.problem.demands()[1].name, "grip (2)");
  const Expected<SolvedMotion> solved = solve_motion(motion.problem, motion.given);
  ASSERT_TRUE(solved);
  EXPECT_TRUE(solved->report.met());
  EXPECT_TRUE(solved->report.demands[1].taken);
}

}  // namespace motion_script_choice_test
}  // namespace limber
