#include "bench/task/takes.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/kinematics/forward.h"
#include "tests/format/acclaim/acclaim_sample.h"

namespace takes_test {

using namespace limber;
using namespace limber::acclaim_sample;

const std::string& stored() {
  static const std::string text = read_sample(data_folder() / "poses" / "cmu_takes.bin");
  return text;
}

const Content& body() {
  static const Content content = skeleton(Take{"02", ""});
  return content;
}

TEST(RecordedTakes, AreTenSecondsOfEighteenPeople) {
  const std::vector<Clip> takes = limber::testing::good(bench::takes_from_text(stored(), *body().figure));
  ASSERT_EQ(takes.size(), 88u);
  std::set<std::string> people;
  int frames = 0;
  for (const Clip& take : takes) {
    people.insert(take.name.substr(0, take.name.find('_')));
    frames += take.frames();
    EXPECT_LE(take.duration(), 10.0) << take.name;
  }
  EXPECT_EQ(people.size(), 18u);
  EXPECT_EQ(frames, 18'192);
}

// The Acclaim file of one of the takes, at four times the frame rate, on the same body. Angles are stored to 0.005
// degrees; over the 2 m of a body that is less than a millimetre.
TEST(RecordedTakes, PutEveryJointWhereTheAcclaimFileDoes) {
  const Figure& figure = *body().figure;
  const std::vector<Clip> takes = limber::testing::good(bench::takes_from_text(stored(), figure));
  const auto take = std::ranges::find(takes, "49_18", &Clip::name);
  ASSERT_NE(take, takes.end());
  const Clip recorded = motion(Take{"49", "49_18"}, body()).clip;
  ASSERT_GE(recorded.frames(), 4 * take->frames() - 3);
  Kinematics a(figure), b(figure);
  VecX q;
  double worst = 0.0, travel = 0.0;
  for (int k = 0; k < take->frames(); ++k) {
    figure.angles(take->poses.col(k), q);
    forward(figure, q, a);
    figure.angles(recorded.poses.col(4 * k), q);
    forward(figure, q, b);
    for (std::size_t s = 0; s < figure.segments().size(); ++s)
      worst = std::fmax(worst, (a.segments[s].p - b.segments[s].p).norm());
    travel = std::fmax(travel, (take->poses.col(k) - take->poses.col(0)).norm());
  }
  EXPECT_LT(worst, 1e-3);
  EXPECT_GT(travel, 1.0);  // radians: it is a motion
}

TEST(RecordedTakes, RejectsAFileThatIsCutOrTooLong) {
  const Figure& figure = *body().figure;
  EXPECT_FALSE(bench::takes_from_text(std::string_view(stored()).substr(0, stored().size() - 1), figure));
  EXPECT_FALSE(bench::takes_from_text(stored() + "x", figure));
  EXPECT_FALSE(bench::takes_from_text("limber takes 2\n", figure));
  EXPECT_FALSE(bench::takes_from_text("limber takes 1\nroot.tx\n\n", figure));
  EXPECT_FALSE(bench::takes_from_text("limber takes 1\nroot.nothing\n06_01 1\n\n\x02", figure));
}

}  // namespace takes_test
