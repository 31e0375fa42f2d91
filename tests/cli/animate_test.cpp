// limber animate.
#include <nlohmann/json.hpp>

#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace animate_test {

class ToolOnScripts : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    for (const char* name : {"walk.json", "walk.script"})
      fs::copy_file(fs::path(source_dir()) / "example/motion" / name, folder_ / name);
    write("wave.script",
          "rate 10\n"
          "length 1\n"
          "key 0\n"
          "key 1 right_elbow.flexion 40\n"
          "from 0.5 until 1 place right_palm at (-0.35, 1.2, 0.3), must, ease in 0.2\n"
          "throughout lock left_foot, must\n"
          "from 5 until 6 hold left_palm\n");
  }
};

TEST_F(ToolOnScripts, AnimatesAndSaysWhatIsMet) {
  const Answer answer = limber("animate walk.json wave.script -o wave.bvh");
  EXPECT_EQ(answer.status, 0) << answer.err << answer.out;
  EXPECT_NE(answer.out.find("11 frames"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("place right_palm  0.50 to 1.00  yes"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("lock left_foot    throughout    yes"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("1 more, active in no frame"), std::string::npos) << answer.out;
  const auto motion = parsed(limber("info wave.bvh --json").out);
  EXPECT_EQ(motion["motions"][0]["frames"], 11);
}

TEST_F(ToolOnScripts, TellsProgramsInJson) {
  const Answer answer = limber("animate walk.json wave.script --json --rate 20");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto json = parsed(answer.out);
  EXPECT_EQ(json["met"], true);
  EXPECT_EQ(json["frames"], 21);
  EXPECT_EQ(json["frame_time"], 0.05);
  ASSERT_EQ(json["demands"].size(), 3u);
  EXPECT_EQ(json["demands"][0]["name"], "place right_palm");
  EXPECT_EQ(json["demands"][0]["from"], 0.5);
  EXPECT_EQ(json["demands"][0]["until"], 1.0);
  EXPECT_EQ(json["demands"][0]["frames"], 11);
  EXPECT_LT(json["demands"][0]["error_mm"].get<double>(), 0.1);
  EXPECT_FALSE(json["demands"][1].contains("from"));
  EXPECT_LT(json["demands"][1]["error_degrees"].get<double>(), 0.1);
}

TEST_F(ToolOnScripts, WhatIsOutOfReachIsNotMet) {
  write("far.script", "length 0.2\nthroughout lock left_foot, must\nat 0.1 place right_palm at (9, 9, 9)");
  for (const char* how : {"", " --frame-by-frame"}) {
    const Answer answer = limber(std::string("animate walk.json far.script") + how);
    EXPECT_EQ(answer.status, 1) << answer.err;
    EXPECT_NE(answer.out.find("place right_palm  at 0.10     no"), std::string::npos) << answer.out;
  }
  EXPECT_EQ(limber("animate walk.json far.script -q").out, "");
  EXPECT_EQ(limber("animate walk.json far.script -q").status, 1);
  EXPECT_EQ(limber("animate walk.json far.script --keys-alone").status, 0) << "nothing is asked";
}

TEST_F(ToolOnScripts, NamesLocksThatContradictEachOther) {
  write("both.script",
        "length 0.2\nthroughout lock left_foot, must\nthroughout place left_heel at (0.1, 0.5, 0), must\n"
        "throughout hold right_palm, must\n");
  const Answer answer = limber("animate walk.json both.script");
  EXPECT_EQ(answer.status, 1) << answer.err;
  EXPECT_NE(answer.out.find("s these contradict each other: lock left_foot, place left_heel\n"), std::string::npos)
      << answer.out;
  const auto found = parsed(limber("animate walk.json both.script --json").out)["contradictions"];
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["demands"], nlohmann::json::parse(R"(["lock left_foot", "place left_heel"])"));
  write("far.script", "length 0.2\nthroughout lock left_foot, must\nat 0.1 place right_palm at (9, 9, 9), must");
  const Answer far = limber("animate walk.json far.script");
  EXPECT_NE(far.out.find("contradict each other: lock left_foot, place right_palm\n"), std::string::npos) << far.out;
}

TEST_F(ToolOnScripts, TheWalkWalks) {
  for (const char* file : {"walk.bvh", "walk.glb"}) {
    const Answer answer = limber(std::string("animate walk.json walk.script -q -o ") + file);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out + answer.err, "");
    EXPECT_EQ(parsed(limber(std::string("info --json ") + file).out)["motions"][0]["frames"], 67) << file;
  }
  EXPECT_EQ(limber("animate walk.json walk.script -q --frame-by-frame").status, 0);
}

TEST_F(ToolOnScripts, ReadsTheScriptFromStandardInput) {
  EXPECT_EQ(limber("animate walk.json - < wave.script").status, 0);
}

TEST_F(ToolOnScripts, AnswersMistakes) {
  write("wrong.script", "rate 30\nfrom 0.5 holt left_heel\n");
  expect_mistake(limber("animate walk.json wrong.script"), 3,
                 "limber: wrong.script:2:10: found \"holt\"; expected what to do, such as 'hold'");
  write("unknown.script", "rate 30\nfrom 0.5 hold left_hel\n");
  expect_mistake(limber("animate walk.json unknown.script"), 3, "limber: unknown.script:2:15: ");
  expect_mistake(limber("animate walk.json missing.script"), 4, "limber: ");
  expect_mistake(limber("animate missing.json wave.script"), 4, "limber: ");
  expect_mistake(limber("animate walk.json wave.script -o wave.txt"), 2, "limber: ");
  expect_mistake(limber("animate walk.json wave.script -o wave.urdf"), 2, "limber: ");
  expect_mistake(limber("animate walk.json wave.script -o wave.scr"), 2, "limber: ");
  write("long.script", "length 600\nthroughout lock left_foot\nthroughout hold right_palm");
  expect_mistake(limber("animate walk.json long.script"), 3, "limber: long.script: found 18001 frames of ");
  for (const char* call : {"animate", "animate walk.json", "animate walk.json wave.script --rate 0",
                           "animate walk.json wave.script --json -q", "animate walk.json wave.script --iterations 0"})
    expect_mistake(limber(call), 2, "limber: ");
  EXPECT_FALSE(fs::exists(folder_ / "wave.txt"));
}

TEST_F(ToolOnScripts, KeepsEveryFrameClear) {
  write("bar.json",
        R"({"limber": "scene 1", "figure": {"human": {}},
            "obstacles": [{"name": "bar", "box": [0.2, 0.04, 0.2], "p": [-0.25, 1.15, 0.4]}],
            "constraints": [{"keep_clear": {"margin": 0.01}}]})");
  write("swing.script", "rate 10\nkey 0\nkey 1 right_shoulder.elevation 80, right_elbow.flexion 20\nkey 2 pose\n");
  const Answer answer = limber("animate bar.json swing.script");
  EXPECT_EQ(answer.status, 0) << answer.err << answer.out;
  EXPECT_NE(answer.out.find("free of overlaps in all frames"), std::string::npos) << answer.out;
  const auto json = parsed(limber("animate bar.json swing.script --json").out);
  EXPECT_EQ(json["met"], true);
  EXPECT_TRUE(json["keep_clear"]["overlaps"].empty());
  EXPECT_GT(json["keep_clear"]["changed"], 0);
}

// Something to keep clear of, far away, changes nothing of what is said about a foot that is dragged from its hold.
TEST_F(ToolOnScripts, TellsOfUnmetHoldsWithAndWithoutObstacles) {
  const std::string begin = R"({"limber": "scene 1", "figure": {"human": {}},
            "obstacles": [{"name": "bar", "box": [0.2, 0.04, 0.2], "p": [0, 9, 0]}], "constraints": [)";
  write("free.json", begin + "]}");
  write("clear.json", begin + R"({"keep_clear": {"margin": 0.01}}]})");
  write("drag.script",
        "rate 10\nlength 2\nkey 0\nkey 1 left_hip.flexion 20, left_knee.flexion 10\nkey 2 pose\n"
        "from 0.5 hold left_foot, weight 1, ease in 0.4\nfrom 0.3 place left_foot at (0.4, 0.1, 0.3), weight 1\n");
  for (const std::string how : {"", " --frame-by-frame"}) {
    const Answer alone = limber("animate free.json drag.script --json" + how);
    const Answer beside = limber("animate clear.json drag.script --json" + how);
    EXPECT_EQ(alone.status, 1) << alone.err << alone.out;
    EXPECT_EQ(beside.status, 1) << beside.err << beside.out;
    const auto was = parsed(alone.out)["demands"], is = parsed(beside.out)["demands"];
    ASSERT_EQ(is.size(), was.size());
    for (std::size_t d = 0; d < is.size(); ++d) {
      EXPECT_EQ(is[d]["met"], false) << d;
      EXPECT_EQ(is[d]["frames"], was[d]["frames"]) << d;
      EXPECT_GT(is[d]["error_mm"].get<double>(), 50.0) << d;
      EXPECT_NEAR(is[d]["error_mm"].get<double>(), was[d]["error_mm"].get<double>(), 1e-6) << d;
    }
  }
}

}  // namespace animate_test
}  // namespace limber::test
