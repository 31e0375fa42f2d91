// Figures and problems for limber_microbench, which uses the clock, and limber_count, which counts instructions: both
// measure the same work.
#pragma once

#include <limber/limber.h>

#include <string>
#include <vector>

namespace limber::bench {

// A chain of n hinges, one metre long, about axes that alternate between x, y and z.
Figure chain(int n);

// The human with positions for the head, both palms and both feet, from a pose that is not the rest.
Problem five_positions(const Figure& figure);

// A robot arm with a placement goal for its hand, and goals that it can reach from the middle of its limits; made as in
// `limber bench --task arms`.
struct Reaching {
  Problem problem;
  ConstraintId hand;
  Pose start;
  std::vector<Placement> goals;
};
Reaching reaching_panda(int goals);

// A motion of data/acclaim ("02_01"), and its skeleton with limits that contain it.
struct Recording {
  Figure figure;
  Clip clip;
};
Recording load_recording(const std::string& name);

// Head, hands and feet track a recording; the root is free.
Tracker five_places(const Figure& figure);

// A spline through keys of a recording, one every ten frames.
Sequence keys_of(const Recording& recording);

// The human shifts its weight and sinks a little, at 60 frames per second. The feet, which slide with it, are locked,
// one after the other and then both, and the eyes look at a point.
struct HeldMotion {
  TimedProblem problem;
  Clip given;
};
HeldMotion hold_feet_and_gaze(int frames);

// The chained Rosenbrock function of n variables: cheap to evaluate and slow to minimise, so that the cost is that of
// the method.
struct Rosenbrock {
  double operator()(const VecX& x, VecX& gradient) const;
};

// The scenes in example/scene, by name. An error stops the program.
struct Posture {
  Problem problem;
  Pose start;
};
// A file of data/. An error stops the program.
std::string read_data(const std::string& name);

// The papers' method for the papers' postures: one start.
inline const Options as_in_the_paper{.method = Method::active_set_bfgs, .restarts = 0};

std::vector<std::string> posture_names();
Posture load_posture(const std::string& name);

}  // namespace limber::bench
