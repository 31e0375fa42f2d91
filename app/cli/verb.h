// The verbs of the command-line tool. Each adds its subcommand and returns what to do when it is called: a function
// that returns the exit status.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "limber/base/diagnostic.h"
#include "limber/document/scene/scene.h"
#include "limber/motion/clip.h"
#include "limber/solver/report.h"

namespace CLI {
class App;
}

namespace limber::cli {

using Verb = std::function<int()>;

Verb add_solve(CLI::App& app);
Verb add_draw(CLI::App& app);
Verb add_info(CLI::App& app);
Verb add_roles(CLI::App& app);
Verb add_convert(CLI::App& app);
Verb add_check(CLI::App& app);
Verb add_track(CLI::App& app);
Verb add_attach(CLI::App& app);
Verb add_animate(CLI::App& app);
Verb add_blend(CLI::App& app);
Verb add_edit(CLI::App& app);
Verb add_clean(CLI::App& app);
Verb add_retarget(CLI::App& app);
Verb add_limits(CLI::App& app);
Verb add_prior(CLI::App& app);
Verb add_assess(CLI::App& app);
Verb add_reach(CLI::App& app);
Verb add_bench(CLI::App& app);

// --- What verbs share
// ---------------------------------------------------------------------------------------

// What went wrong, and the exit status for it.
struct Failure {
  Diagnostic why;
  int exit_code;
};

// Prints the mistake on standard error and gives back the exit status.
int complain(const Diagnostic& diagnostic, int exit_code);
inline int complain(const Failure& failure) { return complain(failure.why, failure.exit_code); }

// A scene, and its problem. A figure in a file of its own is looked for from the scene's folder on. With `figure`, the
// path of such a file, that one is posed in place of the scene's own; with `root`, it is hung from that place.
struct Loaded {
  Scene scene;
  Problem problem;
};
std::expected<Loaded, Failure> load_scene(const std::string& text, const std::string& path,
                                          const std::string& figure = "", const std::string& root = "");
std::expected<Loaded, Failure> load_scene_file(const std::string& path, const std::string& figure = "",
                                               const std::string& root = "");

// Whether a text is a scene, and not a figure or some other file; and whether it has several figures.
bool is_scene(std::string_view text);
bool has_several_figures(std::string_view text);

// One of several figures by itself, where it stands, and its pose.
struct PartAlone {
  Figure figure;
  Pose pose;
};
std::expected<PartAlone, Failure> part_alone(const Scene& scene, const std::string& path, const std::string& name);
// The motion of one of them, with its figure.
std::expected<std::pair<Figure, Clip>, Failure> motion_of_part(const Figure& figure, const Clip& clip,
                                                               const std::string& path, const std::string& name);

// The path of a figure's file is relative to the scene's folder; rewrites it for a scene in another folder.
void move_scene(Scene& scene, const std::string& from, const std::string& to);

// Why a solve cannot start: limits that contradict each other, numbers that are not finite.
std::optional<Diagnostic> wrong_start(const Problem& problem, Pose pose, const std::string& path);

// Solves the scene's problem from its pose and leaves the answer there.
std::expected<Report, Failure> solve_scene(Loaded& loaded, const std::string& path);

}  // namespace limber::cli
