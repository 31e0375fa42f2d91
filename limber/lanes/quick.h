// One problem, solved by lanes/marquardt.h: input, output, and the code for this machine.
#pragma once

#include "limber/lanes/marquardt.h"

namespace limber {

enum class QuickExit { converged, met, stalled, iteration_limit, cancelled, not_finite };

struct QuickCall {
  PinPlan<double> plan;
  void* memory = nullptr;           // of room() bytes, aligned to 64
  const double* bases = nullptr;    // x, y, z, p: twelve numbers each
  const double* q = nullptr;        // by link
  const double* targets = nullptr;  // six numbers per task
  double* x = nullptr;              // the start, within the bounds; replaced by the result
  int max_iterations = 0;
  double tolerance = 0.0;
  double longest_step = 1.0;
  const double* enough = nullptr;  // by task: ends if |h - t|² is at most this for all tasks; null: no such test
  bool (*observe)(void* context, int iteration, double f, const double* x) = nullptr;
  void* context = nullptr;

  QuickExit exit = QuickExit::converged;
  int iterations = 0;
  int evaluations = 0;
  double f = 0.0;
  double* off = nullptr;  // by task, if not null: |h - t|² of the result
};

struct QuickKernel {
  long (*room)(const PinPlan<double>& plan);
  void (*solve)(QuickCall& call);
};

extern const QuickKernel quick_base, quick_avx2;
// The best kernel that this processor supports.
const QuickKernel& quick_kernel();

// The loop of both kernels.
template <class Kernel>
struct QuickLoop {
  // μ = damping · ‖r‖, with lengths relative to the figure's length; the first damping is this fraction of ‖J‖². With a
  // warm start, ‖r‖ is small, so even the first steps are nearly full Gauss-Newton steps.
  static constexpr double first_damping = 0.12;
  static constexpr double min_damping = 1e-10;
  static constexpr double max_damping = 1e12;
  static constexpr double rounding = 1e-14;  // of ‖J‖²
  // A step is accepted if the decrease is at least this fraction of the predicted one.
  static constexpr double min_ratio = 1e-4;
  // Stuck if f is still more than slow_decrease times its value slow_steps steps before.
  static constexpr double slow_decrease = 0.85;
  static constexpr int slow_steps = 2;
  // Growth factor of the damping after a rejected step, and the growth of that factor after each further one.
  static constexpr double first_growth = 4.0;
  static constexpr double more_growth = 2.0;

  LIMBER_ANYWHERE static long room(const PinPlan<double>& plan) { return Kernel::room(plan); }

  LIMBER_ANYWHERE static bool is_finite(double f) { return f - f == 0.0; }

  LIMBER_ANYWHERE static void solve(QuickCall& call) {
    const PinPlan<double>& plan = call.plan;
    Kernel kernel(plan, call.memory);
    const int n = plan.variables;
    const auto triple = [](const double* at) { return typename Kernel::Vector{at[0], at[1], at[2]}; };
    for (int b = 0; b < plan.bases; ++b) {
      const double* at = call.bases + 12 * b;
      kernel.bases[b] = {triple(at), triple(at + 3), triple(at + 6), triple(at + 9)};
    }
    for (int k = 0; k < plan.links; ++k) kernel.q[k] = call.q[k];
    for (int k = 0; k < 2 * plan.tasks; ++k) kernel.target[k] = triple(call.targets + 3 * k);
    for (int i = 0; i < n; ++i) kernel.x[i] = kernel.trial[i] = call.x[i];
    call.exit = run(call, kernel);
    for (int i = 0; i < n; ++i) call.x[i] = kernel.x[i];
    if (!call.off) return;
    for (int i = 0; i < n; ++i) kernel.trial[i] = kernel.x[i];
    if (call.exit != QuickExit::met) kernel.evaluate();
    for (int a = 0; a < plan.tasks; ++a) call.off[a] = kernel.off[a];
  }

 private:
  LIMBER_ANYWHERE static QuickExit run(QuickCall& call, Kernel& kernel) {
    const auto is_enough = [&] {
      if (!call.enough) return false;
      for (int a = 0; a < call.plan.tasks; ++a)
        if (!(kernel.off[a] <= call.enough[a])) return false;
      return true;
    };
    double f = kernel.evaluate();
    call.iterations = 0;
    call.evaluations = 1;
    call.f = f;
    if (!is_finite(f)) return QuickExit::not_finite;
    if (is_enough()) return QuickExit::met;
    kernel.linearize(true);
    const double square = kernel.square_norm();
    double damping = first_damping * square, growth = first_growth;
    double before[slow_steps] = {};
    for (int steps = 0;;) {
      if (kernel.stationarity() <= call.tolerance) return QuickExit::converged;
      if (call.iterations >= call.max_iterations) return QuickExit::iteration_limit;
      const double mu = damping * __builtin_sqrt(f), min_mu = rounding * square;
      const double promised = kernel.find_step(mu > min_mu ? mu : min_mu, call.longest_step, call.plan.variables);
      const double f_trial = kernel.evaluate(), ratio = (f - f_trial) / promised;
      ++call.evaluations;
      if (!(promised > 0.0 && f_trial < f && ratio > min_ratio)) {
        damping *= growth;
        growth *= more_growth;
        if (!(promised > rounding * rounding * f) || damping > max_damping) return QuickExit::stalled;
        continue;
      }
      auto* const taken = kernel.trial;
      kernel.trial = kernel.x;
      kernel.x = taken;
      call.f = f = f_trial;
      ++call.iterations;
      if (call.observe) {
        for (int i = 0; i < call.plan.variables; ++i) call.x[i] = kernel.x[i];
        if (!call.observe(call.context, call.iterations, f, call.x)) return QuickExit::cancelled;
      }
      if (is_enough()) return QuickExit::met;
      kernel.linearize(true);
      const double t = 2.0 * ratio - 1.0, change = 1.0 - t * t * t;
      damping *= change > 1.0 / 3.0 ? change : 1.0 / 3.0;
      if (damping < min_damping) damping = min_damping;
      growth = first_growth;
      double& then = before[steps++ % slow_steps];
      if (steps > slow_steps && f > slow_decrease * then) return QuickExit::stalled;
      then = f;
    }
  }
};

}  // namespace limber
