// limber bench: the tasks of the papers and of the field (app/cli/bench/task.h), and other solvers on some of them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/bench/peers.h"
#include "app/cli/bench/report.h"
#include "app/cli/bench/task.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"

namespace limber::cli {

namespace {

struct BenchArguments {
  TaskOptions task = {};
  std::vector<std::string> tasks = {};
  std::string json = {};
  std::string report = {};
  std::string peers = {};  // limber_peers; empty: the one beside the tool
  bool no_peers = false;
};

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Task& task : bench_tasks) names.emplace_back(task.name);
  return names;
}

// The folder of the report. Made before anything is measured: that takes long, and should not be for nothing.
Expected<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    return reject("--report " + folder, "what is no folder (" + error.message() + ")",
                  "a folder, or a name for a new one");
  return {};
}

bool is_asked_for(const BenchArguments& arguments, const char* task) {
  return std::find(arguments.tasks.begin(), arguments.tasks.end(), task) != arguments.tasks.end();
}

// The program of the other solvers, where a task that they take is asked for and they are.
Expected<std::optional<std::string>> peers_for(const BenchArguments& arguments) {
  const bool wanted = std::any_of(std::begin(bench_tasks), std::end(bench_tasks), [&](const Task& task) {
    return has_peers(task.name) && is_asked_for(arguments, task.name);
  });
  if (arguments.no_peers) return std::nullopt;
  if (!arguments.peers.empty()) {
    if (const Expected<void> there = check_peers(arguments.peers); !there) return std::unexpected(there.error());
    return arguments.peers;
  }
  const std::optional<std::string> found = peers_beside_tool();
  if (wanted && !found)
    std::fputs("limber: note: no other solvers here; bench/peers/install installs them and builds what measures them\n",
               stderr);
  return found;
}

std::expected<Table, Failure> table_of(const Task& task, const BenchArguments& arguments,
                                       const std::optional<std::string>& peers) {
  const Progress progress(std::string("bench ") + task.name);
  std::expected<Table, Failure> table = task.run(arguments.task);
  if (!table || !peers || !has_peers(task.name)) return table;
  const std::expected<std::vector<BenchRow>, Failure> rows = peer_rows(*peers, task.name, arguments.task);
  if (!rows) return std::unexpected(rows.error());
  table->rows.insert(table->rows.end(), rows->begin(), rows->end());
  return table;
}

int run(const BenchArguments& arguments) {
  if (!arguments.report.empty())
    if (const Expected<void> made = make_folder(arguments.report); !made) return complain(made.error(), file_trouble);
  const Expected<std::optional<std::string>> peers = peers_for(arguments);
  if (!peers) return complain(peers.error(), file_trouble);
  std::vector<Table> tables;
  BenchRow all = BenchRow::object();
  for (const Task& task : bench_tasks) {
    if (!is_asked_for(arguments, task.name)) continue;
    std::expected<Table, Failure> table = table_of(task, arguments, *peers);
    if (!table) return complain(table.error());
    print(*table);
    std::fflush(stdout);  // the next task may take minutes
    all[task.name] = table->rows;
    tables.push_back(std::move(*table));
  }
  if (!arguments.json.empty())
    if (const Expected<void> done = write_file(arguments.json, all.dump(2) + "\n"); !done)
      return complain(done.error(), file_trouble);
  if (!arguments.report.empty())
    if (const Expected<void> done = write_file((std::filesystem::path(arguments.report) / "index.html").string(),
                                               report_page(tables, arguments.task.quick));
        !done)
      return complain(done.error(), file_trouble);
  return all_met;
}

}  // namespace

Verb add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchArguments>();
  options->tasks = task_names();
  CLI::App* verb = app.add_subcommand("bench", "Measure every method on the tasks of the papers and of the field");
  verb->add_option("--data", options->task.data,
                   "The folder with acclaim/, bvh/, gltf/, urdf/ and scene/; for scene/ also ../example/scene")
      ->capture_default_str();
  verb->add_option("--task", options->tasks, "Only these")->delimiter(',')->check(CLI::IsMember(task_names()));
  verb->add_flag("--quick", options->task.quick, "Fewer frames, poses and configurations: under a minute");
  verb->add_option("--json", options->json, "Write every number to this file");
  verb->add_option("--report", options->report, "Write a page with plots and tables to index.html in this folder");
  CLI::Option* const peers = verb->add_option("--peers", options->peers,
                                              "The program that measures other solvers; else the one beside limber");
  verb->add_flag("--no-peers", options->no_peers, "Leave other solvers out")->excludes(peers);
  verb->footer(
      "Examples:\n"
      "  limber bench --quick                 from the root of the source tree\n"
      "  limber bench --task arms --json arms.json\n"
      "  limber bench --report build/bench    then open build/bench/index.html in a browser\n");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
