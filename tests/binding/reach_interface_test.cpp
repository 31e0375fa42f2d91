// The calls of binding/wasm for maps of reach, compiled for this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "binding/wasm/interface.h"
#include "limber/figure/human.h"
#include "limber/limber.h"
#include "tests/support/laws.h"

namespace reach_interface_test {

std::string reach_text() { return {limber_text(), static_cast<std::size_t>(limber_text_size())}; }
int reach_size(const std::string& text) { return static_cast<int>(text.size()); }

const std::string scene_of_none = R"({"limber": "scene 1", "figure": {"human": {}}})";
const double resolution = limber::law::whole_or_quick(0.06, 0.1);
const std::string forearm = R"({"handle": "right_palm", "from": "right_elbow", "resolution": )" +
                            std::string(limber::law::whole_or_quick("0.06", "0.1")) + "}";

class ReachInterface : public ::testing::Test {
 protected:
  ReachInterface() {
    const std::string json = R"({"limber": "figure 1", "figure": {"human": {}}})";
    figure = limber_figure_read(json.data(), reach_size(json));
    theta.resize(static_cast<std::size_t>(limber_figure_parameters(figure)));
    limber_figure_rest(figure, theta.data());
  }
  ~ReachInterface() override { limber_drop(figure); }

  int reach(const std::string& asked, const std::string& scene = scene_of_none) const {
    return limber_reach_new(figure, scene.data(), reach_size(scene), asked.data(), reach_size(asked), theta.data());
  }

  const limber::Figure human = limber::human();
  int figure = 0;
  std::vector<double> theta;
};

TEST_F(ReachInterface, AMapMadeWaveByWaveIsThatOfTheLibrary) {
  const int map = reach(forearm);
  ASSERT_GT(map, 0) << reach_text();
  EXPECT_EQ(limber_reach_summary(map), 0) << "before the first wave";
  std::vector<double> progress(3);
  int waves = 0, state = 1;
  for (; state == 1; ++waves) state = limber_reach_go(map, 1);
  EXPECT_EQ(state, 2);
  EXPECT_GT(waves, 2);
  EXPECT_EQ(limber_reach_go(map, 1), 2);
  ASSERT_EQ(limber_reach_progress(map, progress.data()), 1);

  const limber::Expected<limber::ReachMap> own =
      limber::reach(limber::Problem(human), human.rest(), human.frame("right_palm"),
                    {.resolution = resolution, .from = "right_elbow", .threads = 1});
  ASSERT_TRUE(own);
  EXPECT_EQ(progress[0], static_cast<double>(own->cells.size()));
  std::size_t solves = 0;
  for (const limber::ReachCell& cell : own->cells) solves += cell.solves;
  EXPECT_EQ(progress[2], static_cast<double>(solves));
  const limber::ReachSurface surface = surface_of(*own, from_limits(human, own->variables));
  ASSERT_EQ(limber_reach_write(map, 0, "a.ply", 5), 1) << reach_text();
  EXPECT_EQ(reach_text(), write_reach_ply(surface));
  EXPECT_EQ(limber_reach_write(map, 0, "a.xyz", 5), 0);
  EXPECT_EQ(limber_reach_write(map, 7, "a.ply", 5), 0);
  limber_drop(map);
}

TEST_F(ReachInterface, EveryVertexHasAWitnessBesideIt) {
  const int map = reach(forearm);
  ASSERT_EQ(limber_reach_go(map, 1'000'000), 2) << reach_text();
  ASSERT_EQ(limber_reach_surface(map), 1);
  const std::string bytes = reach_text();
  std::int32_t counts[4];
  std::memcpy(counts, bytes.data(), sizeof(counts));
  const auto [vertices, triangles, witnesses, moving] = counts;
  ASSERT_EQ(bytes.size(), 16U + 8U * static_cast<unsigned>(witnesses * moving) + 4U * static_cast<unsigned>(moving) +
                              36U * static_cast<unsigned>(vertices) + 12U * static_cast<unsigned>(triangles));
  ASSERT_GT(vertices, limber::law::whole_or_quick(100, 20));
  const char* at = bytes.data() + 16;
  std::vector<double> poses(static_cast<std::size_t>(witnesses * moving));
  std::memcpy(poses.data(), at, 8 * poses.size());
  at += 8 * poses.size();
  std::vector<std::int32_t> parameters(static_cast<std::size_t>(moving)), witness(static_cast<std::size_t>(vertices));
  std::memcpy(parameters.data(), at, 4 * parameters.size());
  at += 4 * parameters.size();
  std::vector<float> each(static_cast<std::size_t>(8 * vertices));
  std::memcpy(each.data(), at, 4 * each.size());
  at += 4 * each.size();
  std::memcpy(witness.data(), at, 4 * witness.size());
  const limber::Element palm = human.point("right_palm")->plus[0];
  const limber::PoseMeasure limits = from_limits(human, {parameters.begin(), parameters.end()});
  for (std::size_t v = 0; v < witness.size(); ++v) {
    limber::Pose pose = human.rest();
    for (std::size_t k = 0; k < parameters.size(); ++k)
      pose.theta[parameters[k]] = poses[static_cast<std::size_t>(witness[v]) * parameters.size() + k];
    const limber::Vec3 x(static_cast<double>(each[8 * v]), static_cast<double>(each[8 * v + 1]),
                         static_cast<double>(each[8 * v + 2]));
    // The vertex is on an edge between two centres, no longer than the diagonal of a cell.
    EXPECT_LT((evaluate(human, forward(human, pose), palm) - x).norm(), std::sqrt(3.0) * resolution + 1e-3);
    EXPECT_NEAR(static_cast<double>(each[8 * v + 6]), limits(pose), 1e-6);
    EXPECT_GE(each[8 * v + 7], 0.0F);
    EXPECT_LE(each[8 * v + 7], 1.0F);
  }
  limber_drop(map);
}

TEST_F(ReachInterface, RejectsWhatMakesNoSense) {
  EXPECT_EQ(reach(R"({"handle": "nowhere"})"), 0);
  EXPECT_EQ(reach(R"({"handle": "right_palm", "colour": 1})"), 0);
  EXPECT_EQ(reach(R"({"handle": "right_palm", "resolution": 1e9})"), 0);
  EXPECT_EQ(reach(R"({"resolution": 0.1})"), 0);
  const int loose = reach(R"({"handle": "right_palm", "resolution": 0.1})");
  ASSERT_GT(loose, 0) << reach_text();
  EXPECT_EQ(limber_reach_go(loose, 1), 0) << "nothing holds the figure";
  EXPECT_NE(reach_text().find("nothing fixes"), std::string::npos) << reach_text();
  limber_drop(loose);
  for (const int none : {0, -1, 9'999}) {
    EXPECT_EQ(limber_reach_go(none, 1), 0);
    EXPECT_EQ(limber_reach_surface(none), 0);
    EXPECT_EQ(limber_reach_summary(none), 0);
  }
}

TEST_F(ReachInterface, ARegionAndAConstraintOnTheHandleItself) {
  const std::string scene = R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [
      {"name": "there", "handle": {"point": "right_palm"}, "goal": {"position": [-0.2, 1, 0.3]}, "weight": "must"}]})";
  const int map = reach(R"({"handle": "right_palm", "from": "right_elbow", "resolution": 0.06, "orientation": false,
                            "least": [-1, 1, -1], "most": [1, 2, 1]})",
                        scene);
  ASSERT_GT(map, 0) << reach_text();
  ASSERT_EQ(limber_reach_go(map, 1'000'000), 2) << reach_text();
  ASSERT_EQ(limber_reach_summary(map), 1);
  const std::string text = reach_text();
  EXPECT_NE(text.find("\"there\""), std::string::npos) << text;
  ASSERT_EQ(limber_reach_write(map, 1, "a.glb", 5), 1) << reach_text();
  EXPECT_EQ(reach_text().substr(0, 4), "glTF");
  limber_drop(map);
}

TEST_F(ReachInterface, StaturesAreThoseOfTheLibrary) {
  EXPECT_EQ(limber_stature(1, 30.0), limber::stature_at(limber::Sex::female, 30.0));
  EXPECT_EQ(limber_stature_percentile(0, 1.8), limber::stature_percentile(limber::Sex::male, 1.8));
  EXPECT_EQ(limber_stature_usual(1), limber::usual_stature(limber::Sex::female));
}

}  // namespace reach_interface_test
