// limber: the command-line tool. One file per verb; this one reads the command line and keeps every exception
// from the user.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/time_limit.h"
#include "app/cli/verb.h"

namespace {

using namespace limber::cli;

// Of --time-limit, in seconds.
constexpr double min_time_limit = 0.01, max_time_limit = 1e9;

constexpr const char* footer =
    "Examples:\n"
    "  limber solve reach.json -o posed.json\n"
    "  limber draw posed.json -o posed.svg\n"
    "  limber info walk.bvh\n"
    "  limber convert walk.amc walk.glb\n"
    "  limber solve --help\n"
    "\n"
    "Exit status:\n"
    "  0  success; for a scene: all constraints are met\n"
    "  1  solved, but not all constraints are met\n"
    "  2  the command line is wrong\n"
    "  3  a scene or another file is wrong\n"
    "  4  a file cannot be read or written\n"
    "  5  internal error: please report it\n"
    "  6  a motion on another figure that looks different: its limbs do not follow the recorded ones\n"
    "\n"
    "doc/scene.md describes scenes, doc/formats.md all other files.";

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

// The first word if it is not a verb; else empty.
std::string unknown_verb(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  const std::vector<std::string> names = verbs_of(app);
  return word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end() ? "" : word;
}

int answer(const CLI::App& app, const CLI::ParseError& error, const std::string& unknown) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);  // help, version
  if (!unknown.empty()) {
    std::string names;
    for (const std::string& name : verbs_of(app)) names += (names.empty() ? "" : ", ") + name;
    std::fprintf(stderr, "limber: command line: found the command '%s'; expected one of %s\nSee 'limber --help'.\n",
                 unknown.c_str(), names.c_str());
    return usage;
  }
  const CLI::App* verb = &app;
  for (const CLI::App* chosen : app.get_subcommands()) verb = chosen;
  const std::string call = verb == &app ? "limber" : "limber " + verb->get_name();
  std::fprintf(stderr, "limber: %s\nSee '%s --help'.\n", error.what(), call.c_str());
  return usage;
}

int run(int argc, char** argv) {
  CLI::App app("Limber poses articulated figures by inverse kinematics.", "limber");
  app.set_version_flag("--version", "limber " LIMBER_VERSION);
  app.require_subcommand(1);
  app.footer(footer);
  app.fallthrough();  // so that options of all verbs may come after the verb
  app.add_flag_callback("--allow-outside", allow_outside,
                        "Files may name others outside their own folder: absolute paths and '..'");
  double seconds = std::numeric_limits<double>::infinity();
  app.add_option("--time-limit", seconds, "Stop after so many seconds, with the best so far where there is one")
      ->check(CLI::Range(min_time_limit, max_time_limit))
      ->option_text("SECONDS");
  const std::pair<const char*, Verb> verbs[] = {
      {"solve", add_solve(app)}, {"draw", add_draw(app)},         {"info", add_info(app)},
      {"roles", add_roles(app)}, {"convert", add_convert(app)},   {"check", add_check(app)},
      {"track", add_track(app)}, {"attach", add_attach(app)},     {"animate", add_animate(app)},
      {"clean", add_clean(app)}, {"retarget", add_retarget(app)}, {"limits", add_limits(app)},
      {"prior", add_prior(app)}, {"reach", add_reach(app)},       {"assess", add_assess(app)},
      {"blend", add_blend(app)}, {"edit", add_edit(app)},         {"bench", add_bench(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer(app, error, unknown_verb(app, argc, argv));
  }
  int status = internal;
  {
    const TimeLimit limit(seconds);
    for (const auto& [name, verb] : verbs)
      if (app.got_subcommand(name)) status = verb();
  }
  if (time_is_over()) std::fprintf(stderr, "limber: note: stopped after %g s, as --time-limit says\n", seconds);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  std::fputs("limber: standard output: found what cannot be written to; expected a file or a terminal\n", stderr);
  return file_trouble;
}

}  // namespace

int main(int argc, char** argv) {
  // Where memory runs out in a function that may not throw.
  std::set_terminate([] {
    std::fputs("limber: internal error: out of memory, or a function that failed\n", stderr);
    std::_Exit(internal);
  });
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("limber: internal error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber: internal error: %s\n", error.what());
  } catch (...) {
    std::fputs("limber: internal error\n", stderr);
  }
  return internal;
}
