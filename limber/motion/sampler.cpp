#include "limber/motion/sampler.h"

#include <algorithm>

#include "limber/base/arc_tangent.h"
#include "limber/base/sine.h"

namespace limber {

namespace {

// Rotations processed in one batch.
constexpr std::size_t batch_size = 16;

}  // namespace

Pose Sampler::at(double time) const {
  Pose pose{VecX(values_.rows())};
  at(time, pose);
  return pose;
}

void Sampler::at(double time, Pose& pose) const {
  if (!timing_.empty()) time = timing_(time);
  VecX& theta = pose.theta;
  theta.resize(values_.rows());
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  // NaN counts as before the first key.
  const std::size_t k = time > times_.front() ? static_cast<std::size_t>(after - times_.begin()) - 1 : 0;
  const auto column = static_cast<Eigen::Index>(k);
  if (!(time > times_[k]) || k + 1 == times_.size()) {
    theta = values_.col(column);
    return;
  }
  const double w = eased(intervals_[k].ease, (time - times_[k]) / (times_[k + 1] - times_[k]));
  theta.array() = values_.col(column).array() +
                  w * (c1_.col(column).array() + w * (c2_.col(column).array() + w * c3_.col(column).array()));
  glide(k, w, theta);
  turn(k, w, theta);
  keep_limits(k, w, theta);
}

// Channels with constant speed, except rotations.
void Sampler::glide(std::size_t interval, double w, VecX& theta) const {
  const auto k = static_cast<Eigen::Index>(interval);
  for (std::size_t i = interval == 0 ? 0 : intervals_[interval - 1].glide_end; i < intervals_[interval].glide_end;
       ++i) {
    const double u = tables_[static_cast<std::size_t>(glides_[i].table)].at(w);
    for (const int j : glides_[i].parameters)
      theta[j] = values_(j, k) + u * (c1_(j, k) + u * (c2_(j, k) + u * c3_(j, k)));
  }
  for (std::size_t i = interval == 0 ? 0 : intervals_[interval - 1].swing_end; i < intervals_[interval].swing_end;
       ++i) {
    const Swing& swing = swings_[i];
    std::size_t c = 1;
    while (c + 1 < swing.corners && w > swing.part[c]) ++c;
    const double u = (w - swing.part[c - 1]) / (swing.part[c] - swing.part[c - 1]);
    theta[swing.parameter] = swing.value[c - 1] + u * (swing.value[c] - swing.value[c - 1]);
  }
}

void Sampler::turn(std::size_t interval, double w, VecX& theta) const {
  const std::size_t end = intervals_[interval].turn_end;
  for (std::size_t first = interval == 0 ? 0 : intervals_[interval - 1].turn_end; first < end; first += batch_size)
    turn_some({turns_.data() + first, std::min(batch_size, end - first)}, w, theta);
}

// Step by step for the whole batch: sines along both circles, weights of the two, angles.
void Sampler::turn_some(std::span<const Turn> turns, double w, VecX& theta) const {
  std::array<double, batch_size> u, h, z, from, to;
  std::array<double, 2 * batch_size> angle = {}, sine, cosine;
  std::array<double, 3 * batch_size> x = {}, y = {}, arc;
  std::array<Quaternion, batch_size> outer, inner;
  std::array<Ball::Pairs, batch_size> pairs;
  const int count = static_cast<int>(turns.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    u[i] = turn.table < 0 ? w : tables_[static_cast<std::size_t>(turn.table)].at(w);
    h[i] = turn.bends ? 2.0 * u[i] * (1.0 - u[i]) : 0.0;
    angle[2 * i] = u[i] * turn.path.outer.angle;
    angle[2 * i + 1] = u[i] * turn.path.inner.angle;
  }
  sines_and_cosines(angle.data(), 2 * count, sine.data(), cosine.data());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    outer[i] = turns[i].path.outer.at(cosine[2 * i], sine[2 * i]);
    inner[i] = turns[i].bends ? turns[i].path.inner.at(cosine[2 * i + 1], sine[2 * i + 1]) : outer[i];
    z[i] = 0.25 * (outer[i].coeffs() - inner[i].coeffs()).squaredNorm();
  }
  slerp_weights(h.data(), z.data(), count, from.data(), to.data());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Quaternion q = z[i] > max_series_z ? slerp(outer[i], inner[i], h[i])
                                             : Quaternion(from[i] * outer[i].coeffs() + to[i] * inner[i].coeffs());
    if (turns[i].ball.axes) {
      outer[i] = q;
      continue;
    }
    pairs[i] = turns[i].ball.pairs(q);
    std::ranges::copy(pairs[i].x, x.begin() + static_cast<std::ptrdiff_t>(3 * i));
    std::ranges::copy(pairs[i].y, y.begin() + static_cast<std::ptrdiff_t>(3 * i));
  }
  arc_tangents(y.data(), x.data(), 3 * count, arc.data());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    const Vec3 near = turn.near + u[i] * turn.near_change;
    turn.ball.set_angles(theta, turn.ball.axes ? turn.ball.angles(outer[i], near)
                                               : turn.ball.angles(pairs[i], arc.data() + 3 * i, near));
  }
}

void Sampler::keep_limits(std::size_t interval, double w, VecX& theta) const {
  const auto k = static_cast<Eigen::Index>(interval);
  const auto a = values_.col(k).array(), b = values_.col(k + 1).array();
  theta.array() = theta.array().max(lower_.array().min(a.min(b))).min(upper_.array().max(a.max(b)));
  for (const RowGroup& group : row_groups_) {
    double s = 1.0;
    for (const int r : group.rows) {
      const Row& row = rows_[static_cast<std::size_t>(r)];
      double x = 0.0;
      for (std::size_t t = 0; t < row.parameters.size(); ++t) x += row.coefficients[t] * theta[row.parameters[t]];
      const double from = row_values_(r, k), to = row_values_(r, k + 1), L = from + w * (to - from);
      const double max = std::max({row.upper, from, to}) + row.rounding;
      const double min = std::min({row.lower, from, to}) - row.rounding;
      if (x > max) s = std::min(s, (max - L) / (x - L));
      if (x < min) s = std::min(s, (min - L) / (x - L));
    }
    if (s == 1.0) continue;
    for (const int j : group.parameters) {
      const double L = a[j] + w * (b[j] - a[j]);
      theta[j] =
          std::clamp(L + s * (theta[j] - L), std::min({lower_[j], a[j], b[j]}), std::max({upper_[j], a[j], b[j]}));
    }
  }
}

}  // namespace limber
