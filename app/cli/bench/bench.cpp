// limber bench: the tasks of the papers and of the field (app/cli/bench/task.h).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

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
    return refuse("--report " + folder, "what is no folder (" + error.message() + ")",
                  "a folder, or a name for a new one");
  return {};
}

int run(const BenchArguments& arguments) {
  if (!arguments.report.empty())
    if (const Expected<void> made = make_folder(arguments.report); !made) return complain(made.error(), file_trouble);
  std::vector<Table> tables;
  BenchRow all = BenchRow::object();
  for (const Task& task : bench_tasks) {
    if (std::find(arguments.tasks.begin(), arguments.tasks.end(), task.name) == arguments.tasks.end()) continue;
    std::optional<std::expected<Table, Failure>> table;
    {
      Progress progress(std::string("bench ") + task.name);
      table = task.run(arguments.task);
    }
    if (!*table) return complain(table->error());
    print(**table);
    all[task.name] = (*table)->rows;
    tables.push_back(std::move(**table));
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
                   "The folder with acclaim/, urdf/ and scene/; for scene/ also ../example/scene")
      ->capture_default_str();
  verb->add_option("--task", options->tasks, "Only these")->delimiter(',')->check(CLI::IsMember(task_names()));
  verb->add_flag("--quick", options->task.quick, "Fewer frames, poses and configurations: under a minute");
  verb->add_option("--json", options->json, "Write every number to this file");
  verb->add_option("--report", options->report, "Write a page with plots and tables to index.html in this folder");
  verb->footer(
      "Examples:\n"
      "  limber bench --quick                 from the root of the source tree\n"
      "  limber bench --task arms --json arms.json\n"
      "  limber bench --report build/bench    then open build/bench/index.html in a browser\n");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
