// The tasks of the benchmark: every method on the same goals from the same start.
//
//   nine     EE09 Fig. 2, 3: a walk followed by head, hands and feet; every 1st, 5th, 20th frame, at most 5, 20, 100
//            iterations, root free and given
//   chain    W93 Fig. 4.4, 4.5: a chain of seven joints, a goal well within reach and one at its edge
//   arms     reachable random poses of robot arms, from the middle of their limits, to 1e-5 m and rad, at most 5 ms
//   human    CMU 131 at 30 Hz, five positions, root free and given, each frame from the last one and from rest, to
//            0.1 mm, at most 100 ms
//   natural  how far the joints that are not given are from where they were recorded, without a prior and with one
//            learned from the other people's motions
//   postures the postures of ZB94 and ZB89, scenes of example/scene, each from its start, once
//   locked   W93 Fig. 6.4: both feet locked, the pelvis tilted and twisted; at most 5 iterations a frame, and 100
//   batch    many goals at once: the arms, and the human from the frame before; on one thread and on all cores
//   kinematics  forward kinematics and Jacobian of an arm with one frame, of a human with five
//   size     cost against size: chains of 10 to 10,000 hinges with one goal, trees with 1 to 100 goals
//   motion   queries of a sequence; feet and a gaze kept over 1,000 frames of a walk, all together and one by one; that
//            walk on other bodies; feet that stop sliding
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "app/cli/bench/contest.h"
#include "app/cli/bench/table.h"
#include "app/cli/verb.h"
#include "limber/motion/clip.h"

namespace limber::cli {

struct TaskOptions {
  std::string data = "data";
  bool quick = false;  // fewer frames, poses and configurations
};

struct Task {
  const char* name;
  std::expected<Table, Failure> (*run)(const TaskOptions&);
};

std::expected<Table, Failure> bench_nine(const TaskOptions& options);
std::expected<Table, Failure> bench_chain(const TaskOptions& options);
std::expected<Table, Failure> bench_arms(const TaskOptions& options);
std::expected<Table, Failure> bench_human(const TaskOptions& options);
std::expected<Table, Failure> bench_natural(const TaskOptions& options);
std::expected<Table, Failure> bench_postures(const TaskOptions& options);
std::expected<Table, Failure> bench_locked(const TaskOptions& options);
std::expected<Table, Failure> bench_batch(const TaskOptions& options);
std::expected<Table, Failure> bench_kinematics(const TaskOptions& options);
std::expected<Table, Failure> bench_size(const TaskOptions& options);
std::expected<Table, Failure> bench_motion(const TaskOptions& options);

inline constexpr Task bench_tasks[] = {
    {"nine", bench_nine},   {"chain", bench_chain},           {"arms", bench_arms},         {"human", bench_human},
    {"batch", bench_batch}, {"natural", bench_natural},       {"postures", bench_postures}, {"locked", bench_locked},
    {"size", bench_size},   {"kinematics", bench_kinematics}, {"motion", bench_motion},
};

// The tasks that other solvers take too, for any of them.
std::expected<Table, Failure> arms_table(const TaskOptions& task, const std::vector<Contender>& contenders);
std::expected<Table, Failure> human_table(const TaskOptions& task, const std::vector<Contender>& contenders);

// --- What tasks share

std::vector<Method> all_methods();

// The folder of the files of one kind: data/acclaim, or data itself where there is none.
std::string folder_in(const std::string& data, const std::string& kind);

struct Recorded {
  Figure figure;  // with the common names, and limits that contain the motion
  Clip clip;
};

std::expected<Recorded, Failure> recorded(const std::string& data, const std::string& skeleton,
                                          const std::string& motion);

struct Subject {
  std::string motion;    // "02_01"
  std::string skeleton;  // "02"
  Recorded recorded;
};

// The known motions where the folder has them all; else all of it that have their skeleton beside them: "02_01.amc" is
// of "02.asf". Rejected where there is none.
std::expected<std::vector<Subject>, Failure> subjects(const std::string& data,
                                                      const std::vector<std::string>& known = {});

// The files of the known robots where the folder has them all; else of all that have an arm, that is a place that five
// turning joints or more move. Rejected where there is none.
std::expected<std::vector<std::string>, Failure> robots(const std::string& data, const std::vector<std::string>& known);

}  // namespace limber::cli
