// Many problems that differ only in their values: one per lane, in single precision. A finished lane takes the next
// problem. The result of a lane does not depend on the other lanes.
#pragma once

#include "limber/lanes/marquardt.h"
#include "limber/lanes/sine.h"

namespace limber {

template <class T>
struct BatchCallOf {
  PinPlan<T> plan;
  void* memory = nullptr;  // of room() bytes, aligned to 64
  int count = 0;
  // By problem, one after the other; a stride of 0 if all problems share the values.
  const T* bases = nullptr;  // twelve numbers each
  long base_stride = 0;
  const T* q = nullptr;  // by link
  long q_stride = 0;
  const T* targets = nullptr;  // six numbers per task
  T* x = nullptr;              // the starts, within the bounds; then the answers
  // Starts for restarts of a stuck lane, tried in order; the same for all problems.
  const T* other_starts = nullptr;
  int max_tries = 0;
  unsigned char* met = nullptr;  // output: whether all tasks are met, within `enough`
  const T* enough = nullptr;     // by task: |h - t|²
  int max_iterations = 0;
  T longest_step = 1;
  // The next problem to take, shared by the threads of a GPU; null: all problems are for this call.
  unsigned* next = nullptr;

  long iterations = 0;  // of all lanes together
};

using BatchCall = BatchCallOf<float>;

// Checks results in double precision.
struct BatchCheck {
  PinPlan<double> plan;
  void* memory = nullptr;
  int count = 0;
  const double* bases = nullptr;
  long base_stride = 0;
  const double* q = nullptr;
  long q_stride = 0;
  const double* targets = nullptr;
  const double* x = nullptr;
  const double* enough = nullptr;
  unsigned char* met = nullptr;  // output: whether all tasks are met, within `enough`
};

struct BatchKernel {
  int width;
  long (*room)(const PinPlan<float>& plan);
  void (*solve)(BatchCall& call);
  long (*check_room)(const PinPlan<double>& plan);
  void (*check)(BatchCheck& call);
};

extern const BatchKernel batch_base, batch_avx2, batch_avx512;
// The kernel of a width, or the widest (0) that this processor supports; null if it does not support that one.
const BatchKernel* batch_kernel(int width);

template <class Real>
LIMBER_ANYWHERE inline void lane_sines(const Real* angles, int count, Real* sines, Real* cosines) {
  for (int k = 0; k < count; ++k) sine_and_cosine(angles[k], sines[k], cosines[k]);
}

// While it exists, denormal numbers are flushed to zero: they are insignificant here, and operations on them are a
// hundred times as slow.
template <class Real>
class WithoutDenormals {
 public:
#if defined(__SSE__) && !defined(__CUDACC__)
  WithoutDenormals() : before_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(before_ | flush_results | as_zero); }
  ~WithoutDenormals() { __builtin_ia32_ldmxcsr(before_); }

 private:
  static constexpr unsigned flush_results = 0x8000, as_zero = 0x0040;
  unsigned before_;
#endif
};

// Loads the values of problem p into a lane of a kernel.
template <class Call, class Kernel>
LIMBER_ANYWHERE inline void set_lane(const Call& call, long p, int lane, Kernel& kernel) {
  const auto& plan = call.plan;
  const auto set = [&](auto& to, const auto* from) {
    for (int axis = 0; axis < 3; ++axis) to[axis].set(lane, from[axis]);
  };
  for (int b = 0; b < plan.bases; ++b) {
    const auto* at = call.bases + call.base_stride * p + 12 * b;
    set(kernel.bases[b].x, at);
    set(kernel.bases[b].y, at + 3);
    set(kernel.bases[b].z, at + 6);
    set(kernel.bases[b].p, at + 9);
  }
  for (int k = 0; k < plan.links; ++k) kernel.q[k].set(lane, call.q[call.q_stride * p + k]);
  for (int k = 0; k < 2 * plan.tasks; ++k) set(kernel.target[k], call.targets + (2 * plan.tasks * p + k) * 3);
}

template <class Real>
class BatchChecker {
 public:
  using Kernel = PinMarquardt<Real, lane_sines<Real>>;

  LIMBER_ANYWHERE static long room(const PinPlan<double>& plan) { return Kernel::room(plan); }

  LIMBER_ANYWHERE static void check(BatchCheck& call) {
    Kernel kernel(call.plan, call.memory);
    const int n = call.plan.variables;
    for (int first = 0; first < call.count; first += Real::width) {
      for (int lane = 0; lane < Real::width; ++lane) {
        // The remaining lanes repeat the last problem.
        const long p = first + lane < call.count ? first + lane : call.count - 1;
        set_lane(call, p, lane, kernel);
        for (int i = 0; i < n; ++i) kernel.trial[i].set(lane, call.x[p * n + i]);
      }
      kernel.evaluate();
      for (int lane = 0; lane < Real::width && first + lane < call.count; ++lane) {
        bool met = true;
        for (int a = 0; a < call.plan.tasks; ++a) met = met && kernel.off[a][lane] <= call.enough[a];
        call.met[first + lane] = met;
      }
    }
  }
};

template <class Real>
class BatchLoop {
 public:
  using Kernel = PinMarquardt<Real, lane_sines<Real>>;
  using Mask = typename Kernel::Mask;
  using T = typename Real::Scalar;
  using Call = BatchCallOf<T>;
  static constexpr int width = Real::width;

  // See lanes/quick.h.
  static constexpr float first_damping = 0.12F;
  static constexpr float min_damping = 1e-6F;
  static constexpr float max_damping = 1e8F;
  static constexpr float rounding = 1e-7F;  // of ‖J‖²
  static constexpr float min_ratio = 1e-3F;
  static constexpr float slow_fall = 0.85F;
  static constexpr float slow_steps = 2.0F;
  static constexpr float first_growth = 4.0F;
  static constexpr float min_change = 0.4F;  // of the damping after a step that decreased f as predicted
  static constexpr int max_rounds = 3;

  LIMBER_ANYWHERE static long room(const PinPlan<T>& plan) { return Kernel::room(plan); }

  LIMBER_ANYWHERE static void solve(Call& call) {
    [[maybe_unused]] const WithoutDenormals<Real> quick;
    BatchLoop(call).run();
  }

 private:
  LIMBER_ANYWHERE explicit BatchLoop(Call& call) : call_(call), kernel_(call.plan, call.memory) {}

  LIMBER_ANYWHERE void run() {
    const PinPlan<T>& plan = call_.plan;
    const Real zero(T(0)), one(T(1));
    // Lanes without a problem compute with finite dummy values.
    for (int k = 0; k < plan.links; ++k) kernel_.q[k] = zero;
    for (int b = 0; b < plan.bases; ++b)
      kernel_.bases[b] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
    for (int k = 0; k < 2 * plan.tasks; ++k) kernel_.target[k] = {zero, zero, zero};
    for (int i = 0; i < plan.variables; ++i) kernel_.x[i] = kernel_.trial[i] = zero;
    f_ = damping_ = growth_ = promised_ = square_ = mark_ = since_ = tries_ = fresh_ = one;
    int busy = 0;
    for (int lane = 0; lane < width; ++lane) busy += refill(lane);
    while (busy > 0) {
      call_.iterations += busy;
      if (!advance()) continue;
      for (int lane = 0; lane < width; ++lane) {
        if (problem_[lane] == none || !(is_met_[lane] > T(0) || is_stuck_[lane] > T(0))) continue;
        if (!(is_met_[lane] > T(0)) && try_again(lane)) continue;
        give_back(lane);
        busy += refill(lane) - 1;
      }
    }
  }

  // One step in every lane: accept or reject the trial point, and compute the next one. True for lanes that have ended.
  LIMBER_ANYWHERE bool advance() {
    const PinPlan<T>& plan = call_.plan;
    const Real zero(T(0)), one(T(1));
    const Real f_trial = kernel_.evaluate(), ratio = (f_ - f_trial) / promised_;
    const Mask is_fresh = fresh_ > zero;
    const Mask decreases = both(both(promised_ > zero, f_trial < f_), ratio > Real(T(min_ratio)));
    const Mask takes = either(is_fresh, decreases);
    for (int i = 0; i < plan.variables; ++i) kernel_.x[i] = select(takes, kernel_.trial[i], kernel_.x[i]);
    f_ = select(takes, f_trial, f_);
    kernel_.linearize(takes);

    Real over(T(0));
    for (int a = 0; a < plan.tasks; ++a) over = larger(over, kernel_.off[a] - Real(call_.enough[a]));
    is_met_ = select(both(takes, over <= zero), one, zero);

    const Real t = ratio + ratio - one, change = larger(one - t * t * t, Real(T(min_change)));
    const Real root = square_root(f_);
    damping_ = select(decreases, larger(damping_ * change, Real(T(min_damping))), damping_ * growth_);
    if (any(is_fresh, f_)) {
      square_ = select(is_fresh, kernel_.square_norm(), square_);
      damping_ = select(is_fresh, Real(T(first_damping)) * square_, damping_);
    }
    growth_ = select(takes, Real(T(first_growth)), growth_ + growth_);

    // Stuck: no step decreases f, f has hardly decreased in several steps, or there were too many iterations.
    tries_ = select(is_fresh, one, tries_ + one);
    since_ = select(is_fresh, zero, select(takes, since_ + one, since_));
    const Mask looks = since_ >= Real(T(slow_steps));
    const Mask slow = both(looks, f_ > Real(T(slow_fall)) * mark_);
    mark_ = select(either(is_fresh, looks), f_, mark_);
    since_ = select(looks, zero, since_);
    const Mask lost = both(opposite(takes), damping_ > Real(T(max_damping)));
    const Mask late = tries_ > Real(static_cast<T>(call_.max_iterations));
    is_stuck_ = select(either(either(slow, lost), late), one, zero);
    fresh_ = zero;

    kernel_.stationarity();
    promised_ = kernel_.find_step(larger(damping_ * root, Real(T(rounding)) * square_), call_.longest_step, max_rounds);
    return any(larger(is_met_, is_stuck_) > zero, f_);
  }

  LIMBER_ANYWHERE void give_back(int lane) {
    const int n = call_.plan.variables, p = problem_[lane];
    for (int i = 0; i < n; ++i) call_.x[static_cast<long>(p) * n + i] = kernel_.x[i][lane];
    call_.met[p] = is_met_[lane] > T(0);
  }

  // Restarts the same problem from another start. False if there is none left to try.
  LIMBER_ANYWHERE bool try_again(int lane) {
    if (restarts_[lane] >= call_.max_tries) return false;
    begin_from(lane, call_.other_starts + static_cast<long>(call_.plan.variables) * restarts_[lane]++);
    return true;
  }

  LIMBER_ANYWHERE void begin_from(int lane, const T* start) {
    for (int i = 0; i < call_.plan.variables; ++i) {
      kernel_.x[i].set(lane, start[i]);
      kernel_.trial[i].set(lane, start[i]);
    }
    fresh_.set(lane, T(1));
  }

  // Loads the next problem at its start. 0 if there is none.
  LIMBER_ANYWHERE int refill(int lane) {
    problem_[lane] = take_number();
    if (problem_[lane] == none) return 0;
    const long p = problem_[lane];
    restarts_[lane] = 0;
    set_lane(call_, p, lane, kernel_);
    begin_from(lane, call_.x + p * call_.plan.variables);
    return 1;
  }

  // The next problem, or none.
  LIMBER_ANYWHERE int take_number() {
#ifdef __CUDA_ARCH__
    if (call_.next) {
      const unsigned number = atomicAdd(call_.next, 1U);
      return number < static_cast<unsigned>(call_.count) ? static_cast<int>(number) : none;
    }
#endif
    return next_ < call_.count ? next_++ : none;
  }

  static constexpr int none = -1;

  Call& call_;
  Kernel kernel_;
  int next_ = 0;
  int problem_[width];
  int restarts_[width];
  Real f_, damping_, growth_, promised_;
  Real square_;  // ‖J‖² at the start
  Real mark_;    // f some steps ago
  Real since_;   // steps taken since then
  Real tries_;   // steps from this start, accepted or not
  Real fresh_, is_met_, is_stuck_;
};

}  // namespace limber
