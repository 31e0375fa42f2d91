#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/exit_code.h"
#include "bench/task/task.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

// Four seconds at 30 Hz.
constexpr int locked_frames = 120;
constexpr double pelvis_tilt_deg = 15.0, pelvis_twist_deg = 15.0;

// First the tilt forward, then the twist on top of it, each with an eased start and end.
Mat3 pelvis_turn(int frame) {
  const double t = 2.0 * frame / (locked_frames - 1);  // 0 to 1 the tilt, 1 to 2 the twist
  const auto ease = [](double s) { return 0.5 - 0.5 * std::cos(pi * std::clamp(s, 0.0, 1.0)); };
  const double tilt = radians(pelvis_tilt_deg) * ease(t), twist = radians(pelvis_twist_deg) * ease(t - 1.0);
  return (Eigen::AngleAxisd(twist, Vec3::UnitY()) * Eigen::AngleAxisd(tilt, Vec3::UnitX())).toRotationMatrix();
}

Expected<Placement> placement_at_rest(const Figure& figure, const Expected<Handle>& frame) {
  if (!frame) return std::unexpected(frame.error());
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, figure.rest()), *frame, x);
  return Placement{x[0], {x[1], x[2]}};
}

struct LockedProblem {
  Problem problem;
  std::array<ConstraintId, 2> feet;
  ConstraintId pelvis;
  Orientation upright;  // of the pelvis
};

Expected<LockedProblem> locked_problem(const Figure& figure, double weight) {
  LockedProblem locked{Problem(figure), {}, {}, {}};
  const std::array<const char*, 2> feet = {"left_foot", "right_foot"};
  for (std::size_t k = 0; k < feet.size(); ++k) {
    const Expected<Placement> place = placement_at_rest(figure, figure.frame(feet[k]));
    if (!place) return std::unexpected(place.error());
    const Expected<ConstraintId> id = locked.problem.add(figure.frame(feet[k]), *place, {.weight = weight});
    if (!id) return std::unexpected(id.error());
    locked.feet[k] = *id;
  }
  const Expected<Placement> pelvis = placement_at_rest(figure, figure.frame("pelvis"));
  if (!pelvis) return std::unexpected(pelvis.error());
  locked.upright = pelvis->orientation;
  const Expected<ConstraintId> id = locked.problem.add(figure.frame("pelvis"), locked.upright);
  if (!id) return std::unexpected(id.error());
  locked.pelvis = *id;
  return locked;
}

const GoalError& error_of(const Report& report, ConstraintId id) {
  return std::find_if(report.constraints.begin(), report.constraints.end(), [&](const auto& c) { return c.id == id; })
      ->error;
}

}  // namespace

std::expected<Table, Failure> bench_locked(const TaskOptions& task) {
  Table table{"locked", "a human with both feet locked, the pelvis tilted, then twisted (W93 Fig. 6.4), 120 frames"};
  const Figure figure = human();
  for (const int max_iterations : {5, 100})  // 5 as in the thesis
    for (const Method method : all_methods()) {
      if (task.quick && max_iterations == 100) continue;
      Expected<LockedProblem> locked = locked_problem(figure, must);
      if (!locked) return std::unexpected(Failure{locked.error(), cli::internal});
      const Options options{.method = method, .iterations = max_iterations, .restarts = 0};
      std::vector<double> times, drift, turn, pelvis;
      bool rejected = false;
      const auto begun = Clock::now();
      do {
        Solver solver(locked->problem);
        Pose pose = figure.rest();
        for (int frame = 0; frame < (task.quick ? locked_frames / 4 : locked_frames) && !rejected; ++frame) {
          const Mat3 R = pelvis_turn(frame);
          Orientation goal = locked->upright;
          goal.x = R * goal.x;
          goal.y = R * goal.y;
          if (const auto set = locked->problem.set_goal(locked->pelvis, goal); !set)
            return std::unexpected(Failure{set.error(), cli::internal});
          const auto start = Clock::now();
          const Report& report = solver.solve(pose, options);
          times.push_back(microseconds_since(start));
          rejected = report.exit == Exit::rejected;
          if (rejected) break;
          for (const ConstraintId foot : locked->feet) {
            drift.push_back(1000.0 * error_of(report, foot).metres.value_or(0.0));
            turn.push_back(degrees(error_of(report, foot).radians.value_or(0.0)));
          }
          pelvis.push_back(degrees(error_of(report, locked->pelvis).radians.value_or(0.0)));
        }
      } while (!task.quick && !rejected && microseconds_since(begun) < 1e6);  // repeated until the mean is stable
      if (rejected) continue;
      table.rows.push_back({{"method", std::string(name_of(method))},
                            {"lock", row_of(method).locks ? "in each iteration" : "in rounds"},
                            {"iterations", max_iterations},
                            {"frames/s", 1e6 / mean_of(times)},
                            {"us", mean_of(times)},
                            {"drift mm", mean_of(drift)},
                            {"max drift mm", quantile(drift, 1.0)},
                            {"max turn deg", quantile(turn, 1.0)},
                            {"pelvis deg", mean_of(pelvis)}});
    }
  return table;
}

}  // namespace limber::bench
