// Figures that follow places of a reference motion, or markers.
#include <algorithm>
#include <set>

#include "binding/wasm/exchange.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

void read_options(const JsonValue& root, Track& track) {
  if (root["iterations"]) track.options.iterations = root["iterations"].integer(1, 1'000'000);
  const std::optional<Method> method = method_of(root["method"].text_or("automatic"));
  if (!method)
    root["method"].fail("the name '" + root["method"].text() + "'", "a method");
  else
    track.options.method = *method;
  track.options.restarts = 0;
}

void read_attachments(const JsonValue& list, std::vector<Attachment>& attached) {
  if (!list || !list.array()) return;
  for (const JsonValue one : list) {
    if (!one.object({"marker", "place", "at", "weight"})) return;
    Attachment made{.marker = one["marker"].text(), .place = one["place"].text()};
    if (one["at"]) made.at = one["at"].vector();
    made.weight = one["weight"].number_or(1.0);
    attached.push_back(std::move(made));
  }
}

// Markers that are not attached, at the sites that have their names.
void attach_by_name(const Figure& figure, const Markers& markers, std::vector<Attachment>& attached) {
  std::set<std::string, std::less<>> taken;
  for (const Attachment& one : attached) taken.insert(one.marker);
  for (const std::string& name : markers.names)
    if (std::ranges::find(figure.sites(), name, &Site::name) != figure.sites().end() && taken.insert(name).second)
      attached.push_back({.marker = name, .place = name});
}

void write_answer(const Pose& pose, const Tracker& tracker, double* theta, double* distances) {
  Eigen::Map<VecX>(theta, pose.theta.size()) = pose.theta;
  distances[0] = tracker.mean_distance();
  distances[1] = tracker.max_distance();
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_tracker_new(int number, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  JsonDocument document(text_at(json, size), "tracker");
  const JsonValue root = document.root();
  auto track = std::make_unique<Track>();
  TrackOptions options;
  std::vector<std::string> places;
  if (root.object({"places", "method", "iterations", "root_given", "orientations"})) {
    if (root["places"].array())
      for (const JsonValue place : root["places"]) places.push_back(place.text());
    options.root_given = root["root_given"] && root["root_given"].boolean();
    options.orientations = root["orientations"] && root["orientations"].boolean();
    read_options(root, *track);
  }
  if (document.error()) return rejected(*document.error());
  Expected<Tracker> tracker = Tracker::make(*figure, places, options);
  if (!tracker) return rejected(tracker.error());
  track->tracker = std::make_unique<Tracker>(std::move(*tracker));
  return keep(std::move(track));
}

int limber_tracker_of_markers(int number, int content_number, const char* json, int size) {
  const Figure* figure = figure_at(number);
  const Content* content = figure ? find<Content>(content_number) : nullptr;
  if (!content) return 0;
  if (!content->markers) return rejected({"file", "no markers", "a file with markers, such as TRC or C3D"});
  JsonDocument document(text_at(json, size), "tracker");
  const JsonValue root = document.root();
  auto track = std::make_unique<Track>();
  track->markers = *content->markers;
  std::vector<Attachment> attached;
  if (root.object({"markers", "method", "iterations", "turn_degrees"})) {
    read_attachments(root["markers"], attached);
    read_options(root, *track);
    if (root["turn_degrees"]) track->markers = turned(track->markers, radians(root["turn_degrees"].number()));
  }
  if (document.error()) return rejected(*document.error());
  attach_by_name(*figure, track->markers, attached);
  for (const Attachment& one : attached) {
    const std::optional<int> row = track->markers.find(one.marker);
    if (!row) return rejected({"marker '" + one.marker + "'", "none of that name", "one of the file"});
    track->rows.push_back(*row);
  }
  Expected<Tracker> tracker = Tracker::with_markers(*figure, attached);
  if (!tracker) return rejected(tracker.error());
  track->tracker = std::make_unique<Tracker>(std::move(*tracker));
  JsonWriter out;
  out.begin_object().key("frames").integer(track->markers.frames()).member("rate", track->markers.rate).end();
  set_text(out.take());
  return keep(std::move(track));
}

int limber_tracker_follow_markers(int number, int frame, double* theta, double* distances) {
  Track* track = find<Track>(number);
  if (!track) return 0;
  if (frame < 0 || frame >= track->markers.frames())
    return rejected({"frame " + std::to_string(frame), std::to_string(track->markers.frames()) + " frames of markers",
                     "one of these"});
  std::vector<std::optional<Vec3>> points;
  bool any = false;
  for (const int row : track->rows) {
    const bool seen = track->markers.seen(frame, row);
    points.push_back(seen ? std::optional(track->markers.position(frame, row)) : std::nullopt);
    any = any || seen;
  }
  Tracker& tracker = *track->tracker;
  Pose pose{wasm::pose_at(tracker.figure(), theta)};
  tracker.aim(points);
  if (any && !track->is_placed) tracker.align(pose);
  track->is_placed = track->is_placed || any;
  tracker.solve(pose, track->options);
  write_answer(pose, tracker, theta, distances);
  return 1;
}

int limber_tracker_follow(int number, const double* reference, double* theta, double* distances) {
  Track* track = find<Track>(number);
  if (!track) return static_cast<int>(Exit::rejected);
  Tracker& tracker = *track->tracker;
  Pose pose{wasm::pose_at(tracker.figure(), theta)};
  tracker.aim(Pose{wasm::pose_at(tracker.figure(), reference)}, pose);
  const Report& report = tracker.solve(pose, track->options);
  write_answer(pose, tracker, theta, distances);
  return static_cast<int>(report.exit);
}
