// Forty pulls at a person who stands with both feet pinned, or one where the other foot or its knee is pulled, and what
// must be true of the poses.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber::testing {

struct PullCase {
  const char* name;
  const char* pins;  // "both", or the side of the foot that stays
  const char* place;
  Vec3 by;                       // metres, from where the place is at rest
  double trunk_deg;              // max inclination of the line from pelvis to neck
  double off_mm = 1.0;           // max distance from the goal; more where it is out of reach
  const char* second = nullptr;  // pulled at the same time
  Vec3 second_by = Vec3::Zero();
};

inline const std::vector<PullCase>& forty_pulls() {
  static const std::vector<PullCase> pulls = {
      {"hand forward", "both", "right_palm", {0.1, 0.5, 0.6}, 15},
      {"hand up", "both", "right_palm", {0.0, 1.2, 0.15}, 20},
      {"hand across", "both", "right_palm", {0.5, 0.4, 0.3}, 15},
      {"hand behind", "both", "right_palm", {0.1, 0.2, -0.35}, 20},
      {"hand aside", "both", "right_palm", {-0.5, 0.5, 0.1}, 20},
      {"hand far forward", "both", "right_palm", {0.1, 0.4, 1.0}, 40},
      {"hand far across", "both", "right_palm", {0.8, 0.4, 0.4}, 35},
      {"hand to the face", "both", "right_palm", {0.15, 0.8, 0.3}, 20},
      {"hand to the back", "both", "right_palm", {0.15, 0.15, -0.2}, 15},
      {"hand to other hip", "both", "right_palm", {0.35, 0.15, 0.2}, 15},
      {"hand to floor, front", "both", "right_palm", {0.05, -0.7, 0.45}, 120},
      {"hand to floor, aside", "both", "right_palm", {-0.25, -0.6, 0.15}, 120},
      {"hand to the knee", "both", "right_palm", {0.1, -0.25, 0.25}, 70},
      {"hand low behind", "both", "right_palm", {-0.05, -0.2, -0.25}, 70},
      {"both hands forward", "both", "right_palm", {0.1, 0.5, 0.6}, 15, 1.0, "left_palm", {-0.1, 0.5, 0.6}},
      {"both hands up", "both", "right_palm", {0.0, 1.1, 0.25}, 27, 1.0, "left_palm", {0.0, 1.1, 0.25}},
      {"both hands to floor", "both", "right_palm", {0.05, -0.7, 0.4}, 120, 1.0, "left_palm", {-0.05, -0.7, 0.4}},
      {"hands apart", "both", "right_palm", {-0.4, 0.5, 0.2}, 15, 1.0, "left_palm", {0.4, 0.5, 0.2}},
      {"foot forward", "left", "right_foot", {0.0, 0.15, 0.4}, 20},
      {"foot back", "left", "right_foot", {0.0, 0.1, -0.4}, 25},
      {"foot aside", "left", "right_foot", {-0.3, 0.1, 0.0}, 25},
      {"foot up", "left", "right_foot", {0.0, 0.4, 0.15}, 20},
      {"foot crossed", "left", "right_foot", {0.3, 0.05, 0.2}, 15},
      {"knee up", "left", "right_knee", {0.0, 0.35, 0.35}, 20},
      {"knee forward", "both", "right_knee", {0.0, -0.03, 0.08}, 20, 25.0},
      {"pelvis down 10 cm", "both", "pelvis", {0.0, -0.1, 0.0}, 20},
      {"pelvis down 20 cm", "both", "pelvis", {0.0, -0.2, 0.0}, 25},
      {"pelvis down 40 cm", "both", "pelvis", {0.0, -0.4, 0.0}, 35, 6.0},
      {"pelvis down 60 cm", "both", "pelvis", {0.0, -0.6, 0.0}, 45, 120.0},
      {"pelvis aside 10 cm", "both", "pelvis", {0.1, 0.0, 0.0}, 15},
      {"pelvis aside 20 cm", "both", "pelvis", {0.2, -0.02, 0.0}, 40, 20.0},
      {"pelvis forward 15 cm", "both", "pelvis", {0.0, -0.01, 0.15}, 25},
      {"pelvis back 20 cm", "both", "pelvis", {0.0, -0.04, -0.2}, 45, 3.0},
      {"chest forward 30 cm", "both", "sternum", {0.0, -0.05, 0.3}, 40},
      {"chest down, forward", "both", "sternum", {0.0, -0.4, 0.35}, 90},
      {"chest aside 12 cm", "both", "sternum", {0.12, -0.01, 0.0}, 20},
      {"chest back 15 cm", "both", "sternum", {0.0, -0.05, -0.15}, 35},
      {"head forward 25 cm", "both", "head_top", {0.0, -0.06, 0.25}, 25},
      {"elbow up", "both", "right_elbow", {-0.2, 0.35, 0.15}, 25},
      {"shoulder down", "both", "right_shoulder", {0.0, -0.2, 0.1}, 55},
  };
  return pulls;
}

}  // namespace limber::testing
