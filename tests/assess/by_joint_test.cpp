// Comfort and load: one row per parameter, and one value per segment.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/assess/assessment.h"

namespace limber {
namespace by_joint_test {

struct Assessed {
  Figure figure = human();
  Pose pose = figure.rest();
  std::vector<JointLoad> loads;
  std::vector<JointRow> rows;

  Assessed() {
    EXPECT_TRUE(figure.set(pose, "spine.forward", radians(60.0)));
    EXPECT_TRUE(figure.set(pose, "right_shoulder.elevation", radians(80.0)));
    StaticLoadOptions options;
    options.feet = usual_feet(figure);
    options.loads = {{*figure.point("right_palm"), 3.0}};
    loads = *joint_loads(figure, pose, *static_load(figure, pose, options), human_strength(Sex::male));
    rows = joint_rows(figure, pose, *JointComfort::make(figure), loads);
  }
  const JointRow& row(const char* parameter) const {
    return *std::ranges::find(rows, *figure.find_parameter(parameter), &JointRow::parameter);
  }
  std::string freedom(const JointRow& row) const {
    return figure.freedoms()[static_cast<std::size_t>(row.load.freedom)].name;
  }
};

TEST(ByJoint, AGroupShowsTheFreedomOfItsName) {
  const Assessed body;
  EXPECT_EQ(body.freedom(body.row("spine.forward")), "L5.forward");
  EXPECT_EQ(body.freedom(body.row("right_shoulder.elevation")), "right_glenohumeral.elevation");
  EXPECT_EQ(body.freedom(body.row("left_shoulder.elevation")), "left_glenohumeral.elevation");
  EXPECT_EQ(body.freedom(body.row("left_shoulder.twist")), "left_glenohumeral.twist");
  EXPECT_EQ(body.freedom(body.row("spine.lateral")), "L5.lateral");
  EXPECT_EQ(body.freedom(body.row("right_elbow.flexion")), "right_elbow.flexion");
  EXPECT_NEAR(body.row("spine.forward").angle, radians(60.0), 1e-12);
  EXPECT_LT(body.row("spine.forward").comfort, 0.7);
  EXPECT_EQ(body.row("left_elbow.flexion").comfort, 1.0);
  // All parameters but those of the root.
  EXPECT_EQ(body.rows.size(), body.figure.parameters().size() - 6);
}

TEST(ByJoint, ASegmentHasTheWorstOfItsJoint) {
  const Assessed body;
  const Expected<JointComfort> comfort = JointComfort::make(body.figure);
  ASSERT_TRUE(comfort);
  const std::vector<double> discomfort = discomfort_by_segment(body.figure, body.pose, *comfort);
  const std::vector<double> share = share_by_segment(body.figure, body.loads);
  const auto at = [&](const std::vector<double>& list, const char* segment) {
    return list[static_cast<std::size_t>(*body.figure.find_segment(segment))];
  };
  EXPECT_NEAR(at(discomfort, "L3"), 1.0 - body.row("spine.forward").comfort, 1e-12);
  EXPECT_EQ(at(discomfort, "left_forearm"), 0.0);
  EXPECT_EQ(at(discomfort, "pelvis"), -1.0);
  EXPECT_EQ(at(share, "L3"), -1.0);  // strength is known for the lowest joint only
  EXPECT_NEAR(at(share, "L5"), body.row("spine.forward").load.share, 0.2);
  EXPECT_GE(at(share, "L5"), body.row("spine.forward").load.share);
  EXPECT_GT(at(share, "right_upper_arm"), at(share, "left_upper_arm"));
}

}  // namespace by_joint_test
}  // namespace limber
