// Comfort asked for in a scene, through the tool.
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace comfort_test {

using ComfortScene = Tool;

const nlohmann::json& reported(const nlohmann::json& report, const std::string& name) {
  for (const nlohmann::json& constraint : report["constraints"])
    if (constraint["name"] == name) return constraint;
  ADD_FAILURE() << name;
  return report;
}

// A hand to a shelf: with comfort asked for it is there as well, and all measures of the posture are better.
TEST_F(ComfortScene, IsMoreComfortableAndReachesAsFar) {
  const auto scene = parsed(read(fs::path(source_dir()) / "example/scene/shelf.json"));
  auto without = scene;
  ASSERT_EQ(without["constraints"].back()["pull"], "comfort");
  without["constraints"].erase(without["constraints"].size() - 1);
  write("with.json", scene.dump());
  write("without.json", without.dump());
  const auto solved = limber("solve with.json --json");
  ASSERT_EQ(solved.status, 0) << solved.err;
  const auto report = parsed(solved.out);
  EXPECT_LE(reported(report, "right hand")["error_mm"], 0.1);
  for (const char* foot : {"left_foot hold", "right_foot hold"}) EXPECT_LE(reported(report, foot)["error_mm"], 1e-6);
  EXPECT_FALSE(reported(report, "right hand").contains("comfort"));
  EXPECT_GT(reported(report, "pull towards comfort")["comfort"], 0.99);
  EXPECT_NE(limber("solve with.json").out.find("comfort 1.000"), std::string::npos);
  const auto plain = parsed(limber("assess without.json --json").out),
             eased = parsed(limber("assess with.json --json").out);
  EXPECT_LT(plain["comfort"], 0.8);
  EXPECT_NEAR(eased["comfort"], reported(report, "pull towards comfort")["comfort"], 1e-6);
  for (const char* side : {"left", "right"}) {
    EXPECT_LT(eased["rula"][side]["score"], plain["rula"][side]["score"]);
    EXPECT_LT(eased["reba"][side]["score"], plain["reba"][side]["score"]);
  }
}

}  // namespace comfort_test
}  // namespace limber::test
