// The tool on files of figures and motions: info, convert, check and draw.
#include <nlohmann/json.hpp>

#include "tests/cli/tool.h"

namespace limber::test {
namespace {

class ToolOnFiles : public Tool {};

const std::string data = LIMBER_SOURCE_DIR "/data/";

nlohmann::json parsed(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << text.substr(0, 200);
  return json;
}

TEST_F(ToolOnFiles, TellsWhatAFileHolds) {
  const Answer skeleton = limber("info " + data + "acclaim/02.asf " + data + "acclaim/02_01.amc");
  EXPECT_EQ(skeleton.status, 0) << skeleton.err;
  for (const char* words : {"31 segments, 62 degrees of freedom", "343 frames, 120 a second, 2.850 s", "rx[-10 170]°",
                            "0.05644444444444444 m", "as CMU's"})
    EXPECT_NE(skeleton.out.find(words), std::string::npos) << words << "\n" << skeleton.out;
  const Answer motion = limber("info " + data + "bvh/cmu_02_01.bvh");
  EXPECT_NE(motion.out.find("joint limits: none in this file, and none are invented"), std::string::npos);
  const auto robot = parsed(limber("info --json " + data + "urdf/panda.urdf").out);
  EXPECT_EQ(robot["up"], "z");
  EXPECT_EQ(robot["has_limits"], true);
  EXPECT_EQ(robot["degrees_of_freedom"], 9);
}

TEST_F(ToolOnFiles, TellsWhereEverythingIsInAFrame) {
  const auto truth = parsed(read(data + "truth/acclaim_02_01.json"));
  const auto& frame = truth["frames"][2];
  const std::string k = std::to_string(frame["frame_index"].get<int>());
  const Answer answer =
      limber("info " + data + "acclaim/02.asf " + data + "acclaim/02_01.amc --positions --frame " + k + " --json");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto told = parsed(answer.out);
  int compared = 0;
  for (const auto& [bone, expected] : frame["positions"].items()) {
    const auto& spot = told["positions"][bone == "root" ? bone : bone + "_tip"];
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(spot["file"][c].get<double>(), expected[c].get<double>(), 1e-6) << bone;
      EXPECT_NEAR(spot["metres"][c].get<double>(), expected[c].get<double>() * 0.0254 / 0.45, 1e-7) << bone;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 31 * 3);
  // The same from standard input, and as text.
  const Answer piped = limber("info - --positions --frame 1 < " + data + "bvh/momentum_simple.bvh");
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("# name")) << piped.out;
  expect_mistake(limber("info " + data + "bvh/momentum_simple.bvh --positions --frame 3"), 3,
                 "limber: " + data + "bvh/momentum_simple.bvh: found frame 3; expected 0 to 2");
}

TEST_F(ToolOnFiles, ConvertsAMotionAndFindsItsSkeleton) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  fs::copy_file(data + "acclaim/02_01.amc", folder_ / "02_01.amc");
  const Answer answer = limber("convert 02_01.amc walk.glb --fps 30 --frames 0:200");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.err.find("not carried over: glTF does not carry joint limits"), std::string::npos) << answer.err;
  const auto walk = parsed(limber("info walk.glb --json").out);
  EXPECT_EQ(walk["motions"][0]["frames"], 51);
  EXPECT_NEAR(walk["motions"][0]["frame_time"].get<double>(), 1.0 / 30.0, 1e-6);
  const Answer drawn = limber("draw walk.glb -o walk.svg --frame 20");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_TRUE(read(folder_ / "walk.svg").starts_with("<svg"));
  // Both files of the other way, and silence where it is asked for.
  const Answer back = limber("convert walk.glb back.amc --quiet");
  EXPECT_EQ(back.status, 0);
  EXPECT_EQ(back.err + back.out, "");
  EXPECT_TRUE(fs::exists(folder_ / "back.asf") && fs::exists(folder_ / "back.amc"));
  EXPECT_EQ(limber("info back.amc").status, 0);
}

TEST_F(ToolOnFiles, ConvertsUnitsAndAxes) {
  fs::copy_file(data + "bvh/momentum_simple.bvh", folder_ / "in.bvh");
  ASSERT_EQ(limber("convert in.bvh out.bvh --in-unit cm --in-up y --unit mm --up z -q").status, 0);
  const auto before = parsed(limber("info in.bvh --unit cm --up y --positions --frame 1 --json").out);
  const auto after = parsed(limber("info out.bvh --unit mm --up z --positions --frame 1 --json").out);
  for (const auto& [name, spot] : before["positions"].items()) {
    const auto& there = after["positions"][name];
    ASSERT_FALSE(there.is_null()) << name;
    const auto x = spot["file"];
    // Up was y and is z; a centimetre was 1 and is 10.
    const double turned[] = {10.0 * x[0].get<double>(), -10.0 * x[2].get<double>(), 10.0 * x[1].get<double>()};
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(there["file"][c].get<double>(), turned[c], 1e-6) << name;
      EXPECT_NEAR(there["metres"][c].get<double>(), spot["metres"][c].get<double>(), 1e-9) << name;
    }
  }
}

TEST_F(ToolOnFiles, ChecksManyFilesAtOnce) {
  write("broken.bvh", "HIERARCHY\nROOT a\n{\n  OFFSET 0 x 0\n}\n");
  const Answer answer = limber("check arm.json broken.bvh " + data + "gltf/SimpleSkin.gltf --json");
  EXPECT_EQ(answer.status, 3);
  const auto all = parsed(answer.out);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["ok"], true);
  EXPECT_EQ(all[1]["ok"], false);
  EXPECT_EQ(all[1]["diagnostics"][0]["line"], 4);
  EXPECT_EQ(all[1]["diagnostics"][0]["column"], 12);
  EXPECT_EQ(all[2]["ok"], true);
  const Answer plain = limber("check broken.bvh");
  EXPECT_TRUE(plain.err.starts_with("limber: broken.bvh:4:12")) << plain.err;
  EXPECT_EQ(limber("check nothing.bvh").status, 4);
}

TEST_F(ToolOnFiles, PosesAnotherFigure) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  const Answer answer = limber("solve reach.json --figure 02.asf -o posed.json");
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_NE(answer.err.find("spine.axial"), std::string::npos) << answer.err;
  EXPECT_NE(read(folder_ / "posed.json").find(R"("figure": {"file": "02.asf"})"), std::string::npos);
  EXPECT_EQ(limber("solve posed.json --iterations 0").status, 0);
  EXPECT_EQ(limber("draw posed.json -o posed.svg").status, 0);
}

TEST_F(ToolOnFiles, TakesASceneForItsFigure) {
  EXPECT_EQ(parsed(limber("info arm.json --json").out)["motions"][0]["frames"], 1);
  const Answer answer = limber("convert reach.json reach.glb -q");
  EXPECT_EQ(answer.status, 0) << answer.err;
  write("self.json", R"({"limber": "scene 1", "figure": {"file": "self.json"}})");
  expect_mistake(limber("info self.json"), 3, "limber: self.json:1:42: /figure/file: self.json:1:12: /limber: found");
}

TEST_F(ToolOnFiles, AnswersFilesItDoesNotKnow) {
  write("letter.docx", "Dear Sir");
  expect_mistake(limber("info letter.docx"), 3,
                 "limber: letter.docx: found a file of a kind that is not known; expected");
  expect_mistake(limber("convert arm.json letter.docx"), 2, "limber: letter.docx: found a name without a known ending");
  expect_mistake(limber("convert " + data + "bvh/momentum_simple.bvh out.urdf"), 3,
                 "limber: out.urdf: found URDF, which is only read");
  expect_mistake(limber("convert " + data + "c3d/02_01.c3d out.bvh"), 3, "limber: out.bvh: found markers");
  fs::copy_file(data + "acclaim/02_01.amc", folder_ / "alone.amc");
  expect_mistake(limber("info alone.amc"), 3, "limber: alone.amc: found a motion without its skeleton");
}

}  // namespace
}  // namespace limber::test
