// Pairs of nearby bodies, and obstacles with bounding boxes.
#pragma once

#include <vector>

#include "limber/obstacle/figure_capsules.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// Obstacles with bounding boxes.
class Obstacles {
 public:
  Obstacles() = default;
  explicit Obstacles(std::vector<Obstacle> list);

  const std::vector<Obstacle>& list() const { return list_; }
  const std::vector<BoundingBox>& bounds() const { return bounds_; }
  // Moves an obstacle; the frame is not checked (build_obstacle does that on input).
  void move(int k, const Frame& X_world_shape);

 private:
  std::vector<Obstacle> list_;
  std::vector<BoundingBox> bounds_;
};

inline constexpr int no_index = -1;

struct NearPair {
  int capsule = 0;
  int other = no_index;     // the second capsule of a pair, or one of another body
  int obstacle = no_index;  // else the obstacle
  double clearance = infinity;
  double t = 0.0;
  double s = 0.0;
  double slope = 1.0;
  Vec3 normal = Vec3::UnitY();   // towards the capsule
  Vec3 on_core = Vec3::Zero();   // of the capsule
  Vec3 on_other = Vec3::Zero();  // on the core of the other capsule, or on the obstacle's surface
};

}  // namespace limber
