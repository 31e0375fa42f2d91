#include "bench/task/peers.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/process.h"

namespace limber::bench {

bool has_peers(std::string_view task) {
  return std::find(std::begin(tasks_with_peers), std::end(tasks_with_peers), task) != std::end(tasks_with_peers);
}

Expected<void> check_peers(const std::string& program) {
  if (cli::is_program(program)) return {};
  return reject("--peers", "no program '" + program + "'", "the path of limber_peers");
}

std::expected<std::vector<BenchRow>, Failure> peer_rows(const std::string& program, const std::string& task,
                                                        const TaskOptions& options) {
  namespace fs = std::filesystem;
  const auto wrong = [](const Diagnostic& why) { return std::unexpected(Failure{why, cli::file_trouble}); };
  const Expected<cli::PrivateFolder> folder = cli::PrivateFolder::make();
  if (!folder) return wrong(folder.error());
  const std::string rows = (fs::path(folder->path()) / "rows.json").string();
  // Absolute paths: it runs in the folder.
  std::vector<std::string> words = {fs::absolute(program).string(),      "--task", task, "--data",
                                    fs::absolute(options.data).string(), "--json", rows};
  if (options.quick) words.emplace_back("--quick");
  if (const Expected<void> ran = cli::run_program(std::move(words), folder->path()); !ran) return wrong(ran.error());
  const Expected<std::string> text = cli::read_file(rows);
  if (!text) return wrong(text.error());
  const BenchRow all = BenchRow::parse(*text, nullptr, false);
  if (!all.is_object() || !all.contains(task) || !all[task].is_array())
    return wrong({program, "no rows for " + task, "those of limber_peers of the same version"});
  return std::vector<BenchRow>(all[task].begin(), all[task].end());
}

}  // namespace limber::bench
