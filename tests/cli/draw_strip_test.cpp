// The tool draws whole motions: pages and films. What makes films is another program; a stand-in takes its place.
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace draw_strip_test {

class ToolOnMotions : public Tool {
 protected:
  // A program in a folder of its own, which is then all of PATH but for the shell's.
  void stand_in(const std::string& script) const {
    fs::create_directory(folder_ / "bin");
    std::ofstream(folder_ / "bin/ffmpeg") << "#!/bin/sh\n" << script;
    fs::permissions(folder_ / "bin/ffmpeg", fs::perms::owner_all);
  }
  // With no other program than the stand-in, and temporary files in a folder of the test.
  Answer alone(const std::string& arguments) const {
    fs::create_directories(folder_ / "bin");
    fs::create_directory(folder_ / "tmp");
    return limber_with("PATH=bin TMPDIR='" + (folder_ / "tmp").string() + "' ", arguments);
  }
  Answer limber_with(const std::string& environment, const std::string& arguments) const {
    const std::string command =
        "cd '" + folder_.string() + "' && " + environment + "'" + tool_path() + "' " + arguments;
    const int status = std::system(
        ("{ " + command + "\n} >'" + (folder_ / ".out").string() + "' 2>'" + (folder_ / ".err").string() + "'")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder_ / ".out"), read(folder_ / ".err")};
  }
  bool distance_outside() const { return fs::exists(folder_ / "tmp") && !fs::is_empty(folder_ / "tmp"); }

  const std::string data_ = source_dir() + "/data/";
  const std::string motion_ = data_ + "bvh/cmu_02_01.bvh", man_ = data_ + "gltf/CesiumMan.glb";
};

int how_often(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + 1)) ++n;
  return n;
}

// --- Pages ---

TEST_F(ToolOnMotions, PutsAMotionOnAPage) {
  const Answer answer = limber("draw " + motion_ + " -o walk.svg --strip");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.out + answer.err, "");
  const std::string page = read(folder_ / "walk.svg");
  EXPECT_EQ(how_often(page, "class=\"frame\""), 12);
  for (const char* place : {"left_ball", "right_ball", "left_hand", "right_hand", "head"})
    EXPECT_EQ(how_often(page, ">" + std::string(place) + "<"), 1) << place;
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_EQ(limber("draw " + motion_ + " -o - --strip").out, page);
}

TEST_F(ToolOnMotions, TakesThePlacesAndFramesThatAreAskedFor) {
  const Answer answer = limber("draw " + data_ + "acclaim/02_01.amc -o w.svg --strip --trace left_toe,right_toe " +
                               "--frames-shown 5 --ghosts 0 --contact right_toe:0.2:0.6 --contact lowerback:0:1");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const std::string page = read(folder_ / "w.svg");
  EXPECT_EQ(how_often(page, "class=\"frame\""), 5);
  EXPECT_EQ(how_often(page, "class=\"path\""), 3);
  EXPECT_EQ(how_often(page, "class=\"contact\""), 2);
  EXPECT_EQ(how_often(page, "class=\"ghost\""), 4) << "in the whole motion only";
  // A figure of no rig that is known: the ends of its limbs.
  EXPECT_EQ(limber("draw " + man_ + " -o man.svg --strip --clip 0 --fps 60").status, 0);
  EXPECT_EQ(how_often(read(folder_ / "man.svg"), "class=\"path\""), 5);
  EXPECT_EQ(how_often(read(folder_ / "man.svg"), ">121 frames, 60 per second"), 1);
}

TEST_F(ToolOnMotions, ComparesTwoMotionsOfOneFigure) {
  ASSERT_EQ(limber("convert " + motion_ + " part.bvh --frames 0:100 -q").status, 0);
  const Answer answer = limber("draw " + motion_ + " -o c.svg --strip --compare part.bvh");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(how_often(read(folder_ / "c.svg"), "class=\"before\""), 5);
  EXPECT_EQ(how_often(read(folder_ / "c.svg"), ">part.bvh<"), 1);
  // Two AMC files share the skeleton of the first.
  fs::copy_file(data_ + "acclaim/02_03.amc", folder_ / "other.amc");
  EXPECT_EQ(
      limber("draw " + data_ + "acclaim/02.asf " + data_ + "acclaim/02_01.amc -o d.svg --strip --compare other.amc")
          .status,
      0);
  expect_mistake(limber("draw " + motion_ + " -o x.svg --strip --compare " + man_), 3,
                 "limber: " + man_ + ": found a motion of another figure; expected one of the figure of " + motion_);
  expect_mistake(limber("draw " + motion_ + " -o x.svg --strip --compare nowhere.bvh"), 4, "limber: nowhere.bvh");
}

// --- Films ---

TEST_F(ToolOnMotions, SaysWhatMakesAFilm) {
  for (const char* name : {"w.gif", "w.MP4"}) {
    expect_mistake(
        alone("draw " + motion_ + " -o " + name), 4,
        "limber: film: found no program 'ffmpeg'; expected ffmpeg with librsvg on PATH, which makes films of "
        "pictures; on Debian: apt-get install ffmpeg");
    EXPECT_FALSE(fs::exists(folder_ / name));
  }
  EXPECT_FALSE(distance_outside());
}

TEST_F(ToolOnMotions, GivesFramesToTheProgramThatMakesFilms) {
  // Tells what it was called with, and the frames, in place of a film.
  stand_in(
      "printf '%s\\n' \"$@\" > \"$TMPDIR/../words\"\nfor last; do :; done\n"
      "n=0; for f in frame_*.svg; do n=$((n+1)); done\n"
      "{ read -r line < frame_000000.svg; echo \"$n $line\"; printf 'zero\\000after'; } > \"$last\"\n");
  const Answer answer = alone("draw " + motion_ + " -o 'a film; $(x).mp4'");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const std::string film = read(folder_ / "a film; $(x).mp4");
  // 343 frames at 120 a second: at 30 a second, 2.85 s are 86 frames.
  EXPECT_TRUE(film.starts_with("86 <svg ")) << film.substr(0, 80);
  EXPECT_TRUE(film.ends_with(std::string("zero\0after", 10))) << "all bytes, as they are";
  const std::string words = read(folder_ / "words");
  EXPECT_NE(words.find("-framerate\n30\n"), std::string::npos) << words;
  EXPECT_NE(words.find("frame_%06d.svg\n"), std::string::npos);
  EXPECT_TRUE(words.ends_with("film.mp4\n"));
  EXPECT_FALSE(distance_outside());
  EXPECT_TRUE(alone("draw " + man_ + " -o - --gif").out.starts_with("49 <svg ")) << "24 a second, as recorded";
}

TEST_F(ToolOnMotions, LeavesNothingWhereTheFilmFails) {
  stand_in("echo 'first line' >&2\necho 'no such codec' >&2\nexit 7\n");
  const Answer answer = alone("draw " + motion_ + " -o w.gif");
  expect_mistake(answer, 4, "limber: " + (folder_ / "bin/ffmpeg").string() + ": found exit status 7 (no such codec);");
  EXPECT_FALSE(fs::exists(folder_ / "w.gif"));
  EXPECT_FALSE(distance_outside());
}

TEST_F(ToolOnMotions, RemovesItsFramesWhenItIsInterrupted) {
  stand_in("kill -TERM $PPID\nfor last; do :; done\necho film > \"$last\"\n");
  EXPECT_NE(alone("draw " + man_ + " -o w.gif").status, 0);
  EXPECT_FALSE(distance_outside());
}

// --- What does not go together ---

TEST_F(ToolOnMotions, RejectsOptionsOfPagesThatDoNothing) {
  for (const std::string& call : {"draw " + motion_ + " -o x.svg --trace head",
                                  "draw " + motion_ + " -o x.svg --frames-shown 3",
                                  "draw " + motion_ + " -o x.svg --ghosts 3",
                                  "draw " + motion_ + " -o x.svg --contact head:0:1",
                                  "draw " + motion_ + " -o x.svg --compare " + motion_,
                                  "draw " + motion_ + " -o x.gif --trace head",
                                  "draw " + motion_ + " -o x.svg --strip --frame 3",
                                  "draw " + motion_ + " -o x.gif --frame 3",
                                  "draw " + motion_ + " -o x.svg --strip --solve",
                                  "draw " + motion_ + " -o x.svg --strip --fps 20",
                                  "draw " + motion_ + " -o x.gif --strip",
                                  "draw " + motion_ + " -o x.svg --gif",
                                  "draw " + motion_ + " -o x.gif --mp4",
                                  "draw " + motion_ + " -o - --gif --mp4",
                                  "draw " + motion_ + " -o - --gif --strip",
                                  "draw " + motion_ + " -o x.png",
                                  "draw " + motion_ + " -o x.svg --strip --frames-shown 0",
                                  "draw " + motion_ + " -o x.svg --strip --ghosts 1.5",
                                  "draw " + motion_ + " -o x.svg --strip --contact head:2:1",
                                  "draw " + motion_ + " -o x.svg --strip --contact head",
                                  std::string("draw arm.json -o x.svg --strip"),
                                  std::string("draw arm.json -o x.gif")}) {
    expect_mistake(limber(call), 2, "limber: ");
    EXPECT_FALSE(fs::exists(folder_ / "x.svg") || fs::exists(folder_ / "x.gif")) << call;
  }
}

TEST_F(ToolOnMotions, AnswersFilesWithoutAMotion) {
  expect_mistake(limber("draw " + data_ + "urdf/ur5.urdf -o x.svg --strip"), 3,
                 "limber: " + data_ + "urdf/ur5.urdf: found no motion; expected a figure with a motion");
  expect_mistake(limber("draw " + data_ + "trc/exampleFormat.trc -o x.svg --strip"), 3,
                 "limber: " + data_ + "trc/exampleFormat.trc: found markers without a figure");
  expect_mistake(limber("draw " + motion_ + " -o x.svg --strip --trace left_tow"), 3,
                 "limber: " + motion_ + ": figure 'cmu_02_01': found the name 'left_tow'; expected");
  EXPECT_FALSE(fs::exists(folder_ / "x.svg"));
}

}  // namespace draw_strip_test
}  // namespace limber::test
