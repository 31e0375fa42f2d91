#include "app/cli/bench/task.h"

#include "app/cli/exit_code.h"
#include "app/cli/tracked.h"
#include "limber/motion/track.h"

namespace limber::cli {

std::expected<Table, Failure> bench_human(const TaskOptions& task) {
  Table table{"human", "CMU 131_04 at 30 Hz, five positions to 0.1 mm, limits widened to contain the motion"};
  const std::expected<Recorded, Failure> motion = recorded(task.data, "131.asf", "131_04.amc");
  if (!motion) return std::unexpected(motion.error());
  const std::vector<std::string> places = places_of({"head", "hands", "feet"});
  const int every = task.quick ? 20 : 4;
  for (const bool given : {false, true})
    for (const bool warm : {true, false})
      for (const Method method : {Method::automatic, Method::active_set_bfgs, Method::projected_conjugate_gradient}) {
        Expected<Tracker> tracker = Tracker::make(motion->figure, places, {.root_given = given});
        if (!tracker) return std::unexpected(Failure{tracker.error(), scene_is_wrong});
        Options options{.method = method, .met_metres = 1e-4};
        options.restarts = 50;
        options.iterations = 20'000;
        Pose pose = motion->figure.rest();
        std::vector<double> times;
        int solved = 0;
        for (int k = 0; k < motion->clip.frames(); k += every) {
          if (!warm) pose = motion->figure.rest();
          tracker->aim(motion->clip.pose(k), pose);
          const auto start = Clock::now();
          solved += tracker->solve(pose, options).met();
          times.push_back(microseconds_since(start));
        }
        table.rows.push_back({{"root", given ? "given" : "free"},
                              {"start", warm ? "last frame" : "rest"},
                              {"method", std::string(name_of(method))},
                              {"solved %", 100.0 * solved / static_cast<double>(times.size())},
                              {"mean us", mean_of(times)},
                              {"median us", quantile(times, 0.5)}});
      }
  return table;
}

}  // namespace limber::cli
