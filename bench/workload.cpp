#include "workload.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "limber/format/scene.h"

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
