// Problems in lanes, for every kind of processor that this machine can be: met as plain kinematics see it, the
// same bits in any company. From one kind to the next they may differ by rounding: some of them fuse.
#include "limber/lanes/batch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/lanes/pin_sample.h"

namespace limber {
namespace batch_test {

using testing::built;
using testing::good;
using testing::pinned;
using testing::PinSample;

struct NamedKernel {
  const char* name;
  const BatchKernel* kernel;
};

std::vector<NamedKernel> kernels_of_this_machine() {
  std::vector<NamedKernel> list = {{"base", &batch_base}};
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list.push_back({"avx2", &batch_avx2});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    list.push_back({"avx512", &batch_avx512});
#endif
  return list;
}

constexpr double lane_metres = 1e-3, lane_chord = 1e-3;

// An arm of seven joints, one placement; targets and starts from random poses.
struct ArmLanes {
  Figure figure = built(testing::seven_joint_arm());
  std::optional<PinSample> pins;
  PinTables<float> tables;
  std::vector<float> bases, q, targets, starts, other_starts, enough;
  std::vector<Frame> goals;

  ArmLanes(std::uint64_t seed, int count) {
    Random random(seed);
    auto problem = std::make_unique<Problem>(figure);
    good(problem->add(figure.frame("tip"), Placement{Vec3::Zero(), orientation(Mat3::Identity(), 100.0)}));
    pins = pinned(figure, std::move(problem), figure.rest());
    tables = converted<float>(pins->tables);
    bases.assign(pins->base_numbers(), pins->base_numbers() + 12 * pins->bases.size());
    q.assign(pins->q.begin(), pins->q.end());
    const auto n = static_cast<std::size_t>(pins->phi.size());
    const auto pose = [&](std::vector<float>& to) {
      for (std::size_t i = 0; i < n; ++i) to.push_back(static_cast<float>(random.between(-2.4, 2.4)));
    };
    for (int p = 0; p < count; ++p) {
      Pose reach = figure.rest();
      for (Eigen::Index i = 0; i < reach.theta.size(); ++i) reach.theta[i] = random.between(-2.4, 2.4);
      const Site& tip = figure.sites().front();
      const Frame X = forward(figure, reach).segments[static_cast<std::size_t>(tip.segment)] * tip.frame;
      goals.push_back(X);
      const auto put = [&](const Vec3& v) {
        for (int axis = 0; axis < 3; ++axis) targets.push_back(static_cast<float>(v[axis]));
      };
      put(X.p);
      put(Vec3::Zero());
      put(X.R.col(0));
      put(X.R.col(1));
      pose(starts);
    }
    for (int k = 0; k < tries; ++k) pose(other_starts);
    for (const TaskOf<double>& task : pins->tables.tasks) {
      const double far = task.kind == TaskKind::point ? lane_metres : lane_chord;
      enough.push_back(static_cast<float>(0.25 * far * far));
    }
  }

  static constexpr int tries = 32;

  struct Answer {
    std::vector<float> x;
    std::vector<unsigned char> met;
    long iterations = 0;
  };

  // The problems from begin on.
  Answer solve(const BatchKernel& kernel, std::size_t begin, int count) const {
    const std::size_t n = tables.variables.size();
    BatchCall call;
    call.plan = tables.plan();
    LaneMemory memory;
    const long room = kernel.room(call.plan);
    call.memory = memory.of(room);
    std::memset(call.memory, 0xff, static_cast<std::size_t>(room));  // what was there before does not matter
    Answer answer;
    answer.x.assign(starts.begin() + static_cast<std::ptrdiff_t>(begin * n),
                    starts.begin() + static_cast<std::ptrdiff_t>((begin + static_cast<std::size_t>(count)) * n));
    answer.x.push_back(77.0F);  // stays
    answer.met.assign(static_cast<std::size_t>(count) + 1, 9);
    call.count = count;
    call.bases = bases.data();
    call.q = q.data();
    call.targets = targets.data() + begin * 12;
    call.x = answer.x.data();
    call.other_starts = other_starts.data();
    call.max_tries = tries;
    call.met = answer.met.data();
    call.enough = enough.data();
    call.max_iterations = 60;
    kernel.solve(call);
    EXPECT_EQ(answer.x.back(), 77.0F);
    EXPECT_EQ(answer.met.back(), 9);
    answer.x.pop_back();
    answer.met.pop_back();
    answer.iterations = call.iterations;
    return answer;
  }

  // Whether problem p is met, with some room for single precision.
  bool is_met(std::size_t p, const float* x) const {
    Pose pose = figure.rest();
    for (Eigen::Index i = 0; i < pose.theta.size(); ++i) pose.theta[i] = static_cast<double>(x[i]);
    const Site& tip = figure.sites().front();
    const Frame X = forward(figure, pose).segments[static_cast<std::size_t>(tip.segment)] * tip.frame;
    return (X.p - goals[p].p).norm() <= 0.6 * lane_metres &&
           (X.R.col(0) - goals[p].R.col(0)).norm() <= 0.6 * lane_chord &&
           (X.R.col(1) - goals[p].R.col(1)).norm() <= 0.6 * lane_chord;
  }
};

TEST(BatchKernel, MeetsArmsGoalsWithinTheBounds) {
  const int count = 500;
  const ArmLanes arm(2341, count);
  const std::size_t n = arm.tables.variables.size();
  for (const auto& [name, kernel] : kernels_of_this_machine()) {
    const ArmLanes::Answer answer = arm.solve(*kernel, 0, count);
    int met = 0;
    for (std::size_t p = 0; p < answer.met.size(); ++p) {
      const float* x = answer.x.data() + p * n;
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(x[i] >= arm.tables.variables[i].lower && x[i] <= arm.tables.variables[i].upper);
      ASSERT_LE(answer.met[p], 1);
      if (!answer.met[p]) continue;
      ++met;
      EXPECT_TRUE(arm.is_met(p, x)) << name << ", problem " << p;
    }
    EXPECT_GE(met, count * 99 / 100) << name;
    EXPECT_GE(answer.iterations, count);
  }
}

// None, one, fewer than the lanes, as many, a few more.
TEST(BatchKernel, TakesAnyNumberOfProblems) {
  const ArmLanes arm(2343, 40);
  const std::size_t n = arm.tables.variables.size();
  for (const auto& [name, kernel] : kernels_of_this_machine()) {
    const ArmLanes::Answer all = arm.solve(*kernel, 0, 40);
    for (const int count : {0, 1, 2, kernel->width - 1, kernel->width, kernel->width + 1, 37}) {
      for (const std::size_t begin : {std::size_t{0}, std::size_t{3}}) {
        const ArmLanes::Answer some = arm.solve(*kernel, begin, count);
        const auto at = static_cast<std::ptrdiff_t>(begin), end = at + count;
        const auto size = static_cast<std::ptrdiff_t>(n);
        EXPECT_EQ(some.met, std::vector<unsigned char>(all.met.begin() + at, all.met.begin() + end)) << name << count;
        EXPECT_EQ(some.x, std::vector<float>(all.x.begin() + at * size, all.x.begin() + end * size)) << name << count;
        EXPECT_EQ(some.iterations == 0, count == 0);
      }
    }
  }
}

TEST(BatchKernel, LooksAtAnswersInDoublePrecision) {
  const int count = 61;
  const ArmLanes arm(2344, count);
  const std::size_t n = arm.tables.variables.size();
  const ArmLanes::Answer answer = arm.solve(batch_base, 0, count);
  std::vector<double> x(answer.x.begin(), answer.x.end()), targets, enough;
  // Targets that are now and then a little out of what counts as met, by points and by turns.
  std::vector<unsigned char> expected;
  Random random(2345);
  const Site& tip = arm.figure.sites().front();
  for (std::size_t p = 0; p < static_cast<std::size_t>(count); ++p) {
    Pose pose = arm.figure.rest();
    for (std::size_t i = 0; i < n; ++i) pose.theta[static_cast<Eigen::Index>(i)] = x[p * n + i];
    Frame X = forward(arm.figure, pose).segments[static_cast<std::size_t>(tip.segment)] * tip.frame;
    const int kind = random.integer(0, 3);
    X.p += (kind == 1 ? 1.001 : 0.999) * lane_metres * random.direction();
    const Vec3 about = kind == 3 ? Vec3(X.R.col(0)) : Vec3(X.R.col(1));  // turns y alone, or x alone
    X.R = rotation(about, 2.0 * std::asin(0.5 * (kind >= 2 ? 1.001 : 0.999) * lane_chord)) * X.R;
    expected.push_back(kind == 0);
    for (const Vec3& v : {X.p, Vec3(Vec3::Zero()), Vec3(X.R.col(0)), Vec3(X.R.col(1))})
      for (int axis = 0; axis < 3; ++axis) targets.push_back(v[axis]);
  }
  for (const TaskOf<double>& task : arm.pins->tables.tasks)
    enough.push_back(std::pow(task.kind == TaskKind::point ? lane_metres : lane_chord, 2));
  for (const auto& [name, kernel] : kernels_of_this_machine()) {
    for (const int some : {0, 1, 3, count}) {
      BatchCheck check;
      check.plan = arm.pins->tables.plan();
      LaneMemory memory;
      check.memory = memory.of(kernel->check_room(check.plan));
      check.count = some;
      check.bases = arm.pins->base_numbers();
      check.q = arm.pins->q.data();
      check.targets = targets.data();
      check.x = x.data();
      check.enough = enough.data();
      std::vector<unsigned char> met(static_cast<std::size_t>(some) + 1, 9);
      check.met = met.data();
      kernel->check(check);
      EXPECT_EQ(met.back(), 9);
      met.pop_back();
      EXPECT_EQ(met, std::vector<unsigned char>(expected.begin(), expected.begin() + some)) << name;
    }
  }
}

TEST(BatchKernel, IsTheWidestThatTheMachineHasOrTheOneThatIsAskedFor) {
  EXPECT_EQ(batch_kernel(0), kernels_of_this_machine().back().kernel);
  for (const auto& machine : kernels_of_this_machine()) EXPECT_EQ(batch_kernel(machine.kernel->width), machine.kernel);
  for (const int width : {-1, 1, 5, 32}) EXPECT_EQ(batch_kernel(width), nullptr);
}

}  // namespace batch_test
}  // namespace limber
