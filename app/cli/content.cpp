#include "app/cli/content.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/file_kind.h"
#include "app/cli/progress.h"
#include "limber/base/number.h"
#include "limber/figure/human.h"
#include "limber/format/names.h"
#include "limber/format/roles_file.h"
#include "limber/format/text/text.h"

namespace limber::cli {

namespace {

namespace fs = std::filesystem;

// The skeleton that belongs to a motion, among the files of its folder.
std::optional<std::string> skeleton_beside(const std::string& motion) {
  const fs::path path(motion);
  const fs::path folder = path.parent_path();
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, ignored))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  const std::optional<std::string> found = skeleton_of(path.filename().string(), names);
  return found ? std::optional((folder / *found).string()) : std::nullopt;
}

Failure wrong(const Diagnostic& why) { return {why, scene_is_wrong}; }

std::expected<std::string, Failure> bytes_of(const std::string& path) {
  Expected<std::string> bytes = read_file(path);
  if (!bytes) return std::unexpected(Failure{bytes.error(), file_trouble});
  return std::move(*bytes);
}

// Standard input has no name, so it is taken as the missing file.
bool may_be_motion(const std::string& path) { return needs_skeleton(path) || path == "-"; }

struct Files {
  std::string figure;
  std::string motion;             // empty: none
  std::optional<Note> note = {};  // how the skeleton was found
  bool first_is_motion = false;   // options.file is the motion
};

std::expected<Files, Failure> files_of(const ContentOptions& options) {
  Files files{options.file, options.motion};
  if (!options.skeleton.empty()) {
    if (!files.motion.empty() || !may_be_motion(files.figure))
      return std::unexpected(without_effect("--skeleton", shown(files.figure), "an AMC file, which has no skeleton"));
    return Files{options.skeleton, options.file, std::nullopt, true};
  }
  if (!needs_skeleton(files.figure)) return files;
  if (!files.motion.empty())  // the two in the other order
    return kind_of_name(files.motion) == format_of(*kind_of_name(files.figure)).needs
               ? Files{files.motion, files.figure, std::nullopt, true}
               : files;
  const std::optional<std::string> skeleton = skeleton_beside(files.figure);
  if (!skeleton)
    return std::unexpected(wrong({shown(files.figure), "a motion without its skeleton",
                                  "an ASF file of the same name beside it, or --skeleton with its file"}));
  return Files{*skeleton, files.figure, Note{"the skeleton is " + *skeleton + ", found beside the motion"}, true};
}

// Readers note that an option can change a guess; this names the option.
void say_how(std::vector<Note>& notes, const std::string& prefix) {
  constexpr std::string_view open_end = "can be set by an option";
  for (Note& note : notes) {
    if (!note.text.ends_with(open_end)) continue;
    note.text.resize(note.text.size() - open_end.size());
    note.text += note.text.find("OFFSET and position channels") != std::string::npos ? "--root-offset decides otherwise"
                 : note.text.starts_with("the up axis") ? "--" + prefix + "up gives another"
                                                        : "--" + prefix + "unit gives another";
  }
}

std::optional<Failure> options_without_effect(const ContentOptions& options, const std::string& format) {
  if (options.root_offset && format != "bvh")
    return without_effect("--root-offset", shown(options.file) + ", which is no BVH file", "a BVH file");
  if ((options.unit || options.up) && (format == "limber" || format == "scene"))
    return without_effect("--" + options.prefix + (options.unit ? "unit" : "up"),
                          shown(options.file) + ", which is in metres with Y up", "a file of another kind");
  return std::nullopt;
}

std::optional<int> find_clip(const Content& content, const std::string& clip) {
  for (std::size_t k = 0; k < content.clips.size(); ++k)
    if (content.clips[k].name == clip || std::to_string(k) == clip) return static_cast<int>(k);
  return std::nullopt;
}

Diagnostic no_such_clip(const Content& content, const ContentOptions& options) {
  std::string names;
  for (std::size_t k = 0; k < std::min<std::size_t>(content.clips.size(), 20); ++k)
    names += (names.empty() ? "" : ", ") + content.clips[k].name;
  return {shown(options.file), "no motion " + in_quotes(options.clip),
          content.clips.empty()
              ? "a file with motions"
              : "a number from 0 to " + std::to_string(content.clips.size() - 1) + ", or a name: " + names};
}

}  // namespace

double metres_of(const std::string& unit) { return unit_of_name(unit).value_or(1.0); }
Up up_of(const std::string& axis) { return axis == "z" || axis == "Z" ? Up::z : Up::y; }

std::string wrong_unit(const std::string& text) {
  return unit_of_name(text) ? "" : "found " + text + "; expected m, dm, cm, mm, in, ft, cmu or a number of metres";
}
std::string wrong_axis(const std::string& text) {
  return text == "y" || text == "z" || text == "Y" || text == "Z" ? "" : "found " + text + "; expected y or z";
}
std::string no_method(const std::string& text) {
  if (method_of(text)) return "";
  std::string names;
  for (const MethodRow& row : method_table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return "found " + text + "; expected one of " + names;
}

std::string not_above_zero(const std::string& text) {
  const std::optional<double> value = to_number(text);
  return value && *value > 0.0 && std::isfinite(*value) ? "" : "found " + text + "; expected a number above 0";
}

namespace {

std::string no_frame(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0
             ? ""
             : "found " + text + "; expected the number of a frame, 0 or more";
}

}  // namespace

void add_content_options(CLI::App& verb, ContentOptions& options, const std::string& prefix) {
  options.prefix = prefix;
  verb.add_option("--" + prefix + "unit", options.unit,
                  "Unit of the file's lengths: m, dm, cm, mm, in, ft, cmu or a number of metres; default: as stated in "
                  "the file, or guessed")
      ->check(wrong_unit);
  verb.add_option("--" + prefix + "up", options.up, "Up axis of the file: y or z")->check(wrong_axis);
  verb.add_option("--root-offset", options.root_offset,
                  "BVH: whether the root's position channels are added to its OFFSET or replace it")
      ->check(CLI::IsMember({"auto", "added", "replaced"}));
  verb.add_option("--skeleton", options.skeleton, "The ASF file of an AMC file; default: found beside it");
}

void add_roles_option(CLI::App& verb, ContentOptions& options) {
  verb.add_option("--roles", options.roles, "A JSON file with the parts of the figure, as limber roles -o writes it");
}

void add_sampling_option(CLI::App& verb, ContentOptions& options) {
  verb.add_option("--fps", options.fps, "glTF: frames per second at which its motions are sampled")
      ->check(not_above_zero);
}

void add_frame_option(CLI::App& verb, std::optional<int>& frame, const std::string& what) {
  verb.add_option("--frame", frame, what)->check(no_frame);
}

void add_part_option(CLI::App& verb, ContentOptions& options) {
  verb.add_option("--figure", options.part, "Of a scene of several figures only this one: its name");
}

void add_clip_option(CLI::App& verb, ContentOptions& options) {
  verb.add_option("--clip", options.clip, "Which motion, if there are several: its name, or its number from 0");
}

ReadOptions read_options(const ContentOptions& options) {
  ReadOptions read;
  if (options.unit) read.metres_per_unit = metres_of(*options.unit);
  if (options.up) read.up = up_of(*options.up);
  read.root_offset = options.root_offset == "added"      ? RootOffset::added
                     : options.root_offset == "replaced" ? RootOffset::replaced
                                                         : RootOffset::automatic;
  read.frames_per_second = options.fps;
  return read;
}

Failure without_effect(const std::string& option, const std::string& found, const std::string& expected) {
  return {{option, found, expected}, usage};
}

std::optional<Failure> wrong_sampling(const Content& content, const ContentOptions& options, std::optional<int> frame) {
  if (!options.clip.empty() && !frame)
    return without_effect("--clip", "no frame of that motion", "--frame with its number");
  if (options.fps && (!content.asset || content.clips.empty()))
    return without_effect("--fps", shown(options.file) + ", which has no keys to sample from",
                          "a glTF file with motions");
  return std::nullopt;
}

namespace {

// The parts of the figure, by the file that names them.
std::expected<void, Failure> load_roles(const std::string& file, LoadedContent& content) {
  if (file.empty()) return {};
  if (!content.figure) return std::unexpected(without_effect("--roles", "no figure", "a file with one"));
  const std::expected<std::string, Failure> text = bytes_of(file);
  if (!text) return std::unexpected(text.error());
  Expected<Roles> roles = read_roles(*content.figure, *text, shown(file));
  if (!roles) return std::unexpected(wrong(roles.error()));
  content.given_roles = std::move(*roles);
  return {};
}

// The figure of a scene, in its pose.
std::expected<LoadedContent, Failure> load_content_of_scene(const ContentOptions& options, const std::string& bytes,
                                                            const std::string& figure) {
  std::expected<Loaded, Failure> scene = load_scene(bytes, figure);
  if (!scene) return std::unexpected(scene.error());
  if (std::optional<Failure> why = options_without_effect(options, "scene")) return std::unexpected(*why);
  LoadedContent content;
  content.format = "scene";
  content.figure = scene->scene.figure;
  content.clips = {Clip{.name = "pose", .poses = scene->scene.pose.theta}};
  if (!options.part.empty()) {
    auto own = motion_of_part(*content.figure, content.clips.front(), figure, options.part);
    if (!own) return std::unexpected(own.error());
    content.figure = std::move(own->first);
    content.clips = {std::move(own->second)};
  }
  if (const std::expected<void, Failure> done = load_roles(options.roles, content); !done)
    return std::unexpected(done.error());
  if (!options.clip.empty() && !find_clip(content, options.clip))
    return std::unexpected(wrong(no_such_clip(content, options)));
  return content;
}

}  // namespace

std::expected<LoadedContent, Failure> load_content(const ContentOptions& options, std::optional<std::string> bytes) {
  const Progress progress("reading " + shown(options.file));
  const ReadOptions how = read_options(options);
  const std::expected<Files, Failure> files = files_of(options);
  if (!files) return std::unexpected(files.error());
  const std::string &figure = files->figure, &motion = files->motion;
  std::optional<std::string> motion_bytes;
  if (files->first_is_motion) motion_bytes = std::exchange(bytes, std::nullopt);

  const auto read = [](std::optional<std::string>& known, const std::string& path) -> std::expected<void, Failure> {
    if (known) return {};
    std::expected<std::string, Failure> fresh = bytes_of(path);
    if (!fresh) return std::unexpected(fresh.error());
    known = std::move(*fresh);
    return {};
  };
  if (const std::expected<void, Failure> done = read(bytes, figure); !done) return std::unexpected(done.error());
  if (options.takes_scenes && motion.empty() && is_scene(*bytes)) return load_content_of_scene(options, *bytes, figure);
  if (!options.part.empty())
    return std::unexpected(
        without_effect("--figure", shown(figure) + ", which is no scene", "a scene of several figures"));
  if (!motion.empty()) {
    if (!may_be_motion(motion))
      return std::unexpected(wrong({shown(motion), "a file that is no motion alone", "an .amc file"}));
    if (kind_of(figure, *bytes) != FileKind::asf)
      return std::unexpected(wrong({shown(figure), "a file that is no ASF skeleton",
                                    "the skeleton that the motion " + shown(motion) + " belongs to"}));
  }
  int status = scene_is_wrong;  // or of a file beside it, that cannot be opened
  const FileLoader beside = [&](const std::string& uri) -> Expected<std::string> {
    const Expected<std::string> path = path_beside(figure, uri);
    if (!path) return std::unexpected(path.error());
    Expected<std::string> other = read_file(*path);
    if (!other) status = file_trouble;
    return other;
  };
  Expected<Content> content = read_content(*bytes, shown(figure), how, beside);
  if (!content) {
    const std::optional<KnownFile> known = known_file(*bytes, figure);
    const bool is_other = known && known->kind != KnownKind::content;
    return std::unexpected(
        Failure{is_other ? misplaced(*known, figure, "a figure or a motion") : content.error(), status});
  }
  LoadedContent loaded;
  if (!motion.empty()) {
    if (const std::expected<void, Failure> done = read(motion_bytes, motion); !done)
      return std::unexpected(done.error());
    if (files->note) content->notes.push_back(*files->note);
    Expected<Content> whole =
        read_content(*motion_bytes, motion == "-" ? "standard input.amc" : motion, how, {}, &*content);
    if (!whole) return std::unexpected(wrong(whole.error()));
    content = std::move(whole);
    loaded.skeleton = figure;
  }
  if (!options.clip.empty() && !find_clip(*content, options.clip))
    return std::unexpected(wrong(no_such_clip(*content, options)));
  if (options.for_one_file)
    if (std::optional<Failure> why = options_without_effect(options, content->format)) return std::unexpected(*why);
  static_cast<Content&>(loaded) = std::move(*content);
  say_how(loaded.notes, options.prefix);
  if (const std::expected<void, Failure> done = load_roles(options.roles, loaded); !done)
    return std::unexpected(done.error());
  return loaded;
}

void print_notes(const std::string& file, const std::vector<Note>& notes, std::FILE* to) {
  for (const Note& note : notes) {
    std::string place = shown(file);
    if (note.line > 0) place += ":" + std::to_string(note.line) + ":" + std::to_string(note.column);
    std::fprintf(to, "%s: note: %s\n", place.c_str(), note.text.c_str());
  }
}

void print_odd_places(const std::string& file, std::vector<Note> notes) {
  std::erase_if(notes, [](const Note& note) { return note.line == 0; });
  print_notes(file, notes, stderr);
}

int chosen_clip(const Content& content, const ContentOptions& options) {
  return options.clip.empty() ? 0 : find_clip(content, options.clip).value_or(0);
}

Expected<Pose> pose_of(const Content& content, const ContentOptions& options, std::optional<int> frame) {
  if (!frame && content.format == "scene") return content.clips.front().pose(0);
  if (!frame) return content.figure->rest();
  if (content.clips.empty()) return reject(shown(options.file), "no motion", "a file with frames, or no --frame");
  const Clip& clip = content.clips[static_cast<std::size_t>(chosen_clip(content, options))];
  if (*frame >= clip.frames())
    return reject(shown(options.file), "frame " + std::to_string(*frame) + of_motion(content, clip),
                  clip.frames() > 0 ? "0 to " + std::to_string(clip.frames() - 1) : "a motion with frames");
  return clip.pose(*frame);
}

Expected<int> marker_frame(const Content& content, const ContentOptions& options, std::optional<int> frame) {
  const int frames = content.markers->frames(), asked = frame.value_or(0);
  if (asked < frames) return asked;
  return reject(shown(options.file), "frame " + std::to_string(asked),
                frames > 0 ? "0 to " + std::to_string(frames - 1) : "a file with frames");
}

std::string of_motion(const Content& content, const Clip& clip) {
  return content.clips.size() > 1 ? " of motion " + in_quotes(clip.name) : "";
}

namespace {

bool may_replace_others = false;

}  // namespace

void add_overwrite_option(CLI::App& verb) {
  verb.add_flag_callback(
      "--overwrite", [] { may_replace_others = true; },
      "Replace existing files, including the .asf that is written beside an .amc");
}

std::expected<void, Failure> spare_others(const std::string& out, const WrittenFiles& written) {
  for (const WrittenFile& file : written.files) {
    std::error_code ignored;
    if (may_replace_others || file.name == out || !fs::exists(file.name, ignored)) continue;
    const Expected<std::string> old = read_file(file.name);
    if (!old || *old != file.bytes)
      return std::unexpected(Failure{{file.name, "another file of the name that " + out + " needs beside it",
                                      "no such file, another name for " + out + ", or --overwrite"},
                                     file_trouble});
  }
  return {};
}

bool same_parameters(const Figure& a, const Figure& b) {
  return std::equal(a.parameters().begin(), a.parameters().end(), b.parameters().begin(), b.parameters().end(),
                    [](const Parameter& x, const Parameter& y) { return x.name == y.name; });
}

std::expected<Figure, Failure> named_figure(const std::string& name) {
  if (name == "human") return human();
  ContentOptions options;
  options.file = name;
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->figure) return std::unexpected(Failure{{shown(name), "no figure", "a file with one"}, scene_is_wrong});
  const Expected<Figure> figure = with_common_names(*content->figure);
  if (!figure) return std::unexpected(Failure{figure.error(), scene_is_wrong});
  return *figure;
}

}  // namespace limber::cli
