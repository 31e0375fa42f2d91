// The work whose instructions are counted: does one thing a given number of times. bench/instructions runs it under
// callgrind twice, with different numbers, and takes the difference, so that start-up does not count.
//
//   limber_count forward human|chain TIMES      forward kinematics
//   limber_count gradient human TIMES           value and gradient, five positions
//   limber_count bfgs N ITERATIONS              iterations of active-set BFGS on N variables
//   limber_count arm once|met TIMES             100 placements of a robot's hand, from the middle of its limits:
//                                               from there only, or from as many starts as it takes
//   limber_count human 131_04 TIMES             10 frames of a motion, five positions, each from the last
//   limber_count ncg 02_01 TIMES                the same, 20 iterations of conjugate gradients per frame
//   limber_count sequence 02_01 TIMES           1,000 queries of a motion as a sequence of keys
//   limber_count motion FRAMES TIMES            frames of a human, feet and gaze held, solved together
//   limber_count posture NAME TIMES             a whole solve of a scene in example/scene
//   limber_count postures                       their names
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

#include "bench/micro/workload.h"
#include "limber/problem/assembly.h"
#include "limber/solver/gradient/active_set_bfgs.h"

namespace {

using namespace limber;

// Each gives back a sum of what it computed, so that no compiler leaves it out; not finite where something was not
// solved, and the count is worth nothing.
constexpr double failed = infinity;

double count_forward(const std::string& what, int times) {
  const Figure figure = what == "human" ? human() : bench::chain(62);
  Kinematics kinematics(figure);
  VecX q;
  figure.angles(figure.rest().theta, q);
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    forward(figure, q, kinematics);
    sum += kinematics.segments.back().p.x();
  }
  return sum;
}

double count_gradient(const std::string&, int times) {
  const Problem problem = bench::five_positions(human());
  Assembly assembly(problem);
  VecX phi, gradient(assembly.variables());
  assembly.start(problem.figure().rest().theta, phi);
  VecX other = phi.array() + 1e-3;
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    phi.swap(other);  // the pose of the last evaluation would be cached
    sum += assembly(phi, gradient);
  }
  return sum;
}

double count_bfgs(const std::string& what, int times) {
  const int n = std::atoi(what.c_str());
  bench::Rosenbrock function;
  ActiveSetBfgs method;
  VecX x = VecX::Constant(n, -1.2);
  const Outcome outcome = method.minimize(function, Limits(n), x, {.iterations = times});
  return outcome.iterations == times ? outcome.value : failed;
}

double count_arm(const std::string& what, int times) {
  const bool until_met = what == "met";
  bench::Reaching reaching = bench::reaching_panda(100);
  Solver solver(reaching.problem);
  Options options{.met_metres = 1e-5, .restarts = until_met ? 100 : 0};
  options.met_degrees = degrees(1e-5);
  double sum = 0.0;
  for (int k = 0; k < times; ++k)
    for (const Placement& goal : reaching.goals) {
      if (!reaching.problem.set_goal(reaching.hand, goal)) return failed;
      Pose pose = reaching.start;
      const Report& report = solver.solve(pose, options);
      sum += report.met() || !until_met ? report.objective : failed;
    }
  return sum;
}

double count_batch(const std::string& what, int times) {
  const int count = std::atoi(what.c_str());
  const bench::Reaching reaching = bench::reaching_panda(count);
  const std::vector<Goal> goals(reaching.goals.begin(), reaching.goals.end());
  const BatchOptions options{.met_metres = 1e-5, .met_degrees = degrees(1e-5)};
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    MatX poses = reaching.start.theta.replicate(1, count);
    const Expected<BatchReport> report = solve_batch(reaching.problem, goals, poses, options);
    sum += report && report->met_count == goals.size() ? poses.sum() : failed;
  }
  return sum;
}

// Ten frames of a recording, each from the solution of the last one. The first start comes from a solve from rest.
double follow(const std::string& motion, int every, const Options& options, int times, bool to_the_end) {
  constexpr int before = 100, frames = 10;
  const bench::Recording recording = bench::load_recording(motion);
  Tracker tracker = bench::five_places(recording.figure);
  Pose start = recording.figure.rest();
  tracker.aim(recording.clip.pose(before), start);
  tracker.solve(start);
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    Pose pose = start;
    for (int i = 1; i <= frames; ++i) {
      tracker.aim(recording.clip.pose(before + i * every), pose);
      const Report& report = tracker.solve(pose, options);
      sum += report.met() || !to_the_end ? report.objective : failed;
    }
  }
  return sum;
}

double count_human(const std::string& what, int times) { return follow(what, 4, {.met_metres = 1e-4}, times, true); }

double count_ncg(const std::string& what, int times) {
  const Options options{.method = Method::projected_conjugate_gradient, .iterations = 20, .restarts = 0};
  return follow(what, 20, options, times, false);
}

double count_sequence(const std::string& what, int times) {
  constexpr int queries = 1000;
  const Sequence sequence = bench::keys_of(bench::load_recording(what));
  const Sampler sampler(sequence);
  Pose pose = sequence.figure().rest();
  double sum = 0.0;
  for (int k = 0; k < times; ++k)
    for (int i = 0; i < queries; ++i) {
      sampler.at(sequence.start() + (i + 0.5) / queries * sequence.duration(), pose);
      sum += pose.theta[0];
    }
  return sum;
}

double count_motion(const std::string& what, int times) {
  const bench::HeldMotion held = bench::hold_feet_and_gaze(std::atoi(what.c_str()));
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    const Expected<SolvedMotion> solved = solve_motion(held.problem, held.given, {.exact = 1e-6});
    sum += solved && solved->report.exit == Exit::converged ? solved->clip.poses.sum() : failed;
  }
  return sum;
}

double count_posture(const std::string& what, int times) {
  const bench::Posture posture = bench::load_posture(what);
  Solver solver(posture.problem);
  double sum = 0.0;
  for (int k = 0; k < times; ++k) {
    Pose pose = posture.start;
    sum += solver.solve(pose, bench::as_in_the_paper).objective;
  }
  return sum;
}

struct Task {
  const char* name;
  double (*count)(const std::string& what, int times);
};

constexpr Task tasks[] = {
    {"forward", count_forward},   {"gradient", count_gradient}, {"bfgs", count_bfgs},       {"arm", count_arm},
    {"human", count_human},       {"ncg", count_ncg},           {"posture", count_posture}, {"batch", count_batch},
    {"sequence", count_sequence}, {"motion", count_motion},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (argc == 2 && name == "postures") {
    for (const std::string& posture : bench::posture_names()) std::cout << posture << '\n';
    return 0;
  }
  for (const Task& task : tasks) {
    if (argc != 4 || name != task.name) continue;
    if (std::isfinite(task.count(argv[2], std::atoi(argv[3])))) return 0;
    std::cerr << "limber_count " << name << ' ' << argv[2] << ": not solved\n";
    return 1;
  }
  std::cerr << "usage: limber_count forward|gradient|bfgs|arm|batch|human|ncg|sequence|motion|posture WHAT TIMES, "
               "or limber_count postures\n";
  return 2;
}
