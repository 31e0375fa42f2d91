// limber assess: what a scene asks of the body, as its users meet it.
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace assess_test {

const std::string scenes = "'" + source_dir() + "/example/scene/";

const nlohmann::json& assessed_joint(const nlohmann::json& report, const std::string& parameter) {
  for (const nlohmann::json& joint : report["joints"])
    if (joint["parameter"] == parameter) return joint;
  ADD_FAILURE() << parameter;
  return report;
}

TEST_F(Tool, AssessesWhoHoldsABox) {
  const Answer answer = limber("assess " + scenes + "hold_box.json' --load left_palm+right_palm:10kg");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  for (const char* text : {"A person holds a box ahead with both hands\n",
                           "body 73.0 kg, 10 kg at left_palm and right_palm; on left_foot 50 %", "right_elbow.flexion",
                           "first to give: ", "largest load at left_palm and right_palm: ", "RULA left ", "REBA right ",
                           "more, comfortable and with less than 1 N m"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
  EXPECT_EQ(answer.out.find("toes.flexion"), std::string::npos);
  const Answer all = limber("assess " + scenes + "hold_box.json' --load left_palm+right_palm:10kg --all");
  EXPECT_NE(all.out.find("toes.flexion"), std::string::npos);
}

TEST_F(Tool, AssessesAsJson) {
  const std::string call = "assess " + scenes + "hold_box.json' --json ";
  const auto with = parsed(limber(call + "--load left_palm+right_palm:10kg").out);
  const auto without = parsed(limber(call).out);
  EXPECT_EQ(with["met"], true);
  EXPECT_EQ(with["load_kg"], 10.0);
  EXPECT_EQ(without["load_kg"], 0.0);
  double newtons = 0.0;
  for (const auto& reaction : with["reactions"]) newtons += reaction["newtons"].get<double>();
  EXPECT_NEAR(newtons, 9.80665 * (with["body_kg"].get<double>() + 10.0), 1e-6);
  const auto &loaded = assessed_joint(with, "right_elbow.flexion"),
             &empty = assessed_joint(without, "right_elbow.flexion");
  EXPECT_GT(loaded["torque"].get<double>(), empty["torque"].get<double>() + 5.0);
  EXPECT_EQ(loaded["strength"], 77.0);
  EXPECT_EQ(loaded["source"], "S82");
  EXPECT_EQ(loaded["comfort"], empty["comfort"]);
  EXPECT_EQ(assessed_joint(with, "spine.forward")["freedom"], "L5.forward");
  EXPECT_TRUE(assessed_joint(with, "left_hip.rotation")["strength"].is_null());
  // The largest load is that of the pose, whatever hangs there now; with it the first joint is at its strength.
  EXPECT_NEAR(with["max_load"]["kg"].get<double>(), without["max_load"]["kg"].get<double>(), 1e-6);
  const std::string most = nlohmann::json(with["max_load"]["kg"]).dump();
  const auto at_most = parsed(limber(call + "--load left_palm+right_palm:" + most).out);
  EXPECT_NEAR(at_most["first_share"].get<double>(), 1.0, 1e-6);
  // Left or right: they are equal but for rounding.
  EXPECT_TRUE(at_most["first_to_give"].get<std::string>().ends_with("_glenohumeral.elevation")) << most;
}

TEST_F(Tool, AssessesTheWeakerAsLessStrong) {
  const std::string call = "assess " + scenes + "hold_box.json' --json ";
  const auto largest = [&](const std::string& how) {
    return parsed(limber(call + how).out)["max_load"]["kg"].get<double>();
  };
  EXPECT_LT(largest("--percentile 10"), largest(""));
  EXPECT_LT(largest(""), largest("--percentile 90"));
  EXPECT_LT(largest("--sex female"), largest("--sex male"));
}

TEST_F(Tool, ScoresWhatTheObserverKnows) {
  const std::string call = "assess " + scenes + "bend_down.json' --json ";
  const auto light = parsed(limber(call).out);
  const auto heavy =
      parsed(limber(call + "--load left_palm+right_palm:12kg --held --repeated --coupling poor --shock").out);
  EXPECT_GE(light["rula"]["left"]["trunk"].get<int>(), 3);
  EXPECT_EQ(light["rula"]["left"]["force"], 0);
  EXPECT_EQ(heavy["rula"]["left"]["force"], 3);
  EXPECT_EQ(heavy["rula"]["right"]["muscle_use"], 1);
  EXPECT_EQ(heavy["reba"]["left"]["load"], 3);
  EXPECT_EQ(heavy["reba"]["left"]["coupling"], 2);
  EXPECT_EQ(heavy["reba"]["left"]["activity"], 2);
  EXPECT_GT(heavy["reba"]["left"]["score"].get<int>(), light["reba"]["left"]["score"].get<int>());
  EXPECT_EQ(heavy["rula"]["left"]["score"], 7);
}

TEST_F(Tool, AssessesThePoseAsItIs) {
  const auto still = parsed(limber("assess " + scenes + "bend_down.json' --as-it-is --json").out);
  EXPECT_EQ(still["met"], false);
  EXPECT_EQ(still["comfort"], 1.0);
  EXPECT_EQ(still["rula"]["left"]["score"], 2);
  EXPECT_EQ(still["reba"]["right"]["score"], 1);
  EXPECT_EQ(limber("assess " + scenes + "bend_down.json' --as-it-is").status, 0);
}

TEST_F(Tool, SaysWhenTheAssessedSceneIsNotMet) {
  write("far.json", R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [
    {"handle": {"point": "right_palm"}, "goal": {"position": [0, 1, 9]}, "from": "waist"}]})");
  const Answer answer = limber("assess far.json");
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.out.find("not all constraints are met"), std::string::npos) << answer.out;
}

TEST_F(Tool, DrawsABodyInColours) {
  for (const char* colour : {"load", "comfort"}) {
    const Answer answer = limber("assess " + scenes + "bend_down.json' -o body.svg --colour " + std::string(colour));
    EXPECT_EQ(answer.status, 0) << answer.err;
    const std::string svg = read(folder_ / "body.svg");
    EXPECT_TRUE(svg.starts_with("<svg") || svg.starts_with("<?xml")) << svg.substr(0, 40);
    EXPECT_NE(svg.find(colour == std::string("load") ? "share of strength" : "discomfort"), std::string::npos);
  }
  const Answer to_output = limber("assess " + scenes + "bend_down.json' -o -");
  EXPECT_TRUE(to_output.out.ends_with("</svg>\n")) << to_output.out.substr(to_output.out.size() - 40);
}

TEST_F(Tool, TakesATableOfStrength) {
  write("own.json", R"({"limber": "strength 1", "rows": [
    {"freedom": "elbow.flexion", "direction": "+", "torque": [5, 10, 15], "source": "own"}]})");
  const auto own = parsed(limber("assess " + scenes + "hold_box.json' --json --strength own.json").out);
  EXPECT_EQ(assessed_joint(own, "left_elbow.flexion")["strength"], 10.0);
  EXPECT_TRUE(assessed_joint(own, "spine.forward")["strength"].is_null());
  EXPECT_NE(own["first_to_give"].get<std::string>().find("_elbow.flexion"), std::string::npos);
  write("bad.json",
        R"({"limber": "strength 1", "rows": [{"freedom": "elbow.flexion", "direction": "x", "torque": 1}]})");
  expect_mistake(limber("assess " + scenes + "hold_box.json' --strength bad.json"), 3, "limber: bad.json:1:");
  expect_mistake(limber("assess " + scenes + "hold_box.json' --strength none.json"), 4, "limber: ");
}

TEST_F(Tool, AssessesAnArmOnItsStand) {
  const Answer answer = limber("assess arm.json");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("carried by the root"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("RULA and REBA: left out"), std::string::npos) << answer.out;
}

TEST_F(Tool, AssessesAFigureOfAFile) {
  const Answer answer = limber("assess " + scenes + "hold_box.json' --load right_palm:3kg --figure '" + source_dir() +
                               "/data/acclaim/02.asf'");
  EXPECT_LE(answer.status, 1) << answer.err;
  EXPECT_NE(answer.out.find("the figure has no masses"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("REBA left"), std::string::npos) << answer.out;
}

TEST_F(Tool, RejectsLoadsThatAreNone) {
  const std::string call = "assess " + scenes + "hold_box.json' ";
  for (const char* load : {"right_palm", "right_palm:heavy", "right_palm:-3kg", ":3kg", "right_palm++left_palm:3"})
    EXPECT_EQ(limber(call + "--load " + load).status, 2) << load;
  expect_mistake(limber(call + "--load right_paw:3kg"), 2, "limber: ");
  EXPECT_EQ(limber(call + "--percentile 99").status, 2);
  EXPECT_EQ(limber(call + "--carried-by wings").status, 2);
  expect_mistake(limber("assess nothing.json"), 4, "limber: ");
}

}  // namespace assess_test
}  // namespace limber::test
