// Files of figures, motions and markers, as the verbs info, convert, check and draw take them.
#pragma once

#include <optional>
#include <string>

#include "app/cli/verb.h"
#include "limber/format/file.h"

namespace CLI {
class App;
}

namespace limber::cli {

// What the command line says about the file to read.
struct ContentOptions {
  std::string file = {};
  std::string motion = {};  // empty: none
  std::string clip = {};    // name or number; empty: all
  std::optional<std::string> unit = {};
  std::optional<std::string> up = {};
  std::string root_offset = "auto";
  std::optional<double> fps = {};
  bool takes_scenes = true;  // a scene is its figure and, as a motion of one frame, its pose
};
// FILE, MOTION and the options; `prefix` stands before --unit and --up where a verb has its own of that name.
void add_content_options(CLI::App& verb, ContentOptions& options, const std::string& prefix = "");

// The content, with all its clips. `bytes` are those of options.file where they have been
// read already.
std::expected<Content, Failure> load_content(const ContentOptions& options,
                                             std::optional<std::string> bytes = std::nullopt);
ReadOptions read_options(const ContentOptions& options);

// A named or numbered unit and axis; CLI11 has checked them.
double metres_of(const std::string& unit);
Up up_of(const std::string& axis);
// Checks for CLI11: empty, or what is wrong.
std::string wrong_unit(const std::string& text);
std::string wrong_axis(const std::string& text);
std::string not_above_zero(const std::string& text);

// "walk.bvh:12:3: text", one a line, on standard error.
void print_notes(const std::string& file, const std::vector<Note>& notes);

// The number of the clip that is asked for, or 0. load_content() has checked it.
int chosen_clip(const Content& content, const ContentOptions& options);

// The pose of a frame of that clip, or the rest pose where no frame is asked for.
Expected<Pose> pose_of(const Content& content, const ContentOptions& options, std::optional<int> frame);

}  // namespace limber::cli
