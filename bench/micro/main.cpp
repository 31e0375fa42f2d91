// The clock: forward kinematics, value and gradient, one iteration against n, and the postures in example/scene.
#include <benchmark/benchmark.h>
#include <limber/format/file.h>

#include "bench/micro/workload.h"
#include "limber/problem/assembly.h"
#include "limber/solver/gradient/active_set_bfgs.h"

namespace {

using namespace limber;

void forward_kinematics(benchmark::State& state, const Figure& figure) {
  Kinematics kinematics(figure);
  VecX q;
  figure.angles(figure.rest().theta, q);
  for (auto _ : state) {
    forward(figure, q, kinematics);
    benchmark::DoNotOptimize(kinematics.segments.data());
  }
}

void value_and_gradient(benchmark::State& state, const Problem& problem) {
  Assembly assembly(problem);
  VecX phi, gradient(assembly.variables());
  assembly.start(problem.figure().rest().theta, phi);
  VecX other = phi.array() + 1e-3;
  for (auto _ : state) {
    phi.swap(other);  // the pose of the last evaluation would be cached
    benchmark::DoNotOptimize(assembly(phi, gradient));
  }
}

void bfgs_iteration(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  bench::Rosenbrock function;
  const Limits limits(n);
  ActiveSetBfgs method;
  int iterations = 0;
  for (auto _ : state) {
    VecX x = VecX::Constant(n, -1.2);
    iterations += method.minimize(function, limits, x, {.iterations = 50}).iterations;
  }
  state.counters["per_iteration"] =
      benchmark::Counter(iterations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void posture(benchmark::State& state, const bench::Posture& posture, const Options& options) {
  Solver solver(posture.problem);
  int iterations = 0;
  for (auto _ : state) {
    Pose pose = posture.start;
    iterations = solver.solve(pose, options).iterations;
  }
  state.counters["iterations"] = iterations;
}

// The whole file, from bytes to figure and motion.
void read_whole(benchmark::State& state, const std::string& file, const Content* skeleton) {
  const std::string bytes = bench::read_data(file);
  for (auto _ : state) benchmark::DoNotOptimize(read_content(bytes, file, {}, {}, skeleton));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const Figure human = limber::human();
  const Problem five = bench::five_positions(human);
  std::vector<bench::Posture> postures;
  const std::vector<std::string> names = bench::posture_names();
  for (const std::string& name : names) postures.push_back(bench::load_posture(name));

  benchmark::RegisterBenchmark("forward/human", forward_kinematics, human);
  benchmark::RegisterBenchmark("forward/chain 62", forward_kinematics, bench::chain(62));
  benchmark::RegisterBenchmark("gradient/human, five positions",
                               [&](benchmark::State& state) { value_and_gradient(state, five); });
  for (const int n : {10, 20, 40, 80, 160}) benchmark::RegisterBenchmark("bfgs", bfgs_iteration)->Arg(n);
  for (std::size_t k = 0; k < names.size(); ++k) {
    benchmark::RegisterBenchmark(("posture/" + names[k]).c_str(), [&, k](benchmark::State& state) {
      posture(state, postures[k], {});
    })->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("posture as in the paper/" + names[k]).c_str(), [&, k](benchmark::State& state) {
      posture(state, postures[k], bench::as_in_the_paper);
    })->Unit(benchmark::kMicrosecond);
  }
  const Expected<Content> skeleton = read_content(bench::read_data("acclaim/01.asf"), "01.asf");
  for (const char* file : {"acclaim/01_14.amc", "bvh/mh_benchmark.bvh", "bvh/max_131_03.bvh", "gltf/kaykit_Rogue.glb",
                           "urdf/baxter.urdf", "c3d/02_01.c3d"})
    benchmark::RegisterBenchmark((std::string("read/") + file).c_str(), [&, file](benchmark::State& state) {
      read_whole(state, file, skeleton ? &*skeleton : nullptr);
    })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
