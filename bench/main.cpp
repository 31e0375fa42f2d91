// limber-bench: runs the tasks of the benchmark (bench/task/task.h) and draws the plots of the documentation.
//
//   limber-bench [OPTIONS]                          measures; `limber bench` runs this
//   limber-bench postures-page DOC INSTRUCTIONS     writes DOC/postures.md; bench/make_page runs it
//   limber-bench size-plot NUMBERS SVG              draws doc/size.svg; bench/make_size_plot runs it
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/process.h"
#include "app/cli/progress.h"
#include "bench/report/postures_page.h"
#include "bench/report/report.h"
#include "bench/report/size_plot.h"
#include "bench/task/peers.h"
#include "bench/task/task.h"

namespace limber::bench {

namespace {

struct BenchArguments {
  TaskOptions task = {};
  std::vector<std::string> tasks = {};
  std::string json = {};
  std::string report = {};
  std::string peers = {};  // limber_peers; empty: the one beside this program
  bool no_peers = false;
};

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Task& task : bench_tasks) names.emplace_back(task.name);
  return names;
}

// The folder of the report, made before the long measurements, so that they are not in vain.
Expected<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    return reject("--report " + folder, "what is no folder (" + error.message() + ")",
                  "a folder, or a name for a new one");
  return {};
}

bool is_selected(const BenchArguments& arguments, const char* task) {
  return std::find(arguments.tasks.begin(), arguments.tasks.end(), task) != arguments.tasks.end();
}

// The program for solvers of other libraries, unless they are left out.
Expected<std::optional<std::string>> find_peers(const BenchArguments& arguments) {
  const bool wanted = std::any_of(std::begin(bench_tasks), std::end(bench_tasks), [&](const Task& task) {
    return has_peers(task.name) && is_selected(arguments, task.name);
  });
  if (arguments.no_peers) return std::nullopt;
  if (!arguments.peers.empty()) {
    if (const Expected<void> there = check_peers(arguments.peers); !there) return std::unexpected(there.error());
    return arguments.peers;
  }
  std::optional<std::string> found = cli::program_beside("limber_peers");
  if (wanted && !found)
    std::fputs("limber: note: no other solvers here; bench/peers/install installs them and builds what measures them\n",
               stderr);
  return found;
}

std::expected<Table, Failure> run_task(const Task& task, const BenchArguments& arguments,
                                       const std::optional<std::string>& peers) {
  const cli::Progress progress(std::string("bench ") + task.name);
  std::expected<Table, Failure> table = task.run(arguments.task);
  if (!table || !peers || !has_peers(task.name)) return table;
  const std::expected<std::vector<BenchRow>, Failure> rows = peer_rows(*peers, task.name, arguments.task);
  if (!rows) return std::unexpected(rows.error());
  table->rows.insert(table->rows.end(), rows->begin(), rows->end());
  return table;
}

std::expected<void, Failure> write(const std::string& path, const std::string& text) {
  const Expected<void> done = cli::write_file(path, text);
  if (!done) return std::unexpected(Failure{done.error(), cli::file_trouble});
  return {};
}

std::expected<void, Failure> measure(const BenchArguments& arguments) {
  const auto trouble = [](const Diagnostic& why) { return std::unexpected(Failure{why, cli::file_trouble}); };
  if (!arguments.report.empty())
    if (const Expected<void> made = make_folder(arguments.report); !made) return trouble(made.error());
  const Expected<std::optional<std::string>> peers = find_peers(arguments);
  if (!peers) return trouble(peers.error());
  std::vector<Table> tables;
  BenchRow all = BenchRow::object();
  for (const Task& task : bench_tasks) {
    if (!is_selected(arguments, task.name)) continue;
    std::expected<Table, Failure> table = run_task(task, arguments, *peers);
    if (!table) return std::unexpected(table.error());
    print(*table);
    std::fflush(stdout);  // the next task may take minutes
    all[task.name] = table->rows;
    tables.push_back(std::move(*table));
  }
  if (!arguments.json.empty())
    if (const auto done = write(arguments.json, all.dump(2) + "\n"); !done) return done;
  if (arguments.report.empty()) return {};
  const std::filesystem::path folder(arguments.report);
  for (const Table& table : tables)
    for (const BenchPicture& picture : table.pictures)
      if (const auto done = write((folder / picture.name).string(), picture.bytes); !done) return done;
  return write((folder / "index.html").string(), report_page(tables, arguments.task.quick));
}

void add_options(CLI::App& app, BenchArguments& arguments) {
  app.add_option("--data", arguments.task.data,
                 "The folder with acclaim/, bvh/, gltf/, urdf/ and scene/; for scene/ also ../example/scene")
      ->capture_default_str();
  app.add_option("--task", arguments.tasks, "Only these")->delimiter(',')->check(CLI::IsMember(task_names()));
  app.add_flag("--quick", arguments.task.quick, "Fewer frames, poses, iterations and configurations: under a minute");
  app.add_option("--json", arguments.json, "Write every number to this file");
  app.add_option("--report", arguments.report, "Write a page with plots and tables to index.html in this folder");
  CLI::Option* const peers =
      app.add_option("--peers", arguments.peers, "The program that measures other solvers; else the one beside limber");
  app.add_flag("--no-peers", arguments.no_peers, "Leave other solvers out")->excludes(peers);
  app.footer(
      "Examples:\n"
      "  limber bench --quick                 from the root of the source tree\n"
      "  limber bench --task arms --json arms.json\n"
      "  limber bench --report build/bench    then open build/bench/index.html in a browser\n");
}

int run(int argc, char** argv) {
  CLI::App app("Measures every method on the tasks of the papers and of the field.", "limber-bench");
  app.require_subcommand(0, 1);
  BenchArguments arguments;
  arguments.tasks = task_names();
  add_options(app, arguments);

  std::string doc, counts, numbers, svg;
  CLI::App* const page = app.add_subcommand("postures-page", "Write the page of the papers' postures");
  page->add_option("DOC", doc, "The folder of the page; its pictures go to DOC/picture")->required();
  page->add_option("INSTRUCTIONS", counts, "What bench/instructions printed")->required();
  CLI::App* const plot = app.add_subcommand("size-plot", "Draw cost against size");
  plot->add_option("NUMBERS", numbers, "What --task size --json NUMBERS wrote")->required();
  plot->add_option("SVG", svg, "The file to write")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    std::fprintf(stderr, "limber: %s\nSee 'limber bench --help'.\n", error.what());
    return cli::usage;
  }
  arguments.task.pictures = !arguments.report.empty();
  const std::expected<void, Failure> done = *page   ? write_postures_page(arguments.task.data, doc, counts)
                                            : *plot ? write_size_plot(numbers, svg)
                                                    : measure(arguments);
  return done ? cli::all_met : cli::complain(done.error());
}

}  // namespace

}  // namespace limber::bench

int main(int argc, char** argv) {
  try {
    return limber::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber: internal error: %s\n", error.what());
  }
  return limber::cli::internal;
}
