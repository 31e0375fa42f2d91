// The instruction counter's subject: does one thing a given number of times. bench/instructions runs it under callgrind
// twice, with different numbers, and takes the difference, so that start-up costs nothing.
//
//   limber_count forward human|chain TIMES      forward kinematics
//   limber_count gradient human TIMES           value and gradient, five positions
//   limber_count bfgs N ITERATIONS              iterations of active-set BFGS on N variables
//   limber_count posture NAME TIMES             a whole solve of a scene in example/scene
//   limber_count postures                       their names
#include <cstdlib>
#include <iostream>
#include <string>

#include "../workload.h"

namespace {

using namespace limber;

int usage() {
  std::cerr << "usage: limber_count forward|gradient|bfgs|posture WHAT TIMES, or limber_count postures\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  if (task == "postures") {
    for (const std::string& name : bench::posture_names()) std::cout << name << '\n';
    return 0;
  }
  if (argc != 4) return usage();
  const std::string what = argv[2];
  const int times = std::atoi(argv[3]);
  double sum = 0.0;
  if (task == "forward") {
    const Figure figure = what == "human" ? human() : bench::chain(62);
    Kinematics kinematics(figure);
    VecX q;
    figure.angles(figure.rest().theta, q);
    for (int k = 0; k < times; ++k) {
      forward(figure, q, kinematics);
      sum += kinematics.segments.back().p.x();
    }
  } else if (task == "gradient") {
    const Problem problem = bench::five_positions(human());
    Assembly assembly(problem);
    VecX phi, gradient(assembly.variables());
    assembly.start(problem.figure().rest().theta, phi);
    for (int k = 0; k < times; ++k) sum += assembly(phi, gradient);
  } else if (task == "bfgs") {
    const int n = std::atoi(argv[2]);
    bench::Rosenbrock function;
    ActiveSetBfgs method;
    VecX x = VecX::Constant(n, -1.2);
    const Outcome outcome = method.minimize(function, Limits(n), x, {.iterations = times});
    if (outcome.iterations != times) return usage();
  } else if (task == "posture") {
    const bench::Posture posture = bench::load_posture(what);
    Solver solver(posture.problem);
    for (int k = 0; k < times; ++k) {
      Pose pose = posture.start;
      sum += solver.solve(pose, bench::as_in_the_paper).objective;
    }
  } else {
    return usage();
  }
  return sum == sum ? 0 : 1;
}
