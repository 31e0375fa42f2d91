// A wrong scene is reported with the place, what was found and what was expected; nothing crashes.
#include <gtest/gtest.h>

#include "limber/document/scene/scene.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace scene_refusal_test {

struct WrongScene {
  const char* text;
  const char* where;  // begins so
  const char* found;  // contains this
};

constexpr const char* arm = R"({"name": "arm", "segments": [{"name": "base"}, {"name": "upper"}],
  "joints": [{"name": "shoulder", "parent": "base", "child": "upper", "freedoms": [{"name": "lift", "axis": "z", "lower": -90, "upper": 90}]}],
  "sites": [{"name": "tip", "segment": "upper", "p": [1, 0, 0]}]})";

std::string scene_of(const std::string& rest) {
  return std::string(R"({"limber": "scene 1", "figure": )") + arm + "\n" + rest + "}";
}

void expect_rejections(const std::vector<WrongScene>& cases, std::string (*whole)(const std::string&)) {
  for (const auto& [text, where, found] : cases) {
    const Expected<Scene> scene = read_scene(whole(text), "s");
    ASSERT_FALSE(scene) << text;
    const Diagnostic& error = scene.error();
    EXPECT_EQ(error.where.substr(0, std::string_view(where).size()), where) << text << "\n" << error.text();
    EXPECT_NE(error.found.find(found), std::string::npos) << text << "\n" << error.text();
    EXPECT_FALSE(error.expected.empty()) << text;
    EXPECT_EQ(error.text().find('\n'), std::string::npos) << text;
  }
}

TEST(SceneRejection, OfTheWhole) {
  expect_rejections(
      {
          {"[]", "s:1:1: /", "an empty array"},
          {"3", "s:1:1: /", "the number 3"},
          {"{}", "s:1:1: /", "no \"limber\""},
          {R"({"limber": "scene 2"})", "s:1:12: /limber", "\"scene 2\""},
          {R"({"limber": 1})", "s:1:12: /limber", "the number 1"},
          {R"({"limber": "scene 1"})", "s:1:1: /", "no \"figure\""},
          {R"({"limber": "scene 1", "figure": {}})", "s:1:33: /figure", "an object"},
          {R"({"limber": "scene 1", "figure": {"robot": {}}})", "s:1:33: /figure", "none of these keys"},
          {R"({"limber": "scene 1", "figure": {"human": {}}, "posture": {}})", "s:1:48: /posture",
           "the key \"posture\""},
          {R"({"limber": "scene 1", "figure": {"human": {"sex": "Male"}}})", "s:1:51: /figure/human/sex", "\"Male\""},
          {R"({"limber": "scene 1", "figure": {"human": {"stature": "1.8"}}})", "s:1:55: /figure/human/stature",
           "\"1.8\""},
          {R"({"limber": "scene 1", "figure": {"human": {"stature": 175}}})", "s:1:43: /figure/human", "175"},
          {R"({"limber": "scene 1", "figure": {"human": {"stature": 1e308}}})", "s:1:43: /figure/human", "1e"},
          {R"({"limber": "scene 1", "figure": {"human": {}, "segments": []}})", "s:1:47: /figure/segments", "segments"},
          {R"({"limber": "scene 1", "figure": {"human": {}}, "figure": {}})", "s:1:48: /figure", "twice"},
          {R"({"limber": "scene 1", "figure": {"human": {"stature": NaN}}})", "s:1:55", "NaN"},
          {R"({"limber": "scene 1", "figure": {"human": {"stature": 1e999}}})", "s:1:55", "1e999"},
      },
      [](const std::string& text) { return text; });
}

TEST(SceneRejection, OfTheFigure) {
  expect_rejections(
      {
          {R"({"segments": []})", "s:1:33: /figure: figure ''", "no segment"},
          {R"({"segments": [{"name": "a"}, {"name": "a"}]})", "s:1:62: /figure/segments/1: segment 'a'", "twice"},
          {R"({"segments": [{"name": "a", "mass": -1}]})", "s:1:47: /figure/segments/0: segment 'a'", "mass -1"},
          {R"({"segments": [{"name": "a", "mass": "1"}]})", "s:1:69: /figure/segments/0/mass", "the text \"1\""},
          {R"({"segments": [{"name": "a", "weight": 1}]})", "s:1:61: /figure/segments/0/weight", "the key"},
          {R"({"segments": [{"name": "a", "mass_centre": [1, 2]}]})", "s:1:76: /figure/segments/0/mass_centre",
           "an array of 2"},
          {R"({"segments": [{"mass": 1}]})", "s:1:47: /figure/segments/0", "no \"name\""},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "b"}]})",
           "s:1:74: /figure/joints/0: joint 'j'", "child 'b'"},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [{"name": "f", "axis": [0, 0, 0]}]}]})",
           "s:1:137: /figure/joints/0/freedoms/0/axis", "a vector of length 0"},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [{"name": "f", "axis": "w"}]}]})",
           "s:1:137: /figure/joints/0/freedoms/0/axis", "\"w\""},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [{"name": "f", "axis": "x", "lower": 2, "upper": 1}]}]})",
           "s:1:115: /figure/joints/0/freedoms/0: joint 'j', freedom 'f'", "above upper"},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [{"name": "f", "axis": "x", "motion": "turn"}]}]})",
           "s:1:152: /figure/joints/0/freedoms/0/motion", "\"turn\""},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "free": true, "freedoms": []}]})",
           "s:1:128: /figure/joints/0/freedoms", "in addition to"},
          {R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "in_parent": {"matrix": [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}}]})",
           "s:1:74: /figure/joints/0: joint 'j'", "from a rotation"},
          {R"({"segments": [{"name": "a"}], "sites": [{"name": "s", "segment": "a", "quaternion": [0, 0, 0, 0]}]})",
           "s:1:117: /figure/sites/0/quaternion", "length 0"},
          {R"({"segments": [{"name": "a"}], "sites": [{"name": "s", "segment": "a", "turns": [], "matrix": []}]})",
           "s:1:73: /figure/sites/0", "more than one"},
          {R"({"segments": [{"name": "a"}], "sites": [{"name": "s", "segment": "a", "turns": [["x"]]}]})",
           "s:1:113: /figure/sites/0/turns/0", "an array of 1"},
          {R"({"segments": [{"name": "a"}], "limits": [{"name": "l", "terms": {"j.x": 1}, "at_most": 1}]})",
           "s:1:74: /figure/limits/0: limit 'l'", "'j.x'"},
          {R"({"segments": [{"name": "a"}], "limits": [{"name": "l", "terms": {"j.x": 1}}]})",
           "s:1:74: /figure/limits/0", "neither"},
          {R"({"segments": [{"name": "a"}], "groups": [{"name": "g", "parameters": [], "drivers": [{"joint": "j", "freedom": "f", "terms": [{"parameter": "p"}]}]}]})",
           "s:1:159: /figure/groups/0/drivers/0/terms/0", "neither"},
          {R"({"segments": [{"name": "a"}], "groups": [{"name": "g", "parameters": [], "drivers": []}]})",
           "s:1:74: /figure/groups/0: group 'g'", "no driven freedom"},
          {R"({"segments": [{"name": "a"}], "mirror": {"pairs": [["a", "b"]]}})", "s:1:73: /figure/mirror: mirror pair",
           "unknown segment"},
          {R"({"segments": [{"name": "a"}], "mirror": {"pairs": [["a"]]}})", "s:1:84: /figure/mirror/pairs/0",
           "an array of 1"},
      },
      [](const std::string& figure) { return R"({"limber": "scene 1", "figure": )" + figure + "}"; });
}

TEST(SceneRejection, OfPoseRigidityAndOptions) {
  expect_rejections(
      {
          {R"(, "pose": [])", "s:4:11: /pose", "an empty array"},
          {R"(, "pose": {"shoulder.lfit": 1})", "s:4:12: /pose/shoulder.lfit", "'shoulder.lfit'"},
          {R"(, "pose": {"shoulder.lift": "1"})", "s:4:29: /pose/shoulder.lift", "the text \"1\""},
          {R"(, "pose": {"shoulder.lift": null})", "s:4:29: /pose/shoulder.lift", "null"},
          {R"(, "pose": {"shoulder.lift": 1, "shoulder": 1})", "s:4:32: /pose/shoulder", "a second value"},
          {R"(, "rigidity": {"shoulder.lift": 2})", "s:4:33: /rigidity/shoulder.lift", "the number 2"},
          {R"(, "rigidity": {"elbow": 1})", "s:4:16: /rigidity/elbow", "'elbow'"},
          {R"(, "stiffness": {"shoulder.lift": -1})", "s:4:34: /stiffness/shoulder.lift", "the number -1"},
          {R"(, "stiffness": {"shoulder.lift": 1e300})", "s:4:34: /stiffness/shoulder.lift", "1e+300"},
          {R"(, "stiffness": {"elbow": 1})", "s:4:17: /stiffness/elbow", "'elbow'"},
          {R"(, "options": {"iterations": 1.5})", "s:4:29: /options/iterations", "1.5"},
          {R"(, "options": {"iterations": -1})", "s:4:29: /options/iterations", "-1"},
          {R"(, "options": {"iterations": 1e300})", "s:4:29: /options/iterations", "1e+300"},
          {R"(, "options": {"tolerance": 0})", "s:4:28: /options/tolerance", "the number 0"},
          {R"(, "options": {"met_mm": -1})", "s:4:25: /options/met_mm", "the number -1"},
          {R"(, "options": {"met_degrees": true})", "s:4:30: /options/met_degrees", "true"},
          {R"(, "options": {"speed": 1})", "s:4:15: /options/speed", "the key \"speed\""},
          {R"(, "title": 5)", "s:4:12: /title", "the number 5"},
      },
      scene_of);
}

TEST(SceneRejection, OfConstraints) {
  expect_rejections(
      {
          {R"({})", "s:4:19: /constraints/0", "no \"handle\""},
          {R"("tip")", "s:4:19: /constraints/0", "the text"},
          {R"({"handle": {"point": "tip"}})", "s:4:19: /constraints/0", "no \"goal\""},
          {R"({"handle": {"point": "top"}, "goal": {"hold": true}})", "s:4:40: /constraints/0/handle/point", "'top'"},
          {R"({"handle": "top", "goal": {"hold": true}})", "s:4:30: /constraints/0/handle", "'top'"},
          {R"({"handle": {"point": 5}, "goal": {"hold": true}})", "s:4:40: /constraints/0/handle/point",
           "the number 5"},
          {R"({"handle": {"pont": "tip"}, "goal": {"hold": true}})", "s:4:31: /constraints/0/handle/pont",
           "the key \"pont\""},
          {R"({"handle": {}, "goal": {"hold": true}})", "s:4:30: /constraints/0/handle", "without a key"},
          {R"({"handle": {"point": "tip", "ray": "tip"}, "goal": {"hold": true}})", "s:4:30: /constraints/0/handle",
           "2 keys"},
          {R"({"handle": {"mass_centre": false}, "goal": {"hold": true}})", "s:4:46: /constraints/0/handle/mass_centre",
           "false"},
          {R"({"handle": {"mass_centre": true}, "goal": {"hold": true}})", "s:4:46: /constraints/0/handle/mass_centre",
           "no mass"},
          {R"({"handle": {"direction": {"place": "tip", "local": [0, 0, 0]}}, "goal": {"hold": true}})",
           "s:4:70: /constraints/0/handle/direction/local", "length 0"},
          {R"({"handle": {"difference": ["tip"]}, "goal": {"coincide": true}})",
           "s:4:45: /constraints/0/handle/difference", "an array of 1"},
          {R"({"handle": {"difference": ["tip", {"difference": []}]}, "goal": {"coincide": true}})",
           "s:4:53: /constraints/0/handle/difference/1", "within a difference"},
          {R"({"handle": {"difference": [{"point": "tip"}, "tip"]}, "goal": {"coincide": true}})",
           "s:4:30: /constraints/0/handle: difference", "minus a frame"},
          {R"({"handle": "tip", "goal": {"positon": [1, 2, 3]}})", "s:4:46: /constraints/0/goal/positon",
           "the key \"positon\""},
          {R"({"handle": "tip", "goal": {"position": [1, 2]}})", "s:4:58: /constraints/0/goal/position",
           "an array of 2"},
          {R"({"handle": "tip", "goal": {"position": [1, 2, "3"]}})", "s:4:65: /constraints/0/goal/position/2",
           "the text \"3\""},
          {R"({"handle": "tip", "goal": {"position": [1, 2, 3], "weight": 1}})", "s:4:69: /constraints/0/goal/weight",
           "the key"},
          {R"({"handle": "tip", "goal": {"plane": {"p": [0, 0, 0]}}})", "s:4:55: /constraints/0/goal/plane",
           "no \"v\""},
          {R"({"handle": "tip", "goal": {"plane": {"p": [0, 0, 0], "v": [0, 0, 0]}}})",
           "s:4:77: /constraints/0/goal/plane/v", "length 0"},
          {R"({"handle": "tip", "goal": {"distance": {"p": [0, 0, 0]}}})", "s:4:58: /constraints/0/goal/distance",
           "0 distances"},
          {R"({"handle": "tip", "goal": {"distance": {"equal": 1, "at_most": 1}}})",
           "s:4:58: /constraints/0/goal/distance", "2 distances"},
          {R"({"handle": "tip", "goal": {"distance": {"at_least": -1}}})",
           "s:4:71: /constraints/0/goal/distance/at_least", "the number -1"},
          {R"({"handle": "tip", "goal": {"orientation": {}}})", "s:4:61: /constraints/0/goal/orientation", "neither"},
          {R"({"handle": "tip", "goal": {"orientation": {"x": "x", "y": [1, 1, 0]}}})",
           "s:4:61: /constraints/0/goal/orientation", "45"},
          {R"({"handle": "tip", "goal": {"placement": {"p": [0, 0, 0], "x": "x", "w_p": 1.5}}})",
           "s:4:93: /constraints/0/goal/placement/w_p", "1.5"},
          {R"({"handle": "tip", "goal": {"aim_at": {"p": [0, 0, 0], "degrees_per_metre": 0}}})",
           "s:4:94: /constraints/0/goal/aim_at/degrees_per_metre", "the number 0"},
          {R"({"handle": "tip", "goal": {"inside": {"ball": {}}}})", "s:4:57: /constraints/0/goal/inside/ball",
           "\"ball\""},
          {R"({"handle": "tip", "goal": {"inside": {"sphere": {"centre": [0, 0, 0], "radius": -1}}}})",
           "s:4:99: /constraints/0/goal/inside/sphere/radius", "-1"},
          {R"({"handle": "tip", "goal": {"inside": {"polyhedron": {"faces": []}}}})",
           "s:4:56: /constraints/0/goal/inside", "no face"},
          {R"({"handle": "tip", "goal": {"inside": {"box": {"size": [1, -1, 1]}}}})",
           "s:4:73: /constraints/0/goal/inside/box/size", "negative"},
          {R"({"handle": "tip", "goal": {"inside": {"box": {"size": [1, 1, 1], "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}}}})",
           "s:4:94: /constraints/0/goal/inside/box/matrix", "off a rotation"},
          {R"({"handle": "tip", "goal": {"hold": false}})", "s:4:54: /constraints/0/goal/hold", "false"},
          {R"({"handle": {"point": "tip"}, "goal": {"aim_at": [1, 2, 3]}})", "s:4:19: /constraints/0: constraint",
           "a point"},
          {R"({"handle": "tip", "goal": {"hold": true}, "weight": -1})", "s:4:71: /constraints/0/weight",
           "the number -1"},
          {R"({"handle": "tip", "goal": {"hold": true}, "weight": "heavy"})", "s:4:71: /constraints/0/weight",
           "\"heavy\""},
          {R"({"handle": "tip", "goal": {"hold": true}, "from": "shuolder"})", "s:4:69: /constraints/0/from",
           "'shuolder'"},
          {R"({"handle": "base", "goal": {"hold": true}, "from": "shoulder"})", "s:4:19: /constraints/0: constraint",
           "does not move"},
          {R"({"handle": "tip", "goal": {"hold": true}, "enabled": 1})", "s:4:72: /constraints/0/enabled",
           "the number 1"},
          {R"({"handle": "tip", "one_of": []})", "s:4:19: /constraints/0", "beside"},
          {R"({"one_of": []})", "s:4:30: /constraints/0/one_of", "an empty array"},
          {R"({"one_of": [{"handle": "tip"}]})", "s:4:31: /constraints/0/one_of/0", "no \"goal\""},
          {R"({"one_of": [{"handle": "tip", "goal": {"hold": true}, "weight": 1}]})",
           "s:4:73: /constraints/0/one_of/0/weight", "the key"},
          {R"({"handle": "tip", "goal": {"hold": true}, "soft": 1})", "s:4:69: /constraints/0/soft", "the number 1"},
          {R"({"handle": "tip", "goal": {"hold": true}, "soft": true, "weight": "must"})",
           "s:4:19: /constraints/0: constraint 'tip hold', weight", "must"},
          {R"({"handle": "tip", "goal": {"hold": true}, "margin": 1})", "s:4:61: /constraints/0/margin",
           "without \"balance\""},
          {R"({"balance": ["tip"]})", "s:4:31: /constraints/0/balance: figure 'arm'", "no mass"},
          {R"({"pull": "tip"})", "s:4:28: /constraints/0/pull", "the text \"tip\""},
          {R"({"pull": true})", "s:4:28: /constraints/0/pull", "true"},
          {R"({"pull": {}})", "s:4:28: /constraints/0/pull", "no \"pose\""},
          {R"({"pull": {"position": {}}})", "s:4:29: /constraints/0/pull/position", "the key \"position\""},
          {R"({"pull": {"pose": 1}})", "s:4:37: /constraints/0/pull/pose", "the number 1"},
          {R"({"pull": {"pose": {"shoulder.lfit": 1}}})", "s:4:38: /constraints/0/pull/pose/shoulder.lfit",
           "'shoulder.lfit'"},
          {R"({"pull": {"pose": {"shoulder.lift": 1, "shoulder": 2}}})", "s:4:58: /constraints/0/pull/pose/shoulder",
           "a second value"},
          {R"({"pull": "rest", "weight": "must"})", "s:4:19: /constraints/0: constraint 'pull towards rest', weight",
           "must"},
          {R"({"pull": "rest", "from": "shoulder"})", "s:4:19: /constraints/0: constraint 'pull towards rest', from",
           "'shoulder'"},
          {R"({"pull": "rest", "goal": {"hold": true}})", "s:4:36: /constraints/0/goal", "beside \"pull\""},
          {R"({"pull": "rest", "margin": 1})", "s:4:36: /constraints/0/margin", "without \"balance\""},
          {R"({"pull": "rest", "priority": 17})", "s:4:48: /constraints/0/priority", "17"},
      },
      [](const std::string& constraint) { return scene_of(R"(, "constraints": [)" + constraint + "]"); });
}

TEST(SceneRejection, OfBalanceAndNatural) {
  expect_rejections(
      {
          {R"("constraints": [{"strength": false}])", "s:2:30: /constraints/0/strength", "false"},
          {R"("constraints": [{"strength": {"load": 1}}])", "s:2:31: /constraints/0/strength/load", "the key \"load\""},
          {R"("constraints": [{"strength": {"share": 0}}])", "s:2:40: /constraints/0/strength/share", "the number 0"},
          {R"("constraints": [{"strength": {"percentile": 99}}])", "s:2:45: /constraints/0/strength/percentile",
           "the number 99"},
          {R"("constraints": [{"strength": {"sex": "both"}}])", "s:2:38: /constraints/0/strength/sex", "\"both\""},
          {R"("constraints": [{"strength": {"carried_by": "hand"}}])", "s:2:45: /constraints/0/strength/carried_by",
           "\"hand\""},
          {R"("constraints": [{"strength": {"loads": [{"at": [], "kg": 1}]}}])",
           "s:2:48: /constraints/0/strength/loads/0/at", "an empty array"},
          {R"("constraints": [{"strength": {"loads": [{"at": ["palm"], "kg": 1}]}}])",
           "s:2:49: /constraints/0/strength/loads/0/at/0", "'palm'"},
          {R"("constraints": [{"strength": {"loads": [{"at": ["left_palm"], "kg": -1}]}}])",
           "s:2:69: /constraints/0/strength/loads/0/kg", "the number -1"},
          {R"("constraints": [{"strength": {"rows": [{"freedom": "elbow.flexion", "direction": "up", "torque": 1}]}}])",
           "s:2:82: /constraints/0/strength/rows/0/direction", "\"up\""},
          {R"("constraints": [{"strength": {"rows": []}}])", "s:2:17: /constraints/0: constraint 'strength', strength",
           "without a row"},
          {R"("constraints": [{"strength": {"sex": "male", "rows": []}}])", "s:2:31: /constraints/0/strength/sex",
           "beside \"rows\""},
          {R"("constraints": [{"strength": true, "priority": 2}])",
           "s:2:17: /constraints/0: constraint 'strength', weight", "must"},
          {R"("constraints": [{"strength": true, "pull": "rest"}])", "s:2:18: /constraints/0/strength",
           "beside \"pull\""},
          {R"("constraints": [{"balance": "left_foot"}])", "s:2:29: /constraints/0/balance", "the text"},
          {R"("constraints": [{"balance": []}])", "s:2:29: /constraints/0/balance", "an empty array"},
          {R"("constraints": [{"balance": [1]}])", "s:2:30: /constraints/0/balance/0", "the number 1"},
          {R"("constraints": [{"balance": ["left_foot", "right_fot"]}])", "s:2:43: /constraints/0/balance/1",
           "'right_fot'"},
          {R"("constraints": [{"balance": ["left_foot"], "margin": -1}])", "s:2:54: /constraints/0/margin",
           "the number -1"},
          {R"("constraints": [{"balance": ["left_foot"], "margin": true}])", "s:2:54: /constraints/0/margin", "true"},
          {R"("constraints": [{"balance": ["left_foot"], "weight": "must"}])",
           "s:2:17: /constraints/0: constraint 'balance': weight", "must"},
          {R"("constraints": [{"balance": ["left_foot"], "pull": "rest"}])", "s:2:44: /constraints/0/pull",
           "beside \"balance\""},
          {R"("constraints": [{"balance": ["left_foot"], "one_of": []}])", "s:2:44: /constraints/0/one_of",
           "beside \"balance\""},
          {R"("constraints": [{"handle": "eyes", "goal": {"hold": true}, "balance": ["left_foot"]}])",
           "s:2:18: /constraints/0/handle", "beside \"balance\""},
          {R"("pose": {"root.x": 1e200}, "constraints": [{"balance": ["left_foot"]}])",
           "s:2:56: /constraints/0/balance: foot 'left_foot'", "out of all bounds"},
          {R"("natural": false)", "s:2:12: /natural", "false"},
          {R"("natural": 0)", "s:2:12: /natural", "the number 0"},
          {R"("natural": -2)", "s:2:12: /natural", "the number -2"},
          {R"("natural": "very")", "s:2:12: /natural", "the text \"very\""},
          {R"("natural": 2)", "s:2:12: /natural: prior of figure", "none"},
      },
      [](const std::string& rest) {
        return "{\"limber\": \"scene 1\", \"figure\": {\"simple_human\": {}},\n" + rest + "}";
      });
}

TEST(SceneRejection, GivesAHintForANameOrAKey) {
  const Expected<Scene> name = read_scene(scene_of(R"(, "pose": {"shoulder.lfit": 1})"), "s");
  EXPECT_EQ(name.error().text(),
            "s:4:12: /pose/shoulder.lfit: found the name 'shoulder.lfit'; expected a parameter, such as "
            "'shoulder.lift'");
  const Expected<Scene> key = read_scene(scene_of(R"(, "options": {"iteration": 1})"), "s");
  EXPECT_EQ(
      key.error().text(),
      "s:4:15: /options/iteration: found the key \"iteration\"; expected \"method\", \"restarts\", "
      "\"iterations\", \"tolerance\", \"met_mm\", \"met_degrees\", \"until_met\", \"longest_step\", \"as_printed\", "
      "\"secondary\", \"integration\", \"step\", \"feedback\", \"truncation\" or \"gain\"");
}

TEST(SceneRejection, EveryPrefixOfASampleGivesASceneOrAnError) {
  ASSERT_FALSE(sample_files().empty());
  for (const std::filesystem::path& file : sample_files()) {
    const std::string text = read_sample(file);
    EXPECT_TRUE(read_scene(text, "s")) << file << read_scene(text, "s").error().text();
    const std::size_t last = text.find_last_not_of(" \r\n\t");
    for (std::size_t size = 0; size < text.size(); size += law::whole_or_quick(1u, 7u)) {
      const Expected<Scene> scene = read_scene(std::string_view(text).substr(0, size), "s");
      EXPECT_EQ(scene.has_value(), size > last) << file << " " << size;
      EXPECT_TRUE(scene || scene.error().where.starts_with("s:")) << size;
    }
  }
}

// Every value of three samples, one described in full and two built in, replaced by things that do not belong
// there.
TEST(SceneRejection, EveryWrongValueGivesASceneOrAnError) {
  const char* wrong[] = {
      "null", "true", "-1", "1e308", "\"\"", "[]", "{}", "[[]]", "[1e308, -1e308, 1e308]", "{\"human\": null}"};
  for (const char* file : {"arm.json", "reach.json", "lean.json"}) {
    const std::string text = read_sample(std::filesystem::path(source_dir()) / "example/scene" / file);
    int places = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      if (text[i] != ':' && text[i] != '[' && text[i] != ',') continue;
      if (places++ % law::whole_or_quick(1, 5) != 0) continue;
      const std::size_t begin = i + 1, end = std::min(text.find_first_of(",]}[{", begin + 1), text.size());
      for (const char* value : wrong) {
        const Expected<Scene> scene = read_scene(text.substr(0, begin) + value + text.substr(end), "s");
        if (!scene) {
          EXPECT_FALSE(scene.error().found.empty());
          continue;
        }
        Pose pose = scene->pose;
        Options few = scene->options;
        few.iterations = 2;
        solve(*problem_of(*scene), pose, few);
        EXPECT_TRUE(read_scene(write_scene(*scene), "s"));
      }
    }
  }
}

TEST(SceneRejection, LineEndsAndByteOrderMarkChangeNothing) {
  int files = 0;
  for (const std::filesystem::path& file : sample_files()) {
    if (files++ % law::whole_or_quick(1, 5) != 0) continue;
    const std::string text = read_sample(file);
    const std::string plain = write_scene(*read_scene(text, "s"));
    for (const std::string end : {"\r\n", "\r", "\t\n", " "}) {
      std::string changed = "\xEF\xBB\xBF";
      for (const char c : text) changed += c == '\n' ? end : std::string(1, c);
      const Expected<Scene> scene = read_scene(changed, "s");
      ASSERT_TRUE(scene) << scene.error().text();
      EXPECT_EQ(write_scene(*scene), plain);
    }
  }
}

TEST(SceneRejection, BigFilesAreAnsweredSoon) {
  const int many_names = law::whole_or_quick(100'000, 10'000);
  const std::string long_name(law::whole_or_quick(10'000'000u, 1'000'000u), 'x');
  std::string segments = "{\"name\": \"s\"}";
  for (int k = 0; k < many_names; ++k) segments += ",{\"name\": \"s\"}";
  EXPECT_FALSE(read_scene(R"({"limber": "scene 1", "figure": {"segments": [)" + segments + "]}}", "s"));

  std::string pose = "\"a\": 1";
  for (int k = 0; k < many_names; ++k) pose += ",\"a" + std::to_string(k) + "\": 1";
  EXPECT_FALSE(read_scene(scene_of(", \"pose\": {" + pose + "}"), "s"));
  EXPECT_FALSE(read_scene(scene_of(", \"pose\": {\"" + long_name + "\": 1}"), "s"));
  EXPECT_FALSE(
      read_scene(scene_of(R"(, "constraints": [{"handle": ")" + long_name + "\", \"goal\": {\"hold\": true}}]"), "s"));

  std::string constraints = R"({"handle": "tip", "goal": {"hold": true}})";
  for (std::size_t k = 0; k < max_scene_alternatives; ++k)
    constraints += R"(,{"handle": "tip", "goal": {"hold": true}})";
  const Expected<Scene> many = read_scene(scene_of(R"(, "constraints": [)" + constraints + "]"), "s");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().found, "4097 goals");

  // A balance counts by its places, a pull by the parameters of the figure.
  const auto rejection_of = [](const std::string& one, const std::string& figure) {
    std::string several = one;
    for (int k = 0; k < 5000; ++k) several += "," + one;
    const Expected<Scene> scene =
        read_scene(R"({"limber": "scene 1", "figure": )" + figure + R"(, "constraints": [)" + several + "]}", "s");
    return scene ? std::string() : scene.error().where + " " + scene.error().found;
  };
  EXPECT_EQ(rejection_of(R"({"balance": ["left_foot", "right_foot"]})", R"({"simple_human": {}})").substr(0, 2), "s:");
  EXPECT_EQ(rejection_of(R"({"pull": "rest"})", R"({"simple_human": {}})").substr(0, 2), "s:");
  std::string feet = "\"left_foot\"";
  for (std::size_t k = 0; k < max_scene_feet; ++k) feet += ",\"left_foot\"";
  const Expected<Scene> centipede = read_scene(
      R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [{"balance": [)" + feet + "]}]}", "s");
  ASSERT_FALSE(centipede);
  EXPECT_EQ(centipede.error().found, "an array of 65");
}

TEST(SceneRejection, TooManyParametersAreRejected) {
  std::string freedoms = R"({"name": "0", "axis": "x"})";
  for (std::size_t k = 1; k <= max_scene_parameters; ++k)
    freedoms += R"(,{"name": ")" + std::to_string(k) + R"(", "axis": "x"})";
  const Expected<Scene> scene = read_scene(
      R"({"limber": "scene 1", "figure": {"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [)" +
          freedoms + "]}]}}",
      "s");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().found, std::to_string(max_scene_parameters + 1) + " parameters");
}

TEST(SceneRejection, TooManyLinearLimitsAreRejected) {
  const auto scene_with = [](int count) {
    std::string limits;
    for (int k = 0; k < count; ++k)
      limits += (k > 0 ? ", " : "") + (R"({"name": "l)" + std::to_string(k)) +
                R"(", "terms": {"j.x": 1, "j.y": 1}, "at_most": 90})";
    return read_scene(
        R"({"limber": "scene 1", "figure": {"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [
            {"name": "x", "axis": "x"}, {"name": "y", "axis": "y"}]}], "limits": [)" +
            limits + "]}}",
        "s");
  };
  EXPECT_TRUE(scene_with(4096));
  const Expected<Scene> scene = scene_with(4097);
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().found, "4097 limits over several parameters");
  EXPECT_EQ(scene.error().expected, "at most 4096");
}

}  // namespace scene_refusal_test
}  // namespace limber
