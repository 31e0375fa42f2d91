// Acclaim: the truth files, limits, the rules of ASF and AMC one by one, and the ways to BVH and back.
#include "limber/format/acclaim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "limber/base/euler.h"
#include "limber/figure/human.h"
#include "limber/format/bvh.h"
#include "limber/format/json.h"
#include "limber/kinematics/forward.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"

namespace limber {
namespace {

using testing::good;

const std::filesystem::path data = std::filesystem::path(LIMBER_SOURCE_DIR) / "data";

struct Take {
  const char* asf;
  const char* amc;
};
constexpr Take takes[] = {{"01", "01_14"}, {"02", "02_01"}, {"02", "02_03"}, {"02", "02_04"},   {"05", "05_11"},
                          {"07", "07_05"}, {"09", "09_06"}, {"49", "49_18"}, {"131", "131_04"}, {"02", "zeros"}};

std::string text_of(const std::string& name) { return read_sample(data / "acclaim" / name); }

Content read(std::string_view text, const ReadOptions& options = {}) { return good(read_asf(text, "f.asf", options)); }
Content skeleton(const Take& take) { return good(read_asf(text_of(std::string(take.asf) + ".asf"), take.asf)); }
ReadMotion motion(std::string_view text, const Content& content) { return good(read_amc(text, "f.amc", content)); }
ReadMotion motion(const Take& take, const Content& content) {
  return motion(text_of(std::string(take.amc) + ".amc"), content);
}

using Places = std::map<std::string, Vec3>;

Places places(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Places out;
  for (const Site& site : figure.sites()) out[site.name] = state.segments[site.segment] * site.frame.p;
  return out;
}

// Of many frames or prefixes, one in so many: all of them, but for the sanitized run.
int stride(int quick) {
  const char* laws = std::getenv("LIMBER_LAWS");
  return laws != nullptr && std::string_view(laws) == "quick" ? quick : 1;
}

// Sites of two figures, by name.
using Pairs = std::vector<std::pair<std::string, std::string>>;

// How far apart they are over the frames of a clip, in metres, by the coordinate; frame k of b is `late` frames later.
double worst_distance(const Figure& a, const Clip& clip_a, const Figure& b, const Clip& clip_b, const Pairs& pairs,
                      int late = 0) {
  const auto site = [](const Figure& figure, const std::string& name) {
    const auto found = std::ranges::find(figure.sites(), name, &Site::name);
    if (found == figure.sites().end()) throw std::runtime_error("no site " + name);
    return *found;
  };
  std::vector<std::pair<Site, Site>> sites;
  for (const auto& [name_a, name_b] : pairs) sites.emplace_back(site(a, name_a), site(b, name_b));
  Kinematics state_a(a), state_b(b);
  VecX q_a, q_b;
  double worst = 0.0;
  for (int k = 0; k < clip_a.frames(); ++k) {
    a.angles(clip_a.poses.col(k), q_a);
    b.angles(clip_b.poses.col(k + late), q_b);
    forward(a, q_a, state_a);
    forward(b, q_b, state_b);
    for (const auto& [x, y] : sites)
      worst = std::fmax(
          worst,
          (state_a.segments[x.segment] * x.frame.p - state_b.segments[y.segment] * y.frame.p).cwiseAbs().maxCoeff());
  }
  return worst;
}

bool has_note(const std::vector<Note>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}

// --- Reading ---------------------------------------------------------------------------------------

TEST(AcclaimRead, PlacesEveryTipWhereTheTruthHasIt) {
  constexpr double tolerance = 1e-6;  // of the file's unit
  for (const Take& take : takes) {
    const std::string truth_text = read_sample(data / "truth" / ("acclaim_" + std::string(take.amc) + ".json"));
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

TEST(AcclaimRead, MakesRealLimits) {
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
  EXPECT_TRUE(has_note(walk.notes, "120 frames a second"));
  EXPECT_EQ(walk.notes.size(), 2u);
  EXPECT_EQ(motion(Take{"02", "zeros"}, content).notes.size(), 1u);
  EXPECT_DOUBLE_EQ(walk.clip.frame_time, 1.0 / 120.0);
}

// The same take as BVH, by a program that left out the length of every bone that branches and added a frame in front.
TEST(AcclaimRead, AgreesWithTheBvhOfTheSameTake) {
  std::string text = text_of("02.asf");
  for (const std::string bone : {"thorax", "lwrist", "rwrist"}) {
    const std::size_t at = text.find("length", text.find("name " + bone));
    text.replace(at, text.find('\n', at) - at, "length 0");
  }
  const Content content = read(text);
  const Clip clip = motion(Take{"02", "02_01"}, content).clip;
  const Content bvh = good(read_bvh(read_sample(data / "bvh" / "cmu_02_01.bvh"), "f"));
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

// One bone after the root, its lines given.
std::string small(const std::string& bone, const std::string& root = "order TX TY TZ RX RY RZ\naxis XYZ",
                  const std::string& units = "length 0.0254\nangle deg") {
  return ":version 1.10\n:name small\n:units\n" + units + "\n:root\n" + root + "\n:bonedata\nbegin\nid 1\nname arm\n" +
         bone + "\nend\nbegin\nid 2\nname hand\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend\n" +
         ":hierarchy\nbegin\nroot arm\narm hand\nend\n";
}
const std::string plain_arm = "direction 1 0 0\nlength 2\naxis 0 0 0 XYZ";

Mat3 turn(int axis, double angle_deg) { return rotation(Vec3::Unit(axis), radians(angle_deg)); }

TEST(AcclaimRead, TurnsBonesByTheRule) {
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

TEST(AcclaimRead, SaysWhatItLeftOut) {
  const Content content = read(small(plain_arm + "\nlook nice", "order TX\ncolour red", "length 1\ntime 5") +
                               ":skin\n a.skin\n b.skin\n:hair\nbegin\nend\n");
  for (const char* word : {"\"look\"", "\"colour\"", "\"time\"", "\":skin\"", "\":hair\""})
    EXPECT_TRUE(has_note(content.notes, word)) << word;
  EXPECT_EQ(content.notes.size(), 5u);
  for (const Note& note : content.notes) EXPECT_GT(note.line, 0) << note.text;
}

TEST(AcclaimRead, DoesNotMindLineEndsCaseBlanksAndOrder) {
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
  EXPECT_TRUE(has_note(frames.notes, "leaves out ltoes, lfoot") || has_note(frames.notes, "leaves out lfoot, ltoes"));
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

TEST(AcclaimRead, KeepsTheValuesOfBonesThatAFrameLeavesOut) {
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
  EXPECT_TRUE(has_note(found.notes, "frame 3 leaves out root"));
  EXPECT_TRUE(has_note(found.notes, "numbered from 3"));
  EXPECT_TRUE(has_note(motion(":DEGREES\n1\narm 1\n3\narm 2\n", content).notes, "numbered 1, 3"));
  EXPECT_TRUE(has_note(motion("1\narm 1\n", content).notes, "taken as degrees"));
  EXPECT_TRUE(has_note(motion(":odd\n:DEGREES\n1\narm 1\n", content).notes, "\":odd\""));
}

TEST(AcclaimRead, TakesAChainOfTenThousandBones) {
  const int count = most_joints / stride(10);
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

// --- Writing ---------------------------------------------------------------------------------------

void expect_same_figure(const Figure& a, const Figure& b) {
  constexpr double tolerance = 1e-9;
  ASSERT_EQ(a.segments().size(), b.segments().size());
  ASSERT_EQ(a.freedoms().size(), b.freedoms().size());
  ASSERT_EQ(a.sites().size(), b.sites().size());
  EXPECT_EQ(a.name(), b.name());
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    EXPECT_EQ(a.segments()[s].name, b.segments()[s].name);
    EXPECT_EQ(a.segments()[s].parent, b.segments()[s].parent);
    EXPECT_NEAR(a.segments()[s].mass, b.segments()[s].mass, tolerance);
    EXPECT_LE((a.segments()[s].mass_centre - b.segments()[s].mass_centre).norm(), tolerance);
    const Joint &p = a.joints()[s], &q = b.joints()[s];
    EXPECT_LE((p.in_parent.p - q.in_parent.p).norm(), tolerance) << p.name;
    EXPECT_LE((p.in_parent.R - q.in_parent.R).norm(), tolerance) << p.name;
    EXPECT_LE((p.in_child.R - q.in_child.R).norm(), tolerance) << p.name;
  }
  for (std::size_t i = 0; i < a.freedoms().size(); ++i) {
    EXPECT_EQ(a.freedoms()[i].name, b.freedoms()[i].name);
    EXPECT_LE((a.freedoms()[i].axis - b.freedoms()[i].axis).norm(), tolerance);
    const Range &p = a.parameters()[i].range, &q = b.parameters()[i].range;
    EXPECT_TRUE(p.lower == q.lower || std::fabs(p.lower - q.lower) <= tolerance) << a.freedoms()[i].name;
    EXPECT_TRUE(p.upper == q.upper || std::fabs(p.upper - q.upper) <= tolerance) << a.freedoms()[i].name;
    EXPECT_NEAR(p.rest, q.rest, tolerance);
  }
  for (std::size_t k = 0; k < a.sites().size(); ++k) {
    EXPECT_EQ(a.sites()[k].name, b.sites()[k].name);
    EXPECT_LE((a.sites()[k].frame.p - b.sites()[k].frame.p).norm(), tolerance) << a.sites()[k].name;
  }
}

TEST(AcclaimWrite, GivesBackEverySkeletonAndMotion) {
  for (const Take& take : takes) {
    const Content content = skeleton(take);
    Clip clip = motion(take, content).clip;
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const Written written = good(write_asf(content));
    EXPECT_TRUE(written.notes.empty()) << written.notes.front().text;
    const Content again = read(written.bytes);
    EXPECT_EQ(again.space.metres_per_unit, content.space.metres_per_unit);
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure));
    const Written rows = good(write_amc(content, clip));
    EXPECT_TRUE(rows.notes.empty());
    EXPECT_LE((motion(rows.bytes, again).clip.poses - clip.poses).cwiseAbs().maxCoeff(), 1e-13) << take.amc;
    EXPECT_EQ(good(write_amc(again, clip)).bytes, rows.bytes) << take.amc;
  }
}

TEST(AcclaimWrite, GivesBackWhatIsRare) {
  const std::string text = small(
      "direction 0.6 0.8 0\nlength 2\naxis 10 20 30 XYZ\nbodymass 4\ncofmass 0.5\ndof rz l rx ty ry\n"
      "limits (-170 170) (-1 1) (-inf inf) (-inf 3) (5 50)",
      "order RY TZ RX TX\naxis XYZ\nposition 1 2 3\norientation 15 25 35");
  const std::string rows = ":DEGREES\n1\nroot 40 7 50 8\narm 11 0.5 12 2.5 13\n";
  for (const Up up : {Up::y, Up::z}) {
    const Content content = read(text, {.metres_per_unit = {}, .up = up});
    const Clip clip = motion(rows, content).clip;
    const Content again = read(good(write_asf(content)).bytes, {.metres_per_unit = {}, .up = up});
    ASSERT_NO_FATAL_FAILURE(expect_same_figure(*content.figure, *again.figure));
    EXPECT_EQ(again.row_order, content.row_order);
    EXPECT_LE((motion(good(write_amc(content, clip)).bytes, again).clip.poses - clip.poses).cwiseAbs().maxCoeff(),
              1e-13);
    // With another axis up and another unit it is another file of the same thing.
    const WriteOptions options{.metres_per_unit = 0.01, .up = up == Up::y ? Up::z : Up::y};
    const Content turned = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    EXPECT_NEAR(turned.space.metres_per_unit, 0.01, 1e-15);
    const Clip turned_clip = motion(good(write_amc(content, clip, options)).bytes, turned).clip;
    const Places a = places(*content.figure, clip.pose(0)), b = places(*turned.figure, turned_clip.pose(0));
    for (const auto& [name, place] : a) EXPECT_LE((place - b.at(name)).norm(), 1e-8) << name;
  }
}

TEST(AcclaimWrite, CarriesEveryTakeOverToBvh) {
  for (const Take& take : takes) {
    const Content content = skeleton(take);
    Clip clip = motion(take, content).clip;
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const Written written = good(write_bvh(content, &clip));
    EXPECT_TRUE(has_note(written.notes, "limits"));
    const Content bvh = good(read_bvh(written.bytes, "f", {.metres_per_unit = 0.01, .up = Up::y}));
    Pairs pairs;
    for (std::size_t bone = 0; bone < content.figure->segments().size(); ++bone) {
      const Segment& segment = content.figure->segments()[bone];
      pairs.emplace_back(segment.name, segment.name);
      if (segment.subtree_end == static_cast<int>(bone) + 1)
        pairs.emplace_back(segment.name + "_tip", segment.name + "_End");
    }
    const double worst = worst_distance(*content.figure, clip, *bvh.figure, bvh.clips[0], pairs);
    EXPECT_LE(worst / content.space.metres_per_unit, 1e-6) << take.amc;
    EXPECT_EQ(bvh.figure->sites().size(), 31u + 7u);
    EXPECT_DOUBLE_EQ(bvh.clips[0].frame_time, clip.frame_time);
  }
}

// The place of every joint and tip of a BVH file in the Acclaim file made of it.
TEST(AcclaimWrite, CarriesEveryBvhFileOver) {
  for (const auto& entry : std::filesystem::directory_iterator(data / "bvh")) {
    const Content content = good(read_bvh(read_sample(entry.path()), "f"));
    Clip clip = content.clips.front();
    clip.poses = clip.poses.leftCols(std::max(1, clip.frames() / stride(20))).eval();
    const WriteOptions options{.metres_per_unit = {}, .up = content.space.up};
    const Content again = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    const Clip rows = motion(good(write_amc(content, clip, options)).bytes, again).clip;
    ASSERT_EQ(rows.frames(), clip.frames());
    Pairs pairs;
    for (const Segment& segment : content.figure->segments()) {
      const std::string bone = segment.parent == no_parent ? "root" : segment.name == "End" ? "End_" : segment.name;
      pairs.emplace_back(segment.name, bone);
      if (std::ranges::find(content.figure->sites(), segment.name + "_End", &Site::name) !=
          content.figure->sites().end())
        pairs.emplace_back(segment.name + "_End", bone + "_tip");
    }
    const double worst = worst_distance(*content.figure, clip, *again.figure, rows, pairs);
    EXPECT_LE(worst / content.space.metres_per_unit, 1e-6) << entry.path();
  }
}

Clip random_clip(const Figure& figure, std::uint64_t seed, int frames) {
  Random random(seed);
  Clip clip;
  clip.poses.resize(static_cast<Eigen::Index>(figure.parameters().size()), frames);
  for (int k = 0; k < frames; ++k) clip.poses.col(k) = testing::random_pose(figure, random, 3.0).theta;
  return clip;
}

// Joint centres of any figure in the Acclaim file made of it, and the tips of its leaves.
double worst_joint(const Content& content, const Clip& clip, const Content& again, const Clip& rows) {
  const Figure& figure = *content.figure;
  double worst = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    const Kinematics state = forward(figure, clip.pose(k));
    const Places b = places(*again.figure, rows.pose(k));
    const auto roots = std::ranges::count(figure.segments(), no_parent, &Segment::parent);
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const bool is_root = figure.segments()[s].parent == no_parent && roots == 1;
      std::string bone = is_root ? "root" : figure.joints()[s].name;
      std::ranges::replace(bone, ' ', '_');
      worst = std::fmax(worst, (state.segments[s] * figure.joints()[s].in_child.p - b.at(bone)).norm());
      if (figure.segments()[s].subtree_end > static_cast<int>(s) + 1) continue;
      double nearest = infinity;
      bool any = false;
      for (const Site& site : figure.sites()) {
        if (site.segment != static_cast<int>(s)) continue;
        any = true;
        nearest = std::fmin(nearest, (state.segments[s] * site.frame.p - b.at(bone + "_tip")).norm());
      }
      if (any) worst = std::fmax(worst, nearest);
    }
  }
  return worst;
}

TEST(AcclaimWrite, KeepsTheJointsOfTheHumanAndTheLimitsOfItsHinges) {
  Content content;
  content.figure = human();
  const Clip clip = random_clip(*content.figure, 1, 20);
  const Written written = good(write_asf(content));
  for (const char* kind : {"linear limits", "groups", "masses", "mirror pairs", "sites"})
    EXPECT_TRUE(has_note(written.notes, kind)) << kind;
  const Content again = read(written.bytes);
  const Written rows = good(write_amc(content, clip));
  EXPECT_TRUE(has_note(rows.notes, "frame time"));
  EXPECT_LE(worst_joint(content, clip, again, motion(rows.bytes, again).clip), 1e-8);
  // Every freedom with limits has one as wide in the file.
  std::multiset<long> before, after;
  const auto micro = [](const Freedom& freedom) { return std::lround((freedom.upper - freedom.lower) * 1e6); };
  for (const Freedom& freedom : content.figure->freedoms())
    if (std::isfinite(freedom.lower) && std::isfinite(freedom.upper)) before.insert(micro(freedom));
  for (const Freedom& freedom : again.figure->freedoms())
    if (std::isfinite(freedom.lower) && std::isfinite(freedom.upper)) after.insert(micro(freedom));
  EXPECT_GT(after.size(), 50u);
  EXPECT_TRUE(std::ranges::includes(before, after));
  EXPECT_TRUE(before.size() == after.size() || has_note(written.notes, "limits not written"));
}

TEST(AcclaimWrite, KeepsTheJointsOfAnyFigure) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Content content;
    content.figure = built(testing::random_tree(
        random, {.segments = 2 + static_cast<int>(seed) % 9, .free_root = seed % 3 != 0, .groups = seed % 2 == 0}));
    const Clip clip = random_clip(*content.figure, seed, 5);
    WriteOptions options;
    options.up = seed % 2 == 0 ? Up::z : Up::y;
    const Content again = read(good(write_asf(content, options)).bytes, {.metres_per_unit = {}, .up = options.up});
    const Clip rows = motion(good(write_amc(content, clip, options)).bytes, again).clip;
    EXPECT_LE(worst_joint(content, clip, again, rows), 1e-8) << "seed " << seed;
  }
}

TEST(AcclaimWrite, TurnsOrthogonalAxesIntoDofsWithTheirLimits) {
  Random random(5);
  for (const bool left_handed : {false, true})
    for (int count = 1; count <= 3; ++count) {
      const Mat3 R = random.rotation();
      FigureDescription description;
      description.name = "axes";
      description.segments = {{"base"}, {"arm"}};
      description.joints = {free_root("root", "base"),
                            {"arm", "base", "arm", testing::random_frame(random), testing::random_frame(random), {}}};
      const Vec3 axes[] = {left_handed ? Vec3(-R.col(0)) : Vec3(R.col(0)), R.col(1), R.col(2)};
      for (int k = 0; k < count; ++k)
        description.joints[1].freedoms.push_back(
            testing::turn(std::string(1, static_cast<char>('a' + k)), axes[k], {-1.0 - 0.1 * k, 2.0}));
      description.sites = {{"arm_tip", "arm", at({0.1, 0.2, 0.3})}};
      Content content;
      content.figure = built(description);
      const Clip clip = random_clip(*content.figure, 3, 4);
      const Content again = read(good(write_asf(content)).bytes);
      const Clip rows = motion(good(write_amc(content, clip)).bytes, again).clip;
      EXPECT_LE(worst_joint(content, clip, again, rows), 1e-8);
      const auto& freedoms = again.figure->freedoms();
      ASSERT_EQ(freedoms.size(), 6u + static_cast<std::size_t>(count));
      for (int k = 0; k < count; ++k) EXPECT_NEAR(freedoms[6 + k].upper - freedoms[6 + k].lower, 3.0 + 0.1 * k, 1e-9);
    }
}

TEST(AcclaimWrite, KeepsWhatShiftsAfterItTurned) {
  FigureDescription description;
  description.name = "crank";
  description.segments = {{"base"}, {"arm"}};
  description.joints = {free_root("root", "base"),
                        {"arm",
                         "base",
                         "arm",
                         at({0, 1, 0}),
                         {},
                         {testing::turn("turn", Vec3::UnitY(), {-1, 1}), testing::shift("out", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 7, 5);
  const Written written = good(write_asf(content));
  EXPECT_TRUE(has_note(written.notes, "limits not written"));
  const Content again = read(written.bytes);
  EXPECT_LE(worst_joint(content, clip, again, motion(good(write_amc(content, clip)).bytes, again).clip), 1e-8);
}

TEST(AcclaimWrite, HangsSeveralRootsOnOneAndKeepsNamesToAWord) {
  FigureDescription description;
  description.name = "pair";
  description.segments = {{"a"}, {"b"}, {"c"}, {"d"}};
  description.joints = {free_root("left one", "a"),
                        free_root("end", "b"),
                        {"12", "b", "c", at({0, 1, 0}), {}, {testing::turn("t", Vec3::UnitX())}},
                        {"left_one", "b", "d", at({1, 0, 0}), {}, {testing::turn("t", Vec3::UnitX())}}};
  Content content;
  content.figure = built(description);
  const Clip clip = random_clip(*content.figure, 9, 3);
  const Written written = good(write_asf(content));
  EXPECT_TRUE(has_note(written.notes, "several roots"));
  EXPECT_TRUE(has_note(written.notes, "names changed"));
  const Content again = read(written.bytes);
  const Clip rows = motion(good(write_amc(content, clip)).bytes, again).clip;
  const Kinematics state = forward(*content.figure, clip.pose(2));
  const Places b = places(*again.figure, rows.pose(2));
  for (const auto& [s, bone] :
       {std::pair{0, "left_one"}, std::pair{1, "end_"}, std::pair{2, "b12"}, std::pair{3, "left_one_2"}})
    EXPECT_LE((state.segments[s].p - b.at(bone)).norm(), 1e-8) << bone;
}

TEST(AcclaimWrite, RefusesWhatNoFileCanHold) {
  EXPECT_FALSE(write_asf({}));
  EXPECT_FALSE(write_amc({}, {}));
  EXPECT_FALSE(read_amc("1\n", "f", {}));
  const Content content = read(small(plain_arm));
  Clip clip;
  clip.poses = MatX::Zero(5, 1);
  EXPECT_FALSE(write_amc(content, clip));
  clip.poses = MatX::Zero(6, 1);
  EXPECT_TRUE(write_amc(content, clip));
  clip.poses(2, 0) = std::nan("");
  EXPECT_FALSE(write_amc(content, clip));
}

}  // namespace
}  // namespace limber
