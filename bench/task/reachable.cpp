#include "bench/task/reachable.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/tracking_figure.h"
#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/track/track.h"
#include "limber/problem/figure_limits.h"
#include "limber/solver/solve.h"

namespace limber::bench {

namespace {

constexpr int min_moving = 2;  // degrees of freedom of an end
// A goal out of reach is this many lengths of the figure from its root.
constexpr double min_far = 1.1, max_far = 3.0;

// What the report calls met, with room for the rounding of other code.
Criteria criteria_of(const Options& options) {
  return {options.met_metres / tolerance_margin, radians(options.met_degrees) / tolerance_margin, infinity};
}

double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// Any pose within the limits, of the parameters that a solve varies (it keeps the lengths of bones).
Pose random_pose(const Figure& figure, const std::vector<int>& varied, FigureLimits& limits, Random& random) {
  Pose pose = figure.rest();
  for (const int j : varied) {
    const Parameter& parameter = figure.parameters()[j];
    const double far = parameter.translates ? figure.length() : pi;
    pose.theta[j] = random.between(std::fmax(parameter.range.lower, -far), std::fmin(parameter.range.upper, far));
  }
  limits.project(pose.theta);
  return pose;
}

void solve_one(Solver& solver, const Problem& problem, Pose& pose, const Options& options, Reached& reached) {
  const double start = processor_microseconds();
  solver.solve(pose, options);
  reached.times.push_back(processor_microseconds() - start);
  reached.unmet += !meets_goals(problem, pose, criteria_of(options)) || !cli::keeps_limits(problem.figure(), pose);
}

// A figure, its root and the goals of a row.
struct Case {
  const Figure& figure;
  std::vector<int> given;  // parameters of a given root
  bool placed;             // placements, else positions
  bool far;                // out of reach

  Goal goal(const Kinematics& state, const Handle& handle, Random& random) const {
    Vec3 x[max_elements];
    evaluate(figure, state, handle, x);
    if (far) x[0] = state.segments[0].p + figure.length() * random.between(min_far, max_far) * random.direction();
    return placed ? Goal(Placement{x[0], {x[1], x[2]}}) : Goal(Position{x[0]});
  }
};

Reached reach(const Case& one, const std::vector<std::string>& ends, int count, std::uint64_t seed) {
  Problem problem(one.figure);
  std::vector<Handle> handles;
  std::vector<ConstraintId> ids;
  for (const std::string& end : ends) {
    const Handle frame = *one.figure.frame(end);
    handles.push_back(frame);
    ids.push_back(one.placed ? *problem.add(frame, Placement{}) : *problem.add(one.figure.point(end), Position{}));
  }
  for (const int j : one.given) (void)problem.set_rigidity(one.figure.parameters()[j].name, 1.0);
  std::vector<int> varied = problem.variables();
  std::erase_if(varied, [&](int j) { return problem.rigidities()[j] == 1.0; });  // lengths of bones
  varied.insert(varied.end(), one.given.begin(), one.given.end());
  Solver solver(problem);
  FigureLimits limits(one.figure);
  Random random(seed);
  Reached reached;
  for (int k = 0; k < count; ++k) {
    const Pose target = random_pose(one.figure, varied, limits, random);
    const Kinematics state = forward(one.figure, target);
    for (std::size_t e = 0; e < ids.size(); ++e) (void)problem.set_goal(ids[e], one.goal(state, handles[e], random));
    Pose pose = one.figure.rest();
    for (const int j : one.given) pose.theta[j] = target.theta[j];
    solve_one(solver, problem, pose, {}, reached);
  }
  return reached;
}

Reached reach_each(const Case& one, const std::vector<std::string>& ends, int count) {
  Reached all;
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const auto n = static_cast<int>(ends.size()), at = static_cast<int>(e);
    const Reached of_end = reach(one, {ends[e]}, count * (at + 1) / n - count * at / n, e + 1);
    all.times.insert(all.times.end(), of_end.times.begin(), of_end.times.end());
    all.unmet += of_end.unmet;
  }
  return all;
}

// The files of one kind that have figures, in order.
std::vector<std::string> figure_files(const std::string& data, const std::string& kind) {
  const std::string endings = kind == "urdf"      ? ".urdf"
                              : kind == "acclaim" ? ".asf"
                              : kind == "bvh"     ? ".bvh"
                                                  : ".glb.gltf.vrm";
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_in(data, kind), none))
    if (const std::string ending = entry.path().extension().string();
        !ending.empty() && endings.find(ending) != std::string::npos)
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> ends_of(const Figure& figure) {
  const auto count = static_cast<int>(figure.segments().size());
  const auto turns = [&](int s) {
    const Joint& joint = figure.joints()[s];
    return std::any_of(figure.freedoms().begin() + joint.freedom_begin, figure.freedoms().begin() + joint.freedom_end,
                       [](const Freedom& freedom) { return freedom.motion == Motion::rotate; });
  };
  const auto moves = [&](int s) { return figure.joints()[s].freedom_begin < figure.joints()[s].freedom_end; };
  const std::vector<int> root = root_parameters(figure);
  const Kinematics state = forward(figure, figure.rest());
  std::vector<std::string> ends;
  for (int s = 0; s < count; ++s) {
    if (!moves(s)) continue;
    bool turns_below = false;
    for (int below = s + 1; below < figure.segments()[s].subtree_end; ++below) turns_below |= turns(below);
    if (turns_below) continue;
    std::vector<char> is_rigid(static_cast<std::size_t>(count), 0);
    std::string end;
    double max_distance = -1.0;
    const auto take = [&](const std::string& place, const Vec3& p) {
      const double distance = (p - state.segments[s].p).norm();
      if (distance <= max_distance || !figure.frame(place)) return;
      max_distance = distance;
      end = place;
    };
    for (int below = s; below < figure.segments()[s].subtree_end; ++below) {
      is_rigid[below] = below == s || (is_rigid[figure.segments()[below].parent] && !moves(below));
      if (is_rigid[below]) take(figure.segments()[below].name, state.segments[below].p);
    }
    for (const Site& site : figure.sites())
      if (is_rigid[site.segment])
        take(site.name, state.segments[site.segment].R * site.frame.p + state.segments[site.segment].p);
    const Expected<Handle> handle = figure.point(end);
    if (!handle) continue;
    const std::vector<int> chain = chain_of(figure, *handle, no_parent);
    if (std::ranges::count_if(chain, [&](int j) { return std::ranges::count(root, j) == 0; }) >= min_moving)
      ends.push_back(end);
  }
  return ends;
}

BenchRow with_reached(BenchRow row, const Reached& reached) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, reached.times.size()));
  row["goals"] = reached.times.size();
  row["unmet"] = reached.unmet;
  row["unmet %"] = 100.0 * reached.unmet / count;
  row["median us"] = quantile(reached.times, 0.5);
  row["p99 us"] = quantile(reached.times, 0.99);
  row["max us"] = quantile(reached.times, 1.0);
  return row;
}

std::vector<BenchRow> rows_of_random_poses(const std::string& name, const Figure& figure, int count) {
  std::vector<BenchRow> rows;
  const Expected<Figure> free = with_free_root(figure);
  for (const bool given : {false, true}) {
    const Figure& rooted = free ? *free : figure;
    const std::vector<std::string> ends = ends_of(rooted);
    const std::vector<int> root = root_parameters(rooted);
    if (ends.empty() || (!given && root.empty())) continue;
    const auto add = [&](const std::string& what, const Reached& reached) {
      rows.push_back(with_reached({{"figure", name}, {"root", given ? "given" : "free"}, {"goals of", what}}, reached));
    };
    for (const bool far : {false, true}) {
      if (far && !given) continue;  // a free root goes there
      for (const bool placed : {false, true}) {
        const Case one{rooted, given ? root : std::vector<int>(), placed, far};
        const std::string kind = std::string(far ? "far " : "") + (placed ? "placement" : "position");
        const int goals = far ? (count + 9) / 10 : count;
        add("one " + kind, reach_each(one, ends, goals));
        if (ends.size() > 1) add(std::to_string(ends.size()) + " " + kind + "s", reach(one, ends, goals, 1));
      }
    }
  }
  return rows;
}

std::vector<BenchRow> rows_of_motion(const std::string& name, const Figure& figure, const Clip& clip, int max_frames) {
  std::vector<BenchRow> rows;
  const std::vector<std::string> ends = ends_of(figure);
  if (ends.empty()) return rows;
  for (const double rate : {30.0, 120.0}) {
    const Expected<Clip> played = resampled(figure, clip, 1.0 / rate);
    if (!played || played->frames() < 2) continue;
    // The shortest rotation from frame to frame may be a little outside the limits.
    const Expected<Figure> wide = cli::figure_for(figure, *played, true);
    if (!wide) continue;
    for (const bool given : {false, true}) {
      Expected<Tracker> tracker = Tracker::make(*wide, ends, {.root_given = given});
      if (!tracker) continue;
      Solver solver(tracker->problem());
      const Options as_track{.met_metres = 1e-4};  // of limber track
      Reached reached;
      Pose pose = played->pose(0);
      for (int k = 0; k < std::min(played->frames(), max_frames); ++k) {
        tracker->aim(played->pose(k), pose);
        solve_one(solver, tracker->problem(), pose, as_track, reached);
      }
      rows.push_back(with_reached({{"figure", name + ", " + std::to_string(std::lround(rate)) + " Hz"},
                                   {"root", given ? "given" : "free"},
                                   {"goals of", std::to_string(ends.size()) + " positions"}},
                                  reached));
    }
  }
  return rows;
}

std::expected<Table, Failure> bench_reachable(const TaskOptions& task) {
  Table table{"reachable",
              "random reachable poses and recorded motions by a solve without options; goals out of reach"};
  const int count = task.quick ? 20 : 1000, frames = task.quick ? 40 : 100'000;
  const auto add = [&](const std::vector<BenchRow>& rows) {
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  };
  for (const char* kind : {"urdf", "acclaim", "bvh", "gltf"})
    for (const std::string& file : figure_files(task.data, kind)) {
      cli::ContentOptions options;
      options.file = file;
      const std::expected<Content, Failure> content = cli::load_content(options);
      if (!content) return std::unexpected(content.error());
      if (content->figure)
        add(rows_of_random_poses(std::filesystem::path(file).filename().string(), *content->figure, count));
    }
  add(rows_of_random_poses("human", human(), count));
  add(rows_of_random_poses("human, independent spine", *human({.spine = Spine::independent}), count));
  const std::expected<std::vector<Subject>, Failure> all = subjects(task.data);
  if (!all) return std::unexpected(all.error());
  for (const Subject& subject : *all)
    add(rows_of_motion(subject.motion + ".amc", subject.recorded.figure, subject.recorded.clip, frames));
  for (const std::string& file : figure_files(task.data, "bvh")) {
    cli::ContentOptions options;
    options.file = file;
    const std::expected<Content, Failure> content = cli::load_content(options);
    if (!content) return std::unexpected(content.error());
    if (content->figure && !content->clips.empty())
      add(rows_of_motion(std::filesystem::path(file).filename().string(), *content->figure, content->clips.front(),
                         frames));
  }
  return table;
}

}  // namespace limber::bench
