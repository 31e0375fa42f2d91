// Random motions of a hand across thin posts, spheres and plates: with both feet locked, the palm moves along a path at
// 1 to 6 m/s, and obstacles stand on the path.
#pragma once

#include <string>
#include <vector>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber::clear_script {

struct Script {
  TimedProblem problem;
  Clip given;
  std::vector<Clearance> clearances;
  std::string text;
};

inline Vec3 place_of(const Figure& figure, const VecX& theta, const char* name) {
  Vec3 x;
  evaluate(figure, forward(figure, Pose{theta}), *figure.point(name), &x);
  return x;
}

// A rod through p, of which one end is near p: the hand can go around it. Its other end is below, above or in front.
inline Obstacle rod(const Vec3& p, const Vec3& along, double radius, double beyond) {
  const Vec3 end = p + beyond * along, other = p - 0.8 * along;
  return *build_obstacle("rod", Capsule{end, other, radius});
}

inline Script crossing(const Figure& figure, const std::vector<Obstacle>& obstacles, const Vec3& from, const Vec3& to,
                       double speed, double wait = 0.4) {
  const double time = (to - from).norm() / speed, end = 2.0 * wait + time;
  Script out{TimedProblem(figure), {"crossing", 1.0 / 30.0, {}}, {}, {}};
  const int frames = static_cast<int>(std::ceil(end / out.given.frame_time)) + 1;
  VecX start = figure.rest().theta;
  start[*figure.find_parameter("right_elbow.flexion")] = radians(60.0);
  start[*figure.find_parameter("right_shoulder.elevation")] = radians(30.0);
  out.given.poses = start.replicate(1, frames);
  for (const char* foot : {"left_foot", "right_foot"})
    (void)*out.problem.add(figure.frame(foot), Hold{}, Span{}, {.weight = must});
  const auto goal = [=](double t) {
    const double part = std::clamp((t - wait) / time, 0.0, 1.0);
    return Goal(Position{from + part * (to - from)});
  };
  (void)*out.problem.add(figure.point("right_palm"), goal, Span{}, {.name = "path"});
  Clearance clearance;
  clearance.capsules = capsules_of(figure);
  clearance.obstacles = obstacles;
  clearance.margin = 0.0;
  out.clearances.push_back(clearance);
  return out;
}

// The path crosses from right to left, in front of the chest.
inline Script random_script(const Figure& figure, std::uint64_t seed) {
  Random random(seed);
  const double y = random.between(1.0, 1.35), z = random.between(0.38, 0.5);
  const Vec3 from(random.between(-0.55, -0.45), y + random.between(-0.1, 0.1), z - 0.05);
  const Vec3 to(random.between(0.05, 0.15), y + random.between(-0.1, 0.1), z);
  const double speed = random.between(1.0, 6.0);
  std::vector<Obstacle> obstacles;
  const int count = random.integer(1, 2);
  for (int k = 0; k < count; ++k) {
    const Vec3 p = from + (0.35 + 0.4 * k + random.between(0.0, 0.1)) * (to - from);
    const int kind = random.integer(0, 3);
    Frame X;
    if (kind == 0) {  // a vertical post, with its top near the path
      obstacles.push_back(rod(p, Vec3::UnitY(), 0.005, random.between(0.0, 0.06)));
    } else if (kind == 1) {  // a rod from the front that ends near the path
      obstacles.push_back(rod(p, -Vec3::UnitZ(), 0.005, random.between(0.0, 0.06)));
    } else if (kind == 2) {
      X.p = p + Vec3(0.0, random.between(-0.03, 0.03), random.between(-0.02, 0.04));
      obstacles.push_back(*build_obstacle("ball", BallShape{random.between(0.02, 0.06)}, X));
    } else {  // a plate across the path, with an edge near it
      X.p = p + Vec3(0.0, -0.2 + random.between(0.0, 0.05), 0.0);
      obstacles.push_back(*build_obstacle("plate", BoxShape{{0.005, 0.2, random.between(0.05, 0.15)}}, X));
    }
  }
  return crossing(figure, obstacles, from, to, speed);
}

inline double min_clearance(const Figure& figure, const VecX& theta, const Clearance& clearance) {
  return penetrations(figure, forward(figure, Pose{theta}), clearance.capsules, Obstacles(clearance.obstacles),
                      clearance.pairs, clearance.margin)
      .min_clearance();
}

// The least clearance below the margin at `parts` places of each interval, its first frame included; infinity if clear.
inline double min_clearance(const Figure& figure, const Clip& clip, const Clearance& clearance, int parts) {
  double min = infinity;
  for (int k = 0; k < clip.frames(); ++k)
    for (int part = 0; part < (k + 1 < clip.frames() ? parts : 1); ++part) {
      const double s = static_cast<double>(part) / parts;
      const VecX theta = (1.0 - s) * clip.poses.col(k) + s * clip.poses.col(std::min(k + 1, clip.frames() - 1));
      min = std::fmin(min, min_clearance(figure, theta, clearance));
    }
  return min;
}

// The fastest joint, in radians per second; translations relative to the figure's length.
inline double max_speed(const Figure& figure, const Clip& clip) {
  double max = 0.0;
  for (int k = 1; k < clip.frames(); ++k)
    for (Eigen::Index j = 0; j < clip.poses.rows(); ++j) {
      const double scale = figure.parameters()[static_cast<std::size_t>(j)].translates ? figure.length() : 1.0;
      max = std::fmax(max, std::fabs(clip.poses(j, k) - clip.poses(j, k - 1)) / scale);
    }
  return max / clip.frame_time;
}

}  // namespace limber::clear_script
