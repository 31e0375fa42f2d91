// limber_peers: solvers of other libraries on the tasks of `limber bench`, which runs it and shows its rows below our
// own.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "bench/peers/peers.h"
#include "bench/task/task.h"

namespace {

using namespace limber;
using namespace limber::bench;

using Solvers = std::vector<ComparedSolver>;

void append(Solvers& to, const Solvers& more) { to.insert(to.end(), more.begin(), more.end()); }

// Those that support any problem.
Solvers general_peers() {
  Solvers all;
#ifdef LIMBER_PEER_NLOPT
  append(all, peers::nlopt_solvers());
#endif
#ifdef LIMBER_PEER_CERES
  append(all, peers::ceres_solvers());
#endif
  return all;
}

Solvers arm_peers() {
  Solvers all;
#ifdef LIMBER_PEER_KDL
  append(all, peers::kdl_solvers());
#endif
  append(all, general_peers());
  return all;
}

Solvers human_peers() {
  Solvers all;
#ifdef LIMBER_PEER_SIMBODY
  append(all, peers::simbody_solvers());
#endif
  append(all, general_peers());
  return all;
}

int run(int argc, char** argv) {
  CLI::App app("Solvers of other libraries on the tasks of 'limber bench'.", "limber_peers");
  TaskOptions options;
  std::vector<std::string> tasks = {"arms", "human"};
  std::string json;
  app.add_option("--task", tasks, "Only these")->delimiter(',')->check(CLI::IsMember({"arms", "human"}));
  app.add_option("--data", options.data, "The folder with acclaim/ and urdf/")->capture_default_str();
  app.add_flag("--quick", options.quick, "Fewer frames and poses");
  app.add_option("--json", json, "Write the rows to this file and print nothing");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::all_met : cli::usage;
  }
  BenchRow all = BenchRow::object();
  for (const std::string& task : tasks) {
    const std::expected<Table, Failure> table =
        task == "arms" ? arms_table(options, arm_peers()) : human_table(options, human_peers());
    if (!table) return cli::complain(table.error());
    all[task] = table->rows;
    if (json.empty()) print(*table);
  }
  if (!json.empty())
    if (const Expected<void> done = cli::write_file(json, all.dump(2) + "\n"); !done)
      return cli::complain(done.error(), cli::file_trouble);
  return cli::all_met;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber_peers: internal error: %s\n", error.what());
  }
  return cli::internal;
}
