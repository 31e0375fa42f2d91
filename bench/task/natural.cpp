#include <algorithm>

#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/task.h"
#include "limber/figure/prior.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/learn.h"
#include "limber/motion/track/track.h"

namespace limber::bench {

namespace {

constexpr double frame_time = 1.0 / 30.0;
// Where goals stay unmet.
constexpr int restarts = 100, iterations = 10'000;

// All motions of the folder, of two people or more: the prior is learned without the person whose motion is tracked.
std::expected<std::vector<Subject>, Failure> people(const std::string& data) {
  std::expected<std::vector<Subject>, Failure> all = subjects(data);
  if (!all) return all;
  for (Subject& subject : *all) subject.recorded.figure = with_mirror_pairs(subject.recorded.figure);
  if (std::ranges::all_of(*all, [&](const Subject& other) { return other.skeleton == all->front().skeleton; }))
    return std::unexpected(Failure{{folder_in(data, "acclaim"), "motions of one person",
                                    "motions of two people or more, such as 02_01.amc with 02.asf"},
                                   cli::file_trouble});
  return all;
}

std::expected<PriorDescription, Failure> learned_without(const std::vector<Subject>& all, const std::string& skeleton) {
  std::optional<PriorEstimate> estimate;
  for (const Subject& subject : all) {
    if (subject.skeleton == skeleton) continue;
    if (!estimate) estimate.emplace(subject.recorded.figure);
    if (const Expected<void> added = estimate->add(subject.recorded.figure, subject.recorded.clip, frame_time); !added)
      return std::unexpected(Failure{added.error(), cli::scene_is_wrong});
  }
  if (!estimate)
    return std::unexpected(
        Failure{{"prior without " + skeleton, "no other person's motion", "at least one"}, cli::scene_is_wrong});
  const Expected<PriorDescription> prior = estimate->prior();
  if (!prior) return std::unexpected(Failure{prior.error(), cli::scene_is_wrong});
  return *prior;
}

// Segments with an origin of their own that is not one of the given places.
std::vector<int> joints_not_given(const Figure& figure, const std::vector<std::string>& given) {
  const Kinematics rest = forward(figure, figure.rest());
  std::vector<Vec3> taken;
  for (const std::string& place : given)
    if (const Expected<Handle> handle = figure.point(place)) {
      Vec3 x[max_elements];
      evaluate(figure, rest, *handle, x);
      taken.push_back(x[0]);
    }
  std::vector<int> joints;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Vec3& p = rest.segments[s].p;
    if (std::ranges::any_of(taken, [&](const Vec3& other) { return (other - p).norm() < 1e-6; })) continue;
    taken.push_back(p);
    joints.push_back(static_cast<int>(s));
  }
  return joints;
}

struct Sum {
  double cm = 0.0, p95 = 0.0, met = 0.0, us = 0.0;
  int count = 0;
};

}  // namespace

std::expected<Table, Failure> bench_natural(const TaskOptions& task) {
  Table table{"natural", "distance of the joints that are not given from their recorded positions; motions at 30 Hz"};
  const std::expected<std::vector<Subject>, Failure> all = people(task.data);
  if (!all) return std::unexpected(all.error());
  const std::vector<std::string> known = {"02_01", "131_04", "49_18", "01_14"};
  const auto is_known = [&](const Subject& subject) { return std::ranges::find(known, subject.motion) != known.end(); };
  const bool has_known = std::ranges::count_if(*all, is_known) == static_cast<std::ptrdiff_t>(known.size());
  Sum sums[2][2];  // without and with a prior; from the last frame and from rest
  for (const Subject& subject : *all) {
    if (has_known && !is_known(subject)) continue;
    const Clip& clip = subject.recorded.clip;
    const std::expected<PriorDescription, Failure> prior = learned_without(*all, subject.skeleton);
    if (!prior) return std::unexpected(prior.error());
    const Expected<Figure> figure = with_prior(subject.recorded.figure, *prior);
    if (!figure) return std::unexpected(Failure{figure.error(), cli::scene_is_wrong});
    const int every = std::max(1, static_cast<int>(std::lround(frame_time / clip.frame_time))) * (task.quick ? 16 : 1);
    for (const bool pelvis : {false, true})
      for (const bool orientations : {false, true})
        for (const bool natural : {false, true})
          for (const bool warm : {true, false}) {
            const std::vector<std::string> places = cli::places_of({"head", "hands", "feet"});
            TrackOptions options{.orientations = orientations, .natural = natural};
            if (pelvis) options.points = {"pelvis"};
            Expected<Tracker> tracker = Tracker::make(*figure, places, options);
            if (!tracker) return std::unexpected(Failure{tracker.error(), cli::scene_is_wrong});
            std::vector<std::string> given = places;
            if (pelvis) given.emplace_back("pelvis");
            const std::vector<int> joints = joints_not_given(*figure, given);
            Kinematics was(*figure), is(*figure);
            VecX q;
            Pose pose = figure->rest();
            std::vector<double> error, times;
            int met = 0;
            for (int k = 0; k < clip.frames(); k += every) {
              if (!warm) pose = figure->rest();
              tracker->aim(clip.pose(k), pose);
              const auto start = Clock::now();
              const Report& report = tracker->solve(pose, {.iterations = iterations, .restarts = restarts});
              times.push_back(microseconds_since(start));
              met += report.met();
              figure->angles(clip.poses.col(k), q);
              forward(*figure, q, was);
              figure->angles(pose.theta, q);
              forward(*figure, q, is);
              for (const int s : joints) error.push_back(100.0 * (was.segments[s].p - is.segments[s].p).norm());
            }
            Sum& sum = sums[natural][!warm];
            const double met_percent = 100.0 * met / static_cast<double>(times.size());
            sum.cm += mean_of(error);
            sum.p95 += quantile(error, 0.95);
            sum.met += met_percent;
            sum.us += mean_of(times);
            ++sum.count;
            table.rows.push_back(
                {{"motion", subject.motion},
                 {"given", std::string(pelvis ? "ends, pelvis" : "ends") + (orientations ? ", orientations" : "")},
                 {"prior", natural ? "others' motions" : "none"},
                 {"start", warm ? "last frame" : "rest"},
                 {"error cm", mean_of(error)},
                 {"p95 error cm", quantile(error, 0.95)},
                 {"goals met %", met_percent},
                 {"mean us", mean_of(times)},
                 {"median us", quantile(times, 0.5)}});
          }
  }
  for (const bool natural : {false, true})
    for (const bool warm : {true, false}) {
      const Sum& sum = sums[natural][!warm];
      table.rows.push_back({{"motion", "all"},
                            {"given", "all"},
                            {"prior", natural ? "others' motions" : "none"},
                            {"start", warm ? "last frame" : "rest"},
                            {"error cm", sum.cm / sum.count},
                            {"p95 error cm", sum.p95 / sum.count},
                            {"goals met %", sum.met / sum.count},
                            {"mean us", sum.us / sum.count},
                            {"median us", nullptr}});
    }
  return table;
}

}  // namespace limber::bench
