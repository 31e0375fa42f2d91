// limber prior, and what uses it: track and solve.
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace prior_test {

const std::string motions = "'" + source_dir() + "/data/acclaim/";

TEST_F(Tool, LearnsHowABodyStands) {
  const Answer learned = limber("prior " + motions + "09_06.amc' " + motions + "07_05.amc' -o usual.json");
  ASSERT_EQ(learned.status, 0) << learned.err;
  EXPECT_NE(learned.out.find("56 parameters"), std::string::npos) << learned.out;
  const nlohmann::json prior = parsed(read(folder_ / "usual.json"));
  EXPECT_EQ(prior["limber"], "prior 1");
  ASSERT_EQ(prior["prior"]["terms"].size(), 56U);
  EXPECT_EQ(prior["prior"]["up"]["segment"], "root");
  // A motion that is cut off says so.
  write("09.asf", read(fs::path(source_dir()) / "data/acclaim/09.asf"));
  write("09_06.amc", read(fs::path(source_dir()) / "data/acclaim/09_06.amc").substr(0, 5000));
  EXPECT_NE(limber("prior 09_06.amc").err.find("09_06.amc"), std::string::npos);
  EXPECT_NE(limber("limits 09_06.amc").err.find("09_06.amc"), std::string::npos);
  const Answer table = limber("prior " + motions + "09_06.amc'");
  EXPECT_NE(table.out.find("ltibia.rx"), std::string::npos) << table.out;
  const Answer human = limber("prior " + motions + "09_06.amc' --figure human --independent -o human.json");
  ASSERT_EQ(human.status, 0) << human.err;
  EXPECT_FALSE(parsed(read(folder_ / "human.json"))["prior"].contains("correlation"));

  // The knees, which no goal names, are nearer to what they did with a prior than without.
  const std::string track = "track " + motions + "02.asf' " + motions + "02_01.amc' --every 40 --json ";
  for (const char* how : {"--prior usual.json", "--natural"}) {
    const Answer natural = limber(track + how);
    ASSERT_EQ(natural.status, 0) << natural.err;
    EXPECT_EQ(parsed(natural.out)["frames"], 9);
  }
}

TEST_F(Tool, SolvesAsNaturallyAsTheFigureKnows) {
  const Answer answer = limber("solve reach.json --natural --json");
  ASSERT_LE(answer.status, 1) << answer.err;
  const nlohmann::json report = parsed(answer.out);
  EXPECT_LT(report["soft_scale"], 1.0);
  ASSERT_EQ(limber("prior " + motions + "09_06.amc' --figure human -o runs.json").status, 0);
  const Answer other = limber("solve reach.json --prior runs.json --json");
  ASSERT_LE(other.status, 1) << other.err;
  EXPECT_NE(parsed(other.out)["pose_degrees"], report["pose_degrees"]);
  expect_mistake(limber("solve reach.json --prior nowhere.json"), 4, "limber: nowhere.json");
  expect_mistake(limber("solve arm.json --natural"), 3, "limber: arm.json: prior of figure 'arm': found none; ");
}

TEST_F(Tool, SaysWhatIsWrongWithAPrior) {
  expect_mistake(limber("prior nowhere.bvh"), 4, "limber: ");
  expect_mistake(limber("prior arm.json"), 3, "limber: ");
  expect_mistake(limber("prior " + motions + "09_06.amc' --trust 2"), 2, "limber: ");
  expect_mistake(limber("prior " + motions + "09_06.amc' --figure arm.json"), 3, "limber: ");
  write("other.json",
        R"({"limber": "prior 1", "prior": {"terms": [{"parameter": "tail.wag", "mean": 1, "spread": 2}]}})");
  expect_mistake(limber("track " + motions + "02.asf' " + motions + "02_01.amc' --prior other.json"), 3,
                 "limber: other.json");
}

}  // namespace prior_test
}  // namespace limber::test
