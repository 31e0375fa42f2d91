#include "limber/solver/residual/task_inverse.h"

#include <algorithm>
#include <limits>

#include "limber/base/cholesky.h"
#include "limber/base/symmetric.h"

namespace limber {

namespace {

// Inverse iteration: so much of the smallest square that counts is added, and so often it is repeated.
constexpr double inverse_shift = 1e-2;
constexpr int inverse_iterations = 12;
// Of the power iteration for the largest singular value without some variables; some percent are accurate enough.
constexpr int power_iterations = 8;

}  // namespace

void TaskInverse::reserve(int rows, int variables) {
  const int k = std::min(rows, variables);
  is_wide_ = rows <= variables;
  if (A_.rows() == k && A_.cols() == variables) return;
  for (MatX* M : {&eigen_, &V_, &gram_, &M_, &factor_, &reflections_}) M->resize(k, k);
  A_.resize(k, variables);
  for (VecX* v : {&sigma_, &b_, &z_, &y_, &Gy_, &column_}) v->resize(k);
}

// V and σ, ascending.
void TaskInverse::decompose(const MatX& J) {
  eigen_.setZero();
  if (is_wide_) {
    for (Eigen::Index i = 0; i < J.cols(); ++i)
      for (Eigen::Index k = 0; k < J.rows(); ++k)
        if (const double j = J(k, i); j != 0.0) eigen_.col(k) += j * J.col(i);
  } else {
    for (Eigen::Index i = 0; i < J.cols(); ++i)
      for (Eigen::Index k = 0; k <= i; ++k) eigen_(i, k) = eigen_(k, i) = J.col(i).dot(J.col(k));
  }
  diagonalize(eigen_, V_);
  sigma_ = eigen_.diagonal().cwiseMax(0.0).cwiseSqrt();
}

void TaskInverse::start(const MatX& J, double truncation, double damping) {
  decompose(J);
  const double largest = sigma_.size() == 0 ? 0.0 : sigma_.maxCoeff();
  truncation_ = truncation;
  damping_ = damping;
  noise_square_ = min_part * largest * min_part * largest;
  scale(largest * largest);
  const auto first = std::ranges::find_if(sigma_, [&](double sigma) {
    const double square = sigma * sigma;
    return sigma > 0.0 && (is_wide_ || square > noise_square_) && square + lambda_square_ > noise_square_;
  });
  const Eigen::Index left_out = first - sigma_.begin();
  rank_ = static_cast<int>(sigma_.size() - left_out);
  const auto V = V_.rightCols(rank_);
  const auto sigma = sigma_.tail(rank_);
  for (Eigen::Index i = 0; i < J.cols(); ++i)
    if (is_wide_)
      A_.col(i).head(rank_).noalias() = V.transpose() * J.col(i);
    else
      A_.col(i).head(rank_) = sigma.cwiseProduct(V.row(i).transpose());
  b_.setZero();
  gram_.topLeftCorner(rank_, rank_).setZero();
  gram_.diagonal().head(rank_) = sigma.cwiseAbs2();
  is_factored_ = false;
}

void TaskInverse::scale(double largest_square) {
  lambda_square_ = damping_ * damping_ * largest_square;
  min_square_ = std::fmax(noise_square_, truncation_ * truncation_ * largest_square);
}

// b = Uᵀ t. If J has more rows than variables, U = J V Σ⁻¹.
void TaskInverse::set_task(const MatX& J, const VecX& task) {
  auto b = b_.head(rank_);
  const auto V = V_.rightCols(rank_);
  if (is_wide_) {
    b.noalias() = V.transpose() * task;
    return;
  }
  column_.noalias() = J.transpose() * task;
  b.noalias() = V.transpose() * column_;
  b = b.cwiseQuotient(sigma_.tail(rank_));
}

void TaskInverse::remove(int variable) {
  auto a = A_.col(variable).head(rank_);
  auto gram = gram_.topLeftCorner(rank_, rank_);
  for (Eigen::Index k = 0; k < rank_; ++k)
    if (a[k] != 0.0) gram.col(k) -= a[k] * a;
  a.setZero();
  is_factored_ = false;
  scale(largest_square());
}

// Of the singular values of A.
double TaskInverse::largest_square() {
  if (rank_ == 0) return 0.0;
  const auto gram = gram_.topLeftCorner(rank_, rank_);
  Eigen::Index longest = 0;
  double square = gram.diagonal().maxCoeff(&longest);
  auto y = y_.head(rank_);
  auto Gy = Gy_.head(rank_);
  Gy = gram.col(longest);
  for (int k = 0; k < power_iterations; ++k) {
    const double length = Gy.norm();
    if (!(length > 0.0)) break;
    y = Gy / length;
    Gy.noalias() = gram * y;
    square = std::fmax(square, y.dot(Gy));
  }
  return square;
}

// Whether a singular value may be small, by the factor.
bool TaskInverse::has_small() {
  const auto L = factor_.topLeftCorner(size_, size_);
  double sum = 0.0;  // ‖L⁻¹‖², column by column
  for (Eigen::Index j = 0; j < size_; ++j) {
    auto column = column_.segment(j, size_ - j);
    column.setZero();
    column[0] = 1.0;
    solve_forward(L.bottomRightCorner(size_ - j, size_ - j), column);
    sum += column.squaredNorm();
    if (!(sum * min_square_ < 1.0)) return true;
  }
  return false;
}

// y_ = the direction of the smallest eigenvalue of M_, which is returned.
double TaskInverse::find_weakest() {
  const auto M = M_.topLeftCorner(size_, size_);
  auto L = factor_.topLeftCorner(size_, size_);
  auto y = y_.head(size_);
  for (Eigen::Index i = 0; i < size_; ++i) y[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i + 1));
  double shift = std::fmax(inverse_shift * noise_square_, std::numeric_limits<double>::min());
  const auto factor_shifted = [&] {
    L = M;
    L.diagonal().array() += shift;
    return factor_cholesky(L);
  };
  while (!factor_shifted()) {
    shift *= 10.0;
    if (!(shift < infinity)) return 0.0;
  }
  for (int k = 0; k < inverse_iterations; ++k) {
    solve_factored(L, y);
    y /= y.norm();
  }
  Gy_.head(size_).noalias() = M * y;
  return y.dot(Gy_.head(size_));
}

// u, of length √2, such that I - u uᵀ maps y_ to the last axis.
void TaskInverse::take_reflection() {
  auto u = y_.head(size_);
  u[size_ - 1] += std::copysign(1.0, u[size_ - 1]);
  u *= std::sqrt(2.0) / u.norm();
}

// M ← H M H = M - u wᵀ - w uᵀ with w = M u - ½ (uᵀM u) u.
void TaskInverse::reflect(Eigen::Ref<MatX> M) {
  const auto u = y_.head(size_);
  auto w = Gy_.head(size_);
  w.noalias() = M * u;
  w -= (0.5 * u.dot(w)) * u;
  for (Eigen::Index k = 0; k < size_; ++k) M.col(k) -= w[k] * u + u[k] * w;
}

// For good: also of A and b.
void TaskInverse::leave_out_weakest() {
  take_reflection();
  const auto u = y_.head(size_);
  for (Eigen::Index i = 0; i < A_.cols(); ++i) {
    auto a = A_.col(i).head(size_);
    a -= u.dot(a) * u;
  }
  auto b = b_.head(size_);
  b -= u.dot(b) * u;
  reflect(gram_.topLeftCorner(size_, size_));
  size_ = --rank_;
  M_.topLeftCorner(size_, size_) = gram_.topLeftCorner(size_, size_);
}

// M_ = A Aᵀ without the directions that are small now, and the factor of M_ + λ² I.
void TaskInverse::factorize() {
  if (is_factored_) return;
  size_ = rank_;
  M_.topLeftCorner(size_, size_) = gram_.topLeftCorner(size_, size_);
  const auto factor = [&] {
    auto L = factor_.topLeftCorner(size_, size_);
    L = M_.topLeftCorner(size_, size_);
    L.diagonal().array() += lambda_square_;
    return factor_cholesky(L);
  };
  while (size_ > 0) {
    if (factor() && (lambda_square_ >= min_square_ || !has_small())) break;
    const double weakest = find_weakest() + lambda_square_;
    if (weakest > min_square_ && factor()) break;  // 1 / ‖L⁻¹‖ is only a bound: none is small
    if (weakest <= noise_square_ && size_ == rank_) {
      leave_out_weakest();
      continue;
    }
    take_reflection();
    reflections_.col(size_ - 1).head(size_) = y_.head(size_);
    reflect(M_.topLeftCorner(size_, size_));
    --size_;
  }
  is_factored_ = true;
}

// z_ ← (A Aᵀ + λ² I)⁻¹ z_, without the directions that are small.
void TaskInverse::solve() {
  const auto reflect_z = [&](int size) {
    const auto u = reflections_.col(size - 1).head(size);
    z_.head(size) -= u.dot(z_.head(size)) * u;
  };
  for (int size = rank_; size > size_; --size) reflect_z(size);
  solve_factored(factor_.topLeftCorner(size_, size_), z_.head(size_));
  z_.segment(size_, rank_ - size_).setZero();
  for (int size = size_ + 1; size <= rank_; ++size) reflect_z(size);
}

void TaskInverse::add_step(VecX& v) {
  factorize();
  if (size_ == 0) return;
  z_.head(rank_) = b_.head(rank_);
  solve();
  v.noalias() += A_.topRows(rank_).transpose() * z_.head(rank_);
}

// Twice: what rounding leaves the first time is as much as the squares of singular values differ.
void TaskInverse::project(VecX& y) {
  factorize();
  for (int pass = 0; pass < (size_ > 0 ? 2 : 0); ++pass) {
    z_.head(rank_).noalias() = A_.topRows(rank_) * y;
    solve();
    y.noalias() -= A_.topRows(rank_).transpose() * z_.head(rank_);
  }
}

}  // namespace limber
