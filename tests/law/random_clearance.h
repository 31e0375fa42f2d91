// Random obstacles for the laws, and a check of what is clear of them that knows no solver.
#pragma once

#include <string>
#include <vector>

#include "limber/base/random.h"
#include "limber/figure/figure.h"
#include "limber/problem/problem.h"

namespace limber::law {

enum class Clear { of_nothing, softly, exactly };

// The capsules are those of the figure, so that a smaller figure keeps the spec.
struct ClearanceSpec {
  std::vector<Obstacle> obstacles;
  double margin = 0.0;
  double weight = must;
  bool self = false;
};

// Obstacles of every shape about the places that the figure has in the pose `reach`, sizes by its length: some far off,
// some around it, some inside each other, one now and then of no size.
ClearanceSpec random_clearance(Random& random, const Figure& figure, const Pose& reach, Clear clear);

Obstacle random_obstacle(Random& random, const std::string& name, const Vec3& near, double size);

Clearance clearance_of(const Figure& figure, const ClearanceSpec& spec);
void add_to(Problem& problem, const ClearanceSpec& spec);
std::string text_of(const ClearanceSpec& spec);

// The gap of every pair, by forward kinematics of the whole figure; none is omitted for being far.
struct PairGap {
  int segment = 0;
  int other_segment = -1;
  int obstacle = -1;
  double gap = 0.0;
};
std::vector<PairGap> all_gaps(const Figure& figure, const VecX& theta, const Clearance& clearance);
// The min of them; infinity where there is none.
double min_gap_of(const std::vector<PairGap>& gaps);

}  // namespace limber::law
