// limber convert: from one file format to another, motion included. What is lost is reported.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"

namespace limber::cli {

namespace {

struct ConvertOptions {
  ContentOptions content;
  std::string output;
  std::string root;
  std::optional<std::string> unit;
  std::optional<std::string> up;
  std::string frames;
  std::optional<double> fps;
  bool quiet = false;
};

struct FrameRange {
  int first = 0;
  std::optional<int> last = {};
};

// "a:b", "a:", ":b" or "a".
std::optional<FrameRange> frame_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto number = [](const std::string& part) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && value >= 0 ? std::optional(value) : std::nullopt;
  };
  const std::string a = text.substr(0, colon), b = colon == std::string::npos ? a : text.substr(colon + 1);
  if (a.empty() && b.empty()) return std::nullopt;
  FrameRange range;
  if (!a.empty()) {
    const std::optional<int> first = number(a);
    if (!first) return std::nullopt;
    range.first = *first;
  }
  if (!b.empty()) {
    range.last = number(b);
    if (!range.last || *range.last < range.first) return std::nullopt;
  }
  return range;
}

std::string wrong_range(const std::string& text) {
  return frame_range(text) ? "" : "found " + text + "; expected a:b, a:, :b or a, counted from 0";
}

// Options that would do nothing, as there is no motion or the new file has another way.
std::optional<Failure> wrong_options(const ConvertOptions& options, const Content& content, FileKind kind) {
  if (const char* option = !options.frames.empty()         ? "--frames"
                           : options.fps                   ? "--fps"
                           : !options.content.clip.empty() ? "--clip"
                                                           : nullptr) {
    if (content.clips.empty())
      return without_effect(option, shown(options.content.file) + ", which has no motion", "a file with one");
    if (format_of(kind).motions == FileMotions::none)
      return without_effect(option, options.output + ", which holds no motion", "a format that does, such as .bvh");
  }
  if ((options.unit || options.up) && kind == FileKind::limber)
    return without_effect(options.unit ? "--unit" : "--up", options.output + ", which is in metres with Y up",
                          "a format that leaves it open, such as .bvh");
  return std::nullopt;
}

// The requested frames of IN, at the requested rate.
std::expected<Clip, Failure> part_of(const ConvertOptions& options, const Content& content, const Clip& clip,
                                     std::vector<Note>& notes) {
  const auto wrong = [&](Diagnostic why) {
    why.where = shown(options.content.file) + (why.where.empty() ? "" : ": ") + why.where;
    return std::unexpected(Failure{why, scene_is_wrong});
  };
  Expected<Clip> part = clip;
  if (!options.frames.empty()) {
    const FrameRange range = *frame_range(options.frames);
    const int last = std::min(range.last.value_or(clip.frames() - 1), clip.frames() - 1);
    if (range.first >= clip.frames())
      return wrong({"", "frames from " + std::to_string(range.first) + of_motion(content, clip),
                    "below " + std::to_string(clip.frames()) + ", the number of its frames"});
    if (range.last.value_or(last) > last)
      notes.push_back({"frames " + std::to_string(range.first) + " to " + std::to_string(last) +
                       of_motion(content, clip) + ": there are " + std::to_string(clip.frames()) + ", counted from 0"});
    part = cut(clip, range.first, last);
  }
  if (part && options.fps && std::fabs(part->frame_time * *options.fps - 1.0) > 1e-9)
    part = resampled(*content.figure, *part, 1.0 / *options.fps);
  if (!part) return wrong(part.error());
  return std::move(*part);
}

// The figure hung from another segment, with its motions. What belongs to the tree of the file goes: meshes, the order
// of channels.
std::optional<Failure> hang(const ConvertOptions& options, Content& content) {
  if (!content.figure) return std::nullopt;
  std::string root = options.root;
  // A common name stands for its segment.
  if (const Expected<Figure> named = with_common_names(*content.figure); named && !content.figure->point(root))
    if (const Expected<Handle> place = named->point(root))
      root = named->segments()[static_cast<std::size_t>(place->plus[0].segment)].name;
  Expected<Figure> hung = hung_from(*content.figure, root);
  if (!hung) return Failure{{"--root", hung.error().found, hung.error().expected}, usage};
  for (Clip& clip : content.clips) clip = placed_as(*content.figure, clip, *hung);
  if (content.asset) content.notes.push_back({"meshes and materials go with the old tree of nodes"});
  content.figure = std::move(*hung);
  content.format.clear();
  content.asset.reset();
  content.row_order.clear();
  return std::nullopt;
}

int run(const ConvertOptions& options) {
  const std::string& in = options.content.file;
  const std::optional<FileKind> kind = kind_of_name(options.output);
  if (!kind || !format_of(*kind).writes) {
    const Expected<WrittenFiles> why = write_content({}, {}, options.output);
    return complain(why.error(), usage);
  }
  ContentOptions reading = options.content;
  // A glTF file is sampled from its keys, unless frames are counted first: they are counted at its own rate.
  if (options.frames.empty()) reading.fps = options.fps;
  std::expected<LoadedContent, Failure> content = load_content(reading);
  if (!content) return complain(content.error());
  if (!options.root.empty())
    if (const std::optional<Failure> why = hang(options, *content)) return complain(*why);
  if (content->figure)
    if (const std::optional<Failure> why = wrong_options(options, *content, *kind)) return complain(*why);

  std::vector<Clip> clips;
  std::vector<Note> notes = content->notes;
  {
    Progress progress("converting " + shown(in), static_cast<long>(content->clips.size()));
    for (std::size_t k = 0; k < content->clips.size(); ++k) {
      if (!options.content.clip.empty() && static_cast<int>(k) != chosen_clip(*content, options.content)) continue;
      const Clip& clip = content->clips[k];
      const FileMotions room = format_of(*kind).motions;
      const bool has_room = room == FileMotions::all || (room == FileMotions::one && clips.empty());
      std::expected<Clip, Failure> part = has_room ? part_of(options, *content, clip, notes) : clip;
      if (!part) return complain(part.error());
      clips.push_back(std::move(*part));
      progress.step();
    }
  }
  WriteOptions write;
  if (options.unit) write.metres_per_unit = metres_of(*options.unit);
  if (options.up) write.up = up_of(*options.up);
  const Expected<WrittenFiles> written = write_content(*content, clips, options.output, write);
  if (!written) return complain(written.error(), scene_is_wrong);
  if (const std::expected<void, Failure> alone = spare_others(options.output, *written); !alone)
    return complain(alone.error());
  if (const Expected<void> done = write_files(written->files); !done) return complain(done.error(), file_trouble);
  if (options.quiet) return all_met;

  print_notes(in, notes, stderr);
  for (const Note& note : written->notes)
    std::fprintf(stderr, "%s: not carried over: %s\n", options.output.c_str(), note.text.c_str());
  for (const WrittenFile& file : written->files) std::printf("%s: %zu bytes\n", file.name.c_str(), file.bytes.size());
  return all_met;
}

}  // namespace

Verb add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* verb = app.add_subcommand("convert", "Convert a figure and its motion to another file format");
  verb->add_option("IN", options->content.file, "The file to read; - is standard input")->required();
  verb->add_option("OUT", options->output, "The file to write; its extension determines the format")->required();
  verb->add_option("--motion", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_option("--unit", options->unit,
                   "Unit of the lengths in OUT: m, dm, cm, mm, in, ft, cmu or a number of metres")
      ->check(wrong_unit);
  verb->add_option("--up", options->up, "Up axis of OUT: y or z")->check(wrong_axis);
  verb->add_option("--root", options->root, "Make this segment the root of the figure in OUT");
  verb->add_option("--fps", options->fps, "Frames per second in OUT; applied after --frames")->check(not_above_zero);
  verb->add_option("--frames", options->frames,
                   "Only frames a to b of IN, counted from 0 at its own frame rate: a:b, a:, :b, or a alone")
      ->check(wrong_range);
  add_overwrite_option(*verb);
  verb->add_flag("-q,--quiet", options->quiet, "Do not report what could not be carried over");
  add_content_options(*verb, options->content, "in-");
  add_clip_option(*verb, options->content);
  add_part_option(*verb, options->content);
  verb->footer(
      "Examples:\n"
      "  limber convert walk.amc walk.glb             finds the .asf beside it\n"
      "  limber convert walk.bvh walk.amc --fps 30    also writes walk.asf\n"
      "  limber convert robot.urdf robot.scr\n"
      "  limber convert walk.bvh from_foot.bvh --root left_foot\n"
      "  limber convert handshake.json guest.glb --figure guest\n"
      "\n"
      "Exit status: 0 converted, 2 the command line is wrong, 3 a file is wrong, 4 it cannot be opened or written,\n"
      "5 internal error.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
