// liblimber_cuda.so: batches on a GPU, compiled by nvcc. By g++ it is their twin on the processor, for tests.
#include <cstddef>
#include <new>
#include <type_traits>

#include "limber/cuda/arm_table.h"
#include "limber/cuda/card.h"
#include "limber/cuda/kernels.h"

namespace limber {

namespace {

// A lane stops at this fraction of the tolerance, but not below what single precision can tell, relative to the length of
// an arm or in radians; what this leaves is for the double precision.
constexpr double lane_part = 0.5;
constexpr double lane_floor = 1e-6;
// Problems at a time: at most so many, and no more than a part of the card's free memory holds.
constexpr long max_problems = 1L << 26;
constexpr long memory_part = 3;

class Workspace {
 public:
  explicit Workspace(int number) : card_(number), trial_card_(number) {}

  const char* solve(CudaCall& call) {
    call.iterations = 0;
    call.kernel_seconds = 0.0;
    if (call.count > piece_) {
      const long numbers = 3 * call.plan.variables + 18 * call.plan.tasks + 24 * call.plan.bases + 2 * call.plan.links;
      const long fitting = static_cast<long>(card_.free_memory()) / (8 * numbers * memory_part);
      piece_ = fitting < max_problems ? fitting : max_problems;
    }
    for (long from = 0; from < call.count && !card_.error(); from += piece_) {
      const long rest = call.count - from;
      solve_some(call, from, static_cast<unsigned>(rest < piece_ ? rest : piece_));
    }
    return card_.error();
  }

  const char* run(CudaTrial& trial) {
    const PinPlan<double>& plan = trial.call.plan;
    const auto n = static_cast<std::size_t>(plan.variables), numbers = 6 * static_cast<std::size_t>(plan.tasks);
    trial.met = trial.violations = trial.call.iterations = 0;
    trial.call.kernel_seconds = 0.0;
    const long piece = trial.call.count < trial.piece ? trial.call.count : trial.piece;
    for (long from = 0; from < trial.call.count; from += piece) {
      const long rest = trial.call.count - from, count = rest < piece ? rest : piece;
      const auto size = static_cast<std::size_t>(count);
      trial_card_.begin(nullptr);
      BatchCheck check;
      check.plan = copied(plan, trial_card_);
      check.count = static_cast<int>(count);
      check.base_stride = trial.call.base_stride;
      check.q_stride = trial.call.q_stride;
      const auto given = static_cast<std::size_t>(trial.given);
      const double* const bases = trial_card_.copy_of(
          trial.call.bases, check.base_stride == 0 ? 12 * static_cast<std::size_t>(plan.bases) : check.base_stride * given);
      const double* const q = trial_card_.copy_of(
          trial.call.q, check.q_stride == 0 ? static_cast<std::size_t>(plan.links) : check.q_stride * given);
      double* const bases_of_all = trial_card_.room<double>(check.base_stride * size);
      double* const q_of_all = trial_card_.room<double>(check.q_stride * size);
      check.bases = check.base_stride == 0 ? bases : bases_of_all;
      check.q = check.q_stride == 0 ? q : q_of_all;
      check.enough = trial_card_.copy_of(trial.call.enough, static_cast<std::size_t>(plan.tasks));
      check.targets = trial_card_.copy_of(trial.given_targets, numbers * given);
      const double* const given_x = trial_card_.copy_of(trial.given_x, n * given);
      const double* const start = trial_card_.copy_of(trial.start, n);
      double* const targets = trial_card_.room<double>(numbers * size);
      double* const x = trial_card_.room<double>(n * size);
      unsigned char* const met = trial_card_.room<unsigned char>(size);
      auto* const sums = trial_card_.room<unsigned long long>(2);
      trial_card_.clear(sums, 2);
      const long room = BatchLoop<Lanes<double, 1>>::room(plan);
      launch_for<MakeProblems>(trial_card_, room, count, [&](auto& body) {
        body.call = check;
        body.seed = trial.seed + static_cast<unsigned long long>(from);
        body.start = start;
        body.spread = trial.spread;
        body.given = trial.given;
        body.given_x = given_x;
        body.targets = targets;
        body.x = x;
        body.given_bases = bases;
        body.given_q = q;
        body.bases = bases_of_all;
        body.q = q_of_all;
      });
      trial_card_.wait();
      CudaCall call = trial.call;
      call.count = count;
      call.bases = check.bases;
      call.q = check.q;
      call.targets = targets;
      call.x = x;
      call.met = met;
      call.is_on_card = true;
      if (const char* const why = solve(call)) return why;
      trial.call.iterations += call.iterations;
      trial.call.kernel_seconds += call.kernel_seconds;
      check.targets = targets;
      check.x = x;
      check.met = met;
      launch_for<Verify>(trial_card_, room, count, [&](auto& body) {
        body.call = check;
        body.met = sums;
        body.violations = sums + 1;
      });
      unsigned long long counted[2] = {0, 0};
      trial_card_.copy(counted, sums, 2);
      trial_card_.wait();
      if (trial_card_.error()) return trial_card_.error();
      trial.met += static_cast<long>(counted[0]);
      trial.violations += static_cast<long>(counted[1]);
    }
    return nullptr;
  }

  const char* error() const { return card_.error(); }

 private:
  void solve_some(CudaCall& call, long from, unsigned count) {
    const PinPlan<double>& plan = call.plan;
    const auto n = static_cast<std::size_t>(plan.variables);
    call_ = &call;
    count_ = count;
    card_.begin(call.stream);
    take_plan();
    bases_ = values(call.bases, call.base_stride, from, 12L * plan.bases);
    q_ = values(call.q, call.q_stride, from, plan.links);
    targets_ = values(call.targets, 6L * plan.tasks, from, 6L * plan.tasks);
    double* const x = call.x + static_cast<std::size_t>(from) * n;
    unsigned char* const met = call.met + from;
    x_ = call.is_on_card ? x : const_cast<double*>(card_.copy_of(x, n * count));
    float_x_ = card_.room<float>(n * count);
    found_ = card_.room<Found>(count);
    other_starts_ = card_.copy_of(call.other_starts, n * static_cast<std::size_t>(call.max_tries));
    unsigned char* const met_there = call.is_on_card ? met : card_.room<unsigned char>(count);
    next_ = card_.room<unsigned>(1);
    iterations_ = card_.room<unsigned long long>(1);
    card_.clear(next_, 1);
    card_.clear(iterations_, 1);

    card_.start_clock();
    card_.launch(Convert{{}, x_, float_x_, static_cast<unsigned>(n) * count}, static_cast<long>(n) * count);
    if (!is_arm(plan))
      solve_pins();
    else if (plan.variables == 6)
      solve_arms<6>();
    else if (plan.variables == 7)
      solve_arms<7>();
    else
      solve_arms<8>();
    refine();
    card_.launch(Finish{{}, found_, met_there, count}, count);
    card_.stop_clock();

    unsigned long long iterations = 0;
    card_.copy(&iterations, iterations_, 1);
    if (!call.is_on_card) {
      card_.copy(x, x_, n * count);
      card_.copy(met, met_there, count);
    }
    call.kernel_seconds += card_.wait();
    call.iterations += static_cast<long>(iterations);
  }

  // Values by problem, on the card.
  const double* values(const double* all, long stride, long from, long size) {
    if (call_->is_on_card) return all + stride * from;
    return card_.copy_of(all + stride * from, static_cast<std::size_t>(stride == 0 ? size : stride * count_));
  }

  // The tables of the figure, on the card.
  template <class T>
  static PinPlan<T> copied(PinPlan<T> plan, Card& card) {
    const auto size = [](int count) { return static_cast<std::size_t>(count); };
    plan.link = card.copy_of(plan.link, size(plan.links));
    plan.variable = card.copy_of(plan.variable, size(plan.variables));
    plan.task = card.copy_of(plan.task, size(plan.tasks));
    plan.path = card.copy_of(plan.path, size(plan.path_length));
    plan.common = card.copy_of(plan.common, size(plan.tasks * plan.tasks));
    return plan;
  }

  void take_plan() {
    plan_ = copied(call_->plan, card_);
    enough_ = card_.copy_of(call_->enough, static_cast<std::size_t>(plan_.tasks));
  }

  template <int N>
  void solve_arms() {
    const ArmTable<float, N> arm = arm_table<float, N>(call_->plan, call_->enough, lane_part, lane_floor);
    PackedTarget* const prepared = card_.room<PackedTarget>(count_);
    card_.launch(PrepareArm<N>{{}, arm, bases_, call_->base_stride, targets_, prepared, count_}, count_);
    const ArmLimits limits{call_->max_iterations, call_->max_tries, static_cast<float>(call_->longest_step)};
    card_.launch(SolveArms<N>{arm, limits, prepared, other_starts_, float_x_, found_, count_, next_, iterations_}, count_);
    const ArmTable<double, N> exact_arm = arm_table<double, N>(call_->plan, call_->enough, lane_part, lane_floor);
    card_.launch(CheckArms<N>{{},
                              exact_arm,
                              call_->enough[0],
                              call_->enough[1],
                              bases_,
                              call_->base_stride,
                              targets_,
                              float_x_,
                              x_,
                              found_,
                              count_},
                 count_);
  }

  void solve_pins() {
    BatchCall call;
    call.plan = copied(call_->float_plan, card_);
    call.count = static_cast<int>(count_);
    call.bases = converted(bases_, call_->base_stride, 12L * plan_.bases);
    call.base_stride = call_->base_stride;
    call.q = converted(q_, call_->q_stride, plan_.links);
    call.q_stride = call_->q_stride;
    call.targets = converted(targets_, 6L * plan_.tasks, 6L * plan_.tasks);
    call.x = float_x_;
    call.other_starts = other_starts_;
    call.max_tries = call_->max_tries;
    static_assert(static_cast<int>(Found::roughly) == 1);
    call.met = reinterpret_cast<unsigned char*>(found_);
    float* const enough = card_.room<float>(static_cast<std::size_t>(plan_.tasks));
    call.enough = enough;
    call.max_iterations = call_->max_iterations;
    call.longest_step = static_cast<float>(call_->longest_step);
    call.next = next_;
    float wanted[max_tasks];
    if (plan_.tasks > max_tasks) return card_.fail("too many goals");
    for (int a = 0; a < plan_.tasks; ++a) {
      const double part = lane_part * lane_part * call_->enough[a];
      wanted[a] = static_cast<float>(part > lane_floor * lane_floor ? part : lane_floor * lane_floor);
    }
    card_.copy(enough, wanted, static_cast<std::size_t>(plan_.tasks));
    launch_for<SolvePins>(card_, BatchLoop<Lanes<float, 1>>::room(call_->float_plan), count_, [&](auto& body) {
      body.call = call;
      body.iterations = iterations_;
    });
    check_pins();
  }

  void check_pins() {
    BatchCheck call;
    call.plan = plan_;
    call.count = static_cast<int>(count_);
    call.bases = bases_;
    call.base_stride = call_->base_stride;
    call.q = q_;
    call.q_stride = call_->q_stride;
    call.targets = targets_;
    call.enough = enough_;
    launch_for<CheckPins>(card_, double_room(), count_, [&](auto& body) {
      body.call = call;
      body.from = float_x_;
      body.x = x_;
      body.found = found_;
    });
  }

  void refine() {
    BatchCallOf<double> call;
    call.plan = plan_;
    call.bases = bases_;
    call.base_stride = call_->base_stride;
    call.q = q_;
    call.q_stride = call_->q_stride;
    call.targets = targets_;
    call.x = x_;
    call.max_iterations = call_->max_refinements;
    call.longest_step = call_->longest_step;
    call.enough = enough_;
    launch_for<Refine>(card_, double_room(), count_, [&](auto& body) {
      body.call = call;
      body.from = float_x_;
      body.found = found_;
      body.count = count_;
    });
  }

  long double_room() const { return BatchLoop<Lanes<double, 1>>::room(call_->plan); }

  const float* converted(const double* from, long stride, long size) {
    const auto count = static_cast<unsigned>(stride == 0 ? size : stride * count_);
    float* const to = card_.room<float>(count);
    card_.launch(Convert{{}, from, to, count}, count);
    return to;
  }

  // The kernel with the least memory per thread that is enough.
  template <template <int> class Body, class Fill>
  static void launch_for(Card& card, long room, long threads, const Fill& fill) {
    const auto with = [&]<int Room>(std::integral_constant<int, Room>) {
      Body<Room> body;
      fill(body);
      card.launch(body, threads);
    };
    if (room <= 4096)
      with(std::integral_constant<int, 4096>());
    else if (room <= 16384)
      with(std::integral_constant<int, 16384>());
    else if (room <= max_room)
      with(std::integral_constant<int, max_room>());
    else
      card.fail("the figure is too large for a thread of a GPU");
  }

  static constexpr int max_tasks = 256;
  static constexpr int max_room = 65536;

  Card card_, trial_card_;  // for the solve, and for what random problems add to it
  CudaCall* call_ = nullptr;
  long piece_ = 0;  // problems at a time
  unsigned count_ = 0;
  PinPlan<double> plan_;  // with tables on the card, as all that follows
  const double *bases_ = nullptr, *q_ = nullptr, *targets_ = nullptr, *enough_ = nullptr;
  double* x_ = nullptr;
  float* float_x_ = nullptr;
  const float* other_starts_ = nullptr;
  Found* found_ = nullptr;
  unsigned* next_ = nullptr;
  unsigned long long* iterations_ = nullptr;
};

void* open(int card, const char** why) {
  auto* const workspace = new (std::nothrow) Workspace(card);
  *why = workspace ? workspace->error() : "no memory";
  if (!*why) return workspace;
  delete workspace;
  return nullptr;
}

const char* solve(void* workspace, CudaCall& call) { return static_cast<Workspace*>(workspace)->solve(call); }

const char* run(void* workspace, CudaTrial& trial) { return static_cast<Workspace*>(workspace)->run(trial); }

void close(void* workspace) { delete static_cast<Workspace*>(workspace); }

constexpr CudaModule module{cuda_module_version, &Card::count, &Card::name, &open, &solve, &run, &close};

}  // namespace

}  // namespace limber

extern "C" const limber::CudaModule* limber_cuda_module() { return &limber::module; }
