// What joints can hold: torques against published strength, the joint that gives first, and the largest load.
//
// A table has rows for a freedom and a direction. A row is the torque that the 5th, 50th and 95th percentile of people
// give; between them the torque goes in a straight line over the normal deviate z(p),
//
//   S(p) = S_50 + (S_95 - S_50) z(p)/z(95)   above the median, with S_5 likewise below
//
// and may depend on the angle q of the joint,   S(q) = S · cos(c (q - q0)), not below 0   (Anderson et al. 2007, the
// factor of angle in their equation 1), and be given in parts of the person's weight times stature.
//
// The share used is |h| / S with the holding torque h (static_load.h) and the S of the direction in which the muscles
// must pull. A joint gives where its share exceeds 1. One that is pushed against the end of its range is held there by
// bones and ligaments, as the knee of who stands with straight legs; then no muscle is asked.
//
// The largest load. Let m be the mass of a load at given points, and M the mass of the rest. For a figure on its root h
// is affine in m. For one on its feet the reactions' points depend on m too, but h(m) (M + m) is a polynomial of
// second degree, because weights and moments are affine and their share is a quotient by the whole weight (λ W and d W
// are affine, and h has (1 - λ) W d). So h(m) = ±S is a quadratic equation in either case.
#pragma once

#include <string>
#include <vector>

#include "limber/assess/static_load.h"
#include "limber/figure/human.h"

namespace limber {

struct StrengthRow {
  std::string freedom;  // "elbow.flexion": of the left and the right one; or the whole name
  int direction = 1;    // +1: towards larger angles, -1: towards smaller ones
  double percentile_5 = 0.0, percentile_50 = 0.0, percentile_95 = 0.0;  // N m, or parts of weight times stature
  bool of_size = false;
  double curve = 0.0;       // c, per radian; 0: the same at all angles
  double best_angle = 0.0;  // q0
  std::string source = {};
};

using StrengthTable = std::vector<StrengthRow>;

// Of adults, for the freedoms of human() and simple_human(). doc/assess.md lists the rows and says how sure they are.
// Freedoms that it lacks have no strength, and are never the first to give.
StrengthTable human_strength(Sex sex);

// A joint this near to the end of its range rests on it, in radians.
inline constexpr double stop_tolerance = radians(0.5);

struct StrengthOptions {
  double percentile = 50.0;  // 5 to 95
  double stature = 0.0;      // metres; 0: the height of the figure at rest
  double weight = 0.0;       // N; 0: that of the figure
};

// Rejected: no name, a direction that is not 1 or -1, strengths that are negative, not finite or not in order, a
// percentile from outside 5 to 95, a negative stature or weight.
Expected<void> check_strength(const StrengthTable& table, const StrengthOptions& options);

// One freedom that turns.
struct JointLoad {
  int freedom = 0;
  double angle = 0.0;          // q, radians
  double torque = 0.0;         // h, N m
  double strength = infinity;  // in the direction of the torque; infinity where the table has none
  double share = 0.0;
  int row = -1;          // of the table; -1: none
  bool at_stop = false;  // the end of the range holds, and no strength is needed
};

// All freedoms that turn, but for those of a free root, in the order of the figure.
Expected<std::vector<JointLoad>> joint_loads(const Figure& figure, const Pose& pose, const StaticLoad& load,
                                             const StrengthTable& table, const StrengthOptions& options = {});

// The one with the largest share; nothing where no joint has a strength.
const JointLoad* first_to_give(const std::vector<JointLoad>& loads);

struct LargestLoad {
  double mass = infinity;  // kg, of all points together; infinity where no joint ever gives, 0 where one gives without
  int freedom = -1;        // that gives first
};

// `at` are the points that carry the load in equal parts; what `options` hang on the figure stays there.
Expected<LargestLoad> max_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options,
                               const std::vector<Handle>& at, const StrengthTable& table,
                               const StrengthOptions& strength = {});

}  // namespace limber
