#include "app/cli/exit_code.h"
#include "bench/task/task.h"
#include "limber/base/number.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

Expected<Figure> seven_joints() {
  FigureDescription chain;
  chain.name = "chain";
  chain.segments = {{"link 0"}};
  for (int k = 1; k <= 7; ++k) {
    const std::string link = "link " + std::to_string(k);
    chain.segments.push_back({link});
    chain.joints.push_back({"joint " + std::to_string(k),
                            "link " + std::to_string(k - 1),
                            link,
                            at({k == 1 ? 0.0 : 1.0 / 7.0, 0.0, 0.0}),
                            {},
                            {{"turn", Motion::rotate, Vec3::UnitZ(), {}}}});
  }
  chain.sites = {{"tip", "link 7", at({1.0 / 7.0, 0.0, 0.0})}};
  return build_figure(chain);
}

// The chain's first pose: bent a little or a lot, the same at all joints, or to and fro.
struct Start {
  const char* name;
  double odd, even;  // radians, of joints 1, 3, 5, 7 and of the others
};
constexpr Start starts[] = {{"a little bent", 0.2, 0.2}, {"bent", 0.5, 0.5}, {"to and fro", 0.6, -0.6}};

struct Contestant {
  std::string name;
  Options options;
  bool in_all_starts = true;  // else in the first alone
};

// Steps of (4.12), which stay as they are: for this chain, up to 0.7 is stable where it is straight.
constexpr double euler_steps[] = {0.1, 0.3, 0.6};

// Every method; the two that the thesis compares also as it prints them: Euler steps, and no limit on a move.
std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  for (const Method method : all_methods()) {
    const bool compared = method == Method::jacobian_transpose || method == Method::cyclic_coordinate_descent;
    all.push_back({std::string(name_of(method)), {.method = method}, compared});
  }
  all.push_back({"cyclic-coordinate-descent, unlimited",
                 {.method = Method::cyclic_coordinate_descent, .longest_step = infinity}});
  all.push_back({"jacobian-transpose, euler",
                 {.method = Method::jacobian_transpose, .longest_step = infinity, .integration = Integrator::euler}});
  for (const double h : euler_steps)
    all.push_back({"jacobian-transpose, euler " + to_text(h),
                   {.method = Method::jacobian_transpose,
                    .as_printed = true,
                    .longest_step = infinity,
                    .integration = Integrator::euler,
                    .step = h}});
  return all;
}

constexpr int max_digits = 8;

// Digits of accuracy against time and iterations: when the distance first falls below 10^-d of the chain's length; min
// time of five runs.
BenchRow measured(const Figure& figure, const Problem& problem, const Start& start, Options options) {
  std::vector<double> times(max_digits + 1, -1.0);
  std::vector<int> iterations(max_digits + 1, -1);
  options.iterations = 20000;
  options.tolerance = 1e-14;
  options.restarts = 0;
  Solver solver(problem);
  for (int run = 0; run < 5; ++run) {
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = j % 2 == 0 ? start.odd : start.even;
    const auto begun = Clock::now();
    options.observer = [&](const limber::Progress& progress) {
      const double time = microseconds_since(begun), distance = std::sqrt(progress.objective);
      for (int d = 1; d <= max_digits; ++d) {
        const auto at = static_cast<std::size_t>(d);
        if (distance > std::pow(10.0, -d)) break;
        times[at] = times[at] < 0.0 ? time : std::min(times[at], time);
        if (iterations[at] < 0) iterations[at] = progress.iteration;
      }
      return distance > std::pow(10.0, -max_digits) && time < 2e5;
    };
    solver.solve(pose, options);
  }
  BenchRow row;
  for (int d = 1; d <= max_digits; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const std::string column = std::to_string(d);
    row[column] = row["iterations " + column] = nullptr;
    if (times[at] >= 0.0) row[column] = times[at];
    if (iterations[at] >= 0) row["iterations " + column] = iterations[at];
  }
  return row;
}

}  // namespace

std::expected<Table, Failure> bench_chain(const TaskOptions&) {
  Table table{"chain", "seven joints (W93 Fig. 4.4, 4.5); microseconds and iterations to each digit of accuracy"};
  const Expected<Figure> figure = seven_joints();
  if (!figure) return std::unexpected(Failure{figure.error(), cli::internal});
  for (const bool edge : {false, true})
    for (const Start& start : starts)
      for (const Contestant& contestant : contestants()) {
        if (!contestant.in_all_starts && &start != starts) continue;
        Problem problem(*figure);
        const double reach = edge ? 0.98 : 0.6;
        if (const auto added = problem.add(figure->point("tip"), Position{Vec3(0.6, 0.8, 0.0) * reach}); !added)
          return std::unexpected(Failure{added.error(), cli::internal});
        BenchRow row = {
            {"goal", edge ? "at the edge" : "within reach"}, {"start", start.name}, {"method", contestant.name}};
        row.update(measured(*figure, problem, start, contestant.options));
        table.rows.push_back(row);
      }
  return table;
}

}  // namespace limber::bench
