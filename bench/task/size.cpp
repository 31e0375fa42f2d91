// Cost against size: forward kinematics, value and gradient, and a whole solve.
//
//   chain  n hinges about x and z alternately, links along y, total length one metre; the goal is 0.6 m from the base
//   tree   a trunk of ten hinges with one branch of ten per goal at its end, half a metre each; the goals are the tips
//   of
//          one random pose, so that all can be met together
#include <algorithm>

#include "app/cli/exit_code.h"
#include "bench/task/min_time.h"
#include "bench/task/task.h"
#include "limber/base/random.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

constexpr int hinges_per_branch = 10;
constexpr double max_turn = 2.0;  // rad, in both directions

// Adds a row of hinges, `length` metres long, the first at `from` in `parent`. Returns the last link; a site named
// after the row is at its end.
std::string grow(FigureDescription& figure, const std::string& name, std::string parent, Frame from, int hinges,
                 double length) {
  const Frame end = at({0.0, length / hinges, 0.0});
  for (int k = 0; k < hinges; ++k) {
    const std::string link = name + " " + std::to_string(k);
    const FreedomDescription turn{
        "turn", Motion::rotate, k % 2 == 0 ? Vec3::UnitX() : Vec3::UnitZ(), {-max_turn, max_turn}};
    figure.segments.push_back({link});
    figure.joints.push_back({link, parent, link, from, {}, {turn}});
    parent = link;
    from = end;
  }
  figure.sites.push_back({name, parent, end});
  return parent;
}

Expected<Problem> chain_with_goal(int hinges) {
  FigureDescription description{"chain", {{"base"}}};
  grow(description, "tip", "base", {}, hinges, 1.0);
  const Expected<Figure> figure = build_figure(std::move(description));
  if (!figure) return std::unexpected(figure.error());
  Problem problem(*figure);
  problem.add(figure->point("tip"), Position{{0.4, 0.2, 0.4}});
  return problem;
}

Expected<Problem> tree_with_goals(int goals) {
  FigureDescription description{"tree", {{"base"}}};
  const std::string trunk = grow(description, "trunk", "base", {}, hinges_per_branch, 0.5);
  const Frame fork = description.sites.back().frame;
  constexpr double lean = 0.6;  // rad, of a branch from the trunk
  for (int b = 0; b < goals; ++b) {
    const Mat3 R = rotation(Vec3::UnitY(), 2.0 * pi * b / goals) * rotation(Vec3::UnitX(), lean);
    grow(description, "branch " + std::to_string(b), trunk, fork * Frame{R}, hinges_per_branch, 0.5);
  }
  const Expected<Figure> figure = build_figure(std::move(description));
  if (!figure) return std::unexpected(figure.error());

  Random random(1);
  Pose target = figure->rest();
  for (double& angle : target.theta) angle = random.between(-0.3, 0.3);
  const Kinematics state = forward(*figure, target);
  Problem problem(*figure);
  for (int b = 0; b < goals; ++b) {
    const Expected<Handle> tip = figure->point("branch " + std::to_string(b));
    if (!tip) return std::unexpected(tip.error());
    Vec3 x[max_elements];
    evaluate(*figure, state, *tip, x);
    problem.add(tip, Position{x[0]});
  }
  return problem;
}

BenchRow size_row(const char* kind, const Problem& problem, bool quick) {
  const Figure& figure = problem.figure();
  const VecX rest = figure.rest().theta;

  Kinematics state(figure);
  VecX q;
  figure.angles(rest, q);
  const double forward_time = microseconds_of([&] { forward(figure, q, state); }, quick);

  Assembly assembly(problem);
  VecX phi, gradient(assembly.variables());
  assembly.start(rest, phi);
  VecX other = VecX::Constant(phi.size(), 1e-3);
  const auto value_and_gradient = [&] {
    phi.swap(other);  // the pose of the last evaluation would be cached
    assembly(phi, gradient);
  };
  const double gradient_time = microseconds_of(value_and_gradient, quick);

  Solver solver(problem);
  const Options options{.met_metres = 1e-4};
  const Report* report = nullptr;
  const double solve_time = microseconds_of(
      [&] {
        Pose pose = figure.rest();
        report = &solver.solve(pose, options);
      },
      quick);

  return {{"figure", kind},
          {"dof", assembly.variables()},
          {"goals", problem.constraints().size()},
          {"forward us", forward_time},
          {"gradient us", gradient_time},
          {"solve us", solve_time},
          {"iterations", report->iterations},
          {"met", report->met() ? "yes" : "no"}};
}

}  // namespace

std::expected<Table, Failure> bench_size(const TaskOptions& task) {
  Table table{"size",
              "cost against size: chains of hinges with one goal and trees with many, solved from rest to 0.1 mm"};
  for (const int hinges : {10, 100, 1000, 10'000}) {
    if (task.quick && hinges > 1000) continue;
    const Expected<Problem> problem = chain_with_goal(hinges);
    if (!problem) return std::unexpected(Failure{problem.error(), cli::internal});
    table.rows.push_back(size_row("chain", *problem, task.quick));
  }
  for (const int goals : {1, 3, 10, 30, 100}) {
    if (task.quick && goals > 10) continue;
    const Expected<Problem> problem = tree_with_goals(goals);
    if (!problem) return std::unexpected(Failure{problem.error(), cli::internal});
    table.rows.push_back(size_row("tree", *problem, task.quick));
  }
  return table;
}

}  // namespace limber::bench
