// The tool as its users meet it: what it prints, where, and with what exit status.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Answer {
  int status = -1;
  std::string out;
  std::string err;
};

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Each test in a folder of its own, which is the working folder of the tool.
class Tool : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "limber_cli_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"arm.json", "reach.json"})
      fs::copy_file(fs::path(LIMBER_SOURCE_DIR) / "example/scene" / name, folder_ / name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // `arguments` go through the shell.
  Answer limber(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" LIMBER_TOOL_PATH "' " + arguments;
    const int status = std::system(
        ("{ " + command + "\n} >'" + (folder_ / ".out").string() + "' 2>'" + (folder_ / ".err").string() + "'")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder_ / ".out"), read(folder_ / ".err")};
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  fs::path folder_;
};

// A mistake is one or two lines on standard error and nothing on standard output.
void expect_mistake(const Answer& answer, int status, const std::string& begin) {
  EXPECT_EQ(answer.status, status) << answer.err;
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err.substr(0, begin.size()), begin);
  EXPECT_LE(std::count(answer.err.begin(), answer.err.end(), '\n'), 2) << answer.err;
  EXPECT_TRUE(answer.err.ends_with('\n'));
}

// 64 times a file of 2 MB and 64 MiB more is 192 MiB; the shell counts in KiB. A sanitized tool maps
// terabytes that it does not use, so there only the answer is looked at.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMBER_TOOL_IS_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LIMBER_TOOL_IS_SANITIZED
#endif
#ifdef LIMBER_TOOL_IS_SANITIZED
const std::string within_memory = "--version >/dev/null; ";
#else
const std::string within_memory = "--version >/dev/null; ulimit -v 196608; ";
#endif

constexpr const char* out_of_reach =
    R"({"limber": "scene 1", "title": "Far away", "figure": {"simple_human": {"root": "fixed"}},
  "constraints": [{"name": "far", "handle": {"point": "right_palm"}, "goal": {"position": [0, 1, 9]}}]})";

TEST_F(Tool, SolvesAndSaysSo) {
  const Answer answer = limber("solve arm.json");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_TRUE(answer.out.starts_with("A planar arm reaches over a ball\nconverged: ")) << answer.out;
  EXPECT_NE(answer.out.find("tip position"), std::string::npos);
}

TEST_F(Tool, SolvesTheOtherSampleToo) { EXPECT_EQ(limber("solve reach.json").status, 0); }

TEST_F(Tool, SaysWhenNotAllIsMet) {
  write("far.json", out_of_reach);
  const Answer answer = limber("solve far.json");
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.out.find("far"), std::string::npos);
  EXPECT_EQ(answer.err, "");
}

TEST_F(Tool, WritesThePose) {
  EXPECT_EQ(limber("solve arm.json -o posed.json --quiet").out, "");
  // Solved already: nothing is left to do.
  const Answer again = limber("solve posed.json --json");
  EXPECT_EQ(again.status, 0) << again.err;
  const auto report = nlohmann::json::parse(again.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_LE(report["iterations"].get<int>(), 1);
  EXPECT_EQ(limber("solve posed.json --iterations 0").status, 0);
}

TEST_F(Tool, WritesIntoTheSceneItself) {
  EXPECT_EQ(limber("solve arm.json -o arm.json").status, 0);
  EXPECT_EQ(limber("solve arm.json --iterations 0").status, 0);
}

TEST_F(Tool, ReportsAsJson) {
  write("far.json", out_of_reach);
  const Answer answer = limber("solve far.json --json");
  EXPECT_EQ(answer.status, 1);
  const auto report = nlohmann::json::parse(answer.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << answer.out;
  for (const char* key : {"title", "exit", "met", "degrees_of_freedom", "iterations", "evaluations", "objective",
                          "objective_before", "kkt", "start_projected", "constraints", "pose_degrees", "pose_metres"})
    EXPECT_TRUE(report.contains(key)) << key;
  EXPECT_EQ(report["exit"], "converged");
  EXPECT_EQ(report["met"], false);
  const auto& constraint = report["constraints"][0];
  EXPECT_EQ(constraint["name"], "far");
  EXPECT_GT(constraint["left_mm"].get<double>(), 7000.0);
  EXPECT_FALSE(constraint.contains("left_degrees"));
  EXPECT_TRUE(constraint["held_back_by"].is_array());
  EXPECT_TRUE(report["pose_degrees"].contains("right_elbow.flexion"));
  EXPECT_TRUE(report["pose_metres"].empty());
  const auto free = nlohmann::json::parse(limber("solve reach.json --json").out, nullptr, false);
  EXPECT_TRUE(free["pose_metres"].contains("root.x"));
  EXPECT_TRUE(free["constraints"][1].contains("left_degrees"));
}

TEST_F(Tool, TakesTheSceneFromStandardInput) {
  EXPECT_EQ(limber("solve - < arm.json").out, limber("solve arm.json").out);
  expect_mistake(limber("solve - < /dev/null"), 3, "limber: standard input:1:1: found the end of the text");
}

TEST_F(Tool, TheCommandLineCountsForOneRun) {
  EXPECT_EQ(limber("solve arm.json --iterations 1 --tolerance 1e-5 -o one.json").status, 1);
  EXPECT_EQ(read(folder_ / "one.json").find("options"), std::string::npos);
}

TEST_F(Tool, Draws) {
  for (const char* how : {"", " --solve"}) {
    const Answer answer = limber(std::string("draw arm.json -o arm.svg") + how);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out + answer.err, "");
    EXPECT_NE(read(folder_ / "arm.svg").find("<svg"), std::string::npos);
  }
  write("far.json", out_of_reach);
  EXPECT_EQ(limber("draw far.json -o far.svg").status, 0);
  EXPECT_EQ(limber("draw far.json -o far.svg --solve").status, 1);
}

TEST_F(Tool, TellsItsVersionAndHelps) {
  EXPECT_TRUE(limber("--version").out.starts_with("limber 0."));
  for (const char* call : {"--help", "solve --help", "draw --help"}) {
    const Answer answer = limber(call);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.out.find("Examples:"), std::string::npos) << call;
    EXPECT_NE(answer.out.find("Exit status"), std::string::npos) << call;
  }
}

TEST_F(Tool, AnswersAWrongCommandLine) {
  for (const char* call :
       {"", "sovle arm.json", "solve", "solve arm.json extra", "solve arm.json --iterations many",
        "solve arm.json --iterations -1", "solve arm.json --iterations 99999999999999999999",
        "solve arm.json --tolerance 0", "solve arm.json --tolerance nan", "solve arm.json --json --quiet",
        "draw arm.json", "draw -o x.svg", "--frobnicate", "solve arm.json -o"})
    expect_mistake(limber(call), 2, "limber: ");
}

TEST_F(Tool, AnswersAWrongScene) {
  write("wrong.json",
        "{\"limber\": \"scene 1\",\n \"figure\": {\"human\": {}},\n \"pose\": {\"right_elbow.flexoin\": 30}}");
  for (const char* call : {"solve wrong.json", "draw wrong.json -o x.svg"})
    expect_mistake(limber(call), 3,
                   "limber: wrong.json:3:11: /pose/right_elbow.flexoin: found the name "
                   "'right_elbow.flexoin'; expected a parameter, such as 'right_elbow.flexion'");
  EXPECT_FALSE(fs::exists(folder_ / "x.svg"));
}

TEST_F(Tool, AnswersAProblemThatCannotBeSolved) {
  write("torn.json",
        R"({"limber": "scene 1", "figure": {"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a",
    "freedoms": [{"name": "t", "axis": "x"}]}], "limits": [{"name": "up", "terms": {"j.t": 1}, "at_most": -10},
    {"name": "down", "terms": {"j.t": -1}, "at_most": -10}]}})");
  const Answer answer = limber("solve torn.json");
  expect_mistake(answer, 3, "limber: torn.json: figure ''");
  EXPECT_NE(answer.err.find("'up'"), std::string::npos) << answer.err;
}

TEST_F(Tool, AnswersAFileThatCannotBeReadOrWritten) {
  expect_mistake(limber("solve none.json"), 4, "limber: none.json: found no file that can be opened");
  expect_mistake(limber("solve ."), 4, "limber: .: found a file that cannot be read");
  expect_mistake(limber("solve arm.json -o none/posed.json"), 4,
                 "limber: none/posed.json: found a folder that cannot be written to");
  expect_mistake(limber("solve arm.json -o ."), 4, "limber: .: found");
  const Answer full = limber("solve arm.json > /dev/full");
  EXPECT_EQ(full.status, 4);
}

TEST_F(Tool, LeavesTheOldFileWhereTheNewOneCannotBeComplete) {
  write("posed.json", "old");
  // A file of more than one block of 512 bytes is not allowed here.
  const Answer answer =
      limber("--version; trap '' XFSZ; ulimit -f 1; '" LIMBER_TOOL_PATH "' solve arm.json --quiet -o posed.json");
  EXPECT_EQ(answer.status, 4) << answer.err;
  EXPECT_EQ(read(folder_ / "posed.json"), "old");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 5u) << "arm, reach, posed, .out and .err: nothing is left lying about";
}

TEST_F(Tool, KeepsPermissionsAndLinks) {
  write("posed.json", "old");
  fs::permissions(folder_ / "posed.json", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("posed.json", folder_ / "link.json");
  EXPECT_EQ(limber("solve arm.json -q -o link.json").status, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(read(folder_ / "posed.json").starts_with("{"));
  EXPECT_EQ(fs::status(folder_ / "posed.json").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(limber("solve arm.json -q -o new.json").status, 0);
  EXPECT_EQ(limber("solve arm.json -q -o /dev/null").status, 0);
  EXPECT_EQ(fs::status("/dev/null").type(), fs::file_type::character);
}

TEST_F(Tool, DeepAndLargeFilesAreAnswered) {
  write("deep.json", std::string(5'000'000, '['));
  expect_mistake(limber("solve deep.json"), 3, "limber: deep.json:1:65: found 65 arrays");
  std::string flat = "[1";
  for (int i = 0; i < 1'000'000; ++i) flat += ",1";
  write("flat.json", flat + "]");
  expect_mistake(limber(within_memory + "'" LIMBER_TOOL_PATH "' solve flat.json"), 3,
                 "limber: flat.json:1:1: /: found an array of 1000001");
}

// --- Files of figures and motions ---

const std::string data = LIMBER_SOURCE_DIR "/data/";

nlohmann::json parsed(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << text.substr(0, 200);
  return json;
}

TEST_F(Tool, TellsWhatAFileHolds) {
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

TEST_F(Tool, TellsWhereEverythingIsInAFrame) {
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

TEST_F(Tool, ConvertsAMotionAndFindsItsSkeleton) {
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

TEST_F(Tool, ConvertsUnitsAndAxes) {
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

TEST_F(Tool, ChecksManyFilesAtOnce) {
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

TEST_F(Tool, PosesAnotherFigure) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  const Answer answer = limber("solve reach.json --figure 02.asf -o posed.json");
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
  EXPECT_NE(answer.err.find("spine.axial"), std::string::npos) << answer.err;
  EXPECT_NE(read(folder_ / "posed.json").find(R"("figure": {"file": "02.asf"})"), std::string::npos);
  EXPECT_EQ(limber("solve posed.json --iterations 0").status, 0);
  EXPECT_EQ(limber("draw posed.json -o posed.svg").status, 0);
}

TEST_F(Tool, TakesASceneForItsFigure) {
  EXPECT_EQ(parsed(limber("info arm.json --json").out)["motions"][0]["frames"], 1);
  const Answer answer = limber("convert reach.json reach.glb -q");
  EXPECT_EQ(answer.status, 0) << answer.err;
  write("self.json", R"({"limber": "scene 1", "figure": {"file": "self.json"}})");
  expect_mistake(limber("info self.json"), 3, "limber: self.json:1:42: /figure/file: self.json:1:12: /limber: found");
}

TEST_F(Tool, AnswersFilesItDoesNotKnow) {
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
