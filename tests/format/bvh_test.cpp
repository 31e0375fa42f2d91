// BVH: the truth files, what the file leaves open, dialects, and the way back.
#include "limber/format/bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "limber/base/number.h"
#include "limber/figure/human.h"
#include "limber/format/json.h"
#include "limber/kinematics/forward.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"

namespace limber {
namespace {

using testing::good;

const std::filesystem::path data = std::filesystem::path(LIMBER_SOURCE_DIR) / "data";

std::vector<std::filesystem::path> bvh_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data / "bvh")) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Content read(std::string_view text, const ReadOptions& options = {}) { return good(read_bvh(text, "f.bvh", options)); }
Content read_file(const std::filesystem::path& path, const ReadOptions& options = {}) {
  return good(read_bvh(read_sample(path), path.filename().string(), options));
}
const Clip* first_clip(const Content& content) { return content.clips.empty() ? nullptr : &content.clips.front(); }

// Of many frames or prefixes, one in so many: all of them, but for the sanitized run.
int stride(int quick) {
  const char* laws = std::getenv("LIMBER_LAWS");
  return laws != nullptr && std::string_view(laws) == "quick" ? quick : 1;
}

using Places = std::map<std::string, Vec3>;

// Every site, inside.
Places places(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places out;
  for (const Site& site : figure.sites()) out[site.name] = state.segments[site.segment] * site.frame.p;
  return out;
}

bool has_note(const std::vector<Note>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}

// Names, frames, freedoms, limits and sites.
void expect_same_figure(const Figure& a, const Figure& b, double tolerance) {
  ASSERT_EQ(a.segments().size(), b.segments().size());
  ASSERT_EQ(a.freedoms().size(), b.freedoms().size());
  ASSERT_EQ(a.sites().size(), b.sites().size());
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    EXPECT_EQ(a.segments()[s].name, b.segments()[s].name);
    EXPECT_EQ(a.segments()[s].parent, b.segments()[s].parent);
    EXPECT_EQ(a.joints()[s].name, b.joints()[s].name);
    EXPECT_LE((a.joints()[s].in_parent.p - b.joints()[s].in_parent.p).norm(), tolerance) << a.joints()[s].name;
    EXPECT_LE((a.joints()[s].in_parent.R - b.joints()[s].in_parent.R).norm(), tolerance) << a.joints()[s].name;
  }
  for (std::size_t i = 0; i < a.freedoms().size(); ++i) {
    EXPECT_EQ(a.freedoms()[i].name, b.freedoms()[i].name);
    EXPECT_EQ(a.freedoms()[i].motion, b.freedoms()[i].motion);
    EXPECT_EQ(a.freedoms()[i].axis, b.freedoms()[i].axis);
    EXPECT_EQ(a.freedoms()[i].lower, b.freedoms()[i].lower);
    EXPECT_NEAR(a.parameters()[i].range.rest, b.parameters()[i].range.rest, tolerance) << a.parameters()[i].name;
  }
  for (std::size_t k = 0; k < a.sites().size(); ++k) {
    EXPECT_EQ(a.sites()[k].name, b.sites()[k].name);
    EXPECT_LE((a.sites()[k].frame.p - b.sites()[k].frame.p).norm(), tolerance) << a.sites()[k].name;
  }
}

// --- Reading ---------------------------------------------------------------------------------------

TEST(BvhRead, PlacesEveryJointAndTipWhereTheTruthHasIt) {
  constexpr double tolerance = 1e-6;  // of the file's unit
  int files = 0;
  for (const std::filesystem::path& path : bvh_files()) {
    const std::string truth_text = read_sample(data / "truth" / ("bvh_" + path.stem().string() + ".json"));
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

TEST(BvhRead, GuessesTheUnitAndWhatIsUpAndSaysSo) {
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
    const Content content = read_file(data / "bvh" / (std::string(c.file) + ".bvh"));
    EXPECT_EQ(unit_name(content.space.metres_per_unit), c.unit) << c.file;
    EXPECT_EQ(content.space.up, c.up) << c.file;
    EXPECT_FALSE(content.space.unit_is_stated);
    EXPECT_TRUE(has_note(content.notes, "the unit is not stated")) << c.file;
    EXPECT_EQ(has_note(content.notes, "which axis is up"), c.up == Up::z) << c.file;
  }
}

TEST(BvhRead, PutsEveryPersonUprightAndAsLargeAsAPerson) {
  for (const char* file : {"cmu_13_11", "max_131_03", "mh_walk1", "mh_tpose", "mh_dance1", "pybvh_test2",
                           "three_pirouette", "bvhio_example"}) {
    const Content content = read_file(data / "bvh" / (std::string(file) + ".bvh"));
    double least = infinity, most = -infinity;
    for (const auto& [name, place] : places(*content.figure, content.clips.front().pose(0))) {
      least = std::fmin(least, place.y());
      most = std::fmax(most, place.y());
    }
    EXPECT_GT(most - least, 1.2) << file;
    EXPECT_LT(most - least, 2.1) << file;
  }
}

TEST(BvhRead, TakesTheUnitAndTheAxisThatAreGiven) {
  ReadOptions options;
  options.metres_per_unit = 0.5;
  options.up = Up::z;
  const Content content = read_file(data / "bvh" / "momentum_simple.bvh", options);
  EXPECT_EQ(content.space.metres_per_unit, 0.5);
  EXPECT_TRUE(content.space.unit_is_stated);
  EXPECT_TRUE(content.notes.empty());
  // Frame 1: the root at (1, 2, 3); z is up.
  EXPECT_LE((places(*content.figure, content.clips[0].pose(1)).at("Hips") - Vec3(0.5, 1.5, -1.0)).norm(), 1e-12);
}

std::string one_bone(const std::string& root_offset, const std::string& bone_channels, const std::string& rows) {
  return "HIERARCHY\nROOT hip\n{\nOFFSET " + root_offset +
         "\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT knee\n{\nOFFSET 0 -4 0\n"
         "CHANNELS " +
         bone_channels +
         "\nEnd Site\n{\nOFFSET 0 -5 0\n}\n}\n}\nMOTION\nFrames: " + std::to_string(std::ranges::count(rows, '\n')) +
         "\nFrame Time: 0.1\n" + rows;
}

TEST(BvhRead, ReadsAnOffsetWithPositionsByItsRule) {
  const auto y_of = [](const Content& content, const char* site) {
    return content.space.in_file(places(*content.figure, content.clips[0].pose(0)).at(site)).y();
  };
  // A root: replaced where frame 0 has the OFFSET, else added.
  const Content same = read(one_bone("0 9 0", "1 Xrotation", "0 9.0001 0 0 0 0 0\n0 8 0 0 0 0 0\n"));
  EXPECT_NEAR(y_of(same, "hip"), 9.0001, 1e-9);
  EXPECT_TRUE(has_note(same.notes, "in place of the OFFSET"));
  const int ty = *same.figure->find_parameter("hip.ty");
  EXPECT_NEAR(same.figure->parameters()[ty].range.rest, 9 * same.space.metres_per_unit, 1e-12);
  const Content other = read(one_bone("0 9 0", "1 Xrotation", "0 8 0 0 0 0 0\n0 9 0 0 0 0 0\n"));
  EXPECT_NEAR(y_of(other, "hip"), 17.0, 1e-9);
  EXPECT_TRUE(has_note(other.notes, "added to the OFFSET"));
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

TEST(BvhRead, TurnsInTheOrderOfTheListWhereverThePositionsStand) {
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

// The same figure and motion in other dress.
TEST(BvhRead, DoesNotMindLineEndsCaseBlanksAndTheLike) {
  const std::string plain = read_sample(data / "bvh" / "momentum_simple.bvh");
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
      {"more rows", plain + "\n1 2 3\n", "left out"},
      {"text after the rows", plain + "\nEND", "left out"},
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

TEST(BvhRead, TakesNumbersWithoutABlankBetweenThemAndSaysWhere) {
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
  const int count = most_joints / stride(10);
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

// --- Writing ---------------------------------------------------------------------------------------

TEST(BvhWrite, GivesBackEveryFileToTheLastDigit) {
  for (const std::filesystem::path& path : bvh_files()) {
    Content content = read_file(path);
    MatX& poses = content.clips[0].poses;
    poses = poses.leftCols(std::max<Eigen::Index>(1, poses.cols() / stride(20))).eval();
    const Written written = good(write_bvh(content, first_clip(content)));
    EXPECT_TRUE(written.notes.empty()) << path << ": " << written.notes.front().text;
    const Content again = good(read_bvh(written.bytes, path.filename().string()));
    EXPECT_EQ(again.space.metres_per_unit, content.space.metres_per_unit) << path;
    EXPECT_EQ(again.space.up, content.space.up) << path;
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure, 1e-12));
    ASSERT_EQ(again.clips.size(), content.clips.size());
    EXPECT_EQ(again.clips[0].frame_time, content.clips[0].frame_time);
    EXPECT_LE((again.clips[0].poses - content.clips[0].poses).cwiseAbs().maxCoeff(), 1e-13) << path;
    // What is written is what is read: the second text is the first.
    EXPECT_EQ(good(write_bvh(again, first_clip(again))).bytes, written.bytes) << path;
  }
}

// Joint centres by joint name, and sites by name; both as the file will have them.
Places expected_places(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places out;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    out[figure.joints()[s].name] = state.segments[s] * figure.joints()[s].in_child.p;
  for (const Site& site : figure.sites()) out["site " + site.name] = state.segments[site.segment] * site.frame.p;
  return out;
}

double worst_joint(const Figure& from, const Clip& clip, const Content& to) {
  double worst = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    const Places a = expected_places(from, clip.pose(k));
    const Places b = places(*to.figure, to.clips.at(0).pose(k));
    for (const Joint& joint : from.joints()) {
      EXPECT_TRUE(b.contains(joint.name)) << joint.name;
      if (b.contains(joint.name)) worst = std::fmax(worst, (a.at(joint.name) - b.at(joint.name)).norm());
    }
    // Every site is where some joint or tip of the file is.
    for (const Site& site : from.sites()) {
      double nearest = infinity;
      for (const auto& [name, place] : b) nearest = std::fmin(nearest, (place - a.at("site " + site.name)).norm());
      worst = std::fmax(worst, nearest);
    }
  }
  return worst;
}

Clip random_clip(const Figure& figure, std::uint64_t seed, int frames) {
  Random random(seed);
  Clip clip;
  clip.name = "random";
  clip.poses.resize(static_cast<Eigen::Index>(figure.parameters().size()), frames);
  for (int k = 0; k < frames; ++k) clip.poses.col(k) = testing::random_pose(figure, random, 3.0).theta;
  return clip;
}

TEST(BvhWrite, KeepsTheJointsAndTipsOfTheHuman) {
  Content content;
  content.figure = human();
  const Clip clip = random_clip(*content.figure, 1, 20);
  const Written written = good(write_bvh(content, &clip));
  for (const char* kind : {"limits", "groups", "masses", "mirror pairs", "names of", "linear limits"})
    EXPECT_TRUE(has_note(written.notes, kind)) << kind;
  const Content again = read(written.bytes, {.metres_per_unit = 0.01, .up = Up::y});
  EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8);
}

TEST(BvhWrite, KeepsTheJointsAndTipsOfAnyFigure) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Content content;
    content.figure = built(testing::random_tree(
        random, {.segments = 2 + static_cast<int>(seed) % 9, .free_root = seed % 3 != 0, .groups = seed % 2 == 0}));
    const Clip clip = random_clip(*content.figure, seed, 5);
    WriteOptions options;
    options.up = seed % 2 == 0 ? Up::z : Up::y;
    options.metres_per_unit = 0.0254;
    const Content again =
        read(good(write_bvh(content, &clip, options)).bytes, {.metres_per_unit = 0.0254, .up = options.up});
    EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8) << "seed " << seed;
  }
}

TEST(BvhWrite, TurnsIntoAnotherUnitAndAxis) {
  for (const char* file : {"cmu_02_01", "mh_benchmark", "mh_walk1", "mh_dance1"}) {
    Content content = read_file(data / "bvh" / (std::string(file) + ".bvh"));
    MatX& poses = content.clips[0].poses;
    poses = poses.leftCols(std::min<Eigen::Index>(20, poses.cols())).eval();
    WriteOptions options;
    options.metres_per_unit = 1.0;
    options.up = content.space.up == Up::y ? Up::z : Up::y;
    const Written written = good(write_bvh(content, first_clip(content), options));
    const Content again = read(written.bytes, {.metres_per_unit = 1.0, .up = options.up});
    EXPECT_LE(worst_joint(*content.figure, content.clips[0], again), 1e-9) << file;
  }
}

TEST(BvhWrite, IsReadRightByItsOwnRuleWhateverTheFramesAre) {
  // Replaced, with the first frame cut off; and added, with a first frame that is the OFFSET.
  const Content content = read(one_bone("0 9 0", "3 Xposition Yposition Zposition",
                                        "0 9 0 0 0 0 0 -4 0\n0 1 0 0 0 0 0 -1 0\n0 9 0 0 0 0 0 -4 0\n"));
  const Content added = read(one_bone("0 9 0", "3 Xposition Yposition Zposition",
                                      "0 1 0 0 0 0 0 -1 0\n0 9 0 0 0 0 0 -4 0\n0 2 0 0 0 0 0 -1 0\n"));
  ASSERT_TRUE(has_note(content.notes, "in place of"));
  ASSERT_TRUE(has_note(added.notes, "added to"));
  for (const Content& whole : {content, added})
    for (int first = 0; first < 3; ++first) {
      Clip cut = whole.clips[0];
      cut.poses = whole.clips[0].poses.rightCols(3 - first).eval();
      const Content again =
          read(good(write_bvh(whole, &cut)).bytes, {.metres_per_unit = whole.space.metres_per_unit, .up = Up::y});
      EXPECT_LE(worst_joint(*whole.figure, cut, again), 1e-9) << "from frame " << first;
    }
}

TEST(BvhWrite, GoesOnFromFrameToFrameWithoutJumps) {
  FigureDescription description;
  description.name = "top";
  description.segments = {{"base"}, {"top"}};
  description.joints = {{"pin", "base", "top", at({0, 1, 0}), {}, {testing::turn("spin", Vec3(0.1, 1.0, 0.2))}}};
  Content content;
  content.figure = built(description);
  Clip clip;
  constexpr double step = 0.1;  // radians; three turns in all
  clip.poses.resize(1, 190);
  for (int k = 0; k < clip.frames(); ++k) clip.poses(0, k) = step * k;
  const Content again = read(good(write_bvh(content, &clip)).bytes);
  const MatX& poses = again.clips[0].poses;
  ASSERT_EQ(poses.rows(), 6);
  for (int k = 1; k < clip.frames(); ++k)
    EXPECT_LE((poses.col(k) - poses.col(k - 1)).cwiseAbs().maxCoeff(), 2.0 * step) << k;
  EXPECT_GT(poses.cwiseAbs().maxCoeff(), 17.0);
}

TEST(BvhWrite, KeepsChannelsThatFitAndMakesOthersThree) {
  FigureDescription description;
  description.name = "mixed";
  description.segments = {{"base"}, {"hinge"}, {"fixed"}, {"skew"}};
  description.joints = {
      {"base", "", "base", {}, {}, {testing::shift("slide", -Vec3::UnitY()), testing::turn("turn", Vec3::UnitY())}},
      {"hinge", "base", "hinge", at({0, 1, 0}), {}, {testing::turn("bend", -Vec3::UnitX(), {-1, 2})}},
      {"fixed", "hinge", "fixed", at({0, 1, 0}), {}, {}},
      {"skew", "fixed", "skew", at({0, 1, 0}), {}, {testing::turn("bend", Vec3(1, 1, 0))}}};
  Content content;
  content.figure = built(description);
  Clip clip;
  clip.poses.resize(4, 1);
  clip.poses << 0.25, radians(10), radians(20), radians(0);
  const std::string text = good(write_bvh(content, &clip)).bytes;
  EXPECT_NE(text.find("ROOT base\n{\n\tOFFSET 0 0 0\n\tCHANNELS 2 Yposition Yrotation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t\tOFFSET 0 100 0\n\t\tCHANNELS 1 Xrotation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t\t\tOFFSET 0 100 0\n\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"), std::string::npos);
  EXPECT_NE(text.find("\t\t\t\tEnd Site\n\t\t\t\t{\n\t\t\t\t\tOFFSET 0 0 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n-25 10 -20 0 0 0 0 0 0\n"), std::string::npos) << text;
}

// A shift after a turn moves along an axis that has turned: no channel of the file does.
TEST(BvhWrite, KeepsWhatShiftsAfterItTurned) {
  FigureDescription description;
  description.name = "crank";
  description.segments = {{"base"}, {"arm"}, {"slide"}};
  description.joints = {{"arm",
                         "base",
                         "arm",
                         at({0, 1, 0}),
                         {},
                         {testing::turn("turn", Vec3::UnitY()), testing::shift("out", Vec3::UnitX())}},
                        {"slide",
                         "arm",
                         "slide",
                         at({1, 0, 0}),
                         {},
                         {testing::shift("x", Vec3::UnitX()), testing::shift("again", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 7, 5);
  const Content again = read(good(write_bvh(content, &clip)).bytes, {.metres_per_unit = 0.01, .up = Up::y});
  EXPECT_LE(worst_joint(*content.figure, clip, again), 1e-8);
}

TEST(BvhWrite, KeepsNamesOnOneLineAndDifferent) {
  FigureDescription description;
  description.name = "names";
  description.segments = {{"a"}, {"b"}, {"c"}};
  description.joints = {
      {" x\ny {1", "", "a", {}, {}, {}}, {"x y (1", "a", "b", {}, {}, {}}, {"\t", "b", "c", {}, {}, {}}};
  Content content;
  content.figure = built(description);
  const Written written = good(write_bvh(content, nullptr));
  EXPECT_TRUE(has_note(written.notes, "names changed"));
  const Content again = read(written.bytes);
  EXPECT_EQ(again.figure->segments()[0].name, "x y (1");
  EXPECT_EQ(again.figure->segments()[1].name, "x y (1_2");
  EXPECT_EQ(again.figure->segments()[2].name, "joint");
}

TEST(BvhWrite, ShortensOnlyNamesThatTheReaderRefuses) {
  const auto name_after = [](const std::string& name) {
    FigureDescription description;
    description.name = "long";
    description.segments = {{name}};
    Content content;
    content.figure = built(description);
    return read(good(write_bvh(content, nullptr)).bytes).figure->segments()[0].name;
  };
  EXPECT_EQ(name_after(std::string(250, 'x')), std::string(250, 'x'));
  EXPECT_EQ(name_after(std::string(251, 'x')), std::string(240, 'x'));
  std::string accents;
  for (int k = 0; k < 200; ++k) accents += k == 0 ? "x" : "é";
  EXPECT_EQ(name_after(accents), accents.substr(0, 239));
}

TEST(BvhWrite, WritesTheRestPoseWithoutAClip) {
  const Content content = read(one_bone("0 9 0", "1 Xrotation", "0 9 0 0 0 0 5\n"));
  const Content again = read(good(write_bvh(content, nullptr)).bytes);
  ASSERT_EQ(again.clips.size(), 1u);
  ASSERT_EQ(again.clips[0].frames(), 1);
  const Places a = places(*content.figure, content.figure->rest()), b = places(*again.figure, again.clips[0].pose(0));
  for (const auto& [name, place] : a) EXPECT_LE((place - b.at(name)).norm(), 1e-12) << name;
}

TEST(BvhWrite, RefusesWhatNoFileCanHold) {
  Content content;
  EXPECT_FALSE(write_bvh(content, nullptr));
  content = read(one_bone("0 0 0", "1 Xrotation", ""));
  Clip clip;
  clip.poses = MatX::Zero(3, 1);
  EXPECT_NE(write_bvh(content, &clip).error().text().find("poses of 3 parameters"), std::string::npos);
  clip.poses = MatX::Constant(7, 1, infinity);
  EXPECT_NE(write_bvh(content, &clip).error().text().find("not finite"), std::string::npos);
  clip.poses = MatX::Zero(7, 1);
  clip.frame_time = 0.0;
  EXPECT_NE(write_bvh(content, &clip).error().text().find("frame time"), std::string::npos);
  clip.frame_time = 1.0;
  EXPECT_FALSE(write_bvh(content, &clip, {.metres_per_unit = 0.0, .up = {}}));
  EXPECT_TRUE(write_bvh(content, &clip));
}

}  // namespace
}  // namespace limber
