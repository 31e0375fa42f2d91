// limber check: checks whether files can be read, and reports errors and oddities.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/format/text/json.h"

namespace limber::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  ContentOptions content;
  bool json = false;
};

struct Checked {
  std::string file;
  std::optional<Failure> failure;
  std::vector<Note> notes;
};

Checked check(ContentOptions options, const std::string& file) {
  const Expected<std::string> bytes = read_file(file);
  if (!bytes) return {file, Failure{bytes.error(), file_trouble}, {}};
  if (is_scene(*bytes)) {
    const std::expected<Loaded, Failure> scene = load_scene(*bytes, file);
    if (!scene) return {file, scene.error(), {}};
    const std::optional<Diagnostic> why = wrong_start(scene->problem, scene->scene.pose, file);
    return {file, why ? std::optional(Failure{*why, scene_is_wrong}) : std::nullopt, {}};
  }
  options.file = file;
  if (!needs_skeleton(file)) options.skeleton.clear();
  std::expected<LoadedContent, Failure> content = load_content(options, *bytes);
  if (!content) return {file, content.error(), {}};
  std::optional<Failure> failure;
  if (content->figure)
    if (const auto why = wrong_start(Problem(*content->figure), content->figure->rest(), file))
      failure = Failure{*why, scene_is_wrong};
  return {file, failure, std::move(content->notes)};
}

std::string as_json(const std::vector<Checked>& all) {
  JsonWriter out;
  out.begin_array();
  for (const Checked& one : all) {
    out.begin_object().member("file", shown(one.file)).member("ok", !one.failure);
    out.key("diagnostics").begin_array();
    if (one.failure) {
      const Diagnostic& error = one.failure->why;
      out.begin_object().member("severity", "error");
      if (error.line > 0) out.member("line", double(error.line)).member("column", double(error.column));
      out.member("where", error.where).member("found", error.found).member("expected", error.expected).end();
    }
    for (const Note& note : one.notes) {
      out.begin_object().member("severity", "note");
      if (note.line > 0) out.member("line", double(note.line)).member("column", double(note.column));
      out.member("text", note.text).end();
    }
    out.end().end();
  }
  out.end();
  return out.take();
}

int run(const CheckOptions& options) {
  if (!options.content.skeleton.empty() && std::ranges::none_of(options.files, needs_skeleton))
    return complain(without_effect("--skeleton", "no AMC file among the files", "one, which has no skeleton"));
  std::vector<Checked> all;
  for (const std::string& file : options.files) all.push_back(check(options.content, file));
  int status = all_met;
  for (const Checked& one : all)
    if (one.failure) status = std::max(status, one.failure->exit_code);
  if (options.json) {
    std::fputs(as_json(all).c_str(), stdout);
    return status;
  }
  for (const Checked& one : all) {
    if (one.failure) std::printf("%s\n", one.failure->why.text().c_str());
    print_notes(one.file, one.notes, stdout);
    if (!one.failure) std::printf("%s: ok%s\n", shown(one.file).c_str(), one.notes.empty() ? "" : ", with notes");
  }
  return status;
}

}  // namespace

Verb add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  options->content.for_one_file = false;
  CLI::App* verb = app.add_subcommand("check", "Check whether files can be read; report errors and anything unusual");
  verb->add_option("FILE", options->files, "Files of any kind; - is standard input")->required();
  verb->add_flag("--json", options->json, "Print JSON");
  add_content_options(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber check *.bvh\n"
      "  limber check *.amc --skeleton 02.asf\n"
      "  limber check character.glb --json\n"
      "\n"
      "Exit status: 0 all can be read, 2 the command line is wrong, 3 one is wrong, 4 one cannot be opened,\n"
      "5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
