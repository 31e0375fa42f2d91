// Scenes through JSON and back, and into problems.
#include "limber/document/scene/scene.h"

#include <gtest/gtest.h>

#include "limber/problem/balance.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace scene_test {

// A scene of the simple human with the given constraints.
std::string scene_text(const std::string& constraints) {
  return R"({"limber": "scene 1", "figure": {"simple_human": {}}, "constraints": [)" + constraints + "]}";
}

Scene scene_from(const std::string& text) {
  Expected<Scene> scene = read_scene(text, "scene.json");
  if (!scene) ADD_FAILURE() << scene.error().text();
  return *scene;
}

// As the writer lays it out.
const std::vector<std::string> handles = {
    R"({"point": "right_palm"})",
    R"({"ray": "eyes"})",
    R"({"frame": "left_foot"})",
    R"({"direction": "right_palm"})",
    R"({"direction": {"place": "right_palm", "local": "-z"}})",
    R"({"direction": {"place": "right_palm", "local": [0.1, 0.2, 0.3]}})",
    R"({"mass_centre": true})",
    R"({"difference": [{"point": "right_palm"}, {"point": "left_palm"}]})",
    R"({"difference": [{"frame": "right_palm"}, {"frame": "left_palm"}]})",
    R"({"difference": [{"mass_centre": true}, {"point": "left_foot"}]})",
};

struct GoalSample {
  const char* handle;
  const char* goal;
};
const std::vector<GoalSample> goals = {
    {R"({"point": "right_palm"})", R"({"position": [0.1, -2, 3e-07]})"},
    {R"({"ray": "eyes"})", R"({"direction": "-y"})"},
    {R"({"ray": "eyes"})", R"({"direction": {"v": [1, 2, 3], "degrees_per_metre": 57.3}})"},
    {R"({"frame": "right_palm"})", R"({"orientation": {"x": "x", "y": [0, 3, 4]}})"},
    {R"({"frame": "right_palm"})", R"({"orientation": {"x": "y"}})"},
    {R"({"frame": "right_palm"})", R"({"orientation": {"y": "x", "degrees_per_metre": 10}})"},
    {R"({"frame": "right_palm"})", R"({"placement": {"p": [1, 2, 3], "x": "z", "y": "x"}})"},
    {R"({"frame": "right_palm"})",
     R"({"placement": {"p": [1, 2, 3], "y": "-z", "degrees_per_metre": 20, "w_p": 0.25}})"},
    {R"({"frame": "right_palm"})", R"({"orientation": {"x": "y", "y": "x", "degrees_per_metre_y": 10}})"},
    {R"({"frame": "right_palm"})",
     R"({"placement": {"p": [1, 2, 3], "x": "z", "y": "x", "degrees_per_metre": 20, "degrees_per_metre_y": 40}})"},
    {R"({"ray": "eyes"})", R"({"aim_at": [1, 2, 3]})"},
    {R"({"ray": "eyes"})", R"({"aim_at": {"p": [1, 2, 3], "degrees_per_metre": 3}})"},
    {R"({"point": "right_palm"})", R"({"line": {"p": [1, 2, 3], "v": [1, 1, 0]}})"},
    {R"({"point": "right_palm"})", R"({"plane": {"p": [0, 1, 0], "v": "y"}})"},
    {R"({"point": "right_palm"})", R"({"half_space": {"p": [0, 1, 0], "v": "-y"}})"},
    {R"({"point": "right_palm"})", R"({"inside": {"sphere": {"centre": [0, 1, 0], "radius": 0.5}}})"},
    {R"({"point": "right_palm"})", R"({"outside": {"sphere": {"centre": [0, 1, 0], "radius": 0}}})"},
    {R"({"point": "right_palm"})", R"({"inside": {"capsule": {"a": [0, 1, 0], "b": [0, 2, 0], "radius": 0.5}}})"},
    {R"({"point": "right_palm"})", R"({"outside": {"capsule": {"a": [0, 1, 0], "b": [0, 2, 0], "radius": 0.5}}})"},
    {R"({"point": "right_palm"})", R"({"distance": {"p": [0, 2, 0], "at_most": 0.5}})"},
    {R"({"point": "right_palm"})", R"({"distance": {"p": [0, 2, 0], "at_least": 0}})"},
    {R"({"difference": [{"point": "right_palm"}, {"point": "left_palm"}]})", R"({"distance": {"equal": 0.25}})"},
    {R"({"point": "right_palm"})", R"({"inside": {"box": {"p": [0, 1, 0], "size": [1, 2, 3]}}})"},
    {R"({"point": "right_palm"})",
     R"({"outside": {"box": {"p": [0, 1, 0], "matrix": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], "size": [1, 2, 3]}}})"},
    {R"({"point": "right_palm"})",
     R"({"inside": {"polyhedron": {"faces": [{"p": [0, 1, 0], "v": "y"}, {"p": [0, 0, 0], "v": [1, -1, 0]}]}}})"},
    {R"({"point": "right_palm"})", R"({"outside": {"polyhedron": {"faces": [{"p": [0, 1, 0], "v": "y"}]}}})"},
    {R"({"difference": [{"point": "right_palm"}, {"point": "left_palm"}]})", R"({"coincide": true})"},
    {R"({"difference": [{"frame": "right_palm"}, {"frame": "left_palm"}]})",
     R"({"coincide": {"degrees_per_metre": 5}})"},
    {R"({"frame": "left_foot"})", R"({"hold": true})"},
    {R"({"frame": "left_foot"})", R"({"hold": {"degrees_per_metre": 5}})"},
};

TEST(SceneFormat, EveryHandleComesBack) {
  for (const std::string& handle : handles) {
    const Scene scene = scene_from(scene_text(R"({"handle": )" + handle + R"(, "goal": {"hold": true}})"));
    const std::string text = write_scene(scene);
    EXPECT_NE(text.find("\"handle\": " + handle + ","), std::string::npos) << handle << "\n" << text;
    EXPECT_EQ(write_scene(scene_from(text)), text);
  }
}

TEST(SceneFormat, EveryGoalComesBack) {
  std::vector<bool> seen(std::variant_size_v<SceneGoal>, false);
  for (const auto& [handle, goal] : goals) {
    const Scene scene = scene_from(scene_text(std::string(R"({"handle": )") + handle + R"(, "goal": )" + goal + "}"));
    seen[scene.constraints[0].sole_goal()->goal.index()] = true;
    const std::string text = write_scene(scene);
    EXPECT_NE(text.find("\"goal\": " + std::string(goal) + "\n"), std::string::npos) << goal << "\n" << text;
    EXPECT_EQ(write_scene(scene_from(text)), text);
    EXPECT_TRUE(problem_of(scene));
  }
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_TRUE(seen[k]) << "no sample of goal " << k;
}

TEST(SceneFormat, TheRestOfASceneComesBack) {
  const std::string text = R"({
  "limber": "scene 1",
  "title": "A \"title\" — é",
  "figure": {"simple_human": {"clavicles": true}},
  "pose": {
    "root.y": 0.25,
    "right_elbow.flexion": 30.1
  },
  "rigidity": {
    "right_elbow.flexion": 0.5,
    "root.x": 1
  },
  "stiffness": {
    "right_elbow.flexion": 12.5
  },
  "constraints": [
    {
      "name": "first",
      "handle": {"point": "right_palm"},
      "goal": {"position": [1, 2, 3]},
      "weight": 0.5,
      "from": "right_shoulder",
      "enabled": false
    },
    {
      "one_of": [
        {
          "handle": {"point": "right_palm"},
          "goal": {"position": [1, 2, 3]}
        },
        {
          "handle": {"frame": "left_palm"},
          "goal": {"position": [1, 2, 4]}
        }
      ],
      "weight": "must"
    }
  ],
  "options": {
    "iterations": 7,
    "tolerance": 1e-06,
    "met_mm": 0.3,
    "met_degrees": 0.2
  }
}
)";
  const Scene scene = scene_from(text);
  EXPECT_EQ(write_scene(scene), text);
  EXPECT_EQ(*scene.figure.value(scene.pose, "root.y"), 0.25);
  EXPECT_EQ(*scene.figure.value(scene.pose, "right_elbow.flexion"), radians(30.1));
  EXPECT_EQ(scene.options.iterations, 7);
  EXPECT_EQ(scene.options.met_metres, 0.0003);
  const Expected<Problem> problem = problem_of(scene);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->rigidities()[static_cast<std::size_t>(*scene.figure.find_parameter("root.x"))], 1.0);
  ASSERT_EQ(problem->constraints().size(), 3u);
  ASSERT_TRUE(problem->constraints()[2].pull());
  EXPECT_EQ(std::get<PullByStiffness>(*problem->constraints()[2].pull()).target, scene.pose.theta);
  EXPECT_EQ(std::get<PullByStiffness>(*problem->constraints()[2].pull())
                .stiffness[*scene.figure.find_parameter("right_elbow.flexion")],
            13.5);
  EXPECT_EQ(std::get<PullByStiffness>(*problem->constraints()[2].pull())
                .stiffness[*scene.figure.find_parameter("left_elbow.flexion")],
            1.0);
  EXPECT_FALSE(problem->constraints()[0].enabled);
  EXPECT_EQ(problem->constraints()[0].from, *scene.figure.find_joint("right_shoulder"));
  EXPECT_EQ(problem->constraints()[1].weight, must);
  EXPECT_EQ(problem->constraints()[1].alternatives().size(), 2u);
}

TEST(SceneFormat, UntilMetComesBackAndIsWrittenOnlyWhereItIsAskedFor) {
  const auto with = [](const std::string& options) {
    return R"({"limber": "scene 1", "figure": {"simple_human": {}}, "constraints": [{"handle": {"point": "right_palm"},
      "goal": {"position": [-0.3, 1.2, 0.4]}}])" +
           options + "}";
  };
  const Scene asked = scene_from(with(R"(, "options": {"until_met": true})"));
  EXPECT_TRUE(asked.options.until_met);
  const std::string text = write_scene(asked);
  EXPECT_NE(text.find("\"options\": {\n    \"until_met\": true\n  }"), std::string::npos) << text;
  EXPECT_EQ(write_scene(scene_from(text)), text);
  Pose pose = asked.pose;
  EXPECT_EQ(solve(*problem_of(asked), pose, asked.options).exit, Exit::met);

  for (const char* options : {"", R"(, "options": {"until_met": false})", R"(, "options": {"iterations": 7})"}) {
    const Scene plain = scene_from(with(options));
    EXPECT_FALSE(plain.options.until_met);
    EXPECT_EQ(write_scene(plain).find("until_met"), std::string::npos);
  }
  const Expected<Scene> wrong = read_scene(with(R"(, "options": {"until_met": 1})"), "s");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().where.find("/options/until_met"), std::string::npos) << wrong.error().text();
}

TEST(SceneFormat, StrengthLimitsComeBack) {
  const std::string text = R"({
  "limber": "scene 1",
  "figure": {"human": {"sex": "female"}},
  "pose": {},
  "constraints": [
    {
      "strength": {}
    },
    {
      "name": "crate",
      "strength": {"loads": [{"at": ["left_palm", "right_palm"], "kg": 12.5}, {"at": ["head_top"], "kg": 1}], "share": 0.8, "percentile": 25, "sex": "male", "carried_by": "root"},
      "weight": 0.5,
      "priority": 2,
      "soft": true
    },
    {
      "strength": {
        "carried_by": "feet",
        "rows": [
          {"freedom": "elbow.flexion", "direction": "+", "torque": [42, 77, 111], "curve": 0.5, "best_angle": 60, "source": "S82"}
        ]
      },
      "enabled": false
    }
  ]
}
)";
  const Scene scene = scene_from(text);
  EXPECT_EQ(write_scene(scene), text);
  const Expected<Problem> problem = problem_of(scene);
  ASSERT_TRUE(problem) << problem.error().text();
  const std::vector<Constraint>& made = problem->constraints();
  ASSERT_EQ(made.size(), 3u);
  ASSERT_TRUE(made[0].strength() && made[1].strength() && made[2].strength());
  EXPECT_EQ(made[0].name, "strength");
  EXPECT_EQ(made[0].weight, must);
  EXPECT_EQ(made[0].strength()->carried.feet, usual_feet(scene.figure));
  const StrengthTable women = human_strength(Sex::female), men = human_strength(Sex::male);
  EXPECT_EQ(made[0].strength()->table[0].percentile_50, women[0].percentile_50);
  const StrengthLimit& crate = *made[1].strength();
  EXPECT_EQ(crate.table[0].percentile_50, men[0].percentile_50);
  EXPECT_NE(women[0].percentile_50, men[0].percentile_50);
  EXPECT_EQ(crate.share, 0.8);
  EXPECT_EQ(crate.strength.percentile, 25.0);
  EXPECT_TRUE(crate.carried.feet.empty());
  ASSERT_EQ(crate.carried.loads.size(), 3u);
  EXPECT_EQ(crate.carried.loads[0].mass, 6.25);
  EXPECT_EQ(crate.carried.loads[2].mass, 1.0);
  EXPECT_TRUE(made[1].soft && made[1].priority == 2 && made[1].weight == 0.5);
  EXPECT_FALSE(made[2].enabled);
  ASSERT_EQ(made[2].strength()->table.size(), 1u);
  EXPECT_EQ(made[2].strength()->table[0].percentile_95, 111.0);
}

TEST(SceneFormat, BalanceAndPullsComeBack) {
  const std::string text = R"({
  "limber": "scene 1",
  "figure": {"simple_human": {}},
  "pose": {
    "root.y": 0.25
  },
  "constraints": [
    {
      "balance": ["left_foot", "right_heel"]
    },
    {
      "name": "upright",
      "balance": ["left_foot"],
      "margin": 0.02,
      "weight": 3,
      "priority": 2,
      "soft": true
    },
    {
      "pull": "rest"
    },
    {
      "name": "calm",
      "pull": "middle",
      "weight": 0.01,
      "priority": 2
    },
    {
      "pull": "start",
      "soft": true,
      "enabled": false
    },
    {
      "pull": {"pose": {"right_elbow.flexion": 30.1, "root.x": 0.5}}
    },
    {
      "handle": {"point": "right_palm"},
      "goal": {"position": [1, 2, 3]},
      "soft": true
    },
    {
      "pull": "comfort",
      "weight": 0.001
    }
  ]
}
)";
  const Scene scene = scene_from(text);
  EXPECT_EQ(write_scene(scene), text);
  const Expected<Problem> problem = problem_of(scene);
  ASSERT_TRUE(problem) << problem.error().text();
  const std::vector<Constraint>& made = problem->constraints();
  ASSERT_EQ(made.size(), 8u);
  EXPECT_EQ(made[0].name, "balance");
  EXPECT_EQ(made[0].weight, balance_weight);
  EXPECT_EQ(made[1].name, "upright");
  EXPECT_EQ(made[1].weight, 3.0);
  EXPECT_EQ(made[1].priority, 2);
  EXPECT_TRUE(made[1].soft);
  EXPECT_EQ(made[2].name, "pull towards rest");
  EXPECT_EQ(made[3].name, "calm");
  EXPECT_EQ(made[3].weight, 0.01);
  EXPECT_FALSE(made[4].enabled);
  EXPECT_TRUE(made[4].soft);
  EXPECT_TRUE(made[6].soft && !made[6].pull());
  const Figure& figure = scene.figure;
  const auto elbow = *figure.find_parameter("right_elbow.flexion"), knee = *figure.find_parameter("left_knee.flexion"),
             x = *figure.find_parameter("root.x"), y = *figure.find_parameter("root.y");
  EXPECT_EQ(std::get<PullByStiffness>(*made[2].pull()).target, figure.rest().theta);
  EXPECT_EQ(std::get<PullByStiffness>(*made[2].pull()).stiffness, towards(figure, figure.rest()).stiffness);
  EXPECT_EQ(std::get<PullByStiffness>(*made[3].pull()).target, towards_middle(figure).target);
  EXPECT_EQ(std::get<PullByStiffness>(*made[4].pull()).target, scene.pose.theta);
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).target[elbow], radians(30.1));
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).target[x], 0.5);
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).target[knee], figure.rest().theta[knee]) << "not named: at rest";
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).stiffness[knee], 1.0);
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).stiffness[x], 1.0) << "a root, but named";
  EXPECT_EQ(std::get<PullByStiffness>(*made[5].pull()).stiffness[y], 0.0);
  EXPECT_EQ(made[7].name, "pull towards comfort");
  ASSERT_TRUE(std::holds_alternative<PullToComfort>(*made[7].pull()));
  EXPECT_EQ(std::get<PullToComfort>(*made[7].pull()).stiffness[elbow], 1.0);
  EXPECT_EQ(std::get<PullToComfort>(*made[7].pull()).stiffness[x], 0.0);
}

TEST(SceneFormat, BalanceIsOverTheFeetOfTheScenesPose) {
  const Scene scene = scene_from(R"({"limber": "scene 1", "figure": {"human": {}}, "pose": {"root.z": 3},
    "constraints": [{"handle": "left_foot", "goal": {"hold": true}, "weight": "must"},
    {"handle": "right_foot", "goal": {"hold": true}, "weight": "must"},
    {"handle": {"point": "right_palm"}, "goal": {"position": [-0.2, 0.9, 3.9]}},
    {"balance": ["left_foot", "right_foot"], "margin": 0.02}]})");
  const Figure figure = human();
  Pose by_hand = figure.rest(), by_scene = scene.pose;
  ASSERT_TRUE(figure.set(by_hand, "root.z", 3.0));
  Problem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    ASSERT_TRUE(problem.add(figure.frame(foot), hold(), {.weight = must}));
  ASSERT_TRUE(problem.add(figure.point("right_palm"), Position{{-0.2, 0.9, 3.9}}));
  ASSERT_TRUE(add_balance(problem, by_hand, {"left_foot", "right_foot"}, {.margin = 0.02}));
  const Report a = solve(problem, by_hand), b = solve(*problem_of(scene), by_scene);
  EXPECT_TRUE(a.met()) << to_text(a);
  EXPECT_TRUE(b.met()) << to_text(b);
  EXPECT_EQ(by_hand.theta, by_scene.theta);
}

TEST(SceneFormat, NaturalIsThePriorOfTheFigure) {
  FigureDescription d = simple_human()->description();
  d.prior.terms = {{"right_elbow.flexion", 0.4, 0.2}};
  d.prior.up_segment = "pelvis";
  const Figure usual = built(d);
  const FigureLoader load = [&](const std::string&) -> Expected<Figure> { return usual; };
  const std::string goal =
      R"("constraints": [{"handle": {"point": "right_palm"}, "goal": {"position": [-0.3, 1.2, 0.4]}}])";
  for (const auto& [written, weight] : {std::pair("true", 1.0), std::pair("0.25", 0.25)}) {
    const Expected<Scene> scene = read_scene(
        R"({"limber": "scene 1", "figure": {"file": "u.json"}, "natural": )" + std::string(written) + ", " + goal + "}",
        "s", load);
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->natural, weight);
    const std::string text = write_scene(*scene);
    EXPECT_NE(text.find("\"natural\": " + std::string(written)), std::string::npos) << text;
    EXPECT_EQ(write_scene(*read_scene(text, "s", load)), text);
    Problem by_hand(usual);
    ASSERT_TRUE(by_hand.add(usual.point("right_palm"), Position{{-0.3, 1.2, 0.4}}));
    ASSERT_TRUE(by_hand.add_prior(weight));
    const Expected<Problem> problem = problem_of(*scene);
    ASSERT_TRUE(problem);
    ASSERT_EQ(problem->constraints().size(), by_hand.constraints().size());
    for (std::size_t c = 0; c < by_hand.constraints().size(); ++c) {
      EXPECT_EQ(problem->constraints()[c].name, by_hand.constraints()[c].name);
      EXPECT_EQ(problem->constraints()[c].weight, by_hand.constraints()[c].weight);
    }
  }
  // A figure without one is rejected where the scene asks for it.
  const Expected<Scene> none =
      read_scene(R"({"limber": "scene 1", "figure": {"simple_human": {}}, "natural": true})", "s");
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().text().starts_with("s:1:66: /natural: prior of figure '")) << none.error().text();
  EXPECT_EQ(none.error().found, "none");
}

TEST(SceneFormat, ABareNameIsAFrameOfWhichTheGoalTakesWhatItNeeds) {
  const Scene scene = scene_from(scene_text(
      R"({"handle": "eyes", "goal": {"aim_at": [0, 1, 2]}}, {"handle": "eyes", "goal": {"position": [0, 1, 2]}})"));
  const Expected<Problem> problem = problem_of(scene);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->constraints()[0].alternatives()[0].handle.shape, Shape::ray);
  EXPECT_EQ(problem->constraints()[1].alternatives()[0].handle.shape, Shape::point);
}

TEST(SceneFormat, AnOrientationOfOneAxisLeavesTheOtherFree) {
  for (const char* axis : {"x", "y"})
    for (const char* v : {"\"x\"", "\"y\"", "\"z\"", "[1, 1, 1]"}) {
      const Scene scene = scene_from(
          scene_text(std::string(R"({"handle": "eyes", "goal": {"orientation": {")") + axis + "\": " + v + "}}}"));
      const Expected<Problem> problem = problem_of(scene);
      ASSERT_TRUE(problem);
      const auto& goal = std::get<Orientation>(problem->constraints()[0].alternatives()[0].goal);
      EXPECT_EQ(goal.c_x, axis[0] == 'x' ? default_c : 0.0);
      EXPECT_EQ(goal.c_y, axis[0] == 'y' ? default_c : 0.0);
    }
}

TEST(SceneFormat, ABoxHasItsSixFaces) {
  const Scene scene = scene_from(scene_text(
      R"({"handle": "eyes", "goal": {"inside": {"box": {"p": [1, 2, 3], "size": [2, 4, 6], "turns": [["z", 90]]}}}})"));
  const auto goal = std::get<InsidePolyhedron>(goal_of(scene.constraints[0].sole_goal()->goal));
  // Turned by 90 degrees its x edge lies along y.
  const auto outside = [&](const Vec3& x) {
    double max = -infinity;
    for (const Face& face : goal.faces) max = std::fmax(max, face.outside(x));
    return max;
  };
  EXPECT_EQ(goal.faces.size(), 6u);
  EXPECT_NEAR(outside({1, 2, 3}), -1.0, 1e-15);
  EXPECT_NEAR(outside({3, 2, 3}), 0.0, 1e-15);
  EXPECT_NEAR(outside({1, 3, 3}), 0.0, 1e-15);
  EXPECT_NEAR(outside({1, 2, 6}), 0.0, 1e-15);
}

TEST(SceneFormat, AValueThatMeantTheLimitIsTheLimit) {
  FigureDescription d;
  d.segments = {{"a"}};
  d.joints = {{"j", "", "a", {}, {}, {{"t", Motion::rotate, Vec3::UnitX(), {-0.3, 0.7}}}}};
  Scene scene(built(d));
  for (double limit = 0.1; limit < 3.0; limit *= 1.01) {
    d.joints[0].freedoms[0].range = {-limit, limit};
    Scene at_limit(built(d));
    for (const double side : {-1.0, 1.0}) {
      at_limit.pose.theta[0] = side * limit;
      const Scene back = scene_from(write_scene(at_limit));
      const Range& range = back.figure.parameters()[0].range;
      EXPECT_EQ(back.pose.theta[0], side < 0.0 ? range.lower : range.upper);
    }
  }
  const Scene close = scene_from(
      R"({"limber": "scene 1", "figure": {"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a",
    "freedoms": [{"name": "t", "axis": "x", "lower": -10, "upper": 10}]}]}, "pose": {"j.t": 9.9999999999999}})");
  EXPECT_EQ(close.pose.theta[0], radians(10.0));
}

// The same reach, from a bent elbow, with and without stiffness there.
TEST(SceneFormat, AStiffElbowTurnsLessForTheSameReach) {
  const auto turned = [](const std::string& more) {
    const Scene scene =
        scene_from(R"({"limber": "scene 1", "figure": {"human": {}}, "pose": {"right_elbow.flexion": 60}, )" + more +
                   R"("constraints": [
      {"handle": {"point": "right_palm"}, "goal": {"position": [-0.35, 1.3, 0.35]}, "from": "waist"}]})");
    Pose pose = scene.pose;
    const Report report = solve(*problem_of(scene), pose, scene.options);
    EXPECT_TRUE(report.met()) << more;
    return std::abs(*scene.figure.value(pose, "right_elbow.flexion") - radians(60.0));
  };
  const double equal = turned(R"("stiffness": {"left_elbow.flexion": 1}, )");
  const double stiff = turned(R"("stiffness": {"right_elbow.flexion": 10}, )");
  const double stiffer = turned(R"("stiffness": {"right_elbow.flexion": 100}, )");
  EXPECT_GT(equal, radians(5.0));
  EXPECT_LT(stiff, 0.5 * equal);
  EXPECT_LT(stiffer, 0.5 * stiff);
}

TEST(SceneFormat, AProblemFromASceneIsTheOneMadeByHand) {
  const Scene scene = scene_from(R"({"limber": "scene 1", "figure": {"human": {}}, "pose": {"right_elbow.flexion": 20},
    "rigidity": {"spine.axial": 0.25}, "constraints": [
    {"handle": {"point": "right_palm"}, "goal": {"position": [-0.4, 1.1, 0.3]}, "from": "waist"},
    {"handle": {"ray": "eyes"}, "goal": {"aim_at": [-0.4, 1.1, 0.3]}, "weight": 0.5},
    {"handle": {"point": "left_palm"}, "goal": {"outside": {"box": {"p": [0.3, 0.8, 0], "size": [0.2, 0.2, 0.2]}}}},
    {"one_of": [{"handle": {"point": "left_palm"}, "goal": {"plane": {"p": [0, 1, 0], "v": "y"}}},
                {"handle": {"point": "left_palm"}, "goal": {"position": [1, 1, 1]}}], "weight": 2},
    {"handle": {"frame": "left_foot"}, "goal": {"hold": true}}]})");
  const Figure figure = human();
  Problem problem(figure);
  ASSERT_TRUE(problem.set_rigidity("spine.axial", 0.25));
  ASSERT_TRUE(problem.add(figure.point("right_palm"), Position{{-0.4, 1.1, 0.3}}, {.from = "waist"}));
  ASSERT_TRUE(problem.add(figure.ray("eyes"), AimAt{{-0.4, 1.1, 0.3}}, {.weight = 0.5}));
  OutsidePolyhedron box;
  for (int k = 0; k < 3; ++k)
    for (const double side : {1.0, -1.0})
      box.faces.push_back({Vec3(0.3, 0.8, 0) + 0.1 * side * Vec3::Unit(k), side * Vec3::Unit(k)});
  ASSERT_TRUE(problem.add(figure.point("left_palm"), box));
  ASSERT_TRUE(problem.add_one_of(
      {{figure.point("left_palm"), Plane{{0, 1, 0}, Vec3::UnitY()}}, {figure.point("left_palm"), Position{{1, 1, 1}}}},
      {.weight = 2.0}));
  ASSERT_TRUE(problem.add(figure.frame("left_foot"), hold()));

  Pose by_hand = figure.rest(), by_scene = scene.pose;
  ASSERT_TRUE(figure.set(by_hand, "right_elbow.flexion", radians(20.0)));
  const Expected<Problem> from_scene = problem_of(scene);
  ASSERT_TRUE(from_scene);
  const Report a = solve(problem, by_hand), b = solve(*from_scene, by_scene, scene.options);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_GT(a.iterations, 0);
  EXPECT_EQ(by_hand.theta, by_scene.theta);
  ASSERT_EQ(a.constraints.size(), b.constraints.size());
  for (std::size_t c = 0; c < a.constraints.size(); ++c) EXPECT_EQ(a.constraints[c].name, b.constraints[c].name);
}

TEST(SceneFormat, ASolvedPoseComesBackAndStaysFeasible) {
  Scene scene = scene_from(read_sample(std::filesystem::path(source_dir()) / "example/scene/reach.json"));
  solve(*problem_of(scene), scene.pose, scene.options);
  const std::string text = write_scene(scene);
  const Scene back = scene_from(text);
  for (Eigen::Index j = 0; j < scene.pose.theta.size(); ++j) {
    EXPECT_NEAR(back.pose.theta[j], scene.pose.theta[j], 4e-16 * std::fmax(1.0, std::fabs(scene.pose.theta[j])));
    const Range& range = scene.figure.parameters()[static_cast<std::size_t>(j)].range;
    EXPECT_GE(back.pose.theta[j], range.lower);
    EXPECT_LE(back.pose.theta[j], range.upper);
  }
  EXPECT_EQ(write_scene(back), text);
}

TEST(SceneFormat, ASceneOfAnyFigureComesBack) {
  Scene scene(built(crane()));
  scene.pose.theta.setConstant(0.125);
  const std::string text = write_scene(scene);
  const Scene back = scene_from(text);
  EXPECT_EQ(write_scene(back), text);
  EXPECT_LE((back.pose.theta - scene.pose.theta).cwiseAbs().maxCoeff(), 1e-16);
}

TEST(SceneFigure, ComesFromAFile) {
  const std::string text = R"({"limber": "scene 1", "figure": {"file": "arm.json"}})";
  const FigureLoader load = [](const std::string& file) -> Expected<Figure> {
    if (file == "arm.json") return human();
    return reject(file, "no file", "a file");
  };
  const Expected<Scene> scene = read_scene(text, "s", load);
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(std::get<FileFigure>(scene->source).file, "arm.json");
  EXPECT_NE(write_scene(*scene).find(R"("figure": {"file": "arm.json"})"), std::string::npos);
  EXPECT_EQ(scene->figure.name(), human().name());
  EXPECT_FALSE(read_scene(text, "s"));
  const Expected<Scene> missing = read_scene(R"({"limber": "scene 1", "figure": {"file": "leg.json"}})", "s", load);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().where, "s:1:42: /figure/file: leg.json");
}

TEST(SceneFigure, GivesWayToAnother) {
  const std::string text = R"({"limber": "scene 1", "figure": {"human": {}}, "pose": {"spine.forward": 10, "root.y": 2},
    "rigidity": {"spine.axial": 0.5}, "constraints": [{"handle": {"point": "right_palm"}, "goal": {"position": [0, 1, 0]}}]})";
  const SourcedFigure other{*simple_human(), FileFigure{"other.json"}};
  const Expected<Scene> scene = read_scene(text, "s", {}, &other);
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->left_out, (std::vector<std::string>{"spine.forward", "spine.axial"}));
  EXPECT_EQ(*scene->figure.value(scene->pose, "root.y"), 2.0);
  EXPECT_TRUE(scene->rigidities.empty());
  EXPECT_EQ(scene->constraints.size(), 1u);
}

}  // namespace scene_test
}  // namespace limber
