// limber prior: learns a pose prior from recorded motions.                                     W93 7.2, ZB94 section 12
#include "limber/figure/prior.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/format/figure/prior_file.h"
#include "limber/format/names.h"
#include "limber/motion/learn.h"
#include "limber/motion/retarget/retarget.h"

namespace limber::cli {

namespace {

struct PriorArguments {
  ContentOptions content;
  std::vector<std::string> files;
  std::string figure;  // carried over to this one; empty: as recorded
  std::string output;
  PriorOptions prior;
  bool independent = false;
};

// Digits beyond these say nothing about how a body stands.
PriorDescription rounded(PriorDescription prior) {
  const auto to = [](double value, double step) { return std::round(value / step) * step; };
  const double hundredth = radians(0.01);
  for (PriorTerm& term : prior.terms) {
    const double step = term.translates ? 1e-4 : hundredth;
    term.mean = to(term.mean, step);
    term.spread = std::fmax(step, to(term.spread, step));
  }
  prior.correlation = prior.correlation.unaryExpr([&](double c) { return to(c, 1e-3); });
  prior.up_spread = std::fmax(hundredth, to(prior.up_spread, hundredth));
  return prior;
}

std::expected<void, Failure> add_file(const PriorArguments& arguments, const std::string& file,
                                      const std::optional<Figure>& to, std::optional<PriorEstimate>& estimate) {
  ContentOptions options = arguments.content;
  options.file = file;
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->figure || content->clips.empty())
    return std::unexpected(Failure{{shown(file), "no motion", "a figure with a motion"}, scene_is_wrong});
  print_odd_places(shown(file), content->notes);
  const auto wrong = [&](const Diagnostic& why) {
    return std::unexpected(Failure{{shown(file) + ": " + why.where, why.found, why.expected}, scene_is_wrong});
  };
  const Expected<Figure> named = with_common_names(*content->figure);
  if (!named) return wrong(named.error());
  const Figure figure = to ? *to : with_mirror_pairs(*named);
  if (!estimate) estimate.emplace(figure);
  for (const Clip& clip : content->clips) {
    const int every = std::max(1, static_cast<int>(std::lround(1.0 / 30.0 / clip.frame_time)));
    const Expected<Clip> poses = to ? retargeted(*named, clip, *to, {.every = every}) : Expected<Clip>(clip);
    if (!poses) return wrong(poses.error());
    if (const Expected<void> added = estimate->add(figure, *poses); !added) return wrong(added.error());
  }
  return {};
}

int run(const PriorArguments& arguments) {
  std::optional<Figure> to;
  if (!arguments.figure.empty()) {
    std::expected<Figure, Failure> figure = named_figure(arguments.figure);
    if (!figure) return complain(figure.error());
    to = with_mirror_pairs(*figure);
  }
  std::optional<PriorEstimate> estimate;
  {
    Progress progress("prior", static_cast<long>(arguments.files.size()));
    for (const std::string& file : arguments.files) {
      if (const std::expected<void, Failure> added = add_file(arguments, file, to, estimate); !added)
        return complain(added.error());
      progress.step();
    }
  }
  PriorOptions options = arguments.prior;
  options.correlation = !arguments.independent;
  const Expected<PriorDescription> exact = estimate->prior(options);
  if (!exact) return complain(exact.error(), scene_is_wrong);
  const PriorDescription prior = rounded(*exact);
  if (arguments.output == "-") {
    std::fputs(write_prior(prior).c_str(), stdout);
    return all_met;
  }
  if (!arguments.output.empty()) {
    if (const Expected<void> done = write_file(arguments.output, write_prior(prior)); !done)
      return complain(done.error(), file_trouble);
    std::printf("%s: %zu parameters from %d poses\n", arguments.output.c_str(), prior.terms.size(), estimate->poses());
    return all_met;
  }
  std::printf("%-24s %10s %10s\n", "parameter", "mean", "spread");
  for (const PriorTerm& term : prior.terms) {
    const double unit = term.translates ? 1.0 : degrees(1.0);
    std::printf("%-24s %10s %10s %s\n", term.parameter.c_str(), to_text(unit * term.mean, 2).c_str(),
                to_text(unit * term.spread, 2).c_str(), term.translates ? "m" : "degrees");
  }
  return all_met;
}

}  // namespace

Verb add_prior(CLI::App& app) {
  auto options = std::make_shared<PriorArguments>();
  CLI::App* verb = app.add_subcommand("prior", "Learn a pose prior (which poses are usual) from motions");
  verb->add_option("MOTION", options->files, "Motions of figures with the same joints, or of any with --figure")
      ->required();
  verb->add_option("-o,--output", options->output,
                   "The prior to write, as JSON; - is standard output; default: print a table");
  verb->add_option("--figure", options->figure,
                   "Retarget the motions to this figure first: human, or a file with a figure");
  verb->add_flag("--independent", options->independent, "Ignore correlations between angles");
  verb->add_flag("--alike", options->prior.equal_motion_weights,
                 "All motions have the same total weight, whatever their length");
  verb->add_option("--trust", options->prior.trust, "Fraction of the correlations that is kept")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  add_content_options(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber prior 02_*.amc 05_11.amc -o walks.json       by joint name, symmetric left to right\n"
      "  limber prior 02_*.amc --figure human -o human.json  for another body\n"
      "  limber track 09.asf 09_06.amc --prior walks.json    use it");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
