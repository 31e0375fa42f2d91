// limber attach: finds where on a figure markers are attached, from a motion in which they were recorded.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/marker_arguments.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/document/files.h"

namespace limber::cli {

namespace {

struct AttachArguments {
  ContentOptions content;
  MarkerArguments markers;
  std::vector<std::string> files;
  std::string output;
  int start = 0;
  bool json = false;
};

void print_set(const MarkerSet& set) {
  std::printf("%-12s %-16s %8s %8s %8s %10s\n", "marker", "place", "x cm", "y cm", "z cm", "spread cm");
  for (const Attachment& marker : set.markers)
    std::printf("%-12s %-16s %8s %8s %8s %10s\n", marker.marker.c_str(), marker.place.c_str(),
                to_text(100.0 * marker.at.x(), 2).c_str(), to_text(100.0 * marker.at.y(), 2).c_str(),
                to_text(100.0 * marker.at.z(), 2).c_str(), to_text(100.0 * marker.spread.value_or(0.0), 2).c_str());
  if (set.turn != 0.0) std::printf("turned by %s degrees about the vertical\n", to_text(degrees(set.turn), 1).c_str());
}

int run(AttachArguments arguments) {
  if (arguments.files.size() < 2)
    return complain({shown(arguments.files.front()), "one file",
                     "two or three: limber attach MOTION MARKERS, or SKELETON.asf MOTION.amc MARKERS"},
                    usage);
  arguments.markers.file = arguments.files.back();
  arguments.content.file = arguments.files.front();
  if (arguments.files.size() == 3) arguments.content.motion = arguments.files[1];
  std::expected<LoadedContent, Failure> content = load_content(arguments.content);
  if (!content) return complain(content.error());
  if (!content->figure || content->clips.empty())
    return complain({shown(arguments.content.file), "no motion", "a figure with the motion of the markers"},
                    scene_is_wrong);
  const Clip& clip = content->clips[static_cast<std::size_t>(chosen_clip(*content, arguments.content))];
  const std::expected<LoadedMarkers, Failure> loaded = load_markers(arguments.markers);
  if (!loaded) return complain(loaded.error());
  AttachOptions options{.start = arguments.start};
  if (arguments.markers.turn_deg) options.turn = radians(*arguments.markers.turn_deg);
  const Expected<MarkerSet> set = [&] {
    const Progress progress("attaching " + shown(arguments.markers.file));
    return attach(*content->figure, clip, loaded->markers, options);
  }();
  if (!set)
    return complain({shown(arguments.markers.file) + ": " + set.error().where, set.error().found, set.error().expected},
                    scene_is_wrong);
  print_notes(arguments.markers.file, loaded->notes, stderr);
  for (const std::string& name : loaded->markers.names)
    if (std::ranges::none_of(set->markers, [&](const Attachment& marker) { return marker.marker == name; }))
      print_notes(arguments.markers.file, {{"marker '" + name + "' was not seen in the motion"}}, stderr);
  const std::string text = write_marker_set(*set);
  if (!arguments.output.empty())
    if (const Expected<void> done = write_file(arguments.output, text); !done)
      return complain(done.error(), file_trouble);
  if (arguments.json)
    std::fputs(text.c_str(), stdout);
  else
    print_set(*set);
  return all_met;
}

}  // namespace

Verb add_attach(CLI::App& app) {
  auto options = std::make_shared<AttachArguments>();
  CLI::App* verb =
      app.add_subcommand("attach", "Find where on a figure markers are attached, from a recording of both");
  verb->add_option("FILES", options->files,
                   "The figure with its motion (one file, or an ASF and an AMC file), then the TRC or C3D file")
      ->required()
      ->expected(1, 3);
  add_content_options(*verb, options->content);
  add_clip_option(*verb, options->content);
  add_marker_options(*verb, options->markers);
  verb->add_option("--start", options->start, "Marker frame, from 0, at which the motion starts")
      ->check(CLI::Range(0, 1'000'000'000));
  verb->add_option("-o,--output", options->output, "Write the attachments, for limber track --markers");
  verb->add_flag("--json", options->json, "Print the attachments as JSON");
  verb->footer(
      "Without --turn, four quarter turns are tried, and the one that brings the markers nearest to the figure is "
      "used.\n"
      "\n"
      "Example:\n"
      "  limber attach 02.asf 02_01.amc 02_01.c3d -o markers.json\n"
      "  limber track 02.asf 02_02.c3d --markers markers.json -o 02_02.amc");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
