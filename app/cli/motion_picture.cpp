#include "app/cli/motion_picture.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/process.h"
#include "app/cli/progress.h"
#include "limber/base/number.h"
#include "limber/format/names.h"
#include "limber/format/text/text.h"
#include "limber/picture/curves.h"
#include "limber/picture/strip.h"

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

// Frames per second that look smooth; a GIF counts in hundredths of a second.
constexpr double film_rate = 30.0, gif_rate = 25.0;
constexpr int max_film_frames = 20'000;  // eleven minutes
constexpr std::size_t max_default_leaves = 6;

std::string wrong_number(const std::string& text, int min, const char* what) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= min && value <= max_strip_frames
             ? ""
             : "found " + text + "; expected " + what + ", " + std::to_string(min) + " to " +
                   std::to_string(max_strip_frames);
}

// PLACE:START:END; names may have colons of their own.
std::optional<StripContact> contact_of(const std::string& text) {
  const std::size_t second = text.rfind(':');
  if (second == std::string::npos || second == 0) return std::nullopt;
  const std::size_t first = text.rfind(':', second - 1);
  if (first == std::string::npos || first == 0) return std::nullopt;
  const std::optional<double> start = to_number(text.substr(first + 1, second - first - 1));
  const std::optional<double> end = to_number(text.substr(second + 1));
  if (!start || !end || !(*start <= *end) || !std::isfinite(*start) || !std::isfinite(*end)) return std::nullopt;
  return StripContact{text.substr(0, first), *start, *end};
}

std::string no_contact(const std::string& text) {
  return contact_of(text) ? "" : "found " + text + "; expected PLACE:START:END, in seconds";
}

Failure wrong_motion(const std::string& path, const Diagnostic& why) {
  return {{shown(path) + (why.where.empty() ? "" : ": " + why.where), why.found, why.expected}, scene_is_wrong};
}

// --- What a strip shows ---

// Feet, hands and head by their common names, as far as the figure has them; else the ends of its limbs, if they are
// few.
std::vector<std::string> usual_places(const Figure& figure) {
  std::vector<std::string> places;
  const auto add_first = [&](const std::string& side, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (figure.point(side + name)) {
        places.push_back(side + name);
        return;
      }
  };
  for (const char* side : {"left_", "right_"}) add_first(side, {"ball", "toe", "foot", "ankle"});
  for (const char* side : {"left_", "right_"}) add_first(side, {"hand", "palm", "wrist"});
  add_first("", {"head"});
  if (!places.empty()) return places;
  const std::vector<Segment>& segments = figure.segments();
  std::vector<bool> moves(segments.size(), false);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Joint& joint = figure.joints()[s];
    const int parent = segments[s].parent;
    moves[s] =
        joint.freedom_begin < joint.freedom_end || (parent != no_parent && moves[static_cast<std::size_t>(parent)]);
    if (moves[s] && segments[s].subtree_end == static_cast<int>(s) + 1) places.push_back(segments[s].name);
  }
  return places.size() <= max_default_leaves ? places : std::vector<std::string>{};
}

std::expected<Clip, Failure> load_compared(const std::string& path, const ContentOptions& source,
                                           const LoadedContent& content) {
  ContentOptions how = source;
  how.file = path;
  how.motion = "";
  how.for_one_file = false;
  how.clip = "";
  if (!needs_skeleton(path))
    how.skeleton = "";
  else if (how.skeleton.empty())
    how.skeleton = content.skeleton;
  const std::expected<LoadedContent, Failure> other = load_content(how);
  if (!other) return std::unexpected(other.error());
  if (!other->figure || other->clips.empty())
    return std::unexpected(wrong_motion(path, {"", "no motion", "a motion to compare with"}));
  if (!same_parameters(*content.figure, *other->figure))
    return std::unexpected(
        wrong_motion(path, {"", "a motion of another figure", "one of the figure of " + shown(source.file)}));
  return other->clips.front();
}

// Loads the motion that the picture compares with, if any, into `other`, which the picture's options then refer to.
template <class PictureOptions>
std::expected<void, Failure> compare_with(Clip& other, PictureOptions& how, const MovingOptions& options,
                                          const ContentOptions& source, const LoadedContent& content) {
  if (options.compare.empty()) return {};
  std::expected<Clip, Failure> loaded = load_compared(options.compare, source, content);
  if (!loaded) return std::unexpected(loaded.error());
  other = std::move(*loaded);
  how.compare = &other.poses;
  how.compare_frame_time = other.frame_time;
  return {};
}

std::expected<std::string, Failure> strip_of(const MovingOptions& options, const ContentOptions& source,
                                             const LoadedContent& content, const Figure& figure, const Clip& clip,
                                             const std::string& title) {
  StripOptions how;
  how.title = title;
  how.places = options.trace.empty() ? usual_places(figure) : options.trace;
  how.count = options.frames_shown.value_or(how.count);
  how.ghosts = options.ghosts.value_or(how.ghosts);
  for (const std::string& contact : options.contacts) how.contacts.push_back(*contact_of(contact));
  Clip other;
  if (const auto done = compare_with(other, how, options, source, content); !done) return std::unexpected(done.error());
  if (how.compare) how.compare_name = fs::path(shown(options.compare)).filename().string();
  const Progress progress("drawing");
  Expected<std::string> page = draw_strip(figure, clip.poses, clip.frame_time, how);
  if (!page) return std::unexpected(wrong_motion(source.file, page.error()));
  return std::move(*page);
}

std::expected<std::string, Failure> curves_of(const MovingOptions& options, const ContentOptions& source,
                                              const LoadedContent& content, const Figure& figure, const Clip& clip,
                                              const std::string& title) {
  CurvesOptions how;
  how.title = title;
  Clip other;
  if (const auto done = compare_with(other, how, options, source, content); !done) return std::unexpected(done.error());
  Expected<std::string> page = draw_curves(figure, clip.poses, clip.frame_time, options.curves, how);
  if (!page) return std::unexpected(wrong_motion(source.file, page.error()));
  return std::move(*page);
}

// --- Films ---

struct Timing {
  double rate = 0.0;        // of the film, frames per second
  std::vector<int> frames;  // of the motion, one per frame of the film
};

std::expected<Timing, Failure> timing_of(const Clip& clip, double max_rate, const std::string& path) {
  Timing timing{std::fmin(max_rate, 1.0 / clip.frame_time), {}};
  const double count = std::floor(clip.duration() * timing.rate + 1e-6) + 1.0;
  if (count > max_film_frames)
    return std::unexpected(wrong_motion(path, {"", to_text(clip.duration(), 0) + " s of motion",
                                               "at most " + to_text(max_film_frames / timing.rate, 0) +
                                                   " s for a film; limber convert --frames cuts one out"}));
  for (int k = 0; k < static_cast<int>(count); ++k)
    timing.frames.push_back(
        std::min(clip.frames() - 1, static_cast<int>(std::lround(k / (timing.rate * clip.frame_time)))));
  return timing;
}

std::vector<std::string> film_command(const std::string& program, double rate, bool gif) {
  std::vector<std::string> words = {program, "-hide_banner",  "-loglevel",   "error",         "-nostdin",
                                    "-y",    "-framerate",    to_text(rate), "-start_number", "0",
                                    "-i",    "frame_%06d.svg"};
  const std::vector<std::string> kind =
      gif ? std::vector<std::string>{"-filter_complex",
                                     "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
                                     "film.gif"}
          : std::vector<std::string>{"-c:v",    "libx264",   "-crf",       "18",      "-pix_fmt",
                                     "yuv420p", "-movflags", "+faststart", "film.mp4"};
  words.insert(words.end(), kind.begin(), kind.end());
  return words;
}

std::expected<void, Failure> draw_frames(const Figure& figure, const Clip& clip, const Timing& timing,
                                         const FilmView& view, const std::string& folder,
                                         const Interruptible& signals) {
  Progress progress("drawing frames", static_cast<long>(timing.frames.size()));
  for (std::size_t k = 0; k < timing.frames.size() && !signals.interrupted(); ++k) {
    const int frame = timing.frames[k];
    std::string number = std::to_string(k);
    number.insert(0, 6 - std::min<std::size_t>(6, number.size()), '0');
    const std::string label = to_text(frame * clip.frame_time, 2) + " s";
    const std::string file = (fs::path(folder) / ("frame_" + number + ".svg")).string();
    if (const Expected<void> done = write_file(file, draw_frame_svg(figure, clip.pose(frame), view, label)); !done)
      return std::unexpected(Failure{done.error(), file_trouble});
    progress.step();
  }
  return {};
}

std::expected<std::string, Failure> film_of(const MovingOptions& options, const ContentOptions& source,
                                            const Figure& figure, const Clip& clip, const std::string& title) {
  const std::optional<std::string> program = find_program("ffmpeg");
  if (!program)
    return std::unexpected(Failure{{"film", "no program 'ffmpeg'",
                                    "ffmpeg with librsvg on PATH, which makes films of pictures; on Debian: apt-get "
                                    "install ffmpeg. --strip draws a page of frames without it"},
                                   file_trouble});
  const std::expected<Timing, Failure> timing = timing_of(clip, options.gif ? gif_rate : film_rate, source.file);
  if (!timing) return std::unexpected(timing.error());
  const Expected<FilmView> view = film_view(figure, clip.poses, {.title = title});
  if (!view) return std::unexpected(wrong_motion(source.file, view.error()));
  const Interruptible signals;  // before the folder, so that it ends after it
  const Expected<PrivateFolder> folder = PrivateFolder::make();
  if (!folder) return std::unexpected(Failure{folder.error(), file_trouble});
  if (const auto done = draw_frames(figure, clip, *timing, *view, folder->path(), signals); !done)
    return std::unexpected(done.error());
  if (!signals.interrupted()) {
    const Progress progress("ffmpeg");
    if (Expected<void> done = run_program(film_command(*program, timing->rate, options.gif), folder->path()); !done) {
      done.error().expected = "an ffmpeg that reads SVG (librsvg) and writes " +
                              std::string(options.gif ? "GIF" : "MP4 (libx264)") + ", such as Debian's";
      return std::unexpected(Failure{done.error(), file_trouble});
    }
  }
  Expected<std::string> film = read_file((fs::path(folder->path()) / (options.gif ? "film.gif" : "film.mp4")).string());
  if (!film) return std::unexpected(Failure{film.error(), file_trouble});
  return std::move(*film);
}

}  // namespace

void add_moving_options(CLI::App& verb, MovingOptions& options) {
  verb.add_flag("--strip", options.strip,
                "Draw the whole motion on one page: frames, paths of places, height and speed");
  verb.add_option("--frames-shown", options.frames_shown, "--strip: number of frames, evenly spaced [12]")
      ->check([](const std::string& text) { return wrong_number(text, 1, "a number of frames"); });
  verb.add_option("--ghosts", options.ghosts, "--strip: number of pale bodies of earlier moments behind each frame [3]")
      ->check([](const std::string& text) { return wrong_number(text, 0, "a number of bodies"); });
  verb.add_option("--trace", options.trace,
                  "--strip: places whose paths are drawn, separated by commas [feet, hands and head]")
      ->delimiter(',');
  verb.add_option("--contact", options.contacts,
                  "--strip: PLACE:START:END, a place that should be at rest between two times in seconds")
      ->check(no_contact)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_option("--compare", options.compare, "--strip, --curve: another motion of the same figure, drawn dashed");
  verb.add_option("--curve", options.curves,
                  "Draw the values of these parameters over time, separated by commas; a joint or group: all of its")
      ->delimiter(',');
  verb.add_flag("--gif", options.gif, "Make a GIF film, as if OUTPUT ended in .gif; needs ffmpeg");
  verb.add_flag("--mp4", options.mp4, "Make an MP4 film, as if OUTPUT ended in .mp4; needs ffmpeg");
}

std::optional<std::string> given(const MovingOptions& options) {
  const std::pair<const char*, bool> list[] = {{"--strip", options.strip},
                                               {"--curve", !options.curves.empty()},
                                               {"--gif", options.gif},
                                               {"--mp4", options.mp4},
                                               {"--frames-shown", options.frames_shown.has_value()},
                                               {"--ghosts", options.ghosts.has_value()},
                                               {"--trace", !options.trace.empty()},
                                               {"--contact", !options.contacts.empty()},
                                               {"--compare", !options.compare.empty()}};
  for (const auto& [name, is_given] : list)
    if (is_given) return name;
  return std::nullopt;
}

std::optional<Failure> settle(MovingOptions& options, const std::string& output) {
  const std::string ending = lower_case(fs::path(output).extension().string());
  if (!ending.empty() && ending != ".svg" && ending != ".gif" && ending != ".mp4")
    return Failure{{output, "a name that ends in " + ending, ".svg, or for a film of a motion .gif or .mp4"}, usage};
  if (options.gif && options.mp4) return without_effect("--gif", "--mp4 too", "one of them");
  for (const auto& [name, flag, other] : {std::tuple(".gif", options.gif, options.mp4 || options.strip),
                                          std::tuple(".mp4", options.mp4, options.gif || options.strip),
                                          std::tuple(".svg", false, options.gif || options.mp4)})
    if (ending == name && !flag && other)
      return Failure{{output, std::string("a name that ends in ") + name,
                      options.strip ? ".svg, which a page is"
                      : options.gif ? ".gif"
                                    : ".mp4"},
                     usage};
  if (!options.curves.empty() && (options.strip || options.film() || ending == ".gif" || ending == ".mp4"))
    return without_effect("--curve", options.strip ? "--strip too" : "a film", "one of them");
  if (options.strip && options.film()) return without_effect("--strip", "a film", "a page or a film");
  options.gif = options.gif || ending == ".gif";
  options.mp4 = options.mp4 || ending == ".mp4";
  MovingOptions rest = options;
  rest.strip = rest.gif = rest.mp4 = false;
  if (!options.curves.empty()) {
    rest.curves.clear();
    rest.compare.clear();
  }
  if (!options.strip)
    if (const std::optional<std::string> option = given(rest))
      return without_effect(*option,
                            options.film()            ? "a film"
                            : !options.curves.empty() ? "--curve"
                                                      : "no --strip",
                            "--strip, the page that it is for");
  return std::nullopt;
}

std::expected<std::string, Failure> draw_moving(const MovingOptions& options, const ContentOptions& source,
                                                const LoadedContent& content, const std::string& title) {
  if (!content.figure)
    return std::unexpected(wrong_motion(source.file, {"", "markers without a figure", "a figure with a motion"}));
  if (content.clips.empty())
    return std::unexpected(wrong_motion(source.file, {"", "no motion", "a figure with a motion"}));
  const Clip& clip = content.clips[static_cast<std::size_t>(chosen_clip(content, source))];
  if (clip.frames() == 0)
    return std::unexpected(wrong_motion(source.file, {"", "a motion without frames", "at least one"}));
  const Expected<Figure> named = with_common_names(*content.figure, content.roles());
  const Figure& figure = named ? *named : *content.figure;
  const std::string whole = title + (content.clips.size() > 1 ? ", " + clip.name : "");
  if (!options.curves.empty()) return curves_of(options, source, content, figure, clip, whole);
  return options.film() ? film_of(options, source, figure, clip, whole)
                        : strip_of(options, source, content, figure, clip, whole);
}

}  // namespace limber::cli
