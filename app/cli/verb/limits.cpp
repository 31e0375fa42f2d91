// limber limits: joint limits estimated from motion.                                              EE09's reference [10]
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/motion/learn.h"

namespace limber::cli {

namespace {

struct LimitArguments {
  ContentOptions content;
  std::vector<std::string> files;
  std::string output;
  LimitOptions limits;
};

int run(const LimitArguments& arguments) {
  std::optional<Content> first;
  std::optional<LimitEstimate> estimate;
  for (const std::string& file : arguments.files) {
    ContentOptions options = arguments.content;
    options.file = file;
    std::expected<LoadedContent, Failure> content = load_content(options);
    if (!content) return complain(content.error());
    if (!content->figure || content->clips.empty())
      return complain({shown(file), "no motion", "a figure with a motion"}, scene_is_wrong);
    print_odd_places(shown(file), content->notes);
    if (!first) {
      estimate.emplace(*content->figure);
      first = *content;
    } else if (!same_parameters(*first->figure, *content->figure)) {
      return complain({shown(file), "other joints than in " + shown(arguments.files.front()),
                       "motions of figures with the same joints"},
                      scene_is_wrong);
    }
    for (const Clip& clip : content->clips) estimate->add(clip);
  }
  const Expected<Figure> figure = estimate->figure(arguments.limits);
  if (!figure) return complain(figure.error(), scene_is_wrong);
  if (arguments.output.empty()) {
    for (const Parameter& parameter : figure->parameters()) {
      if (!std::isfinite(parameter.range.lower) || !std::isfinite(parameter.range.upper)) continue;
      const double unit = parameter.translates ? 1.0 : degrees(1.0);
      std::printf("%-24s %10s %10s %s\n", parameter.name.c_str(), to_text(unit * parameter.range.lower, 2).c_str(),
                  to_text(unit * parameter.range.upper, 2).c_str(), parameter.translates ? "m" : "degrees");
    }
    return all_met;
  }
  first->figure = *figure;
  first->asset = nullptr;
  const Expected<WrittenFiles> written = write_content(*first, {}, arguments.output);
  if (!written) return complain(written.error(), scene_is_wrong);
  if (const Expected<void> done = write_files(written->files); !done) return complain(done.error(), file_trouble);
  print_notes(arguments.output, written->notes, stderr);
  std::printf("%s: limits from %d poses\n", arguments.output.c_str(), estimate->poses());
  return all_met;
}

std::string no_part(const std::string& text) {
  const std::optional<double> value = to_number(text);
  return value && *value >= 0.0 && *value < 50.0 ? "" : "found " + text + "; expected a percentage from 0 to below 50";
}

}  // namespace

Verb add_limits(CLI::App& app) {
  auto options = std::make_shared<LimitArguments>();
  auto outliers = std::make_shared<double>(0.0);
  auto margin = std::make_shared<double>(5.0);
  CLI::App* verb =
      app.add_subcommand("limits", "Estimate joint limits from motions, and write the figure with these limits");
  verb->add_option("MOTION", options->files, "Motions of one figure; the skeleton of an AMC file is found beside it")
      ->required();
  verb->add_option("-o,--output", options->output,
                   "The figure to write: .json, .asf or .scr; default: print the limits");
  verb->add_option("--margin", *margin, "Percentage of the sampled range to add at either end")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  verb->add_option("--outliers", *outliers, "Percentage of the poses to drop at either end")
      ->check(no_part)
      ->capture_default_str();
  verb->add_flag("--with-root", options->limits.with_root, "Estimate limits of the root as well");
  add_content_options(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber limits 02_01.amc 02_03.amc                          print the limits\n"
      "  limber limits 02_*.amc -o 02_limited.asf --outliers 0.1    write a skeleton with the limits");
  return [options, margin, outliers] {
    options->limits.margin = *margin / 100.0;
    options->limits.outliers = *outliers / 100.0;
    return run(*options);
  };
}

}  // namespace limber::cli
