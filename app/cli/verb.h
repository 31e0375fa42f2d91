// The verbs of the tool. Each adds its subcommand and gives what to do when it is called: a function that
// returns the exit status.
#pragma once

#include <functional>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/format/scene.h"
#include "limber/solver/report.h"

namespace CLI {
class App;
}

namespace limber::cli {

using Verb = std::function<int()>;

Verb add_solve(CLI::App& app);
Verb add_draw(CLI::App& app);

// --- What verbs share
// ---------------------------------------------------------------------------------------

// Prints the mistake on standard error and gives back the exit status.
int complain(const Diagnostic& diagnostic, int exit_code);

// A scene from a file, and its problem; or the exit status, after the complaint.
struct Loaded {
  Scene scene;
  Problem problem;
};
std::expected<Loaded, int> load(const std::string& path);

// Solves the scene's problem from its pose and leaves the answer there; complains where nothing could be
// solved.
std::expected<Report, int> solve_scene(Loaded& loaded, const std::string& path);

}  // namespace limber::cli
