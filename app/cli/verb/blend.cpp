// limber blend: two motions of a figure, mixed or one after the other.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/motion_output.h"
#include "limber/base/number.h"
#include "limber/motion/clip_blend.h"

namespace limber::cli {

namespace {

struct BlendArguments {
  ContentOptions first, second;
  std::optional<double> fade, weight;
  std::string output, picture;
  bool as_recorded = false;
  bool quiet = false;
};

std::expected<LoadedContent, Failure> load_motion(const ContentOptions& options) {
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (content && (!content->figure || content->clips.empty()))
    return std::unexpected(Failure{{shown(options.file), "no motion", "a figure with a motion"}, scene_is_wrong});
  return content;
}

int run_blend(const BlendArguments& arguments) {
  if (const std::optional<Failure> why = wrong_output(arguments.output)) return complain(*why);
  const std::expected<LoadedContent, Failure> first = load_motion(arguments.first);
  if (!first) return complain(first.error());
  const std::expected<LoadedContent, Failure> second = load_motion(arguments.second);
  if (!second) return complain(second.error());
  const Figure& figure = *first->figure;
  if (!same_parameters(figure, *second->figure))
    return complain(
        {shown(arguments.second.file), "a figure with other joints than that of " + shown(arguments.first.file),
         "a motion of the same figure; limber retarget makes one"},
        scene_is_wrong);
  const Clip& a = first->clips[static_cast<std::size_t>(chosen_clip(*first, arguments.first))];
  const Clip& b = second->clips[static_cast<std::size_t>(chosen_clip(*second, arguments.second))];
  const Continuation continuation = arguments.as_recorded ? Continuation::as_recorded : Continuation::in_place;
  const Expected<Clip> mixed = arguments.weight ? blended(figure, a, b, *arguments.weight)
                                                : cross_faded(figure, a, b, *arguments.fade, continuation);
  if (!mixed) return complain(mixed.error(), scene_is_wrong);
  if (!arguments.quiet)
    std::printf("%d frames, %s s, of %s s and %s s\n", mixed->frames(), to_text(mixed->duration(), 3).c_str(),
                to_text(a.duration(), 3).c_str(), to_text(b.duration(), 3).c_str());
  MotionOutput output;
  std::expected<void, Failure> done = output.add_motions(arguments.output, *first, {*mixed});
  if (done)
    done = output.add_page(arguments.picture, figure, *mixed, nullptr, {},
                           shown(arguments.first.file) + " and " + shown(arguments.second.file));
  if (done) done = output.write(arguments.quiet);
  if (!done) return complain(done.error());
  return all_met;
}

}  // namespace

Verb add_blend(CLI::App& app) {
  auto options = std::make_shared<BlendArguments>();
  CLI::App* verb = app.add_subcommand("blend", "Mix two motions of a figure, or go over from one into the other");
  verb->add_option("FIRST", options->first.file, "A motion, with its figure; - is standard input")->required();
  verb->add_option("SECOND", options->second.file, "Another motion of the same figure")->required();
  verb->add_option("-o,--output", options->output, "Write the motion to this file; its ending determines the format")
      ->required();
  add_overwrite_option(*verb);
  CLI::Option* fade =
      verb->add_option("--fade", options->fade, "SECOND begins so many seconds before the end of FIRST");
  CLI::Option* weight =
      verb->add_option("--weight", options->weight, "Part of the way from FIRST to SECOND, 0 to 1, all the time")
          ->check(CLI::Range(0.0, 1.0));
  fade->check(CLI::PositiveNumber)->excludes(weight);
  verb->add_flag("--as-recorded", options->as_recorded, "--fade: do not move SECOND to where FIRST ends")->needs(fade);
  verb->add_option("--clip", options->first.clip, "The motion of FIRST, by name or number");
  verb->add_option("--second-clip", options->second.clip, "The motion of SECOND, by name or number");
  verb->add_option("--picture", options->picture, "Write a page with the motion, as SVG");
  verb->add_flag("-q,--quiet", options->quiet, "Say nothing");
  options->second.for_one_file = false;
  verb->callback([fade, weight] {
    if (fade->count() == 0 && weight->count() == 0) throw CLI::RequiredError("--fade or --weight");
  });
  verb->footer(
      "Examples:\n"
      "  limber blend walk.bvh run.bvh --fade 0.5 -o both.bvh      walks, then runs\n"
      "  limber blend walk.bvh limp.bvh --weight 0.3 -o tired.bvh  between the two\n"
      "\n"
      "With --fade, SECOND is turned and moved over the ground to continue FIRST. With --weight, it is played as\n"
      "slowly or as fast as to last as long as FIRST. Feet may slide: limber clean --feet holds them.\n"
      "\n"
      "Exit status: 0 done, 2 the command line is wrong, 3 a file is wrong, 4 it cannot be opened or written,\n"
      "5 internal error.");
  return [options] { return run_blend(*options); };
}

}  // namespace limber::cli
