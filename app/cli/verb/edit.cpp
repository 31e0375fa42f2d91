// limber edit: a range of a motion copied, deleted, stretched, moved in time, reversed or mirrored.          W93 6.1.2
#include "limber/motion/edit.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/motion_output.h"
#include "limber/base/number.h"
#include "limber/format/names.h"
#include "limber/motion/sequence.h"

namespace limber::cli {

namespace {

struct EditArguments {
  ContentOptions content;
  std::optional<double> from, to;  // seconds
  std::optional<double> copy_to, stretch, slide;
  bool erase = false, reverse = false, mirror = false, in_place = false;
  std::string output, picture;
  bool quiet = false;
};

// In frames: files round the time from one frame to the next.
constexpr double rounding = 0.01;

// The time of the nearest frame.
double snapped(double time, const Clip& clip) { return std::round(time / clip.frame_time) * clip.frame_time; }

Expected<KeyRange> range_of(const EditArguments& arguments, const Clip& clip) {
  const double from = arguments.from.value_or(0.0), to = arguments.to.value_or(clip.duration());
  const int first = static_cast<int>(std::ceil(from / clip.frame_time - rounding));
  const int last = static_cast<int>(std::floor(to / clip.frame_time + rounding));
  if (first < 0 || last < first || last >= clip.frames())
    return reject("range", to_text(from) + " s to " + to_text(to) + " s",
                  "times from 0 to " + to_text(clip.duration(), 3) + " s with a frame between them");
  return KeyRange{first, last - first + 1};
}

// Every frame is a key; between them a motion is straight.
Expected<Sequence> keys_of(const Figure& figure, const Clip& clip) {
  std::vector<Key> keys;
  keys.reserve(static_cast<std::size_t>(clip.frames()));
  for (int k = 0; k < clip.frames(); ++k)
    keys.push_back(
        {.time = k * clip.frame_time, .pose = clip.pose(k), .style = {.interpolation = Interpolation::linear}});
  return Sequence::make(figure, std::move(keys));
}

Expected<Edit> edit_of(const EditArguments& arguments, const Clip& clip, const Sequence& keys, const KeyRange& range) {
  const Later later = arguments.in_place ? Later::stay : Later::move;
  if (arguments.copy_to) {
    const Expected<std::vector<Key>> copied = copy(keys, range);
    if (!copied) return std::unexpected(copied.error());
    return paste(keys, *copied, snapped(*arguments.copy_to, clip), later);
  }
  if (arguments.erase) return erase(keys, range, later);
  if (arguments.stretch)
    return stretch(keys, range, *arguments.stretch, keys.keys()[static_cast<std::size_t>(range.first)].time);
  if (arguments.slide) return slide(keys, range, snapped(*arguments.slide, clip), later);
  return arguments.reverse ? reverse(keys, range) : mirror(keys, range);
}

Expected<Clip> edited(const EditArguments& arguments, const Figure& figure, const Clip& clip) {
  const Expected<KeyRange> range = range_of(arguments, clip);
  if (!range) return std::unexpected(range.error());
  const Expected<Sequence> keys = keys_of(figure, clip);
  if (!keys) return std::unexpected(keys.error());
  const Expected<Edit> edit = edit_of(arguments, clip, *keys, *range);
  if (!edit) return std::unexpected(edit.error());
  const Expected<Sequence> after = apply(*keys, *edit);
  if (!after) return std::unexpected(after.error());
  Expected<Clip> made = sampled(*after, clip.frame_time);
  if (made) made->name = clip.name;
  return made;
}

int run_edit(const EditArguments& arguments) {
  if (const std::optional<Failure> why = wrong_output(arguments.output)) return complain(*why);
  const std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  const std::string path = shown(arguments.content.file);
  if (!content->figure || content->clips.empty())
    return complain({path, "no motion", "a figure with a motion"}, scene_is_wrong);
  const Clip& clip = content->clips[static_cast<std::size_t>(chosen_clip(*content, arguments.content))];
  // Most files name left and right, and no pairs.
  const Figure figure = arguments.mirror ? with_mirror_pairs(*content->figure, content->roles()) : *content->figure;
  const Expected<Clip> made = edited(arguments, figure, clip);
  if (!made)
    return complain({path + ": " + made.error().where, made.error().found, made.error().expected}, scene_is_wrong);
  if (!arguments.quiet)
    std::printf("%d frames, %s s, of %s s\n", made->frames(), to_text(made->duration(), 3).c_str(),
                to_text(clip.duration(), 3).c_str());
  std::vector<Clip> clips = {*made};
  if (arguments.content.clip.empty()) {  // the others stay
    clips = content->clips;
    clips.front() = *made;
  }
  MotionOutput output;
  std::expected<void, Failure> done = output.add_motions(arguments.output, *content, clips);
  if (done) done = output.add_page(arguments.picture, *content->figure, *made, &clip, {}, path);
  if (done) done = output.write(arguments.quiet);
  if (!done) return complain(done.error());
  return all_met;
}

}  // namespace

Verb add_edit(CLI::App& app) {
  auto options = std::make_shared<EditArguments>();
  CLI::App* verb = app.add_subcommand("edit", "Copy, delete, stretch, slide, reverse or mirror a range of a motion");
  verb->add_option("FILE", options->content.file, "A motion, with its figure; - is standard input")->required();
  verb->add_option("MOTION", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_option("-o,--output", options->output, "Write the motion to this file; its ending determines the format")
      ->required();
  add_overwrite_option(*verb);
  verb->add_option("--from", options->from, "Start of the range, in seconds [the first frame]");
  verb->add_option("--to", options->to, "End of the range, in seconds [the last frame]");
  CLI::Option_group* what = verb->add_option_group("what", "What to do with the range");
  what->add_option("--copy-to", options->copy_to, "Insert a copy of it at this time; what follows moves later");
  what->add_flag("--delete", options->erase, "Delete it; what follows moves up");
  what->add_option("--stretch", options->stretch, "Multiply its duration; what follows moves along");
  what->add_option("--slide", options->slide, "Move it by so many seconds, and what follows along");
  what->add_flag("--reverse", options->reverse, "Play it backwards");
  what->add_flag("--mirror", options->mirror, "Exchange left and right");
  what->require_option(1);
  verb->add_flag("--in-place", options->in_place,
                 "--copy-to, --delete, --slide: what follows keeps its time; a copy replaces what is there");
  add_content_options(*verb, options->content);
  add_roles_option(*verb, options->content);
  add_clip_option(*verb, options->content);
  verb->add_option("--picture", options->picture, "Write a page with both motions, as SVG");
  verb->add_flag("-q,--quiet", options->quiet, "Say nothing");
  verb->footer(
      "Examples:\n"
      "  limber edit walk.bvh --from 1 --to 2 --copy-to 2 -o longer.bvh    the second from 1 to 2 twice\n"
      "  limber edit walk.bvh --to 0.5 --delete -o shorter.bvh\n"
      "  limber edit walk.bvh --from 1 --to 2 --stretch 2 -o slower.bvh    half as fast in between\n"
      "\n"
      "Every frame is a key; frames in between and in gaps are interpolated, rotations by the shortest way.\n"
      "\n"
      "Exit status: 0 done, 2 the command line is wrong, 3 the file or the range is wrong, 4 a file cannot be opened\n"
      "or written, 5 internal error.");
  return [options] { return run_edit(*options); };
}

}  // namespace limber::cli
