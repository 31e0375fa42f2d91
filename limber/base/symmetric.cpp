#include "limber/base/symmetric.h"

#include <limits>

namespace limber {

namespace {

using Column = Eigen::Ref<VecX>;

constexpr int max_steps = 60;  // per eigenvalue; two are usual

// One reflection of tred2: makes row i of V zero before its last entry, e_i, and applies it on both sides to the rows
// before. d holds row i; column i of V keeps the reflection u, and d_i its ½ ‖u‖².
void reflect(Eigen::Ref<MatX> V, Eigen::Index i, Column d, Column e) {
  const double scale = d.head(i).cwiseAbs().sum();
  if (scale == 0.0) {
    e[i] = d[i - 1];
    d.head(i) = V.row(i - 1).head(i).transpose();
    V.row(i).head(i).setZero();
    V.col(i).head(i).setZero();
    d[i] = 0.0;
    return;
  }
  d.head(i) /= scale;
  double h = d.head(i).squaredNorm();
  const double f = d[i - 1], g = f > 0.0 ? -std::sqrt(h) : std::sqrt(h);
  e[i] = scale * g;
  h -= f * g;
  d[i - 1] = f - g;
  V.col(i).head(i) = d.head(i);
  // e = A u / h - (uᵀA u / 2 h²) u, from the lower triangle of A.
  e.head(i).setZero();
  for (Eigen::Index j = 0; j < i; ++j) {
    const auto below = V.col(j).segment(j + 1, i - j - 1);
    e[j] += V(j, j) * d[j] + below.dot(d.segment(j + 1, i - j - 1));
    e.segment(j + 1, i - j - 1) += d[j] * below;
  }
  e.head(i) /= h;
  e.head(i) -= (e.head(i).dot(d.head(i)) / (h + h)) * d.head(i);
  for (Eigen::Index j = 0; j < i; ++j) {
    V.col(j).segment(j, i - j) -= d[j] * e.segment(j, i - j) + e[j] * d.segment(j, i - j);
    V(i, j) = 0.0;
  }
  d.head(i) = V.row(i - 1).head(i).transpose();
  d[i] = h;
}

// A = V T Vᵀ with T tridiagonal: d its diagonal, e_1, e_2, … beside it. V holds A before.
void make_tridiagonal(Eigen::Ref<MatX> V, Column d, Column e) {
  const Eigen::Index n = V.rows();
  d = V.row(n - 1).transpose();
  for (Eigen::Index i = n - 1; i > 0; --i) reflect(V, i, d, e);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    V(n - 1, i) = V(i, i);
    V(i, i) = 1.0;
    if (const double h = d[i + 1]; h != 0.0) {
      const auto u = V.col(i + 1).head(i + 1);
      d.head(i + 1) = u / h;
      for (Eigen::Index j = 0; j <= i; ++j) V.col(j).head(i + 1) -= u.dot(V.col(j).head(i + 1)) * d.head(i + 1);
    }
    V.col(i + 1).head(i + 1).setZero();
  }
  d = V.row(n - 1).transpose();
  V.row(n - 1).setZero();
  V(n - 1, n - 1) = 1.0;
}

// One implicit QL step on the entries l to m of T, shifted; returns the shift.
double step(Eigen::Ref<MatX> V, Column d, Column e, Eigen::Index l, Eigen::Index m) {
  const Eigen::Index n = V.rows();
  const double first = d[l], half = (d[l + 1] - first) / (2.0 * e[l]);
  const double to = half + std::copysign(std::hypot(half, 1.0), half);
  d[l] = e[l] / to;
  d[l + 1] = e[l] * to;
  const double next = d[l + 1], next_e = e[l + 1], shift = first - d[l];
  d.segment(l + 2, n - l - 2).array() -= shift;
  double p = d[m], c = 1.0, c2 = 1.0, c3 = 1.0, s = 0.0, s2 = 0.0;
  for (Eigen::Index i = m; i-- > l;) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const double g = c * e[i], h = c * p, r = std::hypot(p, e[i]);
    e[i + 1] = s * r;
    s = e[i] / r;
    c = p / r;
    p = c * d[i] - s * g;
    d[i + 1] = h + s * (c * g + s * d[i]);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double a = V(k, i), b = V(k, i + 1);
      V(k, i + 1) = s * a + c * b;
      V(k, i) = c * a - s * b;
    }
  }
  p = -s * s2 * c3 * next_e * e[l] / next;
  e[l] = s * p;
  d[l] = c * p;
  return shift;
}

void diagonalize_tridiagonal(Eigen::Ref<MatX> V, Column d, Column e) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Eigen::Index n = V.rows();
  for (Eigen::Index i = 1; i < n; ++i) e[i - 1] = e[i];
  e[n - 1] = 0.0;
  double shift = 0.0, size = 0.0;
  for (Eigen::Index l = 0; l < n; ++l) {
    size = std::fmax(size, std::fabs(d[l]) + std::fabs(e[l]));
    Eigen::Index m = l;
    while (m + 1 < n && std::fabs(e[m]) > epsilon * size) ++m;
    for (int steps = 0; m > l && steps < max_steps && (steps == 0 || std::fabs(e[l]) > epsilon * size); ++steps)
      shift += step(V, d, e, l, m);
    d[l] += shift;
    e[l] = 0.0;
  }
}

void sort_ascending(Column d, Eigen::Ref<MatX> V) {
  const Eigen::Index n = d.size();
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    Eigen::Index min = i;
    d.tail(n - i).minCoeff(&min);
    min += i;
    if (min == i) continue;
    std::swap(d[i], d[min]);
    V.col(i).swap(V.col(min));
  }
}

}  // namespace

void diagonalize(Eigen::Ref<MatX> A, Eigen::Ref<MatX> V) {
  const Eigen::Index n = A.rows();
  if (n <= 1) {
    V.setIdentity();
    return;
  }
  V = A;
  // A is free now.
  Column d = A.col(0), e = A.col(1);
  make_tridiagonal(V, d, e);
  diagonalize_tridiagonal(V, d, e);
  sort_ascending(d, V);
  A.rightCols(n - 1).setZero();
  for (Eigen::Index i = n; i-- > 1;) {
    A(i, i) = d[i];
    A(i, 0) = 0.0;
  }
}

}  // namespace limber
