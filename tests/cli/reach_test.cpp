// limber reach, as it is called.
#include "tests/cli/tool.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace reach_test {

using ReachVerb = Tool;

// The palm about the elbow, in few cells.
const std::string forearm = "reach human --handle right_palm --from right_elbow --resolution " +
                            std::string(law::whole_or_quick("4cm ", "6cm "));

TEST_F(ReachVerb, WritesSurfacesVolumesAndSlices) {
  const Answer answer = limber(forearm + "-o a.glb -o a.ply -o a.nrrd -o a.vtk -o a.svg");
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("litres"), std::string::npos);
  EXPECT_NE(answer.out.find("held back by"), std::string::npos);
  EXPECT_TRUE(read(folder_ / "a.glb").starts_with("glTF"));
  EXPECT_TRUE(read(folder_ / "a.ply").starts_with("ply\n"));
  EXPECT_TRUE(read(folder_ / "a.nrrd").starts_with("NRRD0004"));
  EXPECT_TRUE(read(folder_ / "a.vtk").starts_with("# vtk DataFile"));
  EXPECT_NE(read(folder_ / "a.svg").find("</svg>"), std::string::npos);
}

// The comfort of the poses in place of the margin to their limits: other colours and numbers on the same surface.
TEST_F(ReachVerb, ColoursByComfortOrByMargin) {
  ASSERT_EQ(limber(forearm + "-o plain.ply -o plain.vtk -o plain.svg").status, 0);
  ASSERT_EQ(limber(forearm + "--colour margin -o margin.ply -o margin.vtk -o margin.svg").status, 0);
  ASSERT_EQ(limber(forearm + "--colour comfort -o comfort.ply -o comfort.vtk -o comfort.svg").status, 0);
  for (const char* kind : {".ply", ".vtk", ".svg"}) {
    const std::string plain = read(folder_ / ("plain" + std::string(kind)));
    EXPECT_EQ(plain, read(folder_ / ("margin" + std::string(kind)))) << kind;
    EXPECT_NE(plain, read(folder_ / ("comfort" + std::string(kind)))) << kind;
  }
  EXPECT_EQ(read(folder_ / "margin.ply").size(), read(folder_ / "comfort.ply").size());
  EXPECT_NE(read(folder_ / "margin.svg").find("depth below the boundary"), std::string::npos);
  EXPECT_EQ(read(folder_ / "comfort.svg").find("depth below the boundary"), std::string::npos);
  EXPECT_NE(read(folder_ / "comfort.svg").find(">comfort<"), std::string::npos);
  EXPECT_EQ(limber(forearm + "--colour blue").status, 2);
}

TEST_F(ReachVerb, PrintsNumbersForPrograms) {
  const Answer answer = limber(forearm + "--json");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto json = parsed(answer.out);
  EXPECT_TRUE(json["finished"]);
  EXPECT_EQ(json["cells"]["undecided"], 0);
  EXPECT_EQ(json["farthest_m"].size(), 26U);
  EXPECT_GT(json["litres"], 0.0);
}

TEST_F(ReachVerb, GoesOnWithAMapThatWasStopped) {
  ASSERT_EQ(limber(forearm + "--map whole.reach").status, 0);
  const Answer begun = limber(forearm + "--map part.reach --waves 3");
  EXPECT_EQ(begun.status, 1) << "stopped before the end";
  EXPECT_NE(read(folder_ / "part.reach"), read(folder_ / "whole.reach"));
  EXPECT_EQ(limber(forearm + "--map part.reach").status, 0);
  EXPECT_EQ(read(folder_ / "part.reach"), read(folder_ / "whole.reach"));
  const Answer other = limber("reach human --handle left_palm --from left_elbow --map whole.reach");
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.err.find("whole.reach"), std::string::npos) << other.err;
}

TEST_F(ReachVerb, TellsPeopleOfSeveralStaturesApart) {
  const Answer answer = limber(forearm + "--statures --json");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const auto json = parsed(answer.out);
  ASSERT_EQ(json.size(), 3U);
  EXPECT_LT(json[0]["litres"], json[1]["litres"]);
  EXPECT_LT(json[1]["litres"], json[2]["litres"]);
}

// The scene's goal of the hand makes way for the map; its eyes follow the point, its feet stay.
TEST_F(ReachVerb, KeepsTheConstraintsOfAScene) {
  if (law::are_quick()) {  // The eyes alone: feet that stay take the whole body along.
    nlohmann::json scene = parsed(read(folder_ / "reach.json"));
    scene["constraints"].erase(3);
    scene["constraints"].erase(2);
    write("reach.json", scene.dump());
  }
  const std::string fingertip = "reach human --handle right_fingertip --from right_elbow --json --resolution " +
                                std::string(law::whole_or_quick("20cm ", "60cm "));
  const Answer alone = limber(fingertip + "--sex female --stature 1.68");
  const Answer answer = limber(fingertip + "--constraints reach.json");
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.err.find("ignored"), std::string::npos) << answer.err;
  // The eyes' chain begins at the waist and takes the arm along.
  EXPECT_GT(parsed(answer.out)["litres"], parsed(alone.out)["litres"]);
}

// A plate before the hand takes some of its reach away, and is drawn.
TEST_F(ReachVerb, KeepsClearOfWhatASceneKeepsClearOf) {
  const std::string call = "reach human --handle right_palm --from right_elbow --resolution 5cm --json ";
  const std::string scene = "--constraints '" + source_dir() + "/example/scene/behind_plate.json' ";
  const Answer alone = limber(call + "-o alone.svg"), answer = limber(call + scene + "-o plate.svg");
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_GT(parsed(answer.out)["cells"]["reached"], 0);
  EXPECT_LT(parsed(answer.out)["cells"]["reached"], parsed(alone.out)["cells"]["reached"]);
  EXPECT_LT(parsed(answer.out)["litres"], parsed(alone.out)["litres"]);
  const std::string brown = "#96643c";
  EXPECT_NE(read(folder_ / "plate.svg").find(brown), std::string::npos);
  EXPECT_EQ(read(folder_ / "alone.svg").find(brown), std::string::npos);
}

TEST_F(ReachVerb, SaysWhatIsWrong) {
  EXPECT_EQ(limber("reach human --handle right_palm --resolution 2cm").status, 3) << "nothing holds a free figure";
  EXPECT_EQ(limber("reach human --handle nose --from waist").status, 3);
  EXPECT_EQ(limber("reach human --handle right_palm --from waist --resolution -2cm").status, 2);
  EXPECT_EQ(limber("reach human --handle right_palm --from waist -o a.txt").status, 2);
  EXPECT_EQ(limber("reach human --handle right_palm --from waist --waves 3").status, 2);
  EXPECT_EQ(limber("reach missing.json --handle right_palm --from waist").status, 4);
}

}  // namespace reach_test
}  // namespace limber::test
