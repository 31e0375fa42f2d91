// The kernels: what one thread does.
#pragma once

#include "limber/cuda/module.h"
#include "limber/lanes/arm.h"
#include "limber/lanes/batch.h"
#include "limber/lanes/sine.h"

namespace limber {

// For ArmLoop.
struct PlainSines {
  template <class T>
  LIMBER_ANYWHERE static void of(T angle, T& sine, T& cosine) {
    sine_and_cosine(angle, sine, cosine);
  }
};

// A kernel that takes one element of its lists per thread.
struct PerElement {
  static constexpr int threads = 256, blocks = 1;
  static constexpr bool is_resident = false;
};

// The state of a problem: not met; met in single precision; met in double precision.
enum class Found : unsigned char { none, roughly, exactly };

// --- Before

struct Convert : PerElement {
  const double* from;
  float* to;
  unsigned count;

  LIMBER_ANYWHERE void operator()(unsigned k, unsigned) const {
    if (k < count) to[k] = static_cast<float>(from[k]);
  }
};

struct alignas(16) PackedTarget {
  float v[12];
};

template <int N>
struct PrepareArm : PerElement {
  ArmTable<float, N> arm;
  const double* bases;
  long base_stride;
  const double* targets;
  PackedTarget* to;
  unsigned count;

  LIMBER_ANYWHERE void operator()(unsigned p, unsigned) const {
    if (p >= count) return;
    float base[12];
    for (int k = 0; k < 12; ++k) base[k] = static_cast<float>(bases[base_stride * p + k]);
    const double* at = targets + 12L * p;
    const auto triple = [&](int k) {
      return Triple<float>{static_cast<float>(at[k]), static_cast<float>(at[k + 1]), static_cast<float>(at[k + 2])};
    };
    const ArmTarget<float> target = arm_target(arm, base, triple(0), triple(6), triple(9));
    PackedTarget packed;
    for (int k = 0; k < 3; ++k) {
      packed.v[k] = target.w[k];
      packed.v[3 + k] = target.x[k];
      packed.v[6 + k] = target.y[k];
      packed.v[9 + k] = target.z[k];
    }
    to[p] = packed;
  }
};

// --- Problems that wait

inline constexpr unsigned no_problem = 0xffffffff;

// Threads take problems from one list until it is empty. A warp takes a stretch at a time.
class Queue {
 public:
  LIMBER_ANYWHERE Queue(unsigned* next, unsigned count) : next_(next), count_(count) {}

  // Gives an idle thread its next problem, or none. False if all threads of the warp are without a problem.
  LIMBER_ANYWHERE bool refill(bool& is_idle, unsigned& problem) {
#ifdef __CUDA_ARCH__
    constexpr unsigned all = 0xffffffff, stretch = 128;
    const unsigned asking = __ballot_sync(all, is_idle && !is_empty_);
    if (asking != 0) {
      const unsigned lane = threadIdx.x % 32, rank = __popc(asking & ((1U << lane) - 1)), wanted = __popc(asking);
      unsigned number = from_ + rank;
      if (const unsigned here = to_ - from_; wanted > here) {
        unsigned fresh = 0;
        if (lane == 0) fresh = atomicAdd(next_, stretch);
        fresh = __shfl_sync(all, fresh, 0);
        is_empty_ = fresh >= count_;
        if (rank >= here) number = fresh + (rank - here);
        from_ = fresh + (wanted - here);
        to_ = fresh + stretch;
      } else {
        from_ += wanted;
      }
      if (is_idle) problem = number < count_ ? number : no_problem;
    } else if (is_idle) {
      problem = no_problem;
    }
    is_idle = is_idle && problem != no_problem;
    return __any_sync(all, problem != no_problem);
#else
    if (is_idle) problem = *next_ < count_ ? (*next_)++ : no_problem;
    is_idle = is_idle && problem != no_problem;
    return problem != no_problem;
#endif
  }

 private:
  unsigned* next_;
  unsigned count_;
#ifdef __CUDA_ARCH__
  unsigned from_ = 0, to_ = 0;
  bool is_empty_ = false;
#endif
};

LIMBER_ANYWHERE inline void add(unsigned long long* sum, unsigned long long value) {
#ifdef __CUDA_ARCH__
  atomicAdd(sum, value);
#else
  *sum += value;
#endif
}

// --- The solve in single precision

template <int N>
struct SolveArms {
  static constexpr int threads = 128, blocks = 4;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 64;

  ArmTable<float, N> arm;
  ArmLimits limits;
  const PackedTarget* targets;
  const float* other_starts;
  float* x;
  Found* found;
  unsigned count;
  unsigned* next;
  unsigned long long* iterations;

  LIMBER_ANYWHERE void operator()(unsigned, unsigned) const {
    ArmLoop<float, N, PlainSines> loop;
    Queue queue(next, count);
    unsigned problem = no_problem, steps = 0;
    int tries = 0;
    bool is_idle = true, is_found = false;
    while (queue.refill(is_idle, problem)) {
      if (is_idle) {
        const PackedTarget to = targets[problem];
        LIMBER_UNROLL
        for (int axis = 0; axis < 3; ++axis) {
          loop.target.w[axis] = to.v[axis];
          loop.target.x[axis] = to.v[3 + axis];
          loop.target.y[axis] = to.v[6 + axis];
          loop.target.z[axis] = to.v[9 + axis];
        }
        begin(loop, x + static_cast<std::size_t>(problem) * N);
        tries = 0;
        is_idle = is_found = false;
      }
      if (problem == no_problem) continue;
      loop.advance(arm, limits);
      ++steps;
      if (!loop.has_ended()) continue;
      // What is only near is kept for double precision, in case that no other start does better.
      if (loop.is_met() || loop.is_near()) {
        float* const out = x + static_cast<std::size_t>(problem) * N;
        LIMBER_UNROLL
        for (int k = 0; k < N; ++k) out[k] = loop.x[k];
        is_found = true;
      }
      if (!loop.is_met() && tries < limits.max_tries) {
        begin(loop, other_starts + N * tries++);
        continue;
      }
      found[problem] = is_found ? Found::roughly : Found::none;
      is_idle = true;
    }
    add(iterations, steps);
  }

 private:
  LIMBER_ANYWHERE static void begin(ArmLoop<float, N, PlainSines>& loop, const float* start) {
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) loop.trial[k] = start[k];
    loop.begin();
  }
};

template <int Room>
struct SolvePins {
  static constexpr int threads = 64, blocks = 16;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 16;

  BatchCall call;
  unsigned long long* iterations;

  LIMBER_ANYWHERE void operator()(unsigned, unsigned) const {
    alignas(64) char memory[Room];
    BatchCall own = call;
    own.memory = memory;
    BatchLoop<Lanes<float, 1>>::solve(own);
    add(iterations, static_cast<unsigned long long>(own.iterations));
  }
};

// --- The check in double precision

using ExactPins = PinMarquardt<Lanes<double, 1>, lane_sines<Lanes<double, 1>>>;

// x as a double, exactly on the bounds that it is on in single precision.
template <class Variable>
LIMBER_ANYWHERE inline double exact(float x, const Variable& variable) {
  if (x <= static_cast<float>(variable.lower)) return variable.lower;
  if (x >= static_cast<float>(variable.upper)) return variable.upper;
  const double wide = static_cast<double>(x);
  return wide < variable.lower ? variable.lower : wide > variable.upper ? variable.upper : wide;
}

template <int N>
struct CheckArms : PerElement {
  ArmTable<double, N> arm;
  double point_enough, turn_enough;
  const double* bases;
  long base_stride;
  const double* targets;
  const float* x;
  double* out;
  Found* found;
  unsigned count;

  LIMBER_ANYWHERE void operator()(unsigned p, unsigned) const {
    if (p >= count || found[p] != Found::roughly) return;
    ArmLoop<double, N, PlainSines> loop;
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) loop.trial[k] = exact(x[static_cast<std::size_t>(p) * N + k], arm.joint[k]);
    const double* at = targets + 12L * p;
    const ArmTarget<double> to = arm_target(arm, bases + base_stride * p, Triple<double>{at[0], at[1], at[2]},
                                            Triple<double>{at[6], at[7], at[8]}, Triple<double>{at[9], at[10], at[11]});
    ArmTarget<double> off = loop.place_last(arm);
    off.x -= to.x;
    off.y -= to.y;
    off.z -= to.z;
    const auto of = [&](const double* local) { return local[0] * off.x + local[1] * off.y + local[2] * off.z; };
    const Triple<double> w = (1.0 / arm.length) * (off.w - to.w) + of(arm.tip), dx = of(arm.tip_x), dy = of(arm.tip_y);
    if (!(dot(w, w) <= point_enough && dot(dx, dx) <= turn_enough && dot(dy, dy) <= turn_enough)) return;
    LIMBER_UNROLL
    for (int k = 0; k < N; ++k) out[static_cast<std::size_t>(p) * N + k] = loop.trial[k];
    found[p] = Found::exactly;
  }
};

// Any pins, one problem after the other; what is not met exactly may be refined.
template <int Room>
struct CheckPins {
  static constexpr int threads = 64, blocks = 4;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 16;

  BatchCheck call;
  const float* from;
  double* x;
  Found* found;

  LIMBER_ANYWHERE void operator()(unsigned thread, unsigned all) const {
    alignas(64) char memory[Room];
    ExactPins kernel(call.plan, memory);
    const int n = call.plan.variables;
    for (unsigned p = thread; p < static_cast<unsigned>(call.count); p += all) {
      if (found[p] != Found::roughly) continue;
      const std::size_t first = static_cast<std::size_t>(n) * p;
      set_lane(call, p, 0, kernel);
      for (int i = 0; i < n; ++i) kernel.trial[i] = exact(from[first + i], call.plan.variable[i]);
      kernel.evaluate();
      bool met = true;
      for (int a = 0; a < call.plan.tasks; ++a) met = met && kernel.off[a].v <= call.enough[a];
      if (!met) continue;
      for (int i = 0; i < n; ++i) x[first + i] = kernel.trial[i].v;
      found[p] = Found::exactly;
    }
  }
};

// A few steps in double precision, for what is met in single precision only.
template <int Room>
struct Refine {
  static constexpr int threads = 64, blocks = 4;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 8;

  BatchCallOf<double> call;  // its lists those of the first problem
  const float* from;
  Found* found;
  unsigned count;

  LIMBER_ANYWHERE void operator()(unsigned thread, unsigned all) const {
    alignas(64) char memory[Room];
    for (unsigned p = thread; p < count; p += all) {
      if (found[p] != Found::roughly) continue;
      const int n = call.plan.variables;
      BatchCallOf<double> own = call;
      unsigned char met = 0;
      own.memory = memory;
      own.count = 1;
      own.met = &met;
      own.bases += call.base_stride * p;
      own.q += call.q_stride * p;
      own.targets += 6L * own.plan.tasks * p;
      own.x += static_cast<std::size_t>(n) * p;
      for (int i = 0; i < n; ++i) own.x[i] = exact(from[static_cast<std::size_t>(n) * p + i], own.plan.variable[i]);
      BatchLoop<Lanes<double, 1>>::solve(own);
      found[p] = met ? Found::exactly : Found::none;
    }
  }
};

// --- Random problems, and whether the answers are what they promise to be

// A number from 0 to 1, by Steele, Lea and Flood 2014.
LIMBER_ANYWHERE inline double random_unit(unsigned long long number) {
  unsigned long long z = number * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

template <int Room>
struct MakeProblems {
  static constexpr int threads = 64, blocks = 4;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 16;

  BatchCheck call;  // targets are the given ones
  unsigned long long seed;
  const double* start;
  double spread;
  long given;
  const double* given_x;
  double* targets;
  double* x;
  // Of given problems that do not share these.
  const double *given_bases, *given_q;
  double *bases, *q;

  LIMBER_ANYWHERE void operator()(unsigned thread, unsigned all) const {
    alignas(64) char memory[Room];
    ExactPins kernel(call.plan, memory);
    const int n = call.plan.variables, numbers = 6 * call.plan.tasks;
    for (unsigned p = thread; p < static_cast<unsigned>(call.count); p += all) {
      double* const to = targets + static_cast<std::size_t>(numbers) * p;
      double* const at = x + static_cast<std::size_t>(n) * p;
      if (given > 0) {
        const std::size_t which = (seed + p) % static_cast<unsigned long long>(given);
        for (int k = 0; k < numbers; ++k) to[k] = call.targets[which * numbers + k];
        for (int i = 0; i < n; ++i) at[i] = given_x[which * n + i];
        for (long k = 0; k < call.base_stride; ++k)
          bases[call.base_stride * p + k] = given_bases[call.base_stride * which + k];
        for (long k = 0; k < call.q_stride; ++k) q[call.q_stride * p + k] = given_q[call.q_stride * which + k];
        continue;
      }
      BatchCheck shared = call;
      shared.targets = targets;  // evaluate() measures distances from 0
      for (int k = 0; k < numbers; ++k) to[k] = 0.0;
      set_lane(shared, p, 0, kernel);
      for (int i = 0; i < n; ++i) {
        const auto& variable = call.plan.variable[i];
        const unsigned long long number = 2 * ((seed + p) * static_cast<unsigned>(n) + static_cast<unsigned>(i)) + 1;
        const bool is_bounded = variable.upper - variable.lower < 1e3;
        const double lower = is_bounded ? variable.lower : start[i] - 0.5,
                     width = is_bounded ? variable.upper - lower : 1.0;
        const double random = lower + random_unit(number) * width;
        const double near = random + spread * (2.0 * random_unit(number + 1) - 1.0);
        kernel.trial[i] = random;
        at[i] = spread == 0.0           ? start[i]
                : near < variable.lower ? variable.lower
                : near > variable.upper ? variable.upper
                                        : near;
      }
      kernel.evaluate();
      for (int a = 0; a < call.plan.tasks; ++a) {
        ExactPins::Vector value[2];
        kernel.values_of(a, value[0], value[1]);
        for (int k = 0; k < 6; ++k) to[6 * a + k] = value[k / 3][k % 3].v;
      }
    }
  }
};

template <int Room>
struct Verify {
  static constexpr int threads = 64, blocks = 4;
  static constexpr bool is_resident = true;
  static constexpr int max_resident = 16;

  BatchCheck call;
  unsigned long long* met;
  unsigned long long* violations;

  LIMBER_ANYWHERE void operator()(unsigned thread, unsigned all) const {
    alignas(64) char memory[Room];
    ExactPins kernel(call.plan, memory);
    const int n = call.plan.variables;
    unsigned long long met_here = 0, violations_here = 0;
    for (unsigned p = thread; p < static_cast<unsigned>(call.count); p += all) {
      const double* const x = call.x + static_cast<std::size_t>(n) * p;
      bool keeps = true;
      set_lane(call, p, 0, kernel);
      for (int i = 0; i < n; ++i) {
        keeps = keeps && x[i] >= call.plan.variable[i].lower && x[i] <= call.plan.variable[i].upper;
        kernel.trial[i] = x[i];
      }
      kernel.evaluate();
      if (call.met[p])
        for (int a = 0; a < call.plan.tasks; ++a)
          keeps = keeps && kernel.off[a].v <= room_for_rounding * call.enough[a];
      met_here += call.met[p];
      violations_here += !keeps;
    }
    add(met, met_here);
    add(violations, violations_here);
  }

  // The check and this one round differently: 1e-14 of lengths of metres, against tolerances of 1e-5.
  static constexpr double room_for_rounding = 1.0 + 1e-8;
};

// --- After

struct Finish : PerElement {
  const Found* found;
  unsigned char* met;
  unsigned count;

  LIMBER_ANYWHERE void operator()(unsigned p, unsigned) const {
    if (p < count) met[p] = found[p] == Found::exactly;
  }
};

}  // namespace limber
