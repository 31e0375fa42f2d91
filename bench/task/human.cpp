#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "bench/task/task.h"
#include "limber/motion/track/track.h"

namespace limber::bench {

namespace {

// Position goals only: the angle is not used.
constexpr Criteria human_criteria = {.metres = 1e-4, .radians = 1e-4, .microseconds = 100'000.0};

}  // namespace

std::expected<Table, Failure> human_table(const TaskOptions& task, const std::vector<ComparedSolver>& solvers) {
  Table table{"human", "a motion at 30 Hz, five positions to 0.1 mm in 100 ms, limits widened to contain it"};
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data, {"131_04"});
  if (!all) return std::unexpected(all.error());
  const std::vector<std::string> places = cli::places_of({"head", "hands", "feet"});
  const int every = task.quick ? 20 : 4;
  for (const Subject& subject : *all)
    for (const bool given : {false, true})
      for (const bool warm : {true, false})
        for (const ComparedSolver& solver : solvers) {
          const Recorded& motion = subject.recorded;
          // Only the tracker's goals are used, not its solver.
          Expected<Tracker> tracker = Tracker::make(motion.figure, places, {.root_given = given});
          if (!tracker) return std::unexpected(Failure{tracker.error(), cli::scene_is_wrong});
          const Expected<PoseSolver> solve = solver.make(tracker->problem(), human_criteria);
          if (!solve) return std::unexpected(Failure{solve.error(), cli::internal});
          Pose pose = motion.figure.rest();
          Score score;
          for (int k = 0; k < motion.clip.frames() && !score.rejected; k += every) {
            if (!warm) pose = motion.figure.rest();
            tracker->aim(motion.clip.pose(k), pose);
            attempt(*solve, tracker->problem(), human_criteria, pose, score);
          }
          if (score.rejected) continue;
          table.rows.push_back(with_score({{"motion", subject.motion},
                                           {"root", given ? "given" : "free"},
                                           {"start", warm ? "last frame" : "rest"},
                                           {"method", solver.name}},
                                          score));
        }
  return table;
}

std::expected<Table, Failure> bench_human(const TaskOptions& task) {
  return human_table(task, {limber_solver(Method::automatic), limber_solver(Method::active_set_bfgs),
                            limber_solver(Method::projected_conjugate_gradient)});
}

}  // namespace limber::bench
