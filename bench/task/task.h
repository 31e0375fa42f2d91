// The tasks of the benchmark: every method on the same goals from the same start.
//
//   tracking EE09 Fig. 2, 3: a walk tracked by head, hands and feet; every 1st, 5th, 20th frame, max 5, 20, 100
//            iterations, root free and given
//   chain    W93 Fig. 4.4, 4.5: a chain of seven joints, a goal well within reach and one at its edge
//   arms     reachable random poses of robot arms, from the middle of their limits, to 1e-5 m and rad, max 5 ms
//   human    CMU 131 at 30 Hz, five positions, root free and given, each frame from the last one and from rest, to
//            0.1 mm, max 100 ms
//   natural  distance of the joints that are not given from their recorded positions: minimum change, mean pose, prior,
//            the pose that a network proposes, and a solve pulled towards it
//   drag     parts of recorded people pulled to where they were recorded 0.3 to 1 s later: distance of all other joints
//   postures the postures of ZB94 and ZB89, scenes of example/scene, each from its start, once
//   locked   W93 Fig. 6.4: both feet locked, the pelvis tilted and twisted; max 5 iterations per frame, and 100
//   batch    many goals in one call: the arms, and the human from the frame before; on one thread and on all cores
//   kinematics  forward kinematics and Jacobian of an arm with one frame, of a human with five
//   size     cost against size: chains of 10 to 10,000 hinges with one goal, trees with 1 to 100 goals
//   motion   queries of a sequence; feet and gaze held over 1,000 frames of a walk, all together and frame by frame;
//            that walk retargeted to other bodies; foot cleanup
//   retarget recorded motions on every character: directions of limbs, contacts, speeds of joints; sheets of pictures
//   reachable  reachable random poses of every figure and recorded motions, by a solve without options; goals out of
//            reach
//   gpu      many goals in one call on a GPU: arms, a humanoid robot, a human; only where it is asked for by name
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "bench/task/comparison.h"
#include "bench/task/table.h"
#include "limber/motion/clip.h"

namespace limber::bench {

using cli::Failure;

struct TaskOptions {
  std::string data = "data";
  bool quick = false;     // fewer frames, poses and configurations
  bool pictures = false;  // for a report
};

struct Task {
  const char* name;
  std::expected<Table, Failure> (*run)(const TaskOptions&);
};

std::expected<Table, Failure> bench_tracking(const TaskOptions& options);
std::expected<Table, Failure> bench_chain(const TaskOptions& options);
std::expected<Table, Failure> bench_arms(const TaskOptions& options);
std::expected<Table, Failure> bench_human(const TaskOptions& options);
std::expected<Table, Failure> bench_natural(const TaskOptions& options);
std::expected<Table, Failure> bench_drag(const TaskOptions& options);
std::expected<Table, Failure> bench_postures(const TaskOptions& options);
std::expected<Table, Failure> bench_locked(const TaskOptions& options);
std::expected<Table, Failure> bench_batch(const TaskOptions& options);
std::expected<Table, Failure> bench_kinematics(const TaskOptions& options);
std::expected<Table, Failure> bench_size(const TaskOptions& options);
std::expected<Table, Failure> bench_motion(const TaskOptions& options);
std::expected<Table, Failure> bench_retarget(const TaskOptions& options);
std::expected<Table, Failure> bench_reachable(const TaskOptions& options);
std::expected<Table, Failure> bench_gpu(const TaskOptions& options);

inline constexpr Task bench_tasks[] = {
    {"tracking", bench_tracking}, {"chain", bench_chain},           {"arms", bench_arms},
    {"human", bench_human},       {"batch", bench_batch},           {"natural", bench_natural},
    {"drag", bench_drag},         {"postures", bench_postures},     {"locked", bench_locked},
    {"size", bench_size},         {"kinematics", bench_kinematics}, {"motion", bench_motion},
    {"retarget", bench_retarget}, {"reachable", bench_reachable},   {"gpu", bench_gpu},
};

// The tasks that support solvers of other libraries.
std::expected<Table, Failure> arms_table(const TaskOptions& task, const std::vector<ComparedSolver>& solvers);
std::expected<Table, Failure> human_table(const TaskOptions& task, const std::vector<ComparedSolver>& solvers);

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

// The takes of data/poses/cmu_takes.bin (takes.h) and their one skeleton, data/acclaim/02.asf.
struct Takes {
  Figure figure;  // with the common names, mirror pairs, and limits that contain every frame
  std::vector<Clip> clips;
};

std::expected<Takes, Failure> recorded_takes(const std::string& data);

// The known motions if the folder has all of them; otherwise all motions with their skeleton beside them: "02_01.amc"
// belongs to "02.asf". An error if there is none.
std::expected<std::vector<Subject>, Failure> subjects(const std::string& data,
                                                      const std::vector<std::string>& known = {});

// The files of the known robots if the folder has all of them; otherwise of all robots with an arm, that is a site
// moved by at least five revolute joints. An error if there is none.
std::expected<std::vector<std::string>, Failure> robots(const std::string& data, const std::vector<std::string>& known);

}  // namespace limber::bench
