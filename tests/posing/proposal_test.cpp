#include "limber/posing/proposal.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/solver/solve.h"
#include "tests/format/acclaim/acclaim_sample.h"
#include "tests/law/allocation.h"

namespace proposal_test {

using namespace limber;
using limber::testing::good;

Figure skeleton() { return good(with_common_names(*acclaim_sample::skeleton({"02", ""}).figure)); }

struct Named {
  std::string name;
  Figure figure;
};
const std::vector<Named>& figures() {
  static const std::vector<Named> all = {{"human", human()}, {"skeleton", skeleton()}};
  return all;
}

// A point of a place of the figure, and where it is in a pose.
AskedPoint asked_point(const Figure& figure, const Kinematics& state, const std::string& place, bool turned = false) {
  const Handle handle = good(figure.point(place));
  AskedPoint point;
  point.segment = handle.plus[0].segment;
  point.local = handle.plus[0].local;
  const Frame& X = state.segments[static_cast<std::size_t>(point.segment)];
  point.p_world = X * point.local;
  if (turned) point.R_world_segment = X.R;
  return point;
}

// A hand is raised and both feet stay.
std::vector<AskedPoint> raised_hand(const Figure& figure, const Pose& start) {
  const Kinematics state = forward(figure, start);
  std::vector<AskedPoint> asked = {asked_point(figure, state, "right_palm"),
                                   asked_point(figure, state, "left_foot", true),
                                   asked_point(figure, state, "right_foot", true)};
  *asked[0].p_world += Vec3(0.0, 0.25, 0.15) * figure.length() / 1.7;
  return asked;
}

Frame root_of(const Figure& figure, const Pose& pose) { return forward(figure, pose).segments.front(); }

// What is asked, moved and turned about the vertical, gives the same pose, moved and turned.
TEST(Proposer, MovesAndTurnsWithWhatIsAsked) {
  constexpr double rounding = 1e-3;
  Random random(11);
  for (const auto& [name, figure] : figures()) {
    Proposer proposer = good(Proposer::make(figure));
    RootPlacer placer = *RootPlacer::make(figure, 0);
    for (int k = 0; k < 20; ++k) {
      const Frame X{rotation(Vec3::UnitY(), random.between(-3.0, 3.0)),
                    Vec3(random.between(-2.0, 2.0), 0.0, random.between(-2.0, 2.0))};
      const Pose start = figure.rest();
      Pose moved = start;
      placer.place(X * root_of(figure, start), moved.theta);
      const bool with_start = k % 2 == 0;
      std::vector<AskedPoint> asked = raised_hand(figure, start);
      proposer.propose(asked, with_start ? &start : nullptr);
      const Pose a = proposer.pose();
      for (AskedPoint& point : asked) {
        *point.p_world = X * *point.p_world;
        if (point.R_world_segment) *point.R_world_segment = X.R * *point.R_world_segment;
      }
      proposer.propose(asked, with_start ? &moved : nullptr);
      const Pose& b = proposer.pose();
      const Kinematics state_a = forward(figure, a), state_b = forward(figure, b);
      for (std::size_t s = 0; s < figure.segments().size(); ++s)
        EXPECT_LT((X * state_a.segments[s].p - state_b.segments[s].p).norm(), rounding) << name << " " << k;
    }
  }
}

// Where every part is asked to be where it is, the proposal is the start.
TEST(Proposer, StaysWhereNothingIsAskedToMove) {
  constexpr double rounding = 1e-6;
  for (const auto& [name, figure] : figures()) {
    Proposer proposer = good(Proposer::make(figure));
    Random random(7);
    for (int k = 0; k < 5; ++k) {
      const Pose start = limber::testing::random_pose(figure, random, 0.3);
      const Kinematics state = forward(figure, start);
      proposer.propose(
          std::vector<AskedPoint>{asked_point(figure, state, "right_palm"), asked_point(figure, state, "waist"),
                                  asked_point(figure, state, "head", true),
                                  asked_point(figure, state, "left_foot", true)},
          &start);
      EXPECT_LT((proposer.pose().theta - start.theta).cwiseAbs().maxCoeff(), rounding) << name;
    }
  }
}

// From rest to the parts of a pose, in a few steps most of the way.
TEST(PartFit, BringsPartsToWhereTheyShouldBe) {
  const Figure figure = human();
  std::vector<PartFit::Part> parts;
  for (const char* place : {"head", "left_hand", "right_hand", "left_foot", "right_foot", "left_elbow", "pelvis"})
    parts.push_back({good(figure.point(place)), 100.0});
  parts.push_back({good(part(good(figure.frame("head")), Shape::directions)), 10.0});
  PartFit fit(figure, parts, VecX::Constant(figure.rest().theta.size(), 1e-3));
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const Pose goal = limber::testing::random_pose(figure, random, 0.3);
    const auto places = [&](const VecX& theta) {
      std::vector<Vec3> all;
      const Kinematics state = forward(figure, Pose{theta});
      for (const PartFit::Part& one : parts) {
        Vec3 x[max_elements];
        evaluate(figure, state, one.handle, x);
        all.insert(all.end(), x, x + one.handle.count());
      }
      return all;
    };
    const std::vector<Vec3> targets = places(goal.theta);
    ASSERT_EQ(targets.size(), fit.targets());
    const auto distance = [&](const VecX& theta) {
      double sum = 0.0;
      const std::vector<Vec3> at = places(theta);
      for (std::size_t i = 0; i < at.size(); ++i) sum += (at[i] - targets[i]).norm();
      return sum;
    };
    VecX theta = figure.rest().theta;
    const double before = distance(theta);
    fit.fit(targets, figure.rest().theta, theta);
    EXPECT_LT(distance(theta), 0.2 * before) << k;
  }
}

TEST(Proposer, AllocatesNothingAfterItsFirstCall) {
  for (const auto& [name, figure] : figures()) {
    Proposer proposer = good(Proposer::make(figure));
    const Pose start = figure.rest();
    const std::vector<AskedPoint> asked = raised_hand(figure, start);
    proposer.propose(asked, &start);
    const long before = law::allocations();
    proposer.propose(asked, &start);
    proposer.propose(asked, nullptr);
    EXPECT_EQ(law::allocations() - before, 0) << name;
  }
}

// The pulls are soft: what is asked is met, and again after it has moved.
TEST(Proposer, LeavesWhatIsAskedToBeMet) {
  for (const auto& [name, figure] : figures())
    for (const bool with_start : {true, false}) {
      Proposer proposer = good(Proposer::make(figure));
      const Pose start = figure.rest();
      std::vector<AskedPoint> asked = raised_hand(figure, start);
      Problem problem(figure);
      const char* places[] = {"right_palm", "left_foot", "right_foot"};
      std::vector<ConstraintId> ids;
      for (std::size_t k = 0; k < asked.size(); ++k)
        ids.push_back(good(problem.add(figure.point(places[k]), Position{*asked[k].p_world})));
      proposer.propose(asked, with_start ? &start : nullptr);
      ASSERT_TRUE(proposer.add_to(problem));
      for (int k = 0; k < 3; ++k) {
        Pose pose = proposer.pose();
        const Report report = solve(problem, pose);
        EXPECT_TRUE(report.met()) << name << " " << to_text(report);
        *asked[0].p_world += Vec3(0.0, 0.02, 0.01);
        ASSERT_TRUE(problem.set_goal(ids[0], Position{*asked[0].p_world}));
        proposer.propose(asked, with_start ? &start : nullptr);
        ASSERT_TRUE(proposer.aim(problem));
      }
    }
}

// A point fixed to the same segment as a part's joint asks for the same as the joint.
TEST(Proposer, TakesAPointBesideAJointForTheJoint) {
  for (const auto& [name, figure] : figures()) {
    Proposer proposer = good(Proposer::make(figure));
    const Pose start = figure.rest();
    std::vector<AskedPoint> asked = raised_hand(figure, start);
    proposer.propose(asked, &start);
    const Pose a = proposer.pose();
    const Kinematics state = forward(figure, start);
    const Vec3 beside(0.005, -0.004, 0.003);
    asked[1].local += beside;
    *asked[1].p_world += state.segments[static_cast<std::size_t>(asked[1].segment)].R * beside;
    proposer.propose(asked, &start);
    EXPECT_LT((a.theta - proposer.pose().theta).cwiseAbs().maxCoeff(), 1e-4) << name;
  }
}

TEST(Proposer, KnowsTheBodyItLearnedFrom) {
  const HandlePlaces places = good(find_handle_places(skeleton(), PoseModel::embedded()->body()));
  EXPECT_EQ(places.parameter_of_angle.size(), 56u);
  EXPECT_NEAR(places.unit, 1.0, 1e-6);
  for (const double length : places.lengths) EXPECT_NEAR(length, 1.0, 1e-5);
}

// A body twice as large is posed alike.
TEST(Proposer, ScalesWithTheBody) {
  const Figure small = good(human({.stature = 1.5})), large = good(human({.stature = 1.95}));
  const CommonBody& body = PoseModel::embedded()->body();
  const HandlePlaces a = good(find_handle_places(small, body)), b = good(find_handle_places(large, body));
  EXPECT_NEAR(b.unit / a.unit, 1.95 / 1.5, 1e-6);
  for (std::size_t g = 0; g < a.lengths.size(); ++g) EXPECT_NEAR(a.lengths[g], b.lengths[g], 1e-6) << g;
  for (const double length : a.lengths) {
    EXPECT_GT(length, 0.6);
    EXPECT_LT(length, 1.6);
  }
}

TEST(Proposer, RejectsAFigureWithoutTheParts) {
  const Expected<Proposer> proposer = Proposer::make(limber::testing::built(limber::testing::planar_arm()));
  ASSERT_FALSE(proposer);
  EXPECT_NE(proposer.error().text().find("left_hip"), std::string::npos);
  EXPECT_FALSE(Proposer::make(good(human({.root = Root::fixed}))));
}

}  // namespace proposal_test
