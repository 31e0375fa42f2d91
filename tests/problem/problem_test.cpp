// Constraints added and removed: chains, their reconciliation, rejections, and when a workspace must be rebuilt.
#include "limber/problem/problem.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/kinematics/forward.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace problem_test {

using testing::built;
using testing::good;
using testing::planar_arm;
using testing::random_pose;
using testing::random_tree;
using testing::random_values;
using testing::torso_with_arms;

using Names = std::vector<std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Names names(const Figure& figure, const std::vector<int>& parameters) {
  Names list;
  for (const int j : parameters) list.push_back(figure.parameters()[j].name);
  return list;
}

TEST(ChainOf, IsWhatMovesTheHandleFromEachJointOn) {
  const Figure figure = built(torso_with_arms());
  const Handle hand = good(figure.point("right hand"));
  const auto chain = [&](const char* from) {
    return names(figure, chain_of(figure, hand, good(figure.find_joint(from))));
  };
  const Names arm = {"right shoulder.swing", "right shoulder.lift", "right elbow.bend"};
  const Names all = {"waist.flex", "waist.twist", "right shoulder.swing", "right shoulder.lift", "right elbow.bend"};
  EXPECT_EQ(chain("right elbow"), Names{"right elbow.bend"});
  EXPECT_EQ(chain("right shoulder"), arm);
  EXPECT_EQ(chain("waist"), all);
  EXPECT_EQ(chain("pelvis"), all);
  EXPECT_EQ(names(figure, chain_of(figure, hand, no_parent)), all);
  EXPECT_EQ(chain("left shoulder"), Names{});
  EXPECT_EQ(chain("neck"), Names{});
}

TEST(ChainOf, HoldsExactlyTheParametersThatMoveTheHandle) {
  Random random(120);
  for (int trial = 0; trial < 40; ++trial) {
    const Figure figure = built(random_tree(random, {.segments = 10}));
    const auto site = [&] { return "site s" + std::to_string(random.integer(0, 9)); };
    for (const Handle& handle :
         {good(figure.frame(site())), good(difference(figure.point(site()), figure.mass_centre())),
          good(figure.mass_centre())}) {
      const std::vector<int> chain = chain_of(figure, handle, no_parent);
      const std::set<int> members(chain.begin(), chain.end());
      const VecX theta = random_pose(figure, random).theta;
      const MatX J = testing::central_difference(
          [&](const VecX& x) {
            const Kinematics state = forward(figure, Pose{x});
            Vec3 e[max_elements];
            evaluate(figure, state, handle, e);
            VecX flat(3 * handle.count());
            for (int k = 0; k < handle.count(); ++k) flat.segment<3>(3 * k) = e[k];
            return flat;
          },
          theta);
      // Whatever moves it is a member. A member may, by chance, not: a shift against another shift.
      for (Eigen::Index j = 0; j < J.cols(); ++j)
        EXPECT_TRUE(J.col(j).norm() <= testing::difference_tolerance || members.contains(static_cast<int>(j)))
            << figure.parameters()[j].name;
    }
  }
}

TEST(ChainOf, AMassCentreHoldsJointsWithAMassBelowThem) {
  FigureDescription d = torso_with_arms();
  for (SegmentDescription& segment : d.segments)
    if (segment.name.find("left") == 0) segment.mass = 0.0;
  const Figure figure = built(d);
  const Handle centre = good(figure.mass_centre());
  EXPECT_EQ(names(figure, chain_of(figure, centre, no_parent)),
            (Names{"waist.flex", "waist.twist", "neck.nod", "right shoulder.swing", "right shoulder.lift",
                   "right elbow.bend"}));
  EXPECT_EQ(names(figure, chain_of(figure, centre, good(figure.find_joint("right shoulder")))),
            (Names{"right shoulder.swing", "right shoulder.lift", "right elbow.bend"}));
}

TEST(ChainOf, ADifferenceHasTheChainsOfBoth) {
  const Figure figure = built(torso_with_arms());
  const Handle apart = good(difference(figure.point("eye"), figure.point("left hand")));
  EXPECT_EQ(names(figure, chain_of(figure, apart, good(figure.find_joint("left shoulder")))),
            (Names{"left shoulder.swing", "left shoulder.lift", "left elbow.bend"}));
  EXPECT_EQ(chain_of(figure, apart, no_parent).size(), 6u);
}

TEST(ChainOf, AGroupCountsWithAnyOfItsJoints) {
  FigureDescription d = torso_with_arms();
  d.groups = {{"bow", {{"p", {-0.5, 0.5}}}, {{"neck", "nod", {{"p"}}}, {"waist", "flex", {{"p"}}}}}};
  const Figure figure = built(d);
  EXPECT_EQ(names(figure, chain_of(figure, good(figure.point("eye")), good(figure.find_joint("neck")))),
            Names{"bow.p"});
}

// ZB94 section 10: the waist is not in the right hand's chain, then it comes with the left hand's.
TEST(Reconciliation, LetsTheWaistOfOneHandServeTheOther) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  const Names arm = {"right shoulder.swing", "right shoulder.lift", "right elbow.bend"};
  const Names with_waist = {"waist.flex", "waist.twist", "right shoulder.swing", "right shoulder.lift",
                            "right elbow.bend"};
  const ConstraintId right =
      good(problem.add(figure.point("right hand"), Position{{0, 1, 0}}, {.from = "right shoulder"}));
  EXPECT_EQ(names(figure, problem.variables()), arm);
  EXPECT_EQ(names(figure, problem.reconciled_chain(right)), arm);
  const ConstraintId left = good(problem.add(figure.point("left hand"), Position{{0, 1, 0}}, {.from = "waist"}));
  EXPECT_EQ(problem.variables().size(), 8u);
  EXPECT_EQ(names(figure, problem.reconciled_chain(right)), with_waist);
  EXPECT_EQ(names(figure, problem.find(right)->chain), arm);  // its own stays
  EXPECT_TRUE(problem.set_enabled(left, false));
  EXPECT_EQ(names(figure, problem.reconciled_chain(right)), arm);
  EXPECT_TRUE(problem.set_enabled(left, true));
  EXPECT_EQ(names(figure, problem.reconciled_chain(right)), with_waist);
  EXPECT_TRUE(problem.remove(left));
  EXPECT_EQ(names(figure, problem.variables()), arm);
  EXPECT_EQ(names(figure, problem.reconciled_chain(right)), arm);
  EXPECT_TRUE(problem.reconciled_chain(left).empty());
}

// Whatever was done before, Θ is the union of the chains of the constraints that count.
TEST(UseCounts, StayTheUnionUnderRandomChanges) {
  Random random(121);
  const Figure figure = built(torso_with_arms());
  const Names places = {"right hand", "left hand", "eye", "right elbow", "torso"};
  const Names from = {"", "waist"};
  Problem problem(figure);
  std::vector<ConstraintId> ids;
  for (int step = 0; step < 500; ++step) {
    const int what = ids.empty() ? 0 : random.integer(0, 4);
    const auto pick = [&](const auto& list) {
      return list[static_cast<std::size_t>(random.integer(0, static_cast<int>(list.size()) - 1))];
    };
    const ConstraintId id = ids.empty() ? ConstraintId{} : pick(ids);
    if (what == 0)
      ids.push_back(good(problem.add(figure.point(pick(places)), Position{},
                                     {.weight = random.chance(0.3) ? 0.0 : 1.0, .from = pick(from)})));
    if (what == 1) {
      EXPECT_TRUE(problem.set_weight(id, random.chance(0.5) ? 0.0 : 2.0));
    }
    if (what == 2) {
      EXPECT_TRUE(problem.set_enabled(id, random.chance(0.5)));
    }
    if (what >= 3) {
      EXPECT_TRUE(problem.remove(id));
      std::erase(ids, id);
    }
    std::set<int> united;
    for (const Constraint& constraint : problem.constraints())
      if (constraint.enabled && constraint.weight > 0.0)
        united.insert(constraint.chain.begin(), constraint.chain.end());
    ASSERT_EQ(problem.variables(), std::vector<int>(united.begin(), united.end()));
    ASSERT_EQ(problem.constraints().size(), ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) ASSERT_EQ(problem.constraints()[k].id, ids[k]);
  }
  EXPECT_TRUE(problem.rejections().empty());
}

TEST(AddConstraint, NamesItAfterItsHandleAndGoal) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  EXPECT_EQ(problem.find(good(problem.add(figure.frame("eye"), AimAt{})))->name, "eye aim-at");
  EXPECT_EQ(problem.find(good(problem.add(figure.point("eye"), Position{}, {.name = "look"})))->name, "look");
}

TEST(AddConstraint, TakesThePartOfTheHandleThatTheGoalNeeds) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  const auto shape = [&](Goal goal) {
    return problem.find(good(problem.add(figure.frame("eye"), std::move(goal))))->alternatives()[0].handle.shape;
  };
  EXPECT_EQ(shape(Position{}), Shape::point);
  EXPECT_EQ(shape(Direction{}), Shape::direction);
  EXPECT_EQ(shape(Orientation{}), Shape::directions);
  EXPECT_EQ(shape(AimAt{}), Shape::ray);
  EXPECT_EQ(shape(Placement{}), Shape::frame);
  EXPECT_EQ(shape(hold()), Shape::frame);
  // The goal is stored with unit vectors.
  const Constraint* line = problem.find(good(problem.add(figure.point("eye"), Line{Vec3::Zero(), {0, 2, 0}})));
  EXPECT_EQ(std::get<Line>(line->alternatives()[0].goal).v, Vec3::UnitY());
}

TEST(AddConstraint, RejectsAndRemembersWhatIsWrong) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  const auto hand = figure.point("left hand");
  const int structure = problem.structure();
  const std::vector<std::pair<Expected<ConstraintId>, std::string>> rejected = {
      {problem.add(figure.point("left hnd"), Position{}),
       "constraint: figure 'torso': found the name 'left hnd'; expected a site, segment or joint, such as 'left hand'"},
      {problem.add(hand, Position{{0, nan, 0}}),
       "constraint 'left hand position': position goal, point: found (0, nan, 0); expected finite numbers"},
      {problem.add(hand, Direction{}),
       "constraint 'left hand direction': handle 'left hand': found a point; expected a handle that has a direction, "
       "for the goal direction"},
      {problem.add(hand, Position{}, {.weight = -1.0, .name = "mine"}),
       "constraint 'mine', weight: found -1; expected 0 or more"},
      {problem.add(hand, Position{}, {.weight = nan}),
       "constraint 'left hand position', weight: found nan; expected 0 or more"},
      {problem.add(hand, Position{}, {.from = "wast"}),
       "constraint 'left hand position', from: found the name 'wast'; expected a joint, segment or group, such as "
       "'waist'"},
      {problem.add(hand, Position{}, {.from = "neck"}),
       "constraint 'left hand position', from: found 'neck', which does not move 'left hand'; expected a joint between "
       "the handle and the root"},
      {problem.add_one_of({}), "constraint: found no alternative; expected at least one handle with a goal"},
      {problem.add(difference(hand, figure.ray("eye")), Coincide{}),
       "constraint: difference of 'left hand' and 'eye': found a point minus a ray"},
  };
  EXPECT_EQ(problem.structure(), structure);
  EXPECT_TRUE(problem.constraints().empty());
  EXPECT_TRUE(problem.variables().empty());
  ASSERT_EQ(problem.rejections().size(), rejected.size());
  for (std::size_t k = 0; k < rejected.size(); ++k) {
    ASSERT_FALSE(rejected[k].first);
    EXPECT_EQ(rejected[k].first.error().text().find(rejected[k].second), 0u) << rejected[k].first.error().text();
    EXPECT_EQ(problem.rejections()[k].text(), rejected[k].first.error().text());
  }
  problem.clear_rejections();
  EXPECT_TRUE(problem.rejections().empty());
}

TEST(OneOf, HasTheUnionOfItsChainsAndNoSingleGoal) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  const ConstraintId id = good(
      problem.add_one_of({{figure.point("left hand"), Position{}}, {figure.frame("eye"), AimAt{}}}, {.from = "torso"}));
  const Constraint& constraint = *problem.find(id);
  EXPECT_EQ(constraint.alternatives().size(), 2u);
  EXPECT_EQ(constraint.name, "left hand position");
  EXPECT_EQ(names(figure, constraint.chain), (Names{"waist.flex", "waist.twist", "neck.nod", "left shoulder.swing",
                                                    "left shoulder.lift", "left elbow.bend"}));
  EXPECT_EQ(problem.reconciled_chain(id), constraint.chain);
  EXPECT_EQ(problem.set_goal(id, Position{}).error().text(),
            "constraint 'left hand position': found several alternatives; expected a constraint with one goal");
  EXPECT_FALSE(problem.add_one_of({{figure.point("left hand"), Position{}}, {figure.point("eye"), AimAt{}}}));
}

TEST(UnknownConstraint, IsRejectedByName) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  const ConstraintId gone = good(problem.add(figure.point("tip"), Position{}));
  EXPECT_TRUE(problem.remove(gone));
  const int structure = problem.structure();
  const std::string text =
      "constraint 0: found an id that is not in the problem; expected one that add() returned and remove() has not "
      "removed";
  EXPECT_EQ(problem.set_goal(gone, Position{}).error().text(), text);
  EXPECT_EQ(problem.set_weight(gone, 1.0).error().text(), text);
  EXPECT_EQ(problem.set_enabled(gone, true).error().text(), text);
  EXPECT_EQ(problem.remove(gone).error().text(), text);
  EXPECT_EQ(problem.find(gone), nullptr);
  EXPECT_EQ(problem.structure(), structure);
  EXPECT_NE(good(problem.add(figure.point("tip"), Position{})), gone);  // an id is given once
}

TEST(Structure, GrowsExactlyWhenAWorkspaceMustBeRebuilt) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  int last = problem.structure();
  const auto grew = [&] { return std::exchange(last, problem.structure()) < problem.structure(); };
  const ConstraintId id = good(problem.add(figure.frame("eye"), Position{}));
  EXPECT_TRUE(grew());
  EXPECT_TRUE(problem.set_goal(id, Position{{1, 2, 3}}) && !grew());  // a new value
  EXPECT_TRUE(problem.set_goal(id, Plane{}) && grew());               // another kind
  EXPECT_TRUE(problem.set_goal(id, HalfSpace{}) && grew());           // with as many rows
  const std::vector<Face> two(2), three(3);
  EXPECT_TRUE(problem.set_goal(id, InsidePolyhedron{two}) && grew());
  EXPECT_TRUE(problem.set_goal(id, InsidePolyhedron{two}) && !grew());
  EXPECT_TRUE(problem.set_goal(id, InsidePolyhedron{three}) && grew());  // another number of rows
  EXPECT_TRUE(!problem.set_goal(id, Direction{}) && !grew());            // rejected: the handle is a point now
  EXPECT_TRUE(!problem.set_goal(id, Position{{nan, 0, 0}}) && !grew());
  EXPECT_TRUE(problem.set_weight(id, 5.0) && !grew());
  EXPECT_TRUE(!problem.set_weight(id, -1.0) && !grew());
  EXPECT_TRUE(!problem.set_weight(id, nan) && !grew());
  EXPECT_EQ(problem.find(id)->weight, 5.0);
  EXPECT_TRUE(problem.set_weight(id, 0.0) && grew());
  EXPECT_TRUE(problem.set_enabled(id, false) && !grew());  // it did not count before
  EXPECT_TRUE(problem.set_weight(id, 1.0) && !grew());
  EXPECT_TRUE(problem.set_enabled(id, true) && grew());
  EXPECT_TRUE(problem.set_enabled(id, true) && !grew());
  EXPECT_TRUE(problem.set_rigidity("neck.nod", 0.5) && grew());
  EXPECT_TRUE(!problem.set_rigidity("neck.nod", 1.5) && !grew());
  EXPECT_TRUE(problem.remove(id) && grew());
}

TEST(Rigidity, StartsAsTheFigureSaysAndIsAShareOfOne) {
  FigureDescription d = planar_arm();
  d.joints[1].freedoms[0].range.rigidity = 0.25;
  Problem problem(built(d));
  EXPECT_EQ(problem.rigidities(), (std::vector<double>{0.0, 0.25}));
  EXPECT_TRUE(problem.set_rigidity("shoulder", 1.0));
  EXPECT_TRUE(problem.set_rigidity("elbow.turn", 0.0));
  EXPECT_EQ(problem.rigidities(), (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(problem.set_rigidity("elbow", -0.1).error().text(),
            "parameter 'elbow', rigidity: found -0.1; expected a number from 0 to 1");
  EXPECT_FALSE(problem.set_rigidity("elbow", 1.1));
  EXPECT_FALSE(problem.set_rigidity("elbow", nan));
  EXPECT_FALSE(problem.set_rigidity("knee", 0.5));
  EXPECT_EQ(problem.rigidities(), (std::vector<double>{1.0, 0.0}));
}

}  // namespace problem_test
}  // namespace limber
