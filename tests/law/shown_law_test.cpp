// With default options, an observer is shown the best pose so far, and the answer is never worse than a pose that was
// shown. Promises P4 and P6.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber::law {
namespace shown_law_test {

using testing::good;
using testing::turn;

// Values that differ by less than this part were added up in different orders.
constexpr double rounding = 1e-9;

// Three to seven hinges about any axes, with bones of any length.
Figure random_chain(Random& random) {
  FigureDescription chain;
  chain.name = "chain";
  chain.segments = {{"link 0"}};
  const int joints = random.integer(3, 7);
  for (int k = 1; k <= joints; ++k) {
    const std::string link = "link " + std::to_string(k);
    const Vec3 bone = k == 1 ? Vec3(Vec3::Zero()) : Vec3(random.between(0.1, 0.5) * random.direction());
    const Range range =
        random.chance(0.7) ? Range{-random.between(0.2, 2.5), random.between(0.2, 2.5)} : Range{-infinity, infinity};
    chain.segments.push_back({link});
    chain.joints.push_back({"joint " + std::to_string(k),
                            "link " + std::to_string(k - 1),
                            link,
                            at(bone),
                            {},
                            {turn("turn", random.direction(), range)}});
  }
  chain.sites = {{"tip", "link " + std::to_string(joints), at(Vec3(0.3 * random.direction()))}};
  return testing::built(chain);
}

struct ChainProblem {
  Figure figure;
  Handle tip;
  Vec3 goal;
  Problem problem;
  Pose start;

  // The goal is where some pose has the tip, or half of the time out of reach.
  explicit ChainProblem(Random& random)
      : figure(random_chain(random)), tip(good(figure.point("tip"))), problem(figure), start(random_pose(random)) {
    goal = position(random_pose(random));
    if (random.chance(0.5)) goal += figure.length() * random.between(0.2, 2.0) * random.direction();
    (void)good(problem.add(tip, Position{goal}));
  }

  Pose random_pose(Random& random) const {
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      pose.theta[j] = random.between(std::fmax(range.lower, -pi), std::fmin(range.upper, pi));
    }
    return pose;
  }
  Vec3 position(const Pose& pose) const { return evaluate(figure, forward(figure, pose), tip.plus[0]); }
  double objective(const Pose& pose) const { return (position(pose) - goal).squaredNorm(); }
};

struct Shown {
  int iteration;
  double objective;
  Pose pose;
};

// What is wrong with the sequence that an observer saw, and with the answer after it.
std::string wrong_with(const ChainProblem& chain, const std::vector<Shown>& shown, const Pose& answer) {
  const double slack = 1e-16 * chain.figure.length() * chain.figure.length();
  double best = chain.objective(chain.start);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const Shown& now = shown[k];
    const std::string where = " at iteration " + std::to_string(now.iteration);
    if (now.iteration != static_cast<int>(k) + 1) return "another number than " + std::to_string(k + 1) + where;
    if (now.objective > best * (1.0 + rounding) + slack) return "the objective increases" + where;
    if (std::fabs(now.objective - chain.objective(now.pose)) > rounding * best + slack)
      return "the objective is not that of the pose" + where;
    best = std::fmin(best, now.objective);
  }
  if (chain.objective(answer) > best * (1.0 + rounding) + slack)
    return "the answer is worse than a pose that was shown";
  return {};
}

std::string law_of_shown_poses(std::uint64_t seed) {
  Random random(seed);
  const ChainProblem chain(random);
  for (int restarts = 0; restarts <= 4; ++restarts) {
    const std::string in = ", restarts " + std::to_string(restarts);
    Options options;
    options.restarts = restarts;
    std::vector<Shown> shown;
    std::size_t max_shown = std::size_t{0} - 1;
    options.observer = [&](const Progress& progress) {
      shown.push_back({progress.iteration, progress.objective, progress.pose});
      return shown.size() < max_shown;
    };
    Pose watched = chain.start, alone = chain.start;
    const Report report = solve(chain.problem, watched, options);
    if (std::string wrong = wrong_with(chain, shown, watched); !wrong.empty()) return wrong + in;
    if (report.iterations != static_cast<int>(shown.size())) return "an iteration is not shown" + in;
    Options without = options;
    without.observer = {};
    (void)solve(chain.problem, alone, without);
    if (alone.theta != watched.theta) return "another answer without an observer" + in;
    if (shown.empty()) continue;

    // Cancelled there, the pose that was shown is the one returned.
    const std::vector<Shown> whole = shown;
    max_shown = static_cast<std::size_t>(random.integer(1, static_cast<int>(whole.size())));
    shown.clear();
    Pose stopped = chain.start;
    const Report cut = solve(chain.problem, stopped, options);
    if (cut.exit != Exit::cancelled) return std::string("cancelled, yet it ends as ") + name_of(cut.exit) + in;
    if (stopped.theta != whole[max_shown - 1].pose.theta) return "cancelled, another pose than was shown" + in;
  }
  return {};
}

TEST(Solve, ShowsTheBestPoseSoFarAndReturnsNoWorse) {
  const int count = law_count(300);
  for (int k = 0; k < count; ++k) {
    const auto seed = static_cast<std::uint64_t>(31000 + k);
    const std::string wrong = law_of_shown_poses(seed);
    ASSERT_EQ(wrong, "") << "seed " << seed << ", problem " << k << " of " << count;
  }
}

}  // namespace shown_law_test
}  // namespace limber::law
