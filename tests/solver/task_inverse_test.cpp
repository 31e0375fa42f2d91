// The smallest step for a task, with all variables and without some, against a singular value decomposition.
#include "limber/solver/residual/task_inverse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/random.h"
#include "limber/solver/residual/jacobi_svd.h"
#include "tests/law/allocation.h"

namespace limber {
namespace task_inverse_test {

struct Sample {
  MatX J;
  VecX task, y;
  double truncation, damping;  // of the largest singular value

  explicit Sample(Random& random)
      : J(random.integer(1, 9), random.integer(1, 9)), task(J.rows()), y(J.cols()), truncation(0.0), damping(0.0) {
    const auto number = [&] { return random.between(-1.0, 1.0); };
    J = MatX::NullaryExpr(J.rows(), J.cols(), number);
    task = VecX::NullaryExpr(J.rows(), number);
    y = VecX::NullaryExpr(J.cols(), number);
    if (J.rows() > 2 && random.chance(0.5)) J.row(1) = 2.0 * J.row(0);  // dependent, as the rows of an orientation
    if (J.rows() > 3 && random.chance(0.3)) J.row(3) = J.row(2) + 1e-5 * J.row(3);
    if (random.chance(0.3)) J.row(0) *= 1e3;
    if (random.chance(0.5))
      damping = random.between(0.001, 0.2);
    else
      truncation = random.chance(0.5) ? 1e-4 : 0.3;
  }
};

struct Answer {
  VecX step, projected;
  bool is_clear = true;  // no singular value is near what counts as small
  double min_kept = infinity, largest = 0.0;
};

// By the singular values of J without the columns that are removed.
Answer by_decomposition(const Sample& sample, const std::vector<char>& removed) {
  const Eigen::Index n = sample.J.cols();
  JacobiSvd svd;
  svd.reserve(static_cast<int>(sample.J.rows()), static_cast<int>(n));
  svd.W = sample.J;
  Answer out{VecX::Zero(n), sample.y};
  for (Eigen::Index i = 0; i < n; ++i)
    if (removed[static_cast<std::size_t>(i)]) {
      svd.W.col(i).setZero();
      out.projected[i] = 0.0;
    }
  svd.compute();
  out.largest = svd.largest();
  const VecX y = out.projected;
  const double lambda = sample.damping * svd.largest();
  const double min_sigma = std::fmax(sample.truncation, TaskInverse::min_part) * svd.largest();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double sigma = svd.sigma[k];
    if (sample.damping == 0.0 && sigma > 0.5 * min_sigma && sigma < 2.0 * min_sigma) out.is_clear = false;
    if (!(sigma > (sample.damping > 0.0 ? 1e-12 * svd.largest() : min_sigma))) continue;
    out.min_kept = std::fmin(out.min_kept, std::hypot(sigma, lambda));
    out.step += (svd.W.col(k).dot(sample.task) / (sigma * sigma + lambda * lambda)) * svd.V.col(k);
    out.projected -= svd.V.col(k).dot(y) * svd.V.col(k);
  }
  return out;
}

TEST(TaskInverse, EqualsTheDecompositionWhicheverVariablesAreRemoved) {
  int compared = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Sample sample(random);
    const auto n = static_cast<int>(sample.J.cols());
    TaskInverse inverse;
    inverse.reserve(static_cast<int>(sample.J.rows()), n);
    inverse.start(sample.J, sample.truncation, sample.damping);
    inverse.set_task(sample.J, sample.task);
    std::vector<char> removed(static_cast<std::size_t>(n), 0);
    const double largest = by_decomposition(sample, removed).largest;
    for (int k = 0; k < n; ++k) {
      const Answer answer = by_decomposition(sample, removed);
      if (answer.is_clear) {
        ++compared;
        VecX step = VecX::Zero(n);
        inverse.add_step(step);
        // What is left out for good is a millionth of the largest value; without it a direction is known no better. On
        // the largest value of what remains, which is found to some percent only, the damping depends.
        const double left_out = 10.0 * TaskInverse::min_part * largest / answer.min_kept;
        const double near = sample.damping > 0.0 && k > 0 ? 0.05 : left_out;
        EXPECT_LE((step - answer.step).norm(), near * (answer.step.norm() + sample.task.norm() / answer.min_kept))
            << k << " removed";
        if (sample.damping == 0.0) {
          VecX y = sample.y;
          for (int i = 0; i < n; ++i)
            if (removed[static_cast<std::size_t>(i)]) y[i] = 0.0;
          inverse.project(y);
          EXPECT_LE((y - answer.projected).norm(), left_out * sample.y.norm() + 1e-12) << k << " removed";
        }
      }
      int next = random.integer(0, n - 1);
      while (removed[static_cast<std::size_t>(next)]) next = (next + 1) % n;
      removed[static_cast<std::size_t>(next)] = 1;
      inverse.remove(next);
    }
  }
  EXPECT_GT(compared, 5000);
}

TEST(TaskInverse, AllocatesNothingOnceReserved) {
  for (const auto& [rows, variables] : {std::pair(3, 7), std::pair(7, 3)}) {
    const MatX J = MatX::Random(rows, variables);
    const VecX task = VecX::Random(rows);
    VecX step = VecX::Zero(variables);
    TaskInverse inverse;
    inverse.reserve(rows, variables);
    const long before = law::allocations();
    inverse.start(J, 1e-4, 0.0);
    inverse.set_task(J, task);
    for (int i = 0; i < variables; ++i) {
      inverse.add_step(step);
      inverse.project(step);
      inverse.remove(i);
    }
    EXPECT_EQ(law::allocations(), before);
  }
}

}  // namespace task_inverse_test
}  // namespace limber
