#include "bench/task/warm_frames.h"

namespace limber::bench {

WarmFrames warm_frames(const Recorded& motion, Tracker& tracker) {
  constexpr int frames_between = 4;
  WarmFrames frames{MatX(motion.figure.rest().theta.size(), motion.clip.frames()), {}};
  Eigen::Index column = 0;
  for (int first = 0; first < frames_between; ++first) {
    Pose pose = motion.clip.pose(first);
    for (int k = first; k < motion.clip.frames(); k += frames_between) {
      tracker.aim(motion.clip.pose(k), pose);
      frames.starts.col(column++) = pose.theta;
      for (const Constraint& constraint : tracker.problem().constraints())
        frames.goals.push_back(constraint.alternatives().front().goal);
      tracker.solve(pose);
    }
  }
  return frames;
}

}  // namespace limber::bench
