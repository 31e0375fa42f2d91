// Files of figures, motions and markers, as the verbs info, convert, check and draw take them.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "app/cli/verb.h"
#include "limber/format/file.h"
#include "limber/roles/roles.h"

namespace CLI {
class App;
}

namespace limber::cli {

// The command-line options about the file to read.
struct ContentOptions {
  std::string file = {};
  std::string motion = {};    // empty: none
  std::string skeleton = {};  // of an AMC file; empty: looked for beside it
  std::string clip = {};      // name or number; empty: all
  std::optional<std::string> unit = {};
  std::optional<std::string> up = {};
  std::optional<std::string> root_offset = {};
  std::optional<double> fps = {};  // glTF: sampled so
  std::string prefix = {};         // before --unit and --up where a verb has its own of that name
  std::string part = {};           // of a scene of several figures: only this one
  bool takes_scenes = true;        // a scene is its figure and, as a motion of one frame, its pose
  std::string roles = {};          // a file with the parts of the figure; empty: recognised
  bool for_one_file = true;        // an option that has no effect on it is rejected
};
// The options that all verbs have, but for FILE and MOTION.
void add_content_options(CLI::App& verb, ContentOptions& options, const std::string& prefix = "");
void add_part_option(CLI::App& verb, ContentOptions& options);
void add_clip_option(CLI::App& verb, ContentOptions& options);
// --roles, for verbs that need the parts of a body.
void add_roles_option(CLI::App& verb, ContentOptions& options);
void add_sampling_option(CLI::App& verb, ContentOptions& options);
void add_frame_option(CLI::App& verb, std::optional<int>& frame, const std::string& what);

struct LoadedContent : Content {
  std::string skeleton = {};              // the file of the figure, where the motion has one of its own
  std::optional<Roles> given_roles = {};  // of the figure, by a file

  // Given, or else recognised. The content must have a figure.
  Roles roles() const { return given_roles ? *given_roles : roles_of(*figure); }
};

// The content, with all its clips. `bytes` are those of options.file where they have been
// read already.
std::expected<LoadedContent, Failure> load_content(const ContentOptions& options,
                                                   std::optional<std::string> bytes = std::nullopt);
ReadOptions read_options(const ContentOptions& options);

// An option that would have no effect: an error of the command line. "--solve: found walk.bvh, which is no scene; …"
Failure without_effect(const std::string& option, const std::string& found, const std::string& expected);
// --clip without the frame that it is for, --fps for frames that are recorded.
std::optional<Failure> wrong_sampling(const Content& content, const ContentOptions& options, std::optional<int> frame);

// A named or numbered unit and axis; CLI11 has checked them.
double metres_of(const std::string& unit);
Up up_of(const std::string& axis);
// Checks for CLI11: empty, or what is wrong.
std::string wrong_unit(const std::string& text);
std::string wrong_axis(const std::string& text);
std::string not_above_zero(const std::string& text);
std::string no_method(const std::string& text);

// --overwrite: files that are written beside the named one may replace others.
void add_overwrite_option(CLI::App& verb);
// A failure if a file that is written beside OUT, such as the .asf of an .amc, would replace another one of its name:
// that was not named, so it is not ours to replace.
std::expected<void, Failure> spare_others(const std::string& out, const WrittenFiles& written);

// Whether a motion of one is a motion of the other.
bool same_parameters(const Figure& a, const Figure& b);

// A figure's name on the command line: human, or a file; with the common names.
std::expected<Figure, Failure> named_figure(const std::string& name);

// "walk.bvh:12:3: note: text", one per line.
void print_notes(const std::string& file, const std::vector<Note>& notes, std::FILE* to);
// Only what is odd at some place of the file, for verbs that read many: on standard error.
void print_odd_places(const std::string& file, std::vector<Note> notes);

// The number of the requested clip, or 0. load_content() has checked it.
int chosen_clip(const Content& content, const ContentOptions& options);

// The pose of a frame of that clip; if no frame is requested, the pose of a scene, or the rest pose of another file.
Expected<Pose> pose_of(const Content& content, const ContentOptions& options, std::optional<int> frame);
// The frame of the markers, or 0 if none is requested.
Expected<int> marker_frame(const Content& content, const ContentOptions& options, std::optional<int> frame);

// " of motion 'Walk'" where the file has several; else nothing.
std::string of_motion(const Content& content, const Clip& clip);

}  // namespace limber::cli
