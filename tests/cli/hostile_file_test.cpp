// Files that are no plain files, files outside the folder of the one that names them, files that belong together, and
// files that could not be read again.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace hostile_file_test {

// A figure of one joint, and a motion of two frames.
std::string bvh(const std::string& frame_time, const std::string& last = "0.1 0 0 0 0 0") {
  return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\n"
         "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: " +
         frame_time + "\n0 0 0 0 0 0\n" + last + "\n";
}

class HostileFile : public Tool {
 protected:
  void expect_rejected(const std::string& arguments, const std::string& found, int status) const {
    const Answer answer = limber(arguments);
    EXPECT_EQ(answer.status, status) << arguments << '\n' << answer.err;
    EXPECT_NE(answer.err.find(found), std::string::npos) << arguments << '\n' << answer.err;
  }
  void expect_no_temporary_file() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_FALSE(entry.path().filename().string().starts_with(".limber-")) << entry.path();
  }
};

TEST_F(HostileFile, ThatNeverEndsIsNotRead) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.bvh").c_str(), 0600), 0);
  expect_rejected("info /dev/zero", "found a device", 4);
  expect_rejected("info pipe.bvh", "found a named pipe", 4);
  expect_rejected("solve .", "found a folder", 4);
  write("zero.json", R"({"limber": "scene 1", "figure": {"file": "/dev/zero"}})");
  expect_rejected("--allow-outside solve zero.json", "found a device", 4);
  write("pipe.gltf", R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "pipe.bvh", "byteLength": 4}]})");
  expect_rejected("info pipe.gltf", "found a named pipe", 4);
  expect_rejected("reach arm.json --handle tip --map pipe.bvh", "found a named pipe", 4);
}

TEST_F(HostileFile, OutsideTheFolderOfASceneNeedsLeave) {
  fs::create_directory(folder_ / "inner");
  write("figure.bvh", bvh("0.03"));
  for (const std::string& name : {std::string("../figure.bvh"), (folder_ / "figure.bvh").string()}) {
    write("inner/scene.json", R"({"limber": "scene 1", "figure": {"file": ")" + name + "\"}}");
    for (const std::string verb : {"info", "draw -o picture.svg", "solve"})
      expect_rejected(verb + " inner/scene.json", "--allow-outside", 3);
    EXPECT_EQ(limber("info inner/scene.json --allow-outside").status, 0);
    EXPECT_EQ(limber("--allow-outside info inner/scene.json").status, 0);
  }
  write("scene.json", R"({"limber": "scene 1", "figure": {"file": "figure.bvh"}})");
  const Answer answer = limber("solve scene.json -o inner/posed.json");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.err.find("--allow-outside"), std::string::npos) << answer.err;
}

TEST_F(HostileFile, BehindALinkOrAZeroByteIsOutside) {
  fs::create_directory(folder_ / "inner");
  write("figure.bvh", bvh("0.03"));
  write("inner/own.bvh", bvh("0.03"));
  fs::create_symlink(folder_ / "figure.bvh", folder_ / "inner/link.bvh");
  fs::create_symlink(folder_ / "inner", folder_ / "way");
  fs::create_symlink("own.bvh", folder_ / "inner/near.bvh");
  const auto scene_of = [&](const std::string& name) {
    write("inner/scene.json", R"({"limber": "scene 1", "figure": {"file": ")" + name + "\"}}");
  };
  scene_of("link.bvh");
  expect_rejected("solve inner/scene.json", "a link out of the folder", 3);
  expect_rejected("solve way/scene.json", "a link out of the folder", 3);
  EXPECT_EQ(limber("solve inner/scene.json --allow-outside").status, 0);
  scene_of("near.bvh");
  EXPECT_EQ(limber("solve inner/scene.json").status, 0);
  EXPECT_EQ(limber("solve way/scene.json").status, 0);
  scene_of("own.bvh\\u0000.txt");
  expect_rejected("solve inner/scene.json", "a name without a zero byte", 3);
  expect_rejected("solve inner/scene.json --allow-outside", "a name without a zero byte", 3);
  fs::create_symlink("/dev/zero", folder_ / "inner/buffer.bin");
  write("inner/link.gltf", R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "buffer.bin", "byteLength": 4}]})");
  expect_rejected("info inner/link.gltf", "a link out of the folder", 3);
}

// A pair is the old one or the new one: the motion cannot be written, so the skeleton stays as it was.
TEST_F(HostileFile, ThatCannotBeWrittenLeavesItsPairAlone) {
  write("a.bvh", bvh("0.03"));
  ASSERT_EQ(limber("convert a.bvh pair.amc -q").status, 0);
  const std::string asf = read(folder_ / "pair.asf"), amc = read(folder_ / "pair.amc");
  std::string longer = bvh("0.03");
  longer.replace(longer.find("0 1 0"), 5, "0 2 0");
  std::string frames;
  for (int k = 0; k < 400; ++k) frames += "0 0 0 0 0 0\n";
  longer.replace(longer.find("Frames: 2"), 9, "Frames: 402");
  write("b.bvh", longer + frames);
  const Answer full =
      limber("--version; trap '' XFSZ; ulimit -f 8; '" + tool_path() + "' convert b.bvh pair.amc --overwrite -q");
  EXPECT_EQ(full.status, 4) << full.err;
  EXPECT_EQ(read(folder_ / "pair.asf"), asf);
  EXPECT_EQ(read(folder_ / "pair.amc"), amc);
  EXPECT_EQ(limber("info pair.amc").status, 0);
  // The second file of a pair cannot be written at all.
  fs::remove(folder_ / "pair.amc");
  fs::create_directory(folder_ / "pair.amc");
  write("pair.amc/inside", "");
  EXPECT_NE(limber("convert b.bvh pair.amc --overwrite -q").status, 0);
  EXPECT_EQ(read(folder_ / "pair.asf"), asf);
  expect_no_temporary_file();
}

TEST_F(HostileFile, KeepsTheOwnerAndMayHaveTheLongestName) {
  const std::string name = std::string(250, 'n') + ".bvh";
  write("a.bvh", bvh("0.03"));
  EXPECT_EQ(limber("convert a.bvh " + name + " -q").status, 0);
  EXPECT_FALSE(read(folder_ / name).empty());
  if (::geteuid() != 0) return;  // only the administrator may give files away
  write("owned.bvh", "");
  ASSERT_EQ(::chown((folder_ / "owned.bvh").c_str(), 1234, 2345), 0);
  EXPECT_EQ(limber("convert a.bvh owned.bvh --overwrite -q").status, 0);
  struct stat status = {};
  ASSERT_EQ(::stat((folder_ / "owned.bvh").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 2345u);
}

TEST_F(HostileFile, ThatCouldNotBeReadAgainIsNotWritten) {
  write("far.bvh", bvh("0.03", "1e300 0 0 0 0 0"));
  expect_rejected("convert far.bvh far.glb -q", "could not be read again", 3);
  write("short.bvh", bvh("1e-308"));
  expect_rejected("convert short.bvh short.glb -q", "could not be read again", 3);
  EXPECT_EQ(limber("convert short.bvh slow.bvh --fps 1e-10 -q").status, 0);  // the step between frames is infinite
  EXPECT_FALSE(fs::exists(folder_ / "far.glb"));
  EXPECT_FALSE(fs::exists(folder_ / "short.glb"));
}

TEST_F(HostileFile, OfAnotherKindIsNamed) {
  write("a.bvh", bvh("0.03"));
  write("walk.script", "length 1\nkey 0\n");
  write("model.osim", "<?xml version=\"1.0\"?><OpenSimDocument Version=\"40000\"></OpenSimDocument>");
  expect_rejected("solve a.bvh", "found a file in the format BVH; expected a scene", 3);
  expect_rejected("solve a.bvh", "limber info, check, draw and convert read it", 3);
  expect_rejected("animate a.bvh walk.script", "found a file in the format BVH; expected a scene", 3);
  expect_rejected("animate arm.json a.bvh", "found a file in the format BVH; expected a motion script", 3);
  expect_rejected("info walk.script", "found a motion script; expected a figure or a motion. limber animate", 3);
  expect_rejected("solve model.osim", "found a file of an unknown kind; expected a scene", 3);
  write("empty.json", "");
  expect_rejected("solve empty.json", "found an empty file; expected a scene", 3);
  ASSERT_EQ(limber("prior a.bvh -o prior.json").status, 0);
  for (const std::string verb : {"info prior.json", "solve prior.json", "animate arm.json prior.json"})
    expect_rejected(verb, "found a pose prior; expected a", 3);
  expect_rejected("animate walk.script arm.json", "found a motion script; expected a scene", 3);
  expect_rejected("animate arm.json arm.json", "found a scene; expected a motion script", 3);
  expect_rejected("attach a.bvh", "found one file; expected two", 2);
  expect_rejected("attach arm.json arm.json -o marks.json", "found a scene; expected a figure or a motion", 3);
  expect_rejected("info model.osim", "unknown kind", 3);
  const Answer full = limber("draw arm.json -o - 3>&1 >/dev/full");
  EXPECT_EQ(full.status, 4);
  EXPECT_EQ(full.err.find("standard input"), std::string::npos) << full.err;
  expect_rejected("reach human --handle right_palm --from right_shoulder --resolution 2", "options, resolution", 3);
}

TEST_F(HostileFile, WithLimitsThatContradictEachOtherIsWrong) {
  EXPECT_EQ(limber("check arm.json").status, 0);
  std::string scene = read(folder_ / "arm.json");
  scene.replace(scene.find("\"sites\""), 0, R"("limits": [{"name": "up", "terms": {"elbow.bend": -1}, "at_most": -60},
    {"name": "down", "terms": {"elbow.bend": 1}, "at_most": 50}],)");
  write("scene.json", scene);
  expect_rejected("solve scene.json", "down", 3);
  const Answer answer = limber("check scene.json");
  EXPECT_EQ(answer.status, 3) << answer.out;
  EXPECT_NE(answer.out.find("down"), std::string::npos) << answer.out;
}

}  // namespace hostile_file_test
}  // namespace limber::test
