// Reading BVH: the truth files, unspecified properties, and dialects.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/figure/human.h"
#include "limber/format/text/json.h"
#include "limber/format/text/text.h"
#include "tests/format/bvh/bvh_sample.h"

namespace limber {
namespace bvh_read_test {

using namespace bvh_sample;

TEST(BvhRead, PlacesEveryJointAndTipAsInTheTruthFile) {
  constexpr double tolerance = 1e-6;  // of the file's unit
  int files = 0;
  for (const std::filesystem::path& path : bvh_files()) {
    const std::string truth_text = read_sample(data_folder() / "truth" / ("bvh_" + path.stem().string() + ".json"));
    JsonDocument truth(truth_text, "truth");
    for (const bool replaced : {false, true}) {
      ReadOptions options;
      options.root_offset = replaced ? RootOffset::replaced : RootOffset::added;
      const Content content = read_file(path, options);
      ASSERT_EQ(content.clips.size(), 1u);
      const Clip& clip = content.clips.front();
      EXPECT_EQ(clip.frames(), truth.root()["frames_in_file"].number());
      EXPECT_EQ(clip.frame_time, truth.root()["frame_time"].number());
      double worst = 0.0;
      for (const JsonValue frame : truth.root()["frames"]) {
        const Places found = places(*content.figure, clip.pose(frame["frame_index"].integer(0, clip.frames() - 1)));
        EXPECT_EQ(found.size(), truth.root()["joints"].size());
        // Where there is no OFFSET beside position channels the two are the same.
        const JsonValue expected = frame[replaced && frame["pos_replaced"].exists() ? "pos_replaced" : "pos_added"];
        auto position = expected.begin();
        for (const JsonValue name : truth.root()["joints"]) {
          ASSERT_TRUE(found.contains(name.text())) << path << " " << name.text();
          worst = std::fmax(worst, (content.space.in_file(found.at(name.text())) - (*position).vector()).norm());
          ++position;
        }
      }
      EXPECT_LE(worst, tolerance) << path << (replaced ? " replaced" : " added");
      ++files;
    }
    EXPECT_FALSE(truth.error()) << truth.error()->text();
  }
  EXPECT_EQ(files, 2 * 19);
}

TEST(BvhRead, GuessesTheUnitAndTheUpAxisAndNotesIt) {
  struct Case {
    const char* file;
    const char* unit;
    Up up;
  };
  for (const Case& c :
       {Case{"cmu_02_01", "cmu", Up::y}, Case{"max_131_03", "cmu", Up::y}, Case{"mh_walk1", "dm", Up::z},
        Case{"mh_dance1", "dm", Up::z}, Case{"mh_tpose", "dm", Up::z}, Case{"mh_benchmark", "dm", Up::z},
        Case{"pybvh_test2", "cm", Up::y}, Case{"three_pirouette", "cm", Up::y}, Case{"bvhio_example", "in", Up::y},
        Case{"usdbvh_test", "m", Up::y}}) {
    const Content content = read_file(data_folder() / "bvh" / (std::string(c.file) + ".bvh"));
    EXPECT_EQ(unit_name(content.space.metres_per_unit), c.unit) << c.file;
    EXPECT_EQ(content.space.up, c.up) << c.file;
    EXPECT_FALSE(content.space.unit_is_stated);
    EXPECT_TRUE(has_note(content.notes, "the unit is not stated")) << c.file;
    EXPECT_EQ(has_note(content.notes, "the up axis"), c.up == Up::z) << c.file;
  }
}

TEST(BvhRead, MakesEveryPersonUprightAndOfHumanSize) {
  for (const char* file : {"cmu_13_11", "max_131_03", "mh_walk1", "mh_tpose", "mh_dance1", "pybvh_test2",
                           "three_pirouette", "bvhio_example"}) {
    const Content content = read_file(data_folder() / "bvh" / (std::string(file) + ".bvh"));
    double least = infinity, most = -infinity;
    for (const auto& [name, place] : places(*content.figure, content.clips.front().pose(0))) {
      least = std::fmin(least, place.y());
      most = std::fmax(most, place.y());
    }
    EXPECT_GT(most - least, 1.2) << file;
    EXPECT_LT(most - least, 2.1) << file;
  }
}

TEST(BvhRead, TakesTheGivenUnitAndAxis) {
  ReadOptions options;
  options.metres_per_unit = 0.5;
  options.up = Up::z;
  const Content content = read_file(data_folder() / "bvh" / "momentum_simple.bvh", options);
  EXPECT_EQ(content.space.metres_per_unit, 0.5);
  EXPECT_TRUE(content.space.unit_is_stated);
  EXPECT_TRUE(content.notes.empty());
  // Frame 1: the root at (1, 2, 3); z is up.
  EXPECT_LE((places(*content.figure, content.clips[0].pose(1)).at("Hips") - Vec3(0.5, 1.5, -1.0)).norm(), 1e-12);
}

TEST(BvhRead, ReadsAnOffsetWithPositionsByItsRule) {
  const auto y_of = [](const Content& content, const char* site) {
    return content.space.in_file(places(*content.figure, content.clips[0].pose(0)).at(site)).y();
  };
  // A root: replaced where frame 0 has the OFFSET.
  const Content same = read(one_bone("0 9 0", "1 Xrotation", "0 9.0001 0 0 0 0 0\n0 8 0 0 0 0 0\n"));
  EXPECT_NEAR(y_of(same, "hip"), 9.0001, 1e-9);
  EXPECT_TRUE(has_note(same.notes, "in place of the OFFSET"));
  const int ty = *same.figure->find_parameter("hip.ty");
  EXPECT_NEAR(same.figure->parameters()[ty].range.rest, 9 * same.space.metres_per_unit, 1e-12);
  // Else so that the figure, whose tip is 9 below the root, is on the floor: a motion that was cut, and one that is
  // relative to the rest pose.
  const Content cut = read(one_bone("50 9 0", "1 Xrotation", "90 8.7 3 0 0 0 0\n91 9 3 0 0 0 0\n"));
  EXPECT_NEAR(y_of(cut, "hip"), 8.7, 1e-9);
  EXPECT_TRUE(has_note(cut.notes, "in place of the OFFSET"));
  EXPECT_TRUE(has_note(cut.notes, "closer to the floor"));
  const Content relative = read(one_bone("0 9 0", "1 Xrotation", "90 0.5 3 0 0 0 0\n91 0.1 3 0 0 0 0\n"));
  EXPECT_NEAR(y_of(relative, "hip"), 9.5, 1e-9);
  EXPECT_TRUE(has_note(relative.notes, "added to the OFFSET"));
  // A person who lies from the first frame to the last.
  const Content lying = read(one_bone("0 9 0", "1 Xrotation", "90 1 3 0 90 0 0\n91 1 3 0 90 0 0\n"));
  EXPECT_NEAR(y_of(lying, "hip"), 1.0, 1e-9);
  // Heights are along z if that is up.
  const Content z_up = read(one_bone("0 0 9", "1 Xrotation", "90 3 8.5 0 90 0 0\n"), {.up = Up::z});
  EXPECT_LE((z_up.space.in_file(places(*z_up.figure, z_up.clips[0].pose(0)).at("hip")) - Vec3(90, 3, 8.5)).norm(),
            1e-9);
  // A bone: replaced where frame 0 is nearer to the OFFSET than to zero. The root follows.
  const Content near = read(one_bone("0 9 0", "3 Xposition Yposition Zposition", "0 8 0 0 0 0 0 -3 0\n"));
  EXPECT_NEAR(y_of(near, "hip"), 8.0, 1e-9);
  EXPECT_NEAR(y_of(near, "knee"), 5.0, 1e-9);
  const Content far = read(one_bone("0 9 0", "3 Xposition Yposition Zposition", "0 8 0 0 0 0 0 -1 0\n"));
  EXPECT_NEAR(y_of(far, "hip"), 17.0, 1e-9);
  EXPECT_NEAR(y_of(far, "knee"), 12.0, 1e-9);
  // Only what has a channel is replaced.
  const Content part = read(one_bone("0 0 0", "1 Xposition", "0 0 0 0 0 0 1\n"), {.root_offset = RootOffset::replaced});
  EXPECT_NEAR(y_of(part, "knee"), -4.0, 1e-9);
  // Without frames, the rest pose is the OFFSETs either way.
  for (const RootOffset reading : {RootOffset::added, RootOffset::replaced}) {
    const Content still = read(one_bone("1 2 3", "3 Xposition Yposition Zposition", ""), {.root_offset = reading});
    EXPECT_TRUE(still.clips.empty());
    EXPECT_LE((still.space.in_file(places(*still.figure, still.figure->rest()).at("knee_End")) - Vec3(1, -7, 3)).norm(),
              1e-9);
  }
}

TEST(BvhRead, RotatesInTheOrderOfTheListRegardlessOfPositions) {
  const std::string head = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 ";
  const std::string tail = "\nEnd Site\n{\nOFFSET 1 2 3\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n";
  const Mat3 R = rotation(Vec3::UnitY(), radians(20)) * rotation(Vec3::UnitX(), radians(30)) *
                 rotation(Vec3::UnitZ(), radians(40));
  const Vec3 tip = R * Vec3(1, 2, 3) + Vec3(7, 8, 9);
  for (const auto& [channels, row] :
       {std::pair{"Xposition Yposition Zposition Yrotation Xrotation Zrotation", "7 8 9 20 30 40\n"},
        std::pair{"Yrotation Xrotation Zrotation Zposition Yposition Xposition", "20 30 40 9 8 7\n"},
        std::pair{"Yrotation Yposition Xrotation Zposition Zrotation Xposition", "20 8 30 9 40 7\n"}}) {
    const Content content = read(head + channels + tail + row, {.metres_per_unit = 1.0, .up = Up::y});
    EXPECT_LE((places(*content.figure, content.clips[0].pose(0)).at("a_End") - tip).norm(), 1e-12) << channels;
  }
}

TEST(BvhRead, TakesAnyChannelsSeveralRootsAndOddNames) {
  const Content content = read(
      "HIERARCHY\n"
      "ROOT left hand: x.1\n{\n OFFSET 1 0 0\n CHANNELS 0\n JOINT a b\n {\n  OFFSET 0 1 0\n  CHANNELS 2 Zrotation "
      "Zrotation\n"
      "  End Site\n  {\n  }\n  End Site toe\n  {\n   OFFSET 0 1 0\n  }\n }\n}\n"
      "ROOT a b {\n OFFSET 5 0 0\n CHANNELS 1 Yposition\n JOINT\n {\n  OFFSET 1 0 0\n }\n}\n"
      "MOTION\nFrames: 2\nFrame Time: 0.5\n30 60 2\n1e1 +2.0E+01 -3\n");
  const Figure& figure = *content.figure;
  ASSERT_EQ(figure.segments().size(), 4u);
  EXPECT_EQ(figure.segments()[0].name, "left hand: x.1");
  EXPECT_EQ(figure.segments()[1].name, "a b");
  EXPECT_EQ(figure.segments()[2].name, "a b_2");
  EXPECT_EQ(figure.segments()[3].name, "joint");
  EXPECT_EQ(figure.segments()[2].parent, no_parent);
  ASSERT_EQ(figure.freedoms().size(), 3u);
  EXPECT_EQ(figure.freedoms()[1].name, "a b.rz_2");
  EXPECT_EQ(figure.freedoms()[2].name, "a b_2.ty");
  EXPECT_EQ(content.clips[0].duration(), 0.5);
  const Places now = places(figure, content.clips[0].pose(0));
  const auto in_file = [&](const char* name) { return content.space.in_file(now.at(name)); };
  EXPECT_LE((in_file("toe") - Vec3(0, 1, 0)).norm(), 1e-9);  // a quarter turn takes y to -x
  EXPECT_LE((in_file("a b_End") - Vec3(1, 1, 0)).norm(), 1e-9);
  EXPECT_LE((in_file("joint") - Vec3(6, 2, 0)).norm(), 1e-9);
  EXPECT_TRUE(has_note(content.notes, "a second joint \"a b\""));
  EXPECT_TRUE(has_note(content.notes, "no CHANNELS"));
}

// The same figure and motion in another layout.
TEST(BvhRead, AcceptsAnyLayout) {
  const std::string plain = read_sample(data_folder() / "bvh" / "momentum_simple.bvh");
  const Content expected = read(plain);
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  std::string small = plain, large = plain;
  for (char& c : small) c = static_cast<char>(std::tolower(c));
  for (char& c : large) c = static_cast<char>(std::toupper(c));
  struct Variant {
    const char* what;
    std::string text;
    const char* note;  // empty: as the plain one
  };
  const std::vector<Variant> variants = {
      {"CRLF", replaced(plain, "\n", "\r\n"), ""},
      {"CR", replaced(plain, "\n", "\r"), ""},
      {"tabs", replaced(plain, " ", "\t"), ""},
      {"BOM", "\xEF\xBB\xBF" + plain, ""},
      {"small letters", small, ""},
      {"capital letters", large, ""},
      {"no last newline", plain.substr(0, plain.find_last_not_of("\n") + 1), ""},
      {"blank lines", replaced(plain, "\n", "\n\n  \n"), ""},
      {"blanks at the ends", replaced(plain, "\n", " \t \n"), ""},
      {"braces beside the names", replaced(replaced(plain, "\n{", " {"), "\n  {", "{"), ""},
      {"broken lines", replaced(replaced(plain, "CHANNELS ", "CHANNELS\n"), " Zrotation", "\nZrotation"), ""},
      {"names on the next line", replaced(plain, "ROOT ", "ROOT\n  "), ""},
      {"blanks around colons", replaced(replaced(plain, "Frames:", "Frames : "), "Time:", "Time :"), ""},
      {"no blanks after colons", replaced(replaced(plain, "Frames: ", "Frames:"), "Time: ", "Time:"), ""},
      {"wrapped rows", replaced(plain, " 5.0 10.0 15.0 ", "\n5.0 10.0 15.0 "), "stream"},
      {"joined rows", replaced(plain, "\n1.0 2.0", " 1.0 2.0"), "stream"},
      {"more rows", plain + "\n1 2 3\n", "ignored"},
      {"text after the rows", plain + "\nEND", "ignored"},
  };
  for (const Variant& variant : variants) {
    EXPECT_NE(variant.text, plain) << variant.what;
    const Expected<Content> content = read_bvh(variant.text, "f.bvh");
    ASSERT_TRUE(content) << variant.what << ": " << content.error().text();
    ASSERT_EQ(content->figure->parameters().size(), expected.figure->parameters().size()) << variant.what;
    EXPECT_EQ(content->clips[0].poses, expected.clips[0].poses) << variant.what;
    EXPECT_EQ(content->clips[0].frame_time, expected.clips[0].frame_time) << variant.what;
    for (std::size_t s = 0; s < content->figure->segments().size(); ++s) {
      const std::string& name = expected.figure->segments()[s].name;
      EXPECT_TRUE(equal_ignoring_case(content->figure->segments()[s].name, name)) << variant.what;
      EXPECT_EQ(content->figure->joints()[s].in_parent.p, expected.figure->joints()[s].in_parent.p) << variant.what;
    }
    EXPECT_EQ(content->notes.size(), expected.notes.size() + (variant.note[0] == '\0' ? 0 : 1)) << variant.what;
    EXPECT_TRUE(has_note(content->notes, variant.note)) << variant.what;
  }
}

TEST(BvhRead, ReadsNumbersWithoutABlankBetweenThemAndNotesIt) {
  const std::string text = one_bone("0 0 0", "1 Xrotation", "0.0-7.5 1e-2-3 0 0+5\n");
  const Content content = read(text, {.metres_per_unit = 1.0, .up = Up::y});
  const VecX theta = content.clips[0].poses.col(0);
  EXPECT_EQ(theta[1], -7.5);
  EXPECT_EQ(theta[2], 0.01);
  EXPECT_EQ(theta[3], radians(-3.0));
  EXPECT_EQ(theta[6], radians(5.0));
  ASSERT_EQ(content.notes.size(), 1u);
  EXPECT_EQ(content.notes[0].line, 19);
  EXPECT_EQ(content.notes[0].column, 4);
}

TEST(BvhRead, TakesAFileWithoutFramesAndOneWithoutMotion) {
  const std::string still = one_bone("0 0 0", "1 Xrotation", "");
  EXPECT_TRUE(read(still).clips.empty());
  EXPECT_FALSE(has_note(read(still).notes, "MOTION"));
  EXPECT_TRUE(read(still.substr(0, still.find("Frame Time"))).clips.empty());
  const Content figure = read(still.substr(0, still.find("MOTION")));
  EXPECT_TRUE(figure.clips.empty());
  EXPECT_TRUE(has_note(figure.notes, "no MOTION"));
}

TEST(BvhRead, GivesAFigureOrADiagnosticForEveryPrefix) {
  int figures = 0, diagnostics = 0;
  for (const std::filesystem::path& path : bvh_files()) {
    const std::string text = read_sample(path);
    if (text.size() > 4000) continue;
    for (std::size_t size = 0; size < text.size(); size += static_cast<std::size_t>(stride(17))) {
      const Expected<Content> content = read_bvh(text.substr(0, size), "f");
      if (content) {
        ++figures;
        ASSERT_TRUE(content->figure);
        ASSERT_TRUE(write_bvh(*content, first_clip(*content)));
      } else {
        ++diagnostics;
        ASSERT_GT(content.error().line, 0) << content.error().text();
      }
    }
  }
  EXPECT_GT(figures * stride(17), 20);
  EXPECT_GT(diagnostics * stride(17), 5000);
}

TEST(BvhRead, TakesAChainOfTenThousandJoints) {
  const int count = max_joints / stride(10);
  std::string text = "HIERARCHY\n", tail;
  for (int k = 0; k < count; ++k) {
    text += (k == 0 ? "ROOT j" : "JOINT j") + std::to_string(k) + "{OFFSET 0 1 0 ";
    tail += "}";
  }
  const Content content = read(text + tail);
  EXPECT_EQ(content.figure->segments().size(), static_cast<std::size_t>(count));
  const Content again = read(good(write_bvh(content, nullptr)).bytes);
  EXPECT_EQ(again.figure->segments().size(), static_cast<std::size_t>(count));
}

}  // namespace bvh_read_test
}  // namespace limber
