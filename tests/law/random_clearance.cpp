#include "tests/law/random_clearance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/hull.h"
#include "limber/obstacle/line_segment.h"

namespace limber::law {

namespace {

constexpr int obstacle_kinds = 7;

std::vector<Vec3> random_cloud(Random& random, double size) {
  std::vector<Vec3> points;
  for (int k = random.integer(6, 12); k-- > 0;) points.push_back(size * random.between(0.5, 1.0) * random.direction());
  return points;
}

ObstacleShape random_shape(Random& random, double size) {
  switch (random.integer(0, obstacle_kinds - 1)) {
    case 0:
      return HalfSpaceShape{};
    case 1:
      return BallShape{random.chance(0.1) ? 0.0 : size};
    case 2: {
      const Vec3 a = size * random.direction(), b = random.chance(0.1) ? a : Vec3(size * random.direction());
      return Capsule{a, b, size * random.between(0.0, 0.5)};
    }
    case 3: {
      const double x = random.chance(0.1) ? 0.0 : size * random.unit(), y = size * random.unit();
      return BoxShape{Vec3(x, y, size)};
    }
    case 4:
      return *Polyhedron::build(random_cloud(random, size));
    case 5: {  // a solid
      const Hull hull = Polyhedron::build(random_cloud(random, size))->hull();
      return *TriangleMesh::build(hull.corners, hull.triangles);
    }
    default: {  // a sheet
      const Vec3 a = size * random.direction(), b = size * random.direction(), c = size * random.direction();
      return *TriangleMesh::build({a, b, c, a + b - c}, {{0, 1, 2}, {0, 1, 3}});
    }
  }
}

}  // namespace

Obstacle random_obstacle(Random& random, const std::string& name, const Vec3& near, double size) {
  Frame X;
  X.R = random.chance(0.3) ? Mat3(Mat3::Identity()) : random.rotation();
  ObstacleShape shape = random_shape(random, size);
  X.p = near;
  if (std::holds_alternative<HalfSpaceShape>(shape)) X.p -= 5.0 * size * X.R.col(1);
  return *build_obstacle(name, std::move(shape), X);
}

ClearanceSpec random_clearance(Random& random, const Figure& figure, const Pose& reach, Clear clear) {
  ClearanceSpec spec;
  const double length = figure.length();
  const Kinematics state = forward(figure, reach);
  for (int k = random.integer(1, 4); k-- > 0;) {
    const auto segment = static_cast<std::size_t>(random.integer(0, static_cast<int>(state.segments.size()) - 1));
    const double off = random.chance(0.1) ? 100.0 : random.chance(0.2) ? 0.0 : random.between(0.02, 0.6);
    const Vec3 near = state.segments[segment].p + off * length * random.direction();
    const double size = length * std::pow(10.0, random.between(-2.0, -0.3));
    spec.obstacles.push_back(random_obstacle(random, "thing " + std::to_string(k), near, size));
    if (random.chance(0.1)) spec.obstacles.push_back(spec.obstacles.back());  // twice at one place
  }
  spec.margin = random.chance(0.5) ? 0.0 : length * random.between(0.0, 0.02);
  spec.self = random.chance(0.5);
  spec.weight = clear == Clear::exactly ? must : std::pow(10.0, random.between(-3.0, 3.0));
  return spec;
}

Clearance clearance_of(const Figure& figure, const ClearanceSpec& spec) {
  Clearance clearance;
  clearance.capsules = capsules_of(figure);
  clearance.obstacles = spec.obstacles;
  clearance.margin = spec.margin;
  if (spec.self) clearance.pairs = pairs_to_check(figure, clearance.capsules, spec.margin);
  return clearance;
}

void add_to(Problem& problem, const ClearanceSpec& spec) {
  (void)problem.add_clearance(clearance_of(problem.figure(), spec), {.weight = spec.weight});
}

std::string text_of(const ClearanceSpec& spec) {
  std::string text = "  clear by " + to_text(spec.margin) + " m, weight " + to_text(spec.weight) +
                     (spec.self ? ", of itself" : "") + ", of shapes";
  for (const Obstacle& obstacle : spec.obstacles) text += " " + std::to_string(obstacle.shape.index());
  return text + "\n";
}

std::vector<PairGap> all_gaps(const Figure& figure, const VecX& theta, const Clearance& clearance) {
  const Kinematics state = forward(figure, Pose{theta});
  std::vector<LineSegment> cores;
  for (const SegmentCapsule& at : clearance.capsules) {
    const Frame& X = state.segments[static_cast<std::size_t>(at.segment)];
    cores.push_back({X * at.capsule.a, X * at.capsule.b});
  }
  std::vector<PairGap> gaps;
  for (std::size_t c = 0; c < cores.size(); ++c)
    for (std::size_t o = 0; o < clearance.obstacles.size(); ++o)
      gaps.push_back({clearance.capsules[c].segment, -1, static_cast<int>(o),
                      gap(cores[c], clearance.obstacles[o]).distance - clearance.capsules[c].capsule.radius});
  for (const CapsulePair& pair : clearance.pairs) {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    const SegmentCapsule &first = clearance.capsules[a], &second = clearance.capsules[b];
    gaps.push_back({first.segment, second.segment, -1,
                    gap(cores[a], cores[b]).distance - first.capsule.radius - second.capsule.radius + pair.slack});
  }
  return gaps;
}

double min_gap_of(const std::vector<PairGap>& gaps) {
  double min_gap = infinity;
  for (const PairGap& pair : gaps) min_gap = std::fmin(min_gap, pair.gap);
  return min_gap;
}

}  // namespace limber::law
