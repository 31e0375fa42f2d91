// What the C interface of binding/wasm says about a pose's comfort and load, compiled for this machine.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "binding/wasm/interface.h"
#include "limber/assess/assessment.h"
#include "limber/figure/human.h"

namespace assess_test {

class AssessInterface : public ::testing::Test {
 protected:
  AssessInterface() {
    const std::string json = R"({"limber": "figure 1", "figure": {"human": {}}})";
    figure = limber_figure_read(json.data(), static_cast<int>(json.size()));
    theta.resize(static_cast<std::size_t>(limber_figure_parameters(figure)));
    limber_figure_rest(figure, theta.data());
    theta[static_cast<std::size_t>(*human.find_parameter("right_shoulder.elevation"))] = 1.2;
    theta[static_cast<std::size_t>(*human.find_parameter("spine.forward"))] = 0.4;
  }
  ~AssessInterface() override { limber_drop(figure); }

  int assess(const std::string& options) {
    return limber_figure_assess(figure, theta.data(), options.data(), static_cast<int>(options.size()));
  }
  static nlohmann::json answer() {
    return nlohmann::json::parse(std::string(limber_text(), static_cast<std::size_t>(limber_text_size())));
  }

  const limber::Figure human = limber::human();
  int figure = 0;
  std::vector<double> theta;
};

TEST_F(AssessInterface, SaysWhatTheLibrarySays) {
  ASSERT_EQ(assess(R"({"loads": [{"at": ["right_palm"], "kg": 6}], "sex": "female", "percentile": 25, "held": true})"),
            1);
  const nlohmann::json reported = answer();
  limber::AssessmentOptions options;
  options.loads = {{{"right_palm"}, 6.0}};
  options.table = limber::human_strength(limber::Sex::female);
  options.strength.percentile = 25.0;
  options.circumstances.held = true;
  const limber::Pose pose{Eigen::Map<const limber::VecX>(theta.data(), static_cast<Eigen::Index>(theta.size()))};
  const limber::Assessment found = *limber::assess(human, pose, options);
  EXPECT_EQ(reported["load_kg"], 6.0);
  EXPECT_EQ(reported["discomfort"], found.discomfort);
  EXPECT_EQ(reported["outside"], found.load.outside);
  EXPECT_EQ(reported["centre"][1], found.load.centre.y());
  EXPECT_EQ(reported["share_by_segment"], nlohmann::json(found.share_heat));
  EXPECT_EQ(reported["discomfort_by_segment"], nlohmann::json(found.discomfort_heat));
  ASSERT_EQ(reported["joints"].size(), found.rows.size());
  for (std::size_t k = 0; k < found.rows.size(); ++k) {
    const limber::JointRow& row = found.rows[k];
    EXPECT_EQ(reported["joints"][k]["parameter"], row.parameter);
    EXPECT_EQ(reported["joints"][k]["torque"], row.load.torque);
    EXPECT_EQ(reported["joints"][k]["share"].is_null(), row.load.row < 0);
    if (row.load.row >= 0) {
      EXPECT_EQ(reported["joints"][k]["share"], row.load.share);
    }
  }
  EXPECT_EQ(reported["max_load"]["kg"], found.max_load.mass);
  EXPECT_EQ(reported["first"]["freedom"], limber::first_to_give(found.joints)->freedom);
  EXPECT_EQ(reported["right"]["rula"]["score"], found.right->rula.grand);
  EXPECT_EQ(reported["left"]["reba"]["meaning"], limber::reba_meaning(found.left->reba.action_level));
}

TEST_F(AssessInterface, RejectsWhatItDoesNotKnow) {
  for (const char* options : {"", "[]", "{", R"({"loads": 3})", R"({"loads": [{"at": "right_palm", "kg": 1}]})",
                              R"({"loads": [{"at": ["tail"], "kg": 1}]})", R"({"loads": [{"at": ["right_palm"]}]})",
                              R"({"sex": "dragon"})", R"({"percentile": 4})", R"({"carried_by": "wings"})",
                              R"({"coupling": 2})", R"({"sitting": "yes"})", R"({"mood": "good"})"}) {
    EXPECT_EQ(assess(options), 0) << options;
    EXPECT_FALSE(answer()["text"].get<std::string>().empty()) << options;
  }
  EXPECT_EQ(assess("{}"), 1);
  EXPECT_EQ(limber_figure_assess(9'999, theta.data(), "{}", 2), 0);
}

}  // namespace assess_test
