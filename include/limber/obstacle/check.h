// The exact check after a solve: which segments overlap an obstacle or each other, and how deep.
//
// It examines every pair of near shapes, so every clearance below the margin is reported. Of the capsules of
// a segment only the deepest is listed.
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/body.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// --- Pairs of nearby bodies, and obstacles with bounding boxes.

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

struct Penetration {
  int segment = 0;
  int other_segment = no_index;  // of a pair
  int obstacle = no_index;
  double clearance = 0.0;  // below the margin; a negative one is a depth
  NearPair where;
  std::string text;  // "left_forearm is 0.012 m inside table", "left_hand is 0.003 m from left_thigh"
};

struct Penetrations {
  std::vector<Penetration> list;  // deepest first

  bool empty() const { return list.empty(); }
  // The minimum clearance in the list; infinity if empty.
  double min_clearance() const { return list.empty() ? infinity : list.front().clearance; }
};

// All clearances below the margin. `state` is the forward kinematics of the figure.
Penetrations penetrations(const Figure& figure, const Kinematics& state, const std::vector<SegmentCapsule>& capsules,
                          const Obstacles& obstacles, const std::vector<CapsulePair>& pairs, double margin = 0.0);

// Between two figures.
struct PlacedFigure {
  const Figure& figure;
  const Kinematics& state;
  const std::vector<SegmentCapsule>& capsules;
};
Penetrations penetrations(const PlacedFigure& first, const PlacedFigure& second, double margin = 0.0);

}  // namespace limber
