// The linear algebra of the model: its normal equations, its minimum on a face, its inverse Hessian.
#include <algorithm>

#include "limber/base/cholesky.h"
#include "limber/solver/residual/levenberg_marquardt.h"

namespace limber {

namespace {

// μ is at least this much of the diagonal, so that the system can be factored.
constexpr double min_damping_share = 1e-14;
// An inverse Hessian reaches no farther than this much of the diagonal allows.
constexpr double min_inverse = 1e-3;
// ρ of the header, of the largest entry of the diagonal.
constexpr double stiffening = 1e3;

}  // namespace

// M and rm: the level's rows of J and its residual.
void LevenbergMarquardt::make_model(const Level& level) {
  first_ = level.begin;
  m_ = level.rows();
  rm_.head(m_) = r_.segment(level.begin, m_);
  if (is_primal()) {
    make_normal_equations();
    return;
  }
  gram_.topLeftCorner(m_, m_).setZero();
  std::fill(counted_.begin(), counted_.end(), 0);
}

// MᵀM and Mᵀr. Where there are more rows than variables most rows have few entries: a pull has one, a contact those of
// a limb. They are added entry by entry, the others together.
void LevenbergMarquardt::make_normal_equations() {
  const auto n = static_cast<int>(J_.cols());
  const auto J = M();
  H_.setZero();
  int full = 0;
  const auto add_full = [&] {
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) H_(i, j) += full_.col(i).head(full).dot(full_.col(j).head(full));
    full = 0;
  };
  for (int row = 0; row < m_; ++row) {
    entries_.clear();
    for (int i = 0; i < n; ++i)
      if (J(row, i) != 0.0) entries_.push_back(i);
    if (2 * static_cast<int>(entries_.size()) > n) {
      full_.row(full++) = J.row(row);
      if (full == max_full_rows) add_full();
      continue;
    }
    for (std::size_t b = 0; b < entries_.size(); ++b)
      for (std::size_t a = b; a < entries_.size(); ++a)
        H_(entries_[a], entries_[b]) += J(row, entries_[a]) * J(row, entries_[b]);
  }
  if (full > 0) add_full();
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) H_(j, i) = H_(i, j);
    Mr_[j] = M_column(j).dot(rm_.head(m_));
  }
}

// u = the minimum of the model on the face of s.
void LevenbergMarquardt::face_minimum(double mu) {
  if (is_primal())
    primal_minimum(mu);
  else
    dual_minimum(mu);
}

// H += S. The multipliers of the rows that are kept are those of kkt_, which has seen them as unit normals after the
// limits (Limits::add_tangent).
void LevenbergMarquardt::add_curvature(LeastSquares problem, const Limits& limits, const Level& level, const VecX& x) {
  weights_.setZero();
  weights_.segment(level.begin, level.rows()) = r_.segment(level.begin, level.rows());
  for (const Kkt::Multiplier& multiplier : kkt_.multipliers()) {
    if (multiplier.limit < limits.count()) continue;
    const int row = kept_rows_.rows()[static_cast<std::size_t>(multiplier.limit - limits.count())];
    weights_[row] = 0.5 * multiplier.lambda / J_.row(row).norm();
  }
  problem.add_curvature(x, weights_, H_);
}

void LevenbergMarquardt::primal_minimum(double mu) {
  const int n = static_cast<int>(s_.size());
  free_.clear();
  for (int i = 0; i < n; ++i)
    if (face_.is_free(i)) free_.push_back(i);
  const auto f = static_cast<Eigen::Index>(free_.size());
  auto A = factor_.topLeftCorner(f, f);
  double largest = 0.0;
  for (Eigen::Index j = 0; j < f; ++j) {
    for (Eigen::Index i = j; i < f; ++i) A(i, j) = H_(free_[i], free_[j]);
    largest = std::fmax(largest, A(j, j));
  }
  A.diagonal().array() += std::fmax(mu, min_damping_share * largest) + std::numeric_limits<double>::min();
  if (curved_)
    for (int k = 0; k < face_.rank(); ++k)
      for (Eigen::Index j = 0; j < f; ++j)
        for (Eigen::Index i = j; i < f; ++i)
          A(i, j) += stiffening * largest * face_.Q()(free_[i], k) * face_.Q()(free_[j], k);
  // Variables at a limit of the face stay.
  un_ = -Mr_;
  for (int i = 0; i < n; ++i)
    if (!face_.is_free(i) && s_[i] != 0.0) un_ -= s_[i] * H_.col(i);
  u_ = s_;
  if (!factor_cholesky(A)) {
    indefinite_ = curved_;
    return;
  }
  auto b = z_primal_.head(f);
  for (Eigen::Index i = 0; i < f; ++i) b[i] = un_[free_[i]];
  solve_forward(A, b);
  if (const int k = face_.rank(); k > 0) {
    // s = A⁻¹ (b - Q λ) with Qᵀ s as it was. With A = L Lᵀ, W = L⁻¹ Q and y = L⁻¹ b: WᵀW λ = Wᵀy - Qᵀs, Lᵀs = y - W λ.
    auto S = schur_.topLeftCorner(k, k);
    auto lambda = schur_right_.head(k);
    for (int c = 0; c < k; ++c) {
      auto column = B_.col(c).head(f);
      for (Eigen::Index i = 0; i < f; ++i) column[i] = face_.Q()(free_[i], c);
      solve_forward(A, column);
      lambda[c] = column.dot(b) - face_.Q().col(c).dot(s_);
      for (int d = 0; d <= c; ++d) S(c, d) = column.dot(B_.col(d).head(f));
    }
    if (!factor_cholesky(S)) return;
    solve_factored(S, lambda);
    for (int c = 0; c < k; ++c) b -= lambda[c] * B_.col(c).head(f);
  }
  solve_back(A, b);
  for (Eigen::Index i = 0; i < f; ++i) u_[free_[i]] = b[i];
  if (face_.rank() == 0) return;
  // Exactly along the face.
  un_ = u_ - s_;
  face_.project(un_);
  u_ = s_ + un_;
}

void LevenbergMarquardt::dual_minimum(double mu) {
  const int n = static_cast<int>(s_.size()), m = m_;
  const auto J = M();
  // The gram matrix Σ j jᵀ over the free variables follows the face.
  for (int i = 0; i < n; ++i) {
    const bool is_free = face_.is_free(i);
    if (is_free == (counted_[i] != 0)) continue;
    counted_[i] = is_free;
    const auto j = J.col(i);
    for (int k = 0; k < m; ++k)
      if (j[k] != 0.0) gram_.col(k).segment(k, m - k) += (is_free ? j[k] : -j[k]) * j.tail(m - k);
  }
  // The part of s across the face stays.
  u_ = s_;
  face_.project(u_);
  un_ = s_ - u_;
  z_.head(m) = -rm_.head(m);
  for (int i = 0; i < n; ++i)
    if (un_[i] != 0.0) z_.head(m) -= un_[i] * J.col(i);
  // J P Jᵀ = Σ j jᵀ - (J Q)(J Q)ᵀ.
  auto A = factor_.topLeftCorner(m, m);
  A.triangularView<Eigen::Lower>() = gram_.topLeftCorner(m, m);
  for (int k = 0; k < face_.rank(); ++k) {
    auto b = B_.col(k).head(m);
    b.setZero();
    for (int i = 0; i < n; ++i)
      if (const double q = face_.Q()(i, k); q != 0.0) b += q * J.col(i);
    for (int j = 0; j < m; ++j) A.col(j).tail(m - j) -= b[j] * b.tail(m - j);
  }
  double largest = 0.0;
  for (int j = 0; j < m; ++j) largest = std::fmax(largest, A(j, j));
  const double added = std::fmax(mu, min_damping_share * largest) + std::numeric_limits<double>::min();
  for (int j = 0; j < m; ++j) A(j, j) += added;
  if (!factor_cholesky(A)) {
    u_ = s_;
    return;
  }
  solve_factored(A, z_.head(m));
  for (int i = 0; i < n; ++i) u_[i] = face_.is_free(i) ? J.col(i).dot(z_.head(m)) : 0.0;
  face_.project(u_);
  u_ += un_;
}

// (JᵀJ + μ I)⁻¹ = (I - Jᵀ (J Jᵀ + μ I)⁻¹ J) / μ = (I - WᵀW) / μ,  W = L⁻¹ J,  L Lᵀ = J Jᵀ + μ I.
void LevenbergMarquardt::inverse_hessian(MatX& H) {
  const int n = static_cast<int>(J_.cols()), m = m_;
  H.setIdentity(n, n);
  if (is_primal()) {
    factor_ = H_;
    factor_.diagonal().array() += std::fmax(mu_, min_inverse * H_.diagonal().maxCoeff());
    if (!factor_cholesky(factor_)) return;
    for (int j = 0; j < n; ++j) solve_factored(factor_, H.col(j));
    H *= 0.5;
    return;
  }
  auto A = factor_.topLeftCorner(m, m);
  auto W = J_.middleRows(first_, m);
  A.setZero();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      if (const double j = W(k, i); j != 0.0) A.col(k).tail(m - k) += j * W.col(i).segment(k, m - k);
  const double mu = std::fmax(mu_, min_inverse * A.diagonal().maxCoeff());
  A.diagonal().array() += mu;
  if (!factor_cholesky(A)) return;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) {
      W(k, i) /= A(k, k);
      W.col(i).segment(k + 1, m - k - 1) -= W(k, i) * A.col(k).tail(m - k - 1);
    }
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) H(i, j) = H(j, i) = ((i == j ? 1.0 : 0.0) - W.col(i).dot(W.col(j))) / (2.0 * mu);
  }
}

}  // namespace limber
