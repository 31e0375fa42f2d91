#include "app/cli/verb.h"

#include <cstdio>
#include <filesystem>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/file_kind.h"
#include "app/cli/progress.h"
#include "app/cli/time_limit.h"
#include "limber/figure/join.h"
#include "limber/format/names.h"
#include "limber/format/text/json.h"
#include "limber/solver/solve.h"

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

std::expected<Figure, Failure> load_figure(const std::string& path) {
  const std::expected<LoadedContent, Failure> content =
      load_content({.file = path, .takes_scenes = false});  // else one that names itself would never end
  if (!content) return std::unexpected(content.error());
  const auto wrong = [](const Diagnostic& why) { return std::unexpected(Failure{why, scene_is_wrong}); };
  if (!content->figure) return wrong({path, "markers without a figure", "a file with a figure"});
  Expected<Figure> figure = with_common_names(*content->figure);
  if (!figure) return wrong(figure.error());
  return std::move(*figure);
}

// What a file is that cannot be a scene, and what to do with it. Nothing if its errors are best told by the reader of
// scenes.
std::optional<Diagnostic> no_scene(const std::string& text, const std::string& path) {
  constexpr std::string_view before = "\xEF\xBB\xBF \t\r\n";
  const std::string wanted = "a scene in JSON";
  const std::size_t start = text.find_first_not_of(before);
  if (start == std::string::npos) return Diagnostic{shown(path), "an empty file", wanted};
  const std::optional<KnownFile> known = known_file(text, path);
  if (known && known->kind != KnownKind::scene) return misplaced(*known, path, wanted);
  if (known || text[start] == '{' || text[start] == '[') return std::nullopt;
  return Diagnostic{shown(path), "a file of an unknown kind", wanted};
}

}  // namespace

int complain(const Diagnostic& diagnostic, int exit_code) {
  std::fprintf(stderr, "limber: %s\n", diagnostic.text().c_str());
  return exit_code;
}

std::expected<Loaded, Failure> load_scene(const std::string& text, const std::string& path, const std::string& figure,
                                          const std::string& root) {
  int status = scene_is_wrong;  // or that of the figure's file
  const auto wrong = [&](const Diagnostic& why) { return std::unexpected(Failure{why, status}); };
  const FigureLoader load = [&](const std::string& file) -> Expected<Figure> {
    const Expected<std::string> place = path_beside(path, file);
    if (!place) return std::unexpected(place.error());
    std::expected<Figure, Failure> own = load_figure(*place);
    if (own) return std::move(*own);
    status = own.error().exit_code;
    return std::unexpected(own.error().why);
  };
  std::optional<SourcedFigure> instead;
  if (!figure.empty() && has_several_figures(text))
    return std::unexpected(without_effect("--figure", shown(path) + ", a scene of several figures",
                                          "a scene of one figure, to pose another in its place"));
  if (!figure.empty()) {
    std::expected<Figure, Failure> other = load_figure(figure);
    if (!other) return std::unexpected(other.error());
    instead =
        SourcedFigure{std::move(*other), FileFigure{fs::proximate(figure, fs::absolute(path).parent_path()).string()}};
  }
  if (const std::optional<Diagnostic> other = no_scene(text, path)) return wrong(*other);
  Expected<Scene> scene = read_scene(text, shown(path), load, instead ? &*instead : nullptr);
  if (!scene) return wrong(scene.error());
  if (!root.empty()) scene = hung_from(*scene, root);
  if (!scene) return std::unexpected(Failure{{"--root", scene.error().found, scene.error().expected}, usage});
  Expected<Problem> problem = problem_of(*scene);
  if (!problem) return wrong(problem.error());
  return Loaded{std::move(*scene), std::move(*problem)};
}

std::expected<Loaded, Failure> load_scene_file(const std::string& path, const std::string& figure,
                                               const std::string& root) {
  const Expected<std::string> text = read_file(path);
  if (!text) return std::unexpected(Failure{text.error(), file_trouble});
  return load_scene(*text, path, figure, root);
}

bool is_scene(std::string_view text) {
  if (text.find("\"limber\"") == std::string_view::npos) return false;
  JsonDocument document(text, "");
  const JsonValue root = document.root();
  return root.is(JsonKind::object) && root["limber"].is(JsonKind::text) && root["limber"].text().starts_with("scene");
}

bool has_several_figures(std::string_view text) {
  if (!is_scene(text)) return false;
  JsonDocument document(text, "");
  const JsonValue root = document.root();
  return root["figures"].exists() || root["figure"]["figures"].exists();
}

std::optional<Diagnostic> wrong_start(const Problem& problem, Pose pose, const std::string& path) {
  const Report report = solve(problem, pose, {.iterations = 1, .restarts = 0});
  if (report.exit != Exit::rejected && report.exit != Exit::infeasible && report.exit != Exit::not_finite)
    return std::nullopt;
  Diagnostic reason =
      report.rejection.value_or(Diagnostic{"problem", name_of(report.exit), "a problem that can be solved"});
  reason.where = shown(path) + ": " + reason.where;
  return reason;
}

std::expected<std::pair<Figure, Clip>, Failure> motion_of_part(const Figure& figure, const Clip& clip,
                                                               const std::string& path, const std::string& name) {
  const FigurePart* part = find_part(figure, name);
  std::string known;
  for (const FigurePart& one : figure.parts()) known += (known.empty() ? "" : ", ") + one.name;
  if (!part)
    return std::unexpected(without_effect("--figure",
                                          known.empty() ? shown(path) + ", which has one figure" : "'" + name + "'",
                                          known.empty() ? "a scene of several figures" : "one of " + known));
  Expected<Figure> alone = placed_at(part->figure, part->X_world_figure);
  if (!alone) return std::unexpected(Failure{alone.error(), scene_is_wrong});
  Clip own = clip;
  own.poses = clip.poses.middleRows(part->parameter_begin, part->parameter_end - part->parameter_begin).eval();
  return std::pair(std::move(*alone), std::move(own));
}

std::expected<PartAlone, Failure> part_alone(const Scene& scene, const std::string& path, const std::string& name) {
  std::expected<std::pair<Figure, Clip>, Failure> motion =
      motion_of_part(scene.figure, Clip{.poses = scene.pose.theta}, path, name);
  if (!motion) return std::unexpected(motion.error());
  return PartAlone{std::move(motion->first), motion->second.pose(0)};
}

namespace {

void move_source(FigureSource& source, const std::string& from, const std::string& to) {
  if (JoinedFigures* const joined = std::get_if<JoinedFigures>(&source))
    for (SourcedPart& part : joined->parts) move_source(part.source, from, to);
  FileFigure* const own = std::get_if<FileFigure>(&source);
  if (!own || fs::path(own->file).is_absolute()) return;
  const fs::path file = fs::absolute(from).parent_path() / own->file;
  own->file = fs::proximate(file, fs::absolute(to).parent_path()).string();
}

}  // namespace

void move_scene(Scene& scene, const std::string& from, const std::string& to) { move_source(scene.source, from, to); }

std::expected<Report, Failure> solve_scene(Loaded& loaded, const std::string& path) {
  const Progress progress("solving " + shown(path));
  Options options = loaded.scene.options;
  if (has_time_limit()) options.observer = [](const limber::Progress&) { return !time_is_over(); };
  Report report = solve(loaded.problem, loaded.scene.pose, options);
  if (report.exit != Exit::rejected && report.exit != Exit::infeasible && report.exit != Exit::not_finite)
    return report;
  Diagnostic reason =
      report.rejection.value_or(Diagnostic{"problem", name_of(report.exit), "a problem that can be solved"});
  reason.where = shown(path) + ": " + reason.where;
  return std::unexpected(Failure{reason, scene_is_wrong});
}

}  // namespace limber::cli
