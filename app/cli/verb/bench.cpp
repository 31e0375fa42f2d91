// limber bench: runs the program limber-bench (bench/), which is built separately from the command-line tool.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>

#include "app/cli/exit_code.h"
#include "app/cli/process.h"
#include "app/cli/verb.h"

namespace limber::cli {

Verb add_bench(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("bench", "Measure every method: runs limber-bench, with all its options");
  verb->prefix_command();
  verb->fallthrough(false);
  verb->set_help_flag();  // limber-bench has its own
  return [verb] {
    std::optional<std::string> program = program_beside("limber-bench");
    if (!program)
      return complain({"bench", "no program limber-bench beside limber",
                       "one that './run bench' or 'cmake --build build/release --target limber_bench' built"},
                      file_trouble);
    std::vector<std::string> words = verb->remaining();
    std::vector<char*> arguments = {program->data()};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    return complain({*program, std::strerror(errno), "a program that can be started"}, file_trouble);
  };
}

}  // namespace limber::cli
