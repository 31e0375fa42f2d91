// Levenberg-Marquardt for pins (goals on points and directions) within box limits, on one problem or one per lane.
//
//   min f(x) = Σ σ² |h(x) - t|²   under   l <= x <= u
//
// where h are points and directions on links, t their targets, and σ² their weights. This is the inner loop for the
// most frequent kind of problem; solver/residual/levenberg_marquardt.h is the general method.
//
// A task is three rows of the Jacobian. For a point and for a single direction they are the rows of the residual
// itself,
//
//   point       r = σ (h - t)        J_i = σ u × (h - p)
//   direction   r = σ (h - t)        J_i = σ u × h
//
// For the two directions x, y of an orientation, three rows replace six: with z = x × y and
// τ = x × (x - x_t) + y × (y - y_t), the six rows have JᵀJ = σ² (u_i·u_j + (u_i·z)(u_j·z)) and Jᵀr = σ² u·τ, and so do
//
//   turn        r = σ B⁻¹ τ          J_i = σ B u,      B = I + (√2 - 1) z zᵀ
//
// Two tasks share the variables from the root to the branch where their paths separate: the first `common` variables of
// both paths. A 3 × 3 block of J Jᵀ is a sum over these.
//
// Where a variable turns several joints by q = T(x), and where limits couple variables, these lead every path, so that
// paths still share what they begin with. A column of the Jacobian is then Σ ∂q_k/∂x J_k over the links k of the task's
// path that the variable drives; T comes from the caller (PinPlan::angles). Steps keep the rows of lanes/rows.h. Only
// one problem at a time supports this.
//
// A step minimises the damped model ‖r + J s‖² + μ‖s‖² over the variables that are free:
//
//   s = -Jᵀ z,   (J Jᵀ + μ I) z = r
//
// by block elimination, with explicit inverses of the 3 × 3 diagonal blocks. A variable is not free if it is on a bound
// and the negative gradient points outward. If the step would move a variable across its bound, the variable is set to
// the bound and fixed, and the remaining system is solved again.
#pragma once

#include <initializer_list>

#include "limber/lanes/blocks.h"
#include "limber/lanes/plan.h"

namespace limber {

// `sines` gives the sines and cosines of a list of angles.
template <class Real, void (*sines)(const Real*, int, Real*, Real*)>
class PinMarquardt {
 public:
  using T = typename NumberOf<Real>::Scalar;
  using Mask = typename NumberOf<Real>::Mask;
  using Wide = typename NumberOf<Real>::Wide;
  using Vector = Triple<Real>;
  using Frame = TripleFrame<Real>;
  using Block = TripleBlock<Real>;

  // The size of the working memory in bytes.
  LIMBER_ANYWHERE static long room(const PinPlan<T>& plan) {
    PinMarquardt counting;
    return counting.lay_out(plan, nullptr);
  }

  // Uses memory of that size, aligned for Real.
  LIMBER_ANYWHERE PinMarquardt(const PinPlan<T>& plan, void* memory) {
    lay_out(plan, static_cast<char*>(memory));
    for (int k = 0; k < padded(plan.links); ++k) angle_[k] = Real(T(0));
    for (int i = 0; i < padded(plan.variables); ++i) {
      const bool is_one = i < plan.variables;
      lower_[i] = Real(is_one ? plan.variable[i].lower : T(-1));
      upper_[i] = Real(is_one ? plan.variable[i].upper : T(1));
      x[i] = trial[i] = gradient_[i] = step_[i] = along_[i] = Real(T(0));
    }
  }

  // Input, set by the caller: bases, q of the links that no variable drives, two targets per task (the second only for
  // an orientation), x and trial.
  Real* q;
  Frame* bases;
  Vector* target;
  Real *x, *trial;
  // Output.
  Real* off;  // by task: |h - t|², the larger of two for a turn

  // f at the trial point. Places the links there.
  LIMBER_ANYWHERE Real evaluate() {
    if (!place_coupled())
      for (int i = 0; i < plan_.variables; ++i) q[plan_.variable[i].link] = Real(plan_.variable[i].scale) * trial[i];
    for (int k = 0; k < plan_.links; ++k) angle_[k] = q[k] + Real(plan_.link[k].offset);
    sines(angle_, padded(plan_.links), sine_, cosine_);
    place_links(plan_.link, plan_.links, q, sine_, cosine_, bases, frame_);
    Real f(T(0));
    for (int a = 0; a < plan_.tasks; ++a) {
      const TaskOf<T>& task = plan_.task[a];
      const Frame& X = frame_[task.link];
      const Real square(task.scale * task.scale);
      if (task.kind == TaskKind::turn) {
        const Vector dx = X.direction(task.local) - target[2 * a], dy = X.direction(task.local + 3) - target[2 * a + 1];
        const Real xx = dot(dx, dx), yy = dot(dy, dy);
        f += square * (xx + yy);
        off[a] = larger(xx, yy);
      } else {
        const Vector d = (task.kind == TaskKind::point ? X.point(task.local) : X.direction(task.local)) - target[2 * a];
        off[a] = dot(d, d);
        f += square * off[a];
      }
    }
    return f;
  }

  // The point or the directions of a task at the point of the last evaluate(), as its targets are given.
  LIMBER_ANYWHERE void values_of(int a, Vector& first, Vector& second) const {
    const TaskOf<T>& task = plan_.task[a];
    const Frame& X = frame_[task.link];
    first = task.kind == TaskKind::point ? X.point(task.local) : X.direction(task.local);
    second = task.kind == TaskKind::turn ? X.direction(task.local + 3) : zero();
  }

  // r, J and half the gradient at the point of the last evaluate(); unchanged in lanes that reject the point.
  LIMBER_ANYWHERE void linearize(const Mask& takes) {
    for (int i = 0; i < plan_.variables; ++i) gradient_[i] = Real(T(0));
    constexpr T root_two = T(1.4142135623730951);
    for (int a = 0; a < plan_.tasks; ++a) {
      const TaskOf<T>& task = plan_.task[a];
      const Frame& X = frame_[task.link];
      const Real scale(task.scale);
      if (task.kind == TaskKind::turn) {
        const Vector ex = X.direction(task.local), ey = X.direction(task.local + 3), ez = cross(ex, ey);
        // x × (x - x_t) = x_t × x.
        const Vector torque = cross(target[2 * a], ex) + cross(target[2 * a + 1], ey);
        set_rows(takes, a, scale * (torque + (Real(1 / root_two - 1) * dot(torque, ez)) * ez),
                 [&](const Frame& axis, bool turns) {
                   return turns ? axis.z + (Real(root_two - 1) * dot(axis.z, ez)) * ez : zero();
                 });
      } else if (task.kind == TaskKind::point) {
        const Vector h = X.point(task.local);
        set_rows(takes, a, scale * (h - target[2 * a]),
                 [&](const Frame& axis, bool turns) { return turns ? cross(axis.z, h - axis.p) : axis.z; });
      } else {
        const Vector h = X.direction(task.local);
        set_rows(takes, a, scale * (h - target[2 * a]),
                 [&](const Frame& axis, bool turns) { return turns ? cross(axis.z, h) : zero(); });
      }
    }
  }

  // The max |∂f/∂x| over the variables that no bound blocks. Marks the free variables.
  LIMBER_ANYWHERE Real stationarity() {
    if constexpr (is_single)
      if (working_.count() > 0) return stationarity_on_rows();
    const Wide none(T(0)), one(T(1));
    Wide max_entry = none;
    for (int i = 0; i < plan_.variables; i += step_width) {
      const Wide g = wide_at<Wide>(gradient_ + i), at = wide_at<Wide>(x + i);
      const auto is_blocked =
          either(both(at <= wide_at<Wide>(lower_ + i), g > none), both(at >= wide_at<Wide>(upper_ + i), g < none));
      const Wide is_free = select(is_blocked, none, one), p = is_free * g;
      put_wide(is_free, free_ + i);
      max_entry = larger(max_entry, larger(p, Wide(-p)));
    }
    const Real largest = max_in<Real>(max_entry);
    return largest + largest;
  }

  // ‖J‖², over all rows.
  LIMBER_ANYWHERE Real square_norm() const {
    Real sum(T(0));
    for (int at = 0; at < plan_.path_length; ++at) sum += dot(J_[at], J_[at]);
    return sum;
  }

  // The step from x with damping μ, and trial = x + step, within the bounds. Returns the predicted decrease of f. No
  // variable moves by more than `longest`. Call stationarity() before each call.
  LIMBER_ANYWHERE Real find_step(const Real& mu, T longest, int max_rounds) {
    const int n = plan_.variables;
    for (int i = 0; i < n; ++i) step_[i] = Real(T(0));
    if constexpr (is_single)
      if (working_.count() > 0) return find_step_on_rows(mu, longest, max_rounds);
    for (int a = 0; a < plan_.tasks; ++a) right_[a] = r_[a];
    for (int at = 0; at < plan_.path_length; ++at) J_free_[at] = free_[plan_.path[at]] * J_[at];
    for (int round = 0;; ++round) {
      add_up_gram(mu);
      solve_blocks(plan_.tasks, A_, D_, right_, z_);
      for (int i = 0; i < n; ++i) along_[i] = Real(T(0));
      if (!put_on_bounds(longest) || round == max_rounds) break;
      for (int a = 0; a < plan_.tasks; ++a)
        for (int at = plan_.task[a].path_begin; at < plan_.task[a].path_end; ++at) {
          const int i = plan_.path[at];
          right_[a] += along_[i] * J_[at];
          J_free_[at] = free_[i] * J_free_[at];
        }
    }
    return take_step();
  }

 private:
  PinMarquardt() = default;

  LIMBER_ANYWHERE static Vector zero() { return {Real(T(0)), Real(T(0)), Real(T(0))}; }
  LIMBER_ANYWHERE static int padded(int count) { return (count + 3) / 4 * 4; }
  static constexpr int step_width = sizeof(Wide) / sizeof(Real);  // NOLINT(bugprone-sizeof-expression): 1 on a card
  static constexpr bool is_single = NumberOf<Real>::is_single;
  LIMBER_ANYWHERE static T* numbers(Real* at) { return reinterpret_cast<T*>(at); }

  // Lays the arrays out in the memory, if given, and returns the total size.
  LIMBER_ANYWHERE long lay_out(const PinPlan<T>& plan, char* memory) {
    plan_ = plan;
    long used = 0;
    const int n = padded(plan.variables), links = padded(plan.links);
    const auto take = [&]<class What>(What*& at, int count) {
      constexpr long line = 64;
      at = memory ? reinterpret_cast<What*>(memory + used) : nullptr;
      used += (static_cast<long>(sizeof(What)) * count + line - 1) / line * line;
    };
    take(q, padded(plan.links + 1));  // the last one is for variables that drive no link
    for (Real** list : {&angle_, &sine_, &cosine_}) take(*list, links);
    for (Real** list : {&x, &trial, &gradient_, &step_, &free_, &along_, &lower_, &upper_}) take(*list, n);
    take(off, plan.tasks);
    take(bases, plan.bases);
    take(frame_, plan.links);
    take(J_, plan.path_length);
    take(J_free_, plan.path_length);
    take(target, 2 * plan.tasks);
    for (Vector** list : {&r_, &right_, &z_}) take(*list, plan.tasks);
    take(A_, plan.tasks * plan.tasks);
    take(D_, plan.tasks);
    take(slope_, plan.slopes);
    if constexpr (is_single) working_.lay_out(plan.limits, take);
    return used;
  }

  // q and the slopes at the trial point, where variables are coupled; else false.
  LIMBER_ANYWHERE bool place_coupled() {
    if constexpr (is_single) {
      if (plan_.angles) plan_.angles(plan_.coupling, numbers(trial), numbers(q), numbers(slope_));
      return plan_.angles;
    }
    return false;
  }

  template <class Column>
  // A single problem takes every point that is linearized.
  LIMBER_ANYWHERE void set_coupled_columns(const TaskOf<T>& task, const Vector& r, const Column& column_of) {
    for (int at = task.path_begin; at < task.path_end; ++at) {
      Vector sum = zero();
      for (int d = plan_.drive_begin[at]; d < plan_.drive_begin[at + 1]; ++d) {
        const DriveOfPath& drive = plan_.drive[d];
        sum += slope_[drive.slope] * column_of(frame_[drive.link], plan_.link[drive.link].turns);
      }
      J_[at] = Real(task.scale) * sum;
      gradient_[plan_.path[at]] += dot(J_[at], r);
    }
  }

  // The same as stationarity() with rows: the max entry of the gradient that multipliers of active limits leave, once
  // none of these has the wrong sign.
  LIMBER_ANYWHERE Real stationarity_on_rows() {
    const int n = plan_.variables;
    const auto is_blocked = [&](int i, T slope) {
      return (x[i] <= lower_[i] && slope > T(0)) || (x[i] >= upper_[i] && slope < T(0));
    };
    working_.start(x);
    T scale(0);
    for (int i = 0; i < padded(n); ++i) free_[i] = Real(T(i < n && !is_blocked(i, T(gradient_[i]))));
    for (int i = 0; i < n; ++i) scale = larger(scale, larger(T(gradient_[i]), -T(gradient_[i])));
    const int max_turns = n + 2 * working_.count();
    for (int turn = 0; turn < max_turns; ++turn) {
      working_.factorize(free_);
      for (int i = 0; i < n; ++i) along_[i] = gradient_[i];
      if (working_.drop_by_gradient(along_, scale)) continue;
      bool changes = false;
      T max_entry(0);
      for (int i = 0; i < n; ++i) {
        const T entry = T(along_[i]);
        const bool was_free = T(free_[i]) > T(0), is_free = !is_blocked(i, entry);
        // The multipliers may leave rounding of either sign.
        changes = changes || (was_free != is_free && larger(entry, -entry) > sign_rounding * scale);
        free_[i] = Real(T(is_free));
        if (is_free) max_entry = larger(max_entry, larger(entry, -entry));
      }
      if (!changes) return Real(max_entry + max_entry);
    }
    return Real(scale + scale);  // undecided at a vertex: no claim
  }

  // The same as find_step() with rows. A step that reaches a limit may leave another one, so in turns.
  LIMBER_ANYWHERE Real find_step_on_rows(const Real& mu, T longest, int max_rounds) {
    const int n = plan_.variables;
    for (int round = 0;; ++round) {
      for (int i = 0; i < n; ++i) {
        along_[i] = Real(T(0));
        if (T(free_[i]) > T(0)) step_[i] = Real(T(0));
      }
      working_.factorize(free_);
      working_.reach(x, step_, along_);
      for (int a = 0; a < plan_.tasks; ++a) {
        const int begin = plan_.task[a].path_begin;
        right_[a] = r_[a];
        for (int at = begin; at < plan_.task[a].path_end; ++at) {
          const int i = plan_.path[at];
          J_free_[at] = free_[i] * J_[at];
          right_[a] += Real(step_[i] + along_[i]) * J_[at];
        }
        working_.project(J_free_ + begin);
      }
      add_up_gram(mu);
      solve_blocks(plan_.tasks, A_, D_, right_, z_);
      const bool stops = put_on_bounds(longest), crosses = working_.add_crossed(x, step_);
      if ((!stops && !crosses) || round >= max_rounds + working_.count()) break;
    }
    const T part = working_.feasible_part(x, step_);
    if (part < T(1))
      for (int i = 0; i < n; ++i) step_[i] = Real(part) * step_[i];
    return take_step();
  }

  template <class Column>
  LIMBER_ANYWHERE void set_rows(const Mask& takes, int a, const Vector& r_new, const Column& column_of) {
    const TaskOf<T>& task = plan_.task[a];
    const Vector r = select(takes, r_new, r_[a]);
    r_[a] = r;
    if constexpr (is_single)
      if (plan_.angles) return set_coupled_columns(task, r, column_of);
    for (int at = task.path_begin; at < task.path_end; ++at) {
      const int i = plan_.path[at];
      const VariableOf<T>& variable = plan_.variable[i];
      const Vector column =
          Real(variable.scale * task.scale) * column_of(frame_[variable.link], plan_.link[variable.link].turns);
      const Vector j = select(takes, column, J_[at]);
      J_[at] = j;
      gradient_[i] += dot(j, r);
    }
  }

  // A = J Jᵀ + μ I over the free variables, its lower triangle of blocks.
  LIMBER_ANYWHERE void add_up_gram(const Real& mu) {
    for (int a = 0; a < plan_.tasks; ++a) {
      const Vector* Ja = J_free_ + plan_.task[a].path_begin;
      for (int b = 0; b <= a; ++b) {
        const Vector* Jb = J_free_ + plan_.task[b].path_begin;
        const int common = plan_.common[a * plan_.tasks + b];
        Vector c0 = zero(), c1 = zero(), c2 = zero();
        if (a == b) {
          c0 = {mu, Real(T(0)), Real(T(0))};
          c1 = {Real(T(0)), mu, Real(T(0))};
          c2 = {Real(T(0)), Real(T(0)), mu};
        }
        for (int i = 0; i < common; ++i) {
          c0 += Jb[i][0] * Ja[i];
          c1 += Jb[i][1] * Ja[i];
          c2 += Jb[i][2] * Ja[i];
        }
        A_[a * plan_.tasks + b] = {{c0, c1, c2}};
      }
    }
  }

  // The step of the free variables, along_ - Jᵀ z, up to their bounds. Variables stopped by a bound become fixed, and
  // along_ is their step; along_ is 0 for all others. False if no variable was stopped.
  LIMBER_ANYWHERE bool put_on_bounds(T longest) {
    const int n = plan_.variables;
    for (int a = 0; a < plan_.tasks; ++a) {
      const Vector z = z_[a];
      for (int at = plan_.task[a].path_begin; at < plan_.task[a].path_end; ++at)
        along_[plan_.path[at]] -= dot(J_free_[at], z);
    }
    const Wide none(T(0));
    Wide max_entry(longest);
    for (int i = 0; i < n; i += step_width) {
      const Wide along = wide_at<Wide>(along_ + i);
      max_entry = larger(max_entry, larger(along, Wide(-along)));
    }
    const Wide part = spread(Real(longest) / max_in<Real>(max_entry));
    auto stops_any = none > none;
    for (int i = 0; i < n; i += step_width) {
      const Wide was_free = wide_at<Wide>(free_ + i), at = wide_at<Wide>(x + i);
      const auto is_free = was_free > none;
      const Wide lower = wide_at<Wide>(lower_ + i) - at, upper = wide_at<Wide>(upper_ + i) - at;
      const Wide to = part * wide_at<Wide>(along_ + i), s = smaller(larger(to, lower), upper);
      const auto stopped = both(is_free, either(to<lower, to> upper));
      put_wide(select(is_free, s, wide_at<Wide>(step_ + i)), step_ + i);
      put_wide(select(stopped, s, none), along_ + i);
      put_wide(select(stopped, none, was_free), free_ + i);
      stops_any = either(stops_any, stopped);
    }
    return any(stops_any, none);
  }

  LIMBER_ANYWHERE static Wide spread(const Real& value) {
    if constexpr (sizeof(Wide) == sizeof(Real))
      return value;
    else
      return Wide(T(value));
  }

  LIMBER_ANYWHERE Real take_step() {
    constexpr T rounding = sizeof(T) == 4 ? T(4e-7) : T(1e-14);
    for (int i = 0; i < plan_.variables; i += step_width) {
      // Exactly on the bound.
      const Wide lower = wide_at<Wide>(lower_ + i), upper = wide_at<Wide>(upper_ + i);
      const Wide to = wide_at<Wide>(x + i) + wide_at<Wide>(step_ + i);
      put_wide(select(to < lower + Wide(rounding), lower, select(to > upper - Wide(rounding), upper, to)), trial + i);
    }
    Real promised(T(0));
    for (int a = 0; a < plan_.tasks; ++a) {
      Vector moved = zero();
      for (int at = plan_.task[a].path_begin; at < plan_.task[a].path_end; ++at)
        moved += step_[plan_.path[at]] * J_[at];
      promised -= dot(moved, r_[a] + r_[a] + moved);
    }
    return promised;
  }

  static constexpr T sign_rounding = T(1e-12);  // of the gradient

  PinPlan<T> plan_;
  Real *angle_, *sine_, *cosine_;
  Frame* frame_;
  Real *gradient_, *step_, *along_;
  Real *lower_, *upper_;
  Real* free_;   // 1 or 0
  Real* slope_;  // ∂q/∂x, where variables are coupled
  WorkingRows<Real> working_;
  Vector *J_, *J_free_;  // by path
  Vector *r_, *right_, *z_;
  Block *A_, *D_;  // tasks × tasks; the inverted blocks of the diagonal
};

}  // namespace limber
