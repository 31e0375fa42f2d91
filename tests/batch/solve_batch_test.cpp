// Batches against the plain kinematics and against Solver: within the limits, met where they say so, and nothing left
// that Solver meets.
#include "limber/batch/solve_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>

#include "limber/figure/human.h"
#include "limber/format/urdf/urdf.h"
#include "limber/kinematics/forward.h"
#include "limber/lanes/batch.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/law/random_figure.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace solve_batch_test {

using testing::built;
using testing::good;

// Problems that differ in their goals and starts.
struct Batch {
  std::string name;
  Problem problem;
  std::vector<Goal> goals;
  MatX starts;

  std::size_t constraints() const { return problem.constraints().size(); }
  Eigen::Index count() const { return starts.cols(); }
  std::span<const Goal> goals_of(Eigen::Index p) const {
    return std::span(goals).subspan(static_cast<std::size_t>(p) * constraints(), constraints());
  }
  Batch some(const std::vector<Eigen::Index>& which) const {
    Batch part{name, problem, {}, MatX(starts.rows(), static_cast<Eigen::Index>(which.size()))};
    for (std::size_t k = 0; k < which.size(); ++k) {
      part.starts.col(static_cast<Eigen::Index>(k)) = starts.col(which[k]);
      const auto own = goals_of(which[k]);
      part.goals.insert(part.goals.end(), own.begin(), own.end());
    }
    return part;
  }
};

struct Solved {
  BatchReport report;
  MatX poses;
};

Solved solved(const Batch& batch, const BatchOptions& options = {}) {
  Solved out{{}, batch.starts};
  out.report = good(solve_batch(batch.problem, batch.goals, out.poses, options));
  EXPECT_EQ(out.report.met.size(), static_cast<std::size_t>(batch.count()));
  EXPECT_EQ(out.report.in_lanes + out.report.one_by_one, static_cast<std::size_t>(batch.count()));
  EXPECT_EQ(static_cast<std::ptrdiff_t>(out.report.met_count),
            std::count(out.report.met.begin(), out.report.met.end(), 1));
  return out;
}

// What Solver says to one of them.
struct Alone {
  Pose pose;
  bool met = false;
};

class OneByOne {
 public:
  explicit OneByOne(const Batch& batch) : batch_(batch), problem_(batch.problem), solver_(problem_) {}

  Alone solve(Eigen::Index p, const BatchOptions& options = {}) {
    for (std::size_t c = 0; c < batch_.constraints(); ++c)
      if (problem_.constraints()[c].alternatives().size() == 1 &&
          !problem_.set_goal(problem_.constraints()[c].id, batch_.goals_of(p)[c]))
        ADD_FAILURE() << "goal " << c;
    Alone out{{batch_.starts.col(p)}};
    Options own = options.thorough;
    own.met_metres = options.met_metres;
    own.met_degrees = options.met_degrees;
    const Report& report = solver_.solve(out.pose, own);
    out.met = report.met() && report.exit != Exit::rejected;
    return out;
  }

 private:
  const Batch& batch_;
  Problem problem_;
  Solver solver_;
};

bool is_within_limits(const Figure& figure, const VecX& theta) {
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double value = theta[static_cast<Eigen::Index>(j)];
    if (!(value >= range.lower && value <= range.upper)) return false;
  }
  return true;
}

// By the kinematics of the figure, which shares nothing with the lanes. The last digits may differ.
bool is_met_plainly(const Batch& batch, Eigen::Index p, const VecX& theta, const BatchOptions& options) {
  constexpr double last_digits = 1.0 + 1e-6;
  const Figure& figure = batch.problem.figure();
  const Kinematics state = forward(figure, Pose{theta});
  for (std::size_t c = 0; c < batch.constraints(); ++c) {
    const Constraint& constraint = batch.problem.constraints()[c];
    if (!constraint.counts()) continue;
    const Handle& handle = constraint.alternatives().front().handle;
    Vec3 x[max_elements];
    evaluate(figure, state, handle, x);
    const GoalError error = error_of(good(checked(batch.goals_of(p)[c])), {handle.shape, x});
    if (error.metres.value_or(0.0) > last_digits * options.met_metres) return false;
    if (degrees(error.radians.value_or(0.0)) > last_digits * options.met_degrees) return false;
  }
  return true;
}

Figure arm_from_file(const std::string& name) {
  std::ifstream stream(std::filesystem::path(source_dir()) / "data" / "urdf" / (name + ".urdf"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return *good(read_urdf(bytes, name + ".urdf")).figure;
}

// Goals as they are in random poses, all constraints in the same one; some of them far away.
void fill_batch(Random& random, int count, double unreachable, Batch& batch) {
  const Figure& figure = batch.problem.figure();
  batch.starts.resize(static_cast<Eigen::Index>(figure.parameters().size()), count);
  for (Eigen::Index p = 0; p < count; ++p) {
    batch.starts.col(p) = law::random_pose(random, figure).theta;
    const Kinematics state = forward(figure, law::random_pose(random, figure));
    const Vec3 away = random.chance(unreachable) ? Vec3(3.0 * figure.length() * random.direction()) : Vec3(0, 0, 0);
    for (const Constraint& constraint : batch.problem.constraints()) {
      Vec3 x[max_elements];
      evaluate(figure, state, constraint.alternatives().front().handle, x);
      Goal goal = constraint.alternatives().front().goal;
      if (auto* position = std::get_if<Position>(&goal)) position->p = x[0] + away;
      if (auto* direction = std::get_if<Direction>(&goal)) direction->v = x[0];
      if (auto* orientation = std::get_if<Orientation>(&goal)) orientation->x = x[0], orientation->y = x[1];
      if (auto* placement = std::get_if<Placement>(&goal)) {
        placement->p = x[0] + away;
        placement->orientation.x = x[1];
        placement->orientation.y = x[2];
      }
      batch.goals.push_back(goal);
    }
  }
}

Batch arm_batch(const std::string& file, const std::string& tool, std::uint64_t seed, int count, double unreachable) {
  Random random(seed);
  const Figure figure = arm_from_file(file);
  Batch batch{file, Problem(figure), {}, {}};
  good(batch.problem.add(figure.frame(tool), Placement{}));
  fill_batch(random, count, unreachable, batch);
  return batch;
}

Batch human_batch(std::uint64_t seed, int count) {
  Random random(seed);
  const Figure figure = good(simple_human({.root = Root::fixed}));
  Batch batch{"human", Problem(figure), {}, {}};
  good(batch.problem.add(figure.point("right_palm"), Position{}));
  good(batch.problem.add(figure.point("left_palm"), Position{}));
  fill_batch(random, count, 0.01, batch);
  return batch;
}

// A branching figure of any scale, with one to three goals; in metres where a metre is the figure's length, about.
Batch random_batch(Random& random, int count) {
  for (;;) {
    FigureDescription description =
        law::random_figure(random, {.freedoms = random.integer(4, 16), .groups = false, .rows = false});
    const Figure figure = built(std::move(description));
    if (figure.length() < 0.1 || figure.length() > 30.0) continue;
    Batch batch{"random", Problem(figure), {}, {}};
    const auto site = [&] {
      return figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))]
          .name;
    };
    const int goals = random.integer(1, 3);
    for (int k = 0; k < goals; ++k) {
      const ConstraintOptions how{.weight = random.between(0.5, 2.0)};
      switch (random.integer(0, 3)) {
        case 0:
          good(batch.problem.add(figure.point(site()), Position{}, how));
          break;
        case 1:
          good(batch.problem.add(figure.direction(site()), Direction{}, how));
          break;
        case 2:
          good(batch.problem.add(figure.frame(site()), Orientation{}, how));
          break;
        default:
          good(batch.problem.add(figure.frame(site()), Placement{}, how));
      }
    }
    fill_batch(random, count, 0.01, batch);
    Assembly assembly(batch.problem);
    VecX phi;
    assembly.start(batch.starts.col(0), phi);
    if (assembly.pins()) return batch;
  }
}

// The law of all batches.
void expect_lawful(const Batch& batch, const Solved& out, const BatchOptions& options = {}) {
  SCOPED_TRACE(batch.name);
  OneByOne alone(batch);
  for (Eigen::Index p = 0; p < batch.count(); ++p) {
    ASSERT_TRUE(is_within_limits(batch.problem.figure(), out.poses.col(p))) << "problem " << p;
    if (out.report.met[static_cast<std::size_t>(p)]) {
      ASSERT_TRUE(is_met_plainly(batch, p, out.poses.col(p), options)) << "problem " << p;
      continue;
    }
    // So nothing that Solver meets is left.
    const Alone expected = alone.solve(p, options);
    ASSERT_FALSE(expected.met) << "problem " << p;
    ASSERT_EQ(out.poses.col(p), expected.pose.theta) << "problem " << p;
  }
}

// All of them as Solver does them, one by one.
void expect_as_solver(const Batch& batch, const BatchOptions& options = {}) {
  SCOPED_TRACE(batch.name);
  const Solved out = solved(batch, options);
  EXPECT_EQ(out.report.in_lanes, 0U);
  EXPECT_EQ(out.report.lane_steps, 0);
  OneByOne alone(batch);
  for (Eigen::Index p = 0; p < batch.count(); ++p) {
    const Alone expected = alone.solve(p, options);
    EXPECT_EQ(out.report.met[static_cast<std::size_t>(p)], expected.met) << "problem " << p;
    EXPECT_EQ(out.poses.col(p), expected.pose.theta) << "problem " << p;
  }
}

void expect_same_bits(const Solved& one, const Solved& two) {
  EXPECT_TRUE(one.poses == two.poses);
  EXPECT_TRUE(one.report.met == two.report.met);
  EXPECT_EQ(one.report.in_lanes, two.report.in_lanes);
}

TEST(SolveBatch, KeepsLimitsMeetsWhatItSaysAndLeavesNothingThatSolverMeets) {
  const int many = law::law_count(30000);
  for (const auto& [file, tool] :
       {std::pair{"ur5", "tool0"}, {"panda", "panda_hand_tcp"}, {"iiwa14", "iiwa_link_ee"}}) {
    const Batch batch = arm_batch(file, tool, 2351, many, 0.002);
    const Solved out = solved(batch);
    expect_lawful(batch, out);
    // Nearly all that can be reached is, and in the lanes.
    EXPECT_GE(out.report.in_lanes, batch.starts.cols() * 0.99) << file;
    EXPECT_GE(out.report.met_count, batch.starts.cols() * 0.99) << file;
    EXPECT_LT(out.report.met_count, static_cast<std::size_t>(batch.starts.cols())) << file;
  }
  const Batch humans = human_batch(2352, law::law_count(5000));
  expect_lawful(humans, solved(humans));
}

TEST(SolveBatch, IsLawfulForRandomFigures) {
  Random random(2353);
  std::size_t in_lanes = 0, count = 0;
  for (int figure = 0; figure < 20; ++figure) {
    const Batch batch = random_batch(random, law::law_count(250));
    const Solved out = solved(batch);
    expect_lawful(batch, out);
    in_lanes += out.report.in_lanes;
    count += out.report.met.size();
  }
  EXPECT_GE(in_lanes, count / 2);
}

TEST(SolveBatch, MeetsToTheLastDigitThatIsAskedFor) {
  for (const double metres : {1e-2, 1e-5, 1e-7}) {
    const Batch batch = arm_batch("panda", "panda_hand_tcp", 2354, law::law_count(1000), 0.0);
    const BatchOptions options{.met_metres = metres, .met_degrees = 100.0 * metres};
    const Solved out = solved(batch, options);
    expect_lawful(batch, out, options);
    EXPECT_GE(out.report.met_count, batch.starts.cols() * 0.99) << metres;
  }
}

TEST(SolveBatch, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Batch& batch : {arm_batch("ur5", "tool0", 2355, law::law_count(3000), 0.01), human_batch(2356, 1500)}) {
    const Solved one = solved(batch);
    for (const int threads : {2, 3, 5, 0}) {
      SCOPED_TRACE(threads);
      expect_same_bits(one, solved(batch, {.threads = threads}));
    }
  }
}

TEST(SolveBatch, DoesNotCareAboutTheOrderOrTheCompany) {
  Random random(2357);
  const Batch batch = arm_batch("iiwa14", "iiwa_link_ee", 2357, 700, 0.02);
  const Solved whole = solved(batch);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(batch.count()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = order.size(); k-- > 1;)
    std::swap(order[k], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(k)))]);
  for (const std::size_t count : {order.size(), std::size_t{333}, std::size_t{17}, std::size_t{1}}) {
    const std::vector<Eigen::Index> which(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    const Solved some = solved(batch.some(which));
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(some.poses.col(static_cast<Eigen::Index>(k)), whole.poses.col(which[k]));
      EXPECT_EQ(some.report.met[k], whole.report.met[static_cast<std::size_t>(which[k])]);
    }
  }
}

// A trunk that stands differently in every problem, and does not vary.
TEST(SolveBatch, TakesWhatDoesNotVaryFromEveryStart) {
  Random random(2358);
  const Figure figure = built(testing::torso_with_arms());
  Batch batch{"torso", Problem(figure), {}, {}};
  good(batch.problem.add(figure.point("right hand"), Position{}, {.from = "right shoulder"}));
  const int count = 600;
  fill_batch(random, count, 0.0, batch);
  for (Eigen::Index p = 0; p < count; ++p) {
    // The goal in a pose with this problem's trunk.
    Pose reach = law::random_pose(random, figure);
    for (std::size_t j = 0; j < figure.parameters().size(); ++j)
      if (!figure.parameters()[j].name.starts_with("right"))
        reach.theta[static_cast<Eigen::Index>(j)] = batch.starts(static_cast<Eigen::Index>(j), p);
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, reach), good(figure.point("right hand")), x);
    batch.goals[static_cast<std::size_t>(p)] = Position{x[0]};
  }
  const Solved out = solved(batch);
  expect_lawful(batch, out);
  EXPECT_GE(out.report.met_count, 590U);
  EXPECT_GE(out.report.in_lanes, 590U);
  for (Eigen::Index p = 0; p < count; ++p)
    for (std::size_t j = 0; j < figure.parameters().size(); ++j)
      if (!figure.parameters()[j].name.starts_with("right")) {
        EXPECT_EQ(out.poses(static_cast<Eigen::Index>(j), p), batch.starts(static_cast<Eigen::Index>(j), p));
      }
  // The first of them alone stand alike.
  const Solved first = solved(batch.some({0}));
  EXPECT_EQ(first.poses.col(0), out.poses.col(0));
}

// Also what no goal asks for: every pose that comes back keeps all limits.
TEST(SolveBatch, MovesStartsWithinTheLimits) {
  Random random(2359);
  const Figure figure = built(testing::torso_with_arms());
  Batch batch{"torso", Problem(figure), {}, {}};
  good(batch.problem.add(figure.point("right hand"), Position{}));
  fill_batch(random, 50, 0.2, batch);
  batch.starts *= 3.0;
  expect_lawful(batch, solved(batch));
}

TEST(SolveBatch, SolvesWhatIsMoreThanPinsInABoxAsSolverDoes) {
  Random random(2360);
  {
    const Figure figure = human();
    Batch batch{"groups", Problem(figure), {}, {}};
    good(batch.problem.add(figure.point("right_palm"), Position{}));
    fill_batch(random, 8, 0.2, batch);
    expect_as_solver(batch);
  }
  FigureDescription description = testing::torso_with_arms();
  const std::vector<Eigen::Vector2d> ring = {{-1.0, -1.0}, {1.0, -1.0}, {0.0, 1.2}};
  description.limits = polygon_limits("swing", "left shoulder.swing", "left shoulder.lift", ring);
  {
    const Figure figure = built(description);
    Batch batch{"polygon", Problem(figure), {}, {}};
    good(batch.problem.add(figure.point("left hand"), Position{}));
    fill_batch(random, 40, 0.2, batch);
    expect_as_solver(batch);
  }
  const Figure figure = built(testing::torso_with_arms());
  {
    Batch batch{"aim", Problem(figure), {}, {}};
    good(batch.problem.add(figure.ray("eye"), AimAt{}));
    fill_batch(random, 40, 0.0, batch);
    for (Goal& goal : batch.goals) goal = AimAt{Vec3(0, 0.5, 0) + 3.0 * random.direction()};
    expect_as_solver(batch);
  }
  {
    Batch batch{"lock", Problem(figure), {}, {}};
    good(batch.problem.add(figure.point("left hand"), Position{}, {.weight = must}));
    good(batch.problem.add(figure.point("right hand"), Position{}));
    fill_batch(random, 40, 0.2, batch);
    expect_as_solver(batch);
  }
  {
    Batch batch{"priority", Problem(figure), {}, {}};
    good(batch.problem.add(figure.point("left hand"), Position{}));
    good(batch.problem.add(figure.point("right hand"), Position{}, {.priority = 2}));
    fill_batch(random, 40, 0.2, batch);
    expect_as_solver(batch);
  }
  {
    Batch batch{"more rows than variables", Problem(figure), {}, {}};
    good(batch.problem.add(figure.frame("right hand"), Placement{}));
    fill_batch(random, 40, 0.2, batch);
    expect_as_solver(batch);
  }
  Batch batch{"another method", Problem(figure), {}, {}};
  good(batch.problem.add(figure.point("right hand"), Position{}));
  fill_batch(random, 40, 0.2, batch);
  expect_as_solver(batch, {.thorough = {.method = Method::active_set_bfgs}});
}

// What is out of reach by a little is met where a little is allowed: in the lanes, and one by one.
TEST(SolveBatch, CountsAsMetWhatIsAskedFor) {
  FigureDescription description = testing::torso_with_arms();
  Random random(2367);
  for (const bool has_row : {false, true}) {
    if (has_row)
      description.limits = {{"tied", {{"left elbow.bend", 1.0}, {"waist.flex", 1.0}}, Relation::at_most, 3.0}};
    const Figure figure = built(description);
    Batch batch{has_row ? "one by one" : "in lanes", Problem(figure), {}, {}};
    good(batch.problem.add(figure.point("left hand"), Position{}));
    fill_batch(random, 60, 0.0, batch);
    for (Goal& goal : batch.goals) goal = Position{Vec3(0, 0.55, 0) + 0.85 * random.direction()};
    const BatchOptions loose{.met_metres = 0.1}, strict{.met_metres = 1e-4};
    const Solved much = solved(batch, loose), little = solved(batch, strict);
    EXPECT_GT(much.report.met_count, little.report.met_count) << batch.name;
    EXPECT_LT(much.report.met_count, 60U) << batch.name;
    expect_lawful(batch, much, loose);
    expect_lawful(batch, little, strict);
    if (!has_row) continue;
    expect_as_solver(batch, loose);
    expect_as_solver(batch, strict);
  }
}

TEST(SolveBatch, IsLawfulWithLanesOfEveryWidth) {
  const Batch batch = arm_batch("panda", "panda_hand_tcp", 2369, 300, 0.0);
  for (const int lanes : {4, 8, 16}) {
    const BatchOptions options{.lanes = lanes};
    if (batch_kernel(lanes)) expect_lawful(batch, solved(batch, options), options);
  }
  MatX poses = batch.starts;
  for (const int lanes : {-1, 3, 32}) {
    const auto wrong = solve_batch(batch.problem, batch.goals, poses, {.lanes = lanes});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().where, "options, lanes");
  }
}

// With lanes that never try again, what is stuck is left to Solver.
TEST(SolveBatch, IsLawfulWithoutOtherStarts) {
  for (const int tries : {0, 1, 8, 9}) {
    const Batch batch = arm_batch("panda", "panda_hand_tcp", 2361, 300, 0.0);
    const BatchOptions options{.lane_tries = tries};
    expect_lawful(batch, solved(batch, options), options);
  }
}

TEST(SolveBatch, SolvesGoalsOfOtherProportionsOneByOne) {
  Batch batch = arm_batch("panda", "panda_hand_tcp", 2362, 60, 0.0);
  for (std::size_t p = 1; p < 60; p += 2) std::get<Placement>(batch.goals[p]).orientation.c_y *= 0.5;
  const Solved out = solved(batch);
  expect_lawful(batch, out);
  EXPECT_EQ(out.report.in_lanes, 30U);
  OneByOne alone(batch);
  for (Eigen::Index p = 1; p < 60; p += 2) EXPECT_EQ(out.poses.col(p), alone.solve(p).pose.theta);
}

TEST(SolveBatch, TakesAnyNumberOfProblems) {
  const Batch batch = arm_batch("ur5", "tool0", 2363, 257, 0.0);
  for (const int count : {0, 1, 3, 16, 17, 256, 257}) {
    std::vector<Eigen::Index> which(static_cast<std::size_t>(count));
    std::iota(which.begin(), which.end(), 0);
    const Batch part = batch.some(which);
    for (const int threads : {1, 4}) {
      const Solved out = solved(part, {.threads = threads});
      EXPECT_EQ(out.poses.cols(), count);
      expect_lawful(part, out);
    }
  }
  // Nothing asked: every start is an answer.
  Batch nothing{"nothing", Problem(built(testing::planar_arm())), {}, MatX::Zero(2, 5)};
  const Solved out = solved(nothing);
  EXPECT_EQ(out.report.met_count, 5U);
  EXPECT_EQ(out.poses, nothing.starts);
}

TEST(SolveBatch, IsNotMetWhereSolverHasNoAnswer) {
  FigureDescription description = testing::torso_with_arms();
  const std::vector<LimitTerm> sum = {{"left elbow.bend", 1.0}, {"left shoulder.lift", 1.0}};
  const std::vector<LimitTerm> less = {{"left elbow.bend", -1.0}, {"left shoulder.lift", -1.0}};
  description.limits = {{"low", sum, Relation::at_most, -1.0}, {"high", less, Relation::at_most, -1.0}};
  const Figure contradictory = built(description);
  Batch infeasible{"infeasible", Problem(contradictory), {}, {}};
  good(infeasible.problem.add(contradictory.point("left hand"), Position{}));
  infeasible.goals.assign(3, Position{{0.5, 0.5, 0.0}});
  infeasible.starts = MatX::Zero(static_cast<Eigen::Index>(contradictory.parameters().size()), 3);
  expect_as_solver(infeasible);

  // The second goal gives no number; what the first left behind is not its answer.
  const Figure figure = built(testing::planar_arm());
  const auto reach_out = [](double factor) {
    return CustomGoal{.residual =
                          [factor](const HandleValue& x, Residual& out) {
                            out.r[0] = factor * (x[0].x() - 1.0);
                            out.J(0, 0) = factor;
                          },
                      .error_function = [](const HandleValue& x) { return GoalError{std::fabs(x[0].x() - 1.0), {}}; }};
  };
  Batch odd{"no number", Problem(figure), {}, MatX::Constant(2, 2, 0.3)};
  good(odd.problem.add(figure.point("tip"), reach_out(1.0)));
  odd.goals = {reach_out(1.0), reach_out(std::numeric_limits<double>::quiet_NaN())};
  expect_as_solver(odd);
}

// Not even where the first of them is of another kind than the rest.
TEST(SolveBatch, DoesNotCareWhichProblemIsTheFirst) {
  Batch batch = arm_batch("panda", "panda_hand_tcp", 2365, 40, 0.0);
  std::get<Placement>(batch.goals[7]).orientation.c_y *= 0.5;
  std::vector<Eigen::Index> order(40);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[7]);
  const Solved one = solved(batch), two = solved(batch.some(order));
  for (Eigen::Index p = 0; p < 40; ++p)
    EXPECT_EQ(one.poses.col(order[static_cast<std::size_t>(p)]), two.poses.col(p)) << "problem " << p;
}

// What was solved alone in one stretch of a batch leaves nothing behind for the next.
TEST(SolveBatch, ForgetsWhatItSolvedAlone) {
  Batch batch = arm_batch("panda", "panda_hand_tcp", 2366, 1200, 0.0);
  for (std::size_t p = 250; p < 1200; p += 7) std::get<Placement>(batch.goals[p]).orientation.c_y *= 0.5;
  const Solved one = solved(batch);
  expect_lawful(batch, one);
  EXPECT_GE(one.report.in_lanes, 1060U);
  for (const int threads : {2, 5}) {
    SCOPED_TRACE(threads);
    const Solved other = solved(batch, {.threads = threads});
    expect_same_bits(one, other);
  }
}

}  // namespace solve_batch_test
}  // namespace limber
