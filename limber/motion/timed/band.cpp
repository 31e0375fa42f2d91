#include "limber/motion/timed/band.h"

#include <algorithm>
#include <utility>

#include "limber/base/clones.h"

namespace limber {

namespace {

// Blocks are columns of `stride` numbers, a multiple of `tile`, zero beyond n. Products go tile by tile, four columns
// at a time, so that the sums stay in registers.
constexpr int tile = 8;
constexpr int strip = 4;
static_assert(tile % strip == 0);

enum class Part { whole, lower };

// C += sign A Bᵀ over the columns of A and B from first(i, j) on.
template <Part part, int sign, class First>
inline void add_product(double* C, const double* A, const double* B, int stride, int n, int depth, First first) {
  for (int j = 0; j < n; j += strip)
    for (int i = part == Part::lower ? j / tile * tile : 0; i < n; i += tile) {
      double sum[strip][tile] = {};
      for (int k = first(i, j); k < depth; ++k) {
        const double* a = A + static_cast<std::ptrdiff_t>(k) * stride + i;
        const double* b = B + static_cast<std::ptrdiff_t>(k) * stride + j;
        for (int c = 0; c < strip; ++c)
          for (int t = 0; t < tile; ++t) sum[c][t] += a[t] * b[c];
      }
      for (int c = 0; c < strip; ++c) {
        double* out = C + static_cast<std::ptrdiff_t>(j + c) * stride + i;
        for (int t = 0; t < tile; ++t) out[t] += sign * sum[c][t];
      }
    }
}

// A -= U Uᵀ, the lower triangle.
LIMBER_CLONES void subtract_square(double* A, const double* U, int stride, int n) {
  add_product<Part::lower, -1>(A, U, U, stride, n, n, [](int, int) { return 0; });
}

LIMBER_CLONES void add_square_kernel(const double* U, int depth, int n, int stride, double* A) {
  add_product<Part::lower, 1>(A, U, U, stride, n, depth, [](int, int) { return 0; });
}

// A -= V Vᵀ with an upper triangle V.
LIMBER_CLONES void subtract_upper_square(double* A, const double* V, int stride, int n) {
  add_product<Part::lower, -1>(A, V, V, stride, n, n, [](int i, int) { return i; });
}

// C -= V Uᵀ with an upper triangle V.
LIMBER_CLONES void subtract_upper_product(double* C, const double* V, const double* U, int stride, int n) {
  add_product<Part::whole, -1>(C, V, U, stride, n, n, [](int i, int) { return i; });
}

// U = C X'ᵀ with X' a lower triangle: U_ij = Σ_{k <= j} C_ik X'_jk. Columns of X' beyond j are zero.
LIMBER_CLONES void lower_product(double* U, const double* C, const double* X, int stride, int n) {
  for (int j = 0; j < n; j += strip)
    for (int i = 0; i < n; i += tile) {
      double sum[strip][tile] = {};
      const int last = std::min(n, j + strip);
      for (int k = 0; k < last; ++k) {
        const double* a = C + static_cast<std::ptrdiff_t>(k) * stride + i;
        const double* b = X + static_cast<std::ptrdiff_t>(k) * stride + j;
        for (int c = 0; c < strip; ++c)
          for (int t = 0; t < tile; ++t) sum[c][t] += a[t] * b[c];
      }
      for (int c = 0; c < strip; ++c) {
        double* out = U + static_cast<std::ptrdiff_t>(j + c) * stride + i;
        for (int t = 0; t < tile; ++t) out[t] = sum[c][t];
      }
    }
}

// The Cholesky factor in the lower triangle, a strip of columns at a time; false where a pivot is not above 0.
LIMBER_CLONES bool cholesky(double* A, int stride, int n) {
  const auto at = [&](int j) { return A + static_cast<std::ptrdiff_t>(j) * stride; };
  for (int first = 0; first < n; first += strip) {
    const int last = std::min(n, first + strip);
    for (int j = first; j < last; ++j) {
      double* column = at(j);
      for (int p = first; p < j; ++p) {
        const double* before = at(p);
        const double factor = before[j];
        for (int i = j; i < n; ++i) column[i] -= factor * before[i];
      }
      if (!(column[j] > 0.0)) return false;
      const double root = std::sqrt(column[j]), inverse = 1.0 / root;
      column[j] = root;
      for (int i = j + 1; i < n; ++i) column[i] *= inverse;
    }
    if (last - first < strip) break;
    const double *a = at(first), *b = at(first + 1), *c = at(first + 2), *d = at(first + 3);
    for (int k = last; k < n; ++k) {
      double* __restrict other = at(k);
      const double fa = a[k], fb = b[k], fc = c[k], fd = d[k];
      for (int i = k; i < n; ++i) other[i] -= (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    }
  }
  return true;
}

// X = L⁻¹: L X = I, a strip of columns at a time. The upper triangle of X is zero.
LIMBER_CLONES void invert_lower(double* X, const double* __restrict L, int stride, int n) {
  for (int first = 0; first < n; first += strip) {
    double* x[strip];
    for (int c = 0; c < strip; ++c) {
      x[c] = X + static_cast<std::ptrdiff_t>(first + c) * stride;  // the stride is a multiple of the strip
      std::fill(x[c], x[c] + stride, 0.0);
      x[c][first + c] = 1.0;
    }
    double* __restrict a = x[0], * __restrict b = x[1], * __restrict c = x[2], * __restrict d = x[3];
    for (int k = first; k < n; ++k) {
      const double* column = L + static_cast<std::ptrdiff_t>(k) * stride;
      const double inverse = 1.0 / column[k];
      const double fa = a[k] *= inverse, fb = b[k] *= inverse, fc = c[k] *= inverse, fd = d[k] *= inverse;
      for (int i = k + 1; i < n; ++i) {
        const double l = column[i];
        a[i] -= fa * l;
        b[i] -= fb * l;
        c[i] -= fc * l;
        d[i] -= fd * l;
      }
    }
  }
}

}  // namespace

void add_square(const double* U, int depth, int n, int stride, double* A) { add_square_kernel(U, depth, n, stride, A); }

void Band::resize(int frames, int n) {
  frames_ = frames;
  n_ = n;
  stride_ = (n + tile - 1) / tile * tile;
  area_ = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(stride_);
  blocks_.assign(area_ * static_cast<std::size_t>(frames), 0.0);
  below_.assign(area_ * static_cast<std::size_t>(frames), 0.0);
  for (std::vector<double>& upper : upper_) upper.assign(area_, 0.0);
  cross_.assign(area_, 0.0);
  inverse_.assign(area_, 0.0);
  next = MatX::Zero(n, frames);
  after = MatX::Zero(n, frames);
}

void Band::hold(int i, int frame) {
  double* A = block(frame);
  const auto entry = [&](int j) -> double& {
    return A[static_cast<std::ptrdiff_t>(std::min(i, j)) * stride_ + std::max(i, j)];
  };
  const auto keep = [&](double& m) { held_rows_.push_back(std::exchange(m, 0.0)); };
  double none = 0.0;
  held_.push_back({i, frame});
  for (int j = 0; j < n_; ++j) keep(entry(j));
  entry(i) = 1.0;
  keep(frame > 1 ? after(i, frame - 2) : none);
  keep(frame > 0 ? next(i, frame - 1) : none);
  keep(frame + 1 < frames_ ? next(i, frame) : none);
  keep(frame + 2 < frames_ ? after(i, frame) : none);
}

void Band::free_all() {
  held_.clear();
  held_rows_.clear();
}

double Band::held_row_times(std::size_t held, const MatX& x) const {
  const auto [i, k] = held_[held];
  const double* row = held_rows_.data() + held * static_cast<std::size_t>(n_ + 4);
  double sum = Eigen::Map<const VecX>(row, n_).dot(x.col(k));
  if (k > 1) sum += row[n_] * x(i, k - 2);
  if (k > 0) sum += row[n_ + 1] * x(i, k - 1);
  if (k + 1 < frames_) sum += row[n_ + 2] * x(i, k + 1);
  if (k + 2 < frames_) sum += row[n_ + 3] * x(i, k + 2);
  return sum;
}

bool Band::factor() {
  for (int k = 0; k < frames_; ++k) {
    double* A = block(k);
    if (k > 0) subtract_square(A, below(k - 1), stride_, n_);
    if (k > 1) subtract_upper_square(A, upper_[k % 2].data(), stride_, n_);
    if (!cholesky(A, stride_, n_)) return false;
    invert_lower(inverse_.data(), A, stride_, n_);
    std::copy(inverse_.begin(), inverse_.end(), A);
    if (k + 1 == frames_) break;

    std::fill(cross_.begin(), cross_.end(), 0.0);
    for (int i = 0; i < n_; ++i)
      cross_[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_ + 1)] = next(i, k);
    if (k > 0) subtract_upper_product(cross_.data(), upper_[(k - 1) % 2].data(), below(k - 1), stride_, n_);
    double* U = below_.data() + static_cast<std::size_t>(k) * area_;
    lower_product(U, cross_.data(), A, stride_, n_);
    // V_k = diag(e) X ᵀ.
    std::vector<double>& V = upper_[k % 2];
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        V[static_cast<std::size_t>(j) * static_cast<std::size_t>(stride_) + static_cast<std::size_t>(i)] =
            i <= j ? after(i, k) * A[static_cast<std::ptrdiff_t>(i) * stride_ + j] : 0.0;
  }
  return true;
}

void Band::solve(MatX& b) const {
  using Strided = Eigen::OuterStride<>;
  using Block = Eigen::Map<const MatX, 0, Strided>;
  const auto inverse = [&](int k) {
    return Block(blocks_.data() + static_cast<std::size_t>(k) * area_, n_, n_, Strided(stride_));
  };
  const auto U = [&](int k) { return Block(below(k), n_, n_, Strided(stride_)); };
  for (const auto [i, k] : held_) b(i, k) = 0.0;
  VecX y(n_), z(n_);
  for (int k = 0; k < frames_; ++k) {
    y = b.col(k);
    if (k > 0) y.noalias() -= U(k - 1) * b.col(k - 1);
    if (k > 1) {
      z.noalias() = inverse(k - 2).transpose() * b.col(k - 2);
      y -= after.col(k - 2).cwiseProduct(z);
    }
    b.col(k).noalias() = inverse(k) * y;
  }
  for (int k = frames_ - 1; k >= 0; --k) {
    y = b.col(k);
    if (k + 1 < frames_) y.noalias() -= U(k).transpose() * b.col(k + 1);
    if (k + 2 < frames_) {
      z = after.col(k).cwiseProduct(b.col(k + 2));
      y.noalias() -= inverse(k) * z;
    }
    b.col(k).noalias() = inverse(k).transpose() * y;
  }
}

}  // namespace limber
