// A robot arm with a start pose and reachable goals, for all tasks on arms.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "bench/task/task.h"
#include "limber/goal/goal.h"

namespace limber::bench {

struct Arm {
  std::string robot;
  Figure figure;
  Handle tool;
  Pose start;  // the middle of the limits
  std::vector<Placement> goals;
};

// Goals from random poses within the limits, with a fixed seed.
std::expected<Arm, Failure> arm_of(const std::string& file, int count);

// The arms of the benchmark.
inline std::vector<std::string> known_arms() { return {"ur5.urdf", "panda.urdf", "iiwa14.urdf", "baxter.urdf"}; }

}  // namespace limber::bench
