// Reading Acclaim: the truth files, limits, and the rules of ASF and AMC one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/vector.h"
#include "limber/figure/human.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/text/json.h"
#include "tests/format/acclaim/acclaim_sample.h"

namespace limber {
namespace acclaim_read_test {

using namespace acclaim_sample;

TEST(AcclaimRead, PlacesEveryTipAsInTheTruthFile) {
  constexpr double tolerance = 1e-6;  // of the file's unit
  for (const Take& take : takes) {
    const std::string truth_text =
        read_sample(data_folder() / "truth" / ("acclaim_" + std::string(take.amc) + ".json"));
    JsonDocument truth(truth_text, "truth");
    const Content content = skeleton(take);
    const Figure& figure = *content.figure;
    EXPECT_EQ(content.space.metres_per_unit, truth.root()["metres_per_file_unit"].number());
    EXPECT_TRUE(content.space.unit_is_stated);
    EXPECT_EQ(figure.segments().size(), 31u);
    EXPECT_EQ(figure.parameters().size(), 62u);
    const Clip clip = motion(take, content).clip;
    EXPECT_EQ(clip.frames(), truth.root()["frames_in_file"].number());
    double worst = 0.0;
    const auto compare = [&](const JsonValue& positions, const Pose& pose) {
      const Places found = places(figure, pose);
      for (const JsonValue position : positions) {
        const std::string bone(position.key());
        const Vec3 tip = found.at(bone == "root" ? bone : bone + "_tip");
        worst = std::fmax(worst, (content.space.in_file(tip) - position.vector()).norm());
      }
      EXPECT_EQ(positions.size(), 31u);
    };
    compare(truth.root()["zero_pose"], {VecX::Zero(62)});
    for (const JsonValue frame : truth.root()["frames"])
      compare(frame["positions"], clip.pose(frame["frame_index"].integer(0, clip.frames() - 1)));
    EXPECT_FALSE(truth.error()) << truth.error()->text();
    EXPECT_LE(worst, tolerance) << take.amc;
  }
}

TEST(AcclaimRead, ReadsLimitsAsHardLimits) {
  const Content content = skeleton({"02", "02_01"});
  const Figure& figure = *content.figure;
  const auto range = [&](const char* parameter) {
    return figure.parameters()[*figure.find_parameter(parameter)].range;
  };
  EXPECT_EQ(range("lfemur.rx").lower, radians(-160.0));
  EXPECT_EQ(range("lfemur.rx").upper, radians(20.0));
  EXPECT_EQ(range("lfemur.rz").lower, radians(-60.0));
  EXPECT_EQ(range("lfoot.rz").upper, radians(20.0));
  EXPECT_EQ(range("root.rx").lower, -infinity);
  EXPECT_EQ(range("root.tx").upper, infinity);
  const ReadMotion walk = motion(Take{"02", "02_01"}, content);
  EXPECT_TRUE(has_note(walk.notes, "343 of 343 frames exceed the limits"));
  EXPECT_TRUE(has_note(walk.notes, "120 frames per second"));
  EXPECT_EQ(walk.notes.size(), 2u);
  EXPECT_EQ(motion(Take{"02", "zeros"}, content).notes.size(), 1u);
  EXPECT_DOUBLE_EQ(walk.clip.frame_time, 1.0 / 120.0);
}

// The same take as BVH, by a program that dropped the length of branching bones and added a frame at the start.
TEST(AcclaimRead, AgreesWithTheBvhOfTheSameTake) {
  std::string text = text_of("02.asf");
  for (const std::string bone : {"thorax", "lwrist", "rwrist"}) {
    const std::size_t at = text.find("length", text.find("name " + bone));
    text.replace(at, text.find('\n', at) - at, "length 0");
  }
  const Content content = read(text);
  const Clip clip = motion(Take{"02", "02_01"}, content).clip;
  const Content bvh = good(read_bvh(read_sample(data_folder() / "bvh" / "cmu_02_01.bvh"), "f"));
  EXPECT_EQ(bvh.space.metres_per_unit, content.space.metres_per_unit);
  ASSERT_EQ(bvh.clips[0].frames(), clip.frames() + 1);
  Pairs pairs = {{"root", "Hips"},      {"lowerback", "LowerBack"}, {"upperback", "Spine"}, {"thorax", "Spine1"},
                 {"lowerneck", "Neck"}, {"upperneck", "Neck1"},     {"head", "Head"},       {"head_tip", "Head_End"}};
  for (const auto& [l, L, Left] : {std::tuple{"l", "L", "Left"}, std::tuple{"r", "R", "Right"}}) {
    for (const auto& [bone, joint] : Pairs{{"hipjoint", "HipJoint"}, {"thumb", "Thumb"}})
      pairs.emplace_back(l + bone, L + joint);
    for (const auto& [bone, joint] : Pairs{{"femur", "UpLeg"},
                                           {"tibia", "Leg"},
                                           {"foot", "Foot"},
                                           {"toes", "ToeBase"},
                                           {"toes_tip", "ToeBase_End"},
                                           {"clavicle", "Shoulder"},
                                           {"humerus", "Arm"},
                                           {"radius", "ForeArm"},
                                           {"wrist", "Hand"},
                                           {"hand", "FingerBase"},
                                           {"fingers", "HandIndex1"}})
      pairs.emplace_back(l + bone, Left + joint);
  }
  EXPECT_LE(worst_distance(*content.figure, clip, *bvh.figure, bvh.clips[0], pairs, 1) / content.space.metres_per_unit,
            8.5e-5);
}

TEST(AcclaimRead, RotatesBonesByTheRule) {
  const Content content =
      read(small("direction 0.6 0.8 0\nlength 2\naxis 10 20 30 ZXY\ndof rz rx ty ry\nlimits (-170 170) (-inf inf)\n"
                 "  # a comment\n (-inf, 3)\n (5 50)",
                 "order RY TZ RX TX\naxis YZX\nposition 1 2 3\norientation 15 25 35"));
  const Clip clip = motion(":DEGREES\n1\nroot 40 7 50 8\narm 11 12 2.5 13\n", content).clip;
  // ZXY: z first.
  const Mat3 C = turn(1, 20) * turn(0, 10) * turn(2, 30);
  const Mat3 O = turn(0, 15) * turn(2, 35) * turn(1, 25);
  const Mat3 G_root = O * turn(0, 50) * turn(1, 40);
  const Vec3 p_root(1 + 8, 2, 3 + 7);
  const Mat3 G_arm = G_root * C * turn(1, 13) * turn(0, 12) * turn(2, 11) * C.transpose();
  const Vec3 p_arm = p_root + G_root * C * Vec3(0, 2.5, 0);
  const Vec3 tip = p_arm + 2.0 * (G_arm * Vec3(0.6, 0.8, 0));
  const Places found = places(*content.figure, clip.pose(0));
  EXPECT_LE((found.at("root") - p_root).norm(), 1e-12);
  EXPECT_LE((found.at("arm") - p_arm).norm(), 1e-12);
  EXPECT_LE((found.at("arm_tip") - tip).norm(), 1e-12);
  EXPECT_LE((found.at("hand") - tip).norm(), 1e-12);
  EXPECT_LE((found.at("hand_tip") - (tip + G_arm * Vec3(0, 1, 0))).norm(), 1e-12);

  const auto range = [&](const char* p) {
    return content.figure->parameters()[*content.figure->find_parameter(p)].range;
  };
  EXPECT_EQ(range("arm.rz").lower, radians(-170.0));
  EXPECT_EQ(range("arm.rx").upper, infinity);
  EXPECT_EQ(range("arm.ty").lower, -infinity);
  EXPECT_EQ(range("arm.ty").upper, 3.0);
  EXPECT_EQ(range("arm.ry").rest, radians(5.0));
  EXPECT_TRUE(has_note(content.notes, "orientation"));
  EXPECT_TRUE(has_note(content.notes, "position"));
  EXPECT_TRUE(has_note(content.notes, "other than XYZ"));
}

TEST(AcclaimRead, StretchesBonesByTheirDofL) {
  const Content content = read(small("direction 0 0.6 0.8\nlength 2\naxis 10 20 30 XYZ\ndof l rx ry"));
  const Clip clip = motion(":DEGREES\n1\nroot 0 0 0 0 0 0\narm 0.5 20 30\n", content).clip;
  const Mat3 C = turn(2, 30) * turn(1, 20) * turn(0, 10);
  const Mat3 G = C * turn(1, 30) * turn(0, 20) * C.transpose();
  EXPECT_LE((places(*content.figure, clip.pose(0)).at("hand") - 2.5 * (G * Vec3(0, 0.6, 0.8))).norm(), 1e-12);
}

TEST(AcclaimRead, TakesRadiansMassesAndOtherUnits) {
  const std::string bone = plain_arm + "\nbodymass 6\ncofmass 0.5\ndof rx\nlimits (-1 1.5)";
  const Content content = read(small(bone, "order TX\nposition 1 0 0", "mass 2\nlength 2\nangle rad"));
  EXPECT_EQ(content.space.metres_per_unit, 0.0127);
  EXPECT_EQ(content.figure->segments()[1].mass, 3.0);
  EXPECT_LE((content.figure->segments()[1].mass_centre - Vec3(0.5 * 0.0127, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(content.figure->parameters()[1].range.upper, 1.5);
  const Clip clip = motion(":RADIANS\n1\nroot 3\narm 0.25\n", content).clip;
  EXPECT_EQ(clip.poses(1, 0), 0.25);
  EXPECT_EQ(clip.poses(0, 0), 3 * 0.0127);

  const Content given = read(small(bone), {.metres_per_unit = 2.0, .up = Up::z});
  EXPECT_EQ(given.space.metres_per_unit, 2.0);
  EXPECT_LE((places(*given.figure, given.figure->rest()).at("hand_tip") - Vec3(4, 0, -2)).norm(), 1e-12);
  const Content unstated = read(small(bone, "order TX", "angle deg"));
  EXPECT_FALSE(unstated.space.unit_is_stated);
  EXPECT_TRUE(has_note(unstated.notes, "no length in :units"));
}

TEST(AcclaimRead, NotesAFigureTooLargeOrTooSmallForAPerson) {
  const std::string text = text_of("02.asf");
  EXPECT_FALSE(has_note(read(text).notes, "unusual"));
  for (const auto& [length, size] : {std::pair("0.16", "4.69"), std::pair("5", "0.15")}) {
    std::string other = text;
    other.replace(other.find("length 0.45"), 11, std::string("length ") + length);
    EXPECT_TRUE(has_note(read(other).notes, "the figure is " + std::string(size) + " m large")) << length;
    EXPECT_FALSE(has_note(read(other, {.metres_per_unit = 0.0254 / 0.45}).notes, "unusual"));
  }
}

TEST(AcclaimRead, NotesWhatItIgnores) {
  const Content content = read(small(plain_arm + "\nlook nice", "order TX\ncolour red", "length 1\ntime 5") +
                               ":skin\n a.skin\n b.skin\n:hair\nbegin\nend\n");
  for (const char* word : {"\"look\"", "\"colour\"", "\"time\"", "\":skin\"", "\":hair\""})
    EXPECT_TRUE(has_note(content.notes, word)) << word;
  EXPECT_EQ(content.notes.size(), 5u);
  for (const Note& note : content.notes) EXPECT_GT(note.line, 0) << note.text;
}

TEST(AcclaimRead, AcceptsAnyLineEndsCaseBlanksAndOrder) {
  std::string plain = text_of("02.asf"), rows = text_of("02_01.amc").substr(0, 40000);
  rows.resize(rows.rfind("\nltoes"));
  rows.resize(rows.rfind("\nlfoot"));  // the last frame lacks two bones
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  std::erase(plain, '\r');
  std::erase(rows, '\r');
  const Content expected = read(plain);
  const ReadMotion frames = motion(rows, expected);
  EXPECT_TRUE(has_note(frames.notes, "lacks ltoes, lfoot") || has_note(frames.notes, "lacks lfoot, ltoes"));
  const auto small_letters = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(c));
    return text;
  };
  std::string swapped = plain.substr(0, plain.find(":bonedata")) + plain.substr(plain.find(":hierarchy")) + "\n" +
                        plain.substr(plain.find(":bonedata"), plain.find(":hierarchy") - plain.find(":bonedata"));
  const std::vector<std::pair<std::string, std::string>> variants = {
      {replaced(plain, "\n", "\r\n"), replaced(rows, "\n", "\r\n")},
      {replaced(plain, "\n", "\r"), replaced(rows, "\n", "\r")},
      {replaced(plain, " ", "\t "), replaced(rows, " ", "\t")},
      {"\xEF\xBB\xBF" + plain, "\xEF\xBB\xBF" + rows},
      {small_letters(plain), small_letters(rows)},
      {replaced(plain, "\n", " \n\n"), replaced(rows, "\n", "  \n\n") + "\n# the end"},
      {replaced(plain, "\n           (", " ("), rows},
      {replaced(plain, "dof", "DOF"), "# a comment\n" + rows + "\n"},
      {swapped, rows},
  };
  for (std::size_t k = 0; k < variants.size(); ++k) {
    const Expected<Content> content = read_asf(variants[k].first, "f.asf");
    ASSERT_TRUE(content) << k << ": " << content.error().text();
    ASSERT_EQ(content->figure->parameters().size(), expected.figure->parameters().size()) << k;
    for (std::size_t s = 0; s < expected.figure->joints().size(); ++s) {
      EXPECT_EQ(content->figure->joints()[s].name, expected.figure->joints()[s].name) << k;
      EXPECT_EQ(content->figure->joints()[s].in_parent.R, expected.figure->joints()[s].in_parent.R) << k;
      EXPECT_EQ(content->figure->joints()[s].in_parent.p, expected.figure->joints()[s].in_parent.p) << k;
    }
    EXPECT_EQ(motion(variants[k].second, *content).clip.poses, frames.clip.poses) << k;
  }
}

TEST(AcclaimRead, KeepsTheValuesOfBonesMissingInAFrame) {
  const Content content = read(small(plain_arm + "\ndof rx"));
  const ReadMotion found =
      motion(":DEGREES\n3\narm 10\n4\nroot 1 2 3 0 0 0\n7\narm 20\nroot 4 5 6 0 0 1e-014\n8\nhand\nroot 7 8 9 0 0 0\n",
             content);
  const MatX& poses = found.clip.poses;
  ASSERT_EQ(poses.cols(), 4);
  EXPECT_EQ(poses.col(0), (VecX(7) << 0, 0, 0, 0, 0, 0, radians(10.0)).finished());
  EXPECT_EQ(poses(6, 1), radians(10.0));
  EXPECT_EQ(poses(0, 2), 4.0);
  EXPECT_EQ(poses(3, 2), radians(1e-14));  // D_1 is rz
  EXPECT_EQ(poses(6, 3), radians(20.0));
  EXPECT_TRUE(has_note(found.notes, "frame 3 lacks root"));
  EXPECT_TRUE(has_note(found.notes, "numbered from 3"));
  EXPECT_TRUE(has_note(motion(":DEGREES\n1\narm 1\n3\narm 2\n", content).notes, "numbered 1, 3"));
  EXPECT_TRUE(has_note(motion("1\narm 1\n", content).notes, "degrees assumed"));
  EXPECT_TRUE(has_note(motion(":odd\n:DEGREES\n1\narm 1\n", content).notes, "\":odd\""));
}

TEST(AcclaimRead, TakesAChainOfTenThousandBones) {
  const int count = max_joints / stride(10);
  std::string bones = ":root\norder TX\n:bonedata\n", lines = ":hierarchy\nbegin\nroot b0\n";
  for (int k = 0; k < count; ++k) {
    const std::string name = "b" + std::to_string(k);
    bones += "begin name " + name + " direction 1 0 0 length 1 end\n";
    if (k > 0) lines += "b" + std::to_string(k - 1) + " " + name + "\n";
  }
  const Content content = read(bones + lines + "end\n");
  EXPECT_EQ(content.figure->segments().size(), static_cast<std::size_t>(count) + 1);
  EXPECT_EQ(read(good(write_asf(content)).bytes).figure->segments().size(), static_cast<std::size_t>(count) + 1);
}

TEST(AcclaimRead, GivesAFigureOrADiagnosticForEveryPrefix) {
  const std::string asf = text_of("02.asf"), amc = text_of("zeros.amc");
  int figures = 0;
  for (std::size_t size = 0; size < asf.size(); size += static_cast<std::size_t>(stride(31))) {
    const Expected<Content> content = read_asf(asf.substr(0, size), "f");
    figures += content ? 1 : 0;
    if (content) {
      ASSERT_TRUE(write_asf(*content));
    } else {
      ASSERT_GT(content.error().line, 0) << content.error().text();
    }
  }
  EXPECT_GT(figures * stride(31), 20);
  const Content content = read(asf);
  int motions = 0;
  for (std::size_t size = 0; size < amc.size(); ++size) {
    const Expected<ReadMotion> found = read_amc(amc.substr(0, size), "f", content);
    motions += found ? 1 : 0;
    if (!found) {
      ASSERT_GT(found.error().line, 0) << found.error().text();
    }
  }
  EXPECT_GT(motions, 100);
}

}  // namespace acclaim_read_test
}  // namespace limber
