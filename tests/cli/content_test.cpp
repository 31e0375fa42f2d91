// The tool on files of figures and motions: info, convert, check and draw.
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace content_test {

class ToolOnFiles : public Tool {};

const std::string data = source_dir() + "/data/";

TEST_F(ToolOnFiles, TellsWhatAFileHolds) {
  const Answer skeleton = limber("info " + data + "acclaim/02.asf " + data + "acclaim/02_01.amc");
  EXPECT_EQ(skeleton.status, 0) << skeleton.err;
  for (const char* words : {"31 segments, 62 degrees of freedom", "343 frames, 120 per second, 2.850 s", "rx[-10 170]°",
                            "0.05644444444444444 m", "a person's"})
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
  const auto reported = parsed(answer.out);
  int compared = 0;
  for (const auto& [bone, expected] : frame["positions"].items()) {
    const auto& spot = reported["positions"][bone == "root" ? bone : bone + "_tip"];
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
  EXPECT_NE(answer.err.find("not carried over: glTF cannot store joint limits"), std::string::npos) << answer.err;
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

TEST_F(ToolOnFiles, FollowsAMotionByAFewPlaces) {
  const std::string files = data + "acclaim/02.asf " + data + "acclaim/02_01.amc";
  const Answer answer = limber("track " + files + " --widen --every 40 --iterations 20 --json -o out.bvh");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto numbers = parsed(answer.out);
  EXPECT_EQ(numbers["frames"], 9);
  EXPECT_EQ(numbers["frames_not_met"], 0);
  EXPECT_EQ(numbers["places"].size(), 5U);
  EXPECT_LE(numbers["error_cm"]["max"].get<double>(), 0.01);
  EXPECT_EQ(parsed(limber("info out.bvh --json").out)["motions"][0]["frames"], 9);
  // Five iterations of the paper's method leave more.
  const Answer rough = limber("track " + files + " --method projected-conjugate-gradient --every 40 --iterations 5");
  EXPECT_EQ(rough.status, 1);
  EXPECT_NE(rough.out.find("frames not met"), std::string::npos);
  expect_mistake(limber("track " + files + " --goals tail"), 3, "limber: " + data + "acclaim/02.asf: ");
  EXPECT_EQ(limber("track " + files + " --method newton").status, 2);
}

TEST_F(ToolOnFiles, EstimatesLimitsFromMotion) {
  const std::string files = data + "acclaim/02_01.amc " + data + "acclaim/02_03.amc";
  const Answer answer = limber("limits " + files + " -o limited.asf --margin 0");
  EXPECT_EQ(answer.status, 0) << answer.err;
  // The motion keeps the limits that were made from it: nothing has to be widened for it to be met.
  const Answer tracked = limber("track limited.asf " + data + "acclaim/02_01.amc --every 50 --json");
  EXPECT_EQ(tracked.status, 0) << tracked.out << tracked.err;
  EXPECT_NE(limber("limits " + files).out.find("lfemur.rx"), std::string::npos);
  expect_mistake(limber("limits " + data + "acclaim/02.asf"), 3, "limber: " + data + "acclaim/02.asf: found no motion");
  EXPECT_EQ(limber("limits " + files + " --outliers 60").status, 2);
}

TEST_F(ToolOnFiles, MeasuresEveryMethod) {
  const Answer answer = limber("bench --task chain --json numbers.json --data " + data);
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto rows = parsed(read(folder_ / "numbers.json"))["chain"];
  EXPECT_EQ(rows.size(), 58U);  // two goals; ten methods and five variants from one start, seven of them from two more
  // The default reaches eight digits of both.
  for (const auto& row : rows) EXPECT_TRUE(row["method"] != "automatic" || row["8"].is_number()) << row.dump();
  EXPECT_EQ(limber("bench --task nothing").status, 2);
  EXPECT_EQ(limber("bench --task arms --data nowhere").status, 4);
  // Other solvers: named but not there, or named and left out.
  expect_mistake(limber("bench --task arms --peers nowhere"), 4, "limber: --peers: found no program 'nowhere'");
  expect_mistake(limber("bench --task chain --peers ."), 4, "limber: --peers: found no program '.'");
  EXPECT_EQ(limber("bench --task chain --peers nowhere --no-peers").status, 2);
  EXPECT_EQ(limber("bench --task arms --data nowhere --no-peers").err.find("note:"), std::string::npos);
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
  // What a check finds is its result, and stands where results stand.
  const Answer plain = limber("check broken.bvh " + data + "bvh/mh_walk1.bvh");
  EXPECT_EQ(plain.err, "");
  EXPECT_TRUE(plain.out.starts_with("broken.bvh:4:12: found")) << plain.out;
  EXPECT_NE(plain.out.find("mh_walk1.bvh: note: "), std::string::npos) << plain.out;
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
  expect_mistake(limber("info self.json"), 3,
                 "limber: self.json:1:42: /figure/file: self.json: found a scene; expected");
}

TEST_F(ToolOnFiles, AnswersFilesItDoesNotKnow) {
  write("letter.docx", "Dear Sir");
  expect_mistake(limber("info letter.docx"), 3, "limber: letter.docx: found a file of an unknown kind; expected");
  expect_mistake(limber("convert arm.json letter.docx"), 2, "limber: letter.docx: found a name without a known ending");
  expect_mistake(limber("convert " + data + "bvh/momentum_simple.bvh out.urdf"), 2,
                 "limber: out.urdf: found URDF, which is only read");
  expect_mistake(limber("convert " + data + "c3d/02_01.c3d out.bvh"), 3, "limber: out.bvh: found markers");
  fs::copy_file(data + "acclaim/02_01.amc", folder_ / "alone.amc");
  for (const char* call : {"info alone.amc", "convert alone.amc out.bvh", "draw alone.amc -o alone.svg"})
    expect_mistake(
        limber(call), 3,
        "limber: alone.amc: found a motion without its skeleton; expected an ASF file of the same name beside "
        "it, or --skeleton with its file");
}

// --- Motions and their skeletons ---

TEST_F(ToolOnFiles, TakesAMotionAndItsSkeletonInAnyOrder) {
  const std::string asf = data + "acclaim/02.asf", amc = data + "acclaim/02_01.amc";
  fs::copy_file(amc, folder_ / "alone.amc");
  const Answer there = limber("info " + asf + " " + amc + " --positions --frame 7");
  EXPECT_EQ(there.status, 0) << there.err;
  for (const std::string& files :
       {amc + " " + asf, "alone.amc --skeleton " + asf, "- --skeleton " + asf + " < alone.amc"}) {
    const Answer answer = limber("info --positions --frame 7 " + files);
    EXPECT_EQ(answer.out, there.out) << files << answer.err;
  }
  EXPECT_TRUE(limber("info alone.amc --skeleton " + asf).out.starts_with("alone.amc: amc, with " + asf + "\n"));
  EXPECT_EQ(parsed(limber("info --json " + amc).out)["format"], "amc");
  EXPECT_EQ(parsed(limber("info --json " + amc).out)["skeleton"], asf);
  EXPECT_EQ(limber("convert alone.amc alone.bvh -q --skeleton " + asf).status, 0);
  EXPECT_EQ(limber("check alone.amc arm.json --skeleton " + asf).status, 0);
  EXPECT_EQ(limber("check " + amc).status, 0);
  EXPECT_EQ(limber("check alone.amc").status, 3);
  expect_mistake(limber("info " + data + "bvh/mh_tpose.bvh " + amc), 3,
                 "limber: " + data + "bvh/mh_tpose.bvh: found a file that is no ASF skeleton; expected");
}

TEST_F(ToolOnFiles, SparesASkeletonThatWasNotNamed) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "walk.asf");
  const std::string call = "convert " + data + "bvh/momentum_simple.bvh walk.amc -q";
  expect_mistake(limber(call), 4, "limber: walk.asf: found another file of the name that walk.amc needs beside it");
  EXPECT_EQ(read(folder_ / "walk.asf"), read(data + "acclaim/02.asf"));
  EXPECT_FALSE(fs::exists(folder_ / "walk.amc"));
  EXPECT_EQ(limber(call + " --overwrite").status, 0);
  EXPECT_NE(read(folder_ / "walk.asf"), read(data + "acclaim/02.asf"));
  EXPECT_EQ(limber(call).status, 0) << "the skeleton is the same now";
  // Every verb that writes a motion does so.
  const std::string motion = data + "bvh/momentum_simple.bvh";
  for (const std::string& verb : {"edit " + motion + " --reverse -q -o walk.amc",
                                  "blend " + motion + " " + motion + " --weight 0.5 -q -o walk.amc",
                                  "track " + motion + " --goals Hips -o walk.amc"}) {
    fs::copy_file(data + "acclaim/02.asf", folder_ / "walk.asf", fs::copy_options::overwrite_existing);
    fs::remove(folder_ / "walk.amc");
    expect_mistake(limber(verb), 4, "limber: walk.asf: found another file of the name that walk.amc needs beside it");
    EXPECT_EQ(read(folder_ / "walk.asf"), read(data + "acclaim/02.asf"));
    EXPECT_FALSE(fs::exists(folder_ / "walk.amc"));
    const int status = limber(verb + " --overwrite").status;
    EXPECT_TRUE(status == 0 || status == 1) << verb << ": " << status;
    EXPECT_TRUE(read(folder_ / "walk.asf") != read(data + "acclaim/02.asf")) << verb;
  }
  // The named file is always replaced, so the option holds for every format.
  for (const char* out : {"walk.glb", "walk.gltf", "walk.bvh", "walk.asf", "walk.json", "walk.scr"})
    EXPECT_EQ(limber("convert " + data + "bvh/momentum_simple.bvh " + out + " -q --overwrite").status, 0) << out;
}

// The node of the mesh that glTF gets is no bone.
TEST_F(ToolOnFiles, KeepsTheBonesOfAMotionThatWentThroughGltf) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  fs::copy_file(data + "acclaim/02_01.amc", folder_ / "02_01.amc");
  ASSERT_EQ(limber("convert 02_01.amc walk.glb -q --frames 0:3").status, 0);
  for (const char* out : {"again.amc", "again.bvh"}) {
    ASSERT_EQ(limber(std::string("convert walk.glb ") + out + " -q").status, 0);
    const auto before = parsed(limber("info 02_01.amc --json").out),
               after = parsed(limber(std::string("info ") + out + " --json").out);
    for (const auto& bone : before["segments"]) {
      const auto found =
          std::ranges::find_if(after["segments"], [&](const auto& other) { return other["name"] == bone["name"]; });
      ASSERT_NE(found, after["segments"].end()) << bone["name"];
      EXPECT_EQ(found->value("parent", ""), bone.value("parent", "")) << bone["name"];
    }
    if (out == std::string("again.amc")) EXPECT_EQ(after["segments"].size(), before["segments"].size());
    for (const auto& bone : after["segments"]) {
      EXPECT_NE(bone["name"], "body") << out;
      EXPECT_EQ(bone.contains("parent"), bone["name"] != "root") << out;
    }
  }
}

// Each format has its own way to show where a bone ends: a length, an End Site, a node. None of them becomes a bone.
TEST_F(ToolOnFiles, GainsNoBonesOnTheWayThroughAllFormats) {
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  fs::copy_file(data + "acclaim/02_01.amc", folder_ / "02_01.amc");
  const auto names_in = [&](const std::string& file) {
    std::set<std::string> names;
    for (const auto& bone : parsed(limber("info " + file + " --json").out)["segments"]) names.insert(bone["name"]);
    return names;
  };
  for (const std::string start : {"02_01.amc", "mh.bvh"}) {
    if (start == "mh.bvh") fs::copy_file(data + "bvh/mh_walk1.bvh", folder_ / start);
    std::map<std::string, std::set<std::string>> first;
    std::string from = start;
    for (int round = 0; round < 3; ++round)  // the first one may give bones to offsets, which Acclaim lacks
      for (const std::string format : {"glb", "bvh", "amc"}) {
        const std::string to = "round" + std::to_string(round) + "." + format;
        ASSERT_EQ(limber("convert " + from + " " + to + " -q --frames 0:2").status, 0);
        from = to;
        if (round == 1) first[format] = names_in(to);
        if (round == 2) EXPECT_EQ(names_in(to), first[format]) << start << ", " << to;
      }
    if (start == "02_01.amc") EXPECT_EQ(first["amc"], names_in(start));
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().starts_with("round")) fs::remove(entry.path());
  }
}

TEST_F(ToolOnFiles, HangsAMotionFromAnotherSegment) {
  const std::string walk = data + "bvh/cmu_02_01.bvh";
  ASSERT_EQ(limber("convert " + walk + " foot.bvh -q --frames 0:40 --root LeftToeBase").status, 0);
  ASSERT_EQ(limber("convert " + walk + " foot.amc -q --frames 0:40 --root LeftToeBase").status, 0);
  const auto at = [&](const std::string& file) {
    return parsed(limber("info " + file + " --positions --frame 30 --json").out)["positions"];
  };
  const auto before = at(walk), after = at("foot.bvh");
  for (const char* place : {"Head", "LeftToeBase", "RightHand", "RightFoot"})
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(after[place]["metres"][c].get<double>(), before[place]["metres"][c].get<double>(), 1e-6) << place;
  EXPECT_EQ(parsed(limber("info foot.bvh --json").out)["segments"][0]["name"], "LeftToeBase_root");
  expect_mistake(limber("convert " + walk + " x.bvh --root LeftFin"), 2, "limber: --root: found the name 'LeftFin'");
  const std::string scene = source_dir() + "/example/scene/tube.json";
  EXPECT_LE(limber("solve " + scene + " --root left_foot -o hung.json").status, 1);
  EXPECT_NE(read(folder_ / "hung.json").find("\"root\": \"left_foot\""), std::string::npos);
}

TEST_F(ToolOnFiles, TellsWhereEverythingIsInThePoseOfAScene) {
  const std::string scene = source_dir() + "/example/scene/tube.json";
  ASSERT_NE(limber("solve " + scene + " -o posed.json").status, 5);
  const auto at = [&](const std::string& file, const std::string& frame) {
    return parsed(limber("info " + file + " --positions --json" + frame).out)["positions"]["right_palm"]["metres"];
  };
  EXPECT_EQ(at("posed.json", ""), at("posed.json", " --frame 0"));
  EXPECT_NE(at("posed.json", ""), at(scene, ""));
}

// --- Frames ---

TEST_F(ToolOnFiles, RejectsMoreFramesThanAreGoodForAnything) {
  for (const char* rate : {"1e6", "1e9", "1e300"}) {
    const std::string file = data + "bvh/mh_walk1.bvh";
    expect_mistake(limber("convert " + file + " out.bvh --fps " + rate), 3,
                   "limber: " + file + ": motion 'mh_walk1': found a frame every ");
    EXPECT_EQ(limber("convert " + data + "gltf/CesiumMan.glb out.bvh --fps " + rate).status, 3);
    EXPECT_EQ(limber("convert " + data + "gltf/CesiumMan.glb out.bvh --frames 0:9 --fps " + rate).status, 3);
  }
  EXPECT_FALSE(fs::exists(folder_ / "out.bvh"));
}

TEST_F(ToolOnFiles, CountsFramesBeforeItResamples) {
  // 24 frames a second are recorded in the one, 120 in the other.
  const std::tuple<std::string, std::string, int> cases[] = {{data + "gltf/CesiumMan.glb", " --fps 48", 49},
                                                             {data + "bvh/cmu_02_01.bvh", " --fps 60", 13}};
  for (const auto& [file, rate, frames] : cases) {
    ASSERT_EQ(limber("convert " + file + " out.bvh -q --frames 12:36" + rate).status, 0);
    EXPECT_EQ(parsed(limber("info out.bvh --json").out)["motions"][0]["frames"], frames) << file;
    ASSERT_EQ(limber("convert " + file + " out.bvh -q --frames 12:36").status, 0);
    EXPECT_EQ(parsed(limber("info out.bvh --json").out)["motions"][0]["frames"], 25) << file;
  }
}

TEST_F(ToolOnFiles, CutsOnlyTheMotionsThatAreWritten) {
  // Motion 0 has 33 frames, motion 11 has 21.
  const std::string rogue = data + "gltf/kaykit_Rogue.glb";
  EXPECT_EQ(limber("convert " + rogue + " k.bvh -q --frames 22:30").status, 0);
  EXPECT_EQ(parsed(limber("info k.bvh --json").out)["motions"][0]["frames"], 9);
  EXPECT_EQ(limber("convert " + rogue + " k.glb -q --clip 0 --frames 22:30").status, 0);
  const Answer all = limber("convert " + rogue + " k.glb --frames 22:30");
  expect_mistake(
      all, 3, "limber: " + rogue + ": found frames from 22 of motion \"2H_Melee_Attack_Spinning\"; expected below 21");
  // Where there are fewer frames than were asked for, it is said.
  const Answer fewer = limber("convert " + data + "bvh/mh_walk1.bvh w.bvh --frames 5:200");
  EXPECT_EQ(fewer.status, 0);
  EXPECT_NE(fewer.err.find("note: frames 5 to 13: there are 14, counted from 0"), std::string::npos) << fewer.err;
  EXPECT_EQ(limber("convert " + data + "bvh/mh_walk1.bvh w.bvh -q --frames 5").status, 0);
  EXPECT_EQ(parsed(limber("info w.bvh --json").out)["motions"][0]["frames"], 1);
}

TEST_F(ToolOnFiles, AnswersAWrongFrame) {
  for (const char* frame : {"-1", "x", "1.5", "99999999999999999999"}) {
    const Answer answer = limber("draw " + data + "bvh/mh_walk1.bvh -o w.svg --frame=" + frame);
    expect_mistake(answer, 2,
                   "limber: --frame: found " + std::string(frame) + "; expected the number of a frame, 0 or more\n");
    EXPECT_LT(answer.err.size(), 150u) << answer.err;
  }
  expect_mistake(limber("convert " + data + "bvh/mh_walk1.bvh w.bvh --frames 3-5"), 2,
                 "limber: --frames: found 3-5; expected a:b, a:, :b or a, counted from 0\n");
  write("late.trc",
        "PathFileType\t4\t(X/Y/Z)\tlate.trc\n"
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
        "60\t60\t2\t2\tmm\t60\t1\t2\nFrame#\tTime\ta\t\t\tb\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
        "1\t0.0\t\t\t\t\t\t\n2\t0.1\t1\t2\t3\t40\t50\t60\n");
  expect_mistake(
      limber("draw late.trc -o late.svg"), 3,
      "limber: late.trc: found no marker that is seen in frame 0; expected another frame, such as --frame 1");
  EXPECT_EQ(limber("draw late.trc -o late.svg --frame 1").status, 0);
}

// --- What is asked for and cannot be done ---

TEST_F(ToolOnFiles, RejectsOptionsThatDoNothing) {
  const std::string walk = data + "bvh/mh_walk1.bvh", man = data + "gltf/CesiumMan.glb", arm = data + "urdf/ur5.urdf";
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  for (const std::string& call : {"draw " + walk + " -o x.svg --solve",
                                  "draw " + walk + " -o x.svg --figure 02.asf",
                                  "draw " + walk + " -o x.svg --frame 1 --fps 60",
                                  "draw " + man + " -o x.svg --clip 0",
                                  "draw " + walk + " -o x.svg --skeleton 02.asf",
                                  std::string("draw arm.json -o x.svg --frame 0"),
                                  std::string("draw arm.json -o x.svg --unit cm"),
                                  std::string("draw arm.json -o x.svg --up z"),
                                  "draw arm.json " + data + "acclaim/02_01.amc -o x.svg",
                                  std::string("draw arm.json -o x.svg --fps 9"),
                                  "info " + walk + " --frame 3",
                                  "info " + walk + " --fps 60",
                                  "info " + man + " --root-offset added",
                                  std::string("info arm.json --unit cm"),
                                  "convert " + arm + " o.bvh --frames 0:3",
                                  "convert " + arm + " o.bvh --fps 3",
                                  "convert " + walk + " o.asf --frames 0:3",
                                  "convert " + walk + " o.json --unit cm",
                                  "draw " + man + " -o x.svg --fps 60",
                                  std::string("check arm.json --skeleton 02.asf")}) {
    const Answer answer = limber(call);
    expect_mistake(answer, 2, "limber: ");
    EXPECT_NE(answer.err.find(": found "), std::string::npos) << call << "\n" << answer.err;
    EXPECT_NE(answer.err.find("; expected "), std::string::npos) << call << "\n" << answer.err;
  }
  EXPECT_EQ(limber("draw " + man + " -o x.svg --fps 60 --frame 100").status, 0) << "48 frames at its own rate";
}

TEST_F(ToolOnFiles, DrawsSvgAndNothingElse) {
  const Answer piped = limber("draw " + data + "bvh/mh_walk1.bvh -o -");
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("<svg"));
  EXPECT_FALSE(fs::exists(folder_ / "-"));
  for (const char* name : {"x.png", "arm.json"})
    expect_mistake(limber(std::string("draw arm.json -o ") + name), 2,
                   std::string("limber: ") + name + ": found a name that ends in ");
  // The title says which of several motions.
  const Answer chop = limber("draw " + data + "gltf/kaykit_Rogue.glb -o - --frame 5");
  EXPECT_NE(chop.out.find("kaykit_Rogue.glb, frame 5 of motion &quot;1H_Melee_Attack_Chop&quot;"), std::string::npos);
}

TEST_F(ToolOnFiles, CallsAViewFrontWhereTheShapeSaysWhatIsLeft) {
  const auto has = [&](const std::string& file, const char* title) {
    return limber("draw " + data + file + " -o -").out.find(std::string(">") + title + "<") != std::string::npos;
  };
  EXPECT_TRUE(has("acclaim/02.asf", "Front"));
  EXPECT_TRUE(has("acclaim/02.asf", "Side, from the right"));
  EXPECT_TRUE(has("urdf/go2.urdf", "Back"));  // it looks along x
  EXPECT_TRUE(has("urdf/go2.urdf", "Side, from the right"));
  EXPECT_FALSE(has("urdf/ur5.urdf", "Front"));
  EXPECT_TRUE(has("urdf/ur5.urdf", "From +Z"));
  EXPECT_TRUE(has("urdf/ur5.urdf", "From -X"));
  EXPECT_TRUE(has("c3d/02_01.c3d", "From +Z"));
}

TEST_F(ToolOnFiles, SaysHowAGuessIsOverruled) {
  const std::string walk = data + "bvh/mh_walk1.bvh";
  EXPECT_NE(limber("info " + walk).out.find("; --unit gives another\n"), std::string::npos);
  const Answer converted = limber("convert " + walk + " w.bvh");
  EXPECT_NE(converted.err.find("; --in-unit gives another\n"), std::string::npos) << converted.err;
  for (const auto& entry : fs::directory_iterator(data + "bvh")) {
    const Answer answer = limber("info '" + entry.path().string() + "'");
    EXPECT_EQ(answer.out.find("can be set by an option"), std::string::npos) << entry.path();
  }
}

TEST_F(ToolOnFiles, HintsAtEachNameOnce) {
  // A joint, its segment and its site have one name.
  fs::copy_file(data + "acclaim/02.asf", folder_ / "02.asf");
  write("typo.json", R"({"limber": "scene 1", "figure": {"file": "02.asf"},
    "constraints": [{"handle": {"point": "rhnad"}, "goal": {"position": [0, 1, 0]}}]})");
  const Answer answer = limber("solve typo.json");
  EXPECT_EQ(answer.status, 3);
  const std::size_t first = answer.err.find("'rhand'");
  ASSERT_NE(first, std::string::npos) << answer.err;
  EXPECT_EQ(answer.err.find("'rhand'", first + 1), std::string::npos) << answer.err;
}

TEST_F(ToolOnFiles, TellsWhetherCommonNamesWork) {
  EXPECT_NE(limber("info " + data + "urdf/ur5.urdf").out.find("names: no person's"), std::string::npos);
  EXPECT_NE(limber("info " + data + "acclaim/02.asf").out.find("names: a person's; a scene may also use pelvis"),
            std::string::npos);
  EXPECT_NE(limber("info reach.json").out.find("names: the common ones are its own\n"), std::string::npos);
}

TEST_F(ToolOnFiles, ShowsWhichBoneIsWhich) {
  const Answer shown = limber("roles " + data + "gltf/CesiumMan.glb -o roles.json --picture roles.svg");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("left_knee"), std::string::npos);
  EXPECT_NE(shown.out.find("leg_joint_L_2"), std::string::npos);
  EXPECT_NE(read(folder_ / "roles.json").find("\"left_knee\": \"leg_joint_L_2\""), std::string::npos);
  EXPECT_NE(read(folder_ / "roles.svg").find("left_knee"), std::string::npos);
  const Answer arm = limber("roles " + data + "urdf/panda.urdf");
  EXPECT_EQ(arm.status, 1);
  EXPECT_NE(arm.out.find("no body that is recognised"), std::string::npos);
}

// --- Files that cannot be opened ---

TEST_F(ToolOnFiles, SaysByItsStatusThatAFileCannotBeOpened) {
  write("lost.json", R"({"limber": "scene 1", "figure": {"file": "nosuch.asf"}})");
  write("wrong.asf", ":version 1.10\n:name x\nrubbish");
  for (const char* call : {"solve reach.json --figure nosuch.asf", "draw reach.json -o x.svg --figure nosuch.asf",
                           "solve lost.json", "draw lost.json -o x.svg", "info lost.json"})
    expect_mistake(limber(call), 4, "limber: ");
  expect_mistake(limber("solve reach.json --figure wrong.asf"), 3, "limber: wrong.asf:");
  write("torn.gltf",
        R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "a"}],
            "buffers": [{"uri": "nosuch.bin", "byteLength": 4}]})");
  expect_mistake(limber("info torn.gltf"), 4, "limber: ");
}

}  // namespace content_test
}  // namespace limber::test
