// The tool on scenes of several figures.
#include <nlohmann/json.hpp>

#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace figures_test {

class ToolOnFigures : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    for (const char* name : {"scene/handshake.json", "motion/carry.json", "motion/carry.script"})
      fs::copy_file(fs::path(source_dir()) / "example" / name, folder_ / fs::path(name).filename());
    fs::copy_file(fs::path(source_dir()) / "data/acclaim/02.asf", folder_ / "02.asf");
  }

  nlohmann::json positions(const std::string& file) const {
    return parsed(limber("info " + file + " --positions --json").out)["positions"];
  }
};

TEST_F(ToolOnFigures, SolvesDrawsAndTakesOneOut) {
  const Answer answer = limber("solve handshake.json -o posed.json");
  EXPECT_EQ(answer.status, 0) << answer.err << answer.out;
  EXPECT_NE(answer.out.find("palms meet"), std::string::npos);
  EXPECT_EQ(limber("check posed.json").status, 0);
  EXPECT_EQ(limber("draw posed.json -o both.svg").status, 0);
  EXPECT_EQ(limber("draw posed.json -o host.svg --figure host").status, 0);
  EXPECT_LT(read(folder_ / "host.svg").size(), read(folder_ / "both.svg").size());
  EXPECT_NE(limber("info posed.json").out.find("figures: guest, host"), std::string::npos);

  // One of them stands in its own file where it stood among the others.
  EXPECT_EQ(limber("convert posed.json host.bvh --figure host -q").status, 0);
  const auto whole = positions("posed.json --frame 0"), alone = positions("host.bvh --frame 0");
  int found = 0;
  for (const auto& [name, spot] : alone.items()) {
    if (!whole.contains("host." + name)) continue;
    ++found;
    const auto there = whole["host." + name]["metres"].get<std::array<double, 3>>();
    const auto here = spot["metres"].get<std::array<double, 3>>();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(here[k], there[k], 1e-4) << name;
  }
  EXPECT_GT(found, 5);
}

TEST_F(ToolOnFigures, AssessesOne) {
  EXPECT_EQ(limber("assess handshake.json --figure guest").status, 0);
  expect_mistake(limber("assess handshake.json"), 2, "limber: SCENE: found handshake.json, a scene of several figures");
  expect_mistake(limber("assess handshake.json --figure nobody"), 2,
                 "limber: --figure: found 'nobody'; expected one of guest, host");
}

TEST_F(ToolOnFigures, ReadsThemFromFilesAndWritesTheirPathsAnew) {
  write(
      "crowd.json",
      R"({"limber": "scene 1", "figures": {"one": {"figure": {"file": "02.asf"}}, "two": {"figure": {"human": {}}, "p": [1, 0, 0]}},
            "constraints": [{"handle": {"difference": [{"point": "one.left_palm"}, {"point": "two.right_palm"}]},
                             "goal": {"coincide": true}}]})");
  fs::create_directory(folder_ / "sub");
  EXPECT_EQ(limber("solve crowd.json -o sub/posed.json").status, 0);
  EXPECT_EQ(parsed(read(folder_ / "sub/posed.json"))["figures"]["one"]["figure"]["file"], "../02.asf");
  EXPECT_EQ(limber("solve sub/posed.json").status, 3);
  EXPECT_EQ(limber("solve sub/posed.json --allow-outside").status, 0);
}

TEST_F(ToolOnFigures, AnimatesThemAndWritesOne) {
  const Answer answer = limber(
      "animate carry.json carry.script --rate 6 --frame-by-frame -o front.bvh --figure front --picture page.svg");
  EXPECT_EQ(answer.status, 0) << answer.err << answer.out;
  EXPECT_EQ(parsed(limber("info front.bvh --json").out)["motions"][0]["frames"], 11);
  EXPECT_EQ(limber("animate carry.json carry.script --rate 6 --keys-alone -o all.glb -q").status, 0);
  expect_mistake(limber("animate carry.json carry.script --keys-alone -o a.bvh --figure nobody -q"), 2,
                 "limber: --figure: found 'nobody'");
}

TEST_F(ToolOnFigures, NamesOptionsWithoutEffect) {
  expect_mistake(limber("solve handshake.json --figure 02.asf"), 2,
                 "limber: --figure: found handshake.json, a scene of several figures");
  expect_mistake(limber("convert 02.asf a.glb --figure guest"), 2, "limber: --figure: found 02.asf, which is no scene");
  expect_mistake(limber("convert reach.json a.glb --figure guest"), 2,
                 "limber: --figure: found reach.json, which has one figure");
}

}  // namespace figures_test
}  // namespace limber::test
