// How natural proposals are: against recorded poses of people of whom nothing was learned.
#include <gtest/gtest.h>

#include "bench/task/takes.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/posing/proposal.h"
#include "limber/solver/solve.h"
#include "tests/format/acclaim/acclaim_sample.h"

namespace natural_test {

using namespace limber;
using limber::testing::good;

struct RecordedPoses {
  Figure figure;
  std::vector<Pose> poses;  // one in three hundred or so, from all takes
};

const RecordedPoses& recorded() {
  static const RecordedPoses all = [] {
    const Figure figure = good(with_common_names(*acclaim_sample::skeleton(acclaim_sample::Take{"02", ""}).figure));
    RecordedPoses found{figure, {}};
    for (const Clip& take :
         good(bench::takes_from_text(read_sample(data_folder() / "poses" / "cmu_takes.bin"), figure)))
      found.poses.push_back(take.pose(take.frames() / 2));
    return found;
  }();
  return all;
}

// A place as it is in a pose.
AskedPoint place_as_it_is(const Figure& figure, const Kinematics& state, const std::string& place) {
  const Handle handle = good(figure.point(place));
  AskedPoint point;
  point.segment = handle.plus[0].segment;
  point.local = handle.plus[0].local;
  point.p_world = evaluate(figure, state, handle.plus[0]);
  return point;
}

double mean_distance(const Figure& figure, const Pose& a, const Pose& b) {
  const Kinematics state_a = forward(figure, a), state_b = forward(figure, b);
  double sum = 0.0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    sum += (state_a.segments[s].p - state_b.segments[s].p).norm();
  return sum / static_cast<double>(figure.segments().size());
}

// From where head, hands, feet and pelvis are, the rest is found better than by the prior.
TEST(NaturalPoses, AreNearerToPeopleThanThoseOfThePrior) {
  const Figure& figure = recorded().figure;
  const char* places[] = {"head", "left_hand", "right_hand", "left_foot", "right_foot", "pelvis"};
  Proposer proposer = good(Proposer::make(figure));
  double by_prior = 0.0, by_proposal = 0.0;
  for (std::size_t k = 0; k < recorded().poses.size(); k += 8) {
    const Pose& pose = recorded().poses[k];
    const Kinematics state = forward(figure, pose);
    Problem problem(figure);
    std::vector<AskedPoint> asked;
    for (const char* place : places) {
      asked.push_back(place_as_it_is(figure, state, place));
      good(problem.add(figure.point(place), Position{*asked.back().p_world}));
    }
    Problem with_prior = problem;
    ASSERT_TRUE(with_prior.add_prior());
    Pose solved = figure.rest();
    EXPECT_TRUE(solve(with_prior, solved).met());
    by_prior += mean_distance(figure, pose, solved);
    proposer.propose(asked, nullptr);
    ASSERT_TRUE(proposer.add_to(problem));
    solved = proposer.pose();
    EXPECT_TRUE(solve(problem, solved).met());
    by_proposal += mean_distance(figure, pose, solved);
  }
  EXPECT_LT(by_proposal, 0.9 * by_prior);
}

// Where a part is asked to stay, so does everything else.
TEST(NaturalPoses, StayWhereNothingIsAskedToMove) {
  constexpr double still = 0.015;  // metres
  const Figure body = human();
  const auto check = [&](const Figure& figure, const Pose& start) {
    const Kinematics state = forward(figure, start);
    Proposer proposer = good(Proposer::make(figure));
    Problem problem(figure);
    std::vector<AskedPoint> asked;
    for (const char* place : {"right_palm", "left_ankle", "right_ankle"}) {
      asked.push_back(place_as_it_is(figure, state, place));
      good(problem.add(figure.point(place), Position{*asked.back().p_world}));
    }
    proposer.propose(asked, &start);
    ASSERT_TRUE(proposer.add_to(problem));
    Pose pose = start;
    EXPECT_TRUE(solve(problem, pose).met());
    EXPECT_LT(mean_distance(figure, start, pose), still);
  };
  check(body, body.rest());
  double sum = 0.0;
  for (std::size_t k = 0; k < recorded().poses.size(); k += 8) {
    const Figure& figure = recorded().figure;
    const Pose& start = recorded().poses[k];
    const Kinematics state = forward(figure, start);
    Proposer proposer = good(Proposer::make(figure));
    const std::vector<AskedPoint> asked = {place_as_it_is(figure, state, "right_hand"),
                                           place_as_it_is(figure, state, "left_foot"),
                                           place_as_it_is(figure, state, "right_foot")};
    proposer.propose(asked, &start);
    sum += mean_distance(figure, start, proposer.pose());
  }
  EXPECT_LT(sum / std::ceil(static_cast<double>(recorded().poses.size()) / 8.0), still);
}

}  // namespace natural_test
