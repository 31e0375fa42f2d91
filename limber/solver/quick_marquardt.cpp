#include "limber/solver/quick_marquardt.h"

#include <cmath>
#include <vector>

#include "limber/lanes/memory.h"
#include "limber/lanes/quick.h"
#include "limber/problem/pins.h"

namespace limber {

struct QuickMarquardt::Memory {
  QuickCall call;
  LaneMemory memory;
  std::vector<PackedFrame> bases;
  std::vector<double> q;
  std::vector<Packed> targets;
  std::vector<double> enough;
};

QuickMarquardt::QuickMarquardt() : memory_(std::make_unique<Memory>()) {}
QuickMarquardt::~QuickMarquardt() = default;
QuickMarquardt::QuickMarquardt(QuickMarquardt&&) noexcept = default;
QuickMarquardt& QuickMarquardt::operator=(QuickMarquardt&&) noexcept = default;

namespace {

// Every step of the quick loop factors the normals of the working rows anew, in time that grows as the square of their
// number, and once more for each row that it meets. The other methods change their factor row by row.
constexpr int max_rows = 64;

Exit exit_of(QuickExit exit) {
  switch (exit) {
    case QuickExit::met:
      return Exit::met;
    case QuickExit::converged:
      return Exit::converged;
    case QuickExit::stalled:
      return Exit::stalled;
    case QuickExit::iteration_limit:
      return Exit::iteration_limit;
    case QuickExit::cancelled:
      return Exit::cancelled;
    case QuickExit::not_finite:
      return Exit::not_finite;
  }
  return Exit::stalled;
}

}  // namespace

bool QuickMarquardt::accepts(Assembly& assembly) {
  const PinTables<double>* tables = assembly.pins();
  if (!tables || tables->plan().limits.count > max_rows) return false;
  Memory& own = *memory_;
  own.call.plan = tables->plan();
  own.call.memory = own.memory.of(quick_kernel().room(own.call.plan));
  own.bases.resize(static_cast<std::size_t>(tables->bases));
  own.q.resize(tables->links.size());
  own.targets.resize(2 * tables->tasks.size());
  own.enough.resize(tables->tasks.size());
  return true;
}

double QuickMarquardt::work_per_iteration() const {
  const PinPlan<double>& plan = memory_->call.plan;
  const double limits = 0.5 * plan.limits.count * plan.limits.count * plan.limits.width;
  return 100.0 + 18.0 * plan.path_length + 8.0 * plan.tasks * plan.tasks + limits;
}

// No farther from the place of its first axis, which no variable moves, than all bones of the chain in a line.
bool QuickMarquardt::is_out_of_reach(double metres) const {
  const Memory& own = *memory_;
  const PinPlan<double>& plan = own.call.plan;
  const auto slide_of = [&](int link) {
    double farthest = std::fabs(own.q[static_cast<std::size_t>(link)]);
    if (plan.coupling) {
      const double coupled = static_cast<const PinCoupling*>(plan.coupling)->farthest(link, plan.variable);
      return std::fmax(farthest, coupled);
    }
    for (int i = 0; i < plan.variables; ++i)
      if (const VariableOf<double>& one = plan.variable[i]; one.link == link)
        farthest = std::fabs(one.scale) * std::fmax(std::fabs(one.lower), std::fabs(one.upper));
    return farthest;
  };
  const auto norm = [](const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
  for (int a = 0; a < plan.tasks; ++a) {
    const TaskOf<double>& task = plan.task[a];
    if (task.kind != TaskKind::point || task.link < 0) continue;
    double reach = norm(task.local);
    for (int k = task.link;; k = plan.link[k].parent) {
      const LinkOf<double>& link = plan.link[k];
      if (!link.turns) reach += slide_of(k);
      if (link.parent >= 0) {
        reach += norm(link.shift);
        continue;
      }
      const PackedFrame& base = own.bases[static_cast<std::size_t>(-1 - link.parent)];
      const Vec3 shift(link.shift[0], link.shift[1], link.shift[2]);
      const Vec3 first =
          unpacked(base.p) + shift[0] * unpacked(base.x) + shift[1] * unpacked(base.y) + shift[2] * unpacked(base.z);
      if ((unpacked(own.targets[static_cast<std::size_t>(2 * a)]) - first).norm() > reach + metres) return true;
      break;
    }
  }
  return false;
}

Outcome QuickMarquardt::minimize(const Assembly& assembly, VecX& phi, const MethodOptions& options,
                                 const Observer& observer, const Enough* enough) {
  Memory& own = *memory_;
  assembly.pin_values(own.bases.data(), own.q.data(), own.targets.data());
  struct Watch {
    const Observer& observer;
    const VecX& phi;
  } watch{observer, phi};
  QuickCall& call = own.call;
  call.bases = own.bases.front().x.v;
  call.q = own.q.data();
  call.targets = own.targets.front().v;
  call.x = phi.data();
  call.max_iterations = options.iterations;
  call.tolerance = options.tolerance;
  call.longest_step = options.longest_step;
  call.observe = nullptr;
  call.context = &watch;
  if (observer)
    call.observe = [](void* context, int iteration, double f, const double*) {
      const Watch& to = *static_cast<Watch*>(context);
      return to.observer(iteration, f, to.phi);
    };
  call.enough = nullptr;
  if (enough) {
    for (int a = 0; a < call.plan.tasks; ++a) {
      const double far = call.plan.task[a].kind == TaskKind::point ? enough->metres : enough->chord;
      own.enough[static_cast<std::size_t>(a)] = far * far;
    }
    call.enough = own.enough.data();
  }
  quick_kernel().solve(call);
  return {exit_of(call.exit), call.iterations, call.evaluations, call.f};
}

}  // namespace limber
