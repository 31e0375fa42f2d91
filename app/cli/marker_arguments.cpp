#include "app/cli/marker_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/base/number.h"
#include "limber/base/spelling.h"
#include "limber/document/files.h"
#include "limber/format/text/text.h"

namespace limber::cli {

namespace {

std::optional<Vec3> three_numbers(std::string_view text) {
  Vec3 v;
  for (int c = 0; c < 3; ++c) {
    const std::size_t comma = c < 2 ? text.find(',') : text.size();
    if (comma == std::string_view::npos) return std::nullopt;
    const std::optional<double> number = to_number(text.substr(0, comma));
    if (!number || !std::isfinite(*number)) return std::nullopt;
    v[c] = *number;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return v;
}

constexpr std::size_t max_notes = 10;  // on single markers

// As names of figures are quoted.
std::string quoted(const std::string& name) { return "'" + on_one_line(name) + "'"; }

}  // namespace

void add_marker_options(CLI::App& verb, MarkerArguments& arguments) {
  verb.add_option("--marker-unit", arguments.unit, "Unit of the markers' lengths; default: as stated in their file")
      ->check(wrong_unit);
  verb.add_option("--marker-up", arguments.up, "Up axis of the markers: y or z")->check(wrong_axis);
  verb.add_option("--turn", arguments.turn_deg, "Rotate the markers about the vertical first, by this many degrees")
      ->check([](const std::string& text) {
        const std::optional<double> angle = to_number(text);
        return angle && std::isfinite(*angle) ? std::string() : "found " + text + "; expected a number of degrees";
      });
}

bool is_marker_file(const std::string& path) {
  const std::optional<FileKind> kind = kind_of_name(path);
  return kind && format_of(*kind).holds == FileHolds::markers;
}

std::expected<LoadedMarkers, Failure> load_markers(const MarkerArguments& arguments) {
  ContentOptions options;
  options.file = arguments.file;
  options.unit = arguments.unit;
  options.up = arguments.up;
  options.prefix = "marker-";
  options.takes_scenes = false;
  std::expected<LoadedContent, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  if (!content->markers || content->markers->frames() == 0 || content->markers->names.empty())
    return std::unexpected(
        Failure{{shown(arguments.file), "no markers", "a TRC or C3D file with markers and frames"}, scene_is_wrong});
  return LoadedMarkers{std::move(*content->markers), std::move(content->notes)};
}

std::optional<Attachment> attachment_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  Attachment attachment{.marker = text.substr(0, equals), .place = text.substr(equals + 1)};
  // Names of places may hold a colon ("mixamorig:Head"): the last one counts, where numbers follow it.
  if (const std::size_t colon = attachment.place.rfind(':'); colon != std::string::npos)
    if (const std::optional<Vec3> at = three_numbers(std::string_view(attachment.place).substr(colon + 1))) {
      attachment.at = *at;
      attachment.place.resize(colon);
    }
  if (attachment.place.empty()) return std::nullopt;
  return attachment;
}

std::string no_attachment(const std::string& text) {
  return attachment_of(text) ? "" : "found " + text + "; expected NAME=PLACE or NAME=PLACE:x,y,z in metres";
}

std::expected<MarkerSet, Failure> marker_set_of(const Figure& figure, const Markers& markers,
                                                const MarkerArguments& arguments, std::vector<Note>& notes) {
  MarkerSet stated;
  if (!arguments.set.empty()) {
    const Expected<std::string> text = read_file(arguments.set);
    if (!text) return std::unexpected(Failure{text.error(), file_trouble});
    Expected<MarkerSet> set = read_marker_set(*text, shown(arguments.set));
    if (!set) return std::unexpected(Failure{set.error(), scene_is_wrong});
    stated = std::move(*set);
  }
  MarkerSet made{.turn = arguments.turn_deg ? radians(*arguments.turn_deg) : stated.turn};
  const std::set<std::string_view> known(markers.names.begin(), markers.names.end());
  std::set<std::string, std::less<>> taken, sites;
  for (const Site& site : figure.sites()) sites.insert(site.name);
  for (const std::string& text : arguments.single) {
    const Attachment attachment = *attachment_of(text);
    if (!known.contains(attachment.marker)) {
      const std::string others = with_nearest("one of " + shown(arguments.file), attachment.marker, markers.names);
      return std::unexpected(Failure{{"--marker", "the marker " + quoted(attachment.marker), others}, scene_is_wrong});
    }
    if (!taken.insert(attachment.marker).second)
      return std::unexpected(
          without_effect("--marker", quoted(attachment.marker) + " a second time", "one place for a marker"));
    made.markers.push_back(attachment);
  }
  std::size_t missing = 0;
  for (const Attachment& attachment : stated.markers) {
    if (!known.contains(attachment.marker)) {
      if (++missing <= max_notes)
        notes.push_back({"marker " + quoted(attachment.marker) + " is not in " + shown(arguments.file) +
                         with_nearest(", which has others", attachment.marker, markers.names)});
    } else if (taken.insert(attachment.marker).second) {
      made.markers.push_back(attachment);
    }
  }
  if (missing > max_notes)
    notes.push_back({std::to_string(missing - max_notes) + " more markers are not in " + shown(arguments.file)});
  for (const std::string& name : markers.names)
    if (sites.contains(name) && taken.insert(name).second) made.markers.push_back({.marker = name, .place = name});
  if (made.markers.empty())
    return std::unexpected(Failure{{shown(arguments.file), "no marker that is fixed to the figure",
                                    "--markers with a file, --marker NAME=PLACE, or markers with the names of sites"},
                                   scene_is_wrong});
  return made;
}

}  // namespace limber::cli
