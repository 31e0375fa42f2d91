#include "limber/motion/contacts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/ground_motion.h"

namespace limber {

namespace {

using Path = std::vector<Vec3>;  // positions of a place, by frame

// Relative to enter_height: the width of a band of heights at one level.
constexpr double level_width = 0.5;
// ℓ of contacts.h, in metres.
constexpr double min_stride = 0.25;
// Fits of the floor; each reaches some steps farther than the previous one.
constexpr int max_fits = 8;
// Sites listed in the message for a figure without feet.
constexpr std::size_t max_named = 12;
// Of the speed of a moving ground: a foot that stands on it in an animated clip is not much more precise.
constexpr double enter_spread = 0.2, leave_spread = 0.3;
// Relative to the frame time, for comparing durations.
constexpr double time_tolerance = 1e-6;

// The options scaled to this figure and this motion.
struct Bounds {
  double enter_height, leave_height, enter_speed, leave_speed, max_ground_height, bridge_distance;
  double window, min_duration, max_gap;
  double frame_time;
  double max_slope;
  double stride;      // metres
  int ground_frames;  // that define a ground level
};

// The floor rises by `slope` along x and z; it has height 0 at `middle`.
struct Floor {
  Vec3 middle = Vec3::Zero();
  Vec3 slope = Vec3::Zero();  // y is 0

  double rise(const Vec3& x) const { return slope.dot(x - middle); }
};

// A place, frame by frame.
struct Track {
  Path x;
  std::vector<double> speed;
  std::vector<double> height;         // above the Floor
  std::optional<double> ground = {};  // ground level
};

struct Run {
  int first, last;  // frames, both included
};

std::string motion_title(const Clip& clip) { return clip.name.empty() ? "motion" : "motion '" + clip.name + "'"; }

Expected<void> checked(const Figure& figure, const Clip& clip) {
  if (clip.frames() < 2) return reject(motion_title(clip), std::to_string(clip.frames()) + " frames", "at least two");
  if (clip.poses.rows() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject(motion_title(clip), std::to_string(clip.poses.rows()) + " numbers per frame",
                  std::to_string(figure.parameters().size()) + ", as for figure '" + figure.name() + "'");
  if (!(clip.frame_time > 0.0 && std::isfinite(clip.frame_time)))
    return reject(motion_title(clip), to_text(clip.frame_time) + " s per frame", "a number above 0");
  if (!clip.poses.allFinite()) return reject(motion_title(clip), "poses that are not finite", "finite numbers");
  return {};
}

Expected<void> checked(const ContactOptions& options) {
  const std::pair<const char*, double> positive[] = {{"max_ground_height", options.max_ground_height},
                                                     {"enter_height", options.enter_height},
                                                     {"leave_height", options.leave_height},
                                                     {"enter_speed", options.enter_speed},
                                                     {"leave_speed", options.leave_speed},
                                                     {"window", options.window}};
  for (const auto& [name, value] : positive)
    if (!(value > 0.0 && std::isfinite(value))) return reject(name, to_text(value), "a finite number above 0");
  const std::pair<const char*, double> nonnegative[] = {{"min_duration", options.min_duration},
                                                        {"max_gap", options.max_gap},
                                                        {"bridge_distance", options.bridge_distance},
                                                        {"max_slope", options.max_slope}};
  for (const auto& [name, value] : nonnegative)
    if (!(value >= 0.0 && std::isfinite(value))) return reject(name, to_text(value), "a finite number, 0 or more");
  if (options.leave_height < options.enter_height)
    return reject("leave_height", to_text(options.leave_height), "at least enter_height");
  if (options.leave_speed < options.enter_speed)
    return reject("leave_speed", to_text(options.leave_speed), "at least enter_speed");
  if (options.floor && !std::isfinite(*options.floor))
    return reject("floor", to_text(*options.floor), "a finite height");
  return {};
}

Bounds bounds_of(const ContactOptions& options, const Figure& figure, const Clip& clip) {
  const double scale = figure.length() / person_length;
  Bounds b = {};
  b.enter_height = scale * options.enter_height;
  b.leave_height = scale * options.leave_height;
  b.enter_speed = scale * options.enter_speed;
  b.leave_speed = scale * options.leave_speed;
  b.max_ground_height = scale * options.max_ground_height;
  b.bridge_distance = scale * options.bridge_distance;
  b.window = options.window;
  b.min_duration = options.min_duration;
  b.max_gap = options.max_gap;
  b.frame_time = clip.frame_time;
  b.max_slope = options.max_slope;
  b.stride = scale * min_stride;
  const double ground_frames = std::round(options.min_duration / clip.frame_time);
  b.ground_frames = static_cast<int>(std::clamp(ground_frames, 1.0, static_cast<double>(clip.frames())));
  return b;
}

Expected<std::vector<Path>> paths(const Figure& figure, const Clip& clip, const std::vector<std::string>& places) {
  std::vector<Element> points;
  for (const std::string& place : places) {
    const Expected<Handle> handle = figure.point(place);
    if (!handle) return std::unexpected(handle.error());
    points.push_back(handle->plus[0]);
  }
  std::vector<Path> out(places.size(), Path(static_cast<std::size_t>(clip.frames())));
  Kinematics state(figure);
  VecX q;
  for (int k = 0; k < clip.frames(); ++k) {
    figure.angles(clip.poses.col(k), q);
    forward(figure, q, state);
    for (std::size_t p = 0; p < points.size(); ++p)
      out[p][static_cast<std::size_t>(k)] = evaluate(figure, state, points[p]);
  }
  return out;
}

// Linear between two frames; `at` is in frames, within the motion.
Vec3 between_frames(const Path& x, double at) {
  const auto before = std::min(static_cast<std::size_t>(at), x.size() - 2);
  const double u = at - static_cast<double>(before);
  return (1.0 - u) * x[before] + u * x[before + 1];
}

std::vector<double> speeds(const Path& x, const Bounds& b) {
  // At least one frame to either side: a shorter window gives the same difference.
  const double half = std::fmax(1.0, 0.5 * b.window / b.frame_time), end = static_cast<double>(x.size() - 1);
  std::vector<double> out;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double from = std::fmax(0.0, static_cast<double>(k) - half);
    const double to = std::fmin(end, static_cast<double>(k) + half);
    out.push_back((between_frames(x, to) - between_frames(x, from)).norm() / ((to - from) * b.frame_time));
  }
  return out;
}

// The lowest height at which the place stays slow, or nothing.
std::optional<double> ground_of(const Track& track, const Bounds& b) {
  std::vector<double> slow;
  for (std::size_t k = 0; k < track.x.size(); ++k)
    if (track.speed[k] <= b.enter_speed) slow.push_back(track.height[k]);
  std::sort(slow.begin(), slow.end());
  for (auto low = slow.begin(); low != slow.end(); ++low) {
    const auto high = std::upper_bound(low, slow.end(), *low + level_width * b.enter_height);
    if (high - low >= b.ground_frames) return *(low + (high - low) / 2);
  }
  return std::nullopt;
}

// Heights and ground levels above the floor.
void measure(const Floor& floor, const Bounds& b, std::vector<Track>& tracks) {
  for (Track& track : tracks) {
    for (std::size_t k = 0; k < track.x.size(); ++k) track.height[k] = track.x[k].y() - floor.rise(track.x[k]);
    track.ground = ground_of(track, b);
  }
}

bool stands(const Track& track, std::size_t frame, const Bounds& b) {
  return track.ground && track.speed[frame] <= b.enter_speed &&
         std::fabs(track.height[frame] - *track.ground) <= b.enter_height;
}

// The slope that, with a height for each place, fits the frames in contact. Heights and positions are relative to the
// means of the place.
Floor fitted(const std::vector<Track>& tracks, const Bounds& b) {
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
  Eigen::Vector2d r = Eigen::Vector2d::Zero();
  Vec3 all = Vec3::Zero();
  double count = 0.0;
  for (const Track& track : tracks) {
    Vec3 sum = Vec3::Zero();
    double n = 0.0;
    for (std::size_t k = 0; k < track.x.size(); ++k)
      if (stands(track, k, b)) {
        sum += track.x[k];
        ++n;
      }
    for (std::size_t k = 0; k < track.x.size(); ++k)
      if (stands(track, k, b)) {
        const Vec3 d = track.x[k] - sum / n;
        const Eigen::Vector2d along(d.x(), d.z());
        A += along * along.transpose();
        r += d.y() * along;
      }
    all += sum;
    count += n;
  }
  if (count == 0.0) return {};
  A.diagonal().array() += count * b.stride * b.stride;
  Eigen::Vector2d slope = A.inverse() * r;
  if (const double steep = slope.norm(); steep > b.max_slope) slope *= b.max_slope / steep;
  return {all / count, {slope.x(), 0.0, slope.y()}};
}

// The runs within the leave thresholds that somewhere are within the enter thresholds.
std::vector<Run> runs_of(const Track& track, const Bounds& b) {
  std::vector<Run> runs;
  bool within = false, entered = false;
  for (std::size_t k = 0; k < track.x.size(); ++k) {
    const double height = std::fabs(track.height[k] - *track.ground), speed = track.speed[k];
    const int frame = static_cast<int>(k);
    if (height > b.leave_height || speed > b.leave_speed) {
      if (within && !entered) runs.pop_back();
      within = entered = false;
      continue;
    }
    if (within)
      runs.back().last = frame;
    else
      runs.push_back({frame, frame});
    within = true;
    entered = entered || (height <= b.enter_height && speed <= b.enter_speed);
  }
  if (within && !entered) runs.pop_back();
  return runs;
}

// Merges runs separated by a short gap in which the place hardly moved; then drops short ones.
std::vector<Run> joined(const std::vector<Run>& runs, const Path& x, const Bounds& b) {
  std::vector<Run> out;
  for (const Run& run : runs) {
    if (!out.empty()) {
      const double gap = (run.first - out.back().last) * b.frame_time;
      const Vec3 moved = x[static_cast<std::size_t>(run.first)] - x[static_cast<std::size_t>(out.back().last)];
      if (gap <= b.max_gap + time_tolerance * b.frame_time && moved.norm() <= b.bridge_distance) {
        out.back().last = run.last;
        continue;
      }
    }
    out.push_back(run);
  }
  std::erase_if(out, [&](const Run& run) {
    return (run.last - run.first) * b.frame_time < b.min_duration - time_tolerance * b.frame_time;
  });
  return out;
}

// With the track relative to the ground.
Contact contact_of(const std::string& place, const Run& run, const Track& track, const Floor& floor, const Bounds& b,
                   const Vec3& ground) {
  Vec3 at = Vec3::Zero();
  for (int k = run.first; k <= run.last; ++k) at += track.x[static_cast<std::size_t>(k)] / (run.last - run.first + 1);
  // The median: a bridged gap may hold frames that are far off.
  std::vector<double> heights(track.height.begin() + run.first, track.height.begin() + run.last + 1);
  const auto middle = heights.begin() + (run.last - run.first) / 2;
  std::nth_element(heights.begin(), middle, heights.end());
  const double height = *middle;
  const bool at_ground = std::fabs(height - *track.ground) <= level_width * b.enter_height;
  at.y() = (at_ground ? *track.ground : height) + floor.rise(at);
  const double start = run.first * b.frame_time;
  return {place, run.first, run.last, start, run.last * b.frame_time, at + start * ground, ground};
}

// The middle of the figure.
Path middle_of(const Figure& figure, const Clip& clip) {
  Path middle;
  Kinematics state(figure);
  VecX q;
  for (int k = 0; k < clip.frames(); ++k) {
    figure.angles(clip.poses.col(k), q);
    forward(figure, q, state);
    Vec3 sum = Vec3::Zero();
    for (const Frame& X : state.segments) sum += X.p / static_cast<double>(state.segments.size());
    middle.push_back(sum);
  }
  return middle;
}

// Of the ground under these places, if they are of both feet.
Vec3 ground_under(const Figure& figure, const Clip& clip, const std::vector<std::string>& places,
                  const std::vector<Path>& x, const Bounds& b) {
  std::vector<std::vector<Path>> feet;
  for (const char* side : {"left_", "right_"}) {
    feet.emplace_back();
    for (std::size_t p = 0; p < places.size(); ++p)
      if (places[p].starts_with(side)) feet.back().push_back(x[p]);
    if (feet.back().empty()) return Vec3::Zero();
  }
  return ground_velocity(feet, middle_of(figure, clip), {b.enter_height, b.enter_speed, b.window, b.frame_time});
}

// Whether the figure has a site, segment or joint of that name.
bool has_place(const Figure& figure, const std::string& name) { return figure.point(name).has_value(); }

std::string some_places(const Figure& figure) {
  std::string text;
  std::size_t count = 0;
  for (const Site& site : figure.sites()) {
    if (++count > max_named) return text + " …";
    text += (text.empty() ? "the sites '" : ", '") + site.name + "'";
  }
  return text.empty() ? "no site" : text;
}

struct Slide {
  double distance = 0.0, drift = 0.0, seconds = 0.0;
};

Slide slide_of(const Path& x, const Contact& contact, double frame_time) {
  const auto flat = [&](int k) {
    const Vec3 p = x[static_cast<std::size_t>(k)] - k * frame_time * contact.velocity;
    return Vec3(p.x(), 0.0, p.z());
  };
  Slide out;
  for (int k = contact.first + 1; k <= contact.last; ++k) {
    out.distance += (flat(k) - flat(k - 1)).norm();
    out.drift = std::fmax(out.drift, (flat(k) - flat(contact.first)).norm());
  }
  out.seconds = (contact.last - contact.first) * frame_time;
  return out;
}

// mean_distance is a sum until finish().
void add(const Slide& slide, Sliding& sum) {
  ++sum.contacts;
  sum.seconds += slide.seconds;
  sum.mean_distance += slide.distance;
  sum.max_drift = std::fmax(sum.max_drift, slide.drift);
}

void finish(Sliding& sum) {
  if (sum.seconds > 0.0) sum.mean_speed = sum.mean_distance / sum.seconds;
  if (sum.contacts > 0) sum.mean_distance /= sum.contacts;
}

}  // namespace

Expected<std::vector<std::string>> foot_places(const Figure& figure) {
  std::vector<std::string> places;
  for (const std::string side : {"left_", "right_"}) {
    const std::size_t before = places.size();
    for (const auto& [preferred, fallback] : {std::pair("heel", "ankle"), std::pair("ball", "toe")}) {
      if (has_place(figure, side + preferred))
        places.push_back(side + preferred);
      else if (has_place(figure, side + fallback))
        places.push_back(side + fallback);
    }
    if (places.size() == before)
      return reject("figure '" + figure.name() + "'", some_places(figure),
                    side + "heel, " + side + "ankle, " + side + "ball or " + side + "toe");
  }
  return places;
}

Expected<std::vector<Contact>> find_contacts(const Figure& figure, const Clip& clip,
                                             const std::vector<std::string>& places, const ContactOptions& options) {
  if (const Expected<void> valid = checked(figure, clip); !valid) return std::unexpected(valid.error());
  if (const Expected<void> valid = checked(options); !valid) return std::unexpected(valid.error());
  if (places.empty()) {
    const Expected<std::vector<std::string>> feet = foot_places(figure);
    if (!feet) return std::unexpected(feet.error());
    return find_contacts(figure, clip, *feet, options);
  }
  Expected<std::vector<Path>> x = paths(figure, clip, places);
  if (!x) return std::unexpected(x.error());

  Bounds b = bounds_of(options, figure, clip);
  const Vec3 ground = options.moving_ground ? ground_under(figure, clip, places, *x, b) : Vec3(Vec3::Zero());
  b.enter_speed = std::fmax(b.enter_speed, enter_spread * ground.norm());
  b.leave_speed = std::fmax(b.leave_speed, leave_spread * ground.norm());
  std::vector<Track> tracks;
  for (Path& path : *x) {
    for (std::size_t k = 0; k < path.size(); ++k) path[k] -= static_cast<double>(k) * b.frame_time * ground;
    std::vector<double> speed = speeds(path, b);
    const std::size_t frames = path.size();
    tracks.push_back({std::move(path), std::move(speed), std::vector<double>(frames)});
  }
  Floor floor;
  measure(floor, b, tracks);
  for (int fit = 0; fit < max_fits; ++fit) {
    floor = fitted(tracks, b);
    measure(floor, b, tracks);
  }
  double lowest = infinity;
  for (const Track& track : tracks) lowest = std::fmin(lowest, track.ground.value_or(infinity));
  const double highest = options.floor.value_or(lowest) + b.max_ground_height;
  std::vector<Contact> contacts;
  for (std::size_t p = 0; p < places.size(); ++p) {
    if (!tracks[p].ground || *tracks[p].ground > highest) continue;
    for (const Run& run : joined(runs_of(tracks[p], b), tracks[p].x, b))
      contacts.push_back(contact_of(places[p], run, tracks[p], floor, b, ground));
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const Contact& a, const Contact& c) { return a.first < c.first; });
  return contacts;
}

Expected<SlidingReport> sliding(const Figure& figure, const Clip& clip, const std::vector<Contact>& contacts) {
  SlidingReport report;
  if (contacts.empty()) return report;
  if (const Expected<void> valid = checked(figure, clip); !valid) return std::unexpected(valid.error());
  std::vector<std::string> names;
  for (const Contact& contact : contacts) {
    if (contact.first < 0 || contact.last < contact.first || contact.last >= clip.frames())
      return reject("contact of '" + contact.place + "'",
                    "frames " + std::to_string(contact.first) + " to " + std::to_string(contact.last),
                    "frames from 0 to " + std::to_string(clip.frames() - 1));
    if (std::find(names.begin(), names.end(), contact.place) == names.end()) names.push_back(contact.place);
  }
  const Expected<std::vector<Path>> x = paths(figure, clip, names);
  if (!x) return std::unexpected(x.error());
  for (std::size_t p = 0; p < names.size(); ++p) {
    Sliding& place = report.places.emplace_back(names[p]).sliding;
    for (const Contact& contact : contacts) {
      if (contact.place != names[p]) continue;
      const Slide slide = slide_of((*x)[p], contact, clip.frame_time);
      add(slide, place);
      add(slide, report.all);
    }
    finish(place);
  }
  finish(report.all);
  return report;
}

}  // namespace limber
