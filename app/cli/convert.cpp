// limber convert: from one file format to another, motion included. What cannot be carried over is said.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"

namespace limber::cli {

namespace {

struct ConvertOptions {
  ContentOptions content;
  std::string output;
  std::optional<std::string> unit;
  std::optional<std::string> up;
  std::string frames;
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
  return frame_range(text) ? "" : "Frames a:b, from 0, expected, not " + text;
}

int run(const ConvertOptions& options) {
  const std::string& in = options.content.file;
  const std::optional<FileKind> kind = kind_of_name(options.output);
  if (!kind) {
    const Expected<WrittenFiles> why = write_content({}, {}, options.output);
    return complain(why.error(), usage);
  }
  const std::expected<Content, Failure> content = load_content(options.content);
  if (!content) return complain(content.error());

  std::vector<Clip> clips;
  Progress progress("converting " + shown(in), static_cast<long>(content->clips.size()));
  for (std::size_t k = 0; k < content->clips.size(); ++k) {
    if (!options.content.clip.empty() && static_cast<int>(k) != chosen_clip(*content, options.content)) continue;
    const Clip& clip = content->clips[k];
    Clip part = clip;
    if (!options.frames.empty()) {
      const FrameRange range = *frame_range(options.frames);
      const int last = std::min(range.last.value_or(clip.frames() - 1), clip.frames() - 1);
      if (range.first >= clip.frames())
        return complain({shown(in), "frames from " + std::to_string(range.first),
                         "below " + std::to_string(clip.frames()) + ", the number of frames"},
                        scene_is_wrong);
      part = cut(clip, range.first, last);
    }
    if (options.content.fps && std::fabs(part.frame_time * *options.content.fps - 1.0) > 1e-9)
      part = resampled(*content->figure, part, 1.0 / *options.content.fps);
    clips.push_back(std::move(part));
    progress.step();
  }
  WriteOptions write;
  if (options.unit) write.metres_per_unit = metres_of(*options.unit);
  if (options.up) write.up = up_of(*options.up);
  const Expected<WrittenFiles> written = write_content(*content, clips, options.output, write);
  if (!written) return complain(written.error(), scene_is_wrong);
  for (const WrittenFile& file : written->files)
    if (const Expected<void> done = write_file(file.name, file.bytes); !done)
      return complain(done.error(), file_trouble);
  if (options.quiet) return all_met;

  print_notes(in, content->notes);
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
  verb->add_option("OUT", options->output, "The file to write; its ending says the format")->required();
  verb->add_option("--motion", options->content.motion, "The AMC file that belongs to an ASF file");
  verb->add_option("--unit", options->unit,
                   "Unit of the lengths in OUT: m, dm, cm, mm, in, ft, cmu or a number of metres")
      ->check(wrong_unit);
  verb->add_option("--up", options->up, "The axis of OUT that points up: y or z")->check(wrong_axis);
  verb->add_option("--fps", options->content.fps, "Frames a second in OUT")->check(not_above_zero);
  verb->add_option("--frames", options->frames, "Only frames a to b, counted from 0: a:b, a: or :b")
      ->check(wrong_range);
  verb->add_flag("-q,--quiet", options->quiet, "Say nothing of what could not be carried over");
  add_content_options(*verb, options->content, "in-");
  verb->footer(
      "Examples:\n"
      "  limber convert walk.amc walk.glb             its .asf is looked for beside it\n"
      "  limber convert walk.bvh walk.amc --fps 30    writes walk.asf too\n"
      "  limber convert robot.urdf robot.scr\n"
      "\n"
      "Exit status: 0 converted, 2 the command line is wrong, 3 a file is wrong, 4 it cannot be opened or written.");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
