#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/task.h"
#include "limber/motion/track/track.h"

namespace limber::bench {

namespace {

// A frame ends at this Kuhn-Tucker residual: about a hundredth of a millimetre.
constexpr double tolerance = 1e-6;

// A method with our choices, or with those that its paper prints: EE09's halving line search, W93's steps that may
// increase the error.
struct Tracked {
  Method method;
  bool as_printed;

  std::string name() const { return std::string(name_of(method)) + (as_printed ? ", as printed" : ""); }
};

std::vector<Tracked> tracked_methods() {
  std::vector<Tracked> all;
  for (const Method method : all_methods()) {
    all.push_back({method, false});
    if (method == Method::projected_conjugate_gradient || method == Method::projected_steepest_descent ||
        method == Method::jacobian_transpose)
      all.push_back({method, true});
  }
  return all;
}

}  // namespace

std::expected<Table, Failure> bench_tracking(const TaskOptions& task) {
  Table table{"tracking", "a motion tracked by head, hands and feet (EE09 Fig. 2, 3); time and error per frame"};
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"02_01", "02_03"});
  if (!all) return std::unexpected(all.error());
  for (const Subject& subject : *all) {
    if (task.quick && &subject != &all->front()) continue;
    const Recorded& walk = subject.recorded;
    const std::string motion = subject.motion + ".amc";
    const std::vector<std::string> places = cli::places_of({"head", "hands", "feet"});
    for (const bool given : {false, true})
      for (const Tracked& tracked : tracked_methods())
        for (const int every : {1, 5, 20})
          for (const int max_iterations : {5, 20, 100}) {
            if (task.quick && (every == 5 || max_iterations == 5)) continue;
            Expected<Tracker> tracker = Tracker::make(walk.figure, places, {.root_given = given});
            if (!tracker)
              return std::unexpected(
                  Failure{{motion + ": " + tracker.error().where, tracker.error().found, tracker.error().expected},
                          cli::scene_is_wrong});
            Options options{
                .method = tracked.method, .iterations = max_iterations, .tolerance = tolerance, .restarts = 0};
            options.as_printed = tracked.as_printed;
            // The print has no limit on a step.
            if (tracked.as_printed) options.longest_step = infinity;
            Pose pose = walk.clip.pose(0);
            std::vector<double> time, error;
            for (int k = 0; k < walk.clip.frames(); k += every) {
              tracker->aim(walk.clip.pose(k), pose);
              const auto start = Clock::now();
              tracker->solve(pose, options);
              time.push_back(microseconds_since(start));
              error.push_back(100.0 * tracker->mean_distance());
            }
            table.rows.push_back({{"motion", motion},
                                  {"root", given ? "given" : "free"},
                                  {"method", tracked.name()},
                                  {"every", every},
                                  {"iterations", max_iterations},
                                  {"us", mean_of(time)},
                                  {"error cm", mean_of(error)},
                                  {"p95 error cm", quantile(error, 0.95)}});
          }
  }
  return table;
}

}  // namespace limber::bench
