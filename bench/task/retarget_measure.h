// How well a motion on another body agrees with the recorded one, measured from both motions alone; nothing of
// motion/retarget is used.
//
//   directions  angle between the recorded and the new direction of each limb bone, mean over frames
//   turning     angular speed ‖log(R_kᵀ R_{k+1})‖ / h of a part relative to the one that carries it, R = R_carrierᵀ
//               R_part: the max over the joints and frames of a limb, relative to that of the recorded limb
//   jump        the max change of that turn from one frame to the next, in degrees
//   slide       the max distance along the ground that a foot moves while the recorded one stands
//   below       the max depth of a foot below the ground, on which the new body stands at rest
#pragma once

#include <string>
#include <vector>

#include "limber/motion/clip.h"
#include "limber/motion/contacts.h"

namespace limber::bench {

struct LimbTurning {
  std::string limb;   // "left leg"
  std::string joint;  // the fastest of the new body
  double recorded_deg_s = 0.0, deg_s = 0.0;
  double recorded_jump_deg = 0.0, jump_deg = 0.0;
  int frame = 0;  // from which it turns fastest

  double ratio() const;
};

struct RetargetMeasure {
  double directions_deg = 0.0;       // mean over limb bones
  double worst_direction_deg = 0.0;  // of the bone that is off most
  std::string worst_bone;            // where it ends
  std::vector<LimbTurning> turning;  // by limb
  double slide = 0.0, below = 0.0;   // metres
  double body_below = 0.0;           // of any place, relative to the recorded one if that is below too
  int contacts = 0;

  const LimbTurning* fastest() const;  // relative to the recorded limb; null without limbs
};

// Both motions have the same frames; both figures have the common names. `scale` is that of the path.
Expected<RetargetMeasure> measure_retarget(const Figure& from, const Clip& recorded, const Figure& to, const Clip& clip,
                                           double scale);

}  // namespace limber::bench
