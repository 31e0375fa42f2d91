// One problem at a time: the same bits from every kind of processor, and an end that is what it says.
#include "limber/lanes/quick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "limber/program/kkt.h"
#include "tests/lanes/pin_sample.h"
#include "tests/law/reference.h"

namespace limber {
namespace quick_test {

using testing::PinSample;
using testing::random_pins;

bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

struct QuickAnswer {
  QuickExit exit = {};
  int iterations = 0, evaluations = 0;
  double f = 0.0;
  VecX x;
  std::vector<double> seen;  // f after every iteration
  std::vector<double> off;
};

struct QuickAsked {
  int max_iterations = 200;
  double enough = 0.0;  // of the figure's length; 0: not asked
  int cancel_after = 1 << 30;
};

QuickAnswer quick_answer(const QuickKernel& kernel, const PinSample& pins, const QuickAsked& asked) {
  QuickCall call;
  call.plan = pins.tables.plan();
  LaneMemory memory;
  const long room = kernel.room(call.plan);
  call.memory = memory.of(room);
  std::memset(call.memory, 0xff, static_cast<std::size_t>(room));  // what was there before does not matter
  QuickAnswer answer;
  answer.x = pins.phi;
  answer.off.resize(pins.tables.tasks.size());
  std::vector<double> enough(pins.tables.tasks.size());
  for (std::size_t a = 0; a < enough.size(); ++a)
    enough[a] = std::pow(asked.enough * (pins.tables.tasks[a].kind == TaskKind::point ? pins.figure.length() : 1.0), 2);
  call.bases = pins.base_numbers();
  call.q = pins.q.data();
  call.targets = pins.target_numbers();
  call.x = answer.x.data();
  call.max_iterations = asked.max_iterations;
  call.tolerance = 1e-10;
  if (asked.enough > 0.0) call.enough = enough.data();
  struct Watch {
    QuickAnswer& answer;
    const QuickAsked& asked;
  } watch{answer, asked};
  call.context = &watch;
  call.observe = [](void* context, int iteration, double f, const double*) {
    const Watch& to = *static_cast<Watch*>(context);
    to.answer.seen.push_back(f);
    return iteration < to.asked.cancel_after;
  };
  call.off = answer.off.data();
  kernel.solve(call);
  answer.exit = call.exit;
  answer.iterations = call.iterations;
  answer.evaluations = call.evaluations;
  answer.f = call.f;
  return answer;
}

TEST(QuickKernel, GivesTheSameBitsOnEveryMachine) {
  // The code that this machine takes, whichever that is, against the code for any.
  EXPECT_EQ(&quick_kernel() == &quick_avx2, has_avx2());
  Random random(2331);
  const int problems = law::law_count(400);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random, trial % 2 == 1);
    const QuickAsked asked{.enough = random.chance(0.5) ? 1e-4 : 0.0};
    const QuickAnswer one = quick_answer(quick_base, pins, asked), two = quick_answer(quick_kernel(), pins, asked);
    ASSERT_EQ(one.exit, two.exit) << "trial " << trial;
    EXPECT_EQ(one.iterations, two.iterations);
    EXPECT_EQ(one.evaluations, two.evaluations);
    EXPECT_EQ(one.f, two.f);
    EXPECT_EQ(one.seen, two.seen);
    EXPECT_EQ(one.off, two.off);
    ASSERT_EQ(one.x, two.x) << "trial " << trial;
  }
}

TEST(QuickKernel, FallsAtEveryIterationWithinTheLimitsAndEndsAsItSays) {
  Random random(2332);
  const int problems = std::max(200, law::law_count(400));
  int met = 0, converged = 0, on_rows = 0;
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random, trial % 2 == 1);
    const QuickAsked asked{.enough = random.chance(0.5) ? 1e-4 : 0.0};
    const QuickAnswer answer = quick_answer(quick_kernel(), pins, asked);
    SCOPED_TRACE("trial " + std::to_string(trial));
    const Limits& limits = pins.assembly->limits();
    VecX theta = pins.start.theta;
    pins.assembly->theta_of(answer.x, theta);
    ASSERT_LE(law::limit_defect(pins.figure, theta), 1.0);
    VecX gradient(answer.x.size());
    double before = (*pins.assembly)(pins.phi, gradient) * (1.0 + 1e-12) + 1e-15;
    for (const double f : answer.seen) {
      EXPECT_LE(f, before);
      before = f;
    }
    const double f = (*pins.assembly)(answer.x, gradient);
    ASSERT_LE(std::fabs(answer.f - f), 1e-11 * (1e-6 + f)) << "trial " << trial;
    EXPECT_EQ(answer.iterations, static_cast<int>(answer.seen.size()));
    if (answer.exit == QuickExit::met) {
      ++met;
      EXPECT_GT(asked.enough, 0.0);
      pins.assembly->evaluate_at(answer.x);
      for (std::size_t c = 0; c < pins.problem->constraints().size(); ++c) {
        const GoalError error = pins.assembly->error_of(c);
        EXPECT_LE(error.metres.value_or(0.0), asked.enough * pins.figure.length() * (1.0 + 1e-9));
        EXPECT_LE(error.radians.value_or(0.0), asked.enough * (1.0 + 1e-6));
      }
    }
    if (answer.exit == QuickExit::converged) {
      ++converged;
      Kkt kkt;
      kkt.reserve(limits);
      ASSERT_LE(kkt.check(limits, answer.x, gradient, 1e-12), 1e-9);
      for (const Kkt::Multiplier& multiplier : kkt.multipliers()) on_rows += multiplier.limit >= 2 * limits.variables();
    }
  }
  EXPECT_GE(met, problems / 20);
  EXPECT_GE(converged, problems / 20);
  EXPECT_GE(on_rows, problems / 40) << "limits on several variables that push back";
}

TEST(QuickKernel, IsThePrefixOfTheWholeRunWhereItIsStopped) {
  Random random(2333);
  for (int trial = 0; trial < 60; ++trial) {
    const PinSample pins = random_pins(random, trial % 2 == 1);
    const QuickAnswer whole = quick_answer(quick_kernel(), pins, {});
    if (whole.iterations < 2) continue;
    const int k = random.integer(1, whole.iterations - 1);
    const QuickAnswer cancelled = quick_answer(quick_kernel(), pins, {.cancel_after = k});
    const QuickAnswer limited = quick_answer(quick_kernel(), pins, {.max_iterations = k});
    EXPECT_EQ(cancelled.exit, QuickExit::cancelled);
    EXPECT_EQ(limited.exit, QuickExit::iteration_limit);
    EXPECT_EQ(cancelled.iterations, k);
    EXPECT_EQ(limited.iterations, k);
    EXPECT_EQ(cancelled.f, whole.seen[static_cast<std::size_t>(k) - 1]);
    EXPECT_EQ(cancelled.x, limited.x);
    EXPECT_EQ(cancelled.seen, std::vector<double>(whole.seen.begin(), whole.seen.begin() + k));
  }
}

TEST(QuickKernel, SaysWhereTheObjectiveIsNoNumber) {
  Random random(2334);
  PinSample pins = random_pins(random);
  pins.targets[0].v[1] = infinity;
  EXPECT_EQ(quick_answer(quick_kernel(), pins, {}).exit, QuickExit::not_finite);
  EXPECT_EQ(quick_answer(quick_kernel(), pins, {}).x, pins.phi);
}

}  // namespace quick_test
}  // namespace limber
