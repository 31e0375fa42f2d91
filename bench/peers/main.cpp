// limber_peers: other solvers on the tasks of `limber bench`, which calls it and shows its rows below our own.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/cli/bench/task.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "bench/peers/peers.h"

namespace {

using namespace limber;
using namespace limber::cli;

using Contenders = std::vector<Contender>;

void append(Contenders& to, const Contenders& more) { to.insert(to.end(), more.begin(), more.end()); }

// Those that take any problem.
Contenders general_peers() {
  Contenders all;
#ifdef LIMBER_PEER_NLOPT
  append(all, peers::nlopt_contenders());
#endif
#ifdef LIMBER_PEER_CERES
  append(all, peers::ceres_contenders());
#endif
  return all;
}

Contenders arm_peers() {
  Contenders all;
#ifdef LIMBER_PEER_KDL
  append(all, peers::kdl_contenders());
#endif
  append(all, general_peers());
  return all;
}

Contenders human_peers() {
  Contenders all;
#ifdef LIMBER_PEER_SIMBODY
  append(all, peers::simbody_contenders());
#endif
  append(all, general_peers());
  return all;
}

int run(int argc, char** argv) {
  CLI::App app("Other solvers on the tasks of 'limber bench'.", "limber_peers");
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
    return app.exit(error) == 0 ? all_met : usage;
  }
  BenchRow all = BenchRow::object();
  for (const std::string& task : tasks) {
    const std::expected<Table, Failure> table =
        task == "arms" ? arms_table(options, arm_peers()) : human_table(options, human_peers());
    if (!table) return complain(table.error());
    all[task] = table->rows;
    if (json.empty()) print(*table);
  }
  if (!json.empty())
    if (const Expected<void> done = write_file(json, all.dump(2) + "\n"); !done)
      return complain(done.error(), file_trouble);
  return all_met;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber_peers: internal error: %s\n", error.what());
  }
  return internal;
}
