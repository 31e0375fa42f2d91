#include "bench/micro/workload.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/cli/tracking_figure.h"
#include "limber/base/random.h"
#include "limber/document/scene/scene.h"

namespace limber::bench {

namespace {

template <class T>
T value_or_stop(Expected<T> result) {
  if (result) return std::move(*result);
  std::cerr << result.error().text() << '\n';
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be opened\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Figure chain(int n) {
  FigureDescription description;
  description.name = "chain of " + std::to_string(n);
  description.segments.push_back({"base"});
  const double length = 1.0 / n;
  for (int i = 0; i < n; ++i) {
    const std::string name = "link " + std::to_string(i);
    description.segments.push_back({name, 1.0, Vec3(0.0, 0.5 * length, 0.0)});
    JointDescription joint;
    joint.name = "joint " + std::to_string(i);
    joint.parent = i == 0 ? "base" : "link " + std::to_string(i - 1);
    joint.child = name;
    joint.in_parent = at(Vec3(0.0, i == 0 ? 0.0 : length, 0.0));
    joint.freedoms = {{"turn", Motion::rotate, Vec3::Unit(i % 3), {.lower = -2.0, .upper = 2.0}}};
    description.joints.push_back(joint);
  }
  description.sites.push_back({"tip", description.segments.back().name, at(Vec3(0.0, length, 0.0))});
  return value_or_stop(build_figure(std::move(description)));
}

Problem five_positions(const Figure& figure) {
  Problem problem(figure);
  problem.add(figure.point("eyes"), Position{{0.0, 1.50, 0.20}});
  problem.add(figure.point("right_palm"), Position{{-0.30, 1.20, 0.40}});
  problem.add(figure.point("left_palm"), Position{{0.25, 0.90, 0.30}});
  problem.add(figure.point("right_foot"), Position{{-0.10, 0.05, 0.05}});
  problem.add(figure.point("left_foot"), Position{{0.10, 0.00, -0.05}});
  return problem;
}

Reaching reaching_panda(int goals) {
  const Content content = value_or_stop(read_content(read_data("urdf/panda.urdf"), "panda.urdf"));
  const Figure& figure = *content.figure;
  const Handle hand = value_or_stop(figure.frame("panda_link7"));
  Reaching reaching{Problem(figure), {}, figure.rest(), {}};
  Random random(1);
  for (int k = 0; k < goals; ++k) {
    Pose target = figure.rest();
    for (Eigen::Index j = 0; j < target.theta.size(); ++j) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      const double lower = std::max(range.lower, -pi), upper = std::min(range.upper, pi);
      target.theta[j] = random.between(lower, upper);
      reaching.start.theta[j] = 0.5 * (lower + upper);
    }
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, target), hand, x);
    reaching.goals.push_back({x[0], {x[1], x[2]}});
  }
  reaching.hand = value_or_stop(reaching.problem.add(hand, reaching.goals.front()));
  return reaching;
}

Recording load_recording(const std::string& name) {
  const std::string skeleton_file = name.substr(0, name.find('_')) + ".asf", motion_file = name + ".amc";
  const Content skeleton = value_or_stop(read_content(read_data("acclaim/" + skeleton_file), skeleton_file));
  Content motion = value_or_stop(read_content(read_data("acclaim/" + motion_file), motion_file, {}, {}, &skeleton));
  Clip& clip = motion.clips.front();
  Figure figure = value_or_stop(cli::figure_for(*skeleton.figure, clip, true));
  return {std::move(figure), std::move(clip)};
}

Tracker five_places(const Figure& figure) {
  return value_or_stop(Tracker::make(figure, cli::places_of({"head", "hands", "feet"})));
}

Sequence keys_of(const Recording& recording) {
  constexpr int frames_per_key = 10;
  return value_or_stop(sequence_of(recording.figure, recording.clip, frames_per_key));
}

HeldMotion hold_feet_and_gaze(int frames) {
  const Figure figure = human();
  HeldMotion held{TimedProblem(figure), {"weight", 1.0 / 60.0, figure.rest().theta.replicate(1, frames)}};
  const auto set = [&](const char* parameter, int frame, double value) {
    held.given.poses(value_or_stop(figure.find_parameter(parameter)), frame) = value;
  };
  for (int k = 0; k < frames; ++k) {
    const double turn = 2.0 * pi * k / (frames - 1);  // there and back once
    for (const char* joint : {"left_hip.flexion", "right_hip.flexion"}) set(joint, k, 0.4);
    for (const char* joint : {"left_knee.flexion", "right_knee.flexion"}) set(joint, k, 0.8);
    set("root.x", k, 0.06 * std::sin(turn));
    set("root.y", k, -0.08 - 0.04 * (1.0 - std::cos(turn)));
    set("root.turn", k, 0.1 * std::sin(turn));
    set("spine.forward", k, 0.2 * (1.0 - std::cos(turn)));
  }
  const double end = held.given.duration(), ease = 0.1;
  const ConstraintOptions lock{.weight = must};
  value_or_stop(held.problem.add(figure.frame("left_foot"), Hold{}, {0.0, 0.4 * end, 0.0, ease}, lock));
  value_or_stop(held.problem.add(figure.frame("right_foot"), Hold{}, {0.3 * end, end, ease, 0.0}, lock));
  value_or_stop(held.problem.add(figure.frame("left_foot"), Hold{}, {0.7 * end, end, ease, 0.0}, lock));
  value_or_stop(held.problem.add(figure.ray("eyes"), AimAt{{0.5, 1.2, 2.0}}, {}));
  return held;
}

double Rosenbrock::operator()(const VecX& x, VecX& gradient) const {
  double value = 0.0;
  gradient.setZero();
  for (Eigen::Index i = 0; i + 1 < x.size(); ++i) {
    const double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    value += 100.0 * a * a + b * b;
    gradient[i] -= 400.0 * a * x[i] + 2.0 * b;
    gradient[i + 1] += 200.0 * a;
  }
  return value;
}

std::string read_data(const std::string& name) { return read_file(std::string(LIMBER_DATA) + "/" + name); }

std::vector<std::string> posture_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LIMBER_SCENES))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Posture load_posture(const std::string& name) {
  const std::string path = std::string(LIMBER_SCENES) + "/" + name + ".json";
  const Scene scene = value_or_stop(read_scene(read_file(path), path));
  return {value_or_stop(problem_of(scene)), scene.pose};
}

}  // namespace limber::bench
