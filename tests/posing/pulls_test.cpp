// Forty pulls at the default person: what must be true of the poses, in numbers.
//
// With LIMBER_WRITE_PULLS set to a folder, their contact sheets are written there; doc/posing.md shows them.
#include "tests/posing/pulls.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/picture/strip.h"
#include "limber/posing/posing.h"
#include "limber/problem/balance.h"
#include "limber/solver/solve.h"

namespace limber {
namespace pulls_test {

using testing::PullCase;

constexpr double idle_hand_metres = 0.25;  // from where it hangs from its shoulder
constexpr double pin_metres = 1e-3;
constexpr double balance_metres = 1e-3;  // over the edge of what carries the figure, without the margin

std::vector<std::string> standing(const PullCase& pull) {
  if (std::string(pull.pins) == "both") return {"left_foot", "right_foot"};
  return {std::string(pull.pins) + "_foot"};
}

struct Posed {
  Posing posing;
  PosingReport report;
};

Posed pulled(const Figure& figure, const PullCase& pull) {
  PosingOptions options;
  for (const std::string& foot : standing(pull)) options.pins.push_back({.place = foot, .lifts = true});
  options.feet = {"left_foot", "right_foot"};
  if (options.pins.size() == 1) options.pins.push_back({.place = "right_foot", .lifts = true});
  if (std::string(pull.place) == "right_knee" && std::string(pull.pins) == "left") {
    options.pins.pop_back();
  }
  Expected<Posing> posing = Posing::make(figure, figure.rest(), options);
  EXPECT_TRUE(posing);
  const GripId first = posing->grab(figure.point(pull.place)).value();
  const Vec3 from = posing->grips().back().p;
  if (pull.second) {
    const GripId second = posing->grab(figure.point(pull.second)).value();
    posing->move(second, posing->grips().back().p + pull.second_by);
  }
  posing->move(first, from + pull.by);
  PosingReport report = posing->frame();
  for (int frame = 0; frame < 300 && !report.settled; ++frame) report = posing->frame();
  return {std::move(*posing), report};
}

Vec3 at(const Figure& figure, const Kinematics& state, const std::string& place) {
  Vec3 x;
  evaluate(figure, state, figure.point(place).value(), &x);
  return x;
}

class FortyPulls : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FortyPulls, LookLikeAPerson) {
  const PullCase& pull = testing::forty_pulls()[GetParam()];
  SCOPED_TRACE(pull.name);
  const Figure figure = human();
  const Posed posed = pulled(figure, pull);
  const Pose& pose = posed.posing.pose();
  const Kinematics rest = forward(figure, figure.rest()), state = forward(figure, pose);
  ASSERT_TRUE(posed.report.settled);
  for (const GripReport& grip : posed.report.grips) EXPECT_LE(1000.0 * grip.metres, pull.off_mm);
  // What is pinned stays; a heel may rise, no toe does.
  for (const std::string& foot : standing(pull)) {
    const std::string toe = foot.substr(0, foot.find('_')) + "_toe";
    EXPECT_LE((at(figure, state, toe) - at(figure, rest, toe)).norm(), pin_metres) << toe;
  }
  // In balance over what stands.
  Vec3 centre;
  evaluate(figure, state, figure.mass_centre().value(), &centre);
  const InsidePolyhedron support = balance_over(figure, figure.rest(), standing(pull)).value().support;
  EXPECT_LE(support.error({Shape::point, &centre}).metres.value(), balance_metres);
  // Upright as far as the reach allows.
  const Vec3 trunk = (at(figure, state, "neck") - at(figure, state, "pelvis")).normalized();
  EXPECT_LE(std::acos(trunk.y()) * 180.0 / pi, pull.trunk_deg);
  // Hands that nobody touched hang.
  for (const std::string side : {"left", "right"}) {
    const std::string palm = side + "_palm", shoulder = side + "_shoulder";
    if (std::string(pull.place).starts_with(side) && std::string(pull.place) != shoulder) continue;
    if (pull.second && std::string(pull.second).starts_with(side)) continue;
    const Vec3 hangs = at(figure, state, shoulder) + at(figure, rest, palm) - at(figure, rest, shoulder);
    EXPECT_LE((at(figure, state, palm) - hangs).norm(), idle_hand_metres) << palm;
  }
  // Knees and elbows bend their way, and every joint keeps its limits.
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    EXPECT_GE(pose.theta[static_cast<Eigen::Index>(j)], range.lower - 1e-9) << figure.parameters()[j].name;
    EXPECT_LE(pose.theta[static_cast<Eigen::Index>(j)], range.upper + 1e-9) << figure.parameters()[j].name;
  }
}

// Beside the body, not in it. The other hand may be where it is asked.
TEST_P(FortyPulls, LeaveHangingArmsClearOfTheBody) {
  const PullCase& pull = testing::forty_pulls()[GetParam()];
  SCOPED_TRACE(pull.name);
  const Figure figure = human();
  const Pose pose = pulled(figure, pull).posing.pose();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  const auto is_of_untouched_arm = [&](int segment) {
    for (const std::string side : {"left", "right"}) {
      const bool touched =
          std::string(pull.place).starts_with(side) || (pull.second && std::string(pull.second).starts_with(side));
      const Segment& arm =
          figure.segments()[static_cast<std::size_t>(figure.find_segment(side + "_upper_arm").value())];
      const int first = static_cast<int>(&arm - figure.segments().data());
      if ((!touched || std::string(pull.place).ends_with("foot")) && segment >= first && segment < arm.subtree_end)
        return true;
    }
    return false;
  };
  const Penetrations found =
      penetrations(figure, forward(figure, pose), capsules, Obstacles(), pairs_to_check(figure, capsules));
  for (const Penetration& one : found.list)
    if (is_of_untouched_arm(one.segment) || is_of_untouched_arm(one.other_segment))
      EXPECT_GT(one.clearance, -0.006) << one.text;
}

INSTANTIATE_TEST_SUITE_P(All, FortyPulls, ::testing::Range<std::size_t>(0, 40));

TEST(FortyPulls, AreForty) {
  std::set<std::string> names;
  for (const PullCase& pull : testing::forty_pulls()) names.insert(pull.name);
  EXPECT_EQ(names.size(), 40u);
}

// The pose that minimum change comes to, from frame to frame, with pinned feet: what IK commonly does.
Pose with_minimum_change(const Figure& figure, const PullCase& pull) {
  constexpr int frames = 30;
  const Kinematics rest = forward(figure, figure.rest());
  Problem problem(figure);
  for (const std::string& foot : standing(pull)) EXPECT_TRUE(problem.add(figure.frame(foot), hold(), {.weight = must}));
  std::vector<std::pair<ConstraintId, std::pair<Vec3, Vec3>>> goals;
  const auto add = [&](const char* place, const Vec3& by) {
    const Vec3 from = at(figure, rest, place);
    goals.push_back({problem.add(figure.point(place), Position{from}).value(), {from, by}});
  };
  add(pull.place, pull.by);
  if (pull.second) add(pull.second, pull.second_by);
  Solver solver(problem);
  Pose pose = figure.rest();
  for (int frame = 1; frame <= frames; ++frame) {
    for (const auto& [id, way] : goals)
      EXPECT_TRUE(problem.set_goal(id, Position{way.first + way.second * frame / frames}));
    (void)solver.solve(pose, {.restarts = 0});
  }
  return pose;
}

std::string sheet_of(const Figure& figure, const char* title, const std::function<Pose(const PullCase&)>& pose) {
  MatX poses(figure.rest().theta.size(), 40);
  StripOptions options{.width = 1600, .columns = 10, .ghosts = 0, .title = title};
  for (int k = 0; k < 40; ++k) {
    const PullCase& pull = testing::forty_pulls()[static_cast<std::size_t>(k)];
    poses.col(k) = pose(pull).theta;
    options.frames.push_back(k);
    options.labels.emplace_back(pull.name);
  }
  const Expected<std::string> sheet = draw_strip(figure, poses, 1.0, options);
  EXPECT_TRUE(sheet);
  return sheet.value_or("");
}

TEST(FortyPulls, HaveAContactSheet) {
  const Figure figure = human();
  const std::string sheet =
      sheet_of(figure, "Forty pulls", [&](const PullCase& pull) { return pulled(figure, pull).posing.pose(); });
  for (const PullCase& pull : testing::forty_pulls())
    EXPECT_NE(sheet.find(std::string(">") + pull.name + "<"), std::string::npos) << pull.name;
  EXPECT_EQ(sheet.find("from the side"), std::string::npos);
  if (const char* folder = std::getenv("LIMBER_WRITE_PULLS")) {
    std::ofstream(std::string(folder) + "/posing.svg") << sheet;
    std::ofstream(std::string(folder) + "/posing_minimum_change.svg") << sheet_of(
        figure, "The same by minimum change", [&](const PullCase& pull) { return with_minimum_change(figure, pull); });
  }
}

}  // namespace pulls_test
}  // namespace limber
