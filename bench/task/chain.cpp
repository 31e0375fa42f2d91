#include "app/cli/exit_code.h"
#include "bench/task/task.h"
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

// Every method; the two that the thesis compares also as it prints them: Euler steps, and no limit on a move.
std::vector<std::pair<std::string, Options>> contestants() {
  std::vector<std::pair<std::string, Options>> all;
  for (const Method method : all_methods()) all.push_back({std::string(name_of(method)), {.method = method}});
  all.push_back({"jacobian-transpose, euler",
                 {.method = Method::jacobian_transpose, .longest_step = infinity, .integration = Integrator::euler}});
  all.push_back({"cyclic-coordinate-descent, unlimited",
                 {.method = Method::cyclic_coordinate_descent, .longest_step = infinity}});
  return all;
}

}  // namespace

// Digits of accuracy against time: when the distance first falls below 10^-d of the chain's length; min of five runs.
std::expected<Table, Failure> bench_chain(const TaskOptions&) {
  Table table{"chain", "seven joints (W93 Fig. 4.4, 4.5); microseconds to each digit of accuracy"};
  const Expected<Figure> figure = seven_joints();
  if (!figure) return std::unexpected(Failure{figure.error(), cli::internal});
  for (const bool edge : {false, true})
    for (const auto& [name, usual] : contestants()) {
      Problem problem(*figure);
      const double reach = edge ? 0.98 : 0.6;
      if (const auto added = problem.add(figure->point("tip"), Position{Vec3(0.6, 0.8, 0.0) * reach}); !added)
        return std::unexpected(Failure{added.error(), cli::internal});
      constexpr int max_digits = 8;
      std::vector<double> reached(max_digits + 1, -1.0);
      Solver solver(problem);
      for (int run = 0; run < 5; ++run) {
        Pose pose = figure->rest();
        for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = 0.2;
        Options options = usual;
        options.iterations = 20000;
        options.tolerance = 1e-14;
        options.restarts = 0;
        const auto start = Clock::now();
        options.observer = [&](const limber::Progress& progress) {
          const double time = microseconds_since(start), distance = std::sqrt(progress.objective);
          for (int d = 1; d <= max_digits; ++d)
            if (distance <= std::pow(10.0, -d)) reached[d] = reached[d] < 0.0 ? time : std::min(reached[d], time);
          return distance > std::pow(10.0, -max_digits) && time < 2e5;
        };
        solver.solve(pose, options);
      }
      BenchRow row = {{"goal", edge ? "at the edge" : "within reach"}, {"method", name}};
      for (int d = 1; d <= max_digits; ++d) {
        const std::string column = std::to_string(d);
        row[column] = nullptr;
        if (reached[d] >= 0.0) row[column] = reached[d];
      }
      table.rows.push_back(row);
    }
  return table;
}

}  // namespace limber::bench
