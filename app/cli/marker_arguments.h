// Markers on the command line, for track and attach: their file, and where on the figure they are attached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "limber/format/content/content.h"
#include "limber/motion/markers.h"

namespace CLI {
class App;
}

namespace limber::cli {

struct MarkerArguments {
  std::string file = {};                 // TRC or C3D
  std::string set = {};                  // --markers: the file that states where they are fixed
  std::vector<std::string> single = {};  // --marker: one each, in place of what the file states
  std::optional<std::string> unit = {};
  std::optional<std::string> up = {};
  std::optional<double> turn_deg = {};
};

// --marker-unit, --marker-up and --turn.
void add_marker_options(CLI::App& verb, MarkerArguments& arguments);

bool is_marker_file(const std::string& path);

struct LoadedMarkers {
  Markers markers;
  std::vector<Note> notes = {};
};
std::expected<LoadedMarkers, Failure> load_markers(const MarkerArguments& arguments);

// NAME=PLACE or NAME=PLACE:x,y,z.
std::optional<Attachment> attachment_of(const std::string& text);
// For CLI11: empty, or what is wrong.
std::string no_attachment(const std::string& text);

// Where the markers are fixed: as --marker states, else as the file states, else at the site of the marker's name. What
// the file says of markers that are not there is left out, with a note; --marker is rejected.
std::expected<MarkerSet, Failure> marker_set_of(const Figure& figure, const Markers& markers,
                                                const MarkerArguments& arguments, std::vector<Note>& notes);

}  // namespace limber::cli
