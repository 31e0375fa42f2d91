// A robot, where it starts, and goals that it can reach: what the tasks on arms share.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "app/cli/bench/task.h"
#include "limber/goal/goal.h"

namespace limber::cli {

struct Arm {
  std::string robot;
  Figure figure;
  Handle tool;
  Pose start;  // the middle of the limits
  std::vector<Placement> goals;
};

// Goals from random poses within the limits, always the same.
std::expected<Arm, Failure> arm_of(const std::string& file, int count);

// The arms that a full benchmark takes.
inline const std::vector<std::string> known_arms = {"ur5.urdf", "panda.urdf", "iiwa14.urdf", "baxter.urdf"};

}  // namespace limber::cli
