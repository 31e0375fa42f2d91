// limber attach, and limber track on markers.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace markers_test {

class ToolOnMarkers : public Tool {
 protected:
  nlohmann::json reported(const std::string& arguments, int status) const {
    const Answer answer = limber(arguments);
    EXPECT_EQ(answer.status, status) << answer.err;
    return nlohmann::json::parse(answer.out, nullptr, false);
  }

  const std::string files_ = source_dir() + "/data/";
  const std::string skeleton_ = files_ + "acclaim/02.asf", motion_ = files_ + "acclaim/02_01.amc",
                    recording_ = files_ + "c3d/02_01.c3d";
};

// A table of the places of the figure in a few frames; one of them is not seen in the second, none in the third, and
// only so many in the first.
std::string table_of(const std::vector<nlohmann::json>& frames, int seen_in_first = 1000) {
  std::string names = "Frame#\tTime", axes = "\t", rows;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    rows += std::to_string(k + 1) + "\t" + nlohmann::json(0.1 * static_cast<double>(k)).dump();
    int column = 0;
    for (const auto& [name, spot] : frames[k]["positions"].items()) {
      ++column;
      if (k == 0) {
        names += "\t" + name + "\t\t";
        for (const char* axis : {"X", "Y", "Z"}) axes += "\t" + (axis + std::to_string(column));
      }
      const bool seen = k != 2 && (k != 1 || column != 3) && (k != 0 || column <= seen_in_first);
      for (int c = 0; c < 3; ++c) rows += "\t" + (seen ? spot["metres"][c].dump() : std::string());
    }
    rows += "\n";
  }
  const std::string counts = std::to_string(frames.size()) + "\t" + std::to_string(frames[0]["positions"].size());
  return "PathFileType\t4\t(X/Y/Z)\tplaces.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
         "OrigDataStartFrame\tOrigNumFrames\n10\t10\t" +
         counts + "\tm\t10\t1\t4\n" + names + "\n" + axes + "\n" + rows;
}

TEST_F(ToolOnMarkers, FollowsMarkersThatHaveTheNamesOfSites) {
  std::vector<nlohmann::json> frames;
  for (const char* frame : {"0", "12", "24", "36"})
    frames.push_back(reported("info " + motion_ + " --positions --json --frame " + frame, 0));
  write("places.trc", table_of(frames));
  const nlohmann::json numbers = reported("track " + motion_ + " places.trc --widen --json -o out.bvh", 0);
  EXPECT_EQ(numbers["frames"], 3);
  EXPECT_EQ(numbers["frames_not_met"], 0);
  EXPECT_EQ(numbers["frames_without_markers"], 1);
  EXPECT_EQ(numbers["limits_kept"], 3);
  EXPECT_GT(numbers["markers"].size(), 25u);
  EXPECT_LE(numbers["error_cm"]["max"].get<double>(), 1e-4) << "a micrometre";
  EXPECT_EQ(reported("info out.bvh --json", 0)["motions"][0]["frames"], 4) << "a frame without markers stays as it was";
  // Turned as a whole, it is the same body somewhere else.
  const nlohmann::json turned = reported("track " + motion_ + " places.trc --widen --json --turn 137", 0);
  EXPECT_LE(turned["error_cm"]["max"].get<double>(), 1e-4);
}

// Two points do not say which side is up: the figure stays as it is until more are seen.
TEST_F(ToolOnMarkers, DoesNotPlaceAFigureByTooFewMarkers) {
  std::vector<nlohmann::json> frames;
  for (const char* frame : {"0", "12", "24", "36"})
    frames.push_back(reported("info " + motion_ + " --positions --json --frame " + frame, 0));
  write("few.trc", table_of(frames, 2));
  const nlohmann::json numbers = reported("track " + motion_ + " few.trc --widen --json -o few.bvh", 1);
  EXPECT_EQ(numbers["frames_with_too_few_markers"], 1);
  EXPECT_EQ(numbers["frames_without_markers"], 1);
  EXPECT_EQ(numbers["frames"], 2);
  EXPECT_LE(numbers["error_cm"]["max"].get<double>(), 1e-4) << "the others are followed";
  const nlohmann::json first = reported("info few.bvh --positions --json --frame 0", 0)["positions"];
  EXPECT_GT(first["head"]["metres"][1].get<double>(), first["lfoot"]["metres"][1].get<double>() + 1.0) << "upright";
}

TEST_F(ToolOnMarkers, FindsWhereMarkersAreAndFollowsThem) {
  const Answer attached = limber("attach " + skeleton_ + " " + motion_ + " " + recording_ + " -o markers.json");
  ASSERT_EQ(attached.status, 0) << attached.err;
  EXPECT_NE(attached.out.find("LANK         ltibia"), std::string::npos) << attached.out;
  EXPECT_NE(attached.out.find("turned by -90.0 degrees"), std::string::npos) << attached.out;
  const nlohmann::json set = nlohmann::json::parse(read(folder_ / "markers.json"), nullptr, false);
  EXPECT_EQ(set["limber"], "markers 1");
  EXPECT_EQ(set["turn_deg"], -90.0);
  EXPECT_EQ(set["markers"].size(), 41u);
  EXPECT_EQ(reported("attach " + motion_ + " " + recording_ + " --json", 0), set) << "the skeleton is found beside";

  const std::string track = "track " + skeleton_ + " " + recording_ + " --markers markers.json --every 20 ";
  const nlohmann::json numbers = reported(track + "--json -o out.amc", 0);
  EXPECT_EQ(numbers["frames"], 18);
  EXPECT_EQ(numbers["frames_stuck"], 0);
  EXPECT_EQ(numbers["limits_kept"], 18);
  EXPECT_LE(numbers["error_cm"]["mean"].get<double>(), 0.7) << "measured: 0.46";
  EXPECT_LE(numbers["error_each_cm"]["LANK"].get<double>(), 0.7);
  // Frame 9 is the 180th of the motion that was made from the markers.
  const nlohmann::json found = reported("info out.amc --positions --json --frame 9", 0);
  const nlohmann::json truth = reported("info " + motion_ + " --positions --json --frame 180", 0);
  double sum = 0.0;
  for (const auto& [name, spot] : truth["positions"].items()) {
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
      const double d = spot["metres"][c].get<double>() - found["positions"][name]["metres"][c].get<double>();
      square += d * d;
    }
    sum += std::sqrt(square);
  }
  EXPECT_LE(sum / static_cast<double>(truth["positions"].size()), 0.02) << "measured: 1 cm";
  // --marker comes before the file.
  const nlohmann::json moved = reported(track + "--json --marker LANK=ltibia:0.5,0,0", 0);
  EXPECT_GE(moved["error_each_cm"]["LANK"].get<double>(), 10.0);
}

TEST_F(ToolOnMarkers, FitsAPersonToATableOfMarkers) {
  write("human.json", R"({"limber": "figure 1", "figure": {"human": {}}})");
  const std::string set = "--markers '" + source_dir() + "/example/markers/gait.json'";
  const nlohmann::json numbers =
      reported("track human.json " + files_ + "trc/subject01_walk1.trc " + set + " --every 50 --json", 0);
  EXPECT_EQ(numbers["frames"], 4);
  EXPECT_EQ(numbers["markers"].size(), 41u);
  EXPECT_LE(numbers["error_cm"]["mean"].get<double>(), 4.0) << "measured: 2.9, of a body of another size";
}

TEST_F(ToolOnMarkers, SaysWhatMarkersCannotDo) {
  const std::string track = "track " + skeleton_ + " " + recording_ + " ";
  expect_mistake(limber(track), 3,
                 "limber: " + recording_ + ": found no marker that is fixed to the figure; expected --markers");
  expect_mistake(limber(track + "--marker LANC=lfoot"), 3,
                 "limber: --marker: found the marker 'LANC'; expected one of " + recording_ + ", such as 'LANK', '");
  const Answer nowhere = limber(track + "--marker LANK=lfood");
  expect_mistake(nowhere, 3, "limber: " + skeleton_ + ": marker 'LANK': figure ");
  EXPECT_NE(nowhere.err.find("such as 'lfoot'"), std::string::npos) << nowhere.err;
  expect_mistake(limber(track + "--marker LANK=lfoot --root given"), 2,
                 "limber: --root given: found markers, which do not give the root; expected");
  expect_mistake(limber(track + "--marker LANK=lfoot --orientations"), 2, "limber: --orientations: found markers");
  expect_mistake(limber(track + "--marker LANK=lfoot --goals head"), 2, "limber: --goals: found markers");
  expect_mistake(limber(track + "--marker LANK=lfoot --widen"), 2, "limber: --widen: found " + skeleton_);
  expect_mistake(limber(track + "--marker LANK=lfoot --marker LANK=lhand"), 2,
                 "limber: --marker: found 'LANK' a second");
  expect_mistake(limber(track + "--marker LANK"), 2, "limber: --marker: found LANK; expected NAME=PLACE");
  expect_mistake(limber(track + "--markers nothing.json"), 4, "limber: nothing.json: ");
  expect_mistake(limber("track " + motion_ + " --marker LANK=lfoot"), 2, "limber: --marker: found no markers");
  expect_mistake(limber("track " + recording_), 3, "limber: " + recording_ + ": found no figure");
  expect_mistake(limber("attach " + skeleton_ + " " + recording_), 3, "limber: " + skeleton_ + ": found no motion");
  expect_mistake(limber("attach " + motion_ + " " + motion_), 3, "limber: " + motion_ + ": found no markers");
  expect_mistake(limber("attach " + motion_ + " " + recording_ + " --start 400"), 3, "limber: " + recording_ + ": ");
  // A set of markers may be for more than this recording has.
  write("set.json", R"({"limber": "markers 1", "markers": {"LANK": {"place": "lfoot"}, "LANKE": {"place": "lfoot"}}})");
  const Answer more = limber(track + "--markers set.json --every 300");
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_NE(more.err.find("marker 'LANKE' is not in"), std::string::npos) << more.err;
}

}  // namespace markers_test
}  // namespace limber::test
