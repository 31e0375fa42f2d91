#include "limber/motion/timed/band.h"

#include <algorithm>

#include "limber/base/clones.h"

namespace limber {

namespace {

// Blocks are column-major with `stride`, a multiple of `tile`, and zero beyond n. Products are computed tile by tile,
// four columns at a time, so that the sums stay in registers.
constexpr int tile = 8;
constexpr int strip = 4;
static_assert(tile % strip == 0);

std::ptrdiff_t stride_of(int n) { return (n + tile - 1) / tile * tile; }

enum class Part { whole, lower };
enum class Sum { set, add, subtract };

// C = A Bᵀ, C += A Bᵀ or C -= A Bᵀ, over the columns of A and B from first(i) to end(j). The sums are plain arrays that
// compilers vectorise to the width of the processor.
template <Part part, Sum how, class First, class End>
[[gnu::always_inline]] inline void add_product(double* C, const double* A, const double* B, int stride, int n,
                                               First first, End end) {
  for (int j = 0; j < n; j += strip)
    for (int i = part == Part::lower ? j / tile * tile : 0; i < n; i += tile) {
      double sum[strip][tile] = {};
      for (int k = first(i), last = end(j); k < last; ++k) {
        const double* a = A + static_cast<std::ptrdiff_t>(k) * stride + i;
        const double* b = B + static_cast<std::ptrdiff_t>(k) * stride + j;
        for (int c = 0; c < strip; ++c)
          for (int t = 0; t < tile; ++t) sum[c][t] += a[t] * b[c];
      }
      for (int c = 0; c < strip; ++c) {
        double* out = C + static_cast<std::ptrdiff_t>(j + c) * stride + i;
        for (int t = 0; t < tile; ++t)
          out[t] = how == Sum::set ? sum[c][t] : how == Sum::add ? out[t] + sum[c][t] : out[t] - sum[c][t];
      }
    }
}

constexpr auto from_start = [](int) { return 0; };
constexpr auto from_tile = [](int i) { return i; };

// A -= U Uᵀ, the lower triangle.
LIMBER_WIDE_CLONES void subtract_square(double* A, const double* U, int stride, int n) {
  add_product<Part::lower, Sum::subtract>(A, U, U, stride, n, from_start, [n](int) { return n; });
}

// A = U Uᵀ, the lower triangle; U has `depth` columns.
LIMBER_WIDE_CLONES void set_square(double* A, const double* U, int depth, int stride, int n) {
  add_product<Part::lower, Sum::set>(A, U, U, stride, n, from_start, [depth](int) { return depth; });
}

// A -= V Vᵀ with an upper triangle V.
LIMBER_WIDE_CLONES void subtract_upper_square(double* A, const double* V, int stride, int n) {
  add_product<Part::lower, Sum::subtract>(A, V, V, stride, n, from_tile, [n](int) { return n; });
}

// C -= V Uᵀ with an upper triangle V.
LIMBER_WIDE_CLONES void subtract_upper_product(double* C, const double* V, const double* U, int stride, int n) {
  add_product<Part::whole, Sum::subtract>(C, V, U, stride, n, from_tile, [n](int) { return n; });
}

// U = C X'ᵀ with X' a lower triangle: U_ij = Σ_{k <= j} C_ik X'_jk. Columns of X' beyond j are zero.
LIMBER_WIDE_CLONES void lower_product(double* U, const double* C, const double* X, int stride, int n) {
  add_product<Part::whole, Sum::set>(U, C, X, stride, n, from_start, [n](int j) { return std::min(n, j + strip); });
}

// Cholesky factorisation in the lower triangle, with the inverse of its diagonal, a strip of columns at a time; false
// if a pivot is not positive.
LIMBER_WIDE_CLONES bool cholesky(double* A, int stride, int n) {
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
      const double inverse = 1.0 / std::sqrt(column[j]);
      column[j] = inverse;
      for (int i = j + 1; i < n; ++i) column[i] *= inverse;
    }
    if (last - first < strip) break;
    const double *a = at(first), *b = at(first + 1), *c = at(first + 2), *d = at(first + 3);
    for (int k = last; k < n; ++k) {
      double* __restrict later = at(k);
      const double fa = a[k], fb = b[k], fc = c[k], fd = d[k];
      for (int i = k; i < n; ++i) later[i] -= (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    }
  }
  return true;
}

// X = L⁻¹ from L X = I, a strip of columns by a strip of rows at a time; L as left by cholesky(). The upper triangle of
// X is zero.
LIMBER_WIDE_CLONES void invert_lower(double* X, const double* __restrict L, int stride, int n) {
  for (int first = 0; first < n; first += strip) {
    double* x[strip];
    for (int c = 0; c < strip; ++c) {
      x[c] = X + static_cast<std::ptrdiff_t>(first + c) * stride;  // the stride is a multiple of the strip
      std::fill(x[c], x[c] + stride, 0.0);
      if (first + c < n) x[c][first + c] = 1.0;
    }
    double* __restrict a = x[0], * __restrict b = x[1], * __restrict c = x[2], * __restrict d = x[3];
    for (int k = first; k < n; k += strip) {
      const double* l[strip];
      for (int p = 0; p < strip; ++p) l[p] = L + static_cast<std::ptrdiff_t>(k + p) * stride;
      const int last = std::min(n, k + strip);
      for (int p = k; p < last; ++p)
        for (int column = 0; column < strip; ++column) {
          const double f = x[column][p] *= l[p - k][p];
          for (int i = p + 1; i < last; ++i) x[column][i] -= f * l[p - k][i];
        }
      if (last == n) break;
      const double a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3];
      const double b0 = b[k], b1 = b[k + 1], b2 = b[k + 2], b3 = b[k + 3];
      const double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
      const double d0 = d[k], d1 = d[k + 1], d2 = d[k + 2], d3 = d[k + 3];
      const double *p = l[0], *q = l[1], *r = l[2], *s = l[3];
      for (int i = last; i < n; ++i) {
        a[i] -= (a0 * p[i] + a1 * q[i]) + (a2 * r[i] + a3 * s[i]);
        b[i] -= (b0 * p[i] + b1 * q[i]) + (b2 * r[i] + b3 * s[i]);
        c[i] -= (c0 * p[i] + c1 * q[i]) + (c2 * r[i] + c3 * s[i]);
        d[i] -= (d0 * p[i] + d1 * q[i]) + (d2 * r[i] + d3 * s[i]);
      }
    }
  }
}

// y += sign M v, four columns at a time; only the nonzero part of a lower triangle.
template <Part part, int sign>
inline void add_times(double* __restrict y, const double* M, const double* v, int stride, int n) {
  for (int j = 0; j < n; j += strip) {
    const double* a = M + static_cast<std::ptrdiff_t>(j) * stride;
    const double *b = a + stride, *c = b + stride, *d = c + stride;
    const double va = sign * v[j], vb = sign * v[j + 1], vc = sign * v[j + 2], vd = sign * v[j + 3];
    for (int i = part == Part::lower ? j / tile * tile : 0; i < stride; ++i)
      y[i] += (va * a[i] + vb * b[i]) + (vc * c[i] + vd * d[i]);
  }
}

// y += sign Mᵀ v, likewise.
template <Part part, int sign>
inline void add_transposed_times(double* y, const double* M, const double* v, int stride, int n) {
  for (int j = 0; j < n; j += strip) {
    double sum[strip][tile] = {};
    for (int i = part == Part::lower ? j / tile * tile : 0; i < stride; i += tile)
      for (int c = 0; c < strip; ++c) {
        const double* m = M + static_cast<std::ptrdiff_t>(j + c) * stride + i;
        for (int t = 0; t < tile; ++t) sum[c][t] += m[t] * v[i + t];
      }
    for (int c = 0; c < strip; ++c)
      for (int t = 0; t < tile; ++t) y[j + c] += sign * sum[c][t];
  }
}

LIMBER_WIDE_CLONES void add_lower_times(double* y, const double* X, const double* v, int stride, int n) {
  add_times<Part::lower, 1>(y, X, v, stride, n);
}
LIMBER_WIDE_CLONES void subtract_lower_times(double* y, const double* X, const double* v, int stride, int n) {
  add_times<Part::lower, -1>(y, X, v, stride, n);
}
LIMBER_WIDE_CLONES void add_lower_transposed_times(double* y, const double* X, const double* v, int stride, int n) {
  add_transposed_times<Part::lower, 1>(y, X, v, stride, n);
}
LIMBER_WIDE_CLONES void subtract_times(double* y, const double* U, const double* v, int stride, int n) {
  add_times<Part::whole, -1>(y, U, v, stride, n);
}
LIMBER_WIDE_CLONES void subtract_transposed_times(double* y, const double* U, const double* v, int stride, int n) {
  add_transposed_times<Part::whole, -1>(y, U, v, stride, n);
}

}  // namespace

void BandRows::resize(int frames, int n, int max_rows) {
  max_rows_ = static_cast<std::size_t>(max_rows);
  stride_ = static_cast<std::size_t>(stride_of(n));
  count_.assign(static_cast<std::size_t>(frames), 0);
  values_.assign(static_cast<std::size_t>(frames) * max_rows_ * stride_, 0.0);
}

void Band::resize(int frames, int n) {
  frames_ = frames;
  n_ = n;
  stride_ = static_cast<int>(stride_of(n));
  area_ = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(stride_);
  inverses_.assign(area_ * static_cast<std::size_t>(frames), 0.0);
  below_.assign(area_ * static_cast<std::size_t>(frames), 0.0);
  for (std::vector<double>* scratch : {&block_, &upper_[0], &upper_[1], &cross_}) scratch->assign(area_, 0.0);
  diagonal = next = after = MatX::Zero(n, frames);
  for (VecX* vector : {&y_, &z_, &pulled_[0], &pulled_[1]}) vector->setZero(stride_);
  free_all();
}

void Band::fixed_rows_times(const BandRows& rows, const MatX& x, std::vector<double>& out) const {
  out.clear();
  VecX product(n_);
  const auto dot = [&](int k, int row) { return Eigen::Map<const VecX>(rows.row(k, row), n_).dot(x.col(k)); };
  int frame = -1;
  for (const auto [i, k] : fixed_) {
    if (k != frame) {
      frame = k;
      product.setZero();
      for (int row = 0; row < rows.count(k); ++row) {
        const Eigen::Map<const VecX> r(rows.row(k, row), n_);
        product += r.dot(x.col(k)) * r;
      }
      if (k > 1) product += after.col(k - 2).cwiseProduct(x.col(k - 2));
      if (k > 0) product += next.col(k - 1).cwiseProduct(x.col(k - 1));
      if (k + 1 < frames_) product += next.col(k).cwiseProduct(x.col(k + 1));
      if (k + 2 < frames_) product += after.col(k).cwiseProduct(x.col(k + 2));
      for (const BandRows::Link& link : rows.links_of(k))
        product += dot(k + 1, link.next_row) * Eigen::Map<const VecX>(rows.row(k, link.row), n_);
      for (const BandRows::Link& link : rows.links_of(k - 1))
        product += dot(k - 1, link.row) * Eigen::Map<const VecX>(rows.row(k, link.next_row), n_);
    }
    out.push_back(product[i]);
  }
}

// A_k without the fixed variables, which start at first_fixed; returns the start of those of the next frame.
std::size_t Band::set_block(int frame, const BandRows& rows, double damping, std::size_t first_fixed) {
  double* A = block_.data();
  set_square(A, rows.row(frame, 0), rows.count(frame), stride_, n_);
  const auto entry = [&](int i, int j) -> double& { return A[static_cast<std::ptrdiff_t>(j) * stride_ + i]; };
  for (int i = 0; i < n_; ++i) entry(i, i) += diagonal(i, frame) + damping;
  std::size_t h = first_fixed;
  for (; h < fixed_.size() && fixed_[h].frame == frame; ++h) {
    const int i = fixed_[h].i;
    for (int j = 0; j < n_; ++j) entry(std::max(i, j), std::min(i, j)) = 0.0;
    entry(i, i) = 1.0;
  }
  return h;
}

// Σ s qᵀ of the links of frame k, without the fixed variables of both frames.
void Band::add_links(int k, const BandRows& rows) {
  for (const BandRows::Link& link : rows.links_of(k)) {
    const double *q = rows.row(k, link.row), *s = rows.row(k + 1, link.next_row);
    for (int j = 0; j < n_; ++j) {
      if (is_fixed_(j, k)) continue;
      double* column = cross_.data() + static_cast<std::ptrdiff_t>(j) * stride_;
      for (int i = 0; i < n_; ++i)
        if (!is_fixed_(i, k + 1)) column[i] += s[i] * q[j];
    }
  }
}

// U_k and V_k.
void Band::set_below(int k, const BandRows& rows) {
  std::fill(cross_.begin(), cross_.end(), 0.0);
  for (int i = 0; i < n_; ++i)
    cross_[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_ + 1)] = next_(i, k);
  if (rows.has_links()) add_links(k, rows);
  if (k > 0) subtract_upper_product(cross_.data(), upper_[(k - 1) % 2].data(), below(k - 1), stride_, n_);
  const double* X = inverse(k);
  lower_product(below(k), cross_.data(), X, stride_, n_);
  double* V = upper_[k % 2].data();
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i <= j; ++i)
      V[static_cast<std::ptrdiff_t>(j) * stride_ + i] = after_(i, k) * X[static_cast<std::ptrdiff_t>(i) * stride_ + j];
}

// b_k becomes L_k⁻¹ (b_k - U_{k-1} b_{k-1} - V_{k-2} b_{k-2}).
void Band::forward(int k, MatX& b) {
  y_.head(n_) = b.col(k);
  if (k > 0) subtract_times(y_.data(), below(k - 1), z_.data(), stride_, n_);
  if (k > 1) y_.head(n_) -= after_.col(k - 2).cwiseProduct(pulled_[k % 2].head(n_));
  z_.setZero();
  add_lower_times(z_.data(), inverse(k), y_.data(), stride_, n_);
  pulled_[k % 2].setZero();
  add_lower_transposed_times(pulled_[k % 2].data(), inverse(k), z_.data(), stride_, n_);
  b.col(k) = z_.head(n_);
}

// b_k becomes L_k⁻ᵀ (b_k - U_kᵀ b_{k+1} - V_kᵀ b_{k+2}).
void Band::backward(int k, MatX& b) {
  y_.head(n_) = b.col(k);
  if (k + 1 < frames_) subtract_transposed_times(y_.data(), below(k), z_.data(), stride_, n_);
  if (k + 2 < frames_) {
    pulled_[0].head(n_) = after_.col(k).cwiseProduct(b.col(k + 2));
    subtract_lower_times(y_.data(), inverse(k), pulled_[0].data(), stride_, n_);
  }
  z_.setZero();
  add_lower_transposed_times(z_.data(), inverse(k), y_.data(), stride_, n_);
  b.col(k) = z_.head(n_);
}

bool Band::solve(const BandRows& rows, double damping, MatX& b) {
  next_ = next;
  after_ = after;
  for (const auto [i, k] : fixed_) {
    if (k > 1) after_(i, k - 2) = 0.0;
    if (k > 0) next_(i, k - 1) = 0.0;
    next_(i, k) = after_(i, k) = b(i, k) = 0.0;
  }
  if (rows.has_links()) {
    is_fixed_.setConstant(n_, frames_, false);
    for (const auto [i, k] : fixed_) is_fixed_(i, k) = true;
  }
  std::size_t first_fixed = 0;
  for (int k = 0; k < frames_; ++k) {
    first_fixed = set_block(k, rows, damping, first_fixed);
    if (k > 0) subtract_square(block_.data(), below(k - 1), stride_, n_);
    if (k > 1) subtract_upper_square(block_.data(), upper_[k % 2].data(), stride_, n_);
    if (!cholesky(block_.data(), stride_, n_)) return false;
    invert_lower(inverse(k), block_.data(), stride_, n_);
    forward(k, b);
    if (k + 1 < frames_) set_below(k, rows);
  }
  for (int k = frames_ - 1; k >= 0; --k) backward(k, b);
  return true;
}

}  // namespace limber
