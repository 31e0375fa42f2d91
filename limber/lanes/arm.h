// Levenberg-Marquardt for the most frequent batch of all, an arm of N turning joints with one placement, within box
// limits. All numbers of a problem stay in registers: loops over joints are unrolled, and nothing has an address.
// Written for a GPU, where each thread solves one problem; marquardt.h is the general loop.
//
// The last axis' frame is compared with the target frame T = base⁻¹ · target · tip⁻¹, so base and tip cost nothing.
// With the last frame (x y z, w) and its target (x_t y_t z_t, w_t), in units of length in which both parts weigh the
// same,
//
//   f = |w - w_t|² + ½ Σ |a - a_t|²    over the axes a = x, y, z
//   r = (w - w_t, ½ Σ a_t × a),        J_k = (z_k × (w - p_k), z_k)
//
// where Jᵀr is half the gradient of f, and JᵀJ its Gauss-Newton matrix: the three axes together have Σ |u × a|² = 2
// |u|². A step minimises ‖r + J s‖² + μ‖s‖² over the joints that no limit blocks,
//
//   s = -Jᵀ y,   (J Jᵀ + μ I) y = r          a 6 × 6 system for any number of joints
//
// and is clamped to the limits. A rejected step is tried again at a quarter of its length, so that J need not be kept.
#pragma once

#include "limber/lanes/plan.h"

#ifdef __CUDACC__
#define LIMBER_UNROLL _Pragma("unroll")
#else
#define LIMBER_UNROLL
#endif

namespace limber {

// A figure whose links are a chain of turning joints, each moved by one variable, with a point and a turn on the last.
template <class T, int N>
struct ArmTable {
  struct Joint {
    T shift[3];
    T cos_tilt, sin_tilt;
    T offset;
    T lower, upper;
  };
  Joint joint[N];
  T point_enough, chord_enough;  // squared, of the last axis' frame

  // T = base⁻¹ · target · tip⁻¹ and the scale of lengths.
  T length;  // the unit of f is 1 / length
  T tip[3];  // of the tip's origin, on the last link
  T tip_x[3], tip_y[3], tip_z[3];
};

struct ArmLimits {
  int max_iterations = 60;
  int max_tries = 0;
  float longest_step = 1.0F;
};

template <class T>
struct ArmTarget {
  Triple<T> w, x, y, z;
};

// The target of the last axis' frame, from those of the tip; relative to the base.
template <class T, int N>
LIMBER_ANYWHERE inline ArmTarget<T> arm_target(const ArmTable<T, N>& arm, const T* base, const Triple<T>& p,
                                               const Triple<T>& x, const Triple<T>& y) {
  const Triple<T> axes[3] = {x, y, cross(x, y)};
  Triple<T> local[4];  // in the base's frame
  const auto from_base = [&](const Triple<T>& v) {
    return Triple<T>{base[0] * v[0] + base[1] * v[1] + base[2] * v[2], base[3] * v[0] + base[4] * v[1] + base[5] * v[2],
                     base[6] * v[0] + base[7] * v[1] + base[8] * v[2]};
  };
  for (int k = 0; k < 3; ++k) local[k] = from_base(axes[k]);
  local[3] = from_base(p - Triple<T>{base[9], base[10], base[11]});
  // The tip's axes are tip_x, tip_y, tip_z on the link: link axis k = Σ_j (tip axis j)_k · target axis j.
  const auto on_link = [&](int k) {
    return arm.tip_x[k] * local[0] + arm.tip_y[k] * local[1] + arm.tip_z[k] * local[2];
  };
  ArmTarget<T> to{{}, on_link(0), on_link(1), on_link(2)};
  to.w = arm.length * (local[3] - (arm.tip[0] * to.x + arm.tip[1] * to.y + arm.tip[2] * to.z));
  return to;
}

// Sines gives sine and cosine of an angle: Sines::of(angle, s, c).
template <class T, int N, class Sines>
class ArmLoop {
 public:
  using Vector = Triple<T>;
  using Table = ArmTable<T, N>;

  T x[N], trial[N];
  ArmTarget<T> target;

  // Begins at `trial`.
  LIMBER_ANYWHERE void begin() { fresh_ = true; }
  LIMBER_ANYWHERE bool has_ended() const { return met_ || stuck_; }
  // Once it has ended: whether x is within what is enough, or so near that the rounding of single precision may be the
  // reason why it is stuck.
  LIMBER_ANYWHERE bool is_met() const { return met_; }
  LIMBER_ANYWHERE bool is_near() const { return is_near_; }

  // The last joint's frame at the trial point.
  LIMBER_ANYWHERE ArmTarget<T> place_last(const Table& arm) const {
    Vector u[N], at[N];
    ArmTarget<T> last;
    place(arm, u, at, last.x, last.y, last.z, last.w);
    return last;
  }

  // Takes or rejects the trial point, and computes the next one.
  LIMBER_ANYWHERE void advance(const Table& arm, const ArmLimits& limits) {
    Vector u[N], at[N], ex, ey, ez, w;
    place(arm, u, at, ex, ey, ez, w);
    const Vector off = w - target.w, dx = ex - target.x, dy = ey - target.y, dz = ez - target.z;
    const T far = dot(off, off), xx = dot(dx, dx), yy = dot(dy, dy), turned = T(0.5) * (xx + yy + dot(dz, dz));
    const T f_trial = far + turned, ratio = (f_ - f_trial) / promised_;
    const bool decreases = promised_ > T(0) && f_trial < f_ && ratio > T(min_ratio), takes = fresh_ || decreases;
    met_ = takes && far <= arm.point_enough && turned <= arm.chord_enough;
    is_near_ = takes ? far <= nearly * arm.point_enough && turned <= nearly * arm.chord_enough : is_near_;
    tries_ = fresh_ ? 1 : tries_ + 1;
    if (takes) {
      if (fresh_) {
        since_ = 0;
        mark_ = f_trial;
      } else {
        const T t = ratio + ratio - T(1), change = T(1) - t * t * t;
        damping_ *= change > T(min_change) ? change : T(min_change);
        if (damping_ < T(min_damping)) damping_ = T(min_damping);
      }
      const bool slow = ++since_ > slow_steps && f_trial > T(slow_decrease) * mark_;
      if (since_ > slow_steps) {
        mark_ = f_trial;
        since_ = 1;
      }
      stuck_ = slow || tries_ > limits.max_iterations;
      f_ = f_trial;
      growth_ = T(first_growth);
      LIMBER_UNROLL
      for (int k = 0; k < N; ++k) x[k] = trial[k];
      const Vector torque = T(0.5) * (cross(target.x, ex) + cross(target.y, ey) + cross(target.z, ez));
      find_step(arm, T(limits.longest_step), u, at, w, off, torque);
    } else {
      damping_ *= growth_;
      growth_ += growth_;
      stuck_ = damping_ > T(max_damping) || tries_ > limits.max_iterations;
      LIMBER_UNROLL
      for (int k = 0; k < N; ++k) trial[k] = x[k] + T(0.25) * (trial[k] - x[k]);
      promised_ *= T(0.4375);  // 1 - (1 - ¼)²
    }
    fresh_ = false;
  }

 private:
  static constexpr T nearly = T(400);  // of squared distances
  static constexpr float first_damping = 0.015F;
  static constexpr float min_damping = 1e-2F;
  static constexpr float max_damping = 1e6F;
  static constexpr float rounding = 1e-6F;
  static constexpr float min_ratio = 1e-3F;
  static constexpr float first_growth = 8.0F;
  static constexpr float min_change = 0.5F;
  static constexpr float slow_decrease = 0.85F;
  static constexpr int slow_steps = 2;

  // The axes and origins of all joints, and the frame of the last one, at the trial point.
  LIMBER_ANYWHERE void place(const Table& arm, Vector* u, Vector* at, Vector& ex, Vector& ey, Vector& ez,
                             Vector& w) const {
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) {
      const auto& joint = arm.joint[k];
      T s, c;
      Sines::of(trial[k] + joint.offset, s, c);
      if (k == 0) {
        w = {joint.shift[0], joint.shift[1], joint.shift[2]};
        ez = {T(0), -joint.sin_tilt, joint.cos_tilt};
        ex = {c, s * joint.cos_tilt, s * joint.sin_tilt};
        ey = {-s, c * joint.cos_tilt, c * joint.sin_tilt};
      } else {
        w += joint.shift[0] * ex + joint.shift[1] * ey + joint.shift[2] * ez;
        const Vector tilted = joint.cos_tilt * ey + joint.sin_tilt * ez;
        ez = joint.cos_tilt * ez - joint.sin_tilt * ey;
        ey = c * tilted - s * ex;
        ex = c * ex + s * tilted;
      }
      u[k] = ez;
      at[k] = w;
    }
  }

  LIMBER_ANYWHERE void find_step(const Table& arm, T longest, const Vector* u, const Vector* at, const Vector& w,
                                 const Vector& off, const Vector& torque) {
    // J of the free joints: upper and lower rows.
    Vector up[N], low[N];
    T square = T(0);
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) {
      up[k] = k < N - 1 ? cross(u[k], w - at[k]) : Vector{T(0), T(0), T(0)};
      low[k] = u[k];
      const T g = k < N - 1 ? dot(up[k], off) + dot(low[k], torque) : dot(low[k], torque);
      const bool is_blocked = (x[k] <= arm.joint[k].lower && g > T(0)) || (x[k] >= arm.joint[k].upper && g < T(0));
      const T free = is_blocked ? T(0) : T(1);
      up[k] = free * up[k];
      low[k] = free * low[k];
    }
    // A = J Jᵀ, its lower triangle by rows.
    T A[21];
    LIMBER_UNROLL
    for (int i = 0, e = 0; i < 6; ++i) LIMBER_UNROLL
    for (int j = 0; j <= i; ++j, ++e) {
      T sum = T(0);
      LIMBER_UNROLL
      for (int k = 0; k < (j < 3 ? N - 1 : N); ++k)
        sum += (i < 3 ? up[k][i] : low[k][i - 3]) * (j < 3 ? up[k][j] : low[k][j - 3]);
      A[e] = sum;
      if (i == j) square += sum;
    }
    if (fresh_) {
      square_ = square;
      damping_ = T(first_damping) * square;
    }
    const T wanted = damping_ * square_root(Lanes<T, 1>(f_)).v, least = T(rounding) * square_,
            mu = wanted > least ? wanted : least;
    LIMBER_UNROLL
    for (int i = 0; i < 6; ++i) A[i * (i + 3) / 2] += mu;
    T y[6] = {off[0], off[1], off[2], torque[0], torque[1], torque[2]};
    solve(A, y);
    T s[N], max_step = longest;
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) {
      s[k] = low[k][0] * y[3] + low[k][1] * y[4] + low[k][2] * y[5];
      if (k < N - 1) s[k] += up[k][0] * y[0] + up[k][1] * y[1] + up[k][2] * y[2];
      const T size = s[k] < T(0) ? -s[k] : s[k];
      max_step = size > max_step ? size : max_step;
    }
    const T part = -longest / max_step;
    Vector moved = {T(0), T(0), T(0)}, turned = moved;
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) {
      const T to = x[k] + part * s[k], lower = arm.joint[k].lower, upper = arm.joint[k].upper;
      trial[k] = to < lower ? lower : to > upper ? upper : to;
      const T step = trial[k] - x[k];
      if (k < N - 1) moved += step * up[k];
      turned += step * low[k];
    }
    promised_ = -dot(moved, off + off + moved) - dot(turned, torque + torque + turned);
  }

  // y ← A⁻¹ y by A = L D Lᵀ.
  LIMBER_ANYWHERE static void solve(T* A, T* y) {
    T inverse[6];
    LIMBER_UNROLL
    for (int j = 0; j < 6; ++j) {
      inverse[j] = T(1) / A[j * (j + 3) / 2];
      LIMBER_UNROLL
      for (int i = j + 1; i < 6; ++i) {
        const T factor = A[i * (i + 1) / 2 + j] * inverse[j];
        LIMBER_UNROLL
        for (int k = i; k < 6; ++k) A[k * (k + 1) / 2 + i] -= factor * A[k * (k + 1) / 2 + j];
        y[i] -= factor * y[j];
      }
    }
    LIMBER_UNROLL
    for (int j = 5; j >= 0; --j) {
      T sum = y[j];
      LIMBER_UNROLL
      for (int i = j + 1; i < 6; ++i) sum -= A[i * (i + 1) / 2 + j] * y[i];
      y[j] = sum * inverse[j];
    }
  }

  T f_, damping_, growth_, promised_, mark_, square_;
  int since_, tries_;
  bool fresh_, met_, stuck_, is_near_;
};

}  // namespace limber
