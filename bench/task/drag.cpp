// Drags: from a recorded pose of people of whom nothing was learned, one to three parts are pulled along their recorded
// ways to where they are 0.3 to 1 s later. Feet that stand are pinned. The error is the mean distance of all other
// joints from where they were recorded at the end.
#include <algorithm>
#include <ctime>

#include "app/cli/exit_code.h"
#include "bench/task/task.h"
#include "limber/base/random.h"
#include "limber/kinematics/forward.h"
#include "limber/posing/posing.h"
#include "limber/posing/proposal.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

constexpr int drag_count = 1000, quick_drag_count = 20;
constexpr int min_frames = 9, max_frames = 30;  // at 30 Hz
constexpr double standing_metres = 0.02;        // a foot that moves less stands
constexpr double pulled_metres = 0.05;          // a part that moves less is not pulled
constexpr double worse_cm = 2.0;
constexpr std::uint64_t drag_seed = 7;
constexpr const char* pullable[] = {"left_hand", "right_hand", "left_elbow", "right_elbow", "head",      "chest",
                                    "pelvis",    "left_knee",  "right_knee", "left_foot",   "right_foot"};

struct RecordedDrag {
  const Clip* clip = nullptr;
  int begin = 0, end = 0;  // frames
  std::vector<std::string> pulled, pinned;
};

Vec3 place_in(const Figure& figure, const Kinematics& state, const std::string& place) {
  return evaluate(figure, state, figure.point(place)->plus[0]);
}

bool foot_stands(const Figure& figure, const Clip& clip, int begin, int end, const std::string& side) {
  const Kinematics first = forward(figure, clip.pose(begin));
  for (int k = begin + 1; k <= end; ++k) {
    const Kinematics state = forward(figure, clip.pose(k));
    for (const char* place : {"_foot", "_ball"})
      if ((place_in(figure, state, side + place) - place_in(figure, first, side + place)).norm() > standing_metres)
        return false;
  }
  return true;
}

std::vector<RecordedDrag> make_drags(const Takes& takes, int count) {
  Random random(drag_seed);
  std::vector<RecordedDrag> drags;
  for (int tries = 0; tries < 1000 * count && static_cast<int>(drags.size()) < count; ++tries) {
    RecordedDrag drag;
    drag.clip = &takes.clips[static_cast<std::size_t>(random.integer(0, static_cast<int>(takes.clips.size()) - 1))];
    const int frames = random.integer(min_frames, max_frames);
    if (drag.clip->frames() <= frames) continue;
    drag.begin = random.integer(0, drag.clip->frames() - frames - 1);
    drag.end = drag.begin + frames;
    for (const std::string side : {"left", "right"})
      if (foot_stands(takes.figure, *drag.clip, drag.begin, drag.end, side)) drag.pinned.push_back(side + "_foot");
    if (drag.pinned.empty()) continue;
    const Kinematics first = forward(takes.figure, drag.clip->pose(drag.begin));
    const Kinematics last = forward(takes.figure, drag.clip->pose(drag.end));
    std::vector<std::string> moved;
    for (const std::string place : pullable)
      if (std::ranges::find(drag.pinned, place) == drag.pinned.end() &&
          (place_in(takes.figure, last, place) - place_in(takes.figure, first, place)).norm() > pulled_metres)
        moved.push_back(place);
    const int parts = random.integer(1, 3);
    if (static_cast<int>(moved.size()) < parts) continue;
    for (int k = 0; k < parts; ++k) {
      const int pick = random.integer(k, static_cast<int>(moved.size()) - 1);
      std::swap(moved[static_cast<std::size_t>(k)], moved[static_cast<std::size_t>(pick)]);
    }
    moved.resize(static_cast<std::size_t>(parts));
    drag.pulled = moved;
    drags.push_back(drag);
  }
  return drags;
}

// The joints that are neither pulled nor pinned.
std::vector<int> free_joints(const Figure& figure, const Kinematics& state, const RecordedDrag& drag) {
  std::vector<Vec3> taken;
  taken.reserve(drag.pulled.size() + 2 * drag.pinned.size());
  for (const std::string& place : drag.pulled) taken.push_back(place_in(figure, state, place));
  for (const std::string& foot : drag.pinned)
    for (const std::string& place : {foot, foot.substr(0, foot.find('_')) + "_ball"})
      taken.push_back(place_in(figure, state, place));
  std::vector<int> joints;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Vec3& p = state.segments[s].p;
    if (std::ranges::any_of(taken, [&](const Vec3& other) { return (other - p).norm() < 1e-6; })) continue;
    taken.push_back(p);
    joints.push_back(static_cast<int>(s));
  }
  return joints;
}

// The feet pinned, the parts pulled to where they are in a state.
struct DragProblem {
  Problem problem;
  std::vector<ConstraintId> goals = {};

  DragProblem(const Figure& figure, const RecordedDrag& drag, const Kinematics& first) : problem(figure) {
    for (const std::string& foot : drag.pinned) {
      const Handle frame = *figure.frame(foot);
      Vec3 x[max_elements];
      evaluate(figure, first, frame, x);
      (void)problem.add(frame, Placement{x[0], {x[1], x[2]}}, {.weight = must});
    }
    for (const std::string& place : drag.pulled)
      goals.push_back(*problem.add(figure.point(place), Position{place_in(figure, first, place)}));
  }

  void aim(const RecordedDrag& drag, const Kinematics& state) {
    for (std::size_t k = 0; k < goals.size(); ++k)
      (void)problem.set_goal(goals[k], Position{place_in(problem.figure(), state, drag.pulled[k])});
  }
};

struct DragSum {
  std::vector<double> cm, goal_mm, us;  // per drag; of a solve
};

double processor_us() { return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// From frame to frame with the minimum change, as IK is commonly used.
Pose dragged_frame_by_frame(const Figure& figure, const RecordedDrag& drag, double& us) {
  const Clip& clip = *drag.clip;
  DragProblem asked(figure, drag, forward(figure, clip.pose(drag.begin)));
  Solver solver(asked.problem);
  Pose pose = clip.pose(drag.begin);
  const double begun = processor_us();
  for (int k = drag.begin + 1; k <= drag.end; ++k) {
    asked.aim(drag, forward(figure, clip.pose(k)));
    (void)solver.solve(pose, {.restarts = 0});
  }
  us = (processor_us() - begun) / (drag.end - drag.begin);
  return pose;
}

Pose dragged_with_prior(const Figure& figure, const RecordedDrag& drag, double& us) {
  const Clip& clip = *drag.clip;
  DragProblem asked(figure, drag, forward(figure, clip.pose(drag.begin)));
  asked.aim(drag, forward(figure, clip.pose(drag.end)));
  (void)asked.problem.add_prior();
  Pose pose = clip.pose(drag.begin);
  const double begun = processor_us();
  (void)solve(asked.problem, pose, {.restarts = 0});
  us = processor_us() - begun;
  return pose;
}

// The network's proposal for the pose at the grab and the goals, then an exact solve that is pulled towards it.
Pose dragged_with_proposal(const Figure& figure, const RecordedDrag& drag, double& us) {
  const Clip& clip = *drag.clip;
  const Pose start = clip.pose(drag.begin);
  const Kinematics first = forward(figure, start), last = forward(figure, clip.pose(drag.end));
  DragProblem asked(figure, drag, first);
  asked.aim(drag, last);
  std::vector<AskedPoint> points;
  for (const std::string& place : drag.pulled) {
    const Element at = figure.point(place)->plus[0];
    points.push_back({at.segment, at.local, place_in(figure, last, place), {}});
  }
  for (const std::string& foot : drag.pinned) {
    const Element at = figure.point(foot)->plus[0];
    points.push_back(
        {at.segment, at.local, place_in(figure, first, foot), first.segments[static_cast<std::size_t>(at.segment)].R});
  }
  Expected<Proposer> proposer = Proposer::make(figure);
  Pose pose = start;
  if (!proposer) return pose;
  const double begun = processor_us();
  proposer->propose(points, &start);
  (void)proposer->add_to(asked.problem);
  (void)proposer->aim(asked.problem);
  pose = proposer->pose();
  (void)solve(asked.problem, pose, {.restarts = 0});
  us = processor_us() - begun;
  return pose;
}

Pose dragged_by_posing(const Figure& figure, const RecordedDrag& drag, double& us) {
  const Clip& clip = *drag.clip;
  PosingOptions options;
  for (const std::string& foot : drag.pinned) options.pins.push_back({.place = foot});
  Expected<Posing> posing = Posing::make(figure, clip.pose(drag.begin), options);
  if (!posing) return clip.pose(drag.begin);
  std::vector<GripId> grips;
  for (const std::string& place : drag.pulled)
    if (const Expected<GripId> grip = posing->grab(figure.point(place))) grips.push_back(*grip);
  // A frame does not depend on those before it.
  const Kinematics last = forward(figure, clip.pose(drag.end));
  for (std::size_t k = 0; k < grips.size(); ++k) posing->move(grips[k], place_in(figure, last, drag.pulled[k]));
  const double begun = processor_us();
  (void)posing->frame();
  us = processor_us() - begun;
  return posing->answer();
}

struct DragWay {
  const char* name;
  Pose (*run)(const Figure& figure, const RecordedDrag& drag, double& us);
};
constexpr DragWay drag_ways[] = {{"minimum change", dragged_frame_by_frame},
                                 {"prior", dragged_with_prior},
                                 {"posing", dragged_by_posing},
                                 {"learned proposal", dragged_with_proposal}};

}  // namespace

std::expected<Table, Failure> bench_drag(const TaskOptions& task) {
  Table table{"drag", "distance of the joints that are neither pulled nor pinned from their recorded positions"};
  const std::expected<Takes, Failure> takes = recorded_takes(task.data);
  if (!takes) return std::unexpected(takes.error());
  const Figure& figure = takes->figure;
  const std::vector<RecordedDrag> drags = make_drags(*takes, task.quick ? quick_drag_count : drag_count);
  DragSum sums[std::size(drag_ways)];
  for (const RecordedDrag& drag : drags) {
    const Kinematics first = forward(figure, drag.clip->pose(drag.begin));
    const Kinematics last = forward(figure, drag.clip->pose(drag.end));
    const std::vector<int> joints = free_joints(figure, first, drag);
    for (std::size_t way = 0; way < std::size(drag_ways); ++way) {
      double us = 0.0;
      const Pose pose = drag_ways[way].run(figure, drag, us);
      const Kinematics state = forward(figure, pose);
      double sum = 0.0, off = 0.0;
      for (const int s : joints)
        sum += (state.segments[static_cast<std::size_t>(s)].p - last.segments[static_cast<std::size_t>(s)].p).norm();
      for (const std::string& place : drag.pulled)
        off = std::max(off, (place_in(figure, state, place) - place_in(figure, last, place)).norm());
      sums[way].cm.push_back(100.0 * sum / static_cast<double>(joints.size()));
      sums[way].goal_mm.push_back(1000.0 * off);
      sums[way].us.push_back(us);
    }
  }
  for (std::size_t way = 0; way < std::size(drag_ways); ++way) {
    int worse = 0;
    for (std::size_t k = 0; k < drags.size(); ++k) worse += sums[way].cm[k] > sums[0].cm[k] + worse_cm;
    table.rows.push_back({{"way", drag_ways[way].name},
                          {"drags", static_cast<double>(drags.size())},
                          {"error cm", mean_of(sums[way].cm)},
                          {"p95 error cm", quantile(sums[way].cm, 0.95)},
                          {"worse by 2 cm %", 100.0 * worse / static_cast<double>(drags.size())},
                          {"median goal mm", quantile(sums[way].goal_mm, 0.5)},
                          {"p95 goal mm", quantile(sums[way].goal_mm, 0.95)},
                          {"median us", quantile(sums[way].us, 0.5)},
                          {"p95 us", quantile(sums[way].us, 0.95)}});
  }
  return table;
}

}  // namespace limber::bench
